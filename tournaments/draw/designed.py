"""Starting a draw from a construction in which nobody meets anybody twice."""

from collections.abc import Sequence

from tournaments.draw.designs import design_rounds
from tournaments.draw.models import Player
from tournaments.draw.request import Request
from tournaments.draw.turns import Cast

Rounds = Sequence[Sequence[tuple[int, int, int, int]]]


def designed_casts(request: Request, by_chance: Sequence[Cast]) -> list[Cast]:
    """The rounds of a construction with the players put in by chance; empty where none fits, and
    where there are tables of three.

    Who sits out in each round is taken over from the draw by chance.
    """
    if request.played or request.mates or request.apart or by_chance[0].threes:
        return []
    rounds = design_rounds(len(request.players), request.rounds)
    who = _named(request, rounds, by_chance) if rounds else {}
    if not rounds or not who:
        return []
    return [
        Cast(cast.out, [[who[place] for place in table] for table in tables], [])
        for tables, cast in zip(rounds, by_chance, strict=True)
    ]


def _named(request: Request, rounds: Rounds, by_chance: Sequence[Cast]) -> dict[int, Player]:
    """Which player is which number of the construction; empty when its turns are not his."""
    people = range(len(request.players))
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
    places = [place for place in people if place not in who]
    return who | dict(zip(places, others, strict=True))
