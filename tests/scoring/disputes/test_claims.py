"""Two values for one deal, and who decides between them."""

import uuid
from typing import Any

import pytest

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, AuditText, Member
from clubs.privacy.erasing import member_erase
from clubs.text.errors import DomainError, VersionConflict
from scoring.audit.verify import sheet_faults
from scoring.disputes.services import claim_decide
from scoring.models import OPEN_CLAIM, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.sheets.services import sheet_move, sheets_close
from tests.factories import TESTS, MemberFactory
from tests.scoring.disputes.test_submissions import HUNDRED, NINETY, OTHER, PHONE, submit
from tests.scoring.sheets import deal, figures, sheet_of, write

pytestmark = pytest.mark.django_db


def disputed(sheet: Scoresheet, **given: Any) -> DealClaim:
    """NS 90 stands as deal 1, and somebody says that it was 100."""
    if deal(sheet, 1).version == 0:
        write(sheet, 1)
    claim = submit(sheet, written=HUNDRED, **given).claim
    assert claim is not None
    return claim


def refused(claim: DealClaim, *, taken: bool, **given: Any) -> str:
    before = DealEntry.objects.count(), AuditEvent.objects.count()
    with pytest.raises(DomainError) as caught:
        claim_decide(claim_id=claim.pk, taken=taken, actor=TESTS, **given)
    assert (DealEntry.objects.count(), AuditEvent.objects.count()) == before
    return caught.value.code


def actions(sheet: Scoresheet) -> list[str]:
    events = AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number")
    return list(events.values_list("action", flat=True))


def test_what_is_taken_is_written_as_a_correction_that_says_so() -> None:
    sheet = sheet_of()
    claim = claim_decide(claim_id=disputed(sheet).pk, taken=True, actor=TESTS, reason="asked both")
    entry = deal(sheet, 1).current
    assert entry is not None
    assert (claim.taken, claim.decided_by) == (True, TESTS.ref)
    assert (entry.revision, entry.written, entry.reason) == (2, HUNDRED, "asked both")
    assert (entry.actor, entry.side, entry.made_at) == (TESTS.ref, "", claim.made_at)
    assert figures(sheet) == (1, 100, 62)
    assert actions(sheet) == ["deal_written", "deal_claimed", "deal_written", "claim_taken"]
    assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


def test_what_the_director_corrected_stays_when_the_other_value_is_taken() -> None:
    """The other value came before that correction, and a phone cannot make one."""
    sheet = sheet_of()
    claim = disputed(sheet)
    corrections = [{"side": "NS", "points": -50, "reason": "late"}]
    write(sheet, 1, 1, written=NINETY | {"corrections": corrections}, reason="late")
    claim_decide(claim_id=claim.pk, taken=True, actor=TESTS)
    entry = deal(sheet, 1).current
    assert entry is not None
    assert entry.written == HUNDRED | {"corrections": corrections}
    assert figures(sheet) == (1, 50, 62)


@pytest.mark.full
def test_without_a_reason_it_keeps_that_of_the_claim_or_says_what_happened() -> None:
    sheet = sheet_of()
    claim_decide(claim_id=disputed(sheet, reason="recount").pk, taken=True, actor=TESTS)
    write(sheet, 2)
    claim = submit(sheet, 2, written=HUNDRED).claim
    assert claim is not None
    claim_decide(claim_id=claim.pk, taken=True, actor=TESTS)
    reasons = DealEntry.objects.filter(revision=2).order_by("deal__number")
    assert list(reasons.values_list("reason", flat=True)) == [
        "recount",
        "Gekozen uit twee verschillende opgaven.",
    ]


def test_what_is_left_changes_nothing_on_the_sheet() -> None:
    sheet = sheet_of()
    claim = claim_decide(claim_id=disputed(sheet).pk, taken=False, actor=TESTS)
    assert (claim.taken, claim.decided_by) == (False, TESTS.ref)
    assert (figures(sheet), deal(sheet, 1).version) == ((1, 90, 72), 1)
    assert actions(sheet) == ["deal_written", "deal_claimed", "claim_left"]


@pytest.mark.parametrize("taken", [True, False])
def test_the_same_decision_again_does_nothing_and_the_other_is_refused(taken: bool) -> None:
    sheet = sheet_of()
    claim = claim_decide(claim_id=disputed(sheet).pk, taken=taken, actor=TESTS)
    before = actions(sheet)
    assert claim_decide(claim_id=claim.pk, taken=taken, actor=OTHER) == claim
    assert refused(claim, taken=not taken) == "claim_decided"
    assert actions(sheet) == before


def test_who_decides_names_what_he_saw_beside_it() -> None:
    sheet = sheet_of()
    claim = disputed(sheet)
    write(sheet, 1, 1, written=NINETY | {"points": {"NS": 80, "EW": 82}}, reason="misread")
    with pytest.raises(VersionConflict):
        claim_decide(claim_id=claim.pk, taken=True, seen_version=1, actor=TESTS)
    claim_decide(claim_id=claim.pk, taken=True, seen_version=2, actor=TESTS)
    assert figures(sheet) == (1, 100, 62)


def test_what_came_after_the_round_was_closed_only_the_director_takes() -> None:
    sheet = sheet_of()
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    claim = submit(sheet).claim
    assert claim is not None
    assert refused(claim, taken=True) == "sheet_closed"
    claim_decide(claim_id=claim.pk, taken=True, actor=TESTS, closed_too=True)
    assert figures(sheet) == (1, 90, 72)


def test_where_both_sides_write_a_side_takes_over_what_the_other_says_and_confirms_it() -> None:
    sheet = sheet_of()
    submit(sheet, side="NS")
    claim = disputed(sheet, side="EW", actor=OTHER)
    assert refused(claim, taken=True, side="EW") == "not_yours"
    assert refused(claim, taken=False, side="NS") == "not_yours"
    claim_decide(claim_id=claim.pk, taken=True, actor=PHONE, side="NS", device="phone:1")
    entry = deal(sheet, 1).current
    assert entry is not None
    assert (entry.written, entry.side, entry.actor) == (HUNDRED, "EW", PHONE.ref)
    confirmed = DealConfirmation.objects.get()
    assert (confirmed.entry, confirmed.side, confirmed.device) == (entry, "NS", "phone:1")


def test_a_side_withdraws_its_own_claim_and_agrees_with_what_stands() -> None:
    sheet = sheet_of()
    submit(sheet, side="NS")
    claim = disputed(sheet, side="EW", actor=OTHER)
    assert claim_decide(claim_id=claim.pk, taken=False, side="EW", actor=OTHER).taken is False
    assert DealConfirmation.objects.get().side == "EW"


@pytest.mark.both
def test_what_was_said_of_a_claim_can_be_erased_and_the_trail_still_holds() -> None:
    sheet = sheet_of()
    disputed(sheet, reason="Jan counted twice")
    member_erase(member=Member.objects.get(seats__sheet=sheet, seats__seat="N"), actor=TESTS)
    assert not AuditText.objects.filter(text="Jan counted twice").exists()
    assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


@pytest.mark.full
def test_of_two_claims_of_the_same_both_are_settled_by_one_decision() -> None:
    sheet = sheet_of()
    first = disputed(sheet)
    disputed(sheet, actor=OTHER)
    claim_decide(claim_id=first.pk, taken=True, actor=TESTS)
    assert list(DealClaim.objects.values_list("taken", flat=True)) == [True, True]


@pytest.mark.full
def test_a_claim_for_a_line_that_was_empty_can_be_taken() -> None:
    sheet = sheet_of()
    claim = submit(sheet, uuid=uuid.uuid4(), why="cut_off").claim
    assert claim is not None
    claim_decide(claim_id=claim.pk, taken=True, seen_version=0, actor=TESTS)
    assert (deal(sheet, 1).version, figures(sheet)) == (1, (1, 90, 72))


def test_verify_tells_of_values_and_confirmations_that_were_tampered_with() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1, side="NS")
    write(sheet, 2)
    submit(sheet, written=HUNDRED, actor=PHONE)
    submit(sheet, 2, written=HUNDRED, actor=PHONE)
    submit(sheet, 2, written=NINETY | {"points": {"NS": 91}}, actor=PHONE)
    submit(sheet, 2, actor=OTHER)
    claim_decide(claim_id=DealClaim.objects.get(deal__number=1).pk, taken=False, actor=TESTS)
    sheet = Scoresheet.objects.select_related("regulation").get(pk=sheet.pk)
    assert sheet_faults(sheet) == []
    DealConfirmation.objects.create(entry=entry, side="EW", actor=TESTS.ref)
    DealClaim.objects.filter(deal__number=1).update(written=NINETY)
    assert sheet_faults(sheet) == [
        f"sheet {sheet.uuid}: deal 1: a value kept beside it is not as the trail has it",
        f"sheet {sheet.uuid}: deal 1: the trail has no confirmation by EW",
    ]


@pytest.mark.both
def test_what_waits_goes_along_when_two_sheets_change_places() -> None:
    """The other sheet may have the very value that waits here: that decides nothing."""
    one = sheet_of()
    other = sheet_of(*MemberFactory.create_batch(4, club=one.club))
    claim = disputed(one, side="EW", device="phone:2")
    write(other, 1, written=HUNDRED)
    sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason="wrong table")
    waiting = DealClaim.objects.get(OPEN_CLAIM)
    assert (waiting.deal, waiting.against) == (deal(other, 1), deal(other, 1).current)
    assert (waiting.written, waiting.why, waiting.side) == (HUNDRED, claim.why, claim.side)
    assert (waiting.actor, waiting.device, waiting.made_at) == (
        claim.actor,
        "phone:2",
        claim.made_at,
    )
    claim.refresh_from_db()
    assert (claim.deal, claim.taken) == (deal(one, 1), False)
    assert actions(other)[-2:] == ["sheet_moved", "deal_claimed"]
    claim_decide(claim_id=waiting.pk, taken=True, actor=TESTS)
    assert (figures(one), figures(other)) == ((1, 100, 62), (1, 100, 62))
    for sheet in (one, other):
        assert list(sheet_faults(Scoresheet.objects.get(pk=sheet.pk))) == []
