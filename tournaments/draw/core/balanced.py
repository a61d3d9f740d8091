"""The balanced draw: as few repeats as possible, this evening and all season."""

from collections import Counter
from collections.abc import Sequence

from tournaments.draw.core.bye_fairness import ByeFairness
from tournaments.draw.core.designs import design_rounds
from tournaments.draw.core.explain import least_repeats
from tournaments.draw.core.grouping import (
    Group,
    RoundGroups,
    as_round,
    in_seat_order,
    numbered_tables,
)
from tournaments.draw.core.models import Player, RoundDraw, ordered
from tournaments.draw.core.pair_counts import PairCosts, PairHistory
from tournaments.draw.core.problem import DrawProblem
from tournaments.draw.core.search import Annealing, SearchBoard, mates_by_number
from tournaments.draw.core.table_numbering import order_for_least_walking

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
    if problem.played or problem.mates or problem.apart or random_groups[0].threes:
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
