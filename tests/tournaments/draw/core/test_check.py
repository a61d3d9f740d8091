"""The verifier finds each fault in draws made wrong by hand."""

from dataclasses import replace

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.models import Draw, Method, RoundDraw, TableDraw

PLAYERS = ["a", "b", "c", "d", "e"]


def table(north: str, east: str, south: str, west: str, *, number: int = 1) -> TableDraw:
    return TableDraw(number, {"N": north, "E": east, "S": south, "W": west})


def one_table(seats: str, *, out: str = "", method: Method = "lottery") -> Draw:
    """A draw of one table a round: `"abcd bcde"` is two rounds, seats in the order N E S W."""
    rounds = tuple(
        RoundDraw((table(*four),), tuple(away))
        for four, away in zip(seats.split(), out.split() or [""] * 9, strict=False)
    )
    return Draw(rounds, partner_repeats=0, meeting_repeats=0, seed=0, method=method)


def test_a_right_draw_has_no_faults() -> None:
    assert check_draw(PLAYERS, one_table("abcd bcde", out="e a")) == ()
    assert check_draw(PLAYERS[:4], one_table("abcd acbd abdc", method="rotation")) == ()


def test_somebody_forgotten_and_somebody_unknown() -> None:
    assert check_draw(PLAYERS, one_table("abcx")) == (
        "round 1: d is placed 0 times",
        "round 1: e is placed 0 times",
        "round 1: x is placed 1 times",
    )


def test_somebody_at_a_table_and_out() -> None:
    assert check_draw(PLAYERS[:4], one_table("abcd", out="a")) == ("round 1: a is placed 2 times",)


def test_a_table_of_three() -> None:
    drawn = one_table("abcd", out="e")
    three = TableDraw(1, {"N": "a", "E": "b", "S": "c"})
    short = replace(drawn, rounds=(RoundDraw((three,), ("d", "e")),))
    assert check_draw(PLAYERS, short) == ("round 1: table 1 has the seats ['E', 'N', 'S']",)


def test_wrong_table_numbers() -> None:
    drawn = replace(
        one_table("abcd"), rounds=(RoundDraw((table("a", "b", "c", "d", number=2),), ("e",)),)
    )
    assert check_draw(PLAYERS, drawn) == ("round 1: tables are numbered [2]",)


def test_four_people_out_could_have_played() -> None:
    drawn = Draw((RoundDraw((), ("a", "b", "c", "d")),), 0, 0, 0)
    assert check_draw(PLAYERS[:4], drawn) == ("round 1: 4 people sit out",)


def test_sitting_out_twice_before_others_did_once() -> None:
    assert check_draw(PLAYERS, one_table("abcd abcd", out="e e")) == (
        "e sits out again before others did as often",
    )
    assert check_draw(PLAYERS, one_table("abcd", out="e"), already_out=["e"]) == (
        "e sits out again before others did as often",
    )


def test_a_rotation_with_a_couple_twice() -> None:
    drawn = one_table("abcd acbd adcb", method="rotation")
    assert check_draw(PLAYERS[:4], drawn) == (
        "a and c are partners 2 times within a block",
        "b and d are partners 2 times within a block",
    )


def test_a_rotation_whose_table_changes() -> None:
    drawn = one_table("abcd aecd", out="e b", method="rotation")
    assert check_draw(PLAYERS, drawn) == (
        "those who sit out change within a block",
        "table 1 changes within a block",
        "a and c are partners 2 times within a block",
    )
