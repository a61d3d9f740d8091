"""Who meets whom on which day of a league, and who is at home.

Four teams meet on a day: three rounds, each with two matches of two tables, so that everybody in
the group meets. Or two teams meet, home and away. Teams of one club are apart: they are never in
one group, or, where everybody has to meet everybody, on the first day.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from tournaments.draw.core.designs import design_rounds, rounds_without_reunion
from tournaments.leagues.core.search import Numbered, search_days

Meeting = Literal["four", "two"]
Couple = tuple[str, str]
Match = tuple[str, str]

FOUR: Final = 4
FEWEST: Final[Mapping[Meeting, int]] = {"four": FOUR, "two": 2}
MOST_TEAMS: Final = 64
MOST_CYCLES: Final = 10


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
