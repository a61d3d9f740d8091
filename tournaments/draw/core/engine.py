"""Making a draw."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tournaments.draw.core.balanced import balanced
from tournaments.draw.core.bye_fairness import ByeFairness, turns_owed
from tournaments.draw.core.fixed_seats import (
    holders_apart,
    pairs_in_fixed_seats,
    renumbered_for_fixed_seats,
    table_holders,
)
from tournaments.draw.core.grouping import RoundGroups, as_round, numbered_tables
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
from tournaments.draw.core.pair_costs import PairHistory
from tournaments.draw.core.pair_counts import meeting_repeats, partner_repeats
from tournaments.draw.core.problem import (
    DrawError,
    DrawFault,
    Problem,
    couple_faults,
    problem_faults,
    stay_faults,
)
from tournaments.draw.core.search import Annealing, SearchBoard, mates_by_number


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
    max_steps: int | None = None,
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
    round. Who waits for the answer sets `max_steps`: no search of `balanced` tries more exchanges
    than that. The same input gives the same draw, and the order of `players` plays no part but in
    `ranked`.

    Raises `DrawError` with every fault of the question, or `cannot_seat` where the couples leave
    no way to seat everybody.
    """
    couples_here, stays_here = _here(fixed, players), frozenset(stays).intersection(players)
    faults = [
        *problem_faults(players, rounds, method, leftover),
        *couple_faults(players, method, fixed, apart),
    ]
    faults = faults or [*stay_faults(players, method, leftover, couples_here, stays_here)]
    if faults:
        raise DrawError(faults)
    holders = {} if method == "pairs" else table_holders(stays_here, couples_here)
    problem = Problem(
        players=tuple(sorted(players)),
        standing=tuple(players) if method == "ranked" else tuple(sorted(players)),
        rounds=rounds,
        seed=seed,
        first_round=first_round,
        history=tuple(history),
        already_out=tuple(already_out),
        played=tuple(played),
        leftover=leftover,
        fixed=pairs_in_fixed_seats(couples_here, stays_here, played)
        if method == "pairs"
        else couples_here,
        apart=tuple(
            sorted({ordered(*couple) for couple in _here(apart, players)} | holders_apart(holders))
        ),
        max_steps=max_steps,
    )
    drawn, steps = _drawn_rounds(problem, method)
    drawn = renumbered_for_fixed_seats(drawn, holders, played) if holders else drawn
    evening = (*played, *drawn)
    return Draw(
        rounds=drawn,
        partner_repeats=partner_repeats(evening),
        meeting_repeats=meeting_repeats(evening, block=BLOCK_LENGTH if method == "rotation" else 1),
        seed=seed,
        method=method,
        steps=steps,
    )


def _drawn_rounds(problem: Problem, method: Method) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds by that method, and how many steps were searched."""
    if method in ("rotation", "balanced"):
        return (rotation if method == "rotation" else balanced)(problem)
    return {"lottery": lottery, "ranked": ranked, "pairs": pairs}[method](problem), 0


def _here(couples: Iterable[Couple], players: Iterable[Player]) -> tuple[Couple, ...]:
    """The couples of whom both are here, each once, in the order in which they were named."""
    here = frozenset(players)
    named = {frozenset(couple): (couple[0], couple[1]) for couple in couples}
    return tuple(couple for couple in named.values() if here.issuperset(couple))


def lottery(problem: Problem) -> tuple[RoundDraw, ...]:
    """The rounds asked for, each drawn by chance without looking at the others."""
    byes = ByeFairness(problem)
    return tuple(
        as_round(byes.divide(problem.rng(number)), problem.mates) for number in problem.numbers
    )


def ranked(problem: Problem) -> tuple[RoundDraw, ...]:
    """One round in order of standing: first and fourth against second and third, table by table.

    Of those who are equally due to sit out, or to sit at a table of three, the last go first.
    Fixed couples sit where the better of the two stands; who must be kept from somebody goes a
    table down.
    """
    groups = ByeFairness(problem).divide(problem.rng(problem.first_round), by_standing=True)
    return (as_round(groups, problem.mates, partners=(0, 3, 1, 2)),)


Meeting = tuple[Couple, Couple]


def pairs(problem: Problem) -> tuple[RoundDraw, ...]:
    """The rounds asked for; pairs have the numbers 1, 2, … in the order in which they are named.

    In the first round pairs 1 and 2 are at table 1, 3 and 4 at table 2. Of an odd number one sits
    out in turn, and the last pair plays in its place: who had fewest turns this evening goes
    first, then who is furthest below his share of the season, then who leaves fewest pairs to
    meet again, then the last. Raises `DrawError` `cannot_seat` where two meet in these rounds
    who must not.
    """
    byes = _PairTurns(problem)
    rounds: list[RoundDraw] = []
    for number in problem.numbers:
        resting = byes.next(number)
        meetings = _meetings(problem.fixed, number, resting)
        if any(
            four.issuperset(couple) for four in _foursomes(meetings) for couple in problem.apart
        ):
            raise DrawError([DrawFault("cannot_seat")])
        byes.count(meetings, resting)
        fours = [[*staying, *moving] for staying, moving in meetings]
        rounds.append(RoundDraw(numbered_tables(fours, []), tuple(sorted(resting or ()))))
    return tuple(rounds)


def _meetings(line: Sequence[Couple], number: int, resting: Couple | None) -> list[Meeting]:
    """Who plays whom, by table: the even pair, which stays, and the odd one come to it."""
    placed = [line[-1] if pair == resting else pair for pair in line]
    odd, even = placed[0 : len(line) // 2 * 2 : 2], placed[1::2]
    moved = (number - 1) % len(even)
    return list(zip(even, odd[-moved:] + odd[:-moved] if moved else odd, strict=True))


class _PairTurns:
    """Keeps count of which pair sat out and who met whom this evening."""

    def __init__(self, problem: Problem) -> None:
        self._line = problem.fixed
        self._out = Counter(problem.already_out)
        self._owed = turns_owed(
            problem.players, problem.history, [past.sat_out for past in problem.history]
        )
        self._met = Counter(
            frozenset(table.people()) for drawn in problem.played for table in drawn.tables
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
            max(self._out[player] for player in pair),
            -float(sum(self._owed[player] for player in pair)),
            again,
        )


def _foursomes(meetings: Sequence[Meeting]) -> Iterator[frozenset[Player]]:
    for staying, moving in meetings:
        yield frozenset(staying + moving)


NORTH_SOUTH_EAST_WEST = ((0, 2, 1, 3), (0, 1, 2, 3), (0, 3, 1, 2))
"""Which of a table's four sits N, S, E, W in the first, second and third round of a block."""

STEPS_PER_PLAYER = 1500


def rotation(problem: Problem) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds asked for, in blocks of three counted from the first one drawn, and the steps.

    A last block may be cut short. Each block has new tables, with as few people together again as
    a search finds; who sits out, or at a table of three, does so for the whole block. Fixed
    couples stay partners for it.
    """
    byes = ByeFairness(problem)
    rounds: list[RoundDraw] = []
    steps = 0
    for start in problem.numbers[::BLOCK_LENGTH]:
        length = min(BLOCK_LENGTH, problem.numbers.stop - start)
        rng = problem.rng(start)
        groups = byes.divide(rng, rounds=length)
        so_far = replace(problem, played=(*problem.played, *rounds), first_round=start)
        groups, taken = _mixed(so_far, groups)
        steps += taken
        rounds += [
            as_round(groups, problem.mates, partners) for partners in NORTH_SOUTH_EAST_WEST[:length]
        ]
    return tuple(rounds), steps


def _mixed(problem: Problem, groups: RoundGroups) -> tuple[RoundGroups, int]:
    """The cast at tables with as few people who met this evening as a search finds."""
    costs = PairHistory(problem).evening_costs(partner_again=0)
    board = SearchBoard([groups], problem.players, problem.mates)
    mates = mates_by_number(problem.players, problem.mates)
    rng = problem.rng(-problem.first_round)
    search = Annealing(board, costs, board.count_meetings(costs), mates, rng)
    search.run(STEPS_PER_PLAYER * len(problem.players), hottest=4.5, coldest=0.9, enough=0)
    fours, threes = board.rounds(problem.players)[0]
    return replace(groups, fours=fours, threes=threes), search.steps
