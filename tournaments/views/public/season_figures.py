"""The columns of a season's standing: what the place goes by first, then the usual figures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.words import number
from tournaments.metric_words import metric_words
from tournaments.standings.core import Points, SeasonRow, SeasonRule

_FIGURES: Mapping[str, Callable[[SeasonRow], Points | None]] = {
    "counted": lambda row: row.counted,
    "gap": lambda row: row.gap,
    "total": lambda row: row.total,
    "average": lambda row: row.average,
    "evenings": lambda row: row.evenings,
    "pits": lambda row: row.pits,
    "value": lambda row: row.value,
}
_USUAL = ("counted", "gap", "total", "average", "evenings", "pits")


@dataclass(frozen=True, slots=True)
class Figures:
    """The columns of a standing, the one that places go by first."""

    keys: Sequence[str]
    headings: Sequence[str]

    def of(self, row: SeasonRow) -> list[str]:
        """A player's figures as they are written."""
        return [figure_words(_FIGURES[key](row)) for key in self.keys]


def figures_of(rule: SeasonRule, pit: str) -> Figures:
    """The columns that a standing by this rule has; `pit` is the club's word for that."""
    by = rule.rank_by or ("counted" if rule.aggregate == "sum" else "average")
    first = by if by in _USUAL else "value"
    keys = [first, *(key for key in _USUAL if key != first)]
    headings = {**_headings(pit), "value": capfirst(metric_words(by, pit))}
    return Figures(keys, [headings[key] for key in keys])


def figure_words(figure: Points | None) -> str:
    """A figure as people write it; averages with two decimals."""
    return number(figure, 2 if isinstance(figure, Decimal) else None)


def _headings(pit: str) -> dict[str, str]:
    return {
        "counted": _("Counts"),
        "gap": _("Behind"),
        "total": _("Plain sum"),
        "average": _("Average"),
        "evenings": _("Evenings"),
        "pits": capfirst(pit),
    }
