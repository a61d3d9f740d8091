"""The season's formula: the best k of each period, over the best K of the periods."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, get_args

from tournaments.standings.core.figures import MetricKey, TieBreak

Aggregate = Literal["sum", "mean_per_evening", "mean_per_round"]
Period = tuple[date, date]

AGGREGATES: tuple[Aggregate, ...] = ("sum", "mean_per_evening", "mean_per_round")
RANK_BY: tuple[MetricKey, ...] = tuple(key for key in get_args(MetricKey) if key != "gap")
TIE_BREAKS: tuple[TieBreak, ...] = (
    "pits",
    "best_round",
    "fewest_nats",
    "head_to_head",
    "lot",
    "roem",
    "last_round",
    "best_evening",
    "evenings",
    "total",
    "counted",
    "average",
    "mean_per_evening",
    "mean_per_round",
)
EVENING_TIE_BREAKS: tuple[TieBreak, ...] = (
    "pits",
    "best_round",
    "fewest_nats",
    "roem",
    "last_round",
    "head_to_head",
    "lot",
)


@dataclass(frozen=True, slots=True)
class AbsenceRule:
    """What an evening is worth to somebody recorded as absent.

    With notice: nothing (`None`), a fixed score, or the lowest score of that evening; it may be
    dropped like any score. Without notice: `without_notice`, which may not be dropped.
    """

    with_notice: int | Literal["lowest"] | None = None
    without_notice: int = 0


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """One way to make a season's standing; by default everything counts and is added up.

    `periods` include both ends and do not overlap; without any the season is one period.
    `best_per_period` and `best_periods` are `None` where nothing is dropped. `excluded` names
    evenings by their key: the date, with `-2` for the second one that day. `tie_breaks` are tried
    in order; what they leave tied shares its place. `rank_by` is the metric that places go by,
    where that is not what the aggregate makes of the evenings that count.
    """

    periods: tuple[Period, ...] = ()
    best_per_period: int | None = None
    best_periods: int | None = None
    aggregate: Aggregate = "sum"
    minimum_evenings: int = 0
    excluded: tuple[str, ...] = ()
    absence: AbsenceRule = field(default_factory=AbsenceRule)
    tie_breaks: tuple[TieBreak, ...] = ()
    rank_by: MetricKey | None = None

    def as_json(self) -> Mapping[str, object]:
        """The rule as `parse_season_rule` reads it, every key written out."""
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
            },
            "tie_breaks": list(self.tie_breaks),
            "rank_by": self.rank_by,
        }
