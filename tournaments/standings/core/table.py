"""A season's standing, with what is needed to say why somebody stands where he does."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from tournaments.standings.core.figures import Points, TieBreak
from tournaments.standings.core.results import Absence
from tournaments.standings.core.rule import Period, SeasonRule


class SeasonCell(NamedTuple):
    """One evening of one player.

    `score` is what he played, `None` when absent; `value` what the evening is worth to the
    season: the score, what the rule gives for the absence, or `None` where it gives nothing.
    `dropped` means that there is a value and it does not count.
    """

    score: int | None
    value: int | None
    dropped: bool
    absence: Absence | None


@dataclass(frozen=True, slots=True)
class PeriodScore:
    """What one period came to for one player: the points of the evenings that count in it.

    `span` is `None` where the whole season is the period. `weight` is what a mean divides by,
    evenings or boompjes. `counts` is whether the period itself is among the best.
    """

    span: Period | None
    evenings: tuple[str, ...]
    points: int
    weight: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A line of the standing.

    `total` is the plain sum of the scores of all evenings that are not excluded; `counted` the sum
    of what counts, absences included; `counting` by how many evenings (boompjes under
    `mean_per_round`) that is divided for `average`, which has two decimals, half up, and is 0
    where nothing counts. `evenings` counts those attended. `value` is what the place goes by,
    `counted` or `average` or the rule's own metric, and `gap` how far that is from the leader's.
    Under a metric that is not known of somebody his `value` is 0. `rank` and `gap` are
    `None` for who came too seldom for a place. `pits`, `roem`, `nats` and `best_round` are over
    all evenings not excluded, and so are `boompjes`, `last_round` (the best of the last rounds) and
    `best_evening`. `by_evening` has no entry for an evening without a result.
    `tie_breaks` holds the figures that were looked at because of a tie, in order.
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
    roem: int
    nats: int
    best_round: int | None
    last_round: int | None
    best_evening: int | None
    boompjes: int
    by_evening: Mapping[str, SeasonCell]
    periods: tuple[PeriodScore, ...]
    tie_breaks: Mapping[TieBreak, Points | None]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The standing: its rule, the evenings that are not excluded in order, and the rows in order
    of place, those without a place last."""

    rule: SeasonRule
    evenings: tuple[str, ...]
    rows: tuple[SeasonRow, ...]
