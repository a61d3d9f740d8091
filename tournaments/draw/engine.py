"""Making a draw."""

from collections.abc import Iterable, Sequence

from tournaments.draw.balanced import balanced
from tournaments.draw.errors import DrawError
from tournaments.draw.faults import couple_faults, question_faults, stay_faults
from tournaments.draw.lottery import lottery, ranked
from tournaments.draw.models import (
    Couple,
    Draw,
    Leftover,
    Method,
    PastEvening,
    Player,
    RoundDraw,
    ordered,
)
from tournaments.draw.pairs import pairs
from tournaments.draw.repeats import meeting_repeats, partner_repeats
from tournaments.draw.request import Request
from tournaments.draw.rotation import BLOCK, rotation
from tournaments.draw.staying import (
    at_kept_tables,
    kept_apart,
    pairs_to_stay,
    table_keepers,
)


def draw(
    *,
    players: Sequence[Player],
    rounds: int,
    method: Method,
    seed: int = 0,
    leftover: Leftover = "sit_out",
    fixed: Sequence[Couple] = (),
    apart: Sequence[Couple] = (),
    history: Sequence[PastEvening] = (),
    already_out: Sequence[Player] = (),
    first_round: int = 1,
    played: Sequence[RoundDraw] = (),
    stays: Sequence[Player] = (),
    most_steps: int | None = None,
) -> Draw:
    """Who sits where in each of so many rounds.

    - `rotation` keeps tables together for blocks of three rounds counted from `first_round`, each
      player having each of the other three as partner once;
    - `lottery` draws each round by chance;
    - `balanced` has people together again as little as possible, this evening first, then over
      the season;
    - `ranked` puts the first four of `players` at table 1, first and fourth together;
    - `pairs`: `fixed` names everybody once; even pairs stay, odd pairs move up a table.

    Who is left over sits out, or with `three_handed` there are as few tables of three as possible,
    without a `W`. In one evening nobody sits out twice before everybody did once; over the season
    (`history`) whoever is furthest below his share goes first. `fixed` couples are partners
    whenever both play at fours, `apart` couples never share a table; couples of whom somebody is
    not here play no part.

    Those in `stays` are at one table whenever they play: where they first sat in `played`, else
    where they first sit now. No two of them share a table but fixed couples. For it tables get
    other numbers, in `ranked` too, so that the first four are then not at table 1; in `pairs`
    their pairs change places with pairs that stay.

    For rounds drawn again halfway an evening: `first_round` is the number of the first of them,
    `played` are the rounds before it, and `already_out` names who sat out in those, once for each
    round. Who waits for the answer sets `most_steps`: no search of `balanced` tries more exchanges
    than that. The same input gives the same draw, and the order of `players` plays no part but in
    `ranked`.

    Raises `DrawError` with every fault of the question, or `cannot_seat` where the couples leave
    no way to seat everybody.
    """
    together, staying = _here(fixed, players), frozenset(stays).intersection(players)
    faults = [
        *question_faults(players, rounds, method, leftover),
        *couple_faults(players, method, fixed, apart),
    ]
    faults = faults or [*stay_faults(players, method, leftover, together, staying)]
    if faults:
        raise DrawError(faults)
    keepers = {} if method == "pairs" else table_keepers(staying, together)
    request = Request(
        players=tuple(sorted(players)),
        standing=tuple(players) if method == "ranked" else tuple(sorted(players)),
        rounds=rounds,
        seed=seed,
        first_round=first_round,
        history=tuple(history),
        already_out=tuple(already_out),
        played=tuple(played),
        leftover=leftover,
        fixed=pairs_to_stay(together, staying, played) if method == "pairs" else together,
        apart=tuple(sorted({ordered(*one) for one in _here(apart, players)} | kept_apart(keepers))),
        most_steps=most_steps,
    )
    drawn, steps = _drawn(request, method)
    drawn = at_kept_tables(drawn, keepers, played) if keepers else drawn
    evening = (*played, *drawn)
    return Draw(
        rounds=drawn,
        partner_repeats=partner_repeats(evening),
        meeting_repeats=meeting_repeats(evening, block=BLOCK if method == "rotation" else 1),
        seed=seed,
        method=method,
        steps=steps,
    )


def _drawn(request: Request, method: Method) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds by that method, and how many steps were searched."""
    if method in ("rotation", "balanced"):
        return (rotation if method == "rotation" else balanced)(request)
    return {"lottery": lottery, "ranked": ranked, "pairs": pairs}[method](request), 0


def _here(couples: Iterable[Couple], players: Iterable[Player]) -> tuple[Couple, ...]:
    """The couples of whom both are here, each once, in the order in which they were named."""
    here = frozenset(players)
    found = {frozenset(couple): (couple[0], couple[1]) for couple in couples}
    return tuple(couple for couple in found.values() if here.issuperset(couple))
