"""Putting back what was once written of a deal."""

import uuid
from typing import Any

import pytest

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent
from clubs.text.errors import DomainError, KeyReused, VersionConflict
from scoring.deals.services import deal_restore
from scoring.models import DealEntry, Scoresheet
from scoring.sheets.services import sheets_close
from tests.factories import TESTS
from tests.scoring.disputes.test_submissions import HUNDRED, NINETY
from tests.scoring.sheets import deal, figures, sheet_of, write

pytestmark = pytest.mark.django_db

ONE = uuid.UUID(int=1)


def restore(sheet: Scoresheet, revision: int, seen_version: int = 2, **given: Any) -> DealEntry:
    given.setdefault("uuid", uuid.uuid4())
    given.setdefault("actor", TESTS)
    return deal_restore(
        sheet_id=sheet.pk, number=1, revision=revision, seen_version=seen_version, **given
    )


def refused(sheet: Scoresheet, revision: int, seen_version: int = 2, **given: Any) -> str:
    count = DealEntry.objects.count()
    with pytest.raises(DomainError) as caught:
        restore(sheet, revision, seen_version, **given)
    assert DealEntry.objects.count() == count
    return caught.value.code


def corrected() -> Scoresheet:
    """Deal 1 was NS 90 and is NS 100."""
    sheet = sheet_of()
    write(sheet, 1, record={"leader": "E", "cards": ["AH"]})
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    return sheet


@pytest.mark.both
def test_an_earlier_value_stands_again_as_a_new_entry() -> None:
    sheet = corrected()
    entry = restore(sheet, 1)
    assert (entry.revision, entry.kind, entry.written) == (3, "restored", NINETY)
    assert entry.record == {"leader": "E", "cards": ["AH"]}
    assert entry.reason == "Wat als nummer 1 was geschreven, is teruggezet."
    assert (deal(sheet, 1).current, figures(sheet)) == (entry, (1, 90, 72))
    event = AuditEvent.objects.get(chain=sheet.chain_name, action="deal_restored")
    assert (event.object_ref, event.data["restored"]) == ("deal:1", 1)
    assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


@pytest.mark.full
def test_the_empty_line_can_be_put_back_and_then_what_stood_on_it() -> None:
    sheet = corrected()
    assert restore(sheet, 0).written is None
    assert figures(sheet) == (0, 0, 0)
    assert restore(sheet, 2, 3, reason="after all").reason == "after all"
    assert restore(sheet, 3, 4).written is None


def test_the_same_request_again_writes_nothing() -> None:
    sheet = corrected()
    first = restore(sheet, 1, uuid=ONE)
    assert restore(sheet, 1, uuid=ONE) == first
    for other in ({"revision": 2}, {"revision": 1, "seen_version": 3}):
        with pytest.raises(KeyReused):
            restore(sheet, uuid=ONE, **other)
    assert DealEntry.objects.count() == 3


def test_nobody_puts_back_over_what_he_has_not_seen() -> None:
    sheet = corrected()
    with pytest.raises(VersionConflict):
        restore(sheet, 1, 1)


def test_what_cannot_be_put_back_is_reported() -> None:
    sheet = corrected()
    assert refused(sheet, 3) == "revision_unknown"
    assert refused(sheet, 2) == "already_stands"
    assert refused(sheet, 1, reason="x" * 201) == "reason_too_long"
    assert refused(sheet_of(), 0, 0) == "already_stands"


@pytest.mark.full
def test_on_a_closed_sheet_the_director_says_why() -> None:
    sheet = corrected()
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    assert refused(sheet, 1, reason="wrong") == "sheet_closed"
    assert refused(sheet, 1, closed_too=True) == "reason_needed"
    assert restore(sheet, 1, closed_too=True, reason="wrong").reason == "wrong"
