"""Who gets a prize, and in which order they are handed out.

Imports the standard library only.
"""

from tournaments.prizes.awards import Award, Contender, Winner, prize_giving
from tournaments.prizes.errors import InvalidPrizes
from tournaments.prizes.places import prize_places
from tournaments.prizes.scheme import KINDS, SIDES, PrizeScheme, parse_prizes

__all__ = [
    "KINDS",
    "SIDES",
    "Award",
    "Contender",
    "InvalidPrizes",
    "PrizeScheme",
    "Winner",
    "parse_prizes",
    "prize_giving",
    "prize_places",
]
