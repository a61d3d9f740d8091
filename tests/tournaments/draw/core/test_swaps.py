"""The cost of an exchange is what a recount from scratch gives; repeats are marked by table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.core.amend import SwapCost, SwapTurn, swap_costs, swapped
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import Leftover, Method, PastEvening, RoundDraw, TableDraw
from tournaments.draw.core.pair_counts import Repeat, repeats_by_table
from tournaments.draw.core.problem import DrawError


def club(count: int) -> list[str]:
    return [f"p{number:03}" for number in range(count)]


def table(number: int, seats: str) -> TableDraw:
    """`table(1, "abcd")` has a at N, b at E, c at S and d at W; of three letters nobody is W."""
    return TableDraw(number, dict(zip(("N", "E", "S", "W"), seats, strict=False)))


def round_of(*tables: str, out: str = "") -> RoundDraw:
    numbered = tuple(table(number, seats) for number, seats in enumerate(tables, start=1))
    return RoundDraw(numbered, tuple(out))


def partners(one: TableDraw) -> Iterator[frozenset[str]]:
    if len(one.seats) == 4:
        yield frozenset((one.seats["N"], one.seats["S"]))
        yield frozenset((one.seats["E"], one.seats["W"]))


def mates(one: TableDraw) -> Iterator[frozenset[str]]:
    yield from map(frozenset, combinations(one.seats.values(), 2))


def recounted(rounds: Sequence[RoundDraw], block: int) -> tuple[int, int]:
    """The repeats of partners and of meetings in an evening, counted plainly."""
    couples = Counter(couple for one in rounds for at in one.tables for couple in partners(at))
    met: Counter[frozenset[str]] = Counter()
    goes_on: dict[frozenset[str], int] = {}
    for one in rounds:
        goes_on = {at.people(): goes_on.get(at.people(), 0) + 1 for at in one.tables}
        for at in one.tables:
            if goes_on[at.people()] % block == 1 % block:
                met.update(mates(at))
    return sum(n - 1 for n in couples.values()), sum(n - 1 for n in met.values())


def recounted_season(drawn: RoundDraw, history: Sequence[PastEvening]) -> tuple[int, int]:
    were_partners = Counter(frozenset(couple) for past in history for couple in past.partners)
    had_met = were_partners + Counter(
        frozenset(couple) for past in history for couple in past.opponents
    )
    return (
        sum(were_partners[couple] for at in drawn.tables for couple in partners(at)),
        sum(had_met[couple] for at in drawn.tables for couple in mates(at)),
    )


@st.composite
def past_evenings(draw_from: st.DrawFn) -> PastEvening:
    people = draw_from(st.permutations(club(20)))
    return PastEvening(partners=(*pairwise(people[:9]),), opponents=(*pairwise(people[9:]),))


class TestCost:
    @settings(max_examples=settings().max_examples // 2)
    @given(
        count=st.integers(4, 24).filter(lambda count: count != 5),
        rounds=st.integers(1, 4),
        method=st.sampled_from(("rotation", "lottery")),
        leftover=st.sampled_from(("sit_out", "three_handed")),
        data=st.data(),
    )
    def test_is_what_a_recount_gives(
        self,
        count: int,
        rounds: int,
        method: Method,
        leftover: Leftover,
        data: st.DataObject,
    ) -> None:
        history = data.draw(st.lists(past_evenings(), max_size=2))
        evening = draw(players=club(count), rounds=rounds, method=method, leftover=leftover).rounds
        first = data.draw(st.integers(0, rounds - 1))
        number = data.draw(st.integers(0, rounds - first - 1))
        player = data.draw(st.sampled_from(club(count)))
        played, ahead = evening[:first], evening[first:]
        block = 3 if method == "rotation" else 1
        costs = swap_costs(ahead, number, player, played=played, history=history, block=block)
        assert sorted([player, *costs]) == club(count)
        before = (*recounted(evening, block), *recounted_season(ahead[number], history))
        for other, cost in costs.items():
            after = swapped(ahead, number, player, other)
            figures = (
                *recounted((*played, *after), block),
                *recounted_season(after[number], history),
            )
            changes = (
                cost.partners,
                cost.meetings,
                cost.season_partners,
                cost.season_meetings,
            )
            assert changes == tuple(new - old for new, old in zip(figures, before, strict=True))
            assert cost.faults == ()

    def test_by_hand(self) -> None:
        # In round 2 a partners c again and meets b and d again, as everybody at table 1 does.
        rounds = (round_of("abcd", "efgh", out="i"), round_of("abcd", "egfh", out="i"))
        costs = swap_costs(rounds, 1, "a")
        # Beside b: partners a-d and b-c are new, a-c and b-d were again.
        assert costs["b"] == SwapCost(partners=-2, meetings=0)
        # With i, who met nobody: a-c is no repeat any more, nor are a's three meetings; and i sat
        # out both rounds, of which a takes one.
        turn = SwapTurn("a", "i", rounds=1, instead_of=2)
        assert costs["i"] == SwapCost(partners=-1, meetings=-3, turn=turn)
        # With f: a-c no more, and six meetings again less: a's three and f's three.
        assert costs["f"] == SwapCost(partners=-1, meetings=-6)

    def test_who_sits_out_for_whom(self) -> None:
        # e, f and g sit out in round 1; e again in round 3. The figures of round 2, for c.
        rounds = (round_of("abcd", out="efg"), round_of("adef", out="bcg"), round_of("abcg"))
        rounds = (*rounds[:2], RoundDraw(rounds[2].tables, ("d", "e", "f")))
        turns = {other: cost.turn for other, cost in swap_costs(rounds, 1, "c").items()}
        assert turns == {
            "a": SwapTurn("a", "c", rounds=1, instead_of=1),
            "d": SwapTurn("d", "c", rounds=2, instead_of=1),
            "e": SwapTurn("e", "c", rounds=3, instead_of=1),
            "f": SwapTurn("f", "c", rounds=3, instead_of=1),
            "b": None,
            "g": None,
        }
        assert [turn.more for turn in turns.values() if turn] == [0, 1, 2, 2]

    def test_turns_of_the_season_are_counted_from_each_ones_share(self) -> None:
        # Five people, three evenings, one out each time: the share is 3/5 of a turn. a had three
        # turns, so 12/5 above it, the others none, 3/5 below: three whole turns between them.
        history = [PastEvening(attended=(*"abcde",), sat_out=("a",))] * 3
        costs = swap_costs([round_of("abcd", out="e")], 0, "e", history=history)
        turns = {other: cost.turn.season for other, cost in costs.items() if cost.turn}
        assert turns == {"a": 3, "b": 0, "c": 0, "d": 0}
        back = swap_costs([round_of("ebcd", out="a")], 0, "e", history=history)["a"].turn
        assert back == SwapTurn("e", "a", rounds=1, instead_of=1, season=-3)

    def test_what_must_not_be(self) -> None:
        rounds = (round_of("abcd", "efgh", out="ij"), round_of("aecg", "bfdh", out="ij"))
        costs = swap_costs(
            rounds, 0, "a", fixed=[("a", "c")], apart=[("a", "h"), ("b", "i")], stays=["a", "j"]
        )
        faults = {other: cost.faults for other, cost in costs.items()}
        assert faults == {
            "b": ("fixed",),
            "c": (),
            "d": ("fixed",),
            "e": ("apart", "fixed", "stays"),
            "f": ("apart", "fixed", "stays"),
            "g": ("apart", "fixed", "stays"),
            "h": ("fixed", "stays"),
            "i": ("apart",),
            "j": (),
        }

    def test_a_fixed_couple_may_be_together_at_a_table_of_three(self) -> None:
        rounds = (round_of("abcd", "efg"),)
        costs = swap_costs(rounds, 0, "b", fixed=[("a", "e")])
        assert (costs["e"].faults, costs["f"].faults) == (("fixed",), ())
        assert swap_costs(rounds, 0, "a", fixed=[("a", "e")])["f"].faults == ()

    def test_four_hundred_people_are_weighed_while_nobody_notices(self) -> None:
        rounds = draw(players=club(400), rounds=3, method="lottery").rounds
        start = process_time()
        assert len(swap_costs(rounds, 1, "p007")) == 399
        assert process_time() - start < 1  # counting all of it 399 times takes four

    def test_who_has_no_place_in_the_round(self) -> None:
        rounds = (round_of("abcd", out="e"),)
        with pytest.raises(DrawError, match="not in this round: x, z"):
            swapped(rounds, 0, "z", "x")
        with pytest.raises(DrawError) as caught:
            swap_costs(rounds, 0, "x")
        assert (caught.value.code, caught.value.params) == ("not_in_round", {"players": "x"})


class TestSwapped:
    def test_the_two_exchange_places_in_that_round_alone(self) -> None:
        rounds = (round_of("abcd", "efgh", out="ij"),) * 2
        assert swapped(rounds, 1, "b", "g") == (rounds[0], round_of("agcd", "efbh", out="ij"))
        assert swapped(rounds, 0, "j", "a") == (round_of("jbcd", "efgh", out="ai"), rounds[1])
        assert swapped(rounds, 0, "d", "a") == (round_of("dbca", "efgh", out="ij"), rounds[1])


class TestRepeats:
    def test_by_table_with_how_often(self) -> None:
        played = (round_of("abcd", "efgh"),)
        rounds = (round_of("aecg", "bfdh"), round_of("acbe", "fdgh"), round_of("acbd", "efgh"))
        assert repeats_by_table(rounds, 0, played=played) == {
            1: (Repeat("a", "c", 2, as_partners=True), Repeat("e", "g", 2, as_partners=True)),
            2: (Repeat("b", "d", 2, as_partners=True), Repeat("f", "h", 2, as_partners=True)),
        }
        # a and c are opponents now: the third time at one table.
        assert repeats_by_table(rounds, 1, played=played)[1] == (
            Repeat("a", "b", 2, as_partners=False),
            Repeat("a", "c", 3, as_partners=False),
            Repeat("a", "e", 2, as_partners=False),
            Repeat("b", "c", 2, as_partners=False),
            Repeat("c", "e", 2, as_partners=False),
        )

    def test_without_a_repeat_no_table_is_named(self) -> None:
        assert repeats_by_table((round_of("abcd", "efgh"),), 0) == {}

    def test_a_block_of_a_rotation_is_one_meeting(self) -> None:
        rounds = draw(players=club(4), rounds=6, method="rotation").rounds
        assert repeats_by_table(rounds, 2, block=3) == {}
        again = repeats_by_table(rounds, 3, block=3)[1]
        assert [(one.times, one.as_partners) for one in again].count((2, True)) == 2
        assert [(one.times, one.as_partners) for one in again].count((2, False)) == 4
