"""Making a draw, by each of the methods for people.

Of a balanced draw, tables are numbered so that people walk as little as possible.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import eq

from tournaments.draw.core.bye_fairness import (
    ByeFairness,
    Group,
    RoundGroups,
    as_round,
    in_seat_order,
    numbered_tables,
)
from tournaments.draw.core.designs import design_rounds
from tournaments.draw.core.explain import least_repeats
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


# The balanced draw: as few repeats as possible, this evening and all season.


BALANCED_STEPS_PER_PLAYER = 2500
FEWEST_STEPS = 120_000
LARGE_HALL = 64
STEPS_FOR_LARGE = 420_000
FEWER_FOR_ONE = 500
MAX_STEPS = 20_000_000


def balanced(problem: DrawProblem) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds, and the number of search steps.

    Minimises repeated partners this evening, then repeated meetings, then both over the season.
    Starts from a construction without repeats if there is one, and from random groups; the better
    result wins.
    """
    byes = ByeFairness(problem)
    random_groups = [byes.divide(problem.rng(number)) for number in problem.numbers]
    pair_history = PairHistory(problem)
    starts = [
        groups_by_round
        for groups_by_round in (designed_groups(problem, random_groups), random_groups)
        if groups_by_round
    ]
    groups_by_round, board, steps = _best_evening(problem, pair_history, starts)
    if pair_history.knows_a_season:
        steps += _better_season(problem, pair_history, board)
    return _as_rounds(problem, groups_by_round, board), steps


def _best_evening(
    problem: DrawProblem, pair_history: PairHistory, starts: Sequence[Sequence[RoundGroups]]
) -> tuple[Sequence[RoundGroups], SearchBoard, int]:
    """The start and board with fewest repeats this evening, and the search steps taken."""
    tried: list[tuple[int, Sequence[RoundGroups], SearchBoard]] = []
    steps = 0
    for start in starts:
        board = SearchBoard(start, problem.players, problem.mates)
        costs = pair_history.evening_costs()
        search = _search(problem, board, costs)
        budget = step_budget(problem) // (3 if pair_history.knows_a_season else 1)
        least = _least_cost(problem, start, costs)
        search.run(budget, hottest=1.05, coldest=0.3, enough=least)
        steps += search.steps
        tried.append((search.total, start, board))
        if search.total <= least:
            break
    _, groups_by_round, board = min(tried, key=lambda attempt: attempt[0])
    return groups_by_round, board, steps


def _least_cost(
    problem: DrawProblem, groups_by_round: Sequence[RoundGroups], costs: PairCosts
) -> int:
    """A lower bound on the cost of these rounds."""
    if problem.played:
        return 0
    rounds = [as_round(groups, problem.mates) for groups in groups_by_round]
    _, meetings = least_repeats(problem.players, rounds)
    together = Counter(
        couple for drawn in rounds for table in drawn.tables for couple in table.partners()
    )
    of_fixed = sum(costs.partners(together[ordered(*couple)]) for couple in problem.fixed)
    return max((costs.again + costs.meet_step) * meetings.repeats, of_fixed)


def _better_season(problem: DrawProblem, pair_history: PairHistory, board: SearchBoard) -> int:
    """Improve over the season; hotter with few people, whose many meetings make one more cheap."""
    search = _search(problem, board, pair_history.season_costs())
    hottest = max(0.7, 60 / len(problem.players))
    search.run(step_budget(problem), hottest=hottest, coldest=hottest / 5)
    return search.steps


def _search(problem: DrawProblem, board: SearchBoard, costs: PairCosts) -> Annealing:
    mates = mates_by_number(problem.players, problem.mates)
    rng = problem.rng(-problem.first_round)
    return Annealing(board, costs, board.count_meetings(costs), mates, rng)


def step_budget(problem: DrawProblem) -> int:
    """The maximum number of search steps: more for more rounds and in a large hall.

    In a large hall the budget falls with each player, since everything else takes longer too.
    """
    people = len(problem.players)
    for_three = max(BALANCED_STEPS_PER_PLAYER * people, FEWEST_STEPS)
    if people > LARGE_HALL:
        for_three = max(STEPS_FOR_LARGE - FEWER_FOR_ONE * people, FEWEST_STEPS)
    return min(problem.max_steps or MAX_STEPS, for_three * max(3, problem.rounds) ** 2 // 9)


def _as_rounds(
    problem: DrawProblem, groups_by_round: Sequence[RoundGroups], board: SearchBoard
) -> tuple[RoundDraw, ...]:
    drawn: list[RoundDraw] = []
    before = _groups(problem.played[-1]) if problem.played else []
    for groups, (fours, threes) in zip(groups_by_round, board.rounds(problem.players), strict=True):
        partnered = [in_seat_order(four, problem.mates, (0, 1, 2, 3)) for four in fours]
        at_fours = order_for_least_walking(partnered, before)
        at_threes = order_for_least_walking(threes, before[len(fours) :])
        drawn.append(RoundDraw(numbered_tables(at_fours, at_threes), groups.out))
        before = [*at_fours, *at_threes]
    return tuple(drawn)


def _groups(drawn: RoundDraw) -> list[Group]:
    return [
        [table.seats[seat] for seat in ("N", "S", "E", "W") if seat in table.seats]
        for table in drawn.tables
    ]


Rounds = Sequence[Sequence[tuple[int, int, int, int]]]


def designed_groups(
    problem: DrawProblem, random_groups: Sequence[RoundGroups]
) -> list[RoundGroups]:
    """The rounds of a construction with players assigned at random; empty if none fits.

    None fits with tables of three. Who sits out in each round is taken from the random groups.
    """
    if problem.played or problem.mates or problem.apart or problem.teams or random_groups[0].threes:
        return []
    rounds = design_rounds(len(problem.players), problem.rounds)
    player_of = _named(problem, rounds, random_groups) if rounds else {}
    if not rounds or not player_of:
        return []
    return [
        RoundGroups(groups.out, [[player_of[place] for place in table] for table in tables], [])
        for tables, groups in zip(rounds, random_groups, strict=True)
    ]


def _named(
    problem: DrawProblem, rounds: Rounds, random_groups: Sequence[RoundGroups]
) -> dict[int, Player]:
    """The player for each number of the construction; empty if its byes do not match."""
    people = range(len(problem.players))
    resting = [
        place
        for tables in rounds
        for place in sorted({*people}.difference(*tables))
        if any(groups.out for groups in random_groups)
    ]
    out = [player for groups in random_groups for player in groups.out]
    if len({*resting}) < len(resting) or len({*out}) < len(out) or len(resting) != len(out):
        return {}
    player_of = dict(zip(resting, out, strict=True))
    others = [player for player in problem.players if player not in out]
    problem.rng(problem.first_round).shuffle(others)
    places = [place for place in people if place not in player_of]
    return player_of | dict(zip(places, others, strict=True))


SAME_PAIRS = (
    (0, 1, 2, 3), (0, 1, 3, 2), (1, 0, 2, 3), (1, 0, 3, 2),
    (2, 3, 0, 1), (2, 3, 1, 0), (3, 2, 0, 1), (3, 2, 1, 0),
)  # fmt: skip
"""The orders N, S, E, W of four people that keep their partners."""


def order_for_least_walking(groups: Sequence[Group], before: Sequence[Group]) -> list[Group]:
    """The groups ordered so that at as many tables as possible somebody stays.

    `before` are the groups of the previous round by table; both in the order N, S, E, W. A player
    who stays also keeps their seat if their partner allows it.
    """
    table_of = {player: table for table, group in enumerate(before) for player in group}
    wishes = [_wishes(group, table_of, len(groups)) for group in groups]
    taken = _matched(wishes)
    rest = iter(sorted({*range(len(groups))} - taken.keys()))
    at = {group: table for table, group in taken.items()}
    placed = sorted(range(len(groups)), key=lambda group: at[group] if group in at else next(rest))
    return [
        _seats_kept(groups[group], before[table] if table < len(before) else [])
        for table, group in enumerate(placed)
    ]


def _wishes(group: Group, table_of: Mapping[Player, int], tables: int) -> list[int]:
    """The tables where members of the group sat, most members first."""
    sat_at = Counter(table_of[player] for player in group if player in table_of)
    return [table for table, _ in sat_at.most_common() if table < tables]


def _matched(wishes: Sequence[Sequence[int]]) -> dict[int, int]:
    """The group for each table, a maximum matching of groups to wished tables."""
    taken: dict[int, int] = {}
    for group in sorted(range(len(wishes)), key=lambda group: len(wishes[group])):
        _take(group, wishes, taken)
    return taken


def _take(group: int, wishes: Sequence[Sequence[int]], taken: dict[int, int]) -> bool:
    """Give a group a wished table along an augmenting path, moving other groups if needed."""
    came_from: dict[int, int] = {}
    queue = [group]
    for asking in queue:
        for table in wishes[asking]:
            if table in came_from:
                continue
            came_from[table] = asking
            if table not in taken:
                _hand_on(table, group, came_from, taken)
                return True
            queue.append(taken[table])
    return False


def _hand_on(table: int, group: int, came_from: dict[int, int], taken: dict[int, int]) -> None:
    holds = {holder: held for held, holder in taken.items()}
    while True:
        asking = came_from[table]
        taken[table] = asking
        if asking == group:
            return
        table = holds[asking]


def _seats_kept(group: Group, before: Group) -> Group:
    if len(group) < 4:
        return group
    return max(
        ([group[place] for place in places] for places in SAME_PAIRS),
        key=lambda seats: sum(map(eq, seats, before)),
    )
