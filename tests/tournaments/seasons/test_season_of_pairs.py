"""A season of fixed pairs, worked out by a plain program of its own, and by the commands."""

import csv
import datetime as dt
import io
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.competitor_files import COLUMNS, text_of
from tests.tournaments.files import Files
from tournaments.registration.check_in import presence_set
from tournaments.registration.competitors import competitor_create

pytestmark = pytest.mark.django_db

ROEM = [0, 0, 0, 20, 50, 70]


@dataclass
class Fact:
    """What a pair did on an evening, as this program counts it."""

    rounds: dict[int, int] = field(default_factory=dict)
    pits: int = 0
    absence: str = ""

    @property
    def score(self) -> int | None:
        return sum(self.rounds.values()) if self.rounds else None


Facts = dict[str, dict[str, Fact]]
"""By evening and pair."""


class Season:
    """So many pairs over so many evenings: some stay away, some play with a substitute, and the
    pair that is left over sits out."""

    def __init__(self, seed: int, pairs: int, evenings: int, rounds: int, deals: int) -> None:
        self.random = random.Random(seed)
        self.people = {f"Pair {n}": (f"A{n}", f"B{n}") for n in range(1, pairs + 1)}
        first = dt.date(2026, 9, 5)
        self.dates = [(first + dt.timedelta(weeks=n)).isoformat() for n in range(evenings)]
        self.rounds, self.deals = rounds, deals
        self.facts: Facts = {date: {} for date in self.dates}
        self.substitutes: dict[str, int] = {}
        self.odd: set[str] = set()
        self.files = [self._file(date) for date in self.dates]

    def _file(self, date: str) -> str:
        """The file of an evening; what it comes to goes into the facts."""
        away = {name for name in self.people if self.random.random() < 0.15}
        here = sorted(set(self.people) - away)
        for name in sorted(away):
            absence = self.random.choice(["notice", "none", ""])
            if absence:
                self.facts[date][name] = Fact(absence=absence)
        sits = {
            name: (one, f"Sub of {name}" if self.random.random() < 0.2 else two)
            for name, (one, two) in self.people.items()
        }
        self.substitutes[date] = sum(sits[name][1].startswith("Sub ") for name in here)
        if len(here) % 2:
            self.odd.add(date)
        lines: list[list[str]] = []
        for number in range(1, self.rounds + 1):
            # An odd pair sits out, each round another, and has nothing for it.
            order = here[number:] + here[:number]
            for table in range(1, len(order) // 2 + 1):
                lines += self._table(date, number, table, order[table * 2 - 2 : table * 2], sits)
        return text_of(lines)

    def _table(
        self,
        date: str,
        number: int,
        table: int,
        pairs: Sequence[str],
        sits: Mapping[str, tuple[str, str]],
    ) -> Iterator[list[str]]:
        ns, ew = pairs
        people = {"n": sits[ns][0], "s": sits[ns][1], "e": sits[ew][0], "w": sits[ew][1]}
        for deal in range(1, self.deals + 1):
            cells, score = self._deal()
            for name, points in zip(pairs, score, strict=True):
                fact = self.facts[date].setdefault(name, Fact())
                fact.rounds[number] = fact.rounds.get(number, 0) + points
                fact.pits += bool(cells["pit"]) and cells["pit"] == ("NS" if name == ns else "EW")
            cells |= people | {"pair_ns": ns, "pair_ew": ew, "deal": str(deal), "evening": date}
            cells |= {"round": str(number), "table": str(table)}
            yield [cells.get(column, "") for column in COLUMNS]

    def _deal(self) -> tuple[dict[str, str], tuple[int, int]]:
        """A deal that N declares, and its score under the rules of Amsterdam."""
        if self.random.random() < 0.05:
            side = self.random.choice(["NS", "EW"])
            cells = {"declarer": "N", "trump": "H", "pit": side}
            return cells, ((262, 0) if side == "NS" else (0, 262))
        points = self.random.randint(60, 150)
        roem = self.random.choice(ROEM)
        cells = {"declarer": "N", "trump": "H", "points_ns": str(points), "pit": ""}
        cells |= {"points_ew": str(162 - points), "roem_ns": str(roem) if roem else ""}
        is_made = points + roem > 162 - points
        return cells, ((points + roem, 162 - points) if is_made else (0, 162 + roem))


def half_up(points: int, weight: int) -> str:
    exact = Decimal(points) / (weight or 1)
    return str(exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


@dataclass
class Line:
    """A pair's season: the plain sum, what counts, and which evenings do not."""

    name: str
    total: int
    counted: int
    weight: int
    evenings: int
    pits: int
    dropped: set[str]
    ties: tuple[int, ...]


def has_it_all(season: Season, lines: Sequence[Line]) -> bool:
    """Whether a substitute played on an evening that is read deal by deal, a pair was left over,
    pairs signed off and stayed away, and evenings were dropped: else agreeing says little."""
    absences = {fact.absence for facts in season.facts.values() for fact in facts.values()}
    by_deal = season.dates[::2]
    return (
        any(season.substitutes[date] for date in by_deal)
        and any(date in season.odd for date in by_deal)
        and {"notice", "none"} <= absences
        and any(line.dropped for line in lines)
    )


def worked_out(
    season: Season, periods: Sequence[Sequence[str]], best: int, with_notice: str
) -> list[Line]:
    """The season: per period the best evenings; away with notice is the lowest score of the
    evening, without it 0 that cannot be dropped. Ties: most pits, then the best round."""
    lowest = {
        date: min(fact.score for fact in facts.values() if fact.score is not None)
        for date, facts in season.facts.items()
    }
    lines = []
    for name in season.people:
        own = {date: facts[name] for date, facts in season.facts.items() if name in facts}
        if not own:
            continue
        counted, weight, dropped = 0, 0, set()
        for first, last in periods:
            fixed, free = [], []
            for date, fact in own.items():
                if not first <= date <= last:
                    continue
                if fact.absence == "none":
                    fixed.append((0, date))
                elif fact.absence == "notice":
                    assert with_notice == "lowest"
                    free.append((lowest[date], date))
                else:
                    free.append((fact.score or 0, date))
            free.sort(key=lambda each: (-each[0], each[1]))
            places = max(0, best - len(fixed))
            kept = fixed + free[:places]
            dropped |= {date for _score, date in free[places:]}
            counted += sum(score for score, _date in kept)
            weight += len(kept)
        played = [fact for fact in own.values() if fact.score is not None]
        lines.append(
            Line(
                name,
                total=sum(fact.score or 0 for fact in played),
                counted=counted,
                weight=weight,
                evenings=len(played),
                pits=sum(fact.pits for fact in played),
                dropped=dropped,
                ties=(
                    sum(fact.pits for fact in played),
                    max((score for fact in played for score in fact.rounds.values()), default=-1),
                ),
            )
        )
    return lines


def as_csv(season: Season, lines: Sequence[Line]) -> list[list[str]]:
    """The standing as the command prints it."""

    def worth(line: Line) -> tuple[int, ...]:
        return (line.counted, *line.ties)

    headings = "rank pair total counted evenings average pits".split()
    table = [[*headings, *season.dates]]
    for line in sorted(lines, key=lambda line: ([-each for each in worth(line)], line.name)):
        rank = 1 + sum(worth(other) > worth(line) for other in lines)
        cells = [rank, line.name, line.total, line.counted, line.evenings]
        row = [*map(str, cells), half_up(line.counted, line.weight), str(line.pits)]
        for date in season.dates:
            fact = season.facts[date].get(line.name)
            score = "" if fact is None or fact.score is None else str(fact.score)
            row.append(f"({score})" if score and date in line.dropped else score)
        table.append(row)
    return table


def imported(files: Files, season: Season) -> None:
    """The evenings in turn as deals, with who stayed away noted at the desk before, and as results
    of pairs by round."""
    people = {
        name: [MemberFactory.create(club=files.club, name=person) for person in two]
        for name, two in season.people.items()
    }
    first = dt.date.fromisoformat(season.dates[0])
    for name, two in people.items():
        competitor_create(
            club=files.club, kind="pair", name=name, people=two, since=first, actor=TESTS
        )
    for at, (date, text) in enumerate(zip(season.dates, season.files, strict=True)):
        facts = season.facts[date]
        if at % 2:
            files.results(results_text(date, facts))
            continue
        evening = EveningFactory.create(club=files.club, date=dt.date.fromisoformat(date))
        for name, fact in facts.items():
            for member in people[name] if fact.absence else ():
                presence_set(
                    evening_id=evening.pk,
                    member=member,
                    present=False,
                    absence=fact.absence,
                    actor=TESTS,
                )
        files.evening(text, season="2026", replace=True)


def results_text(date: str, facts: Mapping[str, Fact]) -> str:
    """The same evening as results by round; the pits stand with the last one."""
    lines = ["evening,pair,round,score,pits,absence"]
    for name, fact in facts.items():
        if fact.absence:
            lines.append(f"{date},{name},,,,{fact.absence}")
        for number, score in fact.rounds.items():
            pits = fact.pits if number == max(fact.rounds) else 0
            lines.append(f"{date},{name.upper()},{number},{score},{pits},")
    return "\n".join(lines) + "\n"


def compared(tmp_path: Path, season: Season, periods: Sequence[Sequence[str]], best: int) -> None:
    files = Files(ClubFactory.create(), tmp_path)
    imported(files, season)
    rule = {
        "periods": periods,
        "best_per_period": best,
        "absence": {"with_notice": "lowest", "without_notice": 0},
        "tie_breaks": ["pits", "best_round"],
    }
    lines = worked_out(season, periods, best, "lowest")
    assert has_it_all(season, lines)
    standing = files.standings(season="2026", by="pair", rule=json.dumps(rule))
    assert read(standing) == as_csv(season, lines)
    # And by evening.
    for date, facts in season.facts.items():
        scores = {name: fact.score for name, fact in facts.items() if fact.score is not None}
        printed = read(files.standings(evening=date))
        assert printed[0][:3] == ["rank", "pair", "total"]
        assert {row[1]: (int(row[0]), int(row[2])) for row in printed[1:]} == {
            name: (1 + sum(other > score for other in scores.values()), score)
            for name, score in scores.items()
        }


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.both
def test_a_small_season_agrees_on_every_figure(tmp_path: Path) -> None:
    season = Season(seed=396, pairs=7, evenings=4, rounds=2, deals=1)
    dates = season.dates
    compared(tmp_path, season, [[dates[0], dates[1]], [dates[2], dates[3]]], best=1)


@pytest.mark.full
def test_24_pairs_over_14_evenings_agree_on_every_figure(tmp_path: Path) -> None:
    season = Season(seed=1, pairs=24, evenings=14, rounds=3, deals=4)
    dates = season.dates
    compared(tmp_path, season, [[dates[0], dates[6]], [dates[7], dates[13]]], best=5)
