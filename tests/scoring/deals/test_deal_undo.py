import uuid
from typing import Any

import pytest

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.deals.services import deal_undo
from scoring.display.sheet_view import SheetView
from scoring.models import DealEntry, Scoresheet
from scoring.sheets.services import sheets_close
from tests.factories import TESTS, UserFactory
from tests.scoring.sheets import deal, figures, sheet_of, write

pytestmark = pytest.mark.django_db

ONE = uuid.UUID(int=1)
HUNDRED = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}


def undo(sheet: Scoresheet, number: int, seen_version: int, **given: Any) -> DealEntry:
    given = dict[str, Any](uuid=uuid.uuid4(), actor=TESTS) | given
    return deal_undo(sheet_id=sheet.pk, number=number, seen_version=seen_version, **given)


def refused(sheet: Scoresheet, number: int, seen_version: int, **given: Any) -> str:
    count = DealEntry.objects.count()
    with pytest.raises(DomainError) as caught:
        undo(sheet, number, seen_version, **given)
    assert DealEntry.objects.count() == count
    return caught.value.code


@pytest.mark.full
def test_a_first_entry_taken_back_leaves_a_blank_line() -> None:
    sheet = sheet_of()
    first = write(sheet, 1)
    entry = undo(sheet, 1, 1)
    assert (entry.revision, entry.replaces, entry.kind, entry.written) == (2, first, "undone", None)
    assert figures(sheet) == (0, 0, 0)


@pytest.mark.full
def test_the_blank_line_can_be_written_again_without_a_reason() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    undo(sheet, 1, 1)
    assert write(sheet, 1, 2).revision == 3
    assert figures(sheet) == (1, 90, 72)


@pytest.mark.both
def test_a_correction_taken_back_brings_back_what_stood() -> None:
    sheet = sheet_of()
    first = write(sheet, 1)
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    entry = undo(sheet, 1, 2)
    assert entry.written == first.written
    assert figures(sheet) == (1, 90, 72)


def test_an_undo_cannot_be_undone() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    undo(sheet, 1, 2)
    assert refused(sheet, 1, 3) == "nothing_to_undo"


@pytest.mark.full
def test_only_the_deal_written_last_can_be_taken_back() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 2)
    assert refused(sheet, 1, 1) == "nothing_to_undo"
    undo(sheet, 2, 1)
    undo(sheet, 1, 1)
    assert figures(sheet) == (0, 0, 0)


def test_a_blank_line_has_nothing_to_undo() -> None:
    assert refused(sheet_of(), 1, 0) == "nothing_to_undo"


@pytest.mark.full
def test_the_same_request_again_gives_the_first_answer() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    first = undo(sheet, 1, 1, uuid=ONE)
    assert undo(sheet, 1, 1, uuid=ONE) == first
    assert DealEntry.objects.count() == 2


def test_the_same_uuid_for_another_deal_or_for_a_write_is_refused() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    written = write(sheet, 2)
    undo(sheet, 2, 1, uuid=ONE)
    assert refused(sheet, 1, 1, uuid=ONE) == "key_reused"
    assert refused(sheet, 2, 0, uuid=written.uuid) == "key_reused"
    with pytest.raises(DomainError) as caught:
        write(sheet, 2, 1, uuid=ONE)
    assert caught.value.code == "key_reused"


@pytest.mark.full
def test_a_stale_version_conflicts() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    assert refused(sheet, 1, 1) == "version_conflict"
    assert deal(sheet, 1).version == 2


def test_a_stale_undo_conflicts_even_when_there_is_nothing_left_to_undo() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    undo(sheet, 1, 1)
    assert refused(sheet, 1, 1) == "version_conflict"


def test_nothing_is_undone_on_a_closed_sheet() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    assert refused(sheet, 1, 1) == "sheet_closed"


def test_a_sheet_has_its_own_deals_only() -> None:
    assert refused(sheet_of(), 99, 0) == "deal_unknown"


@pytest.mark.full
def test_a_side_takes_back_only_what_it_wrote_itself() -> None:
    sheet = sheet_of()
    write(sheet, 1, side="NS")
    assert refused(sheet, 1, 1, side="EW") == "nothing_to_undo"
    assert undo(sheet, 1, 1, side="NS").side == "NS"


@pytest.mark.full
def test_a_table_does_not_take_back_what_the_desk_wrote() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    corrections = [{"side": "NS", "points": -50, "reason": "late"}]
    fined = HUNDRED | {"corrections": corrections}
    director = Actor.of_user(UserFactory.create())
    write(sheet, 1, 1, written=fined, actor=director, reason="late")
    assert refused(sheet, 1, 2) == "nothing_to_undo"
    assert not SheetView(Scoresheet.objects.get(pk=sheet.pk)).can_undo
    assert undo(sheet, 1, 2, actor=director).written != fined
