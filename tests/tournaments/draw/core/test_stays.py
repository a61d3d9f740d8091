"""People who cannot change tables: one table all evening, whichever way is drawn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import Couple, Draw, Leftover, Method, RoundDraw, TableDraw
from tournaments.draw.core.problem import DrawError

METHODS: tuple[Method, ...] = ("rotation", "lottery", "balanced", "ranked")


def club(count: int) -> list[str]:
    return [f"p{number:02}" for number in range(count)]


def tables_of(player: str, rounds: tuple[RoundDraw, ...]) -> set[int]:
    return {
        table.number for round_ in rounds for table in round_.tables if player in table.people()
    }


def table(number: int, seats: str) -> TableDraw:
    """`table(1, "abcd")` has a at N, b at E, c at S and d at W; of three letters nobody is W."""
    return TableDraw(number, dict(zip(("N", "E", "S", "W"), seats, strict=False)))


class TestAnyEvening:
    @settings(max_examples=settings().max_examples // 3)
    @given(
        count=st.integers(6, 30),
        rounds=st.integers(1, 5),
        method=st.sampled_from(METHODS),
        leftover=st.sampled_from(("sit_out", "three_handed")),
        data=st.data(),
    )
    def test_who_stays_is_at_one_table(
        self, count: int, rounds: int, method: Method, leftover: Leftover, data: st.DataObject
    ) -> None:
        players = club(count)
        number = data.draw(st.integers(0, min(4, count // 4)))
        people = data.draw(st.permutations(players))
        stays = people[:number]
        fixed: list[Couple] = [(people[0], people[1])] if data.draw(st.booleans()) else []
        rounds = 1 if method == "ranked" else rounds
        drawn = draw(
            players=players,
            rounds=rounds,
            method=method,
            leftover=leftover,
            fixed=fixed,
            stays=stays,
        )
        assert check_draw(players, drawn, leftover=leftover, fixed=fixed, stays=stays) == ()
        assert all(len(tables_of(player, drawn.rounds)) <= 1 for player in stays)

    @settings(max_examples=settings().max_examples // 4)
    @given(
        count=st.integers(8, 30),
        method=st.sampled_from(("lottery", "balanced")),
        leftover=st.sampled_from(("sit_out", "three_handed")),
        data=st.data(),
    )
    def test_a_redraw_halfway_leaves_him_where_he_was(
        self, count: int, method: Method, leftover: Leftover, data: st.DataObject
    ) -> None:
        players = club(count)
        stays = data.draw(st.permutations(players))[: data.draw(st.integers(1, 2))]
        first = draw(players=players, rounds=2, method=method, leftover=leftover, stays=stays)
        here = [*players, "late"]
        out = [player for round_ in first.rounds for player in round_.sit_out]
        again = draw(
            players=here,
            rounds=2,
            method=method,
            leftover=leftover,
            stays=stays,
            first_round=3,
            played=first.rounds,
            already_out=out,
        )
        faults = check_draw(
            here, again, already_out=out, leftover=leftover, stays=stays, played=first.rounds
        )
        assert faults == ()
        assert all(len(tables_of(player, (*first.rounds, *again.rounds))) <= 1 for player in stays)

    @given(count=st.integers(2, 15), rounds=st.integers(1, 6), data=st.data())
    def test_a_pair_that_stays_is_at_one_table(
        self, count: int, rounds: int, data: st.DataObject
    ) -> None:
        players = club(2 * count)
        fixed = list(zip(players[::2], players[1::2], strict=True))
        pairs = data.draw(st.permutations(fixed))[: data.draw(st.integers(0, count // 2))]
        stays = [pair[data.draw(st.integers(0, 1))] for pair in pairs]
        drawn = draw(players=players, rounds=rounds, method="pairs", fixed=fixed, stays=stays)
        assert check_draw(players, drawn, fixed=fixed, stays=stays) == ()
        assert all(len(tables_of(player, drawn.rounds)) <= 1 for player in stays)


class TestByHand:
    def test_the_table_where_he_sat_first_in_the_rounds_played(self) -> None:
        # i plays at table 3 in the round that was played, so that is his.
        played = (RoundDraw((table(1, "abcd"), table(2, "efgh"), table(3, "ijkl")), ()),)
        for seed in range(9):
            again = draw(
                players=[*"abcdefghijkl"],
                rounds=2,
                method="lottery",
                seed=seed,
                first_round=2,
                played=played,
                stays=["i"],
            )
            assert tables_of("i", again.rounds) == {3}

    def test_the_best_four_go_to_the_table_of_him_who_stays(self) -> None:
        # By standing a, b, c and d are the first table; c kept table 2.
        played = (RoundDraw((table(1, "abef"), table(2, "cdgh")), ()),)
        drawn = draw(
            players=[*"abcdefgh"], rounds=1, method="ranked", played=played, stays=["c"]
        ).rounds[0]
        assert [one.people() for one in drawn.tables] == [{*"efgh"}, {*"abcd"}]

    def test_two_who_stay_and_sat_together_are_parted(self) -> None:
        # Both sat at table 1: a, the first by name, keeps it.
        played = (RoundDraw((table(1, "abcd"), table(2, "efgh")), ()),)
        again = draw(
            players=[*"abcdefgh"],
            rounds=3,
            method="lottery",
            first_round=2,
            played=played,
            stays=["b", "a"],
        )
        assert (tables_of("a", again.rounds), tables_of("b", again.rounds)) == ({1}, {2})

    def test_a_moving_pair_changes_places_with_its_neighbour(self) -> None:
        # Pairs 1 and 2 open at table 1. Pair 1 would move; now pair 2 does, and pair 4 stays.
        fixed = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]
        drawn = draw(players=[*"abcdefgh"], rounds=2, method="pairs", fixed=fixed, stays=["b"])
        assert [[{*one.people()} for one in r.tables] for r in drawn.rounds] == [
            [{*"abcd"}, {*"efgh"}],
            [{*"abef"}, {*"ghcd"}],
        ]

    @pytest.mark.parametrize(("stays", "count"), [("ab", 2), ("abc", 3)])
    def test_more_who_stay_than_tables(self, stays: str, count: int) -> None:
        with pytest.raises(DrawError) as caught:
            draw(players=[*"abcdefg"], rounds=2, method="balanced", stays=[*stays])
        assert caught.value.code == "too_many_stay"
        assert caught.value.params == {"count": count, "tables": 1}

    def test_more_pairs_that_stay_than_tables(self) -> None:
        fixed = [("a", "b"), ("c", "d"), ("e", "f")]
        with pytest.raises(DrawError) as caught:
            draw(players=[*"abcdef"], rounds=2, method="pairs", fixed=fixed, stays=["a", "d"])
        assert caught.value.params == {"count": 2, "tables": 1}

    @pytest.mark.full
    def test_a_fixed_couple_that_stays_needs_one_table(self) -> None:
        drawn = draw(
            players=[*"abcdefg"],
            rounds=4,
            method="balanced",
            fixed=[("a", "b")],
            stays=["a", "b", "stranger"],
        )
        assert tables_of("a", drawn.rounds) == tables_of("b", drawn.rounds) == {1}


class TestVerifier:
    def test_tells_of_who_moves(self) -> None:
        first = RoundDraw((table(1, "abcd"), table(2, "efgh")), ())
        second = RoundDraw((table(1, "efgh"), table(2, "abcd")), ())
        moved = Draw((first, second), partner_repeats=4, meeting_repeats=12, seed=0)
        assert check_draw([*"abcdefgh"], moved, stays=["a"]) == (
            "a keeps table 1 and sits at table 2",
        )

    def test_tells_of_two_who_share_a_table(self) -> None:
        first = RoundDraw((table(1, "abcd"), table(2, "efgh")), ())
        drawn = Draw((first,), partner_repeats=0, meeting_repeats=0, seed=0)
        assert check_draw([*"abcdefgh"], drawn, stays=["c", "a"]) == (
            "round 1: a and c share table 1",
        )
