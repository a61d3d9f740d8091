"""The records of a club and the race of a season, from figures written by hand and from any."""

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.standings.core.season import day
from tournaments.standings.core.results import CountingRule, EveningResult, mean
from tournaments.standings.core.season import rank_season
from tournaments.story.core import records
from tournaments.story.core.records import (
    Holder,
    PastEvening,
    Played,
    Record,
    club_records,
    race_places,
    race_stops,
)

JAN, MIA, PIET = 1, 2, 3
FIRST = dt.date(2026, 1, 6)


def evening(week: int, *people: Played, season: int | None = 7) -> PastEvening:
    date = FIRST + dt.timedelta(weeks=week)
    return PastEvening(date.isoformat(), date, season, people)


def found(*evenings: PastEvening, hidden: int = 0) -> dict[str, tuple[Holder, ...]]:
    records_ = club_records(evenings, lambda person: person != hidden)
    return {record.kind: record.holders for record in records_}


def test_who_and_when() -> None:
    first = evening(
        0,
        Played(JAN, 5000, 3, pits=2, best_round=1900, streak=6),
        Played(MIA, 4800, 3, pits=2, best_round=1900, streak=4),
    )
    second = evening(1, Played(JAN, 4700, 3, pits=0, best_round=1700, streak=9))
    assert club_records([first, second], lambda _person: True) == [
        Record(
            "round", (Holder((JAN, MIA), 1900, "2026-01-06"), Holder((JAN,), 1700, "2026-01-13"))
        ),
        Record(
            "evening",
            (
                Holder((JAN,), 5000, "2026-01-06"),
                Holder((MIA,), 4800, "2026-01-06"),
                Holder((JAN,), 4700, "2026-01-13"),
            ),
        ),
        Record("pits", (Holder((JAN, MIA), 2, "2026-01-06"),)),
        Record(
            "streak",
            (
                Holder((JAN,), 9, "2026-01-13"),
                Holder((JAN,), 6, "2026-01-06"),
                Holder((MIA,), 4, "2026-01-06"),
            ),
        ),
        Record("season_pits", (Holder((JAN, MIA), 2, season=7),)),
        Record("evenings", (Holder((JAN,), 2), Holder((MIA,), 1))),
        Record("in_a_row", (Holder((JAN,), 2, "2026-01-13"),)),
        Record("highest", (Holder((JAN,), 2),)),
    ]


def test_what_is_added_up_over_all_evenings_is_not_told_of_who_is_hidden() -> None:
    evenings = [evening(week, Played(JAN, 5000), Played(MIA, 4000)) for week in range(3)]
    told = found(*evenings, hidden=JAN)
    assert told["evenings"] == (Holder((MIA,), 3),)
    assert told["in_a_row"] == (Holder((MIA,), 3, "2026-01-20"),)
    assert "highest" not in told
    assert told["evening"][0].people == (JAN,)


def test_what_many_have_is_no_record() -> None:
    many = [Played(person, 5000, pits=1) for person in range(1, 7)]
    assert found(evening(0, *many)) == {}
    assert found(evening(0, *many[:5]))["pits"][0].people == (1, 2, 3, 4, 5)
    assert found(evening(0, Played(9, 5100), *many))["evening"] == (
        Holder((9,), 5100, "2026-01-06"),
    )


def test_the_first_of_equal_ones_stands_first_and_a_fourth_who_equals_the_third_too() -> None:
    evenings = [
        evening(week, Played(person, score))
        for week, (person, score) in enumerate([(1, 10), (2, 30), (3, 20), (4, 10), (5, 10)])
    ]
    assert [holder.people for holder in found(*evenings)["evening"]] == [
        (2,),
        (3,),
        (1,),
        (4,),
        (5,),
    ]
    more = [*evenings, evening(9, Played(6, 10))]
    assert [holder.people for holder in found(*more)["evening"]] == [(2,), (3,), (1,)]


@pytest.mark.parametrize(("evenings", "told"), [(6, True), (5, False)])
def test_an_average_needs_six_evenings_and_half_of_the_season(evenings: int, told: bool) -> None:
    played = [evening(week, Played(JAN, 5000 + week)) for week in range(evenings)]
    average = mean(sum(5000 + week for week in range(evenings)), evenings)
    expected = {"season_average": (Holder((JAN,), average, season=7),)} if told else {}
    averages = {k: v for k, v in found(*played).items() if k == "season_average"}
    assert averages == expected
    others = [evening(20 + week, Played(MIA, 1)) for week in range(evenings + 1)]
    assert JAN not in {
        person
        for holder in found(*played, *others).get("season_average", ())
        for person in holder.people
    }


def test_an_evening_of_no_season_is_in_no_season() -> None:
    alone = evening(0, Played(JAN, 5000, pits=3), season=None)
    assert "season_pits" not in found(alone)


PLAYED = st.builds(
    Played, person=st.integers(1, 6), score=st.integers(-100, 60), pits=st.integers(0, 3)
)
CLUB = st.lists(st.lists(PLAYED, max_size=6, unique_by=lambda played: played.person), max_size=30)


@given(CLUB)
def test_the_first_is_the_highest_there_was(club: list[list[Played]]) -> None:
    told = found(*(evening(week, *people) for week, people in enumerate(club)))
    everybody = [played for people in club for played in people]
    for kind, figures in {
        "evening": [played.score for played in everybody],
        "pits": [played.pits or 0 for played in everybody],
    }.items():
        holders = told.get(kind, ())
        if holders:
            assert holders[0].figure == max(figures)
        for above, below in itertools.pairwise(holders):
            assert above.figure >= below.figure


def test_many_evenings_lose_no_record() -> None:
    best = {150: 7000, 3: 6900, 290: 6800}
    evenings = [evening(week, Played(JAN, best.get(week, 5000 + week))) for week in range(300)]
    assert [holder.figure for holder in found(*evenings)["evening"]] == [7000, 6900, 6800]


def played(person: int, week: int, score: int) -> EveningResult:
    return EveningResult(str(person), str(person), day(week), score)


RESULTS = [
    played(JAN, 1, 50),
    played(MIA, 1, 40),
    played(JAN, 2, 10),
    played(MIA, 2, 30),
    played(PIET, 2, 80),
]


def test_the_race_has_everybodys_place_after_each_evening() -> None:
    evenings = [result.evening for result in (RESULTS[0], RESULTS[2])]
    stops, places = race_places(RESULTS, CountingRule(), evenings)
    assert stops == evenings
    assert places == {"1": [1, 3], "2": [2, 2], "3": [None, 1]}


def test_who_came_too_seldom_has_no_place_yet() -> None:
    evenings = [result.evening for result in (RESULTS[0], RESULTS[2])]
    _stops, places = race_places(RESULTS, CountingRule(minimum_evenings=2), evenings)
    assert places == {"1": [None, 2], "2": [None, 1], "3": [None, None]}


def test_a_large_season_is_ranked_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_LINES_RANKED", 10)
    evenings = [day(week).isoformat() for week in range(1, 31)]
    assert race_stops(RESULTS, evenings) == [7, 14, 21, 29]
    assert race_stops(RESULTS * 20, evenings) == [14, 29]
    assert race_stops(RESULTS, []) == []


@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 6)), unique=True, max_size=20),
    st.integers(0, 2),
)
def test_the_last_stop_is_the_standing_itself(there: list[tuple[int, int]], minimum: int) -> None:
    results = [played(person, week, 100 * person + week) for person, week in there]
    evenings = sorted({result.evening for result in results})
    rule = CountingRule(minimum_evenings=minimum)
    _stops, places = race_places(results, rule, evenings)
    assert {person: line[-1] for person, line in places.items()} == {
        row.player_id: row.rank for row in rank_season(results, rule).rows
    }
