"""Each round by itself: the lottery, by chance as lots from a bag, and the draw by standing."""

from tournaments.draw.models import RoundDraw
from tournaments.draw.request import Request
from tournaments.draw.seats import as_drawn
from tournaments.draw.turns import Turns


def lottery(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for, each drawn by chance without looking at the others."""
    turns = Turns(request)
    return tuple(
        as_drawn(turns.cast(request.chance(number)), request.mates) for number in request.numbers
    )


def ranked(request: Request) -> tuple[RoundDraw, ...]:
    """One round in order of standing: first and fourth against second and third, table by table.

    Of those who are equally due to sit out, or to sit at a table of three, the last go first.
    Fixed couples sit where the better of the two stands; who must be kept from somebody goes a
    table down.
    """
    cast = Turns(request).cast(request.chance(request.first_round), by_standing=True)
    return (as_drawn(cast, request.mates, partners=(0, 3, 1, 2)),)
