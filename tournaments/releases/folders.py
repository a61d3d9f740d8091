"""What an evening of folders came to, in the form in which a release keeps it: the places of its
pairs, and by folder what every table made of it.

It holds numbers of pairs and no names: those are of the people in the standings of the release.
How it is worked out is of a higher package, which answers the signal.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple, cast

from django.dispatch import Signal
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.merges.services import people_today
from clubs.models import Member
from clubs.text.numbers import number
from tournaments.evenings.pages import public_name
from tournaments.models import Competitor, Evening, Registration, Release
from tournaments.standings.core.places import shared_places

Json = Mapping[str, Any]
Answers = Iterable[tuple[object, dict[str, Any]]]
TEAM = Competitor.Kind.TEAM
PERCENT: Final = 2
"""The decimals of a percentage."""

folder_results_wanted: Final = Signal()
"""Sent with the `evening`, of folders, to be answered with its results as a release keeps them."""

LINE_WORDS: Mapping[str | None, Promise] = {
    "NS": gettext_lazy("North-South"),
    "EW": gettext_lazy("East-West"),
    None: gettext_lazy("Everybody"),
}


@dataclass(frozen=True, slots=True)
class NamedPair:
    """A pair of the evening: its number, its people in order, and the team it plays for, at the
    desk and as the public reads it."""

    number: int
    people: tuple[Member, ...] = ()
    team: str = ""
    public_team: str = ""

    def names(self, name: Callable[[Member], str]) -> str:
        """Its people by name."""
        return " – ".join(name(member) for member in self.people)


class FolderLine(NamedTuple):
    """A place on an evening of folders: in which line (None where pairs sat both ways), of one pair
    or of those of a team, and what it is by: a percentage, else points. `figure` is the `value`
    with two decimals."""

    line: str | None
    place: int
    pairs: tuple[NamedPair, ...]
    figure: Decimal
    value: Fraction
    is_percentage: bool
    played: int

    @property
    def words(self) -> str:
        """The figure with the reader's decimal sign."""
        return f"{number(self.figure, PERCENT)}%" if self.is_percentage else number(self.figure)

    @property
    def public(self) -> str:
        """Whose place it is, as everybody may read it."""
        return self.pairs[0].public_team or self._people(lambda member: member.shown_name)

    @property
    def full(self) -> str:
        """Whose place it is, as the desk knows it."""
        return self.pairs[0].team or self._people(lambda member: member.desk_name)

    def _people(self, name: Callable[[Member], str]) -> str:
        return ", ".join(pair.names(name) or str(pair.number) for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class FolderMove:
    """A pair or team whose place in its line or figure a release changed, before and after; `None`
    where it had none."""

    name: str
    old_rank: int | None
    rank: int | None
    old_figure: str
    figure: str

    @property
    def is_up_or_down(self) -> bool:
        """Whether the place changed, not only the figure."""
        return self.old_rank != self.rank


def folders_now(evening: Evening) -> dict[str, Any] | None:
    """What the folders of an evening came to so far; None of an evening without."""
    if not evening.plays_folders:
        return None
    answers = cast("Answers", folder_results_wanted.send(sender=Evening, evening=evening))
    return next((results for _receiver, results in answers), None)


def folder_lines(release: Release) -> list[FolderLine]:
    """The places of an evening of folders in this release; none of another evening."""
    if release.folders is None:
        return []
    return [*lines_of(release.folders, pairs_published(release))]


def folder_lines_now(evening: Evening) -> list[FolderLine]:
    """The same as they are now, whether or not the public may see them."""
    results = folders_now(evening)
    if results is None:
        return []
    return [*lines_of(results, pairs_of_each([evening]).get(evening.pk, {}))]


def folder_lines_public(evening: Evening) -> list[FolderLine]:
    """The same as the public sees them: as published once the evening is closed, live while it is
    played; none while points are hidden."""
    release = evening.releases.first() if evening.state == Evening.State.CLOSED else None
    if release is not None:
        return folder_lines(release)
    return folder_lines_now(evening) if evening.shows_scores else []


def lines_of(results: Json, pairs: Mapping[int, NamedPair]) -> Iterator[FolderLine]:
    """The places in these results of these pairs."""
    for line in results["lines"]:
        for row in line["places"]:
            percentage = row["percentage"]
            yield FolderLine(
                line=line["line"],
                place=row["place"],
                pairs=tuple(pairs.get(pair, NamedPair(pair)) for pair in row["pairs"]),
                figure=Decimal(row["shown"] if percentage is None else percentage),
                value=Fraction(row["points"] if percentage is None else percentage),
                is_percentage=percentage is not None,
                played=row["folders"],
            )


def placed_together(lines: Iterable[FolderLine]) -> list[tuple[int, FolderLine]]:
    """The places of both lines in one, the best first, as prizes are given."""
    ordered = sorted(lines, key=lambda line: (-line.value, line.pairs[0].number))
    equal = [[*same] for _value, same in groupby(ordered, key=attrgetter("value"))]
    return [(place, line) for place, group in shared_places(equal) for line in group]


def pairs_published(release: Release) -> dict[int, NamedPair]:
    """By number the pairs in a release, with the names that their people have today; somebody who
    was deleted has the one of then. Two queries, and two where they play for teams."""
    members = people_today(row["member"] for row in release.standings)
    called = _teams_published(release)
    people: dict[int, list[Member]] = defaultdict(list)
    teams: dict[int, tuple[str, str]] = {}
    for row in release.standings:
        if row.get("pair"):
            pair = row["pair"]["number"]
            people[pair].append(members.get(row["member"]) or _gone(row))
            teams.setdefault(pair, called.get(row.get("team"), ("", "")))
    return {
        pair: NamedPair(pair, tuple(sorted(own, key=_by_surname)), *teams[pair])
        for pair, own in people.items()
    }


def _teams_published(release: Release) -> dict[str | None, tuple[str, str]]:
    """By UUID what the desk and the public call the teams in a release: as today where they are
    there."""
    lines = [line for line in release.competitors or () if line["kind"] == TEAM]
    if not lines:
        return {}
    known = Competitor.objects.filter(uuid__in=[line["competitor"] for line in lines])
    names = {
        str(team.uuid): (team.name, public_name(team))
        for team in known.prefetch_related("people__member")
    }
    return {
        line["competitor"]: names.get(line["competitor"], (line["name"], line["shown_name"]))
        for line in lines
    }


def _gone(row: Json) -> Member:
    """Somebody of whom only a release tells: without a page."""
    return Member(name=row["shown_name"], erased_at=timezone.now())


def _by_surname(member: Member) -> tuple[str, int]:
    return member.sort_name, member.pk or 0


def pairs_of_each(evenings: Collection[Evening]) -> dict[int, dict[int, NamedPair]]:
    """By evening the pairs as they are now by number, with their people by surname. One query, and
    two more where they play for teams."""
    rows = Registration.objects.filter(evening__in=evenings, pair__isnull=False)
    people: dict[int, dict[int, list[Registration]]] = defaultdict(lambda: defaultdict(list))
    rows = rows.select_related("member", "team").prefetch_related("team__people__member")
    for row in rows.order_by("pair", "member__sort_name", "pk"):
        people[row.evening_id][row.pair or 0].append(row)
    return {
        evening_id: {
            number: NamedPair(
                number,
                tuple(row.member for row in of_pair),
                next((row.team.name for row in of_pair if row.team), ""),
                next((public_name(row.team) for row in of_pair if row.team), ""),
            )
            for number, of_pair in pairs.items()
        }
        for evening_id, pairs in people.items()
    }


def boards_words(boards: Sequence[int]) -> str:
    """Folders that follow each other: `5–8`; others one by one.

    >>> boards_words([5, 6, 7, 8]), boards_words([3])
    ('5–8', '3')
    """
    if len(boards) > 1 and boards[-1] - boards[0] == len(boards) - 1:
        return f"{boards[0]}–{boards[-1]}"
    return ", ".join(map(str, boards))


def folder_moves(
    release: Release, before: Json | None, after: Json | None, *, public: bool = True
) -> list[FolderMove]:
    """Who has another place or figure `after` than `before`, in order of place, with the names of
    the pairs in this release and of the evening as it is; full names if not `public`."""
    if before is None or after is None:
        return []
    evening = release.evening
    pairs = pairs_of_each([evening]).get(evening.pk, {}) | pairs_published(release)
    old, new = (
        {_whose(line): line for line in lines_of(results, pairs)} for results in (before, after)
    )
    return [
        _move(old.get(key), new.get(key), public=public)
        for key in [*new, *(key for key in old if key not in new)]
        if _place(old.get(key)) != _place(new.get(key))
    ]


def _whose(line: FolderLine) -> Sequence[int]:
    return tuple(pair.number for pair in line.pairs)


def _place(line: FolderLine | None) -> tuple[int, Decimal] | None:
    return None if line is None else (line.place, line.figure)


def _move(old: FolderLine | None, new: FolderLine | None, *, public: bool) -> FolderMove:
    known = cast("FolderLine", new or old)
    return FolderMove(
        name=known.public if public else known.full,
        old_rank=old and old.place,
        rank=new and new.place,
        old_figure=old.words if old else "",
        figure=new.words if new else "",
    )
