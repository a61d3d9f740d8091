"""The rounds of an evening as flat lists of slots, for a search that tries many exchanges."""

from collections.abc import Mapping, Sequence

from tournaments.draw.ledger import Costs
from tournaments.draw.models import Player
from tournaments.draw.seats import seated
from tournaments.draw.turns import Cast


class Board:
    """Who sits in which slot. A table of four is four slots, partners next to each other.

    `people[slot]` is the number of a player; one slot past the last holds nobody. `partner`,
    `left` and `right` are the slots of the others at the table: the partner (nobody at a table of
    three) and the two beside. A slot may be exchanged with the `length[slot]` slots from
    `start[slot]`: those of its round with as many at the table. `spans` are the slots of each
    round, `threes` those at its tables of three, for the rounds that have such tables.
    """

    def __init__(
        self, casts: Sequence[Cast], players: Sequence[Player], mates: Mapping[Player, Player]
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
        self._shape = [(len(cast.fours), len(cast.threes)) for cast in casts]
        slots = sum(4 * fours + 3 * threes for fours, threes in self._shape)
        for cast in casts:
            first = len(self.people)
            fours = [seated(four, mates, (0, 1, 2, 3)) for four in cast.fours]
            for size, groups in ((4, fours), (3, cast.threes)):
                self._add(size, [[number[who] for who in group] for group in groups], slots)
            if cast.threes:
                end = len(self.people)
                self.spans.append(range(first, end))
                self.threes.append(range(end - 3 * len(cast.threes), end))
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

    def enter(self, costs: Costs) -> int:
        """Count everybody who sits together in the costs; what all of it together costs."""
        total = 0
        for slot in range(len(self.people) - 1):
            for other in (self.partner[slot], self.left[slot], self.right[slot]):
                if slot < other < len(self.people) - 1:
                    total += self._meet(costs, slot, other)
        return total

    def _meet(self, costs: Costs, slot: int, other: int) -> int:
        one, two = self.people[slot], self.people[other]
        partners = other == self.partner[slot]
        cost = (costs.pair if partners else costs.meet)[one][two]
        step = costs.meet_step + (0 if costs.met[one][two] else costs.again)
        for mine, yours in ((one, two), (two, one)):
            costs.met[mine][yours] += 1
            costs.meet[mine][yours] += step
            costs.pair[mine][yours] += step + partners * costs.pair_step
        return cost

    def rounds(self, players: Sequence[Player]) -> list[tuple[list[list[Player]], ...]]:
        """For each round its groups at fours and its groups at threes."""
        names = iter([players[number] for number in self.people[:-1]])
        return [
            tuple(
                [[next(names) for _ in range(size)] for _ in range(count)]
                for size, count in ((4, fours), (3, threes))
            )
            for fours, threes in self._shape
        ]


def mates_by_number(players: Sequence[Player], mates: Mapping[Player, Player]) -> list[int]:
    """Everybody's fixed partner by number, -1 for who has none; and one place for nobody."""
    number = {player: place for place, player in enumerate(players)}
    return [*(number[mates[who]] if who in mates else -1 for who in players), -1]
