"""Standings of an evening in the shape that `components/standings.html` draws."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tournaments.published import PublicRow


class StandingLine(NamedTuple):
    """A line; `rounds` has a score, or None, for each round that there is a column for."""

    id: int
    rank: int
    name: str
    total: int
    url: str
    rounds: Sequence[int | None]
    pits: int


def round_numbers(rows: Sequence[PublicRow]) -> list[int]:
    """The rounds of which anybody has a score, in order."""
    return sorted({number for row in rows for number in row.rounds})


def standing_lines(
    rows: Sequence[PublicRow], url_of: Callable[[int], str] | None = None
) -> list[StandingLine]:
    """The lines; who has a page of his own is linked to what `url_of` says of his id."""
    numbers = round_numbers(rows)
    return [
        StandingLine(
            id=row.member_id,
            rank=row.rank,
            name=row.name,
            total=row.total,
            url=url_of(row.member_id) if url_of and row.has_page else "",
            rounds=[row.rounds.get(number) for number in numbers],
            pits=row.pits,
        )
        for row in rows
    ]
