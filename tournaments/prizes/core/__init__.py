"""Places in, prizes out: who gets a prize, and in which order they are handed out.

Imports the standard library and the core of the standings only.
"""

from tournaments.prizes.core.awards import Award, RankedEntry, Winner, highest, prize_giving
from tournaments.prizes.core.scheme import (
    HIGHEST_PLACE,
    KINDS,
    InvalidPrizes,
    Kind,
    PrizeScheme,
    parse_prizes,
)

__all__ = [
    "HIGHEST_PLACE",
    "KINDS",
    "Award",
    "InvalidPrizes",
    "Kind",
    "PrizeScheme",
    "RankedEntry",
    "Winner",
    "highest",
    "parse_prizes",
    "prize_giving",
]
