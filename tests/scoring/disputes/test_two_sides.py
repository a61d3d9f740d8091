"""What both sides of a table have to say: hidden until they spoke, asked until they agree."""

import uuid
from typing import Any

import pytest

from clubs.audit.services import Actor
from scoring.deals.services import deal_undo
from scoring.display.sheet_view import SheetView
from scoring.disputes.services import SideView, claim_decide, deal_confirm, disputes, unconfirmed
from scoring.models import DealClaim, Scoresheet
from tests.factories import TESTS, UserFactory
from tests.scoring.disputes.test_submissions import HUNDRED, NINETY, OTHER, PHONE, submit
from tests.scoring.sheets import deal, sheet_of, write

pytestmark = pytest.mark.django_db


def view_of(sheet: Scoresheet, side: str = "") -> SheetView:
    fresh = Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)
    return SideView(fresh, side=side) if side else SheetView(fresh)


def ns(sheet: Scoresheet, number: int, seen_version: int = 0, **given: Any) -> None:
    submit(sheet, number, seen_version, side="NS", actor=PHONE, **given)


def ew(sheet: Scoresheet, number: int, seen_version: int = 0, **given: Any) -> None:
    submit(sheet, number, seen_version, side="EW", actor=OTHER, **given)


def asked(sheet: Scoresheet, side: str = "") -> list[int]:
    """The numbers of the deals that still have to be confirmed."""
    return [deal.number for deal in unconfirmed(view_of(sheet, side), side)]


def confirm(sheet: Scoresheet, number: int, side: str) -> None:
    entry = deal(sheet, number).current
    assert entry is not None
    deal_confirm(sheet_id=sheet.pk, number=number, entry_uuid=entry.pk, side=side, actor=TESTS)


class TestASidesOwnPhone:
    @pytest.mark.full
    def test_does_not_show_what_the_other_side_wrote_before_it_spoke(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        ns(sheet, 2, written=HUNDRED)
        view = view_of(sheet, "EW")
        assert isinstance(view, SideView)
        assert (view.next_number, view.unspoken) == (1, {1, 2})
        assert [(one.version, one.current) for one in view.deals] == [(0, None)] * 4
        assert (view.sheet.deals_entered, view.sheet.score_ns, view.sheet.score_ew) == (0, 0, 0)
        assert [row.ns.points for row in view.rows] == [None] * 4
        assert [side.total for side in view.sides] == [0, 0]

    @pytest.mark.full
    def test_shows_it_once_it_said_the_same_or_something_else(self) -> None:
        sheet = sheet_of()
        for number in (1, 2, 3):
            ns(sheet, number)
        ew(sheet, 1)
        ew(sheet, 2, written=HUNDRED)
        view = view_of(sheet, "EW")
        assert view.next_number == 3
        assert [row.ns.points for row in view.rows] == [90, 90, None, None]
        assert (view.sheet.score_ns, view.sheet.score_ew) == (180, 144)

    @pytest.mark.full
    def test_shows_all_to_who_wrote_it(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        view = view_of(sheet, "NS")
        assert (view.next_number, view.rows[0].ns.points) == (2, 90)
        assert view.can_undo

    @pytest.mark.full
    def test_shows_what_the_director_wrote(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        view = view_of(sheet, "EW")
        assert view.next_number == 2
        assert not view.can_undo

    def test_does_not_hide_a_line_that_the_other_side_took_back(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        undo: dict[str, Any] = {"number": 1, "seen_version": 1, "uuid": uuid.uuid4()}
        deal_undo(sheet_id=sheet.pk, side="NS", actor=PHONE, **undo)
        view = view_of(sheet, "EW")
        assert (view.next_number, view.deals[0].version) == (1, 2)

    def test_a_deal_to_be_dealt_again_is_hidden_too_and_counts_for_nobody(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1, written=NINETY | {"replayed": True})
        view = view_of(sheet, "EW")
        assert (view.deals[0].current, view.sheet.deals_entered) == (None, 0)

    def test_nothing_is_taken_back_while_the_other_side_is_ahead(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        assert view_of(sheet, "NS").can_undo
        ew(sheet, 2)
        assert not view_of(sheet, "NS").can_undo

    @pytest.mark.full
    def test_leaves_the_sheet_itself_alone(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        given = Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)
        SideView(given, side="EW")
        assert (given.score_ns, given.deals_entered) == (90, 1)

    @pytest.mark.full
    def test_can_be_made_of_a_sheet_that_was_made_for_it_already(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        ns(sheet, 2)
        ew(sheet, 2)
        once = view_of(sheet, "EW").sheet
        again = SideView(once, side="EW").sheet
        assert (again.score_ns, again.score_ew, again.deals_entered) == (90, 72, 1)


class TestConfirming:
    @pytest.mark.full
    def test_each_deal_is_asked_until_somebody_says_yes(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        write(sheet, 2)
        assert asked(sheet) == [1, 2]
        confirm(sheet, 1, "EW")
        assert asked(sheet) == [2]

    @pytest.mark.full
    def test_a_correction_is_asked_anew(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        confirm(sheet, 1, "EW")
        write(sheet, 1, 1, written=HUNDRED, reason="misread")
        assert asked(sheet) == [1]

    @pytest.mark.full
    def test_what_the_director_wrote_is_not_asked(self) -> None:
        sheet = sheet_of()
        write(sheet, 1, actor=Actor.of_user(UserFactory.create()))
        assert asked(sheet) == []

    @pytest.mark.full
    def test_an_objection_is_a_dispute_and_no_question_any_more(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        submit(sheet, 1, 1, written=HUNDRED, side="EW", why="objected")
        assert asked(sheet) == []
        (claim,) = DealClaim.objects.all()
        claim_decide(claim_id=claim.pk, taken=False, actor=TESTS)
        assert asked(sheet) == []

    @pytest.mark.full
    def test_where_two_phones_differed_the_other_side_is_asked_after_that(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        submit(sheet, written=HUNDRED)
        assert asked(sheet) == []
        (claim,) = DealClaim.objects.all()
        claim_decide(claim_id=claim.pk, taken=False, actor=TESTS)
        assert asked(sheet) == [1]

    @pytest.mark.full
    def test_where_both_write_a_side_is_asked_of_what_changed_since_it_spoke(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        assert (asked(sheet, "NS"), asked(sheet, "EW")) == ([], [])
        ew(sheet, 1)
        assert asked(sheet, "EW") == []
        ns(sheet, 1, 1, written=HUNDRED, reason="misread")
        assert (asked(sheet, "NS"), asked(sheet, "EW")) == ([], [1])
        confirm(sheet, 1, "EW")
        assert asked(sheet, "EW") == []

    @pytest.mark.full
    def test_a_side_is_not_asked_again_when_the_director_left_what_stood(self) -> None:
        sheet = sheet_of()
        ns(sheet, 1)
        ew(sheet, 1, written=HUNDRED)
        director = Actor.of_user(UserFactory.create())
        claim_decide(claim_id=DealClaim.objects.get().pk, taken=False, actor=director)
        assert asked(sheet, "EW") == []


class TestDisputes:
    @pytest.mark.full
    def test_both_values_in_a_few_words(self) -> None:
        sheet = sheet_of()
        ns(sheet, 2)
        ew(sheet, 2, written={"declarer": "EW", "trump": "S", "points": {"NS": 70}})
        (dispute,) = disputes(view_of(sheet, "EW"))
        assert (dispute.number, dispute.version) == (2, 1)
        assert dispute.mine == dispute.claimed
        assert dispute.theirs == dispute.standing
        assert dispute.standing is not None
        assert (dispute.standing.score, dispute.standing.words) == ("90–72", "wij, harten")
        assert (dispute.claimed.score, dispute.claimed.words) == ("70–92", "zij, schoppen")

    @pytest.mark.full
    def test_the_writer_sees_it_the_other_way_round(self) -> None:
        sheet = sheet_of()
        ns(sheet, 2)
        ew(sheet, 2, written=HUNDRED)
        (dispute,) = disputes(view_of(sheet, "NS"))
        assert (dispute.mine, dispute.theirs) == (dispute.standing, dispute.claimed)

    def test_what_came_late_is_not_the_tables(self) -> None:
        sheet = sheet_of()
        submit(sheet, why="cut_off")
        view = view_of(sheet)
        assert disputes(view, at_table=True) == []
        (dispute,) = disputes(view)
        assert (dispute.standing, dispute.claimed.score) == (None, "90–72")

    @pytest.mark.full
    def test_a_deal_dealt_again_says_so(self) -> None:
        sheet = sheet_of()
        write(sheet, 1)
        submit(sheet, written=NINETY | {"replayed": True})
        (dispute,) = disputes(view_of(sheet))
        assert dispute.claimed.score == "opnieuw gegeven"
