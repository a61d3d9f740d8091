"""What came of the folders: who played which one, what it was worth, and the places."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Folder
from tournaments.draw.problem import pairs_here
from tournaments.duplicate.core.scoring import (
    Board,
    BoardResult,
    BoardWorth,
    Comparison,
    Line,
    PairWorth,
    score_boards,
)
from tournaments.evenings.public_pages import public_name
from tournaments.models import (
    DuplicateEvening,
    Evening,
    FolderPlay,
    Registration,
    Round,
)
from tournaments.registration.pairs import movement_numbers
from tournaments.seating.store import UpcomingRound, upcoming_rounds

ROUND = "deal__sheet__table__round__number"
TABLE = "deal__sheet__table__number"


@dataclass(frozen=True, slots=True)
class PlayingPair:
    """A pair that is here: its number on the evening, its two people, and the team it plays for."""

    number: int
    people: tuple[Member, Member]
    team: int | None = None


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


@dataclass(frozen=True, slots=True)
class TableResult:
    """A folder at one table: who played it where, what is written of it, and what that is worth.

    `score` has the points of both lines, None as long as nothing that counts is written.
    `worth` and `percent` are those of each line, None before they are known; `ruled` are the
    percentages that the director gave, with the reasons.
    """

    folder: int
    round: int
    table: int
    deal_id: int
    number: int
    sides: Mapping[Line, int]
    plays: Mapping[Line, int]
    written: Mapping[str, Any] | None = None
    score: tuple[int, int] | None = None
    nat: bool = False
    pit: str | None = None
    ruled: Mapping[Line, tuple[int, str]] = field(default_factory=dict)
    has_started: bool = False
    is_over: bool = False
    worth: Mapping[Line, Fraction] = field(default_factory=dict)
    top: int = 0

    @property
    def counts(self) -> bool:
        """Whether it is compared: written, ruled, or never played in a round that is over."""
        return self.score is not None or bool(self.ruled) or self.is_over

    def percent(self, line: Line) -> Decimal | None:
        """What the line got of the top, in percent; None where there is no top or nothing yet."""
        if line not in self.worth or not self.top:
            return None
        part = 100 * self.worth[line] / self.top
        exact = Decimal(part.numerator) / Decimal(part.denominator)
        return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pair, or a team, with its place in its line."""

    place: int
    worth: PairWorth
    pairs: tuple[NamedPair, ...]
    played: int

    @property
    def key(self) -> int:
        """The number of the pair, or the first of a team."""
        return self.pairs[0].number


@dataclass(frozen=True, slots=True)
class LineRanking:
    """The places of all who sat in one line; `line` is None where pairs sat both ways."""

    line: Line | None
    rows: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class DuplicateResults:
    """Everything there is to show of the folders of an evening."""

    duplicate: DuplicateEvening
    pairs: Mapping[int, NamedPair]
    folders: Mapping[int, Folder]
    tables: Sequence[TableResult]

    @property
    def of_folder(self) -> dict[int, list[TableResult]]:
        """By folder, the tables that played it."""
        found: dict[int, list[TableResult]] = defaultdict(list)
        for result in self.tables:
            found[result.folder].append(result)
        return dict(found)

    def of_pair(self, number: int) -> list[TableResult]:
        """The folders of a pair in the order of play."""
        return [result for result in self.tables if number in result.sides.values()]

    @property
    def ranking(self) -> list[LineRanking]:
        """The places by line, pairs with more folders still to come included."""
        boards = _boards(self.duplicate, [result for result in self.tables if result.counts])
        _worth, rows = _scored(self.duplicate, boards)
        played: dict[str, int] = defaultdict(int)
        for board in boards:
            for key in {key for result in board.results for key in (result.ns, result.ew)}:
                played[key] += 1
        lines: dict[Line | None, list[Ranked]] = {}
        for row in rows:
            ranked = lines.setdefault(row.line, [])
            equal = bool(ranked) and value_of(ranked[-1].worth) == value_of(row)
            place = ranked[-1].place if equal else len(ranked) + 1
            ranked.append(Ranked(place, row, self._people(row.pair), played[row.pair]))
        return [LineRanking(line, tuple(rows)) for line, rows in lines.items()]

    def _people(self, key: str) -> tuple[NamedPair, ...]:
        numbers = [int(key)]
        if self.duplicate.kind == DuplicateEvening.Kind.TEAMS:
            numbers = [pair for pair in self.duplicate.pairs if _key(self.duplicate, pair) == key]
        return tuple(self.pairs.get(number, NamedPair(number)) for number in numbers)


def duplicate_results(evening: Evening, duplicate: DuplicateEvening) -> DuplicateResults:
    """The folders of this evening with everything written of them. Three queries, and two more
    where pairs play for teams."""
    return results_of([evening], {evening.pk: duplicate})[evening.pk]


def results_of(
    evenings: Collection[Evening], duplicates: Mapping[int, DuplicateEvening]
) -> dict[int, DuplicateResults]:
    """The same of several evenings, by id. Three queries, however many there are."""
    packs = [evening.uuid for evening in evenings]
    plays = (
        FolderPlay.objects.filter(folder__pack__in=packs)
        .exclude(deal__sheet__table__round__state=Round.State.DRAFT)
        .select_related("folder", "deal__current", "deal__sheet__table__round")
        .order_by(ROUND, TABLE, "deal__number", "-line")
    )
    by_deal: dict[UUID, dict[int, list[FolderPlay]]] = defaultdict(lambda: defaultdict(list))
    for play in plays:
        by_deal[play.folder.pack][play.deal_id].append(play)
    folders: dict[UUID, dict[int, Folder]] = defaultdict(dict)
    for folder in Folder.objects.filter(pack__in=packs):
        folders[folder.pack][folder.number] = folder
    pairs = _pairs_named(evenings)
    return {
        evening.pk: DuplicateResults(
            duplicates[evening.pk],
            pairs.get(evening.pk, {}),
            folders[evening.uuid],
            _valued(
                duplicates[evening.pk],
                [_table_result(two) for two in by_deal[evening.uuid].values()],
            ),
        )
        for evening in evenings
    }


def pairs_named(evening: Evening) -> dict[int, NamedPair]:
    """The pairs of the evening by number, with their people by surname. One query, and two more
    where they play for teams."""
    return _pairs_named([evening]).get(evening.pk, {})


def _pairs_named(evenings: Collection[Evening]) -> dict[int, dict[int, NamedPair]]:
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


def _table_result(plays: Sequence[FolderPlay]) -> TableResult:
    first = plays[0]
    entry, table = first.deal.current, first.deal.sheet.table
    counted = entry is not None and entry.result is not None and not entry.replayed
    result = entry.result if counted and entry is not None else None
    score = result["score"] if result else None
    return TableResult(
        folder=first.folder.number,
        round=table.round.number,
        table=table.number,
        deal_id=first.deal_id,
        number=first.deal.number,
        sides={cast("Line", play.line): play.pair for play in plays},
        plays={cast("Line", play.line): play.pk for play in plays},
        written=entry.written if counted and entry is not None else None,
        score=(score["NS"], score["EW"]) if score else None,
        nat=bool(result and result["nat"]),
        pit=result["pit"] if result else None,
        ruled={
            cast("Line", play.line): (play.percent, play.reason)
            for play in plays
            if play.percent is not None
        },
        has_started=table.round.state in (Round.State.RUNNING, Round.State.CLOSED),
        is_over=table.round.state == Round.State.CLOSED,
    )


def _valued(duplicate: DuplicateEvening, tables: Sequence[TableResult]) -> list[TableResult]:
    """The same with what each was worth."""
    counted = [result for result in tables if result.counts]
    boards = _boards(duplicate, counted)
    worth, _pairs = _scored(duplicate, boards)
    by_folder: Mapping[int, tuple[Board, BoardWorth]] = {
        board.number: (board, value) for board, value in zip(boards, worth, strict=True)
    }
    return [
        _with_worth(duplicate, result, *by_folder[result.folder]) if result.counts else result
        for result in tables
    ]


def _with_worth(
    duplicate: DuplicateEvening, result: TableResult, board: Board, worth: BoardWorth
) -> TableResult:
    ns, ew = (_key(duplicate, result.sides[line]) for line in ("NS", "EW"))
    values: dict[Line, Fraction] = {"NS": worth.ns[ns], "EW": worth.ew[ew]}
    top = board.top if duplicate.compare == DuplicateEvening.Comparison.MATCHPOINTS else 0
    return replace(result, worth=values, top=top)


def _boards(duplicate: DuplicateEvening, results: Iterable[TableResult]) -> list[Board]:
    by_folder: dict[int, list[BoardResult]] = defaultdict(list)
    for result in results:
        keys = {line: _key(duplicate, pair) for line, pair in result.sides.items()}
        by_folder[result.folder].append(
            BoardResult(
                ns=keys["NS"],
                ew=keys["EW"],
                points=result.score,
                adjusted={keys[line]: percent for line, (percent, _why) in result.ruled.items()},
            )
        )
    return [Board(number, tuple(found)) for number, found in sorted(by_folder.items())]


def _scored(
    duplicate: DuplicateEvening, boards: Sequence[Board]
) -> tuple[list[BoardWorth], list[PairWorth]]:
    return score_boards(boards, cast("Comparison", duplicate.compare), net=duplicate.net)


def _key(duplicate: DuplicateEvening, pair: int) -> str:
    """Who is compared: the pair, or where teams play its team, by the number of its first pair."""
    if duplicate.kind != DuplicateEvening.Kind.TEAMS or pair not in duplicate.pairs:
        return str(pair)
    place = duplicate.pairs.index(pair)
    return str(duplicate.pairs[place - place % 2])


def value_of(row: PairWorth) -> Fraction | Decimal:
    """What a pair or team has its place by."""
    return row.points if row.percentage is None else row.percentage


def duplicate_of(evening: Evening) -> DuplicateEvening:
    """What was decided about the folders of this evening; not saved if nothing was. One query."""
    known = DuplicateEvening.objects.filter(evening=evening).first()
    return known or DuplicateEvening(evening=evening)


def playing_pairs(evening: Evening) -> list[PlayingPair]:
    """The pairs of which both are here, by number. Raises DomainError `pairs_incomplete`."""
    pairs_here(evening)
    people: dict[int, list[tuple[Member, int | None]]] = {}
    rows = evening.registrations.filter(present=True, pair__isnull=False)
    for row in rows.select_related("member").order_by("pair", "member__sort_name", "pk"):
        people.setdefault(row.pair or 0, []).append((row.member, row.team_id))
    return [
        PlayingPair(number, (one, two), team if team == other else None)
        for number, ((one, team), (two, other)) in people.items()
    ]


@dataclass(frozen=True, slots=True)
class LatePlace:
    """Where a pair that comes late can play in the `rounds` that have not started, by number: in
    place of the pair that `left`, else where one sits out."""

    rounds: Mapping[int, UpcomingRound]
    left: int | None = None


def late_place(evening: Evening, duplicate: DuplicateEvening) -> LatePlace | None:
    """Where a late pair can play; None if nobody left or sits out, or where teams play. At most
    four queries."""
    rounds = upcoming_rounds(evening)
    if not rounds or not duplicate.pairs or duplicate.kind == DuplicateEvening.Kind.TEAMS:
        return None
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    named = pairs_named(evening)
    for number in duplicate.pairs:
        two = {member.pk for member in named.get(number, NamedPair(number)).people}
        # Where substitutes have their seats, the pair plays on.
        seated = all({*map(str, two)} <= {*round_.people} for round_ in rounds.values())
        if len(two) == 2 and two.isdisjoint(here) and seated:
            return LatePlace(rounds, number)
    return LatePlace(rounds) if len(duplicate.pairs) % 2 else None


def without_place(evening: Evening) -> QuerySet[Member]:
    """The people who are here and have no place in the movement, by surname. At most three
    queries before it."""
    rows = evening.registrations.filter(present=True).exclude(pair__in=movement_numbers(evening))
    return Member.objects.filter(pk__in=rows.values("member")).order_by("sort_name", "pk")


def pairs_in_order(evening: Evening, duplicate: DuplicateEvening) -> list[PlayingPair]:
    """The pairs that are here as the movement counts them: by number, and two of one team together
    where teams play. Raises DomainError `pairs_incomplete` or `movement_teams`."""
    pairs = playing_pairs(evening)
    if duplicate.kind != DuplicateEvening.Kind.TEAMS:
        return pairs
    of_teams: dict[int | None, list[PlayingPair]] = {}
    for pair in pairs:
        of_teams.setdefault(pair.team, []).append(pair)
    if any(len(two) % 2 for two in of_teams.values()):
        raise DomainError(
            "movement_teams",
            _("A team is two pairs: say under “Pairs” for which team each pair plays."),
        )
    return [pair for two in of_teams.values() for pair in two]
