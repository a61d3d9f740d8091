"""Simulated annealing over exchanges of two people.

Whole numbers in flat lists and one long loop: a draw of many players spends its time here.
"""

from collections.abc import Mapping, Sequence
from math import log
from random import Random

from tournaments.draw.core.bye_fairness import RoundGroups, in_seat_order
from tournaments.draw.core.models import Player
from tournaments.draw.core.pair_counts import PairCosts


class SearchBoard:
    """The rounds of an evening as flat lists of slots; partners are in adjacent slots.

    `people[slot]` is the number of a player; one extra slot holds nobody. `partner`, `left` and
    `right` are the slots of the others at the table (at a table of three the partner is nobody).
    A slot may be exchanged with the `length[slot]` slots from `start[slot]`: those in its round
    at tables of the same size. For rounds with tables of three, `spans` are all slots of the
    round and `threes` those at its tables of three.
    """

    def __init__(
        self,
        groups_by_round: Sequence[RoundGroups],
        players: Sequence[Player],
        mates: Mapping[Player, Player],
    ) -> None:
        number = {player: place for place, player in enumerate(players)}
        self.nobody = len(players)
        self.people: list[int] = []
        self.partner: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.start: list[int] = []
        self.length: list[int] = []
        self.movable: list[int] = []
        self.spans: list[range] = []
        self.threes: list[range] = []
        self._coupled = bool(mates)
        self._shape = [
            (len(round_groups.fours), len(round_groups.threes)) for round_groups in groups_by_round
        ]
        slots = sum(4 * fours + 3 * threes for fours, threes in self._shape)
        for round_groups in groups_by_round:
            first = len(self.people)
            fours = [in_seat_order(four, mates, (0, 1, 2, 3)) for four in round_groups.fours]
            for size, groups in ((4, fours), (3, round_groups.threes)):
                self._add(size, [[number[player] for player in group] for group in groups], slots)
            if round_groups.threes:
                end = len(self.people)
                self.spans.append(range(first, end))
                self.threes.append(range(end - 3 * len(round_groups.threes), end))
        self.people.append(self.nobody)

    def _add(self, size: int, groups: Sequence[Sequence[int]], nobody: int) -> None:
        first = len(self.people)
        length = size * len(groups)
        for group in groups:
            s = len(self.people)
            self.people += group
            self.partner += [s + 1, s, s + 3, s + 2] if size == 4 else [nobody] * 3
            self.left += [s + 2, s + 2, s, s] if size == 4 else [s + 1, s, s]
            self.right += [s + 3, s + 3, s + 1, s + 1] if size == 4 else [s + 2, s + 2, s + 1]
        self.start += [first] * length
        self.length += [length] * length
        if size == 4 or (len(groups) > 1 and not self._coupled):
            self.movable += range(first, first + length)

    def count_meetings(self, costs: PairCosts) -> int:
        """Add everyone who sits together to the costs; returns the total cost."""
        total = 0
        for slot in range(len(self.people) - 1):
            for other in (self.partner[slot], self.left[slot], self.right[slot]):
                if slot < other < len(self.people) - 1:
                    total += self._meet(costs, slot, other)
        return total

    def _meet(self, costs: PairCosts, slot: int, other: int) -> int:
        person, mate = self.people[slot], self.people[other]
        partners = other == self.partner[slot]
        cost = (costs.pair if partners else costs.meet)[person][mate]
        step = costs.meet_step + (0 if costs.met[person][mate] else costs.again)
        for mine, yours in ((person, mate), (mate, person)):
            costs.met[mine][yours] += 1
            costs.meet[mine][yours] += step
            costs.pair[mine][yours] += step + partners * costs.pair_step
        return cost

    def rounds(self, players: Sequence[Player]) -> list[tuple[list[list[Player]], ...]]:
        """The groups of four and the groups of three of each round."""
        names = iter([players[number] for number in self.people[:-1]])
        return [
            tuple(
                [[next(names) for _ in range(size)] for _ in range(count)]
                for size, count in ((4, fours), (3, threes))
            )
            for fours, threes in self._shape
        ]


def mates_by_number(players: Sequence[Player], mates: Mapping[Player, Player]) -> list[int]:
    """The number of each player's fixed partner, or -1; the last entry is nobody's."""
    number = {player: place for place, player in enumerate(players)}
    return [*(number[mates[player]] if player in mates else -1 for player in players), -1]


BATCH = 2048
TRIES_OF_COUPLES = 4
TRIES_OF_TURNS = 128


class Annealing:
    """Improves a board in a bounded number of steps, so that results do not depend on speed.

    The board's people must have been counted in the costs; `total` is the current cost. `mates`
    are fixed partners by number: they sit next to each other and move together.
    """

    def __init__(
        self, board: SearchBoard, costs: PairCosts, total: int, mates: Sequence[int], rng: Random
    ) -> None:
        self._board = board
        self._costs = costs
        self._mates = mates
        self._rng = rng
        self._coupled = any(mate >= 0 for mate in mates)
        self._twice = sum(times > 1 for row in costs.met for times in row) // 2
        self.total = total
        self.steps = 0

    def run(self, steps: int, *, hottest: float, coldest: float, enough: int = -1) -> None:
        """Take this many steps, accepting worse ones less and less, until the total is `enough`.

        Temperatures are costs: a step that much worse is accepted about one time in three. Ends
        with the best board at the end of any batch.
        """
        if not self._board.movable or self.total <= enough:
            return
        batches = max(1, steps // BATCH)
        patience = [-log(1 - self._rng.random()) for _ in range(BATCH)]
        best, best_total = self._board.people[:], self.total
        for batch in range(batches):
            heat = hottest * (coldest / hottest) ** (batch / max(1, batches - 1))
            self._exchange([heat * factor for factor in patience])
            if self._coupled:
                self._exchange_couples([heat * factor for factor in patience[::4]])
            if len(self._board.threes) > 1:
                self._trade_turns([heat * factor for factor in patience[::TRIES_OF_TURNS]])
            self.steps += BATCH
            if self.total < best_total:
                best, best_total = self._board.people[:], self.total
            if self.total <= enough:
                break
        self._board.people[:] = best
        self.total = best_total

    def _exchange(self, limits: Sequence[float]) -> None:  # noqa: C901, PLR0912, PLR0915 - the hot loop
        board, costs, mates = self._board, self._costs, self._mates
        people, partner, left, right = board.people, board.partner, board.left, board.right
        start, length, movable = board.start, board.length, board.movable
        meet, pair, met, random = costs.meet, costs.pair, costs.met, self._rng.random
        slots, nobody, total, twice = len(movable), board.nobody, self.total, self._twice
        step, again, pair_step = costs.meet_step, costs.again, costs.pair_step
        first = step + again
        at_fours, at_threes = 2 * (3 * first + pair_step), 4 * first
        for limit in limits:
            here = movable[int(random() * slots)]
            there = start[here] + int(random() * length[here])
            here_partner, here_left, here_right = partner[here], left[here], right[here]
            if there in (here, here_partner):
                continue
            x, y = people[here], people[there]
            p, q = people[here_partner], people[partner[there]]
            if mates[x] == p or mates[y] == q:
                continue
            meet_x, meet_y, pair_x, pair_y = meet[x], meet[y], pair[x], pair[y]
            if there in (here_left, here_right):
                if p == nobody:
                    continue
                worse = (
                    pair_y[p] - meet_y[p] + pair_x[q] - meet_x[q]
                    - pair_x[p] + meet_x[p] - pair_y[q] + meet_y[q] + 2 * pair_step
                )  # fmt: skip
                if worse > limit:
                    continue
                changes: tuple[tuple[int, int, int], ...] = ()
            else:
                a, b = people[here_left], people[here_right]
                c, d = people[left[there]], people[right[there]]
                worse = (
                    pair_y[p] + meet_y[a] + meet_y[b] + pair_x[q] + meet_x[c] + meet_x[d]
                    - pair_x[p] - meet_x[a] - meet_x[b] - pair_y[q] - meet_y[c] - meet_y[d]
                    + (at_threes if p == nobody else at_fours)
                )  # fmt: skip
                if twice:
                    met_x, met_y = met[x], met[y]
                    worse -= again * (
                        (met_x[p] > 1) + (met_x[a] > 1) + (met_x[b] > 1)
                        + (met_y[q] > 1) + (met_y[c] > 1) + (met_y[d] > 1)
                    )  # fmt: skip
                if worse > limit:
                    continue
                changes = ((y, x, a), (y, x, b), (x, y, c), (x, y, d))
                if p != nobody:
                    changes += ((y, x, p), (x, y, q))
            total += worse
            people[here], people[there] = y, x
            for comes, goes, stays in changes:
                before = met[comes][stays]
                met[comes][stays] = met[stays][comes] = before + 1
                more = step if before else first
                meet[comes][stays] += more
                meet[stays][comes] += more
                pair[comes][stays] += more
                pair[stays][comes] += more
                after = met[goes][stays] - 1
                met[goes][stays] = met[stays][goes] = after
                less = step if after else first
                meet[goes][stays] -= less
                meet[stays][goes] -= less
                pair[goes][stays] -= less
                pair[stays][goes] -= less
                twice += (before == 1) - (after == 1)
            if p != nobody:
                for comes, goes, stays in ((y, x, p), (x, y, q)):
                    pair[comes][stays] += pair_step
                    pair[stays][comes] += pair_step
                    pair[goes][stays] -= pair_step
                    pair[stays][goes] -= pair_step
        self.total, self._twice = total, twice

    def _exchange_couples(self, limits: Sequence[float]) -> None:
        """Move fixed couples to other tables, as whole couples, a few times each."""
        board, mates, random = self._board, self._mates, self._rng.random
        people, partner, left, right = board.people, board.partner, board.left, board.right
        coupled = [slot for slot in board.movable if mates[people[slot]] == people[partner[slot]]]
        for limit, here in zip(limits, coupled * TRIES_OF_COUPLES, strict=False):
            there = board.start[here] + int(random() * board.length[here])
            couple, other = partner[here], partner[there]
            stays, stands = (left[here], right[here]), (left[there], right[there])
            if there in (here, couple, *stays) or people[couple] == board.nobody:
                continue
            met = [(mine, whom) for mine in (here, couple) for whom in stays]
            met += [(mine, whom) for mine in (there, other) for whom in stands]
            meets = [(mine, whom) for mine in (there, other) for whom in stays]
            meets += [(mine, whom) for mine in (here, couple) for whom in stands]
            worse = self._rise(meets, met)
            if worse > limit:
                continue
            self._meet(meets, 1)
            self._meet(met, -1)
            people[here], people[there] = people[there], people[here]
            people[couple], people[other] = people[other], people[couple]
            self.total += worse

    def _rise(self, meets: Sequence[tuple[int, int]], met: Sequence[tuple[int, int]]) -> int:
        """The change in total if these pairs of slots start, and those stop, meeting."""
        costs, people = self._costs, self._board.people
        rise = sum(costs.meet[people[mine]][people[whom]] for mine, whom in meets)
        for mine, whom in met:
            person, other = people[mine], people[whom]
            first = costs.again if costs.met[person][other] == 1 else 0
            rise -= costs.meet[person][other] - costs.meet_step - first
        return rise

    def _meet(self, slots: Sequence[tuple[int, int]], change: int) -> None:
        """Count one meeting more (1) or less (-1) for the people in these slots."""
        costs, people = self._costs, self._board.people
        for mine, whom in slots:
            person, other = people[mine], people[whom]
            before = costs.met[person][other]
            is_first = before + min(change, 0) == 0
            step = change * (costs.meet_step + (costs.again if is_first else 0))
            self._twice += (before == 1) if change > 0 else -(before == 2)
            for a, b in ((person, other), (other, person)):
                costs.met[a][b] += change
                costs.meet[a][b] += step
                costs.pair[a][b] += step

    def _trade_turns(self, limits: Sequence[float]) -> None:
        """Two people take each other's turn at a table of three, in different rounds."""
        board, rng = self._board, self._rng
        people, mates = board.people, self._mates
        for limit in limits:
            here, there = rng.sample(range(len(board.threes)), 2)
            mine, yours = rng.choice(board.threes[here]), rng.choice(board.threes[there])
            me, you = people[mine], people[yours]
            if mates[me] >= 0 or mates[you] >= 0:
                continue
            other = people.index(you, board.spans[here].start)
            back = people.index(me, board.spans[there].start)
            if other not in board.spans[here] or back not in board.spans[there]:
                continue
            if other in board.threes[here] or back in board.threes[there]:
                continue
            before = self.total
            self._change_places(mine, other)
            self._change_places(yours, back)
            if self.total - before > limit:
                self._change_places(yours, back)
                self._change_places(mine, other)

    def _change_places(self, here: int, there: int) -> None:
        """Exchange the people in two slots at different tables of a round."""
        people = self._board.people
        for slot in (here, there):
            self._count(slot, -1)
        people[here], people[there] = people[there], people[here]
        for slot in (here, there):
            self._count(slot, 1)

    def _count(self, slot: int, change: int) -> None:
        """Add (1) or remove (-1) the person in a slot at their table, with the costs."""
        board, costs, me = self._board, self._costs, self._board.people[slot]
        for whom in (board.partner[slot], board.left[slot], board.right[slot]):
            you = board.people[whom]
            if you == board.nobody:
                continue
            partners = whom == board.partner[slot]
            price = costs.pair if partners else costs.meet
            cost = price[me][you]
            self._meet([(slot, whom)], change)
            for a, b in ((me, you), (you, me)):
                costs.pair[a][b] += change * partners * costs.pair_step
            self.total += cost if change > 0 else -price[me][you]
