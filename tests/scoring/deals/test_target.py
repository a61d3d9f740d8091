"""A sheet that ends as soon as a side has so many points."""

import uuid
from typing import Any

import pytest

from clubs.text.errors import DomainError
from scoring.audit.verify import sheet_faults
from scoring.deals.services import deal_undo, deal_write
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet, full_sheets
from scoring.sheets.services import lines_needed, sheets_create
from scoring.sheets.side_totals import (
    HandedIn,
    TotalsRefused,
    side_totals_write,
    totals_doubts,
)
from tests.factories import TESTS, ClubFactory, MemberFactory, regulation_of
from tests.scoring.sheets import write

pytestmark = pytest.mark.django_db

PIT = {"declarer": "NS", "trump": "H", "pit": "NS"}
"""162 and 100 for NS."""
NO_NUMBER = (
    "De kaartpunten van beide partijen samen zijn 1459; dat kan met geen enkel aantal spellen."
)


def aimed(target: int = 500, preset: str = "amsterdam") -> Scoresheet:
    """A blank open sheet that ends at so many points."""
    club = ClubFactory.create()
    people = dict(zip("NESW", MemberFactory.create_batch(4, club=club), strict=True))
    (sheet,) = sheets_create(
        club=club,
        regulation=regulation_of(club, preset),
        deals=16,
        target=target,
        seatings=[people],  # type: ignore[list-item]
    )
    return sheet


def now(sheet: Scoresheet) -> Scoresheet:
    return Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)


def points(ns: int) -> dict[str, Any]:
    return {"declarer": "NS", "trump": "H", "points": {"NS": ns}}


@pytest.mark.full
@pytest.mark.parametrize(
    ("target", "preset", "lines"),
    [
        # Before the last deal both sides have 1000 at most; twelve deals are 1944, thirteen 2106.
        (1001, "amsterdam", 13),
        # In no-trump a deal has 130: fifteen deals are 1950, sixteen 2080.
        (1001, "thousand-and-one", 16),
        (162, "amsterdam", 2),
        (5000, "thousand-and-one", 77),
    ],
)
def test_the_lines_that_are_surely_enough(target: int, preset: str, lines: int) -> None:
    regulation = regulation_of(ClubFactory.create(), preset)
    assert lines_needed(target, regulation) == lines
    assert aimed(target, preset).deals_planned == lines


@pytest.mark.full
def test_full_as_soon_as_a_side_has_the_points() -> None:
    sheet = aimed(500)
    write(sheet, 1, written=PIT)
    assert (now(sheet).is_full, now(sheet).done, now(sheet).whole) == (False, 262, 500)
    write(sheet, 2, written=PIT)
    assert (now(sheet).is_full, now(sheet).done, now(sheet).deals_entered) == (True, 500, 2)
    assert SheetView(now(sheet)).next_number is None
    assert [row.number for row in SheetView(now(sheet)).rows] == [1, 2]


@pytest.mark.full
def test_both_over_it_in_the_same_deal_is_full_too() -> None:
    sheet = aimed(162)
    write(sheet, 1, written=points(81) | {"declarer": "EW", "roem": {"NS": [100], "EW": [200]}})
    assert (now(sheet).score_ns, now(sheet).score_ew) == (181, 281)
    assert now(sheet).is_full


@pytest.mark.full
def test_a_deal_after_the_end_is_refused_and_says_why() -> None:
    sheet = aimed(200)
    write(sheet, 1, written=PIT)
    with pytest.raises(DomainError) as refused:
        write(sheet, 2)
    assert refused.value.code == "sheet_full"
    assert refused.value.message == (
        "Een partij heeft 200 punten: deze ronde is uit. "
        "Alleen een spel dat er al staat, kunt u nog wijzigen."
    )
    assert now(sheet).deals_entered == 1


@pytest.mark.full
def test_a_correction_below_the_target_opens_the_sheet_again() -> None:
    sheet = aimed(200)
    write(sheet, 1, written=PIT)
    write(sheet, 1, seen_version=1, written=points(100), reason="verteld")
    assert (now(sheet).is_full, SheetView(now(sheet)).next_number) == (False, 2)
    write(sheet, 2, written=points(100))
    assert now(sheet).is_full


@pytest.mark.full
def test_so_does_taking_the_last_deal_back() -> None:
    sheet = aimed(200)
    write(sheet, 1, written=PIT)
    deal_undo(sheet_id=sheet.pk, number=1, seen_version=1, uuid=uuid.uuid4(), actor=TESTS)
    assert (now(sheet).is_full, SheetView(now(sheet)).next_number) == (False, 1)


def test_a_line_is_added_where_corrections_keep_both_below_the_target() -> None:
    sheet = aimed(162)
    fine = {"side": "NS", "points": -100, "reason": "te laat"}
    for number in (1, 2):
        write(sheet, number, written=points(100) | {"corrections": [fine]})
        assert now(sheet).is_full is False
    assert (now(sheet).deals_planned, now(sheet).score_ns, now(sheet).score_ew) == (3, 0, 124)
    assert SheetView(now(sheet)).next_number == 3
    write(sheet, 3, written=points(100))
    assert now(sheet).is_full


@pytest.mark.full
@pytest.mark.once
def test_never_more_than_99_lines() -> None:
    sheet = aimed(5000, "amsterdam")
    Scoresheet.objects.filter(pk=sheet.pk).update(deals_planned=99)
    for number in range(63, 100):
        sheet.deals.create(number=number)
    even = (
        {"side": "NS", "points": -100, "reason": "x"},
        {"side": "EW", "points": -62, "reason": "x"},
    )
    for number in range(1, 100):
        write(sheet, number, written=points(100) | {"corrections": list(even)})
    assert (now(sheet).deals_planned, now(sheet).is_full, now(sheet).score_ns) == (99, True, 0)


@pytest.mark.full
def test_the_database_counts_the_same_sheets_as_full() -> None:
    open_, full, fixed = aimed(500), aimed(200), aimed(200)
    write(full, 1, written=PIT)
    Scoresheet.objects.filter(pk=fixed.pk).update(target=None, deals_planned=1, deals_entered=1)
    assert set(Scoresheet.objects.filter(full_sheets())) == {full, fixed}
    assert set(Scoresheet.objects.exclude(full_sheets())) == {open_}


@pytest.mark.full
def test_what_is_stored_is_what_verify_finds() -> None:
    sheet = aimed(500)
    write(sheet, 1, written=PIT)
    write(sheet, 2, written=PIT)
    assert sheet_faults(now(sheet)) == []


class TestTotalsOnly:
    """162 for each of as many deals as it took."""

    @pytest.mark.full
    def test_of_as_many_deals_as_add_up(self) -> None:
        sheet = aimed(1001)
        totals = {"NS": HandedIn(900, roem=200), "EW": HandedIn(558, roem=40)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        kept = now(sheet)
        # 900 + 558 = 9 × 162.
        assert (kept.deals_entered, kept.is_full, kept.score_ns) == (9, True, 1100)
        assert sheet_faults(kept) == []

    @pytest.mark.full
    def test_of_the_most_deals_where_only_the_totals_are_known(self) -> None:
        sheet = aimed(1001)
        totals = {"NS": HandedIn(total=1100), "EW": HandedIn(total=598)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        kept = now(sheet)
        # 1698 = 9 × 162 + 240; ten deals would leave 78.
        assert (kept.deals_entered, kept.is_full, kept.score_ns) == (9, True, 1100)
        assert sheet_faults(kept) == []

    def test_refused_where_no_number_of_deals_gives_it(self) -> None:
        totals = {"NS": HandedIn(900, roem=200), "EW": HandedIn(559)}
        with pytest.raises(TotalsRefused) as refused:
            side_totals_write(sheet_id=aimed(1001).pk, totals=totals, actor=TESTS)
        assert refused.value.faults == [("", NO_NUMBER)]

    def test_of_a_round_that_was_broken_off_are_taken_and_doubted(self) -> None:
        sheet = aimed(1001)
        totals = {"NS": HandedIn(900), "EW": HandedIn(558)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        assert now(sheet).is_full is False
        rows = {side: handed_in.row(side) for side, handed_in in totals.items()}
        assert totals_doubts(now(sheet), rows) == [
            "Geen van beide partijen heeft de 1.001 punten waarbij een ronde uit is."
        ]


@pytest.mark.full
def test_a_closed_sheet_takes_no_deal_beyond_the_end_either() -> None:
    sheet = aimed(200)
    write(sheet, 1, written=PIT)
    Scoresheet.objects.filter(pk=sheet.pk).update(state="closed")
    with pytest.raises(DomainError) as refused:
        deal_write(
            sheet_id=sheet.pk,
            number=2,
            seen_version=0,
            uuid=uuid.uuid4(),
            written=PIT,
            actor=TESTS,
            reason="vergeten",
            closed_too=True,
        )
    assert refused.value.code == "sheet_full"
