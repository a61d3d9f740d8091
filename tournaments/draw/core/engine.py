"""Making a draw, and the methods other than `balanced`."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tournaments.draw.core.balanced import balanced
from tournaments.draw.core.bye_fairness import ByeFairness, RoundGroups, as_round
from tournaments.draw.core.models import (
    BLOCK_LENGTH,
    Couple,
    Draw,
    Leftover,
    Method,
    Movement,
    PastEvening,
    Player,
    RoundDraw,
    ordered,
)
from tournaments.draw.core.pair_counts import (
    PairCosts,
    PairHistory,
    meeting_repeats,
    partner_repeats,
)
from tournaments.draw.core.pairs import pair_rounds, teammates_at_tables
from tournaments.draw.core.problem import (
    DrawError,
    DrawProblem,
    company_faults,
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
    movement: Movement | None = None,
    teams: Sequence[Sequence[Player]] = (),
) -> Draw:
    """Who sits where in each round; what each `method` does is said at `Method`.

    Leftover players sit out, or with `three_handed` there are as few tables of three as possible.
    Nobody sits out twice in an evening before everyone did once; over the season (`history`) those
    furthest below their share go first. `fixed` couples are partners whenever both play at tables
    of four, `apart` couples never share a table; couples with someone absent are ignored.

    Players in `stays` keep one table: where they first sat in `played`, or else where they first
    sit now. Only a fixed couple may share one. Tables are renumbered for this, in `ranked` too;
    where even pairs stay, their pairs change places with those.

    Members of one of the `teams` share no table if there is a way, but for fixed partners.

    To redraw halfway: `first_round` is the number of the first round to draw, `played` are the
    rounds before it, and `already_out` names who sat out or was missing in those, once per round.
    `max_steps` limits the search of `balanced`. The same input gives the same draw; the order of
    `players` matters only in `ranked`, that of `fixed` only in `pairs`.

    Raises `DrawError` with every fault, or `cannot_seat` if the couples make seating impossible.
    """
    couples_here, stays_here = _here(fixed, players), frozenset(stays).intersection(players)
    faults = [
        *problem_faults(players, rounds, method, leftover),
        *couple_faults(players, method, fixed, apart),
        *company_faults(rounds, method, movement, teams),
    ] or [*stay_faults(players, method, leftover, couples_here, stays_here)]
    if faults:
        raise DrawError(faults)
    movement = _movement(movement, stays_here) if method == "pairs" else movement
    in_line = movement == "even_stay"
    holders = {} if in_line else table_holders(stays_here, couples_here)
    apart_here = {ordered(*couple) for couple in _here(apart, players)} | holders_apart(holders)
    teams_here = tuple(tuple(sorted({*team}.intersection(players))) for team in teams)
    everybody = tuple(sorted(players))
    problem = DrawProblem(
        players=everybody,
        standing=tuple(players) if method == "ranked" else everybody,
        rounds=rounds,
        seed=seed,
        first_round=first_round,
        history=tuple(history),
        already_out=tuple(already_out),
        played=tuple(played),
        leftover=leftover,
        fixed=pairs_in_fixed_seats(couples_here, stays_here, played) if in_line else couples_here,
        apart=tuple(sorted(apart_here)),
        teams=tuple(team for team in teams_here if len(team) > 1),
        max_steps=max_steps,
    )
    drawn, movement, steps = _drawn_rounds(problem, method, movement)
    drawn = renumbered_for_fixed_seats(drawn, holders, played) if holders else drawn
    evening, block = (*played, *drawn), BLOCK_LENGTH if method == "rotation" else 1
    return Draw(
        rounds=drawn,
        partner_repeats=partner_repeats(evening),
        meeting_repeats=meeting_repeats(evening, block=block),
        seed=seed,
        method=method,
        steps=steps,
        movement=movement,
        team_meetings=teammates_at_tables(drawn, teams_here, couples_here) if teams else None,
    )


def _movement(movement: Movement | None, stays: Collection[Player]) -> Movement:
    """How the pairs meet; where people keep their table the program lets the even pairs stay."""
    if movement is None or (movement == "by_program" and stays):
        return "even_stay"
    return movement


def _drawn_rounds(
    problem: DrawProblem, method: Method, movement: Movement | None
) -> tuple[tuple[RoundDraw, ...], Movement | None, int]:
    """The rounds drawn by this method, how pairs meet in them, and the number of search steps."""
    if method == "pairs":
        return *pair_rounds(problem, movement or "even_stay"), 0
    if method == "ranked":
        return ranked(problem), movement, 0
    search = {"rotation": rotation, "balanced": balanced, "lottery": lottery}[method]
    drawn, steps = search(problem)
    return drawn, movement, steps


def _here(couples: Iterable[Couple], players: Iterable[Player]) -> tuple[Couple, ...]:
    """The couples with both players present, each once, in the order given."""
    here = frozenset(players)
    named = {frozenset(couple): (couple[0], couple[1]) for couple in couples}
    return tuple(couple for couple in named.values() if here.issuperset(couple))


def lottery(problem: DrawProblem) -> tuple[tuple[RoundDraw, ...], int]:
    """Each round drawn at random, independently; with teams, until no teammates share a table or a
    search finds nothing better. Also the steps of that search."""
    byes = ByeFairness(problem)
    rounds: list[RoundDraw] = []
    steps = 0
    for number in problem.numbers:
        groups = byes.divide(problem.rng(number))
        if problem.teams:
            now = replace(problem, first_round=number)
            groups, taken = _mixed(now, groups, PairHistory(now).team_costs())
            steps += taken
        rounds.append(as_round(groups, problem.mates))
    return tuple(rounds), steps


def ranked(problem: DrawProblem) -> tuple[RoundDraw, ...]:
    """One round by standing: first and fourth against second and third, table by table.

    Of those equally due to sit out or play three-handed, the lowest go first. A fixed couple sits
    where the better of the two stands; a player who must be kept from another, or is to be kept
    from a teammate, goes a table down.
    """
    rng = problem.rng(problem.first_round)
    try:
        kept = replace(problem, apart=(*problem.apart, *problem.team_couples))
        groups = ByeFairness(kept).divide(rng, by_standing=True)
    except DrawError:
        groups = ByeFairness(problem).divide(rng, by_standing=True)
    return (as_round(groups, problem.mates, partners=(0, 3, 1, 2)),)


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
        costs = PairHistory(so_far).evening_costs(partner_again=0)
        groups, taken = _mixed(so_far, groups, costs)
        steps += taken
        rounds += [
            as_round(groups, problem.mates, partners) for partners in NORTH_SOUTH_EAST_WEST[:length]
        ]
    return tuple(rounds), steps


def _mixed(problem: DrawProblem, groups: RoundGroups, costs: PairCosts) -> tuple[RoundGroups, int]:
    """The groups rearranged so that their meetings cost little."""
    board = SearchBoard([groups], problem.players, problem.mates)
    mates = mates_by_number(problem.players, problem.mates)
    rng = problem.rng(-problem.first_round)
    search = Annealing(board, costs, board.count_meetings(costs), mates, rng)
    search.run(STEPS_PER_PLAYER * len(problem.players), hottest=4.5, coldest=0.9, enough=0)
    fours, threes = board.rounds(problem.players)[0]
    return replace(groups, fours=fours, threes=threes), search.steps
