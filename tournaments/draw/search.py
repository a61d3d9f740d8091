"""A search that tries exchanges of two people and keeps what is better, or hardly worse.

It runs on whole numbers in flat lists, and in one long loop: this is the one place of the draw
where a call too many decides whether a hall waits.
"""

from collections.abc import Sequence
from math import log
from random import Random

from tournaments.draw.board import Board
from tournaments.draw.ledger import Costs

BATCH = 2048


class Search:
    """Betters a board by steps of which the number, not the time, is bounded.

    The board's people must have been entered in the costs; `total` is what they cost now. `mates`
    are fixed partners by number: they sit next to each other and move together.
    """

    def __init__(
        self, board: Board, costs: Costs, total: int, mates: Sequence[int], chance: Random
    ) -> None:
        self._board = board
        self._costs = costs
        self._mates = mates
        self._chance = chance
        self._coupled = any(mate >= 0 for mate in mates)
        self.total = total
        self.steps = 0

    def cool(self, steps: int, *, hottest: float, coldest: float, enough: int = -1) -> None:
        """So many steps, each allowed to be worse by ever less, until the total is `enough`.

        The temperatures are costs: a step that much worse is taken about once in three times.
        Ends with the best that a batch of steps ended with.
        """
        if not self._board.movable or self.total <= enough:
            return
        batches = max(1, steps // BATCH)
        patience = [-log(1 - self._chance.random()) for _ in range(BATCH)]
        best, best_total = self._board.people[:], self.total
        for batch in range(batches):
            heat = hottest * (coldest / hottest) ** (batch / max(1, batches - 1))
            self._exchange([heat * one for one in patience])
            if self._coupled:
                self._exchange_couples([heat * one for one in patience[::4]])
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
        meet, pair, random = costs.meet, costs.pair, self._chance.random
        slots, nobody, total = len(movable), board.nobody, self.total
        step, pair_step = costs.meet_step, costs.pair_step
        both_steps = step + pair_step
        at_fours, at_threes = 2 * (3 * step + pair_step), 4 * step
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
                if worse > limit:
                    continue
                changes = ((y, x, a), (y, x, b), (x, y, c), (x, y, d))
            total += worse
            people[here], people[there] = y, x
            for comes, goes, stays in changes:
                meet[comes][stays] += step
                meet[stays][comes] += step
                pair[comes][stays] += step
                pair[stays][comes] += step
                meet[goes][stays] -= step
                meet[stays][goes] -= step
                pair[goes][stays] -= step
                pair[stays][goes] -= step
            if p == nobody:
                continue
            partner_step = pair_step
            if changes:
                partner_step = both_steps
                for comes, goes, stays in ((y, x, p), (x, y, q)):
                    meet[comes][stays] += step
                    meet[stays][comes] += step
                    meet[goes][stays] -= step
                    meet[stays][goes] -= step
            for comes, goes, stays in ((y, x, p), (x, y, q)):
                pair[comes][stays] += partner_step
                pair[stays][comes] += partner_step
                pair[goes][stays] -= partner_step
                pair[stays][goes] -= partner_step
        self.total = total

    def _exchange_couples(self, limits: Sequence[float]) -> None:
        """Whole couples change tables, so that fixed ones can move at all."""
        board, meet, step = self._board, self._costs.meet, self._costs.meet_step
        people, random = board.people, self._chance.random
        for limit in limits:
            here = board.movable[int(random() * len(board.movable))]
            there = board.start[here] + int(random() * board.length[here])
            couple, other = board.partner[here], board.partner[there]
            stays = board.left[here], board.right[here]
            stands = board.left[there], board.right[there]
            if there in (here, couple, *stays) or people[couple] == board.nobody:
                continue
            movers = ((people[here], people[there]), (people[couple], people[other]))
            worse = (
                sum(
                    meet[y][people[a]]
                    - meet[x][people[a]]
                    + meet[x][people[c]]
                    - meet[y][people[c]]
                    for x, y in movers
                    for a, c in zip(stays, stands, strict=True)
                )
                + 8 * step
            )
            if worse > limit:
                continue
            self._move(movers, stays, stands)
            people[here], people[there] = people[there], people[here]
            people[couple], people[other] = people[other], people[couple]
            self.total += worse

    def _move(
        self,
        movers: Sequence[tuple[int, int]],
        stays: Sequence[int],
        stands: Sequence[int],
    ) -> None:
        people, step = self._board.people, self._costs.meet_step
        for x, y in movers:
            for comes, goes, table in ((y, x, stays), (x, y, stands)):
                for slot in table:
                    other = people[slot]
                    for one, change in ((comes, step), (goes, -step)):
                        for costs in (self._costs.meet, self._costs.pair):
                            costs[one][other] += change
                            costs[other][one] += change
