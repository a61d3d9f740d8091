"""The playing strength of people, estimated by openskill from the results at each table.

Strength is in points per boompje: with +30 a pair with this player scores 30 points more per
boompje than with a newcomer, against the same opponents. A single boompje is mostly luck, and the
model takes that into account; that is why it is slow to be sure of anybody.
"""

import math
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

BOOMPJE: Final = 16
SPREAD: Final = 40.0
"""The standard deviation of strength among the people of a club, before anything is known."""
LUCK: Final = 240.0
"""The standard deviation that chance gives the points of a pair in a boompje."""
DRIFT: Final = 1.0
"""By how much a player may have changed from one boompje to the next."""
_LOGISTIC: Final = math.sqrt(1.5) / math.pi


@dataclass(frozen=True, slots=True)
class Strength:
    """Somebody's estimated strength `mu`, and its standard deviation."""

    mu: float = 0.0
    sigma: float = SPREAD


@dataclass(frozen=True, slots=True)
class Game:
    """One table in one round: the member ids of each side, their scores, and the number of deals.
    At a table of three everybody is a side."""

    sides: Sequence[Sequence[int]]
    scores: Sequence[int]
    deals: int


NEWCOMER: Final = Strength()


def rate(before: Mapping[int, Strength], games: Iterable[Game]) -> dict[int, Strength]:
    """The strength of everybody in these games after them, played in order."""
    strengths: dict[int, Strength] = {}
    known = ChainMap(strengths, dict(before))
    for game in games:
        strengths.update(_after(known, game))
    return strengths


def _after(known: Mapping[int, Strength], game: Game) -> dict[int, Strength]:
    model = _model(game.deals)
    sides = [[_rating(model, known.get(pk, NEWCOMER)) for pk in side] for side in game.sides]
    ranks: list[float] = [sum(other > own for other in game.scores) for own in game.scores]
    return {
        member_id: Strength(rating.mu, rating.sigma)
        for people, ratings in zip(game.sides, model.rate(sides, ranks=ranks), strict=True)
        for member_id, rating in zip(people, ratings, strict=True)
    }


def _rating(model: PlackettLuce, strength: Strength) -> PlackettLuceRating:
    return model.rating(mu=strength.mu, sigma=strength.sigma)


@lru_cache(maxsize=128)
def _model(deals: int) -> PlackettLuce:
    """The model for so many deals: the fewer deals, the more luck.

    `beta` is openskill's luck of each side, on a logistic scale. Its default `gamma` makes it less
    sure than the games warrant; with 1 its stated uncertainty was right.
    """
    luck = LUCK * math.sqrt(BOOMPJE / deals)
    return PlackettLuce(
        mu=NEWCOMER.mu,
        sigma=NEWCOMER.sigma,
        beta=luck * _LOGISTIC,
        tau=DRIFT,
        gamma=_one,
    )


def _one(*_args: object) -> float:
    return 1.0
