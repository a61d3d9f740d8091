"""Certificates to hang on the wall, in colour: for the first places and the most pits, and of
another form for the poedel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from scoring.pdf.paper import (
    BRONZE,
    CREAM,
    FELT,
    GOLD,
    INK,
    ON_FELT,
    RED,
    SHADE,
    SILVER,
    SOFT,
    WHITE,
    WOOD,
    Colour,
    Paper,
)
from tournaments.models import Competitor, Evening, Season
from tournaments.printing.page import Leaf, club_logo, draw_suits, leaves_pdf
from tournaments.printing.season_pdf import PaperStanding
from tournaments.prizes.core import Award, PrizeScheme, RankedEntry, Winner, highest, prize_giving
from tournaments.prizes.giving import (
    content_words,
    divides_pot,
    evening_paid,
    folder_entries,
    scheme_of,
    season_paid,
)
from tournaments.releases.folders import FolderLine
from tournaments.releases.queries import PublicRow
from tournaments.standings.core.results import Percentage, Points

PITS = "pits"
CERTIFICATES = PrizeScheme(kind="first", first=3, poedel=True, sides=(PITS,))
"""What certificates are for, whatever prizes the club hands out."""

FRAME = 26.0
BAND = 24.0
MEDALS = {1: GOLD, 2: SILVER, 3: BRONZE}


@dataclass(frozen=True, slots=True)
class Certificate:
    """Who gets it, for what, with what figure, such as `6.214 punten`, and what was won. `place` is
    1 to 3; without one it is for the most pits, or for the last place if `poedel`."""

    name: str
    what: str
    figure: str
    gets: str = ""
    place: int | None = None
    poedel: bool = False


@dataclass(frozen=True, slots=True)
class _Standing:
    """A standing to award certificates by, with everybody's pits in the same order; `figure` puts
    the value that decides a place into words."""

    entries: Sequence[RankedEntry]
    pits: Sequence[Winner]
    figure: Callable[[Points], str]
    scheme: PrizeScheme
    pot: int


def evening_certificates(evening: Evening, rows: Sequence[PublicRow]) -> list[Certificate]:
    """The certificates of an evening with this standing of people, pairs or teams. One query, for
    full names: a certificate is given to the person and not published; another one if prizes are
    shares of the pot."""
    members = Member.objects.in_bulk([row.member_id for row in rows if not row.is_competitor])
    known = [row.competitor for row in rows if row.competitor]
    called = {-pk: pair.name for pk, pair in Competitor.objects.in_bulk(known).items()}
    names = {
        row.member_id: called.get(row.member_id) or _name(members, row.member_id, row.name)
        for row in rows
    }
    ids = {pk: (str(pk),) for pk in names}
    standing = _Standing(
        [
            RankedEntry(ids[row.member_id], names[row.member_id], row.rank or 0, row.total)
            for row in rows
        ],
        [Winner(ids[row.member_id], names[row.member_id], row.pits) for row in rows],
        _points,
        scheme := scheme_of(evening.prizes),
        evening_paid(evening) if divides_pot(scheme) else 0,
    )
    return list(_certificates(evening.club, standing))


def folder_certificates(
    evening: Evening, lines: Sequence[FolderLine], rows: Sequence[PublicRow]
) -> list[Certificate]:
    """The certificates of an evening of folders with these places, and the pits in these `rows` of
    people. As many queries as `evening_certificates`."""
    members = Member.objects.in_bulk([row.member_id for row in rows])
    pits = [
        Winner((str(row.member_id),), _name(members, row.member_id, row.name), row.pits)
        for row in rows
    ]
    scheme = scheme_of(evening.prizes)
    pot = evening_paid(evening) if divides_pot(scheme) else 0
    standing = _Standing(folder_entries(lines), pits, _folder_figure, scheme, pot)
    return list(_certificates(evening.club, standing))


def season_certificates(season: Season, standing: PaperStanding) -> list[Certificate]:
    """The certificates of a season with this standing, for those who have a place. One query; more
    if prizes are shares of the pot."""
    rows = [(row, row.rank) for row in standing.table.rows if row.rank is not None]
    members = Member.objects.in_bulk([int(row.player_id) for row, _rank in rows])
    names = {pk: _name(members, int(pk), name) for pk, name in standing.names.items()}
    placed = _Standing(
        [
            RankedEntry((row.player_id,), names[row.player_id], rank, row.value)
            for row, rank in rows
        ],
        [Winner((row.player_id,), names[row.player_id], row.pits) for row, _rank in rows],
        partial(_season_figure, standing),
        scheme := scheme_of(season.prizes),
        season_paid(season) if divides_pot(scheme) else 0,
    )
    return list(_certificates(season.club, placed))


def _certificates(club: Club, standing: _Standing) -> Iterator[Certificate]:
    most = set(highest(standing.pits))
    sides = {PITS: [person for person in standing.pits if person in most]}
    awards = prize_giving(CERTIFICATES, standing.entries, sides=sides)
    placed = {person.ids for award in awards if award.kind == "place" for person in award.people}
    # Prizes are handed out from the last to the first; certificates are printed the other way.
    for award in reversed(awards):
        for person in award.people:
            # Among a few people the last may have a place certificate already.
            if award.kind != "poedel" or person.ids not in placed:
                yield Certificate(
                    person.name,
                    _what(award, club),
                    _figure(award, person, standing),
                    _gets(award, standing),
                    place=award.place if award.kind == "place" else None,
                    poedel=award.kind == "poedel",
                )


def _gets(award: Award, standing: _Standing) -> str:
    """What the club gave for it, as it is hung on the wall: in words, else the amount."""
    contents = award.contents(standing.scheme)
    whats = [content.what or content_words(content, standing.pot) for content in contents]
    return " + ".join(whats)


def _what(award: Award, club: Club) -> str:
    if award.kind == "poedel":
        return _("Booby prize")
    if award.kind == "side":
        return _("Most often %(pit)s") % {"pit": pit_word(club)}
    return {1: _("Winner"), 2: _("Second place"), 3: _("Third place")}[award.place or 1]


def _figure(award: Award, person: Winner, standing: _Standing) -> str:
    if award.kind == "side":
        return _("%(n)s times") % {"n": person.figure}
    return standing.figure(person.figure)


def _season_figure(standing: PaperStanding, value: Points) -> str:
    if standing.counted:
        return _("%(n)s times") % {"n": value}
    points = _points(value, standing.decimals)
    return _("on average %(points)s") % {"points": points} if standing.decimals else points


def _folder_figure(value: Points) -> str:
    return f"{number(value, 2)}%" if isinstance(value, Percentage) else _points(value)


def _points(total: Points, decimals: int | None = None) -> str:
    return _("%(n)s points") % {"n": number(total, decimals)}


def _name(members: Mapping[int, Member], pk: int, otherwise: str) -> str:
    return members[pk].desk_name if pk in members else otherwise


def certificates_pdf(
    club: Club, occasion: str, certificates: Sequence[Certificate], *, given: str = ""
) -> bytes:
    """A landscape page for each. `occasion` is the evening or season it is for, and `given` the day
    on which it is given where the occasion has none: there is one date on it."""
    logo = club_logo(club)
    leaves = [
        Leaf(
            partial(_draw, club, logo, " · ".join(filter(None, [occasion, given])), certificate),
            wide=True,
            numbered=False,
        )
        for certificate in certificates
    ]
    return leaves_pdf(leaves, title=_("Certificates"), author=club.name)


def _draw(
    club: Club, logo: ClubLogo | None, occasion: str, certificate: Certificate, paper: Paper
) -> None:
    if certificate.poedel:
        _draw_checks(paper)
    else:
        _draw_frame(paper)
    middle, top = paper.width / 2, paper.height
    if logo:
        width, height = 190.0, 64.0
        scale = min(width / logo.width, height / logo.height)
        paper.logo(middle - logo.width * scale / 2, top - 62, logo, width=width, height=height)
    else:
        draw_suits(paper, middle, top - 104, size=34)
    main = WOOD if certificate.poedel else FELT
    wink = _("Who laughs last, laughs best.") if certificate.poedel else ""
    lines = [
        (154.0, club.name, 21.0, "bold", SOFT),
        (222.0, _("Certificate"), 62.0, "heading", main),
        (256.0, _("for"), 17.0, "", SOFT),
        (314.0, certificate.name, 50.0, "heading", INK),
        (368.0, certificate.what, 34.0, "heading", RED),
        (400.0, certificate.figure, 22.0, "bold", INK),
        (426.0, certificate.gets, 18.0, "bold", INK),
        (450.0, occasion, 17.0, "", SOFT),
        (474.0, wink, 17.0, "", WOOD),
    ]
    for down, words, size, face, colour in filter(itemgetter(1), lines):
        paper.text(
            middle,
            top - down,
            words,
            size=size,
            bold=face == "bold",
            heading=face == "heading",
            align="centre",
            width=paper.width - 6 * FRAME,
            colour=colour,
        )
    if certificate.poedel:
        _draw_poodle(paper, 3.4 * FRAME, 68, 1.0)
    else:
        _draw_rosette(paper, 5.4 * FRAME, 132, certificate)
    _draw_signature(paper)


def _draw_frame(paper: Paper) -> None:
    """A band of felt between wooden edges, a suit in each corner."""
    width, height = paper.width, paper.height

    def ring(inset: float, fill: Colour) -> None:
        paper.box(inset, inset, width - 2 * inset, height - 2 * inset, fill=fill)

    ring(FRAME, WOOD)
    ring(FRAME + 3.5, FELT)
    ring(FRAME + BAND, GOLD)
    ring(FRAME + BAND + 2, CREAM)
    near = FRAME + BAND / 2 + 1.5
    corners = [
        (near, height - near),
        (width - near, height - near),
        (near, near),
        (width - near, near),
    ]
    for (x, y), suit in zip(corners, "♣♦♥♠", strict=True):
        paper.disc(x, y, 21, fill=CREAM, thick=2, edge=GOLD)
        paper.text(x, y - 9, suit, size=25, align="centre", colour=RED if suit in "♦♥" else INK)


def _draw_checks(paper: Paper) -> None:
    """A border of loose squares, each a little askew from the next, around white paper."""
    size, inset = 16.0, FRAME
    across = int((paper.width - 2 * inset) // size)
    down = int((paper.height - 2 * inset) // size)
    left = (paper.width - across * size) / 2
    foot = (paper.height - down * size) / 2
    colours = (WOOD, SHADE, RED, SHADE)
    edge = [(n, 0) for n in range(across)] + [(across - 1, n) for n in range(1, down)]
    edge += [(n, down - 1) for n in range(across - 2, -1, -1)]
    edge += [(0, n) for n in range(down - 2, 0, -1)]
    for index, (column, row) in enumerate(edge):
        shift = 1.6 if index % 2 else -1.6
        x, y = left + column * size, foot + row * size
        paper.box(x + 2, y + 2 + shift, size - 4, size - 4, fill=colours[index % 4], round_=2)


def _draw_rosette(paper: Paper, x: float, y: float, certificate: Certificate) -> None:
    """A rosette with the place, or with a suit for the most pits."""
    metal = MEDALS.get(certificate.place or 0, RED)
    for turn in (-1, 1):
        ribbon = [(x, y), (x + turn * 52, y - 62), (x + turn * 31, y - 58), (x + turn * 20, y - 76)]
        paper.shape([*ribbon, (x - turn * 8, y - 10)], fill=FELT)
    paper.star(x, y, 54, points=24, fill=metal)
    paper.disc(x, y, 40, fill=WHITE)
    paper.disc(x, y, 36, fill=metal)
    paper.disc(x, y, 36, thick=1, edge=ON_FELT)
    words = str(certificate.place) if certificate.place else "♠"
    colour = ON_FELT if certificate.place is None else INK
    paper.text(x, y - 17, words, size=48, heading=True, align="centre", colour=colour)


CURLS = [
    *((6, 76, 13), (20, 82, 13), (33, 76, 12), (20, 68, 13)),  # the topknot
    *((20, 55, 15), (6, 50, 9), (-3, 48, 6)),  # head and snout
    *((36, 58, 9), (40, 48, 10), (41, 38, 9)),  # the ear
    *((34, 22, 17), (48, 30, 15), (50, 12, 17), (34, 6, 14)),  # the mane
    *((70, 20, 12), (84, 18, 13), (94, 12, 13)),  # the back
    *((122, 62, 10), (130, 68, 9), (118, 70, 9)),  # the tip of the tail
    *((34, -38, 9), (28, -41, 7), (54, -38, 9), (60, -41, 7)),  # the cuffs in front
    *((88, -38, 9), (82, -41, 7), (106, -38, 9), (112, -41, 7)),  # and behind
]
"""A poodle, looking to the left: discs by middle and radius."""
LEGS = [((34, -55), (34, 4)), ((53, -55), (50, 4)), ((88, -55), (88, 10)), ((106, -55), (97, 8))]
TAIL = ((98, 20), (121, 60))


def _draw_poodle(paper: Paper, x: float, y: float, scale: float) -> None:
    """The poodle of the last place, with a bow."""

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return x + point[0] * scale, y + 62 + point[1] * scale

    for start, end in (*LEGS, TAIL):
        paper.line(*at(start), *at(end), thick=7 * scale, colour=INK)
    for left, up, radius in CURLS:
        paper.disc(*at((left, up)), radius * scale, fill=INK)
    for across, up, size, colour in (
        (13.0, 58, 2.6, WHITE),
        (12.4, 58, 1.3, INK),
        (-8.0, 50, 3.0, RED),
        (34.0, 40, 3.4, RED),
    ):
        paper.disc(*at((across, up)), size * scale, fill=colour)
    for turn in (-1, 1):
        bow = [(34, 40), (34 + turn * 13, 47), (34 + turn * 13, 33)]
        paper.shape([at(point) for point in bow], fill=RED)


def _draw_signature(paper: Paper) -> None:
    start = paper.width - 4 * FRAME - 210
    paper.line(start, 100, start + 210, 100, colour=SOFT)
    paper.text(start, 83, _("for the club"), size=12, colour=SOFT)
