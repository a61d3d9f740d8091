"""The race of a season, and the records of a club, from everybody's evenings."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal, NamedTuple

from tournaments.standings.core.results import CountingRule, EveningResult, Points, mean
from tournaments.standings.core.season import rank_season


class Played(NamedTuple):
    """What is known of somebody on an evening. `pits` and `streak` are None where deals are not
    known, `best_round` where rounds are not."""

    person: int
    score: int
    boompjes: int = 1
    pits: int | None = 0
    best_round: int | None = None
    streak: int | None = None


class PastEvening(NamedTuple):
    """A closed evening with everybody who played; `season` is an id, `key` names the evening."""

    key: str
    date: dt.date
    season: int | None
    people: Sequence[Played]


# The race of a season.

MOST_LINES_RANKED = 40_000
"""More results than this are not ranked for one chart: that would take half a second."""


def race_stops(results: Sequence[EveningResult], evenings: Sequence[str]) -> list[int]:
    """After which evenings, by index, the standing is made: after each, or in a large season after
    as many as can be ranked in time, evenly spaced, the last one always among them."""
    count = len(evenings)
    if not count:
        return []
    stops = max(2, 2 * MOST_LINES_RANKED // max(1, len(results)))
    if stops >= count:
        return list(range(count))
    return sorted({round((at + 1) * count / stops) - 1 for at in range(stops)})


def race_places(
    results: Sequence[EveningResult], rule: CountingRule, evenings: Sequence[str]
) -> tuple[list[str], dict[str, list[int | None]]]:
    """The evenings after which places are known, and everybody's place after each, None while they
    have none. Who met whom and lots play no part."""
    stops = [evenings[at] for at in race_stops(results, evenings)]
    ties = tuple(key for key in rule.tie_breaks if key not in ("head_to_head", "lot"))
    plain = replace(rule, tie_breaks=ties)
    places: dict[str, list[int | None]] = {
        result.player_id: [None] * len(stops) for result in results
    }
    for at, stop in enumerate(stops):
        so_far = [result for result in results if result.evening <= stop]
        for row in rank_season(so_far, plain).rows:
            places[row.player_id][at] = row.rank
    return stops, places


# The records of a club.

RecordKind = Literal[
    "round",
    "evening",
    "pits",
    "streak",
    "season_pits",
    "season_average",
    "evenings",
    "in_a_row",
    "highest",
]

PLACES, MOST_HOLDERS = 3, 5
FEWEST_EVENINGS = 6
"""And at least half of a season, for its best average."""


class Holder(NamedTuple):
    """Who has it, perhaps several together: on an evening (its key), in a season (an id), or over
    all evenings."""

    people: tuple[int, ...]
    figure: Points
    evening: str = ""
    season: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The best of a kind, with the places after it."""

    kind: RecordKind
    holders: tuple[Holder, ...]


def club_records(evenings: Sequence[PastEvening], named: Callable[[int], bool]) -> list[Record]:
    """The records that there are, from evenings in order of time. What is added up over all
    evenings is told of people who are `named` only."""
    found: list[tuple[RecordKind, Iterable[Holder]]] = [
        ("round", _best_each(evenings, lambda played: played.best_round)),
        ("evening", _best_each(evenings, lambda played: played.score)),
        ("pits", _best_each(evenings, lambda played: played.pits)),
        ("streak", _best_each(evenings, lambda played: _more_than_one(played.streak))),
        ("season_pits", _season_pits(evenings)),
        ("season_average", _season_averages(evenings)),
        ("evenings", filter(lambda holder: named(holder.people[0]), _evenings(evenings))),
        ("in_a_row", filter(lambda holder: named(holder.people[0]), _in_a_row(evenings))),
        ("highest", filter(lambda holder: named(holder.people[0]), _highest(evenings))),
    ]
    records = [Record(kind, _first(holders)) for kind, holders in found]
    return [record for record in records if record.holders]


def _more_than_one(figure: int | None) -> int | None:
    return figure if figure and figure > 1 else None


def _first(holders: Iterable[Holder]) -> tuple[Holder, ...]:
    """The first three, with who equals the third as long as they are few; of equal ones the first
    in time is first. Each has one person; who have the same together become one, and what many have
    is no record of anybody."""
    best = sorted((h for h in holders if h.figure > 0), key=lambda holder: -holder.figure)
    together: dict[tuple[Points, str, int | None], list[int]] = defaultdict(list)
    for holder in best:
        together[holder[1:]].extend(holder.people)
    groups = [
        Holder(tuple(people), *same)
        for same, people in takewhile(lambda group: len(group[1]) <= MOST_HOLDERS, together.items())
    ]
    if len(groups) <= PLACES:
        return tuple(groups)
    tied = [holder for holder in groups if holder.figure >= groups[PLACES - 1].figure]
    return tuple(tied if len(tied) <= MOST_HOLDERS else groups[:PLACES])


def _best_each(
    evenings: Iterable[PastEvening], figure_of: Callable[[Played], int | None]
) -> list[Holder]:
    """Every figure that may be among the first, in order of time: at most so many evenings have
    one as high as the least of these."""
    best: list[tuple[int, str, list[int]]] = []
    for evening in evenings:
        figures: dict[int, list[int]] = defaultdict(list)
        for played in evening.people:
            figure = figure_of(played)
            if figure:
                figures[figure].append(played.person)
        top = sorted(figures, reverse=True)[:PLACES]
        best.extend((figure, evening.key, figures[figure]) for figure in top)
        if len(best) > 20 * MOST_HOLDERS:
            best.sort(key=lambda group: -group[0])
            del best[MOST_HOLDERS + 1 :]
    return [Holder((p,), figure, evening=key) for figure, key, people in best for p in people]


def _season_pits(evenings: Iterable[PastEvening]) -> Iterator[Holder]:
    pits: Counter[tuple[int, int]] = Counter()
    for evening in evenings:
        if evening.season is not None:
            for played in evening.people:
                pits[evening.season, played.person] += played.pits or 0
    for (season, person), often in pits.items():
        yield Holder((person,), often, season=season)


def _season_averages(evenings: Iterable[PastEvening]) -> Iterator[Holder]:
    held: Counter[int] = Counter()
    scores: dict[tuple[int, int], list[int]] = defaultdict(list)
    for evening in evenings:
        if evening.season is not None:
            held[evening.season] += 1
            for played in evening.people:
                scores[evening.season, played.person].append(played.score)
    for (season, person), own in scores.items():
        if len(own) >= FEWEST_EVENINGS and 2 * len(own) >= held[season]:
            yield Holder((person,), mean(sum(own), len(own)), season=season)


def _evenings(evenings: Iterable[PastEvening]) -> Iterator[Holder]:
    times = Counter(played.person for evening in evenings for played in evening.people)
    for person, often in times.items():
        yield Holder((person,), often)


def _in_a_row(evenings: Iterable[PastEvening]) -> Iterator[Holder]:
    """How many evenings of the club somebody played without missing one, and until which."""
    now: dict[int, int] = {}
    longest: dict[int, Holder] = {}
    for evening in evenings:
        now = {played.person: now.get(played.person, 0) + 1 for played in evening.people}
        for person, row in now.items():
            if person not in longest or row > longest[person].figure:
                longest[person] = Holder((person,), row, evening=evening.key)
    yield from (holder for holder in longest.values() if holder.figure > 1)


def _highest(evenings: Iterable[PastEvening]) -> Iterator[Holder]:
    """How often somebody had the most points of an evening, alone or together."""
    times: Counter[int] = Counter()
    for evening in evenings:
        best = max((played.score for played in evening.people), default=0)
        times.update(played.person for played in evening.people if played.score == best)
    for person, often in times.items():
        if often > 1:
            yield Holder((person,), often)
