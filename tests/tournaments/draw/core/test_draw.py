"""The draw through its public face; every answer is worked out by hand or by the verifier."""

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.explain import DrawExplanation, explain_draw
from tournaments.draw.core.models import Draw, Method, PastEvening, RoundDraw
from tournaments.draw.core.problem import DrawError, DrawFault

METHODS: tuple[Method, ...] = ("rotation", "lottery")


def club(count: int) -> list[str]:
    return [f"p{number}" for number in range(1, count + 1)]


def turns_out(drawn: Draw) -> list[tuple[str, ...]]:
    return [round_.sit_out for round_ in drawn.rounds]


@st.composite
def past_evenings(draw_from: st.DrawFn) -> PastEvening:
    people = draw_from(st.lists(st.integers(1, 140), min_size=4, max_size=40, unique=True))
    names = tuple(f"p{number}" for number in people)
    out = draw_from(st.integers(0, 3))
    explicit = draw_from(st.booleans())
    return PastEvening(
        attended=names if explicit else (),
        sat_out=names[:out],
        partners=tuple(zip(names[out::2], names[out + 1 :: 2], strict=False)),
    )


class TestAnyEvening:
    @given(
        count=st.integers(4, 120),
        rounds=st.integers(1, 7),
        method=st.sampled_from(METHODS),
        seed=st.integers(-(10**6), 10**6),
        history=st.lists(past_evenings(), max_size=4),
    )
    def test_keeps_the_rules(
        self, count: int, rounds: int, method: Method, seed: int, history: list[PastEvening]
    ) -> None:
        players = club(count)
        drawn = draw(players=players, rounds=rounds, method=method, seed=seed, history=history)
        assert check_draw(players, drawn) == ()
        assert len(drawn.rounds) == rounds
        assert all(len(round_.sit_out) == count % 4 for round_ in drawn.rounds)

    @settings(max_examples=settings().max_examples // 2)
    @given(
        count=st.integers(4, 41),
        rounds=st.integers(2, 7),
        method=st.sampled_from(METHODS),
        data=st.data(),
    )
    def test_a_redraw_halfway_remembers_who_sat_out(
        self, count: int, rounds: int, method: Method, data: st.DataObject
    ) -> None:
        whole = draw(players=club(count), rounds=rounds, method=method)
        cut = data.draw(st.integers(1, rounds - 1))
        played = whole.rounds[:cut]
        already_out = [player for round_ in played for player in round_.sit_out]
        left = data.draw(st.sampled_from(club(count)))
        players = [player for player in club(count) if player != left] + ["late1", "late2"]
        again = draw(
            players=players,
            rounds=rounds - cut,
            method=method,
            already_out=already_out,
            first_round=cut + 1,
            played=played,
        )
        assert check_draw(players, again, already_out=already_out, played=played) == ()
        # A round that was missed is a turn.
        turns = Counter(already_out) + Counter({"late1": cut, "late2": cut})
        first = again.rounds[0]
        most = max((turns[player] for player in first.sit_out), default=0)
        assert all(turns[player] >= most for one in first.tables for player in one.people())

    @settings(max_examples=settings().max_examples // 2)
    @given(
        count=st.integers(4, 30),
        rounds=st.integers(1, 7),
        method=st.sampled_from((*METHODS, "balanced")),
        shuffled=st.randoms(use_true_random=False),
    )
    def test_the_order_of_ticking_plays_no_part(
        self, count: int, rounds: int, method: Method, shuffled: Random
    ) -> None:
        players = club(count)
        first, again = (
            draw(players=ticked, rounds=rounds, method=method, seed=7, max_steps=5000)
            for ticked in (players, shuffled.sample(players, count))
        )
        assert first == again

    def test_is_the_same_in_every_interpreter(self) -> None:
        program = (
            "from tournaments.draw.core.engine import draw\n"
            "from tournaments.draw.core.models import PastEvening\n"
            "for method in ('rotation', 'lottery', 'balanced'):\n"
            "    for count in (9, 14, 35):\n"
            "        players = [f'p{number}' for number in range(count)]\n"
            "        past = [PastEvening(partners=(('p1', 'p2'),), sat_out=('p3', 'p4'))]\n"
            "        print(draw(players=players, rounds=7, method=method, seed=3, history=past,\n"
            "                   max_steps=20_000))\n"
        )
        answers = {
            subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
            for hash_seed in ("0", "1", "4711")
        }
        assert len(answers) == 1
        assert answers.pop().count("\n") == 9

    def test_another_seed_gives_another_draw(self) -> None:
        for method in METHODS:
            draws = [draw(players=club(16), rounds=1, method=method, seed=s) for s in range(5)]
            assert len({str(drawn.rounds) for drawn in draws}) == 5


class TestRotation:
    def test_four_friends_each_have_each_as_partner_once(self) -> None:
        drawn = draw(players=club(4), rounds=3, method="rotation")
        couples = [
            frozenset(couple) for round_ in drawn.rounds for couple in round_.tables[0].partners()
        ]
        assert set(couples) == {frozenset(couple) for couple in combinations(club(4), 2)}
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (0, 0)

    def test_the_north_seat_stays_for_the_block(self) -> None:
        drawn = draw(players=club(12), rounds=3, method="rotation")
        norths = [[table.seats["N"] for table in round_.tables] for round_ in drawn.rounds]
        assert norths[0] == norths[1] == norths[2]

    def test_a_second_block_of_four_people_repeats_everything_once(self) -> None:
        # Six couples partner a second time and meet a second time; the block counts once.
        drawn = draw(players=club(4), rounds=6, method="rotation")
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (6, 6)

    def test_a_block_cut_short(self) -> None:
        # Rounds 4 and 5 are the second block: four couples partner again, all six meet again.
        drawn = draw(players=club(4), rounds=5, method="rotation")
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (4, 6)

    @pytest.mark.parametrize("seed", range(10))
    def test_sixteen_people_meet_nobody_twice_in_three_blocks(self, seed: int) -> None:
        # Sixteen can be put in fours five times over without a couple twice.
        drawn = draw(players=club(16), rounds=9, method="rotation", seed=seed)
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (0, 0)

    @pytest.mark.full
    @pytest.mark.parametrize("seed", range(5))
    def test_twelve_people_meet_again_no_more_than_they_must(self, seed: int) -> None:
        # Each new table draws its four from three old ones: one couple at each meets again.
        drawn = draw(players=club(12), rounds=6, method="rotation", seed=seed)
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (3, 3)

    def test_who_sits_out_does_so_for_the_block_and_nobody_twice(self) -> None:
        drawn = draw(players=club(7), rounds=6, method="rotation")
        out = turns_out(drawn)
        assert out[0] == out[1] == out[2]
        assert out[3] == out[4] == out[5]
        assert len({*out[0], *out[3]}) == 6

    @pytest.mark.full
    def test_a_redraw_at_the_start_of_a_block_gives_what_the_whole_draw_gave(self) -> None:
        whole = draw(players=club(13), rounds=6, method="rotation", seed=2)
        played = whole.rounds[:3]
        rest = draw(
            players=club(13),
            rounds=3,
            method="rotation",
            seed=2,
            already_out=[player for round_ in played for player in round_.sit_out],
            first_round=4,
            played=played,
        )
        assert rest.rounds == whole.rounds[3:]
        assert rest.meeting_repeats == whole.meeting_repeats


class TestLottery:
    def test_each_round_is_drawn_afresh(self) -> None:
        drawn = draw(players=club(16), rounds=5, method="lottery")
        assert len({str(round_) for round_ in drawn.rounds}) == 5

    def test_repeats_are_counted_per_couple(self) -> None:
        # Seven rounds: 14 times partners, 42 meetings, of which six are the first of a couple.
        drawn = draw(players=club(4), rounds=7, method="lottery")
        couples = {couple for round_ in drawn.rounds for couple in round_.tables[0].partners()}
        assert drawn.partner_repeats == 14 - len(couples)
        assert drawn.meeting_repeats == 36

    @given(count=st.integers(4, 20), rounds=st.integers(1, 6), seed=st.integers(0, 99))
    def test_repeats_agree_with_a_plain_count(self, count: int, rounds: int, seed: int) -> None:
        drawn = draw(players=club(count), rounds=rounds, method="lottery", seed=seed)
        met = Counter(
            frozenset(couple)
            for round_ in drawn.rounds
            for table in round_.tables
            for couple in combinations(table.seats.values(), 2)
        )
        assert drawn.meeting_repeats == sum(times - 1 for times in met.values())

    def test_later_rounds_drawn_by_themselves_are_the_same(self) -> None:
        whole = draw(players=club(14), rounds=5, method="lottery", seed=9)
        played = whole.rounds[:2]
        rest = draw(
            players=club(14),
            rounds=3,
            method="lottery",
            seed=9,
            already_out=[player for round_ in played for player in round_.sit_out],
            first_round=3,
            played=played,
        )
        assert (*played, *rest.rounds) == whole.rounds
        assert rest.partner_repeats == whole.partner_repeats

    def test_everybody_is_out_once_before_anybody_twice(self) -> None:
        # Six people, two out each round: three rounds are exactly one turn for all.
        drawn = draw(players=club(6), rounds=3, method="lottery", seed=4)
        assert sorted(player for out in turns_out(drawn) for player in out) == club(6)


class TestSeason:
    def test_who_is_furthest_below_his_share_sits_out(self) -> None:
        # Nine evenings of p1-p9 with p1 to p8 out in turn, p1 twice: p9 never was.
        history = [
            PastEvening(attended=tuple(club(9)), sat_out=(f"p{turn}",))
            for turn in (1, 2, 3, 4, 5, 6, 7, 8, 1)
        ]
        for seed in range(20):
            drawn = draw(players=club(9), rounds=1, method="lottery", seed=seed, history=history)
            assert turns_out(drawn) == [("p9",)]

    def test_a_share_grows_with_the_evenings_attended(self) -> None:
        # Four turns over 28 attendances is 1/7 an evening. p1 to p4 came five times and sat out
        # once: share 5/7, two sevenths above it. p5 to p8 came twice, never out: 2/7 below it.
        often = ("p1", "p2", "p3", "p4")
        history = [PastEvening(attended=often, sat_out=(player,)) for player in often[:3]]
        history += [
            PastEvening(attended=tuple(club(8)), sat_out=("p4",)),
            PastEvening(attended=tuple(club(8))),
        ]
        # p9 is new: owed nothing. So p5 to p8 go before p9, and p9 before p1 to p4.
        for seed in range(10):
            drawn = draw(players=club(9), rounds=9, method="lottery", seed=seed, history=history)
            order = [out[0] for out in turns_out(drawn)]
            assert sorted(order[:4]) == ["p5", "p6", "p7", "p8"]
            assert order[4] == "p9"
            assert sorted(order[5:]) == ["p1", "p2", "p3", "p4"]

    def test_the_evening_goes_before_the_season(self) -> None:
        history = [PastEvening(attended=tuple(club(5)), sat_out=("p1", "p2", "p3", "p4"))]
        drawn = draw(
            players=club(5),
            rounds=1,
            method="lottery",
            history=history,
            already_out=["p5", "p1", "p2", "p3"],
        )
        assert turns_out(drawn) == [("p4",)]

    def test_strangers_in_the_history_are_ignored(self) -> None:
        known = [PastEvening(attended=("p1", "p2", "p3", "p4", "p5"), sat_out=("p1",))] * 3
        strange = [
            PastEvening(
                attended=(*evening.attended, "x1", "x2"), sat_out=(*evening.sat_out, "x1", "x1")
            )
            for evening in known
        ]
        for seed in range(10):
            drawn, again = (
                draw(players=club(9), rounds=4, method="lottery", seed=seed, history=history)
                for history in (known, strange)
            )
            assert drawn == again

    def test_attended_is_by_default_everybody_named(self) -> None:
        evening = PastEvening(
            sat_out=("a",), partners=(("b", "c"),), opponents=(("b", "d"),), three_handed=("e",)
        )
        assert evening.people() == {"a", "b", "c", "d", "e"}


class TestFaults:
    def test_three_players_are_too_few(self) -> None:
        with pytest.raises(DrawError, match="four players and there are 3") as caught:
            draw(players=club(3), rounds=1, method="lottery")
        assert (caught.value.code, caught.value.params) == ("too_few_players", {"count": 3})

    def test_all_faults_are_reported_at_once(self) -> None:
        with pytest.raises(DrawError) as caught:
            draw(players=["a", "b", "a"], rounds=0, method="tombola")  # type: ignore[arg-type]
        methods = "rotation, lottery, balanced, ranked, pairs"
        assert caught.value.faults == (
            DrawFault("too_few_players", {"count": 2}),
            DrawFault("duplicate_player", {"players": "a"}),
            DrawFault("too_few_rounds", {"count": 0}),
            DrawFault("unknown_method", {"method": "tombola", "methods": methods}),
        )
        assert str(caught.value) == (
            "a table needs four players and there are 2; named more than once: a; "
            "at least one round must be drawn, not 0; "
            f"there is no draw method 'tombola'; there are {methods}"
        )


def test_explanation_gives_the_figures() -> None:
    drawn = draw(players=club(14), rounds=3, method="rotation", seed=5)
    assert explain_draw(drawn) == DrawExplanation(
        method="rotation",
        seed=5,
        rounds=3,
        players=14,
        tables=3,
        out_per_round=2,
        partner_repeats=0,
        meeting_repeats=0,
    )


@pytest.mark.full
def test_four_hundred_people_are_seated_at_a_hundred_tables() -> None:
    drawn = draw(players=club(400), rounds=6, method="rotation")
    assert [len(round_.tables) for round_ in drawn.rounds] == [100] * 6
    assert drawn.meeting_repeats == 0
    assert isinstance(drawn.rounds[0], RoundDraw)
