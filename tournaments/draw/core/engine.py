"""Making a draw, and the methods other than `balanced`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tournaments.draw.core.balanced import balanced
from tournaments.draw.core.bye_fairness import ByeFairness, rounds_missed, turns_owed
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
from tournaments.draw.core.pair_counts import PairHistory, meeting_repeats, partner_repeats
from tournaments.draw.core.problem import (
    DrawError,
    DrawFault,
    DrawProblem,
    couple_faults,
    holders_apart,
    pairs_in_fixed_seats,
    problem_faults,
    renumbered_for_fixed_seats,
    stay_faults,
    table_holders,
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
    """Who sits where in each round.

    - `rotation` keeps tables together for blocks of three rounds counted from `first_round`; each
      player has each of the other three as partner once;
    - `lottery` draws each round at random;
    - `balanced` repeats as few partners and meetings as possible, this evening first, then over
      the season;
    - `ranked` puts the first four of `players` at table 1, first and fourth as partners;
    - `pairs`: `fixed` names everyone once; even pairs stay, odd pairs move up a table.

    Leftover players sit out, or with `three_handed` there are as few tables of three as possible.
    Nobody sits out twice in an evening before everyone did once; over the season (`history`) those
    furthest below their share go first. `fixed` couples are partners whenever both play at tables
    of four, `apart` couples never share a table; couples with someone absent are ignored.

    Players in `stays` keep one table: where they first sat in `played`, or else where they first
    sit now. Only a fixed couple may share one. Tables are renumbered for this, in `ranked` too, so
    that the first four may not be at table 1; in `pairs` their pairs change places with pairs that
    stay.

    To redraw halfway through an evening: `first_round` is the number of the first round to draw,
    `played` are the rounds before it, and `already_out` names who sat out in those, once per round;
    missing one counts as sitting out. `max_steps` limits the search of `balanced`. The same input
    gives the same draw, and the order of `players` matters only in `ranked`.

    Raises `DrawError` with every fault, or `cannot_seat` if the couples make seating impossible.
    """
    couples_here, stays_here = _here(fixed, players), frozenset(stays).intersection(players)
    faults = [
        *problem_faults(players, rounds, method, leftover),
        *couple_faults(players, method, fixed, apart),
    ]
    faults = faults or [*stay_faults(players, method, leftover, couples_here, stays_here)]
    if faults:
        raise DrawError(faults)
    in_pairs = method == "pairs"
    holders = {} if in_pairs else table_holders(stays_here, couples_here)
    apart_here = {ordered(*couple) for couple in _here(apart, players)} | holders_apart(holders)
    line = pairs_in_fixed_seats(couples_here, stays_here, played) if in_pairs else couples_here
    problem = DrawProblem(
        players=tuple(sorted(players)),
        standing=tuple(players) if method == "ranked" else tuple(sorted(players)),
        rounds=rounds,
        seed=seed,
        first_round=first_round,
        history=tuple(history),
        already_out=tuple(already_out),
        played=tuple(played),
        leftover=leftover,
        fixed=line,
        apart=tuple(sorted(apart_here)),
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


def _drawn_rounds(problem: DrawProblem, method: Method) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds drawn by this method, and the number of search steps."""
    if method in ("rotation", "balanced"):
        return (rotation if method == "rotation" else balanced)(problem)
    return {"lottery": lottery, "ranked": ranked, "pairs": pairs}[method](problem), 0


def _here(couples: Iterable[Couple], players: Iterable[Player]) -> tuple[Couple, ...]:
    """The couples with both players present, each once, in the order given."""
    here = frozenset(players)
    named = {frozenset(couple): (couple[0], couple[1]) for couple in couples}
    return tuple(couple for couple in named.values() if here.issuperset(couple))


def lottery(problem: DrawProblem) -> tuple[RoundDraw, ...]:
    """Each round drawn at random, independently."""
    byes = ByeFairness(problem)
    return tuple(
        as_round(byes.divide(problem.rng(number)), problem.mates) for number in problem.numbers
    )


def ranked(problem: DrawProblem) -> tuple[RoundDraw, ...]:
    """One round by standing: first and fourth against second and third, table by table.

    Of those equally due to sit out or play three-handed, the lowest go first. A fixed couple sits
    where the better of the two stands; a player who must be kept from another goes a table down.
    """
    groups = ByeFairness(problem).divide(problem.rng(problem.first_round), by_standing=True)
    return (as_round(groups, problem.mates, partners=(0, 3, 1, 2)),)


Meeting = tuple[Couple, Couple]


def pairs(problem: DrawProblem) -> tuple[RoundDraw, ...]:
    """Rounds of fixed pairs, numbered from 1 in the order given.

    In the first round pairs 1 and 2 are at table 1, 3 and 4 at table 2. With an odd number one
    pair sits out and the last pair takes its place: the pair with fewest turns this evening, then
    the one furthest below its share of the season, then the one that leaves fewest repeated
    meetings, then the last. Raises `DrawError` `cannot_seat` if an apart couple would meet.
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
    """The meetings by table: the even pair, which stays, and the odd pair that comes to it."""
    placed = [line[-1] if pair == resting else pair for pair in line]
    odd, even = placed[0 : len(line) // 2 * 2 : 2], placed[1::2]
    moved = (number - 1) % len(even)
    return list(zip(even, odd[-moved:] + odd[:-moved] if moved else odd, strict=True))


class _PairTurns:
    """Which pairs sat out, and who met whom, this evening."""

    def __init__(self, problem: DrawProblem) -> None:
        self._line = problem.fixed
        self._out = Counter(problem.already_out) + rounds_missed(problem.players, problem.played)
        self._owed = turns_owed(
            problem.players, problem.history, [past.sat_out for past in problem.history]
        )
        self._met = Counter(
            frozenset(table.people()) for drawn in problem.played for table in drawn.tables
        )

    def next(self, number: int) -> Couple | None:
        """The pair that sits out in this round; None with an even number of pairs."""
        if len(self._line) % 2 == 0:
            return None
        return min(reversed(self._line), key=lambda pair: self._turn(number, pair))

    def count(self, meetings: Sequence[Meeting], resting: Couple | None) -> None:
        """Record a drawn round."""
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
"""Which of a table's four sit N, S, E, W in each round of a block."""

STEPS_PER_PLAYER = 1500


def rotation(problem: DrawProblem) -> tuple[tuple[RoundDraw, ...], int]:
    """Rounds in blocks of three, counted from the first one drawn, and the search steps.

    The last block may be shorter. Each block has new tables with as few repeated meetings as a
    search can find. Sitting out, playing three-handed and fixed couples last a whole block.
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


def _mixed(problem: DrawProblem, groups: RoundGroups) -> tuple[RoundGroups, int]:
    """The groups rearranged so that as few people as possible meet again this evening."""
    costs = PairHistory(problem).evening_costs(partner_again=0)
    board = SearchBoard([groups], problem.players, problem.mates)
    mates = mates_by_number(problem.players, problem.mates)
    rng = problem.rng(-problem.first_round)
    search = Annealing(board, costs, board.count_meetings(costs), mates, rng)
    search.run(STEPS_PER_PLAYER * len(problem.players), hottest=4.5, coldest=0.9, enough=0)
    fours, threes = board.rounds(problem.players)[0]
    return replace(groups, fours=fours, threes=threes), search.steps
