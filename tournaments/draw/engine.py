"""Making a draw."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from tournaments.draw.errors import DrawError, DrawFault
from tournaments.draw.lottery import lottery
from tournaments.draw.models import Draw, Method, PastEvening, Player, RoundDraw
from tournaments.draw.repeats import meeting_repeats, partner_repeats
from tournaments.draw.request import Request
from tournaments.draw.rotation import BLOCK, rotation
from tournaments.draw.sit_out import TABLE_SIZE

METHODS: Mapping[str, Callable[[Request], tuple[RoundDraw, ...]]] = {
    "rotation": rotation,
    "lottery": lottery,
}


def draw(
    *,
    players: Sequence[Player],
    rounds: int,
    method: Method,
    seed: int = 0,
    history: Sequence[PastEvening] = (),
    already_out: Sequence[Player] = (),
    first_round: int = 1,
    played: Sequence[RoundDraw] = (),
) -> Draw:
    """Who sits where in each of so many rounds, at tables of four; who is left over sits out.

    `rotation` keeps tables together for blocks of three rounds counted from `first_round`, each
    player having each of the other three as partner once; `lottery` draws each round by chance.
    In one evening nobody sits out twice before everybody did once; over the season (`history`)
    whoever is furthest below his share goes first.

    For rounds drawn again halfway an evening: `first_round` is the number of the first of them,
    `played` are the rounds before it, and `already_out` names who sat out in those, once for each
    round. The same input gives the same draw, and the order of `players` plays no part.

    Raises `DrawError` with every fault: fewer than four players, somebody named twice, no rounds,
    no such method.
    """
    faults = tuple(_faults(players, rounds, method))
    if faults:
        raise DrawError(faults)
    request = Request(
        players=tuple(sorted(players)),
        rounds=rounds,
        seed=seed,
        first_round=first_round,
        history=tuple(history),
        already_out=tuple(already_out),
        played=tuple(played),
    )
    drawn = METHODS[method](request)
    evening = (*played, *drawn)
    return Draw(
        rounds=drawn,
        partner_repeats=partner_repeats(evening),
        meeting_repeats=meeting_repeats(evening, block=BLOCK if method == "rotation" else 1),
        seed=seed,
        method=method,
    )


def _faults(players: Sequence[Player], rounds: int, method: str) -> Iterator[DrawFault]:
    if len(set(players)) < TABLE_SIZE:
        yield DrawFault("too_few_players", {"count": len(set(players))})
    twice = sorted(player for player, times in Counter(players).items() if times > 1)
    if twice:
        yield DrawFault("duplicate_player", {"players": ", ".join(twice)})
    if rounds < 1:
        yield DrawFault("too_few_rounds", {"count": rounds})
    if method not in METHODS:
        yield DrawFault("unknown_method", {"method": method, "methods": ", ".join(METHODS)})
