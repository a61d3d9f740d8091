"""The balanced draw: as few repeats as possible, this evening and all season.

Tables are numbered so that people walk as little as possible.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
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
from tournaments.draw.core.models import Player, RoundDraw, ordered
from tournaments.draw.core.pair_counts import PairCosts, PairHistory
from tournaments.draw.core.problem import DrawProblem
from tournaments.draw.core.search import Annealing, SearchBoard, mates_by_number

STEPS_PER_PLAYER = 2500
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
    for_three = max(STEPS_PER_PLAYER * people, FEWEST_STEPS)
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
