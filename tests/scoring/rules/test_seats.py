"""Seats, sides and who deals."""

import pytest

from scoring.rules import SEATS, SIDES, Seat, dealer_of, forehand_of, other_side, partner, side_of


def test_seats_are_named_clockwise_and_the_first_side_is_wij() -> None:
    assert SEATS == ("N", "E", "S", "W")
    assert SIDES == ("NS", "EW")


@pytest.mark.parametrize(
    ("seat", "opposite", "left", "side"),
    [("N", "S", "E", "NS"), ("E", "W", "S", "EW"), ("S", "N", "W", "NS"), ("W", "E", "N", "EW")],
)
def test_where_a_seat_is(seat: Seat, opposite: Seat, left: Seat, side: str) -> None:
    assert partner(seat) == opposite
    assert forehand_of(seat) == left
    assert side_of(seat) == side


def test_the_other_side_of_each_side() -> None:
    assert [other_side(side) for side in SIDES] == ["EW", "NS"]


def test_in_a_round_of_sixteen_everybody_deals_four_times_in_turn() -> None:
    dealers = [dealer_of("E", number) for number in range(1, 17)]
    assert dealers == ["E", "S", "W", "N"] * 4
