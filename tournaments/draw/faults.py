"""Finding everything that is wrong with the question put to the draw."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import get_args

from tournaments.draw.errors import DrawFault
from tournaments.draw.models import Couple, Leftover, Method, Player, ordered
from tournaments.draw.sizes import TABLE_SIZE, sizes
from tournaments.draw.staying import table_keepers

METHODS: tuple[Method, ...] = get_args(Method)
LEFTOVERS: tuple[Leftover, ...] = get_args(Leftover)
MOST_PLAYERS, MOST_ROUNDS = 2000, 1000


def question_faults(
    players: Sequence[Player], rounds: int, method: str, leftover: str
) -> Iterator[DrawFault]:
    """What is wrong with the players, the rounds, the method and what is done with who is left."""
    people = len(set(players))
    if people < TABLE_SIZE:
        yield DrawFault("too_few_players", {"count": people})
    if people > MOST_PLAYERS:
        yield DrawFault("too_many_players", {"count": people, "most": MOST_PLAYERS})
    twice = sorted(player for player, times in Counter(players).items() if times > 1)
    if twice:
        yield DrawFault("duplicate_player", {"players": ", ".join(twice)})
    if rounds < 1:
        yield DrawFault("too_few_rounds", {"count": rounds})
    if rounds > MOST_ROUNDS:
        yield DrawFault("too_many_rounds", {"count": rounds, "most": MOST_ROUNDS})
    if method not in METHODS:
        yield DrawFault("unknown_method", {"method": method, "methods": ", ".join(METHODS)})
    if leftover not in LEFTOVERS:
        known = ", ".join(LEFTOVERS)
        yield DrawFault("unknown_leftover", {"leftover": leftover, "leftovers": known})
    if people == 5 and leftover == "three_handed" and method != "pairs":
        yield DrawFault("five_three_handed")
    if method == "ranked" and rounds > 1:
        yield DrawFault("ranked_one_round", {"count": rounds})


def couple_faults(
    players: Collection[Player], method: str, fixed: Sequence[Couple], apart: Sequence[Couple]
) -> Iterator[DrawFault]:
    """Couples of one, couples of people who are here that contradict each other, and in `pairs`
    who is in none."""
    alone = sorted({one for one, other in (*fixed, *apart) if one == other})
    if alone:
        yield DrawFault("couple_of_one", {"players": ", ".join(alone)})
    here = frozenset(players)
    together = {ordered(*couple) for couple in fixed if here.issuperset(couple)}
    times = Counter(player for couple in together for player in couple)
    clashing = together & {ordered(*couple) for couple in apart}
    clashing |= {couple for couple in together if max(times[player] for player in couple) > 1}
    if clashing and not alone:
        named = ", ".join(" and ".join(couple) for couple in sorted(clashing))
        yield DrawFault("couples_contradict", {"couples": named})
    paired = {player for couple in together for player in couple}
    if method == "pairs" and here - paired:
        yield DrawFault("pairs_incomplete", {"players": ", ".join(sorted(here - paired))})


def stay_faults(
    players: Collection[Player],
    method: str,
    leftover: Leftover,
    fixed: Sequence[Couple],
    stays: Collection[Player],
) -> Iterator[DrawFault]:
    """More people who keep a table of their own, fixed couples counted as one, than tables."""
    in_pairs = method == "pairs"
    fours, threes, _ = sizes(len(players), "sit_out" if in_pairs else leftover)
    keeping = len({*table_keepers(stays, fixed).values()})
    if in_pairs:
        keeping = sum(not {*couple}.isdisjoint(stays) for couple in fixed)
    if keeping > fours + threes:
        yield DrawFault("too_many_stay", {"count": keeping, "tables": fours + threes})
