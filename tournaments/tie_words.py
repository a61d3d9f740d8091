"""What was looked at where people had equal totals, in words with their figures."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.words import number
from scoring.words import pit_word
from tournaments.metric_words import metric_words
from tournaments.published import PublicRow

MOST_TIES = 10
LOT = "lot"


def tie_lines(club: Club, rows: Sequence[PublicRow]) -> list[str]:
    """A sentence for each thing that parted people of equal totals, from the top of these
    standings; of the first ties only."""
    equals = (list(group) for _total, group in groupby(rows, key=lambda row: row.total))
    ties = [group for group in equals if len(group) > 1][:MOST_TIES]
    return [line for group in ties for line in _steps(club, group)]


def _steps(club: Club, equal: Sequence[PublicRow], looked_at: int = 0) -> Iterator[str]:
    """`equal` are those whom the first `looked_at` things did not part."""
    chain = [*equal[0].tie_breaks]
    if len(equal) == 1 or looked_at == len(chain):
        return
    key = chain[looked_at]
    parts = [list(part) for _, part in groupby(equal, key=lambda row: row.tie_breaks[key])]
    if len(parts) > 1:
        yield _("Tied on %(points)s points; decided by %(what)s: %(figures)s.") % {
            "points": number(equal[0].total),
            "what": metric_words(key, pit_word(club)),
            "figures": ", ".join(_figure(row, key) for row in equal),
        }
    for part in parts:
        yield from _steps(club, part, looked_at + 1)


def _figure(row: PublicRow, key: str) -> str:
    figure = row.tie_breaks[key]
    if key == LOT or figure is None:
        return row.name
    return f"{row.name} {number(figure)}"
