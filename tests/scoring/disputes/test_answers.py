import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.disputes.submissions import dispute_settle, sheet_answer
from scoring.models import Confirmation, Scoresheet
from tests.factories import TESTS
from tests.scoring.sheets import sheet_of, write, write_four

pytestmark = pytest.mark.django_db


def answer(sheet: Scoresheet, version: int, *, agrees: bool = True, note: str = "") -> Confirmation:
    return sheet_answer(
        sheet_id=sheet.pk, side="EW", seen_version=version, agrees=agrees, actor=TESTS, note=note
    )


def full_sheet() -> Scoresheet:
    sheet = sheet_of()
    write_four(sheet)
    return sheet


def refused(sheet: Scoresheet, version: int, note: str = "") -> str:
    with pytest.raises(DomainError) as caught:
        answer(sheet, version, note=note)
    assert not Confirmation.objects.exists()
    return caught.value.code


@pytest.mark.full
def test_a_side_agrees_with_the_sheet_as_it_saw_it() -> None:
    said = answer(full_sheet(), 4)
    assert (said.side, said.sheet_version, said.agrees, said.by) == (
        "EW",
        4,
        True,
        "program:tests",
    )


@pytest.mark.full
def test_a_side_may_change_its_mind() -> None:
    sheet = full_sheet()
    answer(sheet, 4)
    said = answer(sheet, 4, agrees=False, note=" deal 2 was 110 ")
    assert list(Confirmation.objects.all()) == [said]
    assert (said.agrees, said.note) == (False, "deal 2 was 110")


def test_an_unfinished_sheet_cannot_be_agreed_on() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    assert refused(sheet, 1) == "sheet_not_full"


@pytest.mark.full
def test_a_sheet_that_changed_has_to_be_looked_at_again() -> None:
    assert refused(full_sheet(), 3) == "sheet_moved_on"


@pytest.mark.full
def test_a_note_has_at_most_200_characters() -> None:
    assert refused(full_sheet(), 4, note="x" * 201) == "reason_too_long"


@pytest.mark.full
def test_the_director_settles_a_dispute_once() -> None:
    sheet = full_sheet()
    said = answer(sheet, 4, agrees=False)
    settled = dispute_settle(confirmation_id=said.pk, actor=TESTS)
    assert settled.settled_at is not None
    again = dispute_settle(confirmation_id=said.pk, actor=TESTS)
    assert again.settled_at == settled.settled_at
    actions = AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number")
    assert list(actions.values_list("action", flat=True))[4:] == [
        "sheet_disputed",
        "dispute_settled",
    ]
