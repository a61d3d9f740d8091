"""Starting a draw from a construction in which nobody meets anybody twice."""

from collections.abc import Sequence
from itertools import combinations

from tournaments.draw.designs import design_rounds
from tournaments.draw.models import Player
from tournaments.draw.request import Request
from tournaments.draw.sizes import TABLE_SIZE
from tournaments.draw.turns import Cast

Rounds = Sequence[Sequence[tuple[int, int, int, int]]]
PLACES_TRIED = 200


def designed_casts(request: Request, by_chance: Sequence[Cast]) -> list[Cast]:
    """The rounds of a construction with the players put in by chance; empty where none fits.

    Who sits out in each round is taken over from the draw by chance. Where tables of three are
    needed and nobody is due more than others, it is a construction for more people, of whom those
    who are not there never sit together.
    """
    absent = len(by_chance[0].threes)
    if request.played or request.mates or request.apart:
        return []
    if absent and any(past.three_handed for past in request.history):
        return []
    people = len(request.players) + absent
    rounds = design_rounds(people, request.rounds)
    empty = rounds and _empty_places(rounds, people, absent)
    if not rounds or empty is None:
        return []
    who = _named(request, rounds, by_chance, empty or frozenset())
    return [
        _cast([[who[place] for place in table if place in who] for table in tables], cast.out)
        for tables, cast in zip(rounds, by_chance, strict=True)
        if who
    ]


def _named(
    request: Request, rounds: Rounds, by_chance: Sequence[Cast], empty: frozenset[int]
) -> dict[int, Player]:
    """Which player is which number of the construction; empty when its turns are not his."""
    people = range(len(request.players) + len(empty))
    resting = [
        place
        for tables in rounds
        for place in sorted({*people}.difference(*tables))
        if any(cast.out for cast in by_chance)
    ]
    out = [player for cast in by_chance for player in cast.out]
    if len({*resting}) < len(resting) or len({*out}) < len(out) or len(resting) != len(out):
        return {}
    who = dict(zip(resting, out, strict=True))
    others = [player for player in request.players if player not in out]
    request.chance(request.first_round).shuffle(others)
    places = [place for place in people if place not in who and place not in empty]
    return who | dict(zip(places, others, strict=True))


def _cast(groups: Sequence[list[Player]], out: tuple[Player, ...]) -> Cast:
    fours = [group for group in groups if len(group) == TABLE_SIZE]
    return Cast(out, fours, [group for group in groups if len(group) < TABLE_SIZE])


def _empty_places(rounds: Rounds, people: int, absent: int) -> frozenset[int] | None:
    """So many numbers of the construction that never share a table; None where there are none."""
    met = {
        frozenset(couple)
        for tables in rounds
        for table in tables
        for couple in combinations(table, 2)
    }
    for first in range(min(people, PLACES_TRIED)):
        chosen: list[int] = []
        for place in [*range(first, people), *range(first)]:
            if len(chosen) < absent and all(
                frozenset((place, other)) not in met for other in chosen
            ):
                chosen.append(place)
        if len(chosen) == absent:
            return frozenset(chosen)
    return None
