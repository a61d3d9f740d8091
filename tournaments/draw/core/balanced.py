"""The balanced draw: with as few people together again as possible, tonight and all season."""

from collections import Counter
from collections.abc import Sequence

from tournaments.draw.core.bye_fairness import Turns
from tournaments.draw.core.designs import design_rounds
from tournaments.draw.core.explain import least_repeats
from tournaments.draw.core.grouping import Cast, Group, as_drawn, numbered, seated
from tournaments.draw.core.models import Player, RoundDraw, ordered
from tournaments.draw.core.pair_costs import Costs, Ledger
from tournaments.draw.core.problem import Request
from tournaments.draw.core.search import Board, Search, mates_by_number
from tournaments.draw.core.table_numbering import ordered_to_stay

STEPS_FOR_ONE = 2500
FEWEST_STEPS = 120_000
LARGE_HALL = 64
STEPS_FOR_LARGE = 420_000
FEWER_FOR_ONE = 500
MOST_STEPS = 20_000_000


def balanced(request: Request) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds asked for, and how many steps the search for them took.

    Fewest times the same partner this evening, then fewest times together at a table, then both
    over the season. It starts from a construction without repeats where there is one, else from
    chance; whichever comes out better is taken.
    """
    turns = Turns(request)
    by_chance = [turns.cast(request.chance(number)) for number in request.numbers]
    ledger = Ledger(request)
    starts = [casts for casts in (designed_casts(request, by_chance), by_chance) if casts]
    casts, board, steps = _best_evening(request, ledger, starts)
    if ledger.knows_a_season:
        steps += _better_season(request, ledger, board)
    return _as_rounds(request, casts, board), steps


def _best_evening(
    request: Request, ledger: Ledger, starts: Sequence[Sequence[Cast]]
) -> tuple[Sequence[Cast], Board, int]:
    """The start and the board with the fewest repeats tonight, and the steps taken to find it."""
    tried: list[tuple[int, Sequence[Cast], Board]] = []
    steps = 0
    for start in starts:
        board = Board(start, request.players, request.mates)
        costs = ledger.of_the_evening()
        search = _search(request, board, costs)
        steps_here = effort(request) // (3 if ledger.knows_a_season else 1)
        least = _least_cost(request, start, costs)
        search.cool(steps_here, hottest=1.05, coldest=0.3, enough=least)
        steps += search.steps
        tried.append((search.total, start, board))
        if search.total <= least:
            break
    _, casts, board = min(tried, key=lambda found: found[0])
    return casts, board, steps


def _least_cost(request: Request, casts: Sequence[Cast], costs: Costs) -> int:
    """What these rounds cost at least, as far as is known."""
    if request.played:
        return 0
    rounds = [as_drawn(cast, request.mates) for cast in casts]
    _, meetings = least_repeats(request.players, rounds)
    together = Counter(
        couple for drawn in rounds for table in drawn.tables for couple in table.partners()
    )
    of_fixed = sum(costs.partners(together[ordered(*couple)]) for couple in request.fixed)
    return max((costs.again + costs.meet_step) * meetings.repeats, of_fixed)


def _better_season(request: Request, ledger: Ledger, board: Board) -> int:
    """Start hotter with few people, who met so often that one time more weighs little."""
    search = _search(request, board, ledger.of_the_season())
    hottest = max(0.7, 60 / len(request.players))
    search.cool(effort(request), hottest=hottest, coldest=hottest / 5)
    return search.steps


def _search(request: Request, board: Board, costs: Costs) -> Search:
    mates = mates_by_number(request.players, request.mates)
    chance = request.chance(-request.first_round)
    return Search(board, costs, board.enter(costs), mates, chance)


def effort(request: Request) -> int:
    """How many steps a search may take: more for more than three rounds, and in a large hall.

    Beyond that fewer for more people, because everything else takes longer then.
    """
    people = len(request.players)
    for_three = max(STEPS_FOR_ONE * people, FEWEST_STEPS)
    if people > LARGE_HALL:
        for_three = max(STEPS_FOR_LARGE - FEWER_FOR_ONE * people, FEWEST_STEPS)
    return min(request.most_steps or MOST_STEPS, for_three * max(3, request.rounds) ** 2 // 9)


def _as_rounds(request: Request, casts: Sequence[Cast], board: Board) -> tuple[RoundDraw, ...]:
    drawn: list[RoundDraw] = []
    before = _groups(request.played[-1]) if request.played else []
    for cast, (fours, threes) in zip(casts, board.rounds(request.players), strict=True):
        partnered = [seated(four, request.mates, (0, 1, 2, 3)) for four in fours]
        at_fours = ordered_to_stay(partnered, before)
        at_threes = ordered_to_stay(threes, before[len(fours) :])
        drawn.append(RoundDraw(numbered(at_fours, at_threes), cast.out))
        before = [*at_fours, *at_threes]
    return tuple(drawn)


def _groups(drawn: RoundDraw) -> list[Group]:
    return [
        [table.seats[seat] for seat in ("N", "S", "E", "W") if seat in table.seats]
        for table in drawn.tables
    ]


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
