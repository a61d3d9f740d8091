"""Who gets a prize, and in which order they are handed out.

Imports the standard library only.
"""

from tournaments.prizes.core.awards import Award, Contender, Winner, highest, prize_giving
from tournaments.prizes.core.errors import InvalidPrizes
from tournaments.prizes.core.places import prize_places
from tournaments.prizes.core.scheme import EVENING_SIDES, KINDS, SIDES, PrizeScheme, parse_prizes

__all__ = [
    "EVENING_SIDES",
    "KINDS",
    "SIDES",
    "Award",
    "Contender",
    "InvalidPrizes",
    "PrizeScheme",
    "Winner",
    "highest",
    "parse_prizes",
    "prize_giving",
    "prize_places",
]
