"""What there is to tell of an evening, from figures written by hand and from any."""

import datetime as dt
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.story.core.evening import (
    MOST_NAMES,
    Fact,
    Line,
    TableResult,
    evening_facts,
    told_of,
)
from tournaments.story.core.records import PastEvening, Played

DAY = dt.date(2026, 11, 21)
JAN, MIA, PIET, TRUUS, KEES = range(1, 6)


def line(person: int, rank: int, *scores: int, out: frozenset[int] = frozenset()) -> Line:
    rounds = dict(enumerate(scores, start=1))
    return Line(person, person, rank, sum(scores), rounds, frozenset(rounds) - out)


def evening(weeks_ago: int, *people: Played) -> PastEvening:
    day = DAY - dt.timedelta(weeks=weeks_ago)
    return PastEvening(day.isoformat(), day, None, people)


def history(*people: Played, evenings: int = 10, weeks_ago: int = 1) -> list[PastEvening]:
    """So many evenings, the last of them so many weeks ago, each with these people."""
    return [evening(weeks_ago + at, *people) for at in reversed(range(evenings))]


def facts(
    lines: Sequence[Line] = (),
    here: Sequence[Played] = (),
    tables: Sequence[TableResult] = (),
    before: Sequence[PastEvening] = (),
    season: tuple[dict[int, int], dict[int, int]] | None = None,
) -> list[Fact]:
    return evening_facts(lines, here, tables, before, day=DAY, season=season)


def test_the_highest_round_is_of_who_played_it_and_not_of_who_sat_out() -> None:
    lines = [
        line(JAN, 1, 1800, 1500),
        line(PIET, 1, 1800, 1500),
        line(MIA, 3, 1300, 1600),
        line(TRUUS, 4, 1900, 900, out=frozenset({1})),
    ]
    assert facts(lines) == [Fact("highest_round", (JAN, PIET), figure=1800, round=1)]


def test_of_equal_rounds_none_is_the_highest() -> None:
    assert facts([line(JAN, 1, 1500), line(MIA, 1, 1500)]) == []


def test_more_people_than_two_pairs_are_not_named() -> None:
    people = range(1, MOST_NAMES + 2)
    lines = [*(line(person, 1, 1700) for person in people), line(99, 6, 1200)]
    assert facts(lines) == []


def test_a_round_that_was_never_so_high_is_a_record_of_the_club() -> None:
    before = history(Played(JAN, 1600, best_round=1600), Played(MIA, 1700, best_round=1700))
    lines = [line(JAN, 1, 1701), line(MIA, 2, 1500)]
    assert facts(lines, before=before) == [
        Fact("record_round", (JAN,), figure=1701, former=1700, round=1)
    ]
    assert facts(lines, before=before[1:])[0].kind == "highest_round"


def test_the_highest_evening_ever_is_one_too() -> None:
    before = history(Played(JAN, 5000, 3, best_round=1900))
    here = [Played(MIA, 5001, 3, best_round=1800), Played(JAN, 4000, 3, best_round=1400)]
    assert [f for f in facts(here=here, before=before) if f.kind == "record_evening"] == [
        Fact("record_evening", (MIA,), figure=5001, former=5000)
    ]


def test_pits() -> None:
    two, one, none = Played(JAN, 1, pits=2), Played(MIA, 1, pits=1), Played(PIET, 1)
    assert facts(here=[two, one, none]) == [Fact("most_pits", (JAN,), figure=2)]
    assert facts(here=[one, none]) == [Fact("only_pit", (MIA,), figure=1)]
    assert facts(here=[none]) == []
    three = [Played(person, 1, pits=1) for person in (JAN, MIA, PIET)]
    assert facts(here=three) == []


def test_who_had_most_pits_is_not_known_where_a_table_does_not_say_its_pits() -> None:
    assert facts(here=[Played(JAN, 1, pits=3), Played(MIA, 1, pits=None)]) == []


def test_the_closest_table_names_the_side_with_more_first() -> None:
    wide = TableResult(1, 1, (((JAN, PIET), 1600), ((MIA, TRUUS), 1500)))
    close = TableResult(2, 3, (((JAN, MIA), 1490), ((PIET, TRUUS), 1500)))
    assert facts(tables=[wide, close]) == [
        Fact(
            "closest_table",
            (PIET, TRUUS),
            figure=1500,
            former=1490,
            round=2,
            table=3,
            others=(JAN, MIA),
        )
    ]
    assert facts(tables=[close]) == []
    far = wide._replace(sides=(((JAN, PIET), 1800), ((MIA, TRUUS), 1500)))
    assert facts(tables=[far, far._replace(table=2)]) == []


def test_the_longest_streak_needs_the_deals_of_everybody_who_played() -> None:
    seven = Played(JAN, 1, best_round=1, pits=0, streak=7)
    three = Played(MIA, 1, best_round=1, pits=0, streak=3)
    assert facts(here=[seven, three]) == [Fact("streak", (JAN,), figure=7)]
    assert facts(here=[three]) == []
    assert facts(here=[seven, three._replace(streak=None)]) == []
    sat_out = three._replace(streak=None, best_round=None)
    assert facts(here=[seven, sat_out]) == [Fact("streak", (JAN,), figure=7)]


def test_who_went_up_most_in_the_last_round_and_played_it() -> None:
    lines = [
        line(JAN, 1, 1500, 1500),
        line(MIA, 2, 1400, 1550),
        line(PIET, 3, 1300, 1600),
        line(KEES, 4, 1000, 1890),
        line(TRUUS, 5, 1450, 1300),
    ]
    # Kees was fifth, but one place up is nothing to tell.
    assert [f for f in facts(lines) if f.kind == "climbed"] == []
    up = [*lines[1:], line(KEES, 1, 1000, 2100)]
    up = [line(KEES, 1, 1000, 2100), *lines[:3], lines[4]]
    assert [f for f in facts(up) if f.kind == "climbed"] == [
        Fact("climbed", (KEES,), figure=1, former=5)
    ]
    given = line(KEES, 1, 1000, 2100, out=frozenset({2}))
    assert [f for f in facts([given, *up[1:]]) if f.kind == "climbed"] == []


def test_the_season_has_a_new_leader_and_somebody_who_went_up() -> None:
    here = [Played(person, 1) for person in (JAN, MIA, PIET, TRUUS)]
    before = {MIA: 1, JAN: 2, PIET: 3, KEES: 4, TRUUS: 9}
    after = {JAN: 1, MIA: 2, PIET: 3, KEES: 4, TRUUS: 5}
    assert facts(here=here, season=(before, after)) == [
        Fact("season_leader", (JAN,), figure=1),
        Fact("season_climbed", (TRUUS,), figure=5, former=9),
    ]
    assert facts(here=here, season=({}, after)) == []
    assert facts(here=here[1:], season=({JAN: 2, MIA: 1}, after)) == []


def test_a_personal_record_is_among_evenings_of_as_many_rounds() -> None:
    here = [Played(JAN, 5000, 3, best_round=1800)]
    longer = history(Played(JAN, 6500, 4, best_round=1800))
    same = history(Played(JAN, 4900, 3, best_round=1800), weeks_ago=11)
    kinds = {f.kind: f for f in facts(here=here, before=[*same, *longer])}
    assert kinds == {"personal": Fact("personal", (JAN,), figure=5000, former=4900)}
    assert facts(here=here, before=longer) == []


@pytest.mark.parametrize(("earlier", "told"), [(23, False), (24, True), (99, True), (100, False)])
def test_round_numbers_of_evenings(earlier: int, told: bool) -> None:
    before = history(Played(JAN, 5000), evenings=earlier)
    expected = [Fact("evenings", (JAN,), figure=earlier + 1)] if told else []
    assert facts(here=[Played(JAN, 4000)], before=before) == expected


def test_the_first_pit_in_a_year_is_of_who_played_that_year() -> None:
    pit = Played(JAN, 4000, pits=1), Played(MIA, 4100, pits=2)
    dry = history(Played(JAN, 4900), Played(MIA, 4900, pits=1), evenings=60)
    told = [f for f in facts(here=pit, before=dry) if f.kind == "first_pit"]
    assert told == [Fact("first_pit", (JAN,))]
    unknown = history(Played(JAN, 4900, pits=None), evenings=60)
    assert [f for f in facts(here=pit[:1], before=unknown) if f.kind == "first_pit"] == []
    seldom = [evening(80, Played(JAN, 4900)), *history(Played(MIA, 4900), evenings=60)]
    assert [f for f in facts(here=pit[:1], before=seldom) if f.kind == "first_pit"] == []


def test_who_is_there_for_the_first_time() -> None:
    here = [Played(JAN, 4000), Played(KEES, 4000)]
    before = history(Played(JAN, 4900))
    assert facts(here=here, before=before) == [Fact("debut", (KEES,))]
    assert facts(here=here, before=before[1:]) == []


def test_somebody_who_is_not_to_be_named_is_in_no_fact() -> None:
    both = Fact("highest_round", (JAN, MIA), figure=1800)
    table = Fact("closest_table", (JAN, MIA), figure=1, table=1, round=1, others=(PIET, TRUUS))
    hidden = told_of([both, Fact("debut", (MIA,)), table], lambda person: person != MIA)
    assert hidden == [
        Fact("highest_round", (JAN,), figure=1800),
        Fact("closest_table", (JAN,), figure=1, table=1, round=1, others=(PIET, TRUUS)),
    ]
    assert told_of([table], lambda person: person not in (JAN, MIA)) == [
        Fact("closest_table", (), figure=1, table=1, round=1)
    ]


PEOPLE = range(1, 9)
PLAYED = st.lists(
    st.builds(
        Played,
        person=st.sampled_from(PEOPLE),
        score=st.integers(-500, 6000),
        boompjes=st.integers(1, 4),
        pits=st.none() | st.integers(0, 4),
        best_round=st.none() | st.integers(0, 2500),
        streak=st.none() | st.integers(0, 20),
    ),
    max_size=8,
    unique_by=lambda played: played.person,
)


@st.composite
def evenings_(draw: st.DrawFn) -> list[Fact]:
    here = draw(PLAYED)
    totals = sorted((draw(st.integers(0, 6000)) for _played in here), reverse=True)
    rounds = draw(st.integers(1, 3))
    lines = []
    for played, total in zip(here, totals, strict=True):
        scores = dict.fromkeys(range(1, rounds), total // rounds)
        scores[rounds] = total - sum(scores.values())
        rank = 1 + sum(other > total for other in totals)
        lines.append(Line(played.person, played.person, rank, total, scores, frozenset(scores)))
    before = [evening(weeks, *draw(PLAYED)) for weeks in range(draw(st.integers(0, 12)), 0, -1)]
    places = st.dictionaries(st.sampled_from(PEOPLE), st.integers(1, 8))
    return facts(lines, here, before=before, season=(draw(places), draw(places)))


@given(evenings_())
def test_whatever_was_played_few_people_are_named_and_for_something_good(
    told: list[Fact],
) -> None:
    for fact in told:
        assert 1 <= len(fact.people) <= MOST_NAMES
        assert len(set(fact.people)) == len(fact.people)
        if fact.kind in ("climbed", "season_climbed"):
            assert fact.figure < fact.former
        if fact.kind in ("personal", "record_round", "record_evening"):
            assert fact.figure > fact.former
        if fact.kind in ("most_pits", "streak", "evenings"):
            assert fact.figure > 1
    kinds = [fact.kind for fact in told if fact.kind not in ("personal", "evenings")]
    assert len(kinds) == len(set(kinds))


@given(evenings_(), st.sets(st.sampled_from(PEOPLE)))
def test_hiding_somebody_takes_away_and_adds_nothing(told: list[Fact], hidden: set[int]) -> None:
    shown = told_of(told, lambda person: person not in hidden)
    assert not {person for fact in shown for person in fact.people} & hidden
    assert len(shown) <= len(told)
    assert told_of(told, lambda _person: True) == told
