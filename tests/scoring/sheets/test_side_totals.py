from typing import Any

import pytest

from clubs.text.errors import DomainError
from scoring.models import Scoresheet, SideTotal
from scoring.sheets.services import sheets_close
from scoring.sheets.side_totals import (
    HandedIn,
    TotalsRefused,
    side_totals_clear,
    side_totals_write,
    totals_doubts,
)
from tests.factories import TESTS
from tests.scoring.sheets import figures, seat_figures, sheet_of, write

pytestmark = pytest.mark.django_db


def hand_in(sheet: Scoresheet, ns: HandedIn, ew: HandedIn) -> Scoresheet:
    totals: Any = {"NS": ns, "EW": ew}
    return side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)


def faulty_sides(sheet: Scoresheet, ns: HandedIn, ew: HandedIn) -> list[str]:
    with pytest.raises(TotalsRefused) as caught:
        hand_in(sheet, ns, ew)
    assert caught.value.code == "totals_refused"
    assert figures(sheet) == (0, 0, 0)
    assert not SideTotal.objects.exists()
    return [side for side, _sentence in caught.value.faults]


def test_totals_stand_in_for_every_deal() -> None:
    """Card points 448 + 200 = 4 × 162; 448 + 70 roem + 100 pit − 20 = 598; 200 + 20 = 220."""
    sheet = sheet_of()
    hand_in(sheet, HandedIn(448, 70, 1, -20), HandedIn(200, 20))
    assert figures(sheet) == (4, 598, 220)
    assert seat_figures(sheet, "S") == (598, 70, 1, 0, 4)
    assert seat_figures(sheet, "W") == (220, 20, 0, 0, 4)


@pytest.mark.both
def test_totals_handed_in_again_replace_the_first() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(448), HandedIn(200))
    hand_in(sheet, HandedIn(348), HandedIn(300))
    assert figures(sheet) == (4, 348, 300)


@pytest.mark.full
def test_totals_taken_off_leave_a_blank_sheet() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(448), HandedIn(200))
    side_totals_clear(sheet_id=sheet.pk, actor=TESTS)
    assert figures(sheet) == (0, 0, 0)
    write(sheet, 1)
    assert figures(sheet) == (1, 90, 72)


def test_a_sheet_with_totals_takes_no_deals_and_one_with_deals_no_totals() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(448), HandedIn(200))
    with pytest.raises(DomainError) as caught:
        write(sheet, 1)
    assert caught.value.code == "totals_handed_in"
    side_totals_clear(sheet_id=sheet.pk, actor=TESTS)
    write(sheet, 1)
    with pytest.raises(DomainError) as caught:
        hand_in(sheet, HandedIn(448), HandedIn(200))
    assert caught.value.code == "deals_written"


@pytest.mark.full
def test_a_closed_sheet_takes_no_totals() -> None:
    sheet = sheet_of()
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    with pytest.raises(DomainError) as caught:
        hand_in(sheet, HandedIn(448), HandedIn(200))
    assert caught.value.code == "sheet_closed"


@pytest.mark.parametrize(
    ("ns", "ew", "sides"),
    [
        pytest.param(HandedIn(448), HandedIn(201), [""], id="one point too many"),
        pytest.param(HandedIn(448, 25), HandedIn(200), ["NS"], id="roem of 25"),
        pytest.param(HandedIn(448, 10), HandedIn(200, 30), ["NS", "EW"], id="roem of 10 and 30"),
        pytest.param(HandedIn(448, 50_000), HandedIn(200), ["NS"], id="roem beyond all deals"),
        pytest.param(HandedIn(448, 0, 3), HandedIn(200), ["NS", "EW"], id="three pits, 448 points"),
        pytest.param(HandedIn(348, 0, 2), HandedIn(300, 0, 3), ["NS", "EW", ""], id="five pits"),
        pytest.param(HandedIn(-10), HandedIn(658), ["NS", "EW"], id="less than nought"),
        pytest.param(HandedIn(448, 0, 0, 53_811), HandedIn(200), ["NS"], id="a wild correction"),
    ],
)
def test_totals_that_cannot_be_are_refused_with_every_fault(
    ns: HandedIn, ew: HandedIn, sides: list[str]
) -> None:
    assert faulty_sides(sheet_of(), ns, ew) == sides


@pytest.mark.parametrize(
    ("ns", "ew", "sides"),
    [
        pytest.param(HandedIn(total=448), HandedIn(total=201), [""], id="one point too many"),
        pytest.param(HandedIn(total=448), HandedIn(total=210), [""], id="roem of 10"),
        pytest.param(HandedIn(total=100), HandedIn(total=50), [""], id="less than a deal"),
        pytest.param(HandedIn(total=90_000), HandedIn(total=200), [""], id="beyond all roem"),
        pytest.param(HandedIn(total=647), HandedIn(total=1), ["EW"], id="one point"),
        pytest.param(HandedIn(), HandedIn(total=200), ["NS"], id="nothing of one side"),
        pytest.param(
            HandedIn(300, 20, 0, total=448), HandedIn(total=200), ["NS"], id="too little said"
        ),
        pytest.param(HandedIn(450, total=448), HandedIn(total=200), ["NS"], id="more points"),
        pytest.param(HandedIn(433, total=448), HandedIn(total=200), ["NS"], id="15 for roem"),
        pytest.param(
            HandedIn(pits=2, total=448), HandedIn(total=200), ["NS"], id="less than two pits"
        ),
    ],
)
def test_two_totals_that_cannot_be(ns: HandedIn, ew: HandedIn, sides: list[str]) -> None:
    assert faulty_sides(sheet_of(), ns, ew) == sides


def test_two_totals_are_enough() -> None:
    """As the table hands them in: 4 × 162 = 648 with 70 roem and a pit of 100, 818 together."""
    sheet = sheet_of()
    hand_in(sheet, HandedIn(total=598), HandedIn(total=220))
    assert figures(sheet) == (4, 598, 220)
    assert seat_figures(sheet, "S") == (598, None, None, 0, 4)
    assert doubts(sheet) == []


def test_what_is_said_beside_a_total_must_come_to_it_and_is_known_then() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(428, 70, 1, total=598, correction=-20), HandedIn(pits=0, total=220))
    assert figures(sheet) == (4, 578, 220)
    assert seat_figures(sheet, "S") == (578, 70, 1, 0, 4)
    assert seat_figures(sheet, "W") == (220, None, 0, 0, 4)


def test_why_two_totals_cannot_be_is_said_with_what_is_near() -> None:
    with pytest.raises(TotalsRefused) as caught:
        hand_in(sheet_of(), HandedIn(total=598), HandedIn(total=223))
    assert caught.value.faults == [
        (
            "",
            (
                "Samen is dat 821. 4 spellen geven 648, en de overige 173 kunnen geen roem en pit "
                "zijn. Het zou 818 of 828 kunnen zijn."
            ),
        )
    ]


def test_fewer_deals_than_planned_are_taken_and_doubted() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(total=286), HandedIn(total=220))
    assert figures(sheet) == (3, 286, 220)
    assert doubts(sheet) == [
        (
            "Samen is dat 506. Dat past bij 3 spellen, en er staan er 4 op de lijst. Waren het er "
            "echt minder?"
        )
    ]


def test_very_much_roem_is_doubted() -> None:
    sheet = sheet_of()
    hand_in(sheet, HandedIn(total=998), HandedIn(total=220))
    assert doubts(sheet) == ["Dat is 570 aan roem en pit in 4 spellen: wel erg veel."]


def test_totals_of_another_number_of_deals_than_their_points() -> None:
    with pytest.raises(TotalsRefused) as caught:
        hand_in(sheet_of(), HandedIn(286, total=286), HandedIn(200, total=362))
    assert [side for side, _sentence in caught.value.faults] == ["EW", ""]


def doubts(sheet: Scoresheet) -> list[str]:
    sheet.refresh_from_db()
    return totals_doubts(sheet, {row.side: row for row in sheet.side_totals.all()})


def test_no_trump_deals_are_worth_32_less() -> None:
    sheet = sheet_of(preset="thousand-and-one")
    assert faulty_sides(sheet, HandedIn(400), HandedIn(217)) == [""]
    hand_in(sheet, HandedIn(400), HandedIn(216))
    assert figures(sheet) == (4, 400, 216)
