"""The constructed schedules, counted couple by couple and compared with their definitions."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draw.core.design_algebra import Round, field, prime_factors
from tournaments.draw.core.designs import design_rounds, rounds_without_reunion

PRIMES = [
    prime
    for prime in range(5, 398, 4)
    if all(prime % divisor for divisor in range(3, int(prime**0.5) + 1, 2))
]

WITHOUT_REUNION = {
    4: 1, 16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 36: 11, 40: 13, 44: 14, 48: 15, 52: 17, 56: 18,
    60: 19, 64: 21, 72: 23, 76: 25, 80: 25, 84: 27, 88: 29, 96: 29, 100: 33, 120: 35, 140: 45,
    176: 58, 256: 85, 400: 133,
    17: 3, 18: 3, 19: 5, 21: 4, 22: 4, 23: 7, 25: 4, 26: 5, 27: 9, 29: 5, 30: 5, 34: 5, 41: 5,
    42: 8, 50: 10, 54: 7, 99: 33, 101: 8, 114: 9,
}  # fmt: skip


def made(players: int, rounds: int) -> list[Round]:
    schedule = design_rounds(players, rounds)
    assert schedule is not None
    return schedule


def partners(rounds: Iterable[Round]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(couple)
        for tables in rounds
        for north, east, south, west in tables
        for couple in ((north, south), (east, west))
    )


def opponents(rounds: Iterable[Round]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(couple)
        for tables in rounds
        for north, east, south, west in tables
        for couple in ((north, east), (east, south), (south, west), (west, north))
    )


def most(times: Counter[frozenset[int]]) -> int:
    return max(times.values())


def sitting_out(players: int, tables: Round) -> set[int]:
    """Who is at no table, when each of the others has one seat and no more tables were possible."""
    seats = [player for table in tables for player in table]
    assert len(set(seats)) == len(seats) == players // 4 * 4
    assert set(seats) <= set(range(players))
    return set(range(players)) - set(seats)


def assert_nobody_meets_or_sits_out_twice(players: int, rounds: list[Round]) -> None:
    out = [player for tables in rounds for player in sitting_out(players, tables)]
    assert len(set(out)) == len(out)
    assert most(partners(rounds) + opponents(rounds)) == 1


def assert_whist_tournament(players: int, rounds: list[Round]) -> None:
    couples = [frozenset(couple) for couple in combinations(range(players), 2)]
    assert partners(rounds) == dict.fromkeys(couples, 1)
    assert opponents(rounds) == dict.fromkeys(couples, 2)


class TestWhistTournaments:
    def test_there_are_37_primes_to_try(self) -> None:
        assert (len(PRIMES), PRIMES[:5], PRIMES[-1]) == (37, [5, 13, 17, 29, 37], 397)

    @pytest.mark.once
    @pytest.mark.parametrize(
        "prime",
        [prime if prime < 110 else pytest.param(prime, marks=pytest.mark.soak) for prime in PRIMES],
    )
    def test_primes(self, prime: int) -> None:
        rounds = made(prime, prime)
        assert_whist_tournament(prime, rounds)
        out = [sitting_out(prime, tables) for tables in rounds]
        assert set().union(*out) == set(range(prime))

    @pytest.mark.full
    @pytest.mark.parametrize("power", [9, 25, 49, 81, 121, 125])
    def test_powers_of_primes(self, power: int) -> None:
        assert_whist_tournament(power, made(power, power))

    @pytest.mark.parametrize("players", [4, 8, 12, 20])
    def test_without_sitting_out(self, players: int) -> None:
        rounds = made(players, players - 1)
        assert [sitting_out(players, tables) for tables in rounds] == [set()] * (players - 1)
        assert_whist_tournament(players, rounds)

    @pytest.mark.full
    @pytest.mark.parametrize("players", [16, 28, 64, 100])
    def test_a_schedule_in_which_all_meet_played_three_times(self, players: int) -> None:
        assert_whist_tournament(players, made(players, players - 1))


class TestWithoutReunion:
    @pytest.mark.parametrize(
        ("players", "rounds"),
        [
            pytest.param(players, rounds, marks=[pytest.mark.soak] if players > 200 else [])
            for players, rounds in WITHOUT_REUNION.items()
        ],
    )
    def test_as_many_rounds_as_this(self, players: int, rounds: int) -> None:
        assert rounds_without_reunion(players) == rounds
        assert_nobody_meets_or_sits_out_twice(players, made(players, rounds))

    @pytest.mark.full
    @pytest.mark.parametrize(("rounds", "least_players"), [(3, 16), (4, 19), (5, 34)])
    def test_so_many_rounds_from_so_many_players_up(self, rounds: int, least_players: int) -> None:
        assert all(rounds_without_reunion(n) >= rounds for n in range(least_players, 401))
        for players in (*range(least_players, 60), *range(60, 401, 11)):
            assert_nobody_meets_or_sits_out_twice(players, made(players, rounds))

    @pytest.mark.soak
    @pytest.mark.parametrize("players", range(4, 401))
    def test_all_rounds_of_every_number(self, players: int) -> None:
        rounds = made(players, rounds_without_reunion(players))
        assert_nobody_meets_or_sits_out_twice(players, rounds)

    @pytest.mark.parametrize("players", [-4, 0, 3])
    def test_too_few_for_a_table(self, players: int) -> None:
        assert rounds_without_reunion(players) == 0
        assert design_rounds(players, 1) is None


class TestAnyQuestion:
    @given(players=st.integers(0, 160), rounds=st.integers(0, 60))
    def test_no_partner_twice(self, players: int, rounds: int) -> None:
        schedule = design_rounds(players, rounds)
        if schedule is None:
            assert players < 4 or rounds > rounds_without_reunion(players)
            return
        assert len(schedule) == rounds
        assert all(len(sitting_out(players, tables)) == players % 4 for tables in schedule)
        assert set(partners(schedule).values()) <= {1}

    @pytest.mark.parametrize(("players", "rounds"), [(12, 12), (10, 2), (28, 28), (13, 14)])
    def test_longer_than_is_known(self, players: int, rounds: int) -> None:
        assert design_rounds(players, rounds) is None

    def test_fewer_rounds_are_the_first_of_more(self) -> None:
        for players, rounds in [(100, 33), (32, 10), (13, 13), (57, 5)]:
            assert made(players, 2) == made(players, rounds)[:2]

    def test_what_is_done_to_one_answer_stays_there(self) -> None:
        made(16, 5).clear()
        made(16, 5)[0].clear()
        assert_nobody_meets_or_sits_out_twice(16, made(16, 5))

    def test_a_single_table(self) -> None:
        assert made(4, 3) == [[(0, 1, 2, 3)], [(0, 2, 1, 3)], [(0, 1, 3, 2)]]


class TestFields:
    @pytest.mark.full
    @pytest.mark.parametrize("order", [2, 4, 5, 8, 9, 25, 27, 49, 64, 121, 125])
    def test_is_a_field(self, order: int) -> None:
        numbers = field(order)
        assert sorted(numbers.powers) == list(range(1, order))
        some = range(0, order, max(1, order // 7))
        for one, other, third in ((a, b, c) for a in some for b in some for c in some):
            assert numbers.multiply(one, numbers.add(other, third)) == numbers.add(
                numbers.multiply(one, other), numbers.multiply(one, third)
            )

    def test_prime_factors(self) -> None:
        assert [prime_factors(number) for number in (1, 2, 12, 125, 77)] == [
            [], [(2, 1)], [(2, 2), (3, 1)], [(5, 3)], [(7, 1), (11, 1)],
        ]  # fmt: skip

    def test_six_is_no_power_of_a_prime(self) -> None:
        with pytest.raises(ValueError, match="values to unpack"):
            field(6)
