"""Rankings of people over many events and clubs.

`mean` is what doppelkopf does (DDV), `best_of` what bridge does (NBB). Values have two decimals,
half up; equal values share a place, in order of name. And from one season to the next: who goes up,
who goes down, and who comes in.
"""

import calendar
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final, Literal

from tournaments.standings.core.results import mean


@dataclass(frozen=True)
class EventResult:
    """What somebody scored at an event with so many players, in so many rounds; a match day
    `of_league` counts with any number of players."""

    event: str
    day: date
    players: int
    rounds: int
    player: str
    total: int
    of_league: bool = False


@dataclass(frozen=True)
class Ranked:
    """A place. `rounds` and `events` are those that count, None where they are not counted."""

    place: int
    player: str
    value: Decimal
    rounds: int | None = None
    events: int | None = None


@dataclass(frozen=True)
class MeanRule:
    """The mean per round over so many months up to and including the day, from at least so many
    rounds; an event counts if it had so many players and so many rounds."""

    months: int = 24
    minimum_rounds: int = 36
    players: int = 32
    rounds: int = 3

    def counts(self, result: EventResult, on: date) -> bool:
        """Whether a result counts on a day."""
        is_large = result.of_league or result.players >= self.players
        is_long = result.rounds >= self.rounds
        return is_large and is_long and _months_before(on, self.months) < result.day <= on


def rank_by_mean(
    results: Iterable[EventResult], rule: MeanRule, on: date
) -> tuple[list[Ranked], list[tuple[str, int]]]:
    """The ranking on a day, and who has too few rounds for it with how many they have."""
    counting: dict[str, list[EventResult]] = defaultdict(list)
    for result in results:
        own = counting[result.player]
        if rule.counts(result, on):
            own.append(result)
    rounds = {player: sum(result.rounds for result in own) for player, own in counting.items()}
    means = {
        player: mean(sum(result.total for result in own), rounds[player])
        for player, own in counting.items()
        if own and rounds[player] >= rule.minimum_rounds
    }
    ranked = [
        Ranked(place, player, means[player], rounds[player], len(counting[player]))
        for place, player in _placed(means)
    ]
    short = sorted(set(rounds) - set(means), key=lambda player: (-rounds[player], _name(player)))
    return ranked, [(player, rounds[player]) for player in short]


def rank_by_best(
    results: Iterable[tuple[str, str, Decimal]],
    *,
    full: int,
    half: int,
    seasons: Sequence[Decimal],
) -> list[Ranked]:
    """The ranking of results, each a season, a player and points.

    A season's value is a player's `full` best results and half of the `half` next ones. `seasons`
    are the weights in percent from the latest season that has results back; older ones do not
    count.

    >>> rank_by_best([("2025", "p", Decimal("12.5"))], full=5, half=5, seasons=[Decimal(50)])
    [Ranked(place=1, player='p', value=Decimal('6.25'), rounds=None, events=None)]
    """
    points: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for season, player, gained in results:
        points[season, player].append(gained)
    latest = sorted({season for season, _player in points}, reverse=True)
    weights = dict(zip(latest, seasons, strict=False))
    values: dict[str, Fraction] = defaultdict(Fraction)
    for (season, player), own in points.items():
        best = sorted(own, reverse=True)
        value = Fraction(sum(best[:full])) + Fraction(sum(best[full : full + half])) / 2
        values[player] += value * Fraction(weights.get(season, Decimal(0))) / 100
    rounded = {player: mean(value.numerator, value.denominator) for player, value in values.items()}
    return [Ranked(place, player, rounded[player]) for place, player in _placed(rounded)]


def percentage(own: int, totals: Iterable[int]) -> Decimal:
    """How much of the field a total beats, ties by half; `totals` are those of everybody there,
    this one included. Two decimals, half up; so results under all rules can be compared.

    >>> percentage(1500, [1600, 1500, 1500, 1400])
    Decimal('50.00')
    """
    everybody = list(totals)
    beaten = sum(2 if other < own else other == own for other in everybody) - 1
    return mean(100 * beaten, 2 * (len(everybody) - 1))


def best_shares(points: Sequence[Decimal], full: int, half: int) -> list[int]:
    """In percent what each of these results of one season counts for, in their order.

    >>> best_shares([Decimal(3), Decimal(9), Decimal(7)], 1, 1)
    [0, 100, 50]
    """
    order = sorted(range(len(points)), key=lambda place: -points[place])
    share = dict.fromkeys(order[:full], 100) | dict.fromkeys(order[full : full + half], 50)
    return [share.get(place, 0) for place in range(len(points))]


def _placed(values: Mapping[str, Decimal]) -> list[tuple[int, str]]:
    order = sorted(values, key=lambda player: (-values[player], _name(player)))
    first: dict[Decimal, int] = {}
    for place, player in enumerate(order, 1):
        first.setdefault(values[player], place)
    return [(first[values[player]], player) for player in order]


def _name(player: str) -> tuple[str, str]:
    return player.casefold(), player


def _months_before(day: date, months: int) -> date:
    """The same day of the month so many months earlier, or the last one of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    if year < 1:
        return date.min
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


@dataclass(frozen=True)
class Division:
    """A division's final table, best team first, and how many teams it is to have."""

    name: str
    table: tuple[str, ...]
    size: int


Kind = Literal["withdrew", "enters", "first", "fills", "last", "more"]


@dataclass(frozen=True)
class Move:
    """A team that changes division; None is outside the league. `exchange` is how many go up and
    down as a rule."""

    team: str
    origin: str | None
    target: str | None
    kind: Kind
    exchange: int = 0

    @property
    def why(self) -> str:
        """The reason in words."""
        return _WHY[self.kind].format(self.exchange)


_WHY: Final[Mapping[Kind, str]] = {
    "withdrew": "withdrew",
    "enters": "enters",
    "first": "among the first {}",
    "fills": "fills a free place",
    "last": "among the last {}",
    "more": "one more goes down because others came from above or entered",
}


@dataclass(frozen=True)
class NextSeason:
    """The teams of each division, from the top down: who came down, who stayed, who is new, who
    came up. `moves` has everybody who does not stay."""

    divisions: tuple[tuple[str, tuple[str, ...]], ...]
    moves: tuple[Move, ...]


def roll_over(
    divisions: Sequence[Division],
    exchange: int,
    *,
    entering: Iterable[tuple[str, str]] = (),
    withdrawn: Iterable[str] = (),
) -> NextSeason:
    """The divisions of the next season; `entering` has the division and the team.

    The first `exchange` of a division go up. So many go down that the division has its size again:
    as a rule as many, one more for each that comes down from above or enters, one fewer for each
    that withdrew. Where too few are left, more go up than `exchange`. Nobody moves more than one
    division. The last division has what is left. The input is not checked: `read_roll_over` does
    that.

    >>> first = Division("1", ("A", "B", "C", "D"), 4)
    >>> second = Division("2", ("E", "F", "G", "H"), 4)
    >>> [(move.team, move.target) for move in roll_over([first, second], 1).moves]
    [('E', '1'), ('D', '2')]
    """
    gone = set(withdrawn)
    stay = [[team for team in division.table if team not in gone] for division in divisions]
    new = [[team for name, team in entering if name == division.name] for division in divisions]
    moves = [
        Move(team, division.name, None, "withdrew")
        for division in divisions
        for team in division.table
        if team in gone
    ]
    moves += [
        Move(team, None, division.name, "enters")
        for division, teams in zip(divisions, new, strict=True)
        for team in teams
    ]
    down: list[list[str]] = [[] for _ in divisions]
    up: list[list[str]] = [[] for _ in divisions]
    for place, (upper, lower) in enumerate(pairwise(divisions)):
        came = len(new[place]) + len(down[place])
        rise = min(exchange, len(stay[place + 1]))
        missing = upper.size - came - len(stay[place]) - rise
        more = max(0, min(missing, len(stay[place + 1]) - rise))
        up[place] = stay[place + 1][: rise + more]
        falling = max(0, min(-missing, len(stay[place])))
        down[place + 1] = stay[place][len(stay[place]) - falling :]
        stay[place] = stay[place][: len(stay[place]) - falling]
        stay[place + 1] = stay[place + 1][rise + more :]
        moves += _between(upper, lower, up[place], down[place + 1], exchange)
    teams = tuple(
        (division.name, (*down[place], *stay[place], *new[place], *up[place]))
        for place, division in enumerate(divisions)
    )
    return NextSeason(teams, tuple(moves))


def _between(
    upper: Division, lower: Division, up: Sequence[str], down: Sequence[str], exchange: int
) -> list[Move]:
    rises = [
        Move(
            team,
            lower.name,
            upper.name,
            "first" if number < exchange else "fills",
            exchange,
        )
        for number, team in enumerate(up)
    ]
    falls = [
        Move(
            team,
            upper.name,
            lower.name,
            "last" if number < exchange else "more",
            exchange,
        )
        for number, team in enumerate(reversed(down))
    ]
    return rises + falls[::-1]
