"""What there is to say about a draw, as figures; the words are made where the language is known."""

from dataclasses import dataclass

from tournaments.draw.models import Draw, Method


@dataclass(frozen=True)
class DrawExplanation:
    """The figures of a draw. `players` counts those at tables and those who sit out."""

    method: Method
    seed: int
    rounds: int
    players: int
    tables: int
    out_per_round: int
    partner_repeats: int
    meeting_repeats: int


def explain_draw(draw: Draw) -> DrawExplanation:
    """The figures of a draw of at least one round; all its rounds have equally many tables."""
    first = draw.rounds[0]
    seated = sum(len(table.seats) for table in first.tables)
    return DrawExplanation(
        method=draw.method,
        seed=draw.seed,
        rounds=len(draw.rounds),
        players=seated + len(first.sit_out),
        tables=len(first.tables),
        out_per_round=len(first.sit_out),
        partner_repeats=draw.partner_repeats,
        meeting_repeats=draw.meeting_repeats,
    )
