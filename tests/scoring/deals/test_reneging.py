"""The first proved reneging at a table, where that only costs a new deal."""

import uuid
from typing import Any

import pytest

from clubs.text.errors import KeyReused
from scoring.audit.verify import sheet_faults
from scoring.deals.services import deal_undo
from scoring.models import Scoresheet
from scoring.sheets.services import sheet_swap_sides
from tests.factories import TESTS
from tests.scoring.sheets import deal, figures, sheet_of, write

pytestmark = pytest.mark.django_db


def reneged(seat: str = "E", **given: Any) -> dict[str, Any]:
    return {"declarer": "NS", "trump": "H", "reneged": seat} | given


def lenient(preset: str = "amsterdam") -> Scoresheet:
    """A blank sheet of four deals on which the first reneging is let off."""
    sheet = sheet_of(preset=preset)
    Scoresheet.objects.filter(pk=sheet.pk).update(first_reneging_replayed=True)
    return sheet


def score(sheet: Scoresheet, number: int) -> tuple[int, int] | None:
    """What a deal brings NS and EW; None for one that is to be dealt again."""
    entry = deal(sheet, number).current
    if entry is None or entry.replayed or entry.result is None:
        return None
    return entry.result["score"]["NS"], entry.result["score"]["EW"]


def undo(sheet: Scoresheet, number: int, seen_version: int) -> None:
    deal_undo(
        sheet_id=sheet.pk, number=number, seen_version=seen_version, uuid=uuid.uuid4(), actor=TESTS
    )


@pytest.mark.full
@pytest.mark.parametrize("preset", ["amsterdam", "gezelligheid"])
def test_the_first_time_the_deal_is_played_again(preset: str) -> None:
    sheet = lenient(preset)
    write(sheet, 1, written=reneged())
    assert score(sheet, 1) is None
    assert figures(sheet) == (0, 0, 0)


@pytest.mark.full
def test_from_the_second_time_on_the_regulation_counts() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1)
    write(sheet, 2, written=reneged("N"))
    # Amsterdam: 162 and 100 roem for the other side.
    assert (score(sheet, 1), score(sheet, 2)) == ((90, 72), (0, 262))


def test_twice_in_the_same_deal_is_the_second_time() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1, written=reneged())
    assert score(sheet, 1) == (262, 0)


def test_without_the_setting_the_regulation_counts_at_once() -> None:
    sheet = sheet_of()
    write(sheet, 1, written=reneged())
    assert score(sheet, 1) == (262, 0)


def test_taken_back_it_never_was() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    undo(sheet, 1, seen_version=1)
    write(sheet, 1, seen_version=2)
    write(sheet, 2, written=reneged())
    assert (score(sheet, 1), score(sheet, 2)) == ((90, 72), None)


@pytest.mark.full
def test_a_new_deal_taken_back_leaves_it_the_first() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1)
    undo(sheet, 1, seen_version=2)
    assert score(sheet, 1) is None
    write(sheet, 1, seen_version=3)
    write(sheet, 2, written=reneged())
    assert score(sheet, 2) == (262, 0)


def test_an_earlier_deal_found_out_later_is_the_second_and_flips_nothing() -> None:
    sheet = lenient()
    write(sheet, 1)
    write(sheet, 2, written=reneged())
    write(sheet, 2, seen_version=1)
    write(sheet, 3, written=reneged("W"))
    write(sheet, 1, seen_version=1, written=reneged(), reason="alsnog gezien")
    assert [score(sheet, number) for number in (1, 2, 3)] == [(262, 0), (90, 72), (262, 0)]


@pytest.mark.full
def test_correcting_the_penalty_itself_keeps_it_one() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1)
    write(sheet, 2, written=reneged("E"))
    write(sheet, 2, seen_version=1, written=reneged("N"), reason="het was Jan")
    assert score(sheet, 2) == (0, 262)


@pytest.mark.full
def test_it_stays_the_first_when_the_sides_are_swapped() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1)
    sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="omgekeerd")
    write(sheet, 2, written=reneged())
    assert score(sheet, 2) == (262, 0)


def test_the_same_entry_again_is_the_same_and_another_is_refused() -> None:
    sheet, sent = lenient(), uuid.uuid4()
    first = write(sheet, 1, written=reneged(), uuid=sent)
    assert write(sheet, 1, written=reneged(), uuid=sent) == first
    with pytest.raises(KeyReused):
        write(sheet, 1, written=reneged("N"), uuid=sent)


@pytest.mark.full
def test_what_is_stored_is_what_verify_finds() -> None:
    sheet = lenient()
    write(sheet, 1, written=reneged())
    write(sheet, 1, seen_version=1)
    write(sheet, 2, written=reneged())
    assert sheet_faults(Scoresheet.objects.select_related("regulation", "club").get()) == []
