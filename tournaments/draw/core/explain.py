"""The figures behind a draw, lower bounds on its repeats, and a summary in English."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import comb
from typing import Literal

from tournaments.draw.core.models import (
    BLOCK_LENGTH,
    TABLE_SIZE,
    Couple,
    Draw,
    Method,
    Movement,
    PastEvening,
    Player,
    RoundDraw,
    ordered,
)

RepeatReason = Literal["too_few_others", "too_few_tables", "fixed_couples"]


@dataclass(frozen=True)
class LeastRepeats:
    """A lower bound on repeats; `reason` is None if it is zero."""

    repeats: int = 0
    reason: RepeatReason | None = None


def least_repeats(
    players: Collection[Player],
    rounds: Sequence[RoundDraw],
    fixed: Sequence[Couple] = (),
    *,
    block: int = 1,
) -> tuple[LeastRepeats, LeastRepeats]:
    """The repeats of partners and of meetings that no draw of these rounds can avoid.

    Someone who plays more rounds than there are others repeats a partner, and repeats a meeting
    after sitting with more people than there are others. With fewer tables than people at one of
    them, two of these sat together in the previous round, unless someone sat out then. A block of
    rounds at the same tables is one meeting.
    """
    others = len(players) - 1
    partners: Counter[Player] = Counter()
    mates: Counter[Player] = Counter()
    for number, drawn in enumerate(rounds):
        for table in drawn.tables:
            partners.update(player for couple in table.partners() for player in couple)
            if number % block == 0:
                mates.update({player: len(table.seats) - 1 for player in table.seats.values()})
    counted = LeastRepeats(_beyond(partners, others), "too_few_others")
    bound = LeastRepeats(_of_fixed(rounds, fixed), "fixed_couples")
    met = LeastRepeats(_beyond(mates, others), "too_few_others")
    mixed = LeastRepeats(_of_few_tables(rounds[::block]), "too_few_tables")
    return _most(bound, counted), _most(met, mixed, bound if block == 1 else LeastRepeats())


def _most(*bounds: LeastRepeats) -> LeastRepeats:
    most = max(bounds, key=lambda bound: bound.repeats)
    return most if most.repeats else LeastRepeats()


def _beyond(times: Counter[Player], others: int) -> int:
    return (sum(max(0, count - others) for count in times.values()) + 1) // 2


def _of_fixed(rounds: Sequence[RoundDraw], fixed: Sequence[Couple]) -> int:
    together = Counter(
        couple
        for drawn in rounds
        for table in drawn.tables
        for couple in fixed
        if table.people().issuperset(couple)
    )
    return together.total() - len(together)


def _of_few_tables(rounds: Sequence[RoundDraw]) -> int:
    return sum(_met_just_before(before, now) for before, now in pairwise(rounds))


def _met_just_before(before: RoundDraw, now: RoundDraw) -> int:
    """A lower bound on the couples of a round who also met in the previous one.

    People who were at no table then are placed where they save most: at the fullest tables.
    """
    at_tables = {player for table in before.tables for player in table.people()}
    came = [len(table.seats) for table in now.tables]
    for _ in {player for table in now.tables for player in table.people()} - at_tables:
        came[came.index(max(came))] -= 1
    return sum(_couples_of_same(people, len(before.tables)) for people in came)


def _couples_of_same(people: int, tables: int) -> int:
    """The couples from the same table when people come from tables as evenly as possible.

    >>> _couples_of_same(4, 3), _couples_of_same(4, 2), _couples_of_same(4, 4)
    (1, 2, 0)
    """
    each, more = divmod(people, tables)
    return tables * comb(each, 2) + more * each


@dataclass(frozen=True)
class DrawExplanation:
    """The figures of a draw. `players` includes those who sit out.

    `least_partner_repeats` and `least_meeting_repeats` are lower bounds with their reasons.
    `partners_again` and `met_again` are the couples together more than once, with how often.
    `ignored` are people in the history who are absent. `movement` and `team_meetings` are those of
    the draw.
    """

    method: Method
    seed: int
    rounds: int
    players: int
    tables: int
    out_per_round: int
    partner_repeats: int
    meeting_repeats: int
    threes: int = 0
    least_partner_repeats: LeastRepeats = field(default_factory=LeastRepeats)
    least_meeting_repeats: LeastRepeats = field(default_factory=LeastRepeats)
    steps: int = 0
    partners_again: Mapping[Couple, int] = field(default_factory=dict)
    met_again: Mapping[Couple, int] = field(default_factory=dict)
    ignored: tuple[Player, ...] = ()
    movement: Movement | None = None
    team_meetings: int | None = None


@dataclass(frozen=True)
class TimesTogether:
    """How often two people were partners, and opponents at one table."""

    partners: int = 0
    opponents: int = 0


def explain_draw(
    draw: Draw,
    *,
    fixed: Sequence[Couple] = (),
    history: Sequence[PastEvening] = (),
    played: Sequence[RoundDraw] = (),
) -> DrawExplanation:
    """The figures of a draw with at least one round, all with the same number of tables."""
    first = draw.rounds[0]
    at_tables = {player for table in first.tables for player in table.people()}
    players = at_tables.union(first.sit_out)
    evening = (*played, *draw.rounds)
    block = BLOCK_LENGTH if draw.method == "rotation" else 1
    partners, meetings = least_repeats(players, evening, fixed, block=block)
    return DrawExplanation(
        method=draw.method,
        seed=draw.seed,
        rounds=len(draw.rounds),
        players=len(players),
        tables=len(first.tables),
        out_per_round=len(first.sit_out),
        partner_repeats=draw.partner_repeats,
        meeting_repeats=draw.meeting_repeats,
        threes=sum(len(table.seats) < TABLE_SIZE for table in first.tables),
        least_partner_repeats=partners,
        least_meeting_repeats=meetings,
        steps=draw.steps,
        partners_again=_again(
            couple for drawn in evening for table in drawn.tables for couple in table.partners()
        ),
        met_again=_again(
            ordered(*couple)
            for drawn in evening[::block]
            for table in drawn.tables
            for couple in combinations(table.people(), 2)
        ),
        ignored=tuple(sorted({player for past in history for player in past.people()} - players)),
        movement=draw.movement,
        team_meetings=draw.team_meetings,
    )


def season_pair_counts(
    players: Iterable[Player], history: Sequence[PastEvening]
) -> dict[Player, dict[Player, TimesTogether]]:
    """For each player, how often they played with and against each other player this season.

    Sorted by name; people they never met are left out.
    """
    here = sorted(players)
    known = frozenset(here)
    partners = _times(couple for past in history for couple in past.partners)
    opponents = _times(couple for past in history for couple in past.opponents)
    met: dict[Player, dict[Player, TimesTogether]] = {player: {} for player in here}
    for couple in sorted(partners.keys() | opponents.keys()):
        if known.issuperset(couple):
            player, other = couple
            together = TimesTogether(partners[couple], opponents[couple])
            met[player][other] = met[other][player] = together
    return met


def _times(couples: Iterable[Couple]) -> Counter[Couple]:
    return Counter(ordered(*couple) for couple in couples)


def _again(couples: Iterable[Couple]) -> dict[Couple, int]:
    times = Counter(couples)
    return {couple: times[couple] for couple in sorted(times) if times[couple] > 1}


NAMED = 5

REASON_TEXTS: Mapping[str | None, str] = {
    "too_few_others": "people play more often than there are others",
    "too_few_tables": "with so few tables people of one table meet again at the next",
    "fixed_couples": "fixed couples stay together",
}


MOVEMENT_TEXTS: Mapping[Movement, str] = {
    "howell": "Howell: all pairs but one move, everybody meets everybody before anybody twice",
    "lot": "pairs drawn by lot",
    "by_standing": "pairs by standing, first against second, third against fourth",
}


def explanation_text(figures: DrawExplanation) -> str:
    """What was drawn, what repeats and why, who is together again, and the search steps."""
    return "; ".join(_parts(figures)) + "."


def _parts(figures: DrawExplanation) -> Iterator[str]:
    yield f"{figures.players} players at {_count(figures.tables, 'table')}" + (
        f", {figures.threes} of three" if figures.threes else ""
    )
    if figures.out_per_round:
        yield f"{figures.out_per_round} sitting out each round"
    if figures.movement and figures.movement != "even_stay":
        yield MOVEMENT_TEXTS[figures.movement]
    if figures.team_meetings is not None:
        yield (
            f"teammates meet at {_count(figures.team_meetings, 'table')}"
            if figures.team_meetings
            else "no teammates meet"
        )
    yield from _repeats(
        "of partners",
        figures.partner_repeats,
        figures.least_partner_repeats,
        figures.partners_again,
    )
    yield from _repeats(
        "at a table", figures.meeting_repeats, figures.least_meeting_repeats, figures.met_again
    )
    if figures.steps:
        yield f"{figures.steps} exchanges tried"
    if figures.ignored:
        yield f"ignored, because they are not playing: {', '.join(figures.ignored)}"


def _repeats(
    kind: str, repeats: int, least: LeastRepeats, again: Mapping[Couple, int]
) -> Iterator[str]:
    if not repeats:
        yield f"no repeats {kind}"
        return
    because = ""
    if least.reason:
        because = f": fewer than {least.repeats} is impossible, {REASON_TEXTS[least.reason]}"
    yield f"{_count(repeats, 'repeat')} {kind}{because}"
    named = [f"{' and '.join(couple)} ({times} times)" for couple, times in again.items()]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    yield f"together again {kind}: {', '.join(named[:NAMED])}{more}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
