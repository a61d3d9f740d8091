"""Certificates to hang on the wall: for the first places, the most pits and the poedel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from tournaments.models import Evening, Season
from tournaments.printing.page import Leaf, club_logo, leaves_pdf
from tournaments.printing.season_pdf import PaperStanding
from tournaments.prizes.core import Award, PrizeScheme, RankedEntry, Winner, highest, prize_giving
from tournaments.prizes.giving import (
    content_words,
    divides_pot,
    evening_paid,
    scheme_of,
    season_paid,
)
from tournaments.releases.queries import PublicRow
from tournaments.standings.core import Points

PITS = "pits"
CERTIFICATES = PrizeScheme(kind="first", first=3, poedel=True, sides=(PITS,))
"""What certificates are for, whatever prizes the club hands out."""

FRAME = 30.0
SUITS = "♣ ♦ ♥ ♠"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Who gets it, for what, with what figure, such as `6.214 punten`, and what was won."""

    name: str
    what: str
    figure: str
    gets: str = ""


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
    """The certificates of an evening with this standing. One query, for full names: a certificate
    is given to the person and not published; another one if prizes are shares of the pot."""
    members = Member.objects.in_bulk([row.member_id for row in rows])
    names = {row.member_id: _name(members, row.member_id, row.name) for row in rows}
    ids = {pk: (str(pk),) for pk in names}
    standing = _Standing(
        [
            RankedEntry(ids[row.member_id], names[row.member_id], row.rank, row.total)
            for row in rows
        ],
        [Winner(ids[row.member_id], names[row.member_id], row.pits) for row in rows],
        _points,
        scheme := scheme_of(evening.prizes),
        evening_paid(evening) if divides_pot(scheme) else 0,
    )
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
                figure = _figure(award, person, standing)
                gets = _gets(award, standing)
                yield Certificate(person.name, _what(award, club), figure, gets)


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


def _points(total: Points, decimals: int | None = None) -> str:
    return _("%(n)s points") % {"n": number(total, decimals)}


def _name(members: Mapping[int, Member], pk: int, otherwise: str) -> str:
    return members[pk].desk_name if pk in members else otherwise


def certificates_pdf(club: Club, occasion: str, certificates: Sequence[Certificate]) -> bytes:
    """A landscape page for each; `occasion` is the evening or season it is for."""
    logo = club_logo(club)
    leaves = [
        Leaf(partial(_draw, club, logo, occasion, certificate), wide=True, numbered=False)
        for certificate in certificates
    ]
    return leaves_pdf(leaves, title=_("Certificates"), author=club.name)


def _draw(
    club: Club, logo: ClubLogo | None, occasion: str, certificate: Certificate, paper: Paper
) -> None:
    _draw_frame(paper)
    middle, room = paper.width / 2, paper.width - 6 * FRAME
    if logo:
        width, height = 200.0, 80.0
        scale = min(width / logo.width, height / logo.height)
        left = middle - logo.width * scale / 2
        paper.logo(left, paper.height - 58, logo, width=width, height=height)
    else:
        paper.text(middle, paper.height - 108, SUITS, size=34, align="centre")
    lines = [
        (172.0, club.name, 20.0, True, SOFT),
        (232.0, _("Certificate"), 46.0, True, INK),
        (270.0, _("for"), 14.0, False, SOFT),
        (322.0, certificate.name, 42.0, True, INK),
        (372.0, certificate.what, 26.0, True, INK),
        (400.0, certificate.figure, 18.0, False, INK),
        (424.0, certificate.gets, 16.0, True, INK),
        (448.0, occasion, 16.0, False, SOFT),
    ]
    for down, words, size, bold, colour in filter(itemgetter(1), lines):
        paper.text(
            middle,
            paper.height - down,
            words,
            size=size,
            bold=bold,
            align="centre",
            width=room,
            smallest=9,
            colour=colour,
        )
    _draw_signatures(paper)


def _draw_frame(paper: Paper) -> None:
    for inset, thick in ((FRAME, 3.0), (FRAME + 8, 0.8)):
        paper.box(inset, inset, paper.width - 2 * inset, paper.height - 2 * inset, thick=thick)


def _draw_signatures(paper: Paper) -> None:
    date = _("Date: %(date)s") % {"date": date_format(localdate(), "j F Y")}
    paper.text(3 * FRAME, 92, date, size=12)
    start = paper.width - 3 * FRAME - 230
    paper.line(start, 90, start + 230, 90, colour=RULE)
    paper.text(start, 76, _("for the club"), size=10, colour=SOFT)
