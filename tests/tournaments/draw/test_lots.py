"""What is on a lot, and who sits where by it."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Member
from tournaments.draw.core.models import Seat
from tournaments.draw.lots_form import (
    LotsDrawn,
    PaperLot,
    lot_at,
    lot_faults,
    most_tables,
    read_lot,
    table_by_lots,
)

SEATS: tuple[Seat, ...] = ("N", "E", "S", "W")


@pytest.mark.parametrize(
    ("written", "table", "mark"),
    [
        ("1", 1, 1),
        ("4", 1, 4),
        ("5", 2, 1),
        (" 400 ", 100, 4),
        ("007", 2, 3),
        ("3A", 3, "A"),
        ("3 a", 3, "A"),
        ("100b", 100, "B"),
    ],
)
def test_a_lot_is_a_number_or_a_table_with_a_letter(
    written: str, table: int, mark: int | str
) -> None:
    assert read_lot(written) == PaperLot(table, mark)


@pytest.mark.full
@pytest.mark.parametrize(
    "written", ["", "0", "0A", "-1", "3C", "A3", "3AB", "drie", "1.5", "٣", "12345"]
)
def test_anything_else_is_no_lot(written: str) -> None:
    assert read_lot(written) is None


@given(st.integers(1, 2000), st.sampled_from(["N", "E", "S", "W"]), st.booleans())
def test_what_is_on_a_lot_is_read_back(table: int, seat: str, lettered: bool) -> None:
    lot = lot_at(table, seat, lettered=lettered)  # type: ignore[arg-type]
    assert read_lot(str(lot)) == lot


def test_one_and_three_play_against_two_and_four() -> None:
    drawn = {"Jan": "8", "Mia": "5", "Piet": "6", "Truus": "7", "Kees": "1"}
    lots = {who: read_lot(lot) for who, lot in drawn.items()}
    seats, missing = table_by_lots(lots, 2, lettered=False)  # type: ignore[arg-type]
    assert (seats, missing) == ({"N": "Mia", "E": "Piet", "S": "Truus", "W": "Jan"}, [])


def test_the_two_with_an_a_play_against_the_two_with_a_b() -> None:
    lots = {
        "Jan": PaperLot(1, "B"),
        "Mia": PaperLot(1, "A"),
        "Piet": PaperLot(1, "B"),
        "Truus": PaperLot(1, "A"),
    }
    seats, missing = table_by_lots(lots, 1, lettered=True)
    assert (seats, missing) == ({"N": "Mia", "S": "Truus", "E": "Jan", "W": "Piet"}, [])


@pytest.mark.parametrize(
    ("lots", "seats", "missing"),
    [
        (["1", "2", "3"], {"N": 0, "E": 1, "S": 2}, ["4"]),
        (["1", "3", "4"], {"N": 0, "S": 1, "E": 2}, ["2"]),
        (["1A", "1B", "1B"], {"N": 0, "E": 1, "S": 2}, ["1A"]),
        (["1A", "1A", "1B"], {"N": 0, "S": 1, "E": 2}, ["1B"]),
    ],
)
def test_three_people_never_sit_west(
    lots: list[str], seats: dict[str, int], missing: list[str]
) -> None:
    drawn = {who: lot for who, text in enumerate(lots) if (lot := read_lot(text))}
    found, free = table_by_lots(drawn, 1, lettered=lots[0].endswith("A"))
    assert (found, [str(lot) for lot in free]) == (seats, missing)


@pytest.mark.parametrize(
    ("people", "fours", "with_threes"),
    [(4, 1, 1), (5, 1, 2), (6, 1, 2), (7, 1, 2), (8, 2, 2), (9, 2, 3), (14, 3, 4), (399, 99, 100)],
)
def test_how_many_tables_there_are(people: int, fours: int, with_threes: int) -> None:
    found = most_tables(people, threes=False), most_tables(people, threes=True)
    assert found == (fours, with_threes)


@given(people=st.integers(4, 60), threes=st.booleans(), lettered=st.booleans(), chance=st.randoms())
def test_lots_handed_out_seat_everybody(
    people: int, threes: bool, lettered: bool, chance: Random
) -> None:
    members = [Member(pk=number, name=str(number)) for number in range(1, people + 1)]
    tables = most_tables(people, threes=threes)
    empty = Counter(tables - at % tables for at in range(4 * tables - people))
    lots = [
        lot_at(table, seat, lettered=lettered)
        for table in range(1, tables + 1)
        for seat in SEATS[: 4 - empty[table]]
    ]
    chance.shuffle(members)
    read = dict.fromkeys(members, None) | dict(zip(members, lots, strict=False))
    drawn = LotsDrawn.of(read, people=people, threes=threes)
    assert list(lot_faults(drawn)) == []
    seated = [who for seats, _missing in drawn.tables() for who in seats.values()]
    assert len(seated) == len({*seated}) == len(lots)
    assert {*seated}.isdisjoint(drawn.without)
    assert len(seated) + len(drawn.without) == people
    full = [{*"NESW"}, {*"NES"}, {*"NE"}] if people == 5 else [{*"NESW"}, {*"NES"}]
    assert all({*seats} in full for seats, _missing in drawn.tables())
