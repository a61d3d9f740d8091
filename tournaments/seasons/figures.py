"""The columns of a season's standing: what decides the place first, then the usual figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.text import capfirst

from clubs.text.numbers import number
from tournaments.standings.core import COLUMNS, METRICS, CountingRule, Points, SeasonRow
from tournaments.standings.texts import metric_heading, metric_words

VALUE = "value"
"""The column of what decides the place, if that has no column of its own."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The columns of a standing, the one that decides the place first."""

    keys: Sequence[str]
    headings: Sequence[str]

    def of(self, row: SeasonRow) -> list[str]:
        """A player's figures as they are written."""
        return [figure_words(_figure(key, row)) for key in self.keys]


def figures_of(rule: CountingRule, pit: str) -> Figures:
    """The columns of a standing by this rule; `pit` is the club's word for a pit."""
    by = rule.rank_by or ("counted" if rule.aggregate == "sum" else "average")
    first = by if by in COLUMNS else VALUE
    others = [key for key in COLUMNS if key != first]
    heading = metric_words(by, pit) if first == VALUE else metric_heading(first, pit)
    headings = [heading, *(metric_heading(key, pit) for key in others)]
    return Figures([first, *others], [capfirst(text) for text in headings])


def figure_words(figure: Points | None) -> str:
    """A figure as people write it; averages have two decimals."""
    return number(figure, 2 if isinstance(figure, Decimal) else None)


def _figure(key: str, row: SeasonRow) -> Points | None:
    return row.value if key == VALUE else METRICS[key].of_row(row)
