"""How many tables of four and of three there are, and how many people sit out."""

from typing import NamedTuple

from tournaments.draw.models import Leftover

TABLE_SIZE = 4


class Sizes(NamedTuple):
    """The tables of four, the tables of three, and the people who sit out, of one round."""

    fours: int
    threes: int
    out: int


def sizes(people: int, leftover: Leftover) -> Sizes:
    """How so many people are divided; with `three_handed` as few tables of three as possible.

    Every number from 4 up except 5 is a sum of fours and threes.

    >>> sizes(14, "sit_out"), sizes(14, "three_handed")
    (Sizes(fours=3, threes=0, out=2), Sizes(fours=2, threes=2, out=0))
    """
    if leftover == "sit_out":
        return Sizes(people // TABLE_SIZE, 0, people % TABLE_SIZE)
    threes = -people % TABLE_SIZE
    return Sizes((people - 3 * threes) // TABLE_SIZE, threes, 0)
