"""Who gets a prize: each rule that clubs have, worked out by hand."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.prizes.core import (
    KINDS,
    Award,
    Content,
    InvalidPrizes,
    Kind,
    PrizeScheme,
    RankedEntry,
    Winner,
    highest,
    parse_prizes,
    prize_giving,
)


def standing(*values: int) -> list[RankedEntry]:
    """People called a, b, c … with these totals; equals share a place."""
    return [
        RankedEntry((name,), name, 1 + sum(higher > value for higher in values), value)
        for name, value in zip("abcdefghijklmnopqrstuvwxyz", values, strict=False)
    ]


def won(name: str, figure: int) -> Winner:
    return Winner((name,), name, figure)


def read_out(awards: tuple[Award, ...]) -> list[tuple[str, str, int]]:
    """What each award is for, who gets it, and how many prizes there are."""
    return [
        (award.key or str(award.place or award.kind), "".join(p.name for p in award.people), n)
        for award in awards
        for n in [award.prizes]
    ]


@pytest.mark.parametrize(
    ("scheme", "people", "places"),
    [
        (PrizeScheme(first=3), 20, (1, 2, 3)),
        (PrizeScheme(first=3), 2, (1, 2)),
        (PrizeScheme("formula_of_four"), 18, (1, 2, 3, 4, 8, 12, 16)),
        (PrizeScheme("formula_of_four"), 3, (1, 2, 3)),
        (PrizeScheme("given", given=(1, 18, 25)), 24, (1, 18)),
        (PrizeScheme("given", given=(1, 18, 25)), 25, (1, 18, 25)),
        (PrizeScheme("one_per_four"), 20, (1, 2, 3, 4, 5)),
        (PrizeScheme("one_per_four"), 23, (1, 2, 3, 4, 5)),
        (PrizeScheme("one_per_four"), 3, (1,)),
        (PrizeScheme("everybody"), 5, (1, 2, 3, 4, 5)),
        (PrizeScheme("none"), 5, ()),
        (PrizeScheme("one_per_four"), 0, ()),
    ],
)
def test_places_with_a_prize(scheme: PrizeScheme, people: int, places: tuple[int, ...]) -> None:
    assert scheme.places(people) == places


def test_the_poedel_is_first_and_the_winner_last() -> None:
    awards = prize_giving(PrizeScheme(), standing(900, 800, 700, 600, 500))
    assert read_out(awards) == [("poedel", "e", 1), ("3", "c", 1), ("2", "b", 1), ("1", "a", 1)]


def test_side_prizes_come_between_in_the_order_that_was_chosen() -> None:
    scheme = PrizeScheme(first=1, sides=("best_round", "pits"))
    awards = prize_giving(
        scheme,
        standing(900, 800, 700),
        sides={"pits": [won("b", 3), won("c", 3)], "best_round": [won("b", 410)]},
    )
    assert read_out(awards) == [
        ("poedel", "c", 1),
        ("best_round", "b", 1),
        ("pits", "bc", 1),
        ("1", "a", 1),
    ]
    assert [award.is_shared for award in awards] == [False, False, True, False]
    assert [one.figure for one in awards[2].people] == [3, 3]


def test_nobody_has_most_pits_where_nobody_has_any() -> None:
    awards = prize_giving(
        PrizeScheme("none", poedel=False, sides=("pits", "roem")),
        standing(900, 800),
        sides={"pits": []},
    )
    assert awards == ()


@pytest.mark.parametrize(
    ("scheme", "values", "expected"),
    [
        # Two on place 2 take up places 2 and 3, which both have a prize: one each.
        (PrizeScheme(poedel=False), (9, 8, 8, 7), [("2", "bc", 2), ("1", "a", 1)]),
        # Two on place 3 take up 3 and 4, of which 3 has a prize: they share it.
        (PrizeScheme(poedel=False), (9, 8, 7, 7), [("3", "cd", 1), ("2", "b", 1), ("1", "a", 1)]),
        # Three on place 6 take up 6, 7 and 8: the formula of four has a prize for 8.
        (
            PrizeScheme("formula_of_four", poedel=False),
            (20, 19, 18, 17, 16, 9, 9, 9, 3),
            [("6", "fgh", 1), ("4", "d", 1), ("3", "c", 1), ("2", "b", 1), ("1", "a", 1)],
        ),
        # All equal: they share the three prizes, and nobody is last.
        (PrizeScheme(), (5, 5, 5, 5), [("1", "abcd", 3)]),
        (PrizeScheme(first=1), (9, 5, 5), [("poedel", "bc", 1), ("1", "a", 1)]),
    ],
)
def test_equals_share_the_prizes_of_the_places_they_take_up(
    scheme: PrizeScheme, values: tuple[int, ...], expected: list[tuple[str, str, int]]
) -> None:
    assert read_out(prize_giving(scheme, standing(*values))) == expected


def test_each_period_has_a_prize_for_its_best() -> None:
    awards = prize_giving(
        PrizeScheme(first=1, poedel=False, periods=True),
        standing(900, 800),
        periods={"herfst": [won("b", 500)], "lente": [], "winter": [won("a", 600)]},
    )
    assert read_out(awards) == [("herfst", "b", 1), ("winter", "a", 1), ("1", "a", 1)]


def test_the_highest_are_those_who_are_equal_at_the_top() -> None:
    people = [won("b", 3), won("c", 2), won("a", 3)]
    assert highest(people) == (won("a", 3), won("b", 3))
    assert highest([won("a", 0)]) == highest([]) == ()


def test_in_a_period_who_are_equal_at_the_top_share_its_prize() -> None:
    people = [won("b", 3), won("c", 2), won("a", 3)]
    scheme = PrizeScheme("none", poedel=False, periods=True)
    awards = prize_giving(scheme, [], periods={"herfst": people, "winter": [won("a", 0)]})
    assert read_out(awards) == [("herfst", "ab", 1)]


def test_places_one_to_ten_of_each_of_seven_periods() -> None:
    # Twelve people, 1,200 points and down; in the last period the tenth and eleventh are equal.
    people = [won(name, 1200 - 10 * at) for at, name in enumerate("abcdefghijkl")]
    equal = [*people[:10], won("k", people[9].figure), people[11]]
    periods = {f"2026-0{month}-01/2026-0{month}-28": people for month in range(1, 7)}
    scheme = PrizeScheme("none", poedel=False, periods=True, period_places=10)
    awards = prize_giving(scheme, [], periods={**periods, "2026-07-01/2026-07-28": equal})
    each = [(place, one) for place, one in enumerate("abcdefghij", start=1)][::-1]
    assert read_out(awards[:10]) == [
        ("2026-01-01/2026-01-28" + (f"/{place}" if place > 1 else ""), one, 1)
        for place, one in each
    ]
    assert (len(awards), awards[-10].key, awards[-10].prizes, len(awards[-10].people)) == (
        70, "2026-07-01/2026-07-28/10", 1, 2,
    )  # fmt: skip
    assert parse_prizes(scheme.as_json()) == scheme


def test_what_the_places_of_a_period_win() -> None:
    scheme = PrizeScheme(
        "none",
        poedel=False,
        periods=True,
        period_places=2,
        contents=(("period", Content("ham")), ("period-2", Content(cents=500))),
    )
    assert scheme.keys(9) == ["period", "period-2"]
    assert parse_prizes(scheme.as_json()) == scheme
    people = [won("a", 9), won("b", 8)]
    awards = prize_giving(scheme, [], periods={"2026-01-01/2026-01-28": people})
    assert [award.contents(scheme) for award in awards] == [
        (Content(cents=500),),
        (Content("ham"),),
    ]
    tied = prize_giving(scheme, [], periods={"2026-01-01/2026-01-28": [won("a", 9), won("b", 9)]})
    assert [award.contents(scheme) for award in tied] == [(Content("ham"), Content(cents=500))]


def test_no_standing_brings_no_prizes() -> None:
    assert prize_giving(PrizeScheme("everybody"), []) == ()


def test_a_scheme_is_read_back_as_it_was_written() -> None:
    scheme = PrizeScheme("given", 5, (1, 18, 25), poedel=False, sides=("roem",), periods=True)
    assert parse_prizes(scheme.as_json()) == scheme
    assert parse_prizes({}) == PrizeScheme("first", 3, (), poedel=True, sides=(), periods=False)


def test_places_are_put_in_order_and_counted_once() -> None:
    assert parse_prizes({"kind": "given", "given": [25, 1, 18, 1]}).given == (1, 18, 25)


@pytest.mark.parametrize(
    ("settings", "faults"),
    [
        ([], (("prizes", "not_an_object"),)),
        ({"kind": "given"}, (("given", "no_places"),)),
        ({"kind": "given", "given": [0]}, (("given", "not_a_number"),)),
        (
            {"geld": 1, "kind": "lot", "first": True, "given": 3, "poedel": 1, "sides": ["x"]},
            (
                ("geld", "unknown"),
                ("kind", "not_a_choice"),
                ("first", "not_a_number"),
                ("given", "not_a_list"),
                ("poedel", "not_a_choice"),
                ("sides", "not_a_choice"),
            ),
        ),
        ({"sides": "pits", "first": 1000}, (("sides", "not_a_list"), ("first", "not_a_number"))),
    ],
)
def test_every_fault_of_a_scheme_is_reported(
    settings: Mapping[str, object], faults: tuple[tuple[str, str], ...]
) -> None:
    with pytest.raises(InvalidPrizes) as caught:
        parse_prizes(settings)
    assert caught.value.faults == faults


@given(
    values=st.lists(st.integers(0, 6), max_size=26).map(
        lambda totals: sorted(totals, reverse=True)
    ),
    kind=st.sampled_from(KINDS),
    first=st.integers(1, 30),
    given_places=st.lists(st.integers(1, 30), min_size=1).map(
        lambda places: tuple(sorted(set(places)))
    ),
)
def test_every_prize_is_handed_out_once_and_the_winner_comes_last(
    values: list[int], kind: Kind, first: int, given_places: tuple[int, ...]
) -> None:
    scheme = PrizeScheme(kind, first, given_places)
    awards = prize_giving(scheme, standing(*values))
    places = [award for award in awards if award.kind == "place"]
    assert sum(award.prizes for award in places) == len(scheme.places(len(values)))
    assert [award.place for award in places] == sorted(
        (award.place for award in places if award.place), reverse=True
    )
    assert [award.kind for award in awards].index("place") <= 1 if places else True
    for award in awards:
        assert 1 <= award.prizes <= len(award.people)
