"""The prizes with who gets them, in the order in which they are handed out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Literal

from tournaments.prizes.core.places import prize_places
from tournaments.prizes.core.scheme import PrizeScheme

Figure = int | Decimal


@dataclass(frozen=True, slots=True)
class Contender:
    """A line of a standing, of one person or of a pair, with its place and what that went by."""

    ids: tuple[str, ...]
    name: str
    rank: int
    value: Figure


@dataclass(frozen=True, slots=True)
class Winner:
    """Who gets a prize, a person or a pair, and the figure it is for."""

    ids: tuple[str, ...]
    name: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Award:
    """One moment of the prize-giving: a place, the poedel, a side prize or that of a period.

    `key` says which side prize or period; `place` is set for places. `prizes` is how many there
    are for these people: fewer than people where equals share it.
    """

    kind: Literal["poedel", "side", "period", "place"]
    people: tuple[Winner, ...]
    prizes: int = 1
    key: str = ""
    place: int | None = None

    @property
    def is_shared(self) -> bool:
        """Whether there are more people than prizes."""
        return len(self.people) > self.prizes


def prize_giving(
    scheme: PrizeScheme,
    standing: Sequence[Contender],
    *,
    sides: Mapping[str, Sequence[Winner]] | None = None,
    periods: Mapping[str, Sequence[Winner]] | None = None,
) -> tuple[Award, ...]:
    """What is read out, in order: the poedel, side prizes, periods, and the places from the lowest
    to the winner.

    `standing` is in order of place. `sides` has who wins each side prize and `periods` who wins
    each period: equals share, and where there is nobody it is left out. People of an equal place
    share the prizes of all the places they take up; that may be fewer than they are, and where it
    is none they get none.
    """
    return (
        *(_poedel(standing) if scheme.poedel else ()),
        *_each("side", scheme.sides, sides or {}),
        *(_each("period", periods, periods) if scheme.periods and periods else ()),
        *_places(scheme, standing),
    )


def highest(people: Iterable[Winner]) -> tuple[Winner, ...]:
    """Those with the highest figure, by name; nobody where that is nought."""
    known = sorted(people, key=lambda one: (one.name.casefold(), one.ids))
    best = max((one.figure for one in known), default=0)
    return tuple(one for one in known if one.figure == best > 0)


def _poedel(standing: Sequence[Contender]) -> Iterator[Award]:
    last = standing[-1].rank if standing else 1
    if last > 1:
        yield Award("poedel", tuple(_winner(one) for one in standing if one.rank == last))


def _each(
    kind: Literal["side", "period"], keys: Iterable[str], winners: Mapping[str, Sequence[Winner]]
) -> Iterator[Award]:
    for key in keys:
        if people := winners.get(key):
            yield Award(kind, tuple(people), key=key)


def _places(scheme: PrizeScheme, standing: Sequence[Contender]) -> list[Award]:
    with_prize = set(prize_places(scheme, len(standing)))
    awards = []
    for rank, group in groupby(standing, key=lambda one: one.rank):
        people = tuple(_winner(one) for one in group)
        prizes = sum(place in with_prize for place in range(rank, rank + len(people)))
        if prizes:
            awards.append(Award("place", people, prizes, place=rank))
    return awards[::-1]


def _winner(one: Contender) -> Winner:
    return Winner(one.ids, one.name, one.value)
