"""Somebody more or less after the draw: two tables change, and what remains is right and fair."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.core.amend import with_latecomer, without_leaver
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import Couple, Leftover, Method, PastEvening, RoundDraw, TableDraw
from tournaments.draw.core.problem import DrawError

SEATS = {4: {"N", "E", "S", "W"}, 3: {"N", "E", "S"}}
LEFTOVERS = st.sampled_from(("sit_out", "three_handed", "three_handed_rest"))


def club(count: int) -> list[str]:
    return [f"p{number:02}" for number in range(count)]


def table(number: int, seats: str) -> TableDraw:
    """`table(1, "abcd")` has a at N, b at E, c at S and d at W; of three letters nobody is W."""
    return TableDraw(number, dict(zip(("N", "E", "S", "W"), seats, strict=False)))


def round_of(*tables: str, out: str = "") -> RoundDraw:
    numbered = tuple(table(number, seats) for number, seats in enumerate(tables, start=1))
    return RoundDraw(numbered, tuple(out))


def words(drawn: RoundDraw) -> dict[int, str]:
    """The tables by number, each as its people in the order N, E, S, W."""
    return {one.number: "".join(one.seats.values()) for one in drawn.tables}


def people(drawn: RoundDraw) -> list[str]:
    return sorted(
        [*drawn.sit_out, *(player for one in drawn.tables for player in one.seats.values())]
    )


def changed(before: RoundDraw, after: RoundDraw) -> set[int]:
    """The numbers of the tables that are other than before, new ones and gone ones too."""
    old = {one.number: one.seats for one in before.tables}
    new = {one.number: one.seats for one in after.tables}
    return {number for number in old.keys() | new.keys() if old.get(number) != new.get(number)}


def check_tables(rounds: Sequence[RoundDraw], players: Sequence[str], leftover: Leftover) -> None:
    for drawn in rounds:
        assert people(drawn) == sorted(players)
        assert len({one.number for one in drawn.tables}) == len(drawn.tables)
        sizes = Counter(len(one.seats) for one in drawn.tables)
        assert all(one.seats.keys() == SEATS[len(one.seats)] for one in drawn.tables)
        if leftover == "sit_out":
            assert sizes.keys() <= {4}
            assert len(drawn.sit_out) == len(players) % 4
        elif leftover == "three_handed_rest":
            rest = len(players) % 4
            assert (sizes[3], len(drawn.sit_out)) == ((1, 0) if rest == 3 else (0, rest))
        else:
            assert len(drawn.sit_out) == (len(players) == 5)


def broken(drawn: RoundDraw, fixed: Sequence[Couple], apart: Sequence[Couple]) -> list[Couple]:
    """The couples that are not as agreed in this round."""
    at = {player: one for one in drawn.tables for player in one.seats.values()}
    side = {player: seat in "NS" for one in drawn.tables for seat, player in one.seats.items()}
    split = [
        (one, other)
        for one, other in fixed
        if {one, other} <= at.keys()
        and not (at[one] is at[other] and (len(at[one].seats) == 3 or side[one] == side[other]))
    ]
    return [*split, *((a, b) for a, b in apart if a in at and b in at and at[a] is at[b])]


class TestAnyChange:
    @settings(max_examples=settings().max_examples // 2)
    @given(
        count=st.integers(4, 40),
        method=st.sampled_from(("rotation", "lottery", "ranked")),
        leftover=LEFTOVERS,
        data=st.data(),
    )
    def test_one_after_the_other(
        self, count: int, method: Method, leftover: Leftover, data: st.DataObject
    ) -> None:
        if (count, leftover) == (5, "three_handed"):
            return
        number = 1 if method == "ranked" else data.draw(st.integers(1, 5))
        together = 3 if method == "rotation" else 1
        here = club(count)
        evening = draw(players=here, rounds=number, method=method, leftover=leftover).rounds
        first = data.draw(st.integers(0, number - 1))
        played, rounds = evening[:first], evening[first:]
        for late in ("late", "later", "latest"):
            leaves = len(here) > 4 and data.draw(st.booleans())
            player = data.draw(st.sampled_from(here)) if leaves else late
            amend = without_leaver if leaves else with_latecomer
            here = sorted({*here} ^ {player})
            before = rounds
            rounds = amend(rounds, player, leftover=leftover, played=played, block=together)
            check_tables(rounds, here, leftover)
            for old, new in zip(before, rounds, strict=True):
                third = leftover == "three_handed" and len(old.tables) != len(new.tables)
                assert len(changed(old, new)) <= 2 + third

    @settings(max_examples=settings().max_examples // 2)
    @given(
        count=st.integers(12, 30),
        leftover=LEFTOVERS,
        leaves=st.booleans(),
        kind=st.sampled_from(("fixed", "apart", "stays")),
        data=st.data(),
    )
    def test_what_was_agreed_is_kept(
        self, count: int, leftover: Leftover, leaves: bool, kind: str, data: st.DataObject
    ) -> None:
        # One wish at a time: for more of them two tables may be too few.
        one, two, three = data.draw(st.permutations([*club(count), "late"]))[:3]
        fixed = [(one, two)] if kind == "fixed" else []
        apart = [(one, two), (one, three)] if kind == "apart" else []
        stays = [one] if kind == "stays" else []
        evening = draw(
            players=club(count),
            rounds=3,
            method="lottery",
            leftover=leftover,
            fixed=fixed,
            apart=apart,
            stays=stays,
        ).rounds
        amend = without_leaver if leaves else with_latecomer
        rounds = amend(
            evening[1:],
            data.draw(st.sampled_from(club(count))) if leaves else "late",
            leftover=leftover,
            played=evening[:1],
            fixed=fixed,
            apart=apart,
            stays=stays,
        )
        assert [broken(one, fixed, apart) for one in rounds] == [[], []]
        after = (evening[0], *rounds)
        for player in stays:
            at = {one.number for drawn in after for one in drawn.tables if player in one.people()}
            assert len(at) <= 1

    @settings(max_examples=settings().max_examples // 4)
    @given(count=st.integers(6, 30), leftover=LEFTOVERS, leaves=st.booleans(), data=st.data())
    def test_a_block_of_a_rotation_stays_together(
        self, count: int, leftover: Leftover, leaves: bool, data: st.DataObject
    ) -> None:
        evening = draw(players=club(count), rounds=6, method="rotation", leftover=leftover).rounds
        first = data.draw(st.integers(0, 5))
        rounds = (without_leaver if leaves else with_latecomer)(
            evening[first:],
            "p01" if leaves else "late",
            leftover=leftover,
            played=evening[:first],
            block=3,
        )
        for block in (rounds[: max(0, 3 - first)], rounds[max(0, 3 - first) :]):
            foursomes = [[at.people() for at in one.tables] for one in block]
            assert foursomes == foursomes[:1] * len(block)
            couples = Counter(c for one in block for at in one.tables for c in at.partners())
            assert {*couples.values()} <= {1}

    @settings(max_examples=settings().max_examples // 4)
    @given(count=st.integers(16, 30), data=st.data())
    def test_nobody_sits_out_twice_where_three_rounds_need_it_not(
        self, count: int, data: st.DataObject
    ) -> None:
        evening = draw(players=club(count), rounds=3, method="lottery").rounds
        first = data.draw(st.integers(0, 2))
        rounds = with_latecomer(evening[first:], "late", leftover="sit_out", played=evening[:first])
        out = Counter(player for one in (*evening[:first], *rounds) for player in one.sit_out)
        assert {*out.values()} <= {1}

    @settings(max_examples=settings().max_examples // 4)
    @given(count=st.integers(14, 30), data=st.data())
    def test_a_fixed_couple_goes_to_no_table_of_three(
        self, count: int, data: st.DataObject
    ) -> None:
        fixed = [("p00", "p01")]
        evening = draw(
            players=club(count),
            rounds=2,
            method="lottery",
            leftover="three_handed",
            fixed=fixed,
        ).rounds
        leaver = data.draw(st.sampled_from(club(count)[2:]))
        rounds = without_leaver(evening, leaver, leftover="three_handed", fixed=fixed)
        for one in rounds:
            couples = {couple for at in one.tables for couple in at.partners()}
            assert couples.issuperset(fixed)


class TestLatecomer:
    def late(self, drawn: RoundDraw, leftover: Leftover = "sit_out") -> RoundDraw:
        return with_latecomer((drawn,), "x", leftover=leftover)[0]

    def test_with_nobody_out_he_sits_out(self) -> None:
        drawn = round_of("abcd", "efgh")
        assert self.late(drawn) == round_of("abcd", "efgh", out="x")

    def test_with_three_out_he_makes_a_table(self) -> None:
        assert self.late(round_of("abcd", out="efg")) == round_of("abcd", "efgx")

    def test_he_makes_a_table_of_three_complete(self) -> None:
        assert self.late(round_of("abcd", "efg"), "three_handed") == round_of("abcd", "efgx")

    def test_of_five_with_a_sixth_come_two_tables_of_three(self) -> None:
        after = self.late(round_of("abcd", out="e"), "three_handed")
        assert words(after) == {1: "abc", 2: "exd"}
        assert after.sit_out == ()

    def test_the_only_table_of_four_has_no_place_for_a_fifth(self) -> None:
        assert self.late(round_of("abcd"), "three_handed") == round_of("abcd", out="x")

    def test_two_tables_of_four_become_three_of_three(self) -> None:
        after = self.late(round_of("abcd", "efgh", "ijkl"), "three_handed")
        assert sorted(len(one) for one in words(after).values()) == [3, 3, 3, 4]
        assert words(after)[3] == "ijkl"

    def test_with_two_who_sit_out_he_makes_a_table_of_three(self) -> None:
        after = self.late(round_of("abcd", out="ef"), "three_handed_rest")
        assert (words(after), after.sit_out) == ({1: "abcd", 2: "efx"}, ())
        after = self.late(round_of("abcd", out="e"), "three_handed_rest")
        assert (words(after), after.sit_out) == ({1: "abcd"}, ("e", "x"))

    def test_who_sat_out_before_plays_and_somebody_else_sits_out(self) -> None:
        # x sat out the first round already: in the second one somebody else goes out for him.
        rounds = (round_of("abcd", "efgh"), round_of("aceg", "bdfh"))
        first, second = with_latecomer(rounds, "x", leftover="sit_out")
        assert len({first.sit_out, second.sit_out}) == 2

    def test_over_the_season_who_is_below_his_share_sits_out(self) -> None:
        # h came to three evenings of four people's turns and had none; all others had theirs.
        past = [PastEvening(attended=(*"abcdefgh",), sat_out=(*"abcdefg",))]
        (after,) = with_latecomer(
            (round_of("abcd", "efgh"),), "x", leftover="sit_out", history=past
        )
        assert after == round_of("abcd", "efgx", out="h")

    def test_he_does_not_get_his_partner_of_before_again(self) -> None:
        # x played with g in the round before; at the table of e, f and g he sits beside her.
        played = (round_of("xagb", "cdef", out=""),)
        (after,) = with_latecomer(
            (round_of("abcd", "efg"),), "x", leftover="three_handed", played=played
        )
        assert ("g", "x") not in [couple for one in after.tables for couple in one.partners()]


class TestLeaver:
    def left(self, drawn: RoundDraw, player: str, leftover: Leftover = "sit_out") -> RoundDraw:
        return without_leaver((drawn,), player, leftover=leftover)[0]

    def test_who_sits_out_takes_his_seat(self) -> None:
        drawn = round_of("abcd", "efgh", out="i")
        assert self.left(drawn, "f") == round_of("abcd", "eigh")

    def test_who_sat_out_just_goes(self) -> None:
        drawn = round_of("abcd", out="ef")
        assert self.left(drawn, "e") == round_of("abcd", out="f")

    def test_nobody_changes_for_it_even_where_turns_were_unfair(self) -> None:
        played = (round_of("abcd", out="ef"),)
        (after,) = without_leaver(
            (round_of("bacd", out="ef"),), "e", leftover="sit_out", played=played
        )
        assert after == round_of("bacd", out="f")

    def test_with_nobody_out_his_table_disappears(self) -> None:
        after = self.left(round_of("abcd", "efgh", "ijkl"), "f")
        assert (words(after), after.sit_out) == ({1: "abcd", 3: "ijkl"}, ("e", "g", "h"))

    def test_his_table_becomes_one_of_three_and_who_sat_west_moves_up(self) -> None:
        after = self.left(round_of("abcd", "efgh"), "f", "three_handed")
        assert words(after) == {1: "abcd", 2: "ehg"}

    def test_where_only_three_left_over_make_a_table_there_is_never_a_second(self) -> None:
        left = self.left(round_of("abcd", "efgh"), "f", "three_handed_rest")
        assert sorted(map(len, words(left).values())) == [3, 4]
        left = self.left(round_of("abcd", "efg"), "b", "three_handed_rest")
        assert (sorted(map(len, words(left).values())), len(left.sit_out)) == ([4], 2)
        left = self.left(round_of("abcd", "efg"), "f", "three_handed_rest")
        assert (words(left), left.sit_out) == ({1: "abcd"}, ("e", "g"))

    def test_a_table_of_three_takes_somebody_in_from_a_table_of_four(self) -> None:
        after = self.left(round_of("abcd", "efg"), "f", "three_handed")
        assert sorted(map(len, words(after).values())) == [3, 3]

    def test_where_there_are_threes_alone_two_of_them_become_four(self) -> None:
        after = self.left(round_of("abc", "def", "ghi"), "e", "three_handed")
        assert {number: len(one) for number, one in words(after).items()} == {1: 4, 3: 4}

    def test_of_five_who_are_left_one_sits_out(self) -> None:
        after = self.left(round_of("abc", "def"), "e", "three_handed")
        assert words(after).keys() == {1}
        assert len(after.sit_out) == 1

    def test_somebody_who_sat_out_before_does_not_again(self) -> None:
        # e, g and h sat out in the round before; a, b and c of table 1 do it now.
        played = (round_of("abcd", "fijk", out="egh"),)
        after = without_leaver((round_of("abcd", "efgh"),), "f", leftover="sit_out", played=played)[
            0
        ]
        assert len(after.tables) == 1
        assert {*after.sit_out}.isdisjoint("egh")


class TestRefused:
    def test_pairs_need_a_new_draw(self) -> None:
        pairs = [("a", "c"), ("b", "d"), ("e", "g"), ("f", "h")]
        rounds = draw(players=[*"abcdefgh"], rounds=2, method="pairs", fixed=pairs).rounds
        for amend, player in ((with_latecomer, "x"), (without_leaver, "a")):
            with pytest.raises(DrawError) as caught:
                amend(rounds, player, leftover="sit_out", fixed=[*pairs, ("x", "y")])
            assert caught.value.code == "pairs_need_a_new_draw"

    def test_three_people_cannot_go_on(self) -> None:
        with pytest.raises(DrawError, match="four players and there are 3"):
            without_leaver((round_of("abcd"),), "a", leftover="three_handed")

    def test_who_is_there_comes_late_no_more(self) -> None:
        with pytest.raises(DrawError, match="named more than once: e"):
            with_latecomer((round_of("abcd", out="e"),), "e", leftover="sit_out")

    def test_who_is_not_there_cannot_leave(self) -> None:
        with pytest.raises(DrawError, match="not in this round: x"):
            without_leaver((round_of("abcd"),), "x", leftover="sit_out")


def test_who_missed_a_round_is_not_sent_out_where_others_had_no_turn_yet() -> None:
    """In both rounds to come a newcomer z takes a seat, and two others sit out, once each."""
    played = [round_of("abcd", "efgh")]
    rounds = [round_of("aceg", "bdfh"), round_of("adeh", "bcfg")]
    after = with_latecomer(rounds, "z", leftover="sit_out", played=played)
    out = [player for drawn in after for player in drawn.sit_out]
    assert len(set(out)) == 2
    assert "z" not in out


def test_who_was_there_from_the_start_may_be_the_one_to_sit_out() -> None:
    rounds = [round_of("aceg", "bdfh")]
    after = with_latecomer(rounds, "z", leftover="sit_out")
    assert after == (round_of("aceg", "bdfh", out="z"),)
