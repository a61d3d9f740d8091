"""The table of a league: match points, and what decides between teams that have as many.

Match points are exact decimals. Each tie-break is tried in the order given, on the teams that are
still equal; who is equal to the last shares the place.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final, Literal

System = Literal["win_draw", "tables_and_total", "rank_of_group", "victory_points"]
Score = tuple[int, int]
"""What the first team of a match has, then what the second has."""

SYSTEMS: Final[tuple[System, ...]] = (
    "win_draw",
    "tables_and_total",
    "rank_of_group",
    "victory_points",
)
HALF: Final = Decimal("0.5")
CENT: Final = Decimal("0.01")


@dataclass(frozen=True)
class Match:
    """Two teams and the score of each table at which they met, the first team's first.

    `day`, `group` and `round` are where it was played, as far as known.
    """

    teams: tuple[str, str]
    tables: tuple[Score, ...]
    day: int | None = None
    group: int | str | None = None
    round: int | None = None

    @property
    def totals(self) -> Score:
        """The points of each team over all tables."""
        return sum(score[0] for score in self.tables), sum(score[1] for score in self.tables)


@dataclass(frozen=True)
class Penalty:
    """Match points taken from a team, or given to it where they are negative."""

    team: str
    points: Decimal
    reason: str = ""


@dataclass(frozen=True)
class WinPoints:
    """What a match is worth where only its outcome counts."""

    win: Decimal = Decimal(2)
    draw: Decimal = Decimal(1)
    loss: Decimal = Decimal(0)


@dataclass(frozen=True)
class TableRule:
    """How match points go. `deals` are those at one table of one match."""

    match: System = "win_draw"
    points: WinPoints = WinPoints()
    ties: tuple[str, ...] = ("difference", "for", "head_to_head", "lot")
    deals: int = 16


@dataclass
class Row:
    """A team's line. `scored` and `conceded` are points at the tables, over all its matches."""

    team: str
    place: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: Decimal = Decimal(0)
    scored: int = 0
    conceded: int = 0
    decided_by: list[str] = field(default_factory=list)

    @property
    def difference(self) -> int:
        """Points scored less points conceded."""
        return self.scored - self.conceded


def league_table(
    teams: Sequence[str],
    matches: Sequence[Match],
    rule: TableRule | None = None,
    penalties: Iterable[Penalty] = (),
) -> list[Row]:
    """The rows in order of place. The input is not checked: `read_table` does that.

    >>> played = [Match(("A", "B"), ((1386, 1326), (1230, 1502)))]
    >>> [(row.place, row.team, str(row.points)) for row in league_table(["A", "B"], played)]
    [(1, 'B', '2'), (2, 'A', '0')]
    """
    rule = rule or TableRule()
    rows = {team: Row(team) for team in teams}
    gained = match_points(matches, rule)
    for match, points in zip(matches, gained, strict=True):
        _count(rows, match, points)
    for penalty in penalties:
        rows[penalty.team].points -= penalty.points
    results = _Results(matches, gained, rule)
    by_points: dict[Decimal, list[Row]] = defaultdict(list)
    for row in rows.values():
        by_points[row.points].append(row)
    ordered: list[Row] = []
    for gain in sorted(by_points, reverse=True):
        for equal in _break_ties(by_points[gain], rule.ties, results):
            place = len(ordered) + 1
            for row in sorted(equal, key=lambda row: row.team.casefold()):
                row.place = place
                ordered.append(row)
    return ordered


def _count(rows: Mapping[str, Row], match: Match, points: tuple[Decimal, Decimal]) -> None:
    one, two = match.totals
    for team, own, other, gained in (
        (match.teams[0], one, two, points[0]),
        (match.teams[1], two, one, points[1]),
    ):
        row = rows[team]
        row.played += 1
        row.won += own > other
        row.drawn += own == other
        row.lost += own < other
        row.points += gained
        row.scored += own
        row.conceded += other


def match_points(matches: Sequence[Match], rule: TableRule) -> list[tuple[Decimal, Decimal]]:
    """What the teams of each match gain by it."""
    if rule.match == "rank_of_group":
        return _rank_of_group(matches)
    gain = {
        "win_draw": _win_draw,
        "tables_and_total": _tables_and_total,
        "victory_points": _victory_points,
    }[rule.match]
    return [gain(match, rule) for match in matches]


def _win_draw(match: Match, rule: TableRule) -> tuple[Decimal, Decimal]:
    one, two = match.totals
    if one == two:
        return rule.points.draw, rule.points.draw
    won, lost = rule.points.win, rule.points.loss
    return (won, lost) if one > two else (lost, won)


def _tables_and_total(match: Match, _rule: TableRule) -> tuple[Decimal, Decimal]:
    """One for each table that was won and one for the total, halves where they are equal."""
    scores = [*match.tables, match.totals]
    one = sum((_beaten(*score) for score in scores), Decimal(0))
    return one, len(scores) - one


def _beaten(own: int, other: int) -> Decimal:
    return HALF if own == other else Decimal(own > other)


def _victory_points(match: Match, rule: TableRule) -> tuple[Decimal, Decimal]:
    """Twenty shared by the margin, as the World Bridge Federation does since 2013."""
    one, two = match.totals
    deals = rule.deals * len(match.tables)
    winner = victory_points(abs(one - two), deals)
    return (winner, 20 - winner) if one >= two else (20 - winner, winner)


def victory_points(margin: int, deals: int) -> Decimal:
    """What the winner by `margin` points gets of 20, after so many deals; two decimals, half up.

    >>> victory_points(212, 32), victory_points(0, 32)
    (Decimal('17.78'), Decimal('10.00'))
    """
    golden = (Decimal(5).sqrt() - 1) / 2
    blitz = 60 * Decimal(deals).sqrt()
    exact = 10 + 10 * (1 - golden ** (3 * margin / blitz)) / (1 - golden**3)
    return min(exact, Decimal(20)).quantize(CENT, ROUND_HALF_UP)


def _rank_of_group(matches: Sequence[Match]) -> list[tuple[Decimal, Decimal]]:
    """In each round of a group one for each team there with a lower total, and a half for each
    with the same: 3, 2, 1, 0 among four."""
    there: dict[object, dict[str, int]] = defaultdict(dict)
    for match in matches:
        there[match.day, match.group, match.round].update(
            zip(match.teams, match.totals, strict=True)
        )
    gained = []
    for match in matches:
        totals = there[match.day, match.group, match.round]
        one, two = (
            sum(
                (_beaten(totals[team], other) for name, other in totals.items() if name != team),
                Decimal(0),
            )
            for team in match.teams
        )
        gained.append((one, two))
    return gained


class _Results:
    """The matches, to be asked who did what against whom."""

    def __init__(
        self,
        matches: Sequence[Match],
        gained: Sequence[tuple[Decimal, Decimal]],
        rule: TableRule,
    ) -> None:
        if rule.match == "rank_of_group":
            gained = [_win_draw(match, rule) for match in matches]
        self._against: dict[str, list[tuple[str, int, Decimal]]] = defaultdict(list)
        for match, points in zip(matches, gained, strict=True):
            one, two = match.teams
            margin = match.totals[0] - match.totals[1]
            self._against[one].append((two, margin, points[0]))
            self._against[two].append((one, -margin, points[1]))

    def points_among(self, team: str, others: Iterable[str]) -> Decimal:
        """Its match points against these teams; by the outcome where they go by the group."""
        return sum((points for _, points in self._among(team, others)), Decimal(0))

    def balance_among(self, team: str, others: Iterable[str]) -> int:
        """Its points at the tables against these teams, less theirs."""
        return sum(margin for margin, _ in self._among(team, others))

    def won_all_among(self, team: str, others: Iterable[str]) -> bool:
        """Whether it met each of these teams and won every match against them."""
        others = set(others) - {team}
        met = {other for other, _margin, _points in self._against[team] if other in others}
        return met == others and all(margin > 0 for margin, _ in self._among(team, others))

    def _among(self, team: str, others: Iterable[str]) -> Iterator[tuple[int, Decimal]]:
        wanted = set(others)
        for other, margin, points in self._against[team]:
            if other in wanted:
                yield margin, points


Figure = Decimal | int | str | tuple[bool, Fraction]
TieBreak = Callable[[Row, Sequence[Row], _Results], Figure]
"""What a team brings among these equal ones: most goes first."""


def _quotient(row: Row) -> tuple[bool, Fraction]:
    """Points scored for each one conceded; who conceded none goes before everybody else."""
    return row.conceded <= 0 < row.scored, Fraction(row.scored, max(row.conceded, 1))


def _lot(row: Row, equal: Sequence[Row], _results: _Results) -> str:
    drawn = "\n".join(sorted(other.team for other in equal))
    return hashlib.sha256(f"{drawn}\n\n{row.team}".encode()).hexdigest()


_TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    "difference": lambda row, _equal, _results: row.difference,
    "for": lambda row, _equal, _results: row.scored,
    "wins": lambda row, _equal, _results: row.won,
    "quotient": lambda row, _equal, _results: _quotient(row),
    "head_to_head": lambda row, equal, results: results.points_among(
        row.team, [other.team for other in equal]
    ),
    "head_to_head_balance": lambda row, equal, results: results.balance_among(
        row.team, [other.team for other in equal]
    ),
    "lot": _lot,
}
TIES: Final = tuple(_TIE_BREAKS)


def _break_ties(
    equal: Sequence[Row], ties: Sequence[str], results: _Results
) -> Iterator[Sequence[Row]]:
    """The rows in groups that stay equal, best first."""
    if len(equal) < 2 or not ties:
        yield equal
        return
    tie, *later = ties
    if tie == "head_to_head_balance" and len(equal) > 2:
        best = [row for row in equal if _won_all(row, equal, results)]
        if best:
            rest = [row for row in equal if row is not best[0]]
            for row in equal:
                row.decided_by.append(tie)
            yield best
            yield from _break_ties(rest, ties, results)
            return
    figures = [_TIE_BREAKS[tie](row, equal, results) for row in equal]
    by_figure: dict[Figure, list[Row]] = defaultdict(list)
    for row, figure in zip(equal, figures, strict=True):
        by_figure[figure].append(row)
        if len(set(figures)) > 1:
            row.decided_by.append(tie)
    for figure in sorted(by_figure, reverse=True):
        yield from _break_ties(by_figure[figure], later, results)


def _won_all(row: Row, equal: Sequence[Row], results: _Results) -> bool:
    return results.won_all_among(row.team, [other.team for other in equal])


def points_text(points: Decimal, system: System) -> str:
    """Match points as they are written: two decimals for victory points, else none that are 0.

    >>> points_text(Decimal("2.50"), "win_draw"), points_text(Decimal(20), "victory_points")
    ('2.5', '20.00')
    """
    if system == "victory_points":
        return str(points.quantize(CENT, ROUND_HALF_UP))
    text = f"{points:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


_WORDS: Final[Mapping[str, str]] = {
    "difference": "the difference",
    "for": "the points for",
    "wins": "the matches won",
    "quotient": "points for divided by points against",
    "head_to_head": "match points against each other",
    "head_to_head_balance": "the balance against each other",
    "lot": "the lot",
}


def explain(rows: Sequence[Row], rule: TableRule, penalties: Iterable[Penalty] = ()) -> list[str]:
    """A sentence for each row, in order: why this place."""
    taken: dict[str, list[Penalty]] = defaultdict(list)
    for penalty in penalties:
        taken[penalty.team].append(penalty)
    return [_sentence(row, rows, rule, taken[row.team]) for row in rows]


def _sentence(row: Row, rows: Sequence[Row], rule: TableRule, penalties: Sequence[Penalty]) -> str:
    points = points_text(row.points, rule.match)
    point_s, match_es = "s" * (row.points != 1), "es" * (row.played != 1)
    gained = f"{points} match point{point_s} from {row.played} match{match_es}"
    said = [f"{row.place}. {row.team}: {gained}"]
    for penalty in penalties:
        changed = points_text(abs(penalty.points), rule.match)
        word = "after a penalty of" if penalty.points >= 0 else "with a bonus of"
        said.append(f"{word} {changed}" + (f" ({penalty.reason})" if penalty.reason else ""))
    equal = [other.team for other in rows if other.points == row.points and other is not row]
    if equal:
        said.append(f"as many as {', '.join(equal)}")
        if row.decided_by:
            said.append("decided by " + ", then ".join(_WORDS[tie] for tie in row.decided_by))
    shared = [other.team for other in rows if other.place == row.place and other is not row]
    if shared:
        said.append(f"shares the place with {', '.join(shared)}")
    return ", ".join(said) + "."
