"""Breaking ties, by measures that are tried in the order the rule names them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby

from tournaments.ranking.order import name_order
from tournaments.ranking.rule import TieBreak
from tournaments.ranking.table import SeasonRow


@dataclass(slots=True)
class Contender:
    """A line that wants a place, with what only ties ask for.

    `against` is by how many points he was ahead of each opponent in the rounds they sat against
    each other, and `lot` what his lot is drawn from. `measured` fills up with what was looked at.
    """

    row: SeasonRow
    against: Mapping[str, int]
    lot: str
    measured: dict[str, int | None] = field(default_factory=dict)


Measure = Callable[[Contender, Sequence[Contender]], int | None]


def _head_to_head(contender: Contender, tied: Sequence[Contender]) -> int:
    """Points ahead of those he is tied with, in the rounds they sat against each other."""
    return sum(contender.against.get(other.row.player_id, 0) for other in tied)


def _lot(contender: Contender, _: Sequence[Contender]) -> int:
    return int.from_bytes(sha256(contender.lot.encode()).digest()[:4])


MEASURES: Mapping[TieBreak, Measure] = {
    "pits": lambda contender, _: contender.row.pits,
    "best_round": lambda contender, _: contender.row.best_round,
    "fewest_nats": lambda contender, _: -contender.row.nats,
    "head_to_head": _head_to_head,
    "lot": _lot,
}
"""For each tie-break its figure, the higher the better; `None`, for not known, is lowest."""


def in_order(
    contenders: Sequence[Contender], tie_breaks: Sequence[TieBreak]
) -> Iterator[Sequence[Contender]]:
    """Groups that share a place, best first, by name within a group."""
    ordered = sorted(contenders, key=lambda one: -one.row.value)
    for _, equals in groupby(ordered, key=lambda one: one.row.value):
        yield from _break(list(equals), tie_breaks)


def _break(
    tied: Sequence[Contender], tie_breaks: Sequence[TieBreak]
) -> Iterator[Sequence[Contender]]:
    if len(tied) == 1 or not tie_breaks:
        yield sorted(tied, key=lambda one: name_order(one.row))
        return
    name, *rest = tie_breaks
    for contender in tied:
        contender.measured[name] = MEASURES[name](contender, tied)

    def rank(contender: Contender) -> tuple[bool, int]:
        figure = contender.measured[name]
        return figure is None, -(figure or 0)

    for _, equals in groupby(sorted(tied, key=rank), key=rank):
        yield from _break(list(equals), rest)
