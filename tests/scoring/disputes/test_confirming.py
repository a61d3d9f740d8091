"""One side says that a deal is written as it was."""

import uuid
from typing import Any

import pytest

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.deals.services import deal_undo
from scoring.disputes.services import deal_confirm
from scoring.models import DealClaim, DealConfirmation, DealEntry, Scoresheet
from tests.factories import TESTS
from tests.scoring.disputes.test_submissions import HUNDRED, OTHER, submit
from tests.scoring.sheets import sheet_of, sheet_of_three, write

pytestmark = pytest.mark.django_db


def confirm(sheet: Scoresheet, entry: DealEntry, side: str = "EW", **given: Any) -> Any:
    given.setdefault("actor", TESTS)
    number = given.pop("number", 1)
    return deal_confirm(sheet_id=sheet.pk, number=number, entry_uuid=entry.pk, side=side, **given)


def refused(sheet: Scoresheet, entry: DealEntry, side: str = "EW", **given: Any) -> str:
    with pytest.raises(DomainError) as caught:
        confirm(sheet, entry, side, **given)
    assert DealConfirmation.objects.count() == 0
    return caught.value.code


@pytest.mark.both
def test_a_side_confirms_once_and_the_trail_tells() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1)
    confirmed = confirm(sheet, entry, device="phone:2")
    assert (confirmed.entry, confirmed.side, confirmed.device) == (entry, "EW", "phone:2")
    assert confirm(sheet, entry, actor=OTHER) == confirmed
    event = AuditEvent.objects.get(chain=sheet.chain_name, action="deal_confirmed")
    assert (event.object_ref, event.data) == (
        "deal:1",
        {"confirmed": str(entry.pk), "side": "EW", "device": "phone:2"},
    )
    assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


@pytest.mark.full
def test_the_sheet_itself_does_not_change() -> None:
    sheet = sheet_of()
    confirm(sheet, write(sheet, 1))
    assert Scoresheet.objects.get(pk=sheet.pk).version == 1


def test_another_entry_waits_for_a_confirmation_of_its_own() -> None:
    sheet = sheet_of()
    first = write(sheet, 1)
    second = write(sheet, 1, 1, written=HUNDRED, reason="misread")
    assert refused(sheet, first) == "deal_moved_on"
    confirm(sheet, second)


def test_what_does_not_stand_cannot_be_confirmed() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1)
    assert refused(sheet, entry, number=2) == "deal_moved_on"
    assert refused(sheet, entry, number=9) == "deal_unknown"
    undone = deal_undo(sheet_id=sheet.pk, number=1, seen_version=1, uuid=uuid.uuid4(), actor=TESTS)
    assert refused(sheet, undone) == "deal_moved_on"


def test_a_side_does_not_confirm_what_it_wrote_itself() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1, side="NS")
    assert refused(sheet, entry, "NS") == "own_deal"
    confirm(sheet, entry, "EW")


@pytest.mark.parametrize(("side", "code"), [("N", "not_at_this_table"), ("X", "not_at_this_table")])
def test_nobody_else_confirms(side: str, code: str) -> None:
    sheet = sheet_of()
    assert refused(sheet, write(sheet, 1), side) == code


def test_at_a_table_of_three_a_person_does() -> None:
    sheet = sheet_of_three()
    line = {"declarer": "N", "trump": "H", "points": {"NS": 90}, "seats": ["N", "E", "W"]}
    entry = write(sheet, 1, written=line)
    assert refused(sheet, entry, "NS") == "not_at_this_table"
    assert confirm(sheet, entry, "E").side == "E"


@pytest.mark.full
def test_who_confirms_withdraws_what_he_claimed() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1, side="NS")
    submit(sheet, side="EW", written=HUNDRED, actor=OTHER)
    confirm(sheet, entry, "EW")
    assert DealClaim.objects.get().taken is False
