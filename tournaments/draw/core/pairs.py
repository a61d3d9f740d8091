"""How fixed pairs meet: even pairs staying, Howell, by lot, or by standing; who sits out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from tournaments.draw.core.bye_fairness import (
    group_players,
    numbered_tables,
    rounds_missed,
    turns_owed,
)
from tournaments.draw.core.models import TABLE_SIZE, Couple, Movement, Player, RoundDraw
from tournaments.draw.core.problem import DrawError, DrawFault, DrawProblem

Meeting = tuple[Couple, Couple]
Cost = Callable[[Couple, Couple], int]

NEVER = 10**9
TEAMMATES = 10**6
EXACT_PAIRS = 8
"""Up to this many pairs the cheapest meetings of a round are found by trying all."""
TRIES, TRIES_IN_A_HALL = 40, 4
LOOK_AHEAD = 2
CHOICE_OF_PROGRAM: tuple[Movement, ...] = ("even_stay", "howell", "lot")


@dataclass(frozen=True)
class PairRound:
    """One round of pairs: the meetings by table, and the pair that sits out."""

    meetings: tuple[Meeting, ...]
    resting: Couple | None

    def foursomes(self) -> Iterator[frozenset[Player]]:
        """The four people of each table."""
        for staying, moving in self.meetings:
            yield frozenset(staying + moving)

    def drawn(self) -> RoundDraw:
        """The round with its seats: who stays is North and South."""
        fours = [[*staying, *moving] for staying, moving in self.meetings]
        return RoundDraw(numbered_tables(fours, []), tuple(sorted(self.resting or ())))


def pair_rounds(problem: DrawProblem, movement: Movement) -> tuple[tuple[RoundDraw, ...], Movement]:
    """Rounds of fixed pairs, numbered from 1 in the order given, and the movement used.

    - `even_stay`: even pairs stay, odd pairs move up a table;
    - `howell`: all but one move, so that everybody meets everybody before anybody twice;
    - `by_program`: of these two, and of a search, the one that puts fewest teammates and then
      fewest repeats at a table;
    - `lot`: each round at random, with as few teammates and repeats as a search finds;
    - `by_standing`: pairs in the order given: first against second, third against fourth.

    With an odd number one pair sits out, nobody twice before everybody once this evening; then the
    one furthest below its share of the season; then by chance with `lot`, the last with
    `by_standing`, otherwise the one that leaves fewest repeats. Raises `DrawError` `cannot_seat` if
    an apart couple would meet.
    """
    if movement != "by_program":
        rounds = MOVEMENTS_BY_NAME[movement](problem)
        if not rounds or not _is_allowed(problem, rounds):
            raise DrawError([DrawFault("cannot_seat")])
        return tuple(each.drawn() for each in rounds), movement
    best: tuple[tuple[int, int], Movement, list[PairRound]] | None = None
    for name in CHOICE_OF_PROGRAM:
        rounds = MOVEMENTS_BY_NAME[name](problem)
        if not rounds or not _is_allowed(problem, rounds):
            continue
        score = _score(problem, rounds)
        if best is None or score < best[0]:
            best = score, name, rounds
        if best[0] == (0, 0):
            break
    if best is None:
        raise DrawError([DrawFault("cannot_seat")])
    _, chosen, rounds = best
    return tuple(each.drawn() for each in rounds), chosen


def _is_allowed(problem: DrawProblem, rounds: Sequence[PairRound]) -> bool:
    """Whether no couple that is kept apart meets."""
    return not any(
        four.issuperset(couple)
        for each in rounds
        for four in each.foursomes()
        for couple in problem.apart
    )


def _score(problem: DrawProblem, rounds: Sequence[PairRound]) -> tuple[int, int]:
    """How many meetings are of teammates, and how many are repeats this evening."""
    cost = _Meetings(problem)
    teammates = again = 0
    for each in rounds:
        teammates += sum(cost.are_teammates(*meeting) for meeting in each.meetings)
        again += sum(min(1, cost.met[four]) for four in each.foursomes())
        cost.met.update(each.foursomes())
    return teammates, again


class _Meetings:
    """What it costs to let two pairs meet, as far as the evening is drawn."""

    def __init__(self, problem: DrawProblem) -> None:
        self._apart = problem.apart_from
        self._team = {
            player: number for number, team in enumerate(problem.teams) for player in team
        }
        self.met = Counter(
            frozenset(table.people()) for drawn in problem.played for table in drawn.tables
        )

    def are_teammates(self, pair: Couple, other: Couple) -> bool:
        """Whether somebody of the one pair is in a team with somebody of the other."""
        teams = {self._team[player] for player in pair if player in self._team}
        return any(self._team.get(player) in teams for player in other)

    def __call__(self, pair: Couple, other: Couple) -> int:
        apart = any(player in self._apart.get(mine, ()) for mine in pair for player in other)
        return (
            NEVER * apart
            + TEAMMATES * self.are_teammates(pair, other)
            + self.met[frozenset(pair + other)]
        )


class PairTurns:
    """Which pairs sat out this evening, and which are due."""

    def __init__(self, problem: DrawProblem) -> None:
        self._line = problem.fixed
        self._out = Counter(problem.already_out) + rounds_missed(problem.players, problem.played)
        self._owed = turns_owed(
            problem.players, problem.history, [past.sat_out for past in problem.history]
        )

    def times(self, pair: Couple) -> int:
        """How often this pair sat out this evening."""
        return max(self._out[player] for player in pair)

    def next(self, tie: Callable[[Couple], float]) -> Couple | None:
        """The pair that sits out: of those most due the first with the lowest `tie`; None with an
        even number of pairs."""
        if len(self._line) % 2 == 0:
            return None
        return min(reversed(self._line), key=lambda pair: (*self._due(pair), tie(pair)))

    def in_turn(self) -> list[Couple]:
        """The pairs, the most due first; of equals the last."""
        last_first = [*self._line][::-1]
        return sorted(last_first, key=self._due)

    def count(self, resting: Couple | None) -> None:
        """Record who sits out in a round."""
        self._out.update(resting or ())

    def _due(self, pair: Couple) -> tuple[int, float]:
        return self.times(pair), -float(sum(self._owed[player] for player in pair))


def _even_stay(problem: DrawProblem) -> list[PairRound]:
    """Even pairs stay, odd pairs move up one table, from the last to the first.

    In the first round pairs 1 and 2 are at table 1, 3 and 4 at table 2. With an odd number the last
    pair takes the place of the one that sits out.
    """
    turns, cost = PairTurns(problem), _Meetings(problem)
    rounds: list[PairRound] = []

    def seated(number: int, resting: Couple | None) -> PairRound:
        return PairRound(_moved_up(problem.fixed, number, resting), resting)

    def repeats(number: int, resting: Couple) -> int:
        return sum(cost.met[four] for four in seated(number, resting).foursomes())

    for number in problem.numbers:
        each = seated(number, turns.next(lambda pair: repeats(number, pair)))  # noqa: B023 - at once
        cost.met.update(each.foursomes())
        turns.count(each.resting)
        rounds.append(each)
    return rounds


def _moved_up(line: Sequence[Couple], number: int, resting: Couple | None) -> tuple[Meeting, ...]:
    """The meetings by table: the even pair, which stays, and the odd pair that comes to it."""
    placed = [line[-1] if pair == resting else pair for pair in line]
    odd, even = placed[0 : len(line) // 2 * 2 : 2], placed[1::2]
    moved = (number - 1) % len(even)
    return tuple(zip(even, odd[-moved:] + odd[:-moved] if moved else odd, strict=True))


def _howell(problem: DrawProblem) -> list[PairRound]:
    """Everybody meets everybody: all pairs move along a ring.

    With an even number pair 2 stays at table 1, and the first round is 1 against 2, 3 against 4 …
    Empty if somebody would sit out twice before everybody did once.
    """
    line, turns = problem.fixed, PairTurns(problem)
    rounds: list[PairRound] = []
    if len(line) % 2 == 0:
        around = [line[0], *line[3::2], *reversed(line[2::2])]
        for number in problem.numbers:
            ring = _turned(around, number - 1)
            across = _across(ring[1:], len(line) // 2 - 1)
            rounds.append(PairRound(((line[1], ring[0]), *across), None))
        return rounds
    due = turns.in_turn()
    # Turned by one each round, the ring lets those who are due first sit out first.
    order = [due[-place % len(due)] for place in range(len(due))]
    for moved in range(problem.rounds):
        ring = _turned(order, moved)
        if turns.times(ring[0]) > min(turns.times(pair) for pair in line):
            return []
        rounds.append(PairRound(tuple(_across(ring[1:], len(line) // 2)), ring[0]))
        turns.count(ring[0])
    return rounds


def _across(ring: Sequence[Couple], tables: int) -> list[Meeting]:
    return [*zip(ring, reversed(ring), strict=True)][:tables]


def _turned(ring: Sequence[Couple], places: int) -> list[Couple]:
    by = places % len(ring)
    return [*ring[-by:], *ring[:-by]] if by else [*ring]


def _by_lot(problem: DrawProblem) -> list[PairRound]:
    """The best of some drawings by lot: fewest teammates at a table, then fewest repeats, then
    fewest in rounds still to be drawn."""
    ahead = LOOK_AHEAD if len(problem.fixed) <= EXACT_PAIRS else 0
    tries = TRIES if len(problem.fixed) <= 3 * EXACT_PAIRS else TRIES_IN_A_HALL
    best: tuple[tuple[tuple[int, int], tuple[int, int]], list[PairRound]] | None = None
    for attempt in range(tries):
        rounds = _drawn_by_lot(problem, attempt, ahead)
        drawn = rounds[: problem.rounds]
        score = (
            _score(problem, drawn) if _is_allowed(problem, drawn) else (NEVER, NEVER),
            _score(problem, rounds),
        )
        if best is None or score < best[0]:
            best = score, drawn
        if score == ((0, 0), (0, 0)):
            break
    return best[1] if best else []


def _drawn_by_lot(problem: DrawProblem, attempt: int, ahead: int) -> list[PairRound]:
    turns, cost = PairTurns(problem), _Meetings(problem)
    rounds: list[PairRound] = []
    for number in range(problem.first_round, problem.numbers.stop + ahead):
        rng = Random(f"{problem.seed}:{number}:{attempt}")  # noqa: S311 - a draw must be repeatable
        resting = turns.next(lambda pair: rng.random())  # noqa: B023 - at once
        pairs = [pair for pair in problem.fixed if pair != resting]
        rng.shuffle(pairs)
        each = PairRound(tuple(cheapest_meetings(pairs, cost)), resting)
        cost.met.update(each.foursomes())
        turns.count(resting)
        rounds.append(each)
    return rounds


def cheapest_meetings(pairs: Sequence[Couple], cost: Cost) -> list[Meeting]:
    """An even number of pairs divided into meetings that cost little together; of equally cheap
    divisions one that depends on the order of the pairs."""
    if len(pairs) <= EXACT_PAIRS:
        return _cheapest(pairs, cost)
    return _improved([*zip(pairs[::2], pairs[1::2], strict=True)], cost)


def _cheapest(pairs: Sequence[Couple], cost: Cost) -> list[Meeting]:
    """The cheapest of all divisions."""
    costs = {
        (one, two): cost(pairs[one], pairs[two])
        for one in range(len(pairs))
        for two in range(one + 1, len(pairs))
    }

    @cache
    def best(left: frozenset[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        if not left:
            return 0, ()
        one = min(left)
        found: tuple[int, tuple[tuple[int, int], ...]] | None = None
        for two in sorted(left - {one}):
            rest, meetings = best(left - {one, two})
            total = rest + costs[one, two]
            if found is None or total < found[0]:
                found = total, ((one, two), *meetings)
        assert found is not None  # noqa: S101 - an even number of pairs is left
        return found

    return [(pairs[one], pairs[two]) for one, two in best(frozenset(range(len(pairs))))[1]]


def _improved(meetings: list[Meeting], cost: Cost) -> list[Meeting]:
    """The meetings after exchanging pairs between tables as long as that is cheaper."""
    costs = [cost(*meeting) for meeting in meetings]
    better = True
    while better:
        better = False
        for here, price in enumerate(costs):
            if price and _exchange(meetings, costs, here, cost):
                better = True
    return meetings


def _exchange(meetings: list[Meeting], costs: list[int], here: int, cost: Cost) -> bool:
    """Exchange pairs with the table where that is cheapest; returns whether it was cheaper."""
    one, two = meetings[here]
    gains: list[tuple[int, int, Meeting, Meeting]] = []
    for there, (three, four) in enumerate(meetings):
        if there == here:
            continue
        for mine, yours in (((one, three), (two, four)), ((one, four), (three, two))):
            change = cost(*mine) + cost(*yours) - costs[here] - costs[there]
            if change < 0:
                gains.append((change, there, mine, yours))
    if not gains:
        return False
    _, there, mine, yours = min(gains)
    meetings[here], meetings[there] = mine, yours
    costs[here], costs[there] = cost(*mine), cost(*yours)
    return True


def _by_standing(problem: DrawProblem) -> list[PairRound]:
    """First against second, third against fourth; a pair that may not meet the next one, or would
    meet teammates, goes a table down. Empty if nothing works."""
    turns = PairTurns(problem)
    resting = turns.next(lambda pair: 0)
    order = [player for pair in problem.fixed if pair != resting for player in pair]
    for teams in (problem.team_couples, ()):
        kept = replace(problem, apart=(*problem.apart, *teams))
        fours = group_players(order, TABLE_SIZE, problem.mates, kept.apart_from)
        if fours:
            meetings = (((one, two), (three, four)) for one, two, three, four in fours)
            return [PairRound(tuple(meetings), resting)]
    return []


MOVEMENTS_BY_NAME: Mapping[Movement, Callable[[DrawProblem], list[PairRound]]] = {
    "even_stay": _even_stay,
    "howell": _howell,
    "lot": _by_lot,
    "by_standing": _by_standing,
}


def teammates_at_tables(
    rounds: Collection[RoundDraw], teams: Sequence[Collection[Player]], fixed: Sequence[Couple]
) -> int:
    """At how many tables teammates sit together who are not a fixed pair, over these rounds."""
    couples = {frozenset(couple) for couple in fixed}
    return sum(
        any(_together(table.people(), team, couples) for team in teams)
        for drawn in rounds
        for table in drawn.tables
    )


def _together(
    people: Collection[Player], team: Collection[Player], couples: Collection[frozenset[Player]]
) -> bool:
    here = {*people}.intersection(team)
    return len(here) > 1 and here not in couples
