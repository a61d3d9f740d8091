"""Who meets whom on which day of a league, and who is at home.

Four teams meet on a day: three rounds, each with two matches of two tables, so that everybody in
the group meets. Or two teams meet, home and away. Teams of one club are apart: they are never in
one group, or, where everybody has to meet everybody, on the first day.

For numbers of teams that no construction covers the days of groups of four are searched, by
exchanges that are counted in steps: the same number of teams gives the same days.
"""

import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from tournaments.draw.core.designs import design_rounds, rounds_without_reunion

Meeting = Literal["four", "two"]
Couple = tuple[str, str]
Match = tuple[str, str]

FOUR: Final = 4
FEWEST: Final[Mapping[Meeting, int]] = {"four": FOUR, "two": 2}
MOST_TEAMS: Final = 64
MOST_CYCLES: Final = 10
Numbered = list[tuple[int, ...]]
"""The groups of a day; teams are numbers from 0."""

_STEPS: Final = 200_000
_HOTTEST: Final = 0.7
_COLDEST: Final = 0.12
_WANTED: Final = 0.3
"""How often an exchange is chosen because two teams have not met."""
_APART: Final = 4
"""What it costs that two teams of one club meet after the first day, in missing meetings."""


@dataclass(frozen=True)
class Group:
    """Teams that meet on one day, the host first. `host` is None on a central day.

    `rounds` has the matches of each round; of three teams one is out in turn. Where two teams meet
    there is one round, with the home team first.
    """

    host: str | None
    teams: tuple[str, ...]
    rounds: tuple[tuple[Match, ...], ...]


@dataclass(frozen=True)
class Day:
    """A match day, counted from 1; `byes` have no match on it."""

    number: int
    groups: tuple[Group, ...]
    byes: tuple[str, ...]


@dataclass(frozen=True)
class Fixtures:
    """The days of a league. `never`, `once` and `more` count the pairs of teams that meet so often
    over all cycles."""

    days: tuple[Day, ...]
    never: int
    once: int
    more: int


def make_fixtures(
    teams: Sequence[str],
    *,
    meeting: Meeting = "four",
    cycles: int = 1,
    apart: Iterable[Couple] = (),
    seed: int = 0,
) -> Fixtures:
    """The days of a league in which everybody meets everybody in each cycle.

    With 16, 28, 40, 52 or 64 teams in groups of four, or one fewer, everybody meets once, in 5, 9,
    13, 17 or 21 days. Other numbers repeat as few meetings as a search finds; such a group has
    three teams where four do not fit. Hosts and byes are within one of equal. Where one day is left
    over after each team was at home equally often, it is central. The same teams and seed give the
    same days. The input is not checked: `read_fixtures` does that.
    """
    names = list(teams)
    random.Random(seed).shuffle(names)  # noqa: S311
    couples = {frozenset(couple) for couple in apart}
    if meeting == "two":
        days = _round_robin(_first_couples_first(names, couples), cycles)
    else:
        days = _days_of_four(names, couples, cycles)
    met = Counter(
        frozenset(couple)
        for day in days
        for group in day.groups
        for couple in combinations(group.teams, 2)
    )
    once = sum(1 for times in met.values() if times == 1)
    pairs = len(names) * (len(names) - 1) // 2
    return Fixtures(tuple(days), never=pairs - len(met), once=once, more=len(met) - once)


def _round_robin(names: Sequence[str], cycles: int) -> list[Day]:
    """The circle method: the first team stays, the others turn; each second cycle the other way
    round. Over a cycle nobody is at home more than once more, or less, than away."""
    seats: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    days: list[Day] = []
    for cycle in range(cycles):
        for turn in range(len(seats) - 1):
            matches, byes = [], []
            for home, away in _circle(seats, turn):
                if home is None or away is None:
                    byes.append(home or away or "")
                else:
                    matches.append((away, home) if cycle % 2 else (home, away))
            groups = tuple(Group(match[0], match, ((match,),)) for match in matches)
            days.append(Day(len(days) + 1, groups, tuple(byes)))
    return days


def _circle(seats: Sequence[str | None], turn: int) -> Iterator[tuple[str | None, str | None]]:
    turning = len(seats) - 1
    fixed, other = seats[-1], seats[turn]
    yield (fixed, other) if turn % 2 else (other, fixed)
    for step in range(1, len(seats) // 2):
        one, two = seats[(turn + step) % turning], seats[(turn - step) % turning]
        yield (one, two) if step % 2 else (two, one)


def _first_couples_first(names: list[str], couples: Collection[frozenset[str]]) -> list[str]:
    """The names such that teams of one club meet on the first day as far as that can be."""
    size = len(names) + len(names) % 2
    pairs = [(size - 1, 0), *((step, size - 1 - step) for step in range(1, size // 2))]
    return _placed(names, couples, [pair for pair in pairs if max(pair) < len(names)])


def _placed(
    names: Sequence[str],
    couples: Collection[frozenset[str]],
    groups: Iterable[Collection[int]],
) -> list[str]:
    """The names in an order that puts teams of one club into one of these groups of places, the
    largest clubs first."""
    order: list[str | None] = [None] * len(names)
    room = {place: sorted(group) for place, group in enumerate(groups)}
    for club in sorted(_clubs(names, couples), key=len, reverse=True):
        fits = [free for free in room.values() if len(free) >= len(club)]
        free = min(fits, key=len, default=None)
        if free is not None:
            for name in club:
                order[free.pop(0)] = name
    rest = iter([name for name in names if name not in order])
    return [name if name is not None else next(rest) for name in order]


def _clubs(names: Iterable[str], couples: Collection[frozenset[str]]) -> list[list[str]]:
    """The teams that are apart from each other, directly or by way of others; no single ones."""
    club_of = {name: [name] for name in names}
    for couple in sorted(couples, key=sorted):
        one, two = (club_of[name] for name in sorted(couple))
        if one is not two:
            one += two
            club_of |= dict.fromkeys(two, one)
    clubs = {id(club): club for club in club_of.values() if len(club) > 1}
    return list(clubs.values())


def _days_of_four(
    names: Sequence[str], couples: Collection[frozenset[str]], cycles: int
) -> list[Day]:
    exact = _meet_once(len(names))
    if exact is None:
        number_of = {name: number for number, name in enumerate(names)}
        days = search_days(
            len(names), [tuple(sorted(number_of[name] for name in couple)) for couple in couples]
        )
    else:
        names = _placed(names, couples, exact[0])
        days = exact
    times_home = [0] * len(names)
    made: list[Day] = []
    for _ in range(cycles):
        hosts = _hosts(days, times_home)
        for groups, at_home in zip(days, hosts, strict=True):
            playing = {number for group in groups for number in group}
            byes = [name for number, name in enumerate(names) if number not in playing]
            made.append(
                Day(
                    len(made) + 1,
                    tuple(
                        _group(names, group, host)
                        for group, host in zip(groups, at_home, strict=True)
                    ),
                    tuple(byes),
                )
            )
    return made


def _meet_once(count: int) -> list[Numbered] | None:
    """Days on which everybody meets everybody once, where a construction is known; else None."""
    full = count + (count % FOUR == FOUR - 1)
    days = (full - 1) // 3
    if full % FOUR or (full - 1) % 3 or rounds_without_reunion(full) < days:
        return None
    rounds = design_rounds(full, days) or []
    return [
        [tuple(number for number in table if number < count) for table in round_]
        for round_ in rounds
    ]


def _group(names: Sequence[str], numbers: Collection[int], host: int | None) -> Group:
    order = sorted(numbers, key=lambda number: (number != host, names[number]))
    teams = tuple(names[number] for number in order)
    return Group(None if host is None else names[host], teams, tuple(_rounds(teams)))


def _rounds(teams: Sequence[str]) -> Iterator[tuple[Match, ...]]:
    """Three rounds in which everybody in the group meets everybody."""
    if len(teams) == FOUR:
        one, two, three, four = teams
        yield (one, two), (three, four)
        yield (one, three), (two, four)
        yield (one, four), (two, three)
    else:
        for one, two in combinations(teams, 2):
            yield ((one, two),)


def _hosts(days: Sequence[Numbered], times_home: list[int]) -> list[list[int | None]]:
    """Who is at home in each group, and None on a central day; `times_home` is counted on.

    Four days at a time, in which every team can be at home once.
    """
    hosts: list[list[int | None]] = []
    for first in range(0, len(days), FOUR):
        block = days[first : first + FOUR]
        if first and len(block) == 1:
            hosts.append([None] * len(block[0]))
            continue
        at_home = _balanced([group for groups in block for group in groups], times_home)
        for groups in block:
            hosts.append([at_home.pop(0) for _ in groups])
    return hosts


def _balanced(groups: Sequence[Sequence[int]], times_home: list[int]) -> list[int | None]:
    """A host for each group, such that no team is at home twice more than another if that can be.

    A group's host is exchanged along a path as long as one leads from who is at home often to
    somebody who is at home two times fewer.
    """
    hosts: list[int] = []
    for group in groups:
        hosts.append(min(group, key=lambda number: times_home[number]))
        times_home[hosts[-1]] += 1
    for start in sorted(range(len(times_home)), key=lambda number: -times_home[number]):
        while path := _path(groups, hosts, times_home, start):
            times_home[start] -= 1
            for place, number in path:
                hosts[place] = number
            times_home[path[-1][1]] += 1
    return list(hosts)


def _path(
    groups: Sequence[Sequence[int]], hosts: Sequence[int], times_home: Sequence[int], start: int
) -> list[tuple[int, int]]:
    """Groups with their new hosts by which `start` is at home once less, and somebody who was two
    times fewer once more; empty if there is no such path."""
    came_by: dict[int, tuple[int, int]] = {}
    reached, waiting = {start}, [start]
    while waiting:
        number = waiting.pop(0)
        if times_home[number] <= times_home[start] - 2:
            path = []
            while number != start:
                place, before = came_by[number]
                path.append((place, number))
                number = before
            return path[::-1]
        for place, host in enumerate(hosts):
            if host == number:
                for other in groups[place]:
                    if other not in reached:
                        reached.add(other)
                        came_by[other] = (place, number)
                        waiting.append(other)
    return []


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
