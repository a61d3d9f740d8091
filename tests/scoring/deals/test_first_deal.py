"""The first deal of a sheet: who deals it, and what is trump in it."""

import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.deals.forms import DealForm
from scoring.deals.phone import preview_of
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.sheets.services import sheet_first_dealer, sheet_move
from tests.factories import TESTS
from tests.scoring.sheets import deal, sheet_of, write

pytestmark = pytest.mark.django_db


def drawn(preset: str = "amsterdam") -> Scoresheet:
    """A blank sheet on which who deals first is still to be drawn."""
    return changed(sheet_of(preset=preset), first_dealer="")


def changed(sheet: Scoresheet, **settings: object) -> Scoresheet:
    Scoresheet.objects.filter(pk=sheet.pk).update(**settings)
    return Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)


def say(sheet: Scoresheet, seat: str, seen_version: int = 0) -> Scoresheet:
    return sheet_first_dealer(
        sheet_id=sheet.pk,
        seat=seat,  # type: ignore[arg-type]
        seen_version=seen_version,
        actor=TESTS,
    )


class TestWhoDeals:
    def test_nobody_knows_until_it_is_drawn(self) -> None:
        sheet = drawn()
        assert (sheet.dealer(1), sheet.forehand(1)) == (None, None)
        assert [row.dealer for row in SheetView(sheet).rows] == ["", "", "", ""]

    def test_then_it_goes_round_from_there(self) -> None:
        sheet = say(drawn(), "S")
        assert [sheet.dealer(number) for number in (1, 2, 3, 4, 5)] == ["S", "W", "N", "E", "S"]
        assert sheet.forehand(1) == "W"

    @pytest.mark.full
    def test_the_trail_has_it(self) -> None:
        sheet = say(drawn(), "S")
        event = AuditEvent.objects.get(chain=sheet.chain_name)
        assert (event.action, event.data) == ("first_dealer_set", {"old": "", "seat": "S"})

    @pytest.mark.full
    def test_it_decides_who_must_play(self) -> None:
        sheet = drawn("utrecht")
        assert DealForm(view=SheetView(sheet), number=1).forced_seat is None
        say(sheet, "S")
        sheet = Scoresheet.objects.select_related("regulation", "club").get()
        assert DealForm(view=SheetView(sheet), number=1).forced_seat == "W"

    def test_the_same_twice_is_no_fault_and_counts_once(self) -> None:
        sheet = drawn()
        say(sheet, "S")
        assert say(sheet, "S").version == 1

    @pytest.mark.full
    def test_somebody_else_was_first(self) -> None:
        sheet = drawn()
        say(sheet, "S")
        with pytest.raises(DomainError) as refused:
            say(sheet, "N")
        assert refused.value.code == "sheet_moved_on"
        assert Scoresheet.objects.get().first_dealer == "S"

    def test_it_can_be_put_right_while_nothing_is_written(self) -> None:
        sheet = drawn()
        say(sheet, "S")
        assert say(sheet, "N", seen_version=1).first_dealer == "N"

    def test_not_after_a_deal(self) -> None:
        sheet = drawn()
        say(sheet, "S")
        write(sheet, 1)
        with pytest.raises(DomainError) as refused:
            say(sheet, "N", seen_version=2)
        assert refused.value.code == "deals_written"

    def test_but_a_sheet_that_never_said_it_can_still(self) -> None:
        sheet = drawn()
        write(sheet, 1)
        assert say(sheet, "N", seen_version=1).dealer(2) == "E"

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("state", "code"), [("planned", "sheet_not_started"), ("closed", "sheet_closed")]
    )
    def test_only_on_an_open_sheet(self, state: str, code: str) -> None:
        with pytest.raises(DomainError) as refused:
            say(changed(drawn(), state=state), "N")
        assert refused.value.code == code

    def test_it_goes_with_the_deals_to_another_sheet(self) -> None:
        first = drawn()
        second = sheet_of(*[seat.member for seat in first.seats.order_by("pk") if seat.member])
        second = changed(second, first_dealer="", regulation=first.regulation)
        say(first, "S")
        write(first, 1)
        sheet_move(from_id=first.pk, to_id=second.pk, actor=TESTS, reason="verwisseld")
        assert [sheet.first_dealer for sheet in Scoresheet.objects.order_by("pk")] == ["", "S"]


class TestClubsFirst:
    @pytest.fixture
    def sheet(self) -> Scoresheet:
        return changed(sheet_of(), first_trump="C")

    @pytest.mark.full
    def test_it_is_filled_in_for_the_first_deal_alone(self, sheet: Scoresheet) -> None:
        view = SheetView(sheet)
        assert DealForm(view=view, number=1)["trump"].value() == "C"
        assert DealForm(view=view, number=2)["trump"].value() is None

    def test_another_suit_is_asked_about_and_taken(self, sheet: Scoresheet) -> None:
        posted = {"seen_version": "0", "uuid": "7c1f1c2e-4f5b-4d2a-9b7a-000000000001"}
        posted |= {"declarer": "NS", "trump": "H", "points_ns": "90"}
        form = DealForm(posted, view=SheetView(sheet), number=1)
        assert preview_of(form).doubts == ("In het eerste spel is klaveren troef. Klopt dit?",)
        write(sheet, 1, written=form.written())
        assert Scoresheet.objects.get().warnings == 1
        assert deal(sheet, 1).current.warnings == ["first_trump"]  # type: ignore[union-attr]

    @pytest.mark.parametrize("trump", ["C", None])
    def test_clubs_or_nothing_said_is_no_doubt(self, sheet: Scoresheet, trump: str | None) -> None:
        write(sheet, 1, written={"declarer": "NS", "trump": trump, "points": {"NS": 90}})
        assert Scoresheet.objects.get().warnings == 0

    def test_nor_is_another_suit_in_the_second_deal(self, sheet: Scoresheet) -> None:
        write(sheet, 2)
        assert Scoresheet.objects.get().warnings == 0
