"""A sheet as people read it: lines, marks in words, running totals, names."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from clubs.models import Club
from scoring.display.sheet_view import SheetCell, SheetView
from scoring.display.words import short_names
from scoring.models import Scoresheet
from scoring.sheets.services import seat_take_over
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, MemberFactory, evening_with_draw, table, write_deal

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet() -> Scoresheet:
    """Jan and Piet (wij) against Mia and Truus (zij); Mia deals the first of four deals."""
    return table(evening_with_draw(players=4, rounds=1, method="typed_in", deals_per_round=4)).sheet


def view_of(sheet: Scoresheet, **given: Any) -> SheetView:
    fresh = Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)
    return SheetView(fresh, **given)


@pytest.mark.full
@pytest.mark.parametrize(
    ("written", "ns", "ew"),
    [
        (
            {"points": {"EW": 65}, "roem": {"NS": [20, 50]}},
            SheetCell(points=97, roem=70, running=167),
            SheetCell(points=65, roem=0, running=65),
        ),
        (
            {"points": {"NS": 70}, "roem": {"NS": [20]}},
            SheetCell(points=None, roem=0, running=0, mark="nat", nat=True),
            SheetCell(points=162, roem=20, running=182),
        ),
        (
            {"points": {}, "pit": "NS"},
            SheetCell(points=162, roem=100, running=262, mark="pit"),
            SheetCell(points=0, roem=0, running=0),
        ),
        (
            {"points": {}, "pit": "EW"},
            SheetCell(points=None, roem=0, running=0, mark="nat", nat=True),
            SheetCell(points=162, roem=100, running=262, mark="tegenpit"),
        ),
        (
            {"points": {}, "reneged": "E"},
            SheetCell(points=162, roem=100, running=262),
            SheetCell(points=0, roem=0, running=0, mark="verzaakt"),
        ),
    ],
)
def test_a_line_has_points_roem_and_marks_in_words(
    sheet: Scoresheet, written: dict[str, object], ns: SheetCell, ew: SheetCell
) -> None:
    write_deal(sheet.table, 1, **written)
    row = view_of(sheet).rows[0]
    assert (row.ns, row.ew) == (ns, ew)
    assert (row.declarer, row.trump) == ("Wij", "H")


@pytest.mark.full
def test_the_club_reads_its_own_word_for_pit(sheet: Scoresheet) -> None:
    Club.objects.update(pit_word="mars")
    write_deal(sheet.table, 1, points={}, pit="EW")
    assert view_of(sheet).rows[0].ew.mark == "tegenmars"


def test_totals_run_along_and_stand_at_the_foot(sheet: Scoresheet) -> None:
    write_deal(sheet.table, 1, points={"NS": 90}, roem={"NS": [20]})
    write_deal(sheet.table, 2, points={"NS": 60})
    view = view_of(sheet)
    assert [row.ns.running for row in view.rows] == [110, 110, None, None]
    assert [row.ew.running for row in view.rows] == [72, 234, None, None]
    ns, ew = view.totals["ns"], view.totals["ew"]
    assert (ns.points, ns.roem, ns.total) == (90, 20, 110)
    assert (ew.points, ew.roem, ew.total) == (234, 0, 234)
    assert [(side.total, side.leads, side.lead) for side in view.sides] == [
        (110, False, 124),
        (234, True, 124),
    ]


def test_blank_lines_say_who_deals_and_only_written_ones_are_links(sheet: Scoresheet) -> None:
    write_deal(sheet.table, 1)
    rows = view_of(sheet, url_of=lambda number: f"/deal/{number}/").rows
    assert [row.dealer for row in rows] == ["", "Piet", "Truus", "Jan"]
    assert [row.url for row in rows] == ["/deal/1/", "", "", ""]
    assert [row.now for row in rows] == [False, True, False, False]


def test_a_deal_dealt_again_is_still_to_be_written(sheet: Scoresheet) -> None:
    write_deal(sheet.table, 1, points={}, replayed=True)
    view = view_of(sheet)
    assert view.next_number == 1
    assert view.rows[0].note == "opnieuw gegeven"
    assert view.rows[0].ns == SheetCell()


def test_a_substitute_is_named_from_his_first_deal_on(sheet: Scoresheet) -> None:
    lies = MemberFactory.create(club=sheet.club, name="Lies de Wit")
    seat_take_over(
        sheet_id=sheet.pk, seat="N", member=lies, from_deal=3, counts_for=None, actor=TESTS
    )
    view = view_of(sheet)
    assert view.names(2)["N"] == "Jan Bakker"
    assert view.names(3)["N"] == "Lies de Wit"


def test_totals_that_were_handed_in_stand_at_the_foot(sheet: Scoresheet) -> None:
    totals = {"NS": HandedIn(400, roem=50, pits=1), "EW": HandedIn(248)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    view = view_of(sheet)
    assert view.next_number is None
    ns = view.totals["ns"]
    assert (ns.points, ns.roem, ns.total) == (400, 150, 550)


def test_only_what_was_written_last_can_be_undone(sheet: Scoresheet) -> None:
    assert not view_of(sheet).can_undo
    write_deal(sheet.table, 1)
    view = view_of(sheet)
    assert view.can_undo
    assert view.last_written is not None
    assert view.last_written.number == 1


def test_a_sheet_is_read_in_three_queries_whatever_is_on_it(
    sheet: Scoresheet, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for number in (1, 3):
        write_deal(sheet.table, number)
        view = view_of(sheet)
        with django_assert_num_queries(3):
            assert (len(view.rows), len(view.sides), len(view.totals)) == (4, 2, 2)


def test_people_are_called_by_first_name_where_that_tells_them_apart() -> None:
    names = {"N": "Jan Bos", "E": "jan Vis", "S": "Riet Smit", "W": "J. de Wit"}
    assert short_names(names) == {  # type: ignore[arg-type]
        "N": "Jan Bos",
        "E": "jan Vis",
        "S": "Riet",
        "W": "J. de Wit",
    }
