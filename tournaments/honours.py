"""The people who get a certificate: the first three, those with the most pits, and the last."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.words import number
from scoring.words import pit_word
from tournaments.pdf.certificates import Honour
from tournaments.pdf.season import PaperStanding
from tournaments.published import PublicRow


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
