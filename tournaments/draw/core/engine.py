"""Making a draw."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tournaments.draw.core.balanced import balanced
from tournaments.draw.core.bye_fairness import Turns, season_owed
from tournaments.draw.core.fixed_seats import (
    at_kept_tables,
    kept_apart,
    pairs_to_stay,
    table_keepers,
)
from tournaments.draw.core.grouping import Cast, as_drawn, numbered
from tournaments.draw.core.models import (
    BLOCK_LENGTH,
    Couple,
    Draw,
    Leftover,
    Method,
    PastEvening,
    Player,
    RoundDraw,
    ordered,
)
from tournaments.draw.core.pair_costs import Ledger
from tournaments.draw.core.pair_counts import meeting_repeats, partner_repeats
from tournaments.draw.core.problem import (
    DrawError,
    DrawFault,
    Request,
    couple_faults,
    question_faults,
    stay_faults,
)
from tournaments.draw.core.search import Board, Search, mates_by_number


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
        meeting_repeats=meeting_repeats(evening, block=BLOCK_LENGTH if method == "rotation" else 1),
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


def lottery(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for, each drawn by chance without looking at the others."""
    turns = Turns(request)
    return tuple(
        as_drawn(turns.cast(request.chance(number)), request.mates) for number in request.numbers
    )


def ranked(request: Request) -> tuple[RoundDraw, ...]:
    """One round in order of standing: first and fourth against second and third, table by table.

    Of those who are equally due to sit out, or to sit at a table of three, the last go first.
    Fixed couples sit where the better of the two stands; who must be kept from somebody goes a
    table down.
    """
    cast = Turns(request).cast(request.chance(request.first_round), by_standing=True)
    return (as_drawn(cast, request.mates, partners=(0, 3, 1, 2)),)


Meeting = tuple[Couple, Couple]


def pairs(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for; pairs have the numbers 1, 2, … in the order in which they are named.

    In the first round pairs 1 and 2 are at table 1, 3 and 4 at table 2. Of an odd number one sits
    out in turn, and the last pair plays in its place: who had fewest turns this evening goes
    first, then who is furthest below his share of the season, then who leaves fewest pairs to
    meet again, then the last. Raises `DrawError` `cannot_seat` where two meet in these rounds
    who must not.
    """
    turns = _PairTurns(request)
    rounds: list[RoundDraw] = []
    for number in request.numbers:
        resting = turns.next(number)
        meetings = _meetings(request.fixed, number, resting)
        if any(
            four.issuperset(couple) for four in _foursomes(meetings) for couple in request.apart
        ):
            raise DrawError([DrawFault("cannot_seat")])
        turns.count(meetings, resting)
        fours = [[*staying, *moving] for staying, moving in meetings]
        rounds.append(RoundDraw(numbered(fours, []), tuple(sorted(resting or ()))))
    return tuple(rounds)


def _meetings(line: Sequence[Couple], number: int, resting: Couple | None) -> list[Meeting]:
    """Who plays whom, by table: the even pair, which stays, and the odd one come to it."""
    placed = [line[-1] if pair == resting else pair for pair in line]
    odd, even = placed[0 : len(line) // 2 * 2 : 2], placed[1::2]
    moved = (number - 1) % len(even)
    return list(zip(even, odd[-moved:] + odd[:-moved] if moved else odd, strict=True))


class _PairTurns:
    """Keeps count of which pair sat out and who met whom this evening."""

    def __init__(self, request: Request) -> None:
        self._line = request.fixed
        self._out = Counter(request.already_out)
        self._owed = season_owed(
            request.players, request.history, [past.sat_out for past in request.history]
        )
        self._met = Counter(
            frozenset(table.people()) for drawn in request.played for table in drawn.tables
        )

    def next(self, number: int) -> Couple | None:
        """The pair that sits out in this round; None of an even number."""
        if len(self._line) % 2 == 0:
            return None
        return min(reversed(self._line), key=lambda pair: self._turn(number, pair))

    def count(self, meetings: Sequence[Meeting], resting: Couple | None) -> None:
        """Keep what was drawn for a round."""
        self._met.update(_foursomes(meetings))
        self._out.update(resting or ())

    def _turn(self, number: int, pair: Couple) -> tuple[int, float, int]:
        again = sum(self._met[four] for four in _foursomes(_meetings(self._line, number, pair)))
        return (
            max(self._out[who] for who in pair),
            -float(sum(self._owed[who] for who in pair)),
            again,
        )


def _foursomes(meetings: Sequence[Meeting]) -> Iterator[frozenset[Player]]:
    for staying, moving in meetings:
        yield frozenset(staying + moving)


NORTH_SOUTH_EAST_WEST = ((0, 2, 1, 3), (0, 1, 2, 3), (0, 3, 1, 2))
"""Which of a table's four sits N, S, E, W in the first, second and third round of a block."""

STEPS_FOR_ONE = 1500


def rotation(request: Request) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds asked for, in blocks of three counted from the first one drawn, and the steps.

    A last block may be cut short. Each block has new tables, with as few people together again as
    a search finds; who sits out, or at a table of three, does so for the whole block. Fixed
    couples stay partners for it.
    """
    turns = Turns(request)
    rounds: list[RoundDraw] = []
    steps = 0
    for start in request.numbers[::BLOCK_LENGTH]:
        length = min(BLOCK_LENGTH, request.numbers.stop - start)
        chance = request.chance(start)
        cast = turns.cast(chance, rounds=length)
        so_far = replace(request, played=(*request.played, *rounds), first_round=start)
        cast, taken = _mixed(so_far, cast)
        steps += taken
        rounds += [
            as_drawn(cast, request.mates, partners) for partners in NORTH_SOUTH_EAST_WEST[:length]
        ]
    return tuple(rounds), steps


def _mixed(request: Request, cast: Cast) -> tuple[Cast, int]:
    """The cast at tables with as few people who met this evening as a search finds."""
    costs = Ledger(request).of_the_evening(partner_again=0)
    board = Board([cast], request.players, request.mates)
    mates = mates_by_number(request.players, request.mates)
    chance = request.chance(-request.first_round)
    search = Search(board, costs, board.enter(costs), mates, chance)
    search.cool(STEPS_FOR_ONE * len(request.players), hottest=4.5, coldest=0.9, enough=0)
    fours, threes = board.rounds(request.players)[0]
    return replace(cast, fours=fours, threes=threes), search.steps
