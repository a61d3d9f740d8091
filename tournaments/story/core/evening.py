"""What there is to tell of an evening: the best and never the worst, of people by id.

What is not known of everybody is left out.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from tournaments.story.core.records import PastEvening, Played

FactKind = Literal[
    "record_round",
    "record_evening",
    "highest_round",
    "most_pits",
    "only_pit",
    "closest_table",
    "streak",
    "climbed",
    "season_leader",
    "season_climbed",
    "personal",
    "evenings",
    "first_pit",
    "debut",
]

MOST_NAMES = 4
"""A fact about more people than two pairs says nothing about any of them."""
SHORTEST_STREAK, LARGEST_GAP, LEAST_CLIMB = 4, 100, 3
MOST_PERSONAL = 3
LONG_ENOUGH = 10
"""So many earlier evenings make a record, or a pit after a year, worth telling."""
YEAR = dt.timedelta(days=365)


class Line(NamedTuple):
    """Somebody in the published standing. `unit` is what has the place: their pair, or themselves.
    `rounds` has every score that counts, `played` the numbers of those that were played."""

    person: int
    unit: int
    rank: int
    total: int
    rounds: Mapping[int, int]
    played: frozenset[int]


class TableResult(NamedTuple):
    """A full table of four: the people of both sides, and what these scored."""

    round: int
    table: int
    sides: tuple[tuple[tuple[int, ...], int], tuple[tuple[int, ...], int]]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth telling about these people; what the figures are depends on the kind."""

    kind: FactKind
    people: tuple[int, ...]
    figure: int = 0
    former: int = 0
    round: int | None = None
    table: int | None = None
    others: tuple[int, ...] = ()


def evening_facts(
    lines: Sequence[Line],
    here: Sequence[Played],
    tables: Sequence[TableResult],
    before: Sequence[PastEvening],
    *,
    day: dt.date,
    season: tuple[Mapping[int, int], Mapping[int, int]] | None = None,
    ranked: Sequence[Line] = (),
) -> list[Fact]:
    """What there is to tell of an evening, in the order in which it is told.

    `before` has the club's earlier evenings; `season` everybody's place before and after this one;
    `ranked` the lines of its teams, each as if it were a person, where it ranks those.
    """
    facts = [
        *_best_rounds(lines, before),
        *_best_evening(here, before),
        *_pits(here),
        *_closest(tables),
        *_streak(here),
        *_climbed(ranked or lines),
        *(_season_moves(season, {played.person for played in here}) if season else ()),
        *_milestones(here, before, day),
    ]
    return [fact for fact in facts if len(fact.people) <= MOST_NAMES]


def told_of(facts: Iterable[Fact], visible: Callable[[int], bool]) -> list[Fact]:
    """The facts without people who are not to be named. A fact about nobody else is left out, but
    a table is still there to be told of."""
    kept = []
    for fact in facts:
        people = tuple(filter(visible, fact.people))
        others = tuple(filter(visible, fact.others))
        if fact.kind == "closest_table":
            whole = bool(people and others)
            kept.append(replace(fact, people=people, others=others) if whole else _unnamed(fact))
        elif people:
            kept.append(replace(fact, people=people))
    return kept


def _unnamed(fact: Fact) -> Fact:
    return replace(fact, people=(), others=())


def _best_rounds(lines: Sequence[Line], before: Sequence[PastEvening]) -> Iterator[Fact]:
    scores = [
        (line.rounds[number], number, line.person)
        for line in lines
        for number in sorted(line.played)
        if number in line.rounds
    ]
    if len({score for score, _number, _person in scores}) < 2:
        return
    best = max(scores)[0]
    holders = {person: number for score, number, person in scores if score == best}
    rounds = set(holders.values())
    earlier = [
        played.best_round
        for evening in before
        for played in evening.people
        if played.best_round is not None
    ]
    is_record = len(before) >= LONG_ENOUGH and bool(earlier) and best > max(earlier)
    yield Fact(
        "record_round" if is_record else "highest_round",
        tuple(holders),
        figure=best,
        former=max(earlier, default=0),
        round=rounds.pop() if len(rounds) == 1 else None,
    )


def _best_evening(here: Sequence[Played], before: Sequence[PastEvening]) -> Iterator[Fact]:
    best = max((played.score for played in here), default=0)
    earlier = [played.score for evening in before for played in evening.people]
    if len(before) >= LONG_ENOUGH and earlier and best > max(earlier):
        people = tuple(played.person for played in here if played.score == best)
        yield Fact("record_evening", people, figure=best, former=max(earlier))


def _pits(here: Sequence[Played]) -> Iterator[Fact]:
    """None where the pits of somebody are not known: who had the most is not either."""
    if not here or any(played.pits is None for played in here):
        return
    most = max(played.pits or 0 for played in here)
    people = tuple(played.person for played in here if played.pits == most)
    had_any = sum(bool(played.pits) for played in here)
    if most == 1 and had_any <= 2:
        yield Fact("only_pit", people, figure=1)
    elif most > 1:
        yield Fact("most_pits", people, figure=most)


def _closest(tables: Sequence[TableResult]) -> Iterator[Fact]:
    """The table with the smallest difference, of equal ones the last; none where no other is."""
    gaps = [(abs(t.sides[0][1] - t.sides[1][1]), -t.round, t.table) for t in tables]
    if len(tables) < 2 or min(gaps)[0] > LARGEST_GAP:
        return
    table = tables[gaps.index(min(gaps))]
    first, second = sorted(table.sides, key=lambda side: -side[1])
    yield Fact(
        "closest_table",
        first[0],
        figure=first[1],
        former=second[1],
        round=table.round,
        table=table.table,
        others=second[0],
    )


def _streak(here: Sequence[Played]) -> Iterator[Fact]:
    if not here or any(played.streak is None for played in here if played.best_round is not None):
        return
    longest = max(played.streak or 0 for played in here)
    if longest >= SHORTEST_STREAK:
        people = tuple(played.person for played in here if played.streak == longest)
        yield Fact("streak", people, figure=longest)


def _climbed(lines: Sequence[Line]) -> Iterator[Fact]:
    """Who went up the most places in the last round."""
    numbers = sorted({number for line in lines for number in line.rounds})
    if len(numbers) < 2:
        return
    last = numbers[-1]
    then = {line.unit: line.total - line.rounds.get(last, 0) for line in lines}
    places: dict[int, int] = {}
    for place, total in enumerate(sorted(then.values(), reverse=True), start=1):
        places.setdefault(total, place)
    climbs = {
        line.person: (places[then[line.unit]] - line.rank, -line.rank)
        for line in lines
        if last in line.played
    }
    most, rank = max(climbs.values(), default=(0, 0))
    if most >= LEAST_CLIMB:
        people = tuple(person for person, climb in climbs.items() if climb == (most, rank))
        yield Fact("climbed", people, figure=-rank, former=most - rank)


def _season_moves(
    season: tuple[Mapping[int, int], Mapping[int, int]], here: set[int]
) -> Iterator[Fact]:
    before, after = season
    if not before:
        return
    leaders = tuple(p for p, place in after.items() if place == 1 and p in here)
    if leaders and all(before.get(person) != 1 for person in leaders):
        yield Fact("season_leader", leaders, figure=1)
    climbs = [
        (before[person] - place, -place, person)
        for person, place in after.items()
        if person in here and person in before and place > 1
    ]
    most, place, _person = max(climbs, default=(0, 0, 0))
    if most >= LEAST_CLIMB:
        people = tuple(p for climb, at, p in climbs if (climb, at) == (most, place))
        yield Fact("season_climbed", people, figure=-place, former=most - place)


class Career(NamedTuple):
    """What is known of somebody before an evening: how often they played, their score on evenings
    of as many boompjes, and when their pits were last known, and last made."""

    evenings: int
    scores: Sequence[int]
    pits_known: Sequence[dt.date]
    last_pit: dt.date | None


def _careers(here: Sequence[Played], before: Iterable[PastEvening]) -> dict[int, Career]:
    now = {played.person: played for played in here}
    evenings: Counter[int] = Counter()
    scores: dict[int, list[int]] = defaultdict(list)
    known: dict[int, list[dt.date]] = defaultdict(list)
    pits: dict[int, dt.date] = {}
    for evening in before:
        for played in evening.people:
            person = played.person
            if person not in now:
                continue
            evenings[person] += 1
            if played.best_round is None or played.boompjes == now[person].boompjes:
                scores[person].append(played.score)
            if played.pits is not None:
                known[person].append(evening.date)
                if played.pits:
                    pits[person] = evening.date
    return {
        person: Career(evenings[person], scores[person], known[person], pits.get(person))
        for person in now
    }


def _milestones(
    here: Sequence[Played], before: Sequence[PastEvening], day: dt.date
) -> Iterator[Fact]:
    careers = _careers(here, before)
    improved = [
        Fact("personal", (played.person,), figure=played.score, former=max(earlier))
        for played in here
        if len(earlier := careers[played.person].scores) >= LONG_ENOUGH
        and played.score > max(earlier)
    ]
    yield from sorted(improved, key=lambda fact: -fact.figure)[:MOST_PERSONAL]
    times = {person: career.evenings + 1 for person, career in careers.items()}
    for milestone in sorted({time for time in times.values() if is_milestone(time)}):
        people = tuple(person for person, time in times.items() if time == milestone)
        yield Fact("evenings", people, figure=milestone)
    if pitters := tuple(p.person for p in here if p.pits and _after_a_year(careers[p.person], day)):
        yield Fact("first_pit", pitters)
    if len(before) >= LONG_ENOUGH and (
        new := tuple(person for person, time in times.items() if time == 1)
    ):
        yield Fact("debut", new)


def is_milestone(times: int) -> bool:
    """Whether so many evenings are worth telling.

    >>> [times for times in range(1, 301) if is_milestone(times)]
    [25, 50, 100, 150, 200, 250, 300]
    """
    return times == 25 or (times > 0 and times % 50 == 0)


def _after_a_year(career: Career, day: dt.date) -> bool:
    """Whether their last pit is a year ago or more, and they played all that time."""
    since = day - YEAR
    if career.last_pit is not None and career.last_pit > since:
        return False
    lately = [known for known in career.pits_known if known > since]
    return len(lately) >= LONG_ENOUGH and career.pits_known[0] <= since
