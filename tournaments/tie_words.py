"""How ties were broken, in sentences with the figures."""

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
    """A sentence for each tie-break that decided between equal totals, for the first ties only."""
    groups = (list(group) for _total, group in groupby(rows, key=lambda row: row.total))
    ties = [group for group in groups if len(group) > 1][:MOST_TIES]
    return [sentence for tied in ties for sentence in _steps(club, tied)]


def _steps(club: Club, tied: Sequence[PublicRow], tried: int = 0) -> Iterator[str]:
    """`tied` are players whom the first `tried` tie-breaks left equal."""
    chain = [*tied[0].tie_breaks]
    if len(tied) == 1 or tried == len(chain):
        return
    key = chain[tried]
    parts = [list(part) for _, part in groupby(tied, key=lambda row: row.tie_breaks[key])]
    if len(parts) > 1:
        yield _("Tied on %(points)s points; decided by %(what)s: %(figures)s.") % {
            "points": number(tied[0].total),
            "what": metric_words(key, pit_word(club)),
            "figures": ", ".join(_figure(row, key) for row in tied),
        }
    for part in parts:
        yield from _steps(club, part, tried + 1)


def _figure(row: PublicRow, key: str) -> str:
    figure = row.tie_breaks[key]
    if key == LOT or figure is None:
        return row.name
    return f"{row.name} {number(figure)}"
