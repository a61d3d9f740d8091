"""Fixtures: who meets whom, who is at home, and who is apart."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.leagues.core.fixtures import Fixtures, group_sizes, make_fixtures


def named(count: int) -> list[str]:
    return [f"T{number}" for number in range(count)]


def meetings(made: Fixtures) -> Counter[frozenset[str]]:
    """How often each two teams play a match, counted from the rounds alone."""
    return Counter(
        frozenset(match)
        for day in made.days
        for group in day.groups
        for round_ in group.rounds
        for match in round_
    )


def at_home(made: Fixtures, teams: list[str]) -> list[int]:
    hosts = Counter(group.host for day in made.days for group in day.groups)
    return [hosts[team] for team in teams]


def check_days(made: Fixtures, teams: list[str]) -> None:
    """Each day has every team once, and each round of a group nobody twice."""
    for number, day in enumerate(made.days, 1):
        assert day.number == number
        there = [team for group in day.groups for team in group.teams]
        assert sorted([*there, *day.byes]) == sorted(teams)
        for group in day.groups:
            assert group.host is None or group.host == group.teams[0]
            assert {team for round_ in group.rounds for match in round_ for team in match} == set(
                group.teams
            )
            for round_ in group.rounds:
                playing = [team for match in round_ for team in match]
                assert len(playing) == len(set(playing))


@pytest.mark.full
@pytest.mark.parametrize(("count", "days"), [(4, 1), (16, 5), (28, 9), (40, 13), (64, 21)])
def test_everybody_meets_once_in_as_few_days_as_can_be(count: int, days: int) -> None:
    teams = named(count)
    made = make_fixtures(teams)
    check_days(made, teams)
    assert len(made.days) == days
    assert set(meetings(made).values()) == {1}
    assert len(meetings(made)) == count * (count - 1) // 2
    assert (made.never, made.once, made.more) == (0, count * (count - 1) // 2, 0)


@pytest.mark.full
@pytest.mark.parametrize(("count", "times"), [(16, 1), (28, 2), (40, 3)])
def test_all_are_at_home_equally_often_and_the_last_day_is_central(count: int, times: int) -> None:
    teams = named(count)
    made = make_fixtures(teams)
    assert at_home(made, teams) == [times] * count
    assert {group.host for group in made.days[-1].groups} == {None}
    assert all(group.host for day in made.days[:-1] for group in day.groups)
    for first in range(0, len(made.days) - 1, 4):
        hosts = [group.host for day in made.days[first : first + 4] for group in day.groups]
        assert sorted(hosts, key=str) == sorted(teams)


@pytest.mark.parametrize("count", [15, 27])
def test_one_team_fewer_leaves_groups_of_three(count: int) -> None:
    made = make_fixtures(named(count))
    check_days(made, named(count))
    assert set(meetings(made).values()) == {1}
    assert [[len(group.teams) for group in day.groups].count(3) for day in made.days] == [1] * len(
        made.days
    )


@pytest.mark.parametrize(("count", "days", "more"), [(5, 3, 7), (7, 3, 3), (8, 3, 4), (10, 4, 1)])
def test_other_numbers_repeat_few_meetings(count: int, days: int, more: int) -> None:
    """Nobody can do with fewer days: a day has too few meetings. The repeats are what is left."""
    teams = named(count)
    made = make_fixtures(teams)
    check_days(made, teams)
    assert (len(made.days), made.never, made.more) == (days, 0, more)
    homes = at_home(made, teams)
    assert max(homes) - min(homes) <= 1
    byes = Counter(team for day in made.days for team in day.byes)
    assert max(byes.values(), default=0) <= 1


@pytest.mark.full
@pytest.mark.parametrize("count", range(4, 65))
def test_any_number_of_teams(count: int) -> None:
    teams = named(count)
    made = make_fixtures(teams)
    check_days(made, teams)
    assert made.never == 0
    homes = at_home(made, teams)
    assert max(homes) - min(homes) <= 1
    sizes = sorted(size for size in group_sizes(count) if size > 1)
    assert all(sorted(len(group.teams) for group in day.groups) == sizes for day in made.days)


@given(count=st.integers(2, 20), cycles=st.integers(1, 3), seed=st.integers(0, 99))
def test_two_teams_meet_home_and_away(count: int, cycles: int, seed: int) -> None:
    teams = named(count)
    made = make_fixtures(teams, meeting="two", cycles=cycles, seed=seed)
    check_days(made, teams)
    assert set(meetings(made).values()) == {cycles}
    assert len(meetings(made)) == count * (count - 1) // 2
    homes = at_home(made, teams)
    played = cycles * (count - 1)
    assert all(abs(2 * home - played) <= 1 for home in homes)
    byes = Counter(team for day in made.days for team in day.byes)
    assert {byes[team] for team in teams} == {cycles * (count % 2)}


@given(seed=st.integers(0, 10_000), clubs=st.lists(st.integers(2, 4), min_size=1, max_size=4))
def test_teams_of_one_club_meet_on_the_first_day(seed: int, clubs: list[int]) -> None:
    teams = named(16)
    starts = [sum(clubs[:place]) for place in range(len(clubs))]
    apart = [
        couple
        for start, size in zip(starts, clubs, strict=True)
        for couple in combinations(teams[start : start + size], 2)
    ]
    made = make_fixtures(teams, apart=apart, seed=seed)
    check_days(made, teams)
    first = {
        frozenset(couple)
        for group in made.days[0].groups
        for couple in combinations(group.teams, 2)
    }
    assert {frozenset(couple) for couple in apart} <= first


def test_where_not_all_need_to_meet_teams_of_one_club_do_not_meet_later() -> None:
    teams = named(8)
    made = make_fixtures(teams, apart=[("T0", "T1"), ("T2", "T3")])
    check_days(made, teams)
    later = {
        frozenset(couple)
        for day in made.days[1:]
        for group in day.groups
        for couple in combinations(group.teams, 2)
    }
    assert later.isdisjoint({frozenset(("T0", "T1")), frozenset(("T2", "T3"))})
    assert all(
        meetings(made)[frozenset(couple)]
        for couple in combinations(teams, 2)
        if couple not in {("T0", "T1"), ("T2", "T3")}
    )


def test_a_club_of_two_meets_on_the_first_day_of_a_round_robin() -> None:
    made = make_fixtures(named(7), meeting="two", apart=[("T1", "T4")])
    first = {frozenset(group.teams) for group in made.days[0].groups}
    assert frozenset(("T1", "T4")) in first


@given(count=st.sampled_from([8, 16]), seed=st.integers(0, 99))
def test_the_same_seed_gives_the_same_days(count: int, seed: int) -> None:
    assert make_fixtures(named(count), seed=seed) == make_fixtures(named(count), seed=seed)


def test_another_seed_gives_other_days() -> None:
    assert make_fixtures(named(16), seed=1) != make_fixtures(named(16), seed=2)


def test_a_second_cycle_is_at_the_others() -> None:
    made = make_fixtures(named(16), cycles=2)
    assert set(meetings(made).values()) == {2}
    assert at_home(made, named(16)) == [2] * 16
    assert [day.number for day in made.days] == list(range(1, 11))
