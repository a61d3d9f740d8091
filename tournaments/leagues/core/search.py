"""Days of groups of four for the numbers of teams that no construction covers.

A search by exchanges, counted in steps: the same number of teams gives the same days.
"""

import math
import random
from collections.abc import Collection
from itertools import combinations
from typing import Final

Numbered = list[tuple[int, ...]]
"""The groups of a day; teams are numbers from 0."""

_STEPS: Final = 200_000
_HOTTEST: Final = 0.7
_COLDEST: Final = 0.12
_WANTED: Final = 0.3
"""How often an exchange is chosen because two teams have not met."""
_APART: Final = 4
"""What it costs that two teams of one club meet after the first day, in missing meetings."""


def search_days(count: int, apart: Collection[tuple[int, ...]] = ()) -> list[Numbered]:
    """The fewest days that the search finds in which everybody meets everybody, but for who is
    `apart`: pairs of numbers, the lower first. Each day has as few groups of three as can be; with
    five teams one has a bye.

    Two who are apart meet on the first day if at all, as far as that can be.
    """
    days = max(math.ceil((count - 1) / 3), _least_days(count, apart))
    while True:
        search = _Search(count, days, apart, random.Random(days))  # noqa: S311
        search.run(_STEPS)
        if not search.missing:
            return search.groups()
        days += 1


def group_sizes(count: int) -> list[int]:
    """The sizes of a day's groups; one of 1 is a bye.

    >>> group_sizes(14), group_sizes(5)
    ([4, 4, 3, 3], [4, 1])
    """
    if count == 5:
        return [4, 1]
    threes = -count % 4
    return [4] * ((count - 3 * threes) // 4) + [3] * threes


def _least_days(count: int, apart: Collection[tuple[int, ...]]) -> int:
    """Days whose meetings are enough; with five teams two days never are, for who has a bye on one
    of them does not meet who has it on the other."""
    if count == 5:
        return 3
    a_day = sum(size * (size - 1) // 2 for size in group_sizes(count))
    return math.ceil((count * (count - 1) // 2 - len(apart)) / a_day)


class _Search:
    """Days under change. `missing` counts who still has to meet, and who must not and does."""

    def __init__(
        self,
        count: int,
        days: int,
        apart: Collection[tuple[int, ...]],
        chance: random.Random,
    ) -> None:
        self._count, self._chance = count, chance
        sizes = group_sizes(count)
        starts = [sum(sizes[:place]) for place in range(len(sizes))]
        self._spans = [
            tuple(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)
        ]
        self._span_of = [span for span in self._spans for _ in span]
        self._apart: list[set[int]] = [set() for _ in range(count)]
        for one, two in apart:
            self._apart[one].add(two)
            self._apart[two].add(one)
        self._met = [[0] * count for _ in range(count)]
        self._days = [self._first_day(number) for number in range(days)]
        self._places = [[day.index(team) for team in range(count)] for day in self._days]
        for number, day in enumerate(self._days):
            for span in self._spans:
                for one, two in combinations(span, 2):
                    self._count_meeting(number, day[one], day[two], 1)
        self.missing = sum(self._cost(one, two) for one, two in combinations(range(count), 2))

    def _first_day(self, number: int) -> list[int]:
        """By chance; a bye goes around."""
        order = list(range(self._count))
        self._chance.shuffle(order)
        if len(self._spans[-1]) == 1:
            out = number % self._count
            order.remove(out)
            order.append(out)
        return order

    def _count_meeting(self, number: int, one: int, two: int, by: int) -> None:
        if number or two not in self._apart[one]:
            self._met[one][two] += by
            self._met[two][one] += by

    def _cost(self, one: int, two: int) -> int:
        if two in self._apart[one]:
            return _APART * self._met[one][two]
        return self._met[one][two] == 0

    def run(self, steps: int) -> None:
        """Exchange two teams of a day, again and again, until nothing is missing or the steps are
        spent; what is worse is taken ever less often."""
        random_, exp = self._chance.random, math.exp
        cooling = math.log(_COLDEST / _HOTTEST) / steps
        for step in range(steps):
            if not self.missing:
                return
            number = int(random_() * len(self._days))
            one, two = self._wanted(number) if random_() < _WANTED else self._any()
            if self._span_of[one] is self._span_of[two]:
                continue
            worse = self._difference(number, one, two)
            if worse <= 0 or random_() < exp(-worse / (_HOTTEST * exp(cooling * step))):
                self._exchange(number, one, two)
                self.missing += worse

    def _any(self) -> tuple[int, int]:
        random_ = self._chance.random
        movable = self._count - (len(self._spans[-1]) == 1)
        return int(random_() * movable), int(random_() * movable)

    def _wanted(self, number: int) -> tuple[int, int]:
        """Places whose exchange brings together two teams that have not met yet, if there are."""
        random_ = self._chance.random
        team = int(random_() * self._count)
        apart, places = self._apart[team], self._places[number]
        new = [
            other
            for other, times in enumerate(self._met[team])
            if not times and other != team and other not in apart
        ]
        one, span = places[team], self._span_of[places[team]]
        if not new or len(span) == 1:
            return self._any()
        two = places[new[int(random_() * len(new))]]
        if len(self._span_of[two]) == 1:
            return self._any()
        near = [place for place in span if place != one]
        return near[int(random_() * len(near))], two

    def _difference(self, number: int, one: int, two: int) -> int:
        """By how much more would be missing after the exchange."""
        day = self._days[number]
        mine, yours = day[one], day[two]
        if self._apart[mine] or self._apart[yours]:
            return self._tried(number, one, two)
        met_mine, met_yours = self._met[mine], self._met[yours]
        worse = 0
        for place in self._span_of[one]:
            if place != one:
                other = day[place]
                worse += (met_mine[other] == 1) - (not met_yours[other])
        for place in self._span_of[two]:
            if place != two:
                other = day[place]
                worse += (met_yours[other] == 1) - (not met_mine[other])
        return worse

    def _tried(self, number: int, one: int, two: int) -> int:
        """The same by doing it and undoing it."""
        day = self._days[number]
        changed = [
            (team, day[place])
            for team in (day[one], day[two])
            for place in (*self._span_of[one], *self._span_of[two])
            if place not in (one, two)
        ]
        before = sum(self._cost(*couple) for couple in changed)
        self._exchange(number, one, two)
        after = sum(self._cost(*couple) for couple in changed)
        self._exchange(number, one, two)
        return after - before

    def _exchange(self, number: int, one: int, two: int) -> None:
        day, places = self._days[number], self._places[number]
        for place, other_place in ((one, two), (two, one)):
            for near in self._span_of[place]:
                if near != place:
                    self._count_meeting(number, day[place], day[near], -1)
                    self._count_meeting(number, day[other_place], day[near], 1)
        day[one], day[two] = day[two], day[one]
        places[day[one]], places[day[two]] = one, two

    def groups(self) -> list[Numbered]:
        """The groups of each day, without byes."""
        return [
            [tuple(sorted(day[place] for place in span)) for span in self._spans if len(span) > 1]
            for day in self._days
        ]
