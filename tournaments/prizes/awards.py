"""The prizes with who gets them, in the order in which they are handed out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Literal

from tournaments.prizes.places import prize_places
from tournaments.prizes.scheme import PrizeScheme

Figure = int | Decimal


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody in a standing, with his place and what that went by."""

    player_id: str
    name: str
    rank: int
    value: Figure


@dataclass(frozen=True, slots=True)
class Winner:
    """Who gets a prize, and the figure he has it for."""

    player_id: str
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
    sides: Mapping[str, Mapping[str, Figure]] | None = None,
    periods: Mapping[str, Mapping[str, Figure]] | None = None,
) -> tuple[Award, ...]:
    """What is read out, in order: the poedel, side prizes, periods, and the places from the lowest
    to the winner.

    `standing` is in order of place. `sides` has each person's figure by side prize, and `periods`
    by period; highest wins, equals share, and where the highest is nought nobody does. People of
    an equal place share the prizes of all the places they take up; that may be fewer than they
    are, and where it is none they get none.
    """
    names = {one.player_id: one.name for one in standing}
    return (
        *(_poedel(standing) if scheme.poedel else ()),
        *_highest("side", names, sides or {}, scheme.sides),
        *(_highest("period", names, periods or {}, periods or {}) if scheme.periods else ()),
        *_places(scheme, standing),
    )


def _poedel(standing: Sequence[Contender]) -> Iterator[Award]:
    last = standing[-1].rank if standing else 1
    if last > 1:
        yield Award("poedel", tuple(_winner(one) for one in standing if one.rank == last))


def _highest(
    kind: Literal["side", "period"],
    names: Mapping[str, str],
    figures: Mapping[str, Mapping[str, Figure]],
    wanted: Iterable[str],
) -> Iterator[Award]:
    for key in wanted:
        known = {who: figure for who, figure in figures.get(key, {}).items() if who in names}
        highest = max(known.values(), default=0)
        if highest > 0:
            best = [who for who, figure in known.items() if figure == highest]
            ordered = sorted(best, key=lambda who: (names[who].casefold(), who))
            yield Award(kind, tuple(Winner(who, names[who], highest) for who in ordered), key=key)


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
    return Winner(one.player_id, one.name, one.value)
