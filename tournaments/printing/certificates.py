"""Certificates to hang on the wall: for the winner and who came next, the poedel, the most pits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from tournaments.printing.page import Leaf, club_logo, leaves_pdf
from tournaments.printing.season_pdf import PaperStanding
from tournaments.releases.queries import PublicRow

FRAME = 30.0
SUITS = "♣ ♦ ♥ ♠"


@dataclass(frozen=True, slots=True)
class Honour:
    """Who gets a certificate, for what, and with what figure: `1e plaats`, `6.214 punten`."""

    name: str
    what: str
    figure: str = ""


def certificates_pdf(club: Club, occasion: str, honours: Sequence[Honour]) -> bytes:
    """A page on its side for each of them; `occasion` is the evening or season it is for."""
    logo = club_logo(club)
    leaves = [
        Leaf(partial(_draw, club, logo, occasion, honour), wide=True, numbered=False)
        for honour in honours
    ]
    return leaves_pdf(leaves, title=_("Certificates"), author=club.name)


def _draw(club: Club, logo: ClubLogo | None, occasion: str, honour: Honour, paper: Paper) -> None:
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
        (322.0, honour.name, 42.0, True, INK),
        (372.0, honour.what, 26.0, True, INK),
        (400.0, honour.figure, 18.0, False, INK),
        (432.0, occasion, 16.0, False, SOFT),
    ]
    for down, words, size, bold, colour in lines:
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


# The people who get a certificate: the first three, those with the most pits, and the last.


@dataclass(frozen=True, slots=True)
class _Placed:
    """A person in a standing; `figure` is what decided their place, in words."""

    rank: int
    name: str
    figure: str
    pits: int


def evening_honours(club: Club, rows: Sequence[PublicRow]) -> list[Honour]:
    """The certificates of an evening with this standing. One query, for full names: a certificate
    is given to the person and not published."""
    members = Member.objects.in_bulk([row.member_id for row in rows])
    placed = [
        _Placed(row.rank, _name(members, row.member_id, row.name), _points(row.total), row.pits)
        for row in rows
    ]
    return list(_honours(club, placed))


def season_honours(club: Club, standing: PaperStanding) -> list[Honour]:
    """The certificates of a season with this standing, for those who have a place. One query."""
    rows = [row for row in standing.table.rows if row.rank is not None]
    members = Member.objects.in_bulk([int(row.player_id) for row in rows])
    placed = [
        _Placed(
            row.rank or 0,
            _name(members, int(row.player_id), standing.names[row.player_id]),
            _figure(standing, row.value),
            row.pits,
        )
        for row in rows
    ]
    return list(_honours(club, placed))


def _honours(club: Club, placed: Sequence[_Placed]) -> Iterator[Honour]:
    words = {1: _("Winner"), 2: _("Second place"), 3: _("Third place")}
    for person in placed:
        if person.rank in words:
            yield Honour(person.name, words[person.rank], person.figure)
    most = max((person.pits for person in placed), default=0)
    for person in placed:
        if person.pits == most > 0:
            what = _("Most often %(pit)s") % {"pit": pit_word(club)}
            yield Honour(person.name, what, _("%(n)s times") % {"n": most})
    last = max((person.rank for person in placed), default=0)
    for person in placed:
        if person.rank == last > max(words):
            yield Honour(person.name, _("Booby prize"), person.figure)


def _figure(standing: PaperStanding, value: float | Decimal) -> str:
    if standing.counted:
        return _("%(n)s times") % {"n": value}
    points = _points(value, standing.decimals)
    return _("on average %(points)s") % {"points": points} if standing.decimals else points


def _points(total: float | Decimal, decimals: int | None = None) -> str:
    return _("%(n)s points") % {"n": number(total, decimals)}


def _name(members: dict[int, Member], pk: int, otherwise: str) -> str:
    return members[pk].name if pk in members else otherwise
