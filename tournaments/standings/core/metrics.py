"""What people can be compared by: each a figure of an evening, of a season, or of both."""

from typing import ClassVar

from tournaments.standings.core.entries import EveningEntry
from tournaments.standings.core.figures import MetricKey, Points, mean
from tournaments.standings.core.table import SeasonRow

METRICS: dict[MetricKey, "Metric"] = {}
"""Every metric by its key; a subclass of `Metric` is in it by being written."""


class Metric:
    """One figure. Most often more is better; what is not known is `None` and comes last."""

    key: ClassVar[MetricKey]
    lowest_is_best: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        METRICS[cls.key] = cls()

    def of_entry(self, entry: EveningEntry) -> Points | None:
        """The figure of one evening; `None` where it is not known or an evening has no such."""
        return None

    def of_row(self, row: SeasonRow) -> Points | None:
        """The figure of a season; `None` where it is not known or a season has no such."""
        return None

    def order(self, figure: Points | None) -> tuple[bool, Points]:
        """A sort key, best first."""
        if figure is None:
            return True, 0
        return False, figure if self.lowest_is_best else -figure


class Total(Metric):
    """The plain sum."""

    key = "total"

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.total

    def of_row(self, row: SeasonRow) -> Points:
        return row.total


class Counted(Metric):
    """The sum of what counts in a season."""

    key = "counted"

    def of_row(self, row: SeasonRow) -> Points:
        return row.counted


class Average(Metric):
    """The average of what counts in a season, per evening or per boompje as its rule has it."""

    key = "average"

    def of_row(self, row: SeasonRow) -> Points:
        return row.average


class MeanPerEvening(Metric):
    """The average of all evenings that were played, dropped ones too."""

    key = "mean_per_evening"

    def of_row(self, row: SeasonRow) -> Points:
        return mean(row.total, row.evenings)


class MeanPerRound(Metric):
    """The average of all boompjes, also those of dropped evenings."""

    key = "mean_per_round"

    def of_entry(self, entry: EveningEntry) -> Points:
        return mean(entry.total, len({played.round for played in entry.rounds}))

    def of_row(self, row: SeasonRow) -> Points:
        return mean(row.total, row.boompjes)


class Pits(Metric):
    """Pits and tegenpits of one's side."""

    key = "pits"

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.all_pits

    def of_row(self, row: SeasonRow) -> Points:
        return row.pits


class Roem(Metric):
    """Roem in one's scores."""

    key = "roem"

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.all_roem

    def of_row(self, row: SeasonRow) -> Points:
        return row.roem


class Nats(Metric):
    """How often one's side went nat, the most of it first."""

    key: ClassVar[MetricKey] = "nats"

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.nats

    def of_row(self, row: SeasonRow) -> Points:
        return row.nats


class FewestNats(Nats):
    """How often one's side went nat, the least of it first."""

    key = "fewest_nats"
    lowest_is_best = True


class BestRound(Metric):
    """The highest boompje."""

    key = "best_round"

    def of_entry(self, entry: EveningEntry) -> Points | None:
        return entry.best_round

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.best_round


class LastRound(Metric):
    """The best last round of an evening."""

    key = "last_round"

    def of_entry(self, entry: EveningEntry) -> Points | None:
        return entry.last_round

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.last_round


class BestEvening(Metric):
    """The highest evening of a season."""

    key = "best_evening"

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.best_evening


class Evenings(Metric):
    """How many evenings somebody came."""

    key = "evenings"

    def of_row(self, row: SeasonRow) -> Points:
        return row.evenings


class Gap(Metric):
    """How far somebody is behind the leader; known only once there are places."""

    key = "gap"
    lowest_is_best = True

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.gap
