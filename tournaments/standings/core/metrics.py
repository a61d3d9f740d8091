"""The metrics that players can be compared by, and what each of them is offered for.

A subclass of `Measure` registers itself. Its key, its words and its uses stand in the class; forms,
the JSON of a season rule, side prizes and the API take their choices from the lists at the end of
this module. Standard library only: whoever shows a text translates it.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import ClassVar

from tournaments.standings.core.results import EveningEntry, EveningResult, Points, SeasonRow, mean


class Use(Enum):
    """What a measure can be offered for."""

    EVENING_TIE_BREAK = auto()
    SEASON_TIE_BREAK = auto()
    EVENING_PRIZE = auto()
    SEASON_PRIZE = auto()
    RANK = auto()
    COLUMN = auto()


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogue, under the name that `makemessages` looks for."""
    return text


class Measure:
    """Something that can decide between players who are tied.

    `words` go inside a sentence, such as "the best round", and `%(pit)s` in any text is the club's
    word for a pit. `uses` says for what the measure is offered, with its position in that list.
    """

    key: ClassVar[str]
    words: ClassVar[str]
    uses: ClassVar[Mapping[Use, int]] = {}

    def __init_subclass__(cls) -> None:
        if "key" in vars(cls):
            MEASURES[cls.key] = cls()


class Metric(Measure):
    """A figure of an evening, of a season, or of both; more is better unless `lowest_is_best`.

    `prize` is the title of the side prize and `heading` that of the column, if it is offered as
    one. `is_count` is for figures that are a number of times rather than points, `follows_points`
    for those that the points of one more evening change, and `of_what_counts` for those that add up
    over evenings: a season that goes by one of these has it of the evenings that count only.
    """

    prize: ClassVar[str] = ""
    heading: ClassVar[str] = ""
    lowest_is_best: ClassVar[bool] = False
    is_count: ClassVar[bool] = False
    follows_points: ClassVar[bool] = False
    of_what_counts: ClassVar[bool] = False

    def of_result(self, result: EveningResult) -> int | None:
        """The figure of one evening of a season, if it is `of_what_counts`."""
        return None

    def of_entry(self, entry: EveningEntry) -> Points | None:
        """The figure of one evening; `None` if it is not known or evenings have no such figure."""
        return None

    def of_row(self, row: SeasonRow) -> Points | None:
        """The figure of a season; `None` if it is not known or seasons have no such figure."""
        return None

    def order(self, figure: Points | None) -> tuple[bool, Points]:
        """A sort key, best first; unknown figures come last."""
        if figure is None:
            return True, 0
        return False, figure if self.lowest_is_best else -figure


MEASURES: dict[str, Measure] = {}
"""Every measure by its key."""


class Total(Metric):
    """The plain sum."""

    key = "total"
    words = gettext_noop("the plain sum")
    heading = gettext_noop("Plain sum")
    uses = {Use.RANK: 1, Use.SEASON_TIE_BREAK: 10, Use.COLUMN: 3}
    follows_points = True

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.total

    def of_row(self, row: SeasonRow) -> Points:
        return row.total


class Counted(Metric):
    """The sum of what counts in a season."""

    key = "counted"
    words = gettext_noop("the sum of what counts")
    heading = gettext_noop("Counts")
    uses = {Use.RANK: 2, Use.SEASON_TIE_BREAK: 11, Use.COLUMN: 1}
    follows_points = True

    def of_row(self, row: SeasonRow) -> Points:
        return row.counted


class Average(Metric):
    """The average of what counts in a season, per evening or per boompje as its rule says."""

    key = "average"
    words = gettext_noop("the average of what counts")
    heading = gettext_noop("Average")
    uses = {Use.RANK: 3, Use.SEASON_TIE_BREAK: 12, Use.COLUMN: 4}
    follows_points = True

    def of_row(self, row: SeasonRow) -> Points:
        return row.average


class MeanPerEvening(Metric):
    """The average of all evenings played, including dropped ones."""

    key = "mean_per_evening"
    words = gettext_noop("the average of all evenings")
    uses = {Use.RANK: 4, Use.SEASON_TIE_BREAK: 13}
    follows_points = True

    def of_row(self, row: SeasonRow) -> Points:
        return mean(row.total, row.evenings)


class MeanPerRound(Metric):
    """The average of all boompjes, including those of dropped evenings."""

    key = "mean_per_round"
    words = gettext_noop("the average of all rounds")
    uses = {Use.RANK: 5, Use.SEASON_TIE_BREAK: 14}
    follows_points = True

    def of_entry(self, entry: EveningEntry) -> Points:
        return mean(entry.total, len({score.round for score in entry.rounds}))

    def of_row(self, row: SeasonRow) -> Points:
        return mean(row.total, row.boompjes)


class Pits(Metric):
    """Pits and counter-pits of the player's side."""

    key = "pits"
    words = gettext_noop("most often %(pit)s")
    prize = gettext_noop("Most often %(pit)s")
    heading = "%(pit)s"
    uses = {
        Use.RANK: 6,
        Use.SEASON_TIE_BREAK: 1,
        Use.EVENING_TIE_BREAK: 1,
        Use.SEASON_PRIZE: 1,
        Use.EVENING_PRIZE: 1,
        Use.COLUMN: 6,
    }
    is_count = True
    of_what_counts = True

    def of_result(self, result: EveningResult) -> int:
        return result.pits

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.all_pits

    def of_row(self, row: SeasonRow) -> Points:
        return row.pits


class Roem(Metric):
    """Roem in the player's scores."""

    key = "roem"
    words = gettext_noop("the most roem")
    prize = gettext_noop("Most roem")
    uses = {
        Use.RANK: 7,
        Use.SEASON_TIE_BREAK: 6,
        Use.EVENING_TIE_BREAK: 4,
        Use.SEASON_PRIZE: 2,
        Use.EVENING_PRIZE: 2,
    }
    of_what_counts = True

    def of_result(self, result: EveningResult) -> int | None:
        return result.roem

    def of_entry(self, entry: EveningEntry) -> Points | None:
        return entry.all_roem

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.roem


class Nats(Metric):
    """How often the player's side went nat, most often first."""

    key = "nats"
    words = gettext_noop("most often nat")
    prize = gettext_noop("Most often nat")
    uses = {Use.RANK: 8, Use.SEASON_PRIZE: 3, Use.EVENING_PRIZE: 5}
    is_count = True
    of_what_counts = True

    def of_result(self, result: EveningResult) -> int:
        return result.nats

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.nats

    def of_row(self, row: SeasonRow) -> Points:
        return row.nats


class FewestNats(Metric):
    """How often the player's side went nat, least often first."""

    key = "fewest_nats"
    words = gettext_noop("fewest times nat")
    uses = {Use.RANK: 9, Use.SEASON_TIE_BREAK: 3, Use.EVENING_TIE_BREAK: 3}
    lowest_is_best = True
    of_what_counts = True

    def of_result(self, result: EveningResult) -> int:
        return result.nats

    def of_entry(self, entry: EveningEntry) -> Points:
        return entry.nats

    def of_row(self, row: SeasonRow) -> Points:
        return row.nats


class BestRound(Metric):
    """The highest boompje."""

    key = "best_round"
    words = gettext_noop("the best round")
    prize = gettext_noop("Highest round")
    uses = {
        Use.RANK: 10,
        Use.SEASON_TIE_BREAK: 2,
        Use.EVENING_TIE_BREAK: 2,
        Use.SEASON_PRIZE: 5,
        Use.EVENING_PRIZE: 4,
    }

    def of_entry(self, entry: EveningEntry) -> Points | None:
        return entry.best_round

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.best_round


class LastRound(Metric):
    """The score in an evening's last round; of a season, the best of them."""

    key = "last_round"
    words = gettext_noop("the best last round")
    prize = gettext_noop("Best last round")
    uses = {
        Use.RANK: 11,
        Use.SEASON_TIE_BREAK: 7,
        Use.EVENING_TIE_BREAK: 5,
        Use.SEASON_PRIZE: 4,
        Use.EVENING_PRIZE: 3,
    }

    def of_entry(self, entry: EveningEntry) -> Points | None:
        return entry.last_round

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.last_round


class BestEvening(Metric):
    """The highest evening of a season."""

    key = "best_evening"
    words = gettext_noop("the best evening")
    prize = gettext_noop("Highest evening")
    uses = {Use.RANK: 12, Use.SEASON_TIE_BREAK: 8, Use.SEASON_PRIZE: 6}
    follows_points = True

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.best_evening


class EveningsPlayed(Metric):
    """How many evenings the player came."""

    key = "evenings"
    words = gettext_noop("the most evenings")
    prize = gettext_noop("Most evenings")
    heading = gettext_noop("Evenings")
    uses = {Use.RANK: 13, Use.SEASON_TIE_BREAK: 9, Use.SEASON_PRIZE: 7, Use.COLUMN: 5}
    is_count = True

    def of_row(self, row: SeasonRow) -> Points:
        return row.evenings


class Gap(Metric):
    """How far a player is behind the leader; known only once there are places."""

    key = "gap"
    heading = gettext_noop("Behind")
    uses = {Use.COLUMN: 2}
    lowest_is_best = True

    def of_row(self, row: SeasonRow) -> Points | None:
        return row.gap


class HeadToHead(Measure):
    """By how many points a player was ahead of those they are tied with, in their encounters."""

    key = "head_to_head"
    words = gettext_noop("what they scored against each other")
    uses = {Use.SEASON_TIE_BREAK: 4, Use.EVENING_TIE_BREAK: 6}


class Lot(Measure):
    """A lot, the same one however often it is looked at."""

    key = "lot"
    words = gettext_noop("the lot")
    uses = {Use.SEASON_TIE_BREAK: 5, Use.EVENING_TIE_BREAK: 7}


def _offered(use: Use) -> tuple[str, ...]:
    keys = [key for key, measure in MEASURES.items() if use in measure.uses]
    return tuple(sorted(keys, key=lambda key: MEASURES[key].uses[use]))


METRICS: Mapping[str, Metric] = {
    key: measure for key, measure in MEASURES.items() if isinstance(measure, Metric)
}
EVENING_TIE_BREAKS = _offered(Use.EVENING_TIE_BREAK)
SEASON_TIE_BREAKS = _offered(Use.SEASON_TIE_BREAK)
EVENING_PRIZES = _offered(Use.EVENING_PRIZE)
SEASON_PRIZES = _offered(Use.SEASON_PRIZE)
RANK_BY = _offered(Use.RANK)
COLUMNS = _offered(Use.COLUMN)
BY_POINTS: tuple[str | None, ...] = (
    None,
    *(key for key, metric in METRICS.items() if metric.follows_points),
)
"""The values of a rule's `rank_by` under which the points of one more evening matter."""
