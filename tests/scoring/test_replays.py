"""How often a deal was dealt again because somebody reneged, as its lines say."""

import uuid
from typing import Any

import pytest

from clubs.errors import KeyReused
from scoring.models import Scoresheet
from scoring.services import deal_replays, deal_undo, sheet_swap_sides
from scoring.verify import sheet_faults
from tests.factories import TESTS
from tests.scoring.sheets import deal, sheet_of, write

pytestmark = pytest.mark.django_db

RENEGED: dict[str, Any] = {"declarer": "NS", "trump": "H", "reneged": "E"}
PLAYED: dict[str, Any] = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}


def sheet() -> Scoresheet:
    """A blank sheet where reneging only ever costs a new deal."""
    return sheet_of(preset="gezelligheid")


def written(sheet: Scoresheet, number: int = 1) -> Any:
    current = deal(sheet, number).current
    return current and current.written


def test_the_line_after_says_how_often() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    assert written(table) == RENEGED
    write(table, 1, seen_version=1, written=RENEGED)
    assert written(table) == RENEGED | {"replays": 1}
    write(table, 1, seen_version=2, written=PLAYED)
    assert written(table) == PLAYED | {"replays": 2}


def test_the_next_deal_begins_anew() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 2, written=RENEGED)
    assert written(table, 2) == RENEGED


def test_a_misdeal_does_not_count() -> None:
    table = sheet()
    write(table, 1, written=PLAYED | {"replayed": True})
    write(table, 1, seen_version=1, written=RENEGED)
    assert written(table) == RENEGED


def test_a_correction_keeps_the_count() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=PLAYED)
    write(table, 1, seen_version=2, written=RENEGED, reason="toch verzaakt")
    assert written(table) == RENEGED | {"replays": 1}


def test_taking_back_the_new_deal_leaves_one() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=PLAYED)
    deal_undo(sheet_id=table.pk, number=1, seen_version=2, uuid=uuid.uuid4(), actor=TESTS)
    assert (written(table), deal_replays(deal(table, 1))) == (RENEGED, 1)


def test_swapping_the_sides_leaves_the_count() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    sheet_swap_sides(sheet_id=table.pk, actor=TESTS, reason="omgekeerd")
    write(table, 1, seen_version=2, written=PLAYED)
    assert written(table) == PLAYED | {"replays": 1}


def test_the_same_entry_again_is_the_same() -> None:
    table, sent = sheet(), uuid.uuid4()
    write(table, 1, written=RENEGED)
    second = write(table, 1, seen_version=1, written=PLAYED, uuid=sent)
    assert write(table, 1, seen_version=1, written=PLAYED, uuid=sent) == second
    with pytest.raises(KeyReused):
        write(table, 1, seen_version=1, written=PLAYED | {"trump": "S"}, uuid=sent)


def test_what_is_stored_is_what_verify_finds() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=RENEGED)
    assert sheet_faults(Scoresheet.objects.select_related("regulation", "club").get()) == []
