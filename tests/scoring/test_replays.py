"""How often a deal was dealt again because somebody reneged, as its lines say."""

import uuid
from typing import Any

import pytest

from clubs.text.errors import KeyReused
from scoring.audit.verify import sheet_faults
from scoring.deals.services import deal_preview, deal_replays, deal_undo
from scoring.disputes.submissions import deal_submit
from scoring.models import Scoresheet
from scoring.sheets.services import sheet_swap_sides
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


@pytest.mark.full
def test_the_line_after_says_how_often() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    assert written(table) == RENEGED
    write(table, 1, seen_version=1, written=RENEGED)
    assert written(table) == RENEGED | {"replays": 1}
    write(table, 1, seen_version=2, written=PLAYED)
    assert written(table) == PLAYED | {"replays": 2}


@pytest.mark.full
def test_the_next_deal_begins_anew() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 2, written=RENEGED)
    assert written(table, 2) == RENEGED


def test_waived_twice_in_a_deal_then_penalised_and_anew_in_the_next() -> None:
    # Deal 7: dealt again, dealt again, 162 + 100; in deal 8 it costs a new deal again.
    table = sheet_of(deals=8)
    table.regulation.settings |= {"reneges_replayed": 2}
    table.regulation.save()
    seventh = [write(table, 7, seen_version=seen, written=RENEGED) for seen in range(3)]
    eighth = write(table, 8, written=RENEGED)
    assert [entry.replayed for entry in (*seventh, eighth)] == [True, True, False, True]
    assert (seventh[-1].result or {})["score"] == {"NS": 162 + 100, "EW": 0}


@pytest.mark.full
def test_a_misdeal_does_not_count() -> None:
    table = sheet()
    write(table, 1, written=PLAYED | {"replayed": True})
    write(table, 1, seen_version=1, written=RENEGED)
    assert written(table) == RENEGED


@pytest.mark.full
def test_a_correction_keeps_the_count() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=PLAYED)
    write(table, 1, seen_version=2, written=RENEGED, reason="toch verzaakt")
    assert written(table) == RENEGED | {"replays": 1}


@pytest.mark.full
def test_taking_back_the_new_deal_leaves_one() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=PLAYED)
    deal_undo(sheet_id=table.pk, number=1, seen_version=2, uuid=uuid.uuid4(), actor=TESTS)
    assert (written(table), deal_replays(deal(table, 1))) == (RENEGED, 1)


@pytest.mark.full
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


@pytest.mark.full
def test_what_is_stored_is_what_verify_finds() -> None:
    table = sheet()
    write(table, 1, written=RENEGED)
    write(table, 1, seen_version=1, written=RENEGED)
    assert sheet_faults(Scoresheet.objects.select_related("regulation", "club").get()) == []


class TestOnceInADeal:
    """Where the regulation lets reneging cost a new deal once in each deal."""

    @pytest.fixture
    def table(self) -> Scoresheet:
        table = sheet_of()
        rules = table.regulation
        rules.settings |= {"reneges_replayed": 1}
        rules.save()
        return table

    def test_the_second_time_in_the_same_deal_submits_the_penalty(self, table: Scoresheet) -> None:
        assert write(table, 1, written=RENEGED).replayed
        second = write(table, 1, seen_version=1, written=RENEGED)
        assert (second.replayed, (second.result or {})["score"]) == (False, {"NS": 262, "EW": 0})

    @pytest.mark.full
    def test_the_next_deal_begins_anew(self, table: Scoresheet) -> None:
        write(table, 1, written=RENEGED)
        write(table, 1, seen_version=1, written=RENEGED)
        assert write(table, 2, written=RENEGED).replayed

    @pytest.mark.full
    def test_both_phones_tell_of_the_same_reneging_once(self, table: Scoresheet) -> None:
        write(table, 1, written=RENEGED, side="NS")
        brought = deal_submit(
            sheet_id=table.pk,
            number=1,
            seen_version=0,
            uuid=uuid.uuid4(),
            written=RENEGED,
            actor=TESTS,
            side="EW",
        )
        assert (brought.outcome, written(table)) == ("same", RENEGED)

    @pytest.mark.full
    def test_a_preview_says_what_will_be_written(self, table: Scoresheet) -> None:
        assert deal_preview(sheet=table, number=1, written=RENEGED).verdict == "void"
        write(table, 1, written=RENEGED)
        assert deal_preview(sheet=table, number=1, written=RENEGED).verdict == "reneged"
