"""Which places a team can still reach when few matches are left, as on the last day.

What is left falls apart into groups of teams that still meet each other. Nothing that happens in
one group changes another, so each is worked out by itself, and the places are exact in match
points. Who ends with as many match points may come before or after: by how much a match will be
won, nobody knows. Victory points are tried in steps of five.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import product
from math import prod

from tournaments.leagues.core.table import TableRule

MOST_MATCHES = 6
"""How many matches a group may have left: those of four teams that all meet on one day."""
MOST_ENDINGS = 500_000
"""In how many ways the matches of a group may end: so many are worked out in a second."""

Vector = tuple[int, ...]
Stake = tuple[Vector, tuple[Vector, ...]]
"""What is decided at once, a match or a round of a group: the numbers of the teams in it, and what
they may gain, in hundredths."""


@dataclass(frozen=True, slots=True)
class Left:
    """A match that is still to be played; `at` is its day, group and round."""

    teams: tuple[str, str]
    at: tuple[int, int, int] = (0, 0, 0)
    tables: int = 2


@dataclass(frozen=True, slots=True)
class Outlook:
    """The places a team can still reach: with `gain`, every point that is left for it, from
    `gain_best` to `gain_worst`; with none, from `none_best` to `none_worst`. It plays `left`
    matches."""

    team: str
    left: int
    gain_best: int
    gain_worst: int
    none_best: int
    none_worst: int

    @property
    def best(self) -> int:
        """The best place that is possible."""
        return self.gain_best

    @property
    def worst(self) -> int:
        """The worst place that is possible."""
        return self.none_worst


@dataclass(frozen=True, slots=True)
class _Group:
    """Teams that still meet each other, and what is at stake between them by their numbers."""

    teams: tuple[str, ...]
    stakes: tuple[Stake, ...]


def outlooks(points: Mapping[str, Decimal], left: Sequence[Left], rule: TableRule) -> list[Outlook]:
    """The places of each of these teams with its match points, best outlook first; none if nothing
    is left, or so much that it says nothing yet.

    >>> now = {"A": Decimal(4), "B": Decimal(2), "C": Decimal(0)}
    >>> [(it.team, it.best, it.worst) for it in outlooks(now, [Left(("B", "C"))], TableRule())]
    [('A', 1, 2), ('B', 1, 3), ('C', 2, 3)]
    """
    return list(_outlooks(tuple(points.items()), tuple(left), rule))


@lru_cache(maxsize=64)
def _outlooks(
    standing: tuple[tuple[str, Decimal], ...], left: tuple[Left, ...], rule: TableRule
) -> Sequence[Outlook]:
    points = dict(standing)
    together = _together(points, left, rule)
    if not left or any(len(_matches(teams, left)) > MOST_MATCHES for teams in together):
        return []
    groups = []
    for teams in together:
        stakes = _stakes(teams, left, rule)
        if stakes is None or prod(len(gains) for _there, gains in stakes) > MOST_ENDINGS:
            return []
        groups.append(_Group(teams, stakes))
    now = {team: _hundredths(gained) for team, gained in points.items()}
    found = [_outlook(team, now, groups, left, bool(rule.ties)) for team in points]
    return sorted(found, key=lambda it: (it.best, it.worst, -now[it.team], it.team.casefold()))


def _hundredths(points: Decimal) -> int:
    return int(points * 100)


def _matches(teams: Collection[str], left: Iterable[Left]) -> list[Left]:
    return [match for match in left if match.teams[0] in teams]


def _together(
    points: Mapping[str, Decimal], left: Sequence[Left], rule: TableRule
) -> list[tuple[str, ...]]:
    """The teams by who can still meet, with teams that play no more each alone. By the rank in a
    group all teams there in a round decide together."""
    meeting = [set(match.teams) for match in left]
    if rule.match == "rank_of_group":
        rounds: dict[tuple[int, int, int], set[str]] = {}
        for match in left:
            rounds.setdefault(match.at, set()).update(match.teams)
        meeting = list(rounds.values())
    together = {team: {team} for team in points}
    for there in meeting:
        joined = set().union(*(together[team] for team in there))
        for team in joined:
            together[team] = joined
    return sorted({tuple(sorted(teams)) for teams in together.values()})


def _stakes(
    teams: tuple[str, ...], left: Sequence[Left], rule: TableRule
) -> tuple[Stake, ...] | None:
    """What is at stake between these teams; None where that alone is too much to try."""
    number = {team: place for place, team in enumerate(teams)}
    matches = _matches(teams, left)
    if rule.match != "rank_of_group":
        return tuple(
            ((number[match.teams[0]], number[match.teams[1]]), _splits(rule, match.tables))
            for match in matches
        )
    rounds: dict[tuple[int, int, int], set[int]] = {}
    for match in matches:
        rounds.setdefault(match.at, set()).update(number[team] for team in match.teams)
    if any(len(there) ** len(there) > MOST_ENDINGS for there in rounds.values()):
        return None
    return tuple((tuple(sorted(there)), _orders(len(there))) for there in rounds.values())


def _splits(rule: TableRule, tables: int) -> tuple[Vector, ...]:
    """What the two teams of a match may gain."""
    if rule.match == "tables_and_total":
        step = 50 if tables > 1 else 100
        most = 100 * (tables + 1)
        return tuple((one, most - one) for one in range(0, most + 1, step))
    if rule.match == "victory_points":
        return tuple((one, 2000 - one) for one in range(0, 2001, 500))
    win, draw, loss = map(_hundredths, (rule.points.win, rule.points.draw, rule.points.loss))
    return (win, loss), (draw, draw), (loss, win)


@lru_cache(maxsize=8)
def _orders(teams: int) -> tuple[Vector, ...]:
    """What so many teams gain by the order of their totals, equal ones included."""
    return tuple(
        {
            tuple(
                sum(100 if own > other else 50 if own == other else 0 for other in totals) - 50
                for own in totals
            )
            for totals in product(range(teams), repeat=teams)
        }
    )


def _outlook(
    team: str, now: Mapping[str, int], groups: Sequence[_Group], left: Sequence[Left], ties: bool
) -> Outlook:
    own = next(group for group in groups if team in group.teams)
    others = [group for group in groups if group is not own]
    place = own.teams.index(team)
    found = []
    for most in (True, False):
        gains = _gains(len(own.teams), own.stakes, place, most)
        level = now[team] + next(iter(gains))[place]
        needs = {
            number: level - now[other] for number, other in enumerate(own.teams) if number != place
        }
        fewest, most_above = _above(gains, needs, ties=ties)
        for group in others:
            free = _gains(len(group.teams), group.stakes, None, most)
            needs = {number: level - now[other] for number, other in enumerate(group.teams)}
            few, many = _above(free, needs, ties=ties)
            fewest, most_above = fewest + few, most_above + many
        found += [fewest + 1, most_above + 1]
    return Outlook(team, sum(team in match.teams for match in left), *found)


@lru_cache(maxsize=256)
def _gains(
    teams: int, stakes: tuple[Stake, ...], whose: int | None, most: bool
) -> frozenset[Vector]:
    """All that the teams of a group can gain; of team `whose` only the `most`, or the least."""
    sums: set[Vector] = {(0,) * teams}
    for there, gains in stakes:
        if whose in there:
            at = there.index(whose)
            own = [gain[at] for gain in gains]
            wanted = max(own) if most else min(own)
            open_to = tuple(gain for gain in gains if gain[at] == wanted)
        else:
            open_to = gains
        sums = {_added(before, there, gain) for before in sums for gain in open_to}
    return frozenset(sums)


def _added(before: Vector, there: Vector, gain: Vector) -> Vector:
    after = list(before)
    for team, gained in zip(there, gain, strict=True):
        after[team] += gained
    return tuple(after)


def _above(gains: Collection[Vector], needs: Mapping[int, int], *, ties: bool) -> tuple[int, int]:
    """How many teams come above somebody at the least, and at the most, where each needs so much
    to come level: where something decides between equals, all of them may."""
    more = [sum(gain[team] > need for team, need in needs.items()) for gain in gains]
    if not ties:
        return min(more), max(more)
    level = [sum(gain[team] >= need for team, need in needs.items()) for gain in gains]
    return min(more), max(level)
