"""From one season to the next: who goes up, who goes down, and who comes in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Division:
    """A division's final table, best team first, and how many teams it is to have."""

    name: str
    table: tuple[str, ...]
    size: int


@dataclass(frozen=True)
class Move:
    """A team that changes division; None is outside the league."""

    team: str
    origin: str | None
    target: str | None
    why: str


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
            f"among the first {exchange}" if number < exchange else "fills a free place",
        )
        for number, team in enumerate(up)
    ]
    falls = [
        Move(
            team,
            upper.name,
            lower.name,
            f"among the last {exchange}"
            if number < exchange
            else "one more goes down because others came from above or entered",
        )
        for number, team in enumerate(reversed(down))
    ]
    return rises + falls[::-1]
