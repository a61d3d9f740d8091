"""What standings are made from: rounds, evenings and encounters, and how a mean is rounded; and a
season's rule with the table it makes, and what is needed to explain every line."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

Points = int | Decimal
Absence = Literal["notice", "none"]
Waits = Literal["fill", "leave", "nothing"]

_CENT = Decimal("0.01")


class Percentage(Decimal):
    """A figure of a standing that is said in percent, not in points."""


def mean(points: int, weight: int) -> Decimal:
    """Two decimals, half up (away from zero); 0 if there is nothing to divide by."""
    return (Decimal(points) / (weight or 1)).quantize(_CENT, rounding=ROUND_HALF_UP)


def whole_mean(figures: Collection[int]) -> int:
    """The mean as a whole number, half up (away from zero); 0 for no figures.

    >>> whole_mean([80, 81]), whole_mean([82, 83])
    (81, 83)
    """
    exact = Decimal(sum(figures)) / (len(figures) or 1)
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def longest_streak(turns: Iterable[tuple[int, bool]]) -> dict[int, int]:
    """The longest run of each person: `turns` has in order of time who had one, and whether it
    went well.

    >>> longest_streak([(1, True), (2, True), (1, True), (1, False), (1, True), (2, False)])
    {1: 2, 2: 1}
    """
    longest: dict[int, int] = {}
    now: dict[int, int] = {}
    for person, went_well in turns:
        now[person] = now.get(person, 0) + 1 if went_well else 0
        longest[person] = max(longest.get(person, 0), now[person])
    return longest


@dataclass(frozen=True, slots=True)
class Encounter:
    """The points of a player and of one opponent in the rounds of an evening in which they played
    against each other. Only the head-to-head tie-break needs these."""

    opponent_id: str
    scored: int
    conceded: int


def points_ahead(encounters: Iterable[Encounter]) -> Counter[str]:
    """By how many points a player was ahead of each opponent, by the opponent's id."""
    ahead: Counter[str] = Counter()
    for encounter in encounters:
        ahead[encounter.opponent_id] += encounter.scored - encounter.conceded
    return ahead


@dataclass(slots=True)
class RoundScore:
    """A player's score in one round, including roem and bonuses.

    `roem` is the part of the score that is roem; `pits` counts the pits and counter-pits of the
    player's side, None where either is not known; `nats` the deals in which that side went nat.
    `played` is false for the fixed
    score of a round that the player sat out or missed. `waits` is set while that score is still to
    be worked out from those of others. Treat it as immutable; it is not frozen for
    the same reason as `EveningResult`.
    """

    round: int
    score: int
    pits: int | None = 0
    roem: int | None = 0
    nats: int = 0
    played: bool = True
    waits: Waits | None = None


def settle_waiting(scores: MutableMapping[int, dict[int, RoundScore]]) -> None:
    """Work out the rounds that wait for the scores of others, by person and round number.

    A round that counts for nothing is taken out, and with it who has nothing else. Who sat out gets
    what brings them to the lowest total of the evening, and nothing if they have that already; who
    left halfway ends on that total, whatever they had. The lowest total is that of the people who
    have the most rounds of their own.

    >>> two = {1: RoundScore(1, 1400), 2: RoundScore(2, 0, played=False, waits="leave")}
    >>> scores = {7: two, 8: {1: RoundScore(1, 1500), 2: RoundScore(2, 1600)}}
    >>> settle_waiting(scores)
    >>> scores[7][2].score
    1700
    """
    waiting: dict[int, list[RoundScore]] = {}
    own: dict[int, tuple[int, int]] = {}
    for person, by_round in list(scores.items()):
        for number in [at for at, score in by_round.items() if score.waits == "nothing"]:
            del by_round[number]
            if not by_round:
                del scores[person]
        known = [score.score for score in by_round.values() if score.waits is None]
        own[person] = len(known), sum(known)
        if len(known) < len(by_round):
            waiting[person] = [score for score in by_round.values() if score.waits]
    most = max((rounds for rounds, _total in own.values()), default=0)
    lowest = min((total for rounds, total in own.values() if rounds == most), default=0)
    for person, rounds in waiting.items():
        short = lowest - own[person][1]
        if all(score.waits == "fill" for score in rounds):
            short = max(short, 0)
        each, rest = divmod(short, len(rounds))
        for score in rounds:
            last = score is rounds[-1]
            given = each + rest if last else each
            scores[person][score.round] = replace(score, score=given, waits=None)


class Running(NamedTuple):
    """What a player has so far in a round that is being played: `points` from `deals` deals that
    count, `of` so many; `of` is None where points end the round. `pits` as far as known."""

    points: int
    deals: int
    of: int | None
    pits: int = 0


def together(running: Iterable[Running]) -> Running | None:
    """What a player has in all rounds that are being played; None if they play in none."""
    rounds = list(running)
    if not rounds:
        return None
    lengths = [score.of for score in rounds if score.of is not None]
    return Running(
        sum(score.points for score in rounds),
        sum(score.deals for score in rounds),
        sum(lengths) if len(lengths) == len(rounds) else None,
        sum(score.pits for score in rounds),
    )


class EveningEntry(NamedTuple):
    """A player's evening, round by round or only as a whole: the input of an evening's standing.

    `whole`, if given, is the total; `pits` and `roem` are those known for the evening as a whole
    and are added to those of the rounds. `last_round` is the player's score in the last round of
    the evening, `None` if they did not play it. `encounters` are needed only for head to head.
    `lot` is what the player's lot is drawn from, by default their id: partners who stay together
    share one. `correction` is what the director gave or took off for the evening as a whole.
    """

    player_id: str
    name: str
    rounds: Sequence[RoundScore] = ()
    whole: int | None = None
    pits: int = 0
    roem: int = 0
    last_round: int | None = None
    encounters: Sequence[Encounter] = ()
    lot: str = ""
    correction: int = 0

    @property
    def total(self) -> int:
        """The points of the evening, the correction included; 0 before the first round."""
        if self.whole is not None:
            return self.whole + self.correction
        return sum(score.score for score in self.rounds) + self.correction

    @property
    def all_pits(self) -> int:
        """The pits of the rounds, as far as known, plus those of the evening as a whole."""
        return self.pits + sum(score.pits or 0 for score in self.rounds)

    @property
    def all_roem(self) -> int | None:
        """The roem of the rounds plus what is known for the evening as a whole; `None` if that of a
        round is not known."""
        roem = self.roem
        for score in self.rounds:
            if score.roem is None:
                return None
            roem += score.roem
        return roem

    @property
    def nats(self) -> int:
        """How often the player's side went nat."""
        return sum(score.nats for score in self.rounds)

    @property
    def best_round(self) -> int | None:
        """The highest round the player played; `None` if no round is known."""
        return max((score.score for score in self.rounds if score.played), default=None)


@dataclass(slots=True)
class EveningResult:
    """A player's result on one evening, or how they were absent: the input of a season's standing.

    `evening` is the key by which standings and rules name the evening: the `date`, which is the
    default, or `2026-09-05-2` for the second one that day. Keys sort in order of time. `boompjes`
    counts the rounds played, 1 for an evening known only as a whole. `best_round` is the highest
    round and `last_round` the evening's last one, `None` if the player did not play it or rounds
    are not known; `roem` is `None` unless that of every round is known. `absence` is read only if
    there is no score; without either, nothing is known yet. `correction` is what the director gave
    the player, or took off, for the season as a whole; each result of theirs has the same.

    Treat it as immutable. It is not frozen because a large season has 12,000 of them and freezing
    would take longer than everything else that is done with them.

    Raises `ValueError` for less than one boompje.
    """

    player_id: str
    name: str
    date: date
    score: int | None
    evening: str = ""
    boompjes: int = 1
    pits: int = 0
    roem: int | None = 0
    nats: int = 0
    best_round: int | None = None
    last_round: int | None = None
    absence: Absence | None = None
    encounters: tuple[Encounter, ...] = ()
    correction: int = 0

    def __post_init__(self) -> None:
        if self.boompjes < 1:
            raise ValueError(f"an evening has at least one boompje, not {self.boompjes}")
        if not self.evening:
            self.evening = self.date.isoformat()


Aggregate = Literal["sum", "mean_per_evening", "mean_per_round"]
Period = tuple[date, date]

Ranks = Literal["player", "pair", "team"]

AGGREGATES: tuple[Aggregate, ...] = ("sum", "mean_per_evening", "mean_per_round")
RANKS: tuple[Ranks, ...] = ("player", "pair", "team")


@dataclass(frozen=True, slots=True)
class AbsenceRule:
    """What an evening is worth to a player recorded as absent.

    With notice: nothing (`None`), a fixed score, or the lowest score of that evening; it can be
    dropped like any score. Without notice: `without_notice`, which cannot be dropped unless
    `may_be_dropped`.
    """

    with_notice: int | Literal["lowest"] | None = None
    without_notice: int = 0
    may_be_dropped: bool = False


@dataclass(frozen=True, slots=True)
class CountingRule:
    """How a season's standing is made; by default every evening counts and scores are added up.

    `periods` include both ends and do not overlap; without any, the season is one period.
    `best_per_period` and `best_periods` are `None` if nothing is dropped. `excluded` has the keys
    of evenings that play no part. `tie_breaks` are tried in order; players who are still tied share
    a place. `rank_by` is the metric that decides the places, if that is not the aggregate of the
    evenings that count; pits, roem and nats are then those of the evenings that count, and under a
    mean their mean. `ranks` is who is in the standing; of a team `team_best` members count, or the
    sum of its pairs.
    """

    periods: tuple[Period, ...] = ()
    best_per_period: int | None = None
    best_periods: int | None = None
    aggregate: Aggregate = "sum"
    minimum_evenings: int = 0
    excluded: tuple[str, ...] = ()
    absence: AbsenceRule = field(default_factory=AbsenceRule)
    tie_breaks: tuple[str, ...] = ()
    rank_by: str | None = None
    ranks: Ranks = "player"
    team_best: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether every evening counts and the score is their sum."""
        chosen = self.periods or self.best_per_period or self.best_periods
        return not chosen and self.aggregate == "sum"

    def as_json(self) -> Mapping[str, object]:
        """The rule as `parse_season_rule` reads it, every key written out but `may_be_dropped`,
        which is there only where it is true."""
        periods = [[start.isoformat(), end.isoformat()] for start, end in self.periods]
        return {
            "periods": periods or None,
            "best_per_period": self.best_per_period,
            "best_periods": self.best_periods,
            "aggregate": self.aggregate,
            "minimum_evenings": self.minimum_evenings,
            "excluded": list(self.excluded),
            "absence": {
                "with_notice": self.absence.with_notice,
                "without_notice": self.absence.without_notice,
                **({"may_be_dropped": True} if self.absence.may_be_dropped else {}),
            },
            "tie_breaks": list(self.tie_breaks),
            "rank_by": self.rank_by,
            "ranks": self.ranks,
            "team": {"best": self.team_best},
        }


class SeasonCell(NamedTuple):
    """One evening of one player.

    `score` is what they scored, `None` if absent; `value` is what the evening is worth to the
    season: the score, or what the rule gives for the absence, `None` if it gives nothing.
    `dropped` means that there is a value and it does not count. `figure` is what the place goes by
    where that is such as pits or roem, `None` if it is not known.
    """

    score: int | None
    value: int | None
    dropped: bool
    absence: Absence | None
    figure: int | None = None


class PeriodScore(NamedTuple):
    """A player's score in one period: the points of the evenings that count in it.

    `span` is `None` if the whole season is the period. `weight` is what a mean divides by,
    evenings or boompjes. `counts` is whether the period itself is among the best.
    """

    span: Period | None
    evenings: tuple[str, ...]
    points: int
    weight: int
    counts: bool


class SeasonRow(NamedTuple):
    """A line of the season's standing.

    `total` is the plain sum of the scores of all evenings that are not excluded; `counted` the sum
    of what counts, absences included. `counting` is the number of evenings that count (boompjes
    under `mean_per_round`); `counted` divided by it is `average`, with two decimals, half up, and
    0 if nothing counts. `evenings` counts those attended.

    `value` is what decides the place: `counted`, `average` or the rule's own metric (0 if that is
    not known of the player; `by` if evenings count for it). `correction` is part of `total` and of
    `counted`. `gap` is how far it is from the leader's. `rank` and `gap` are `None`
    for a player who came too seldom for a place.

    `pits`, `roem`, `nats`, `best_round`, `last_round` (the best of them), `best_evening` and
    `boompjes` are over all evenings that are not excluded. `by_evening` has no entry for an evening
    without a result. `tie_breaks` has the figures that were compared because of a tie, in order.
    """

    rank: int | None
    player_id: str
    name: str
    total: int
    counted: int
    counting: int
    evenings: int
    average: Decimal
    value: Points
    gap: Points | None
    pits: int
    roem: int | None
    nats: int
    best_round: int | None
    last_round: int | None
    best_evening: int | None
    boompjes: int
    by_evening: Mapping[str, SeasonCell]
    periods: tuple[PeriodScore, ...]
    tie_breaks: Mapping[str, Points | None]
    by: Points | None = None
    correction: int = 0


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The standing of a season: its rule, the keys of the evenings that are not excluded, and the
    rows by place, those without a place last."""

    rule: CountingRule
    evenings: tuple[str, ...]
    rows: tuple[SeasonRow, ...]
