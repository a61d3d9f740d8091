"""Balanced, ranked and pairs, tables of three, and couples together or apart."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.explain import TimesTogether, explain_draw, season_pair_counts
from tournaments.draw.core.models import Couple, Leftover, Method, PastEvening, RoundDraw
from tournaments.draw.core.problem import DrawError

ROOT = Path(__file__).resolve().parents[4]


def club(count: int) -> list[str]:
    return [f"p{number:03}" for number in range(count)]


def tables(drawn: RoundDraw) -> list[str]:
    """The tables as words: N, E, S and W in this order."""
    return [
        "".join(table.seats[seat] for seat in ("N", "E", "S", "W") if seat in table.seats)
        for table in drawn.tables
    ]


@pytest.mark.full
def test_who_waits_has_a_draw_that_keeps_the_rules_after_fewer_exchanges() -> None:
    players, met = club(24), [PastEvening(partners=(("p000", "p001"),))]
    sooner, later = (
        draw(players=players, rounds=12, method="balanced", history=met, max_steps=most)
        for most in (10_000, 50_000)
    )
    assert 0 < sooner.steps <= 3 * 10_000 < later.steps <= 3 * 50_000
    assert check_draw(players, sooner, history=met) == ()


@st.composite
def couples(draw_from: st.DrawFn) -> tuple[list[Couple], list[Couple]]:
    """Couples that stay together and couples that are kept apart, not the same ones."""
    people = draw_from(st.permutations(club(24)))
    fixed = draw_from(st.integers(0, 4))
    together = list(zip(people[: 2 * fixed : 2], people[1 : 2 * fixed : 2], strict=True))
    others = st.tuples(st.sampled_from(people), st.sampled_from(people))
    apart = draw_from(st.lists(others.filter(lambda couple: couple[0] != couple[1]), max_size=5))
    sorted_together = {tuple(sorted(couple)) for couple in together}
    return together, [couple for couple in apart if tuple(sorted(couple)) not in sorted_together]


@st.composite
def past_evenings(draw_from: st.DrawFn) -> PastEvening:
    people = draw_from(st.lists(st.sampled_from(club(30)), min_size=4, max_size=30, unique=True))
    out = draw_from(st.integers(0, 3))
    return PastEvening(
        sat_out=tuple(people[:out]),
        partners=tuple(zip(people[out::2], people[out + 1 :: 2], strict=False)),
        opponents=tuple(zip(people[out::3], people[out + 1 :: 3], strict=False)),
        three_handed=tuple(people[-3:]),
    )


class TestAnyEvening:
    @settings(max_examples=settings().max_examples // 4)
    @given(
        asked=st.tuples(st.integers(4, 24), st.integers(1, 5)),
        method=st.sampled_from(("rotation", "lottery", "balanced", "ranked")),
        leftover=st.sampled_from(("sit_out", "three_handed", "three_handed_rest")),
        kept=couples(),
        history=st.lists(past_evenings(), max_size=3),
    )
    def test_keeps_the_rules(
        self,
        asked: tuple[int, int],
        method: Method,
        leftover: Leftover,
        kept: tuple[list[Couple], list[Couple]],
        history: list[PastEvening],
    ) -> None:
        count, rounds = asked
        assume((count, leftover) != (5, "three_handed"))
        players, (fixed, apart) = club(count), kept
        try:
            drawn = draw(
                players=players,
                rounds=1 if method == "ranked" else rounds,
                method=method,
                leftover=leftover,
                fixed=fixed,
                apart=apart,
                history=history,
            )
        except DrawError as error:
            # So few people that the couples may leave no way; the verifier tries with more.
            assert error.code == "cannot_seat"  # noqa: PT017
            assert count < 16
            return
        faults = check_draw(
            players,
            drawn,
            leftover=leftover,
            fixed=fixed,
            apart=apart,
            history=history,
        )
        assert faults == ()

    @given(count=st.integers(2, 25), rounds=st.integers(1, 9))
    def test_pairs_keep_the_rules(self, count: int, rounds: int) -> None:
        players = club(2 * count)
        fixed = list(zip(players[::2], players[1::2], strict=True))
        drawn = draw(players=players, rounds=rounds, method="pairs", fixed=fixed)
        assert check_draw(players, drawn, fixed=fixed) == ()
        assert all(set(round_.sit_out) in [set(), *map(set, fixed)] for round_ in drawn.rounds)


class TestBalanced:
    @pytest.mark.full
    @pytest.mark.parametrize("leftover", ["sit_out", "three_handed", "three_handed_rest"])
    @pytest.mark.parametrize("count", [16, 17, 18, 19, 23, 37, 77, 100])
    def test_three_rounds_without_a_repeat(self, count: int, leftover: Leftover) -> None:
        drawn = draw(players=club(count), rounds=3, method="balanced", leftover=leftover)
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (0, 0)

    @pytest.mark.parametrize("count", [6, 7, 9, 10, 11, 13, 14, 15])
    def test_nobody_has_a_partner_twice_at_tables_of_three(self, count: int) -> None:
        drawn = draw(players=club(count), rounds=3, method="balanced", leftover="three_handed")
        assert drawn.partner_repeats == 0

    @pytest.mark.parametrize("count", [4, 6, 7, 8])
    def test_nobody_has_a_partner_twice_at_one_or_two_tables(self, count: int) -> None:
        drawn = draw(players=club(count), rounds=3, method="balanced")
        assert drawn.partner_repeats == 0

    @pytest.mark.full
    def test_seven_who_met_all_season_meet_the_others(self) -> None:
        # Eight of sixteen sat together all season; each of them meets but others tonight.
        eight = club(8)
        history = [PastEvening(attended=tuple(club(16)), opponents=(*combinations(eight, 2),))] * 3
        drawn = draw(players=club(16), rounds=1, method="balanced", history=history)
        for table in drawn.rounds[0].tables:
            assert len(table.people().intersection(eight)) == 2

    @pytest.mark.full
    def test_last_weeks_partners_are_opponents_this_week(self) -> None:
        history = [PastEvening(partners=(("p000", "p001"), ("p002", "p003")))]
        drawn = draw(players=club(4), rounds=2, method="balanced", history=history)
        partners = {couple for round_ in drawn.rounds for couple in round_.tables[0].partners()}
        assert partners.isdisjoint(history[0].partners)

    def test_somebody_stays_at_every_table(self) -> None:
        drawn = draw(players=club(24), rounds=3, method="balanced")
        for before, after in zip(drawn.rounds, drawn.rounds[1:], strict=False):
            for left, came in zip(before.tables, after.tables, strict=True):
                assert left.people() & came.people()


class TestThreeHanded:
    @pytest.mark.parametrize(
        ("count", "fours", "threes"), [(6, 0, 2), (7, 1, 1), (8, 2, 0), (9, 0, 3), (13, 1, 3)]
    )
    def test_as_few_tables_of_three_as_can_be(self, count: int, fours: int, threes: int) -> None:
        drawn = draw(players=club(count), rounds=2, method="lottery", leftover="three_handed")
        sizes = Counter(len(table.seats) for round_ in drawn.rounds for table in round_.tables)
        assert sizes == Counter({4: 2 * fours, 3: 2 * threes})

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("count", "fours", "threes", "out"),
        [(15, 3, 1, 0), (13, 3, 0, 1), (14, 3, 0, 2), (12, 3, 0, 0), (5, 1, 0, 1), (7, 1, 1, 0)],
    )
    @pytest.mark.parametrize("method", ["lottery", "balanced", "rotation"])
    def test_only_for_three_who_are_left_over(
        self, count: int, fours: int, threes: int, out: int, method: Method
    ) -> None:
        drawn = draw(players=club(count), rounds=3, method=method, leftover="three_handed_rest")
        for round_ in drawn.rounds:
            sizes = Counter(len(table.seats) for table in round_.tables)
            assert sizes == Counter({4: fours, 3: threes})
            assert len(round_.sit_out) == out

    def test_who_had_fewest_turns_of_the_season_is_next(self) -> None:
        players = club(7)
        history = [PastEvening(attended=tuple(players), three_handed=tuple(players[:4]))] * 2
        drawn = draw(
            players=players, rounds=1, method="lottery", leftover="three_handed", history=history
        )
        assert drawn.rounds[0].tables[1].people() == {*players[4:]}

    @pytest.mark.full
    def test_fixed_couples_are_left_out_of_it(self) -> None:
        fixed = [("p000", "p001"), ("p002", "p003")]
        drawn = draw(
            players=club(7), rounds=3, method="balanced", leftover="three_handed", fixed=fixed
        )
        assert [round_.tables[1].people() for round_ in drawn.rounds] == [
            {"p004", "p005", "p006"}
        ] * 3


class TestRanked:
    def test_the_first_four_are_at_table_one(self) -> None:
        drawn = draw(players=[*"hgfedcba"], rounds=1, method="ranked")
        assert tables(drawn.rounds[0]) == ["hgef", "dcab"]

    def test_the_last_sit_out_or_at_a_table_of_three(self) -> None:
        out = draw(players=[*"gfedcba"], rounds=1, method="ranked")
        three = draw(players=[*"gfedcba"], rounds=1, method="ranked", leftover="three_handed")
        assert (tables(out.rounds[0]), out.rounds[0].sit_out) == (["gfde"], ("a", "b", "c"))
        assert tables(three.rounds[0]) == ["gfde", "cba"]


class TestPairs:
    def test_even_pairs_stay_and_odd_pairs_move_up(self) -> None:
        fixed = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"), ("i", "j"), ("k", "l")]
        drawn = draw(players=[*"abcdefghijkl"], rounds=4, method="pairs", fixed=fixed)
        assert [tables(round_) for round_ in drawn.rounds] == [
            ["cadb", "gehf", "kilj"],
            ["cidj", "gahb", "kelf"],
            ["cedf", "gihj", "kalb"],
            ["cadb", "gehf", "kilj"],
        ]

    def test_three_pairs_sit_out_in_turn(self) -> None:
        fixed = [("a", "b"), ("c", "d"), ("e", "f")]
        drawn = draw(players=[*"abcdef"], rounds=3, method="pairs", fixed=fixed)
        assert sorted(round_.sit_out for round_ in drawn.rounds) == fixed


class TestCouples:
    def test_five_cannot_be_fours_and_threes(self) -> None:
        with pytest.raises(DrawError, match="five players cannot sit at tables of four and three"):
            draw(players=club(5), rounds=1, method="lottery", leftover="three_handed")

    def test_a_couple_apart_at_the_only_table_cannot_be_seated(self) -> None:
        with pytest.raises(DrawError) as caught:
            draw(players=club(4), rounds=1, method="balanced", apart=[("p000", "p001")])
        assert caught.value.code == "cannot_seat"

    @pytest.mark.full
    def test_one_of_a_couple_apart_sits_out_where_there_is_one_table(self) -> None:
        drawn = draw(players=club(5), rounds=4, method="balanced", apart=[("p000", "p001")])
        assert all({"p000", "p001"} & {*round_.sit_out} for round_ in drawn.rounds)

    @pytest.mark.parametrize(
        ("fixed", "apart", "code"),
        [
            ([("p000", "p001"), ("p001", "p002")], [], "couples_contradict"),
            ([("p000", "p001")], [("p001", "p000")], "couples_contradict"),
            ([("p000", "p000")], [], "couple_of_one"),
        ],
    )
    def test_couples_that_contradict_each_other(
        self, fixed: list[Couple], apart: list[Couple], code: str
    ) -> None:
        with pytest.raises(DrawError) as caught:
            draw(players=club(8), rounds=1, method="lottery", fixed=fixed, apart=apart)
        assert [fault.code for fault in caught.value.faults] == [code]

    @pytest.mark.parametrize("method", ["rotation", "balanced", "lottery"])
    def test_a_fixed_couple_is_partners_whenever_both_play(self, method: Method) -> None:
        drawn = draw(players=club(13), rounds=6, method=method, fixed=[("p003", "p009")])
        for round_ in drawn.rounds:
            if not {"p003", "p009"} & {*round_.sit_out}:
                assert ("p003", "p009") in [c for table in round_.tables for c in table.partners()]


class TestExplanation:
    @pytest.mark.full
    def test_five_people_must_meet_again_eight_times(self) -> None:
        # Five people are ten couples; one table meets six couples in each of three rounds.
        drawn = draw(players=club(5), rounds=3, method="balanced")
        figures = explain_draw(drawn, history=[PastEvening(sat_out=("stranger",))])
        assert (drawn.meeting_repeats, figures.least_meeting_repeats.repeats) == (8, 8)
        assert figures.least_meeting_repeats.reason == "too_few_others"
        assert sum(times - 1 for times in figures.met_again.values()) == 8
        assert figures.ignored == ("stranger",)

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("count", "least"), [(9, 6), (10, 4), (11, 2), (12, 6), (13, 4), (14, 2), (15, 0)]
    )
    def test_few_people_meet_again_no_more_than_they_must(self, count: int, least: int) -> None:
        # Four people from three tables are one couple at least who sat together there, four from
        # two tables two couples; whoever just sat out takes a place at one of the tables.
        drawn = draw(players=club(count), rounds=3, method="balanced")
        bound = explain_draw(drawn).least_meeting_repeats
        assert (drawn.partner_repeats, drawn.meeting_repeats) == (0, least)
        assert (bound.repeats, bound.reason) == (least, "too_few_tables" if least else None)

    @pytest.mark.parametrize("count", [17, 18, 21])
    def test_turns_at_three_are_taken_in_such_rounds_that_nobody_meets_again(
        self, count: int
    ) -> None:
        players, history = club(count), list[PastEvening]()
        turns: Counter[str] = Counter()
        for evening in range(2):
            drawn = draw(
                players=players,
                rounds=3,
                method="balanced",
                leftover="three_handed",
                history=history,
                seed=evening,
            )
            assert drawn.meeting_repeats == 0
            small = [t for round_ in drawn.rounds for t in round_.tables if len(t.seats) == 3]
            three_handed = tuple(player for table in small for player in table.seats.values())
            turns.update(three_handed)
            history.append(PastEvening(attended=tuple(players), three_handed=three_handed))
        assert max(turns.values()) - min(turns[player] for player in players) <= 1

    def test_with_and_against_whom_this_season(self) -> None:
        history = [PastEvening(partners=(("a", "b"), ("c", "a")), opponents=(("b", "a"),))]
        assert season_pair_counts("abd", history) == {
            "a": {"b": TimesTogether(partners=1, opponents=1)},
            "b": {"a": TimesTogether(partners=1, opponents=1)},
            "d": {},
        }


class TestCommand:
    @pytest.fixture
    def ask(
        self, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> Callable[[str], tuple[int, str, str]]:
        """The exit code, standard output and standard error of `manage.py draw`."""

        def ask(text: str) -> tuple[int, str, str]:
            code = 0
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
                try:
                    call_command("draw")
                except SystemExit as stopped:
                    code = int(stopped.code or 0)
            out, errors = capfdbinary.readouterr()
            return code, out.decode(), errors.decode()

        return ask

    def test_one_object_in_and_one_out(self) -> None:
        asked = {"players": [*"abcdefg"], "rounds": 1, "method": "ranked"}
        done = subprocess.run(
            [sys.executable, "manage.py", "draw"],
            cwd=ROOT,
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == {
            "rounds": [
                {
                    "tables": [{"table": 1, "N": "a", "E": "b", "S": "d", "W": "c"}],
                    "sit_out": ["e", "f", "g"],
                }
            ],
            "repeats": {"partners": 0, "meetings": 0},
            "explanation": "7 players at 1 table; 3 sitting out each round; "
            "no repeats of partners; no repeats at a table.",
        }

    @pytest.mark.parametrize("players", ["abcdefg", "abcdefghijklmn"])
    def test_repeats_that_need_not_be_have_no_reason(
        self, players: str, ask: Callable[[str], tuple[int, str, str]]
    ) -> None:
        asked = {"players": [*players], "rounds": 2, "method": "lottery", "seed": 3}
        code, out, errors = ask(json.dumps({**asked, "leftover": "three_handed"}))
        assert (code, errors) == (0, "")
        answer = json.loads(out)
        assert answer["repeats"]["meetings"] > 0
        assert "repeats at a table" in answer["explanation"]

    @pytest.mark.parametrize(
        ("people", "sizes", "out"), [(15, [4, 4, 4, 3], 0), (13, [4, 4, 4], 1)]
    )
    def test_a_table_of_three_only_for_three_left_over(
        self, people: int, sizes: list[int], out: int, ask: Callable[[str], tuple[int, str, str]]
    ) -> None:
        asked = {"players": club(people), "rounds": 1, "method": "lottery"}
        code, answer, errors = ask(json.dumps({**asked, "leftover": "three_handed_rest"}))
        assert (code, errors) == (0, "")
        (drawn,) = json.loads(answer)["rounds"]
        seats = [[key for key in table if key != "table"] for table in drawn["tables"]]
        assert sorted(map(len, seats), reverse=True) == sizes
        assert len(drawn["sit_out"]) == out

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("[1]", "not a JSON object"),
            ('{"players": ["a", "b", "c", 4], "rounds": 1.5}',
             "method: is needed; rounds: is not a whole number; players: is not a list of names"),
            ('{"players": [], "rounds": 1, "method": "lottery"}',
             "a table needs four players and there are 0"),
        ],
    )  # fmt: skip
    def test_bad_input_is_one_line_and_exit_two(
        self, text: str, line: str, ask: Callable[[str], tuple[int, str, str]]
    ) -> None:
        assert ask(text) == (2, "", f"{line}\n")
