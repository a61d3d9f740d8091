"""How strong people are, worked out from who won at which table; by openskill.

Everything is in points a boompje. A strength of +30 says that a pair with this player in it brings
home 30 points more from a boompje than it would with somebody who has just come in, against the
same people. Who wins a boompje is mostly chance, and the model is told so: that is why it is slow
to be sure of anybody.
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
    """How strong somebody is thought to be, `mu`, and how sure that is: the standard deviation."""

    mu: float = 0.0
    sigma: float = SPREAD


@dataclass(frozen=True, slots=True)
class Game:
    """What was played at one table in one round: the sides, each the ids of its people, what each
    side scored, and in how many deals. At a table of three everybody is a side."""

    sides: Sequence[Sequence[int]]
    scores: Sequence[int]
    deals: int


NEWCOMER: Final = Strength()


def rate(before: Mapping[int, Strength], games: Iterable[Game]) -> dict[int, Strength]:
    """The strength after these games, one after the other, of everybody who was in one."""
    rated: dict[int, Strength] = {}
    known = ChainMap(rated, dict(before))
    for game in games:
        rated.update(_after(known, game))
    return rated


def _after(known: Mapping[int, Strength], game: Game) -> dict[int, Strength]:
    model = _model(game.deals)
    sides = [[_rating(model, known.get(who, NEWCOMER)) for who in side] for side in game.sides]
    ranks: list[float] = [sum(other > own for other in game.scores) for own in game.scores]
    return {
        who: Strength(rating.mu, rating.sigma)
        for people, found in zip(game.sides, model.rate(sides, ranks=ranks), strict=True)
        for who, rating in zip(people, found, strict=True)
    }


def _rating(model: PlackettLuce, strength: Strength) -> PlackettLuceRating:
    return model.rating(mu=strength.mu, sigma=strength.sigma)


@lru_cache(maxsize=128)
def _model(deals: int) -> PlackettLuce:
    """The model for so many deals: the fewer, the more they leave to chance.

    openskill has chance with every side as `beta`, on a logistic scale. Its usual `gamma` makes it
    less sure than the games are worth; with 1 it is right about how often it is wrong.
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
