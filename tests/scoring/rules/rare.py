"""Works out what is rare: `python -m tests.scoring.rules.rare` prints the figures of unlikely.py.

Plays legal deals as people play them, under three regulations, and deals in which everybody plays
any card that is allowed. Rare is what in each of these fewer than one deal in 2,000 reaches.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from scoring.rules import PRESETS, Side
from tests.scoring.rules.lifelike import deal_and_play

DEALS = 100_000
RARE = 1 / 2000
MANNERS: Mapping[str, tuple[str, float, bool]] = {
    "amsterdam": ("amsterdam", 0, False),
    "utrecht": ("utrecht", 0, False),
    "thousand-and-one": ("thousand-and-one", 0.25, False),
    "careless": ("amsterdam", 0, True),
}
"""Ways to play: the regulation, the share without trumps, and whether anything goes."""

SIDE_ROEM = (140, 120, 100, 70, 40)


class Taken(NamedTuple):
    """What the sides took; a stuk is counted apart from its run, as many write it."""

    points: tuple[int, int]
    roem: tuple[int, int]
    items: tuple[int, int]
    pit: Side | None


def main(deals: int = DEALS) -> None:
    samples = {name: list(_taken(name, deals)) for name in MANNERS}
    _print("roem together, from", samples, lambda deal: sum(deal.roem))
    _print("roem of a side, from", samples, lambda deal: max(deal.roem))
    _print("announcements together, from", samples, lambda deal: sum(deal.items))
    _print("announcements of a side, from", samples, lambda deal: max(deal.items))
    _print("points of a side without pit, up to", samples, _fewest_without_pit)
    for much in SIDE_ROEM:
        _print(f"points with {much} roem, up to", samples, _fewest_with(much))
    for name, sample in samples.items():
        roem = sum(sum(deal.roem) for deal in sample) / deals
        pits = sum(deal.pit is not None for deal in sample) / deals
        sys.stdout.write(f"{name}: {roem:.1f} roem a deal, a pit in {pits:.1%} of the deals\n")


def _taken(manner: str, deals: int) -> Iterator[Taken]:
    preset, no_trump, careless = MANNERS[manner]
    random = Random(manner)
    for _ in range(deals):
        deal = deal_and_play(random, PRESETS[preset], no_trump=no_trump, careless=careless)
        ours, theirs = deal.roem["NS"], deal.roem["EW"]
        yield Taken(
            (deal.points["NS"], deal.points["EW"]),
            (sum(ours), sum(theirs)),
            (_written_apart(ours), _written_apart(theirs)),
            deal.pit,
        )


def _written_apart(items: list[int]) -> int:
    return sum(2 if item in (40, 70) else 1 for item in items)


def _fewest_without_pit(deal: Taken) -> int | None:
    return None if deal.pit else -min(deal.points)


def _fewest_with(roem: int) -> Callable[[Taken], int | None]:
    def fewest(deal: Taken) -> int | None:
        taken = [own for own, made in zip(deal.points, deal.roem, strict=True) if made >= roem]
        return -min(taken) if taken else None

    return fewest


def _print(
    name: str, samples: Mapping[str, list[Taken]], measure: Callable[[Taken], int | None]
) -> None:
    """The figure that is rare in every sample; a measure that falls is given as negative."""
    found = {
        manner: _rare_from([m for deal in sample if (m := measure(deal)) is not None], len(sample))
        for manner, sample in samples.items()
    }
    each = ", ".join(f"{manner} {abs(figure)}" for manner, figure in found.items())
    sys.stdout.write(f"{name} {abs(max(found.values()))} ({each})\n")


def _rare_from(values: list[int], deals: int) -> int:
    """The lowest value that, with all above it, fewer than one deal in 2,000 reaches."""
    reached, lowest = 0, max(values, default=0) + 1
    for value, count in sorted(Counter(values).items(), reverse=True):
        reached += count
        if reached >= deals * RARE:
            break
        lowest = value
    return lowest


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
