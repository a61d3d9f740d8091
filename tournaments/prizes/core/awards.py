"""The prizes with their winners, in the order in which they are handed out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tournaments.prizes.core.scheme import PrizeScheme
from tournaments.standings.core import Points


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """A line of a standing, of a person or a pair, with its place and the value that decided it."""

    ids: tuple[str, ...]
    name: str
    rank: int
    value: Points


@dataclass(frozen=True, slots=True)
class Winner:
    """The person or pair that gets a prize, and the figure they get it for."""

    ids: tuple[str, ...]
    name: str
    figure: Points


@dataclass(frozen=True, slots=True)
class Award:
    """One moment of the prize-giving: a place, the poedel, a side prize or that of a period.

    `key` is the side prize's metric or the period; `place` is set for places. `prizes` is how many
    there are for these people: fewer than people if they share it.
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
    standing: Sequence[RankedEntry],
    *,
    sides: Mapping[str, Sequence[Winner]] | None = None,
    periods: Mapping[str, Sequence[Winner]] | None = None,
) -> tuple[Award, ...]:
    """The awards in order: the poedel, side prizes, periods, and the places from the lowest up to
    the winner.

    `standing` is in order of place. `sides` has the winners of each side prize and `periods` those
    of each period: winners share, and a prize that nobody wins is left out. People with the same
    place share the prizes of all the places they take up, which can be fewer than they are; if
    there is none, they get none.
    """
    return (
        *(_poedel(standing) if scheme.poedel else ()),
        *_each("side", scheme.sides, sides or {}),
        *(_each("period", periods, periods) if scheme.periods and periods else ()),
        *_places(scheme, standing),
    )


def highest(people: Iterable[Winner]) -> tuple[Winner, ...]:
    """Those with the highest figure, by name; nobody if that is zero."""
    by_name = sorted(people, key=lambda winner: (winner.name.casefold(), winner.ids))
    best = max((winner.figure for winner in by_name), default=0)
    return tuple(winner for winner in by_name if winner.figure == best > 0)


def _poedel(standing: Sequence[RankedEntry]) -> Iterator[Award]:
    last = standing[-1].rank if standing else 1
    if last > 1:
        yield Award("poedel", tuple(_winner(entry) for entry in standing if entry.rank == last))


def _each(
    kind: Literal["side", "period"], keys: Iterable[str], winners: Mapping[str, Sequence[Winner]]
) -> Iterator[Award]:
    for key in keys:
        if people := winners.get(key):
            yield Award(kind, tuple(people), key=key)


def _places(scheme: PrizeScheme, standing: Sequence[RankedEntry]) -> list[Award]:
    with_prize = set(scheme.places(len(standing)))
    awards = []
    for rank, group in groupby(standing, key=lambda entry: entry.rank):
        people = tuple(_winner(entry) for entry in group)
        prizes = sum(place in with_prize for place in range(rank, rank + len(people)))
        if prizes:
            awards.append(Award("place", people, prizes, place=rank))
    return awards[::-1]


def _winner(entry: RankedEntry) -> Winner:
    return Winner(entry.ids, entry.name, entry.value)
