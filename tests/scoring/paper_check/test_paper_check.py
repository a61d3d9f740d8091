"""The totals of a paper sheet against the deals: what differs, and where it could come from."""

from typing import Any

import pytest
from django.utils import translation

from clubs.models import Club
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.paper_check.services import PaperCheck, PaperTotals, paper_totals_write
from scoring.sheets.services import sheet_move, sheet_swap_sides
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.scoring.sheets import sheet_of, write

pytestmark = pytest.mark.django_db

ORDINARY: dict[str, Any] = {"declarer": "NS", "trump": None, "points": {"NS": 90}}


def typed(sheet: Scoresheet, **on_paper: PaperTotals) -> PaperCheck:
    """What comes of these totals of the paper, in Dutch."""
    paper_totals_write(sheet_id=sheet.pk, on_paper=on_paper, actor=TESTS)
    return control(sheet)


def control(sheet: Scoresheet) -> PaperCheck:
    with translation.override("nl"):
        return PaperCheck(SheetView(Scoresheet.objects.select_related("club").get(pk=sheet.pk)))


def full(*deals: dict[str, Any]) -> Scoresheet:
    """A sheet on which these deals are all there is; NS play and take 90 unless told otherwise."""
    club = Club.objects.first() or ClubFactory.create()
    sheet = sheet_of(*MemberFactory.create_batch(4, club=club), deals=len(deals))
    for number, deal in enumerate(deals, 1):
        write(sheet, number, written=ORDINARY | deal)
    return sheet


def hints(found: PaperCheck) -> list[str]:
    return [hint for difference in found.differences for hint in difference.hints]


def test_the_same_figures_agree() -> None:
    sheet = full({}, {"points": {"NS": 100}, "roem": {"EW": [20]}})
    found = typed(sheet, NS=PaperTotals(190, 0, 0), EW=PaperTotals(134, 20, 0))
    assert (found.agrees, found.is_open, found.differences) == (True, False, [])


@pytest.mark.full
def test_what_is_left_blank_is_not_compared() -> None:
    found = typed(full({}), NS=PaperTotals(points=90))
    assert found.agrees


def test_nothing_typed_agrees_with_nothing() -> None:
    assert not typed(full({}), NS=PaperTotals(), EW=PaperTotals()).agrees


def test_a_sheet_that_is_not_full_names_its_empty_lines() -> None:
    sheet = sheet_of(deals=4)
    write(sheet, 1, written=ORDINARY)
    write(sheet, 3, written=ORDINARY)
    found = typed(sheet, NS=PaperTotals(points=270))
    assert [one.words for one in found.differences] == [
        "Punten wij: op papier 270 en hier 180, 90 minder."
    ]
    assert hints(found) == ["Nog niet geschreven: spel 2 en 4."]
    assert typed(sheet, NS=PaperTotals(points=180)).agrees is False


def test_a_column_that_the_paper_added_up_wrong_is_named() -> None:
    found = typed(full({}, {}), NS=PaperTotals(points=170), EW=PaperTotals(points=144))
    assert [(one.words, one.hints) for one in found.differences] == [
        ("Punten wij: op papier 170 en hier 180, 10 meer.", ()),
        (
            (
                "Op papier zijn de punten van wij en zij samen 314; dat moet 324 zijn. "
                "Tel de kolom op het papier nog eens op."
            ),
            (),
        ),
    ]


@pytest.mark.full
def test_a_wrong_sum_stands_after_what_differs_of_each_side() -> None:
    found = typed(full({}, {}), NS=PaperTotals(points=170), EW=PaperTotals(points=150))
    assert [one.words.split(":")[0].split(";")[0] for one in found.differences] == [
        "Punten wij",
        "Punten zij",
        "Op papier zijn de punten van wij en zij samen 320",
    ]


def test_digits_that_changed_places_are_found() -> None:
    sheet = full({}, {"points": {"NS": 110}})
    found = typed(sheet, NS=PaperTotals(points=191), EW=PaperTotals(points=133))
    assert hints(found) == ["Spel 2: staat er 110 of 101?"]


def test_sides_that_changed_places_are_found() -> None:
    sheet = full({}, {"points": {"NS": 100}})
    assert hints(typed(sheet, NS=PaperTotals(points=152))) == [
        "Spel 2: zijn de punten van wij en zij verwisseld?"
    ]


def test_nat_on_the_paper_and_not_here_is_found() -> None:
    sheet = full({}, {"points": {"NS": 100}})
    assert hints(typed(sheet, NS=PaperTotals(points=90))) == ["Spel 2: staat er nat op het papier?"]


def test_nat_here_and_not_on_the_paper_is_found() -> None:
    sheet = full({}, {"points": {"NS": 60}})
    assert hints(typed(sheet, EW=PaperTotals(points=72 + 102))) == [
        "Spel 2 is hier nat; klopt wie er speelde?"
    ]


def test_a_hundred_of_roem_may_be_a_pit_that_was_missed() -> None:
    sheet = full({}, {"points": {"NS": 162}}, {})
    found = typed(sheet, NS=PaperTotals(roem=100, pits=1))
    assert [one.words for one in found.differences] == [
        "Roem wij: op papier 100 en hier 0, 100 minder.",
        "Pit wij, hoe vaak: op papier 1 en hier 0, 1 minder.",
    ]
    assert hints(found) == [
        "Is er een pit vergeten? Alle punten staan bij spel 2.",
        "Alle punten en geen pit: spel 2.",
    ]
    assert hints(typed(full({}), NS=PaperTotals(roem=100))) == [
        "Is er een pit vergeten, of vier gelijke?"
    ]


def test_roem_of_the_wrong_side_is_found() -> None:
    sheet = full({"roem": {"EW": [20]}}, {"roem": {"EW": [50]}})
    found = typed(sheet, NS=PaperTotals(roem=50), EW=PaperTotals(roem=20))
    assert hints(found) == [
        "Staat de roem bij de verkeerde partij? Kijk bij spel 2.",
        "Is er roem vergeten?",
        "Zoveel roem is getypt bij spel 2.",
    ]


@pytest.mark.full
def test_roem_typed_too_often_is_found() -> None:
    sheet = full({"roem": {"NS": [20]}}, {"roem": {"NS": [20]}})
    assert hints(typed(sheet, NS=PaperTotals(roem=20))) == [
        "Zoveel roem is getypt bij spel 1 en 2."
    ]


@pytest.mark.full
def test_a_paper_that_tells_no_pits_may_have_them_in_its_roem() -> None:
    sheet = full({"pit": "NS", "points": {"NS": 162}, "roem": {"NS": [20]}})
    assert typed(sheet, NS=PaperTotals(162, 120)).agrees
    assert typed(sheet, NS=PaperTotals(162, 20, 1)).agrees
    assert not typed(sheet, NS=PaperTotals(162, 120, 1)).agrees


def test_the_paper_goes_along_when_sides_or_tables_change_places() -> None:
    sheet, other = full({}), full({"points": {"NS": 100}})
    typed(sheet, NS=PaperTotals(points=90))
    sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="test")
    assert (control(sheet).agrees, list(control(sheet).rows)) == (True, ["EW"])
    sheet_move(from_id=sheet.pk, to_id=other.pk, actor=TESTS, reason="test")
    assert (list(control(sheet).rows), control(other).agrees) == ([], True)
