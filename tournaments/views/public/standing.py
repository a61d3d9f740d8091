"""Standings of an evening in the shape that `components/standings.html` draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Club
from tournaments.published import PublicRow
from tournaments.views.public.common import player_url


@dataclass(frozen=True, slots=True)
class StandingLine:
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


def standing_lines(club: Club, rows: Sequence[PublicRow]) -> list[StandingLine]:
    """The lines, each with a link to the player's season."""
    numbers = round_numbers(rows)
    return [
        StandingLine(
            id=row.member_id,
            rank=row.rank,
            name=row.name,
            total=row.total,
            url=player_url(club, row.member_id) if row.has_page else "",
            rounds=[row.rounds.get(number) for number in numbers],
            pits=row.pits,
        )
        for row in rows
    ]
