"""A season's rule and the table it makes, with what is needed to explain every line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from tournaments.standings.core.results import Absence, Points

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


@dataclass(frozen=True, slots=True)
class PeriodScore:
    """A player's score in one period: the points of the evenings that count in it.

    `span` is `None` if the whole season is the period. `weight` is what a mean divides by,
    evenings or boompjes. `counts` is whether the period itself is among the best.
    """

    span: Period | None
    evenings: tuple[str, ...]
    points: int
    weight: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
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
