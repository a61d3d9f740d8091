"""What roem costs that is held in hands, and which fits there.

A combination lies in the eight cards of one player. Runs in one hand share no card; four of a kind
and the stuk may share cards with them. As in derive.py nothing asks whether a card may be played:
this is about what any cards, laid in any order, can come to.

Under `hand` a side takes at least what its own trumps take whatever the others do. Under
`hand_to_trick` it takes at least the cards that complete its combinations; a card that completes
four of a kind may complete a run with it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Final

from tools.roem_table.derive import LOWEST, Held, table_rows

TABLE: Final = Path(__file__).parents[2] / "scoring/rules/hand_roem_table.py"

_RANKS: Final = "789TJQKA"
_PLAIN: Final = (0, 0, 0, 10, 2, 3, 4, 11)
_TRUMP: Final = (0, 0, 14, 10, 20, 3, 4, 11)
_POWER: Final = tuple("78QKTA9J".index(rank) for rank in _RANKS)
_ALL: Final = frozenset(range(len(_RANKS)))
_STUK: Final = frozenset({_RANKS.index("Q"), _RANKS.index("K")})
_JACK: Final = _RANKS.index("J")
_CARDS: Final = 8
_RUNS: Final = tuple(
    frozenset(range(low, low + length)) for length in (3, 4) for low in range(9 - length)
)

_HEADER: Final = '''"""The fewest card points that go with roem held in hands.

Made by `python -m tools.roem_table`; change that instead. The rows and columns are those of
roem_table.py: SIDE for the roem of a side in its own two hands, which takes nothing in no-trump,
and ALL for roem of all four hands that a side takes with the cards that complete it.
"""

from typing import Final

from scoring.rules.roem_table import Costs
'''

Ranks = frozenset[int]

_Owned = tuple[tuple[Ranks, int], ...]
"""Runs, each with the hand that it lies in."""

_Found = dict[tuple[tuple[int, int, int], tuple[int, ...]], int]
"""The fewest points by the stuk's place, the runs of three and of four without it, and how many
cards each hand then needs."""


def main() -> None:
    """Write the table."""
    TABLE.write_text(table_source(), encoding="utf-8")


def table_source() -> str:
    """What stands in hand_roem_table.py."""
    tables = (
        table_rows("SIDE", of_hands(2, trumps=True)),
        table_rows("ALL_TRUMP", of_hands(4, trumps=True)),
        table_rows("ALL_NO_TRUMP", of_hands(4, trumps=False)),
    )
    return "\n".join((_HEADER, *tables))


def of_hands(hands: int, *, trumps: bool) -> dict[tuple[str, Held], int]:
    """The fewest points for everything that so many hands can hold, by the lowest rank of which
    four of a kind counts: the two of a side, or all four of a deal."""
    fewest: dict[tuple[str, Held], int] = {}
    for carres in _carres(hands):
        ranks = frozenset[int]().union(*carres)
        jacks = int(_JACK in ranks)
        for (stuk, threes, fours), points in _beside(carres, trumps=trumps).items():
            held = Held(stuk, threes, fours, jacks, len(ranks) - jacks)
            for lowest in LOWEST:
                if not ranks or min(ranks) >= ("7", "8", "9", "10").index(lowest):
                    fewest[lowest, held] = min(points, fewest.get((lowest, held), points))
    return fewest


def _carres(hands: int) -> Iterator[tuple[Ranks, ...]]:
    """The ranks of which each hand holds all four; hands are taken in the order of their ranks."""

    def deal(left: int, free: Ranks, after: tuple[int, ...]) -> Iterator[tuple[Ranks, ...]]:
        if not left:
            yield ()
            return
        for size in (2, 1, 0):
            for chosen in combinations(sorted(free), size):
                # Fuller hands come first, and of equal ones the lower.
                if (-size, *chosen) >= after:
                    for rest in deal(left - 1, free - {*chosen}, (-size, *chosen)):
                        yield (frozenset(chosen), *rest)

    return deal(hands, _ALL, (-3,))


def _beside(carres: tuple[Ranks, ...], *, trumps: bool) -> dict[tuple[int, int, int], int]:
    """All runs and stuks beside four of a kind in these hands, with the points of all of it."""
    room = tuple(_CARDS - 4 * len(ranks) for ranks in carres)
    alone = len(carres) == 4
    plain = _suit(carres, room, _PLAIN if alone else None)
    if alone:
        trump = _suit(carres, room, _TRUMP, with_stuk=True) if trumps else plain
        carre_points = sum(_PLAIN[rank] for ranks in carres for rank in ranks)
    else:
        trump, carre_points = _trump_suit(carres, room), 0
    two = _together(plain, plain, room)
    whole = _together(_together(two, plain, room), trump, room)
    best: dict[tuple[int, int, int], int] = {}
    for (counts, _used), points in whole.items():
        best[counts] = min(points + carre_points, best.get(counts, points + carre_points))
    return best


def _together(one: _Found, other: _Found, room: tuple[int, ...]) -> _Found:
    best: _Found = {}
    for ((stuk, threes, fours), used), points in one.items():
        for ((stuk_2, threes_2, fours_2), used_2), points_2 in other.items():
            both = tuple(map(sum, zip(used, used_2, strict=True)))
            if all(map(int.__le__, both, room)):
                counts = stuk + stuk_2, threes + threes_2, fours + fours_2
                _keep_best(best, (counts, _alike(both, room)), points + points_2)
    return best


def _alike(used: tuple[int, ...], room: tuple[int, ...]) -> tuple[int, ...]:
    """Hands without four of a kind, which come last, are told apart by nothing but their cards."""
    known = sum(free < _CARDS for free in room)
    return (*used[:known], *sorted(used[known:]))


def _suit(
    carres: tuple[Ranks, ...],
    room: tuple[int, ...],
    worth: Sequence[int] | None,
    *,
    with_stuk: bool = False,
) -> _Found:
    """What one suit can give, and what completing it costs at least; nothing without `worth`."""
    best: _Found = {}
    for owned in _runs_owned(carres):
        for counts, held in _readings(carres, owned, with_stuk=with_stuk):
            points = _completing(carres, held, worth, counts[0]) if worth else 0
            _keep_best(best, (counts, _needed(carres, held)), points)
    return {key: points for key, points in best.items() if all(map(int.__le__, key[1], room))}


def _trump_suit(carres: tuple[Ranks, ...], room: tuple[int, ...]) -> _Found:
    """What trumps can give the two hands of a side, and the points that they take by themselves."""
    best: _Found = {}
    for owned in _runs_owned(carres):
        for counts, held in _readings(carres, owned, with_stuk=True):
            mine, theirs = (
                ranks.union(*(cards for cards, hand in held if hand == place))
                for place, ranks in enumerate(carres)
            )
            _keep_best(best, (counts, _needed(carres, held)), forced(mine, theirs))
    return {key: points for key, points in best.items() if all(map(int.__le__, key[1], room))}


def _runs_owned(carres: tuple[Ranks, ...]) -> Iterator[_Owned]:
    """Every choice of runs of a suit in these hands that share no card."""
    places = [
        (run, hand)
        for run, (hand, own) in product(_RUNS, enumerate(carres))
        if all(run.isdisjoint(ranks) for ranks in carres if ranks is not own)
    ]
    yield ()
    for one in places:
        yield (one,)
    for one, other in combinations(places, 2):
        if one[0].isdisjoint(other[0]):
            yield one, other


def _readings(
    carres: tuple[Ranks, ...], owned: _Owned, *, with_stuk: bool
) -> Iterator[tuple[tuple[int, int, int], _Owned]]:
    """These runs without the stuk and, among trumps, with it."""
    threes = sum(len(run) == 3 for run, _hand in owned)
    fours = len(owned) - threes
    yield (0, threes, fours), owned
    if not with_stuk:
        return
    for hand in range(len(carres)):
        others = [run for run, owner in owned if owner != hand]
        others += [ranks for place, ranks in enumerate(carres) if place != hand]
        if _STUK.isdisjoint(frozenset[int]().union(*others)):
            yield (1, threes, fours), (*owned, (_STUK, hand))
    for run, _hand in owned:
        if run >= _STUK:
            three = len(run) == 3
            yield (2 if three else 3, threes - three, fours - (not three)), owned


def _needed(carres: tuple[Ranks, ...], held: _Owned) -> tuple[int, ...]:
    """How many cards beside its fours of a kind each hand needs."""
    return tuple(
        len(frozenset[int]().union(*(cards for cards, hand in held if hand == place)) - ranks)
        for place, ranks in enumerate(carres)
    )


def _completing(carres: tuple[Ranks, ...], held: _Owned, worth: Sequence[int], stuk: int) -> int:
    """The points of the cheapest cards that complete these runs and the stuk."""
    points = 0
    for cards, hand in held:
        with_stuk = bool(stuk) and cards >= _STUK
        last = cards & _STUK if with_stuk else cards
        own = [worth[rank] for rank in last]
        shared = [worth[rank] - _PLAIN[rank] for rank in last & carres[hand]]
        points += min(own + shared)
        if with_stuk and len(cards) == 4:
            points += _beating(cards, carres)
    return points


def _beating(run: Ranks, carres: tuple[Ranks, ...]) -> int:
    """The points of the cheapest trump that takes the queen or king of a run with the jack.

    Whoever held that run took the jack's own trick, which is dearer; so the others take this one.
    """
    ten_or_ace = next(rank for rank in (3, 7) if rank not in run)
    return 0 if any(ten_or_ace in ranks for ranks in carres) else _TRUMP[ten_or_ace]


@cache
def forced(mine: Ranks, theirs: Ranks) -> int:
    """The points that two partners take with these trumps at least, whoever plays what when: of
    tricks that no trump of the others beats."""
    others = sorted(_POWER[rank] for rank in _ALL - mine - theirs)
    return min(_unbeaten(groups, others) for groups in _tricks(sorted(mine), sorted(theirs)))


def _tricks(mine: list[int], theirs: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """The ways in which trumps of two partners fall, alone or two in a trick."""
    for size in range(min(len(mine), len(theirs)) + 1):
        for ours in combinations(mine, size):
            for beside in permutations(theirs, size):
                alone = [rank for rank in mine if rank not in ours]
                alone += [rank for rank in theirs if rank not in beside]
                yield [*zip(ours, beside, strict=True), *((rank,) for rank in alone)]


def _unbeaten(tricks: list[tuple[int, ...]], others: list[int]) -> int:
    """The points left when each of the other trumps beats a trick, the dearest first."""
    kept: list[int] = []
    lost = 0
    for trick in sorted(tricks, key=lambda ranks: -sum(_TRUMP[rank] for rank in ranks)):
        highest = [*kept, max(_POWER[rank] for rank in trick)]
        if _can_be_beaten(sorted(highest), others):
            kept = highest
        else:
            lost += sum(_TRUMP[rank] for rank in trick)
    return lost


def _can_be_beaten(tricks: list[int], others: list[int]) -> bool:
    """Whether each of the tricks has a higher trump of its own against it."""
    against = others[len(others) - len(tricks) :] if len(tricks) <= len(others) else []
    return len(against) == len(tricks) and all(map(int.__lt__, tricks, against))


def _keep_best(
    best: _Found, key: tuple[tuple[int, int, int], tuple[int, ...]], points: int
) -> None:
    best[key] = min(points, best.get(key, points))
