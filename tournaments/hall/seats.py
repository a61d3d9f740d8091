"""Who sits where, as people look themselves up: surname first, in lettered columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from clubs.text.names import sort_key, surname_first
from tournaments.models import Round
from tournaments.results.views.seating import Seated

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Somebody in the list of who sits where, sorted by `key`; without a table they sit out."""

    id: int
    name: str
    key: str
    table: int | None


@dataclass(frozen=True, slots=True)
class SeatColumn:
    """A column of that list, with the letters it begins and ends with."""

    first: str
    last: str
    lines: Sequence[SeatLine]


def seat_lines(round_: Round) -> list[SeatLine]:
    """Everybody of a round and their table, surname first, as they look themselves up. Who was
    replaced is left out. One query."""
    placements = list(
        round_.placements.select_related("member", "table").order_by("table__number", "pk")
    )
    seated = Seated(placements)
    lines = [
        SeatLine(
            placement.pk,
            surname_first(placement.member.shown_name),
            sort_key(placement.member.shown_name),
            placement.table.number if placement.table else None,
        )
        for placement in placements
        if seated.holder(placement) == placement
    ]
    return sorted(lines, key=lambda line: (line.key, line.table or 0))


def seat_columns(lines: Sequence[SeatLine], most: int) -> list[SeatColumn]:
    """The list in columns of at most so many lines. The letters of one column never overlap those
    of the next: as many as it takes to tell the last name of one from the first of the next."""
    parts = in_parts(lines, most)
    ends = [_told_apart(one[-1], two[0]) for one, two in pairwise(parts)]
    firsts = [lines[0].name[:1] if lines else "", *(first for _last, first in ends)]
    lasts = [*(last for last, _first in ends), lines[-1].name[:1] if lines else ""]
    return [
        SeatColumn(first, last, part)
        for first, last, part in zip(firsts, lasts, parts, strict=False)
    ]


def _told_apart(last: SeatLine, first: SeatLine) -> tuple[str, str]:
    """The first letters of two neighbours, as many as make them differ."""
    longest = max(len(last.key), len(first.key))
    length = next((n for n in range(1, longest) if last.key[:n] != first.key[:n]), longest)
    return last.name[:length].strip(" ,"), first.name[:length].strip(" ,")


def in_parts(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """The items in parts of at most so many."""
    return [items[at : at + most] for at in range(0, len(items), most)]
