"""Breaking ties, by measures that are tried in the order the rule names them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Generic, TypeVar

from tournaments.standings.core.figures import MetricKey, Points, TieBreak
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.order import Named, name_order
from tournaments.standings.core.results import Encounter, points_ahead

Line = TypeVar("Line", bound=Named)


@dataclass(slots=True)
class Contender(Generic[Line]):
    """A line that wants a place, with what only ties ask for.

    `standing` is what the place goes by, the highest first. `figure` gives the figure of a metric,
    `encounters` are the rounds he sat against others, and `lot` is what his lot is drawn from.
    `measured` fills up with what was looked at.
    """

    line: Line
    standing: tuple[Points, ...]
    figure: Callable[[MetricKey], Points | None]
    encounters: Iterable[Encounter]
    lot: str
    measured: dict[TieBreak, Points | None] = field(default_factory=dict)


def in_order(
    contenders: Sequence[Contender[Line]], tie_breaks: Sequence[TieBreak]
) -> Iterator[Sequence[Contender[Line]]]:
    """Groups that share a place, best first, by name within a group."""
    ordered = sorted(contenders, key=lambda one: one.standing, reverse=True)
    for _, equals in groupby(ordered, key=lambda one: one.standing):
        tied = list(equals)
        if len(tied) == 1:
            yield tied
        else:
            yield from _break(tied, tie_breaks)


def _break(
    tied: Sequence[Contender[Line]], tie_breaks: Sequence[TieBreak]
) -> Iterator[Sequence[Contender[Line]]]:
    if len(tied) == 1 or not tie_breaks:
        yield sorted(tied, key=lambda one: name_order(one.line))
        return
    name, *rest = tie_breaks
    for contender in tied:
        contender.measured[name] = _measure(name, contender, tied)

    def rank(contender: Contender[Line]) -> tuple[bool, Points]:
        return _order(name, contender.measured[name])

    for _, equals in groupby(sorted(tied, key=rank), key=rank):
        yield from _break(list(equals), rest)


def _measure(
    name: TieBreak, contender: Contender[Line], tied: Sequence[Contender[Line]]
) -> Points | None:
    if name == "head_to_head":
        ahead = points_ahead(contender.encounters)
        return sum(ahead.get(other.line.player_id, 0) for other in tied)
    if name == "lot":
        return int.from_bytes(sha256(contender.lot.encode()).digest()[:4])
    return contender.figure(name)


def _order(name: TieBreak, figure: Points | None) -> tuple[bool, Points]:
    match name:
        case "head_to_head" | "lot":
            return figure is None, -(figure or 0)
    return METRICS[name].order(figure)
