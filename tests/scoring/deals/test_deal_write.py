import datetime as dt
import uuid
from typing import Any

import pytest

from clubs.audit.services import Actor, chain_faults
from clubs.models import AuditEvent, AuditText
from clubs.text.errors import DomainError, KeyReused, VersionConflict
from scoring.display.words import DealRefused
from scoring.models import DealEntry, Scoresheet
from scoring.sheets.services import sheets_close, sheets_open
from tests.factories import UserFactory
from tests.scoring.sheets import deal, figures, sheet_of, write

pytestmark = pytest.mark.django_db

ONE = uuid.UUID(int=1)
NINETY = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
HUNDRED = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}


def refused(sheet: Scoresheet, *arguments: int, **given: Any) -> str:
    """The code with which a write is refused; nothing may have changed."""
    before = figures(sheet), DealEntry.objects.count(), AuditEvent.objects.count()
    with pytest.raises(DomainError) as caught:
        write(sheet, *arguments, **given)
    assert (figures(sheet), DealEntry.objects.count(), AuditEvent.objects.count()) == before
    return caught.value.code


@pytest.mark.both
def test_the_first_entry_stands_with_who_wrote_it_when_and_where() -> None:
    sheet, user = sheet_of(), UserFactory.create()
    made_at = dt.datetime(2026, 11, 21, 20, 15, tzinfo=dt.UTC)
    entry = write(sheet, 1, uuid=ONE, actor=Actor.of_user(user), device="phone 3", made_at=made_at)
    entry.refresh_from_db()
    assert (entry.uuid, entry.revision, entry.replaces_id, entry.kind) == (ONE, 1, None, "written")
    assert (entry.written, entry.replayed, entry.warnings) == (NINETY, False, [])
    assert entry.result == {
        "valid": True,
        "nat": False,
        "pit": None,
        "points": {"NS": 90, "EW": 72},
        "roem": {"NS": 0, "EW": 0},
        "score": {"NS": 90, "EW": 72},
        "players": {"N": 90, "E": 72, "S": 90, "W": 72},
    }
    assert (entry.user, entry.actor, entry.device) == (user, f"user:{user.uuid}", "phone 3")
    assert entry.made_at == made_at
    assert deal(sheet, 1).version == 1
    assert deal(sheet, 1).current == entry
    assert figures(sheet) == (1, 90, 72)


@pytest.mark.full
def test_each_write_counts_the_sheet_up() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 2)
    sheet.refresh_from_db()
    assert sheet.version == 2
    assert sheet.last_entry_at == deal(sheet, 2).current.received_at  # type: ignore[union-attr]


@pytest.mark.both
def test_the_same_request_again_gives_the_first_answer_and_writes_nothing() -> None:
    sheet = sheet_of()
    first = write(sheet, 1, uuid=ONE)
    again = write(sheet, 1, uuid=ONE)
    assert again == first
    assert DealEntry.objects.count() == 1
    assert Scoresheet.objects.get(pk=sheet.pk).version == 1


@pytest.mark.full
def test_the_same_request_again_is_answered_when_the_sheet_was_closed_since() -> None:
    sheet = sheet_of()
    first = write(sheet, 1, uuid=ONE)
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    assert write(sheet, 1, uuid=ONE) == first


@pytest.mark.full
def test_a_tuple_of_roem_is_the_same_content_as_a_list() -> None:
    sheet = sheet_of()
    written = {"declarer": "NS", "trump": "H", "points": {"NS": 90}, "roem": {"NS": (20,)}}
    first = write(sheet, 1, uuid=ONE, written=written)
    assert write(sheet, 1, uuid=ONE, written=written) == first


@pytest.mark.full
@pytest.mark.parametrize(
    "other",
    [
        {"number": 2},
        {"seen_version": 1},
        {"written": HUNDRED},
        {"reason": "misread"},
    ],
)
def test_the_same_uuid_with_anything_else_is_refused(other: dict[str, Any]) -> None:
    sheet = sheet_of()
    write(sheet, 1, uuid=ONE)
    request: dict[str, Any] = {
        "number": 1,
        "seen_version": 0,
        "written": NINETY,
        "reason": "",
    } | other
    with pytest.raises(KeyReused) as caught:
        write(sheet, uuid=ONE, **request)
    assert caught.value.code == "key_reused"
    assert figures(sheet) == (1, 90, 72)


def test_the_same_uuid_on_another_sheet_is_refused() -> None:
    sheet = sheet_of()
    other = sheet_of(*[seat.member for seat in sheet.seats.order_by("pk") if seat.member])
    write(sheet, 1, uuid=ONE)
    assert refused(other, 1, uuid=ONE) == "key_reused"


@pytest.mark.both
def test_a_stale_version_conflicts_and_shows_what_stands_now() -> None:
    sheet = sheet_of()
    standing = write(sheet, 1)
    with pytest.raises(VersionConflict) as caught:
        write(sheet, 1, written=HUNDRED)
    current = caught.value.params["current"]
    assert current == deal(sheet, 1)
    assert deal(sheet, 1).version == 1
    assert deal(sheet, 1).current == standing
    assert figures(sheet) == (1, 90, 72)


def test_a_version_that_never_was_conflicts() -> None:
    assert refused(sheet_of(), 1, 7) == "version_conflict"


@pytest.mark.full
def test_a_correction_needs_a_reason() -> None:
    sheet = sheet_of()
    first = write(sheet, 1)
    assert refused(sheet, 1, 1, written=HUNDRED, reason="  ") == "reason_needed"
    second = write(sheet, 1, 1, written=HUNDRED, reason=" misread ")
    assert (second.revision, second.replaces, second.reason) == (2, first, "misread")
    assert figures(sheet) == (1, 100, 62)


@pytest.mark.full
def test_a_reason_has_at_most_200_characters() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    assert refused(sheet, 1, 1, reason="x" * 201) == "reason_too_long"
    assert write(sheet, 1, 1, reason="x" * 200).revision == 2


@pytest.mark.full
@pytest.mark.parametrize("number", [0, 5])
def test_a_sheet_has_its_own_deals_only(number: int) -> None:
    assert refused(sheet_of(deals=4), number) == "deal_unknown"


@pytest.mark.both
def test_a_sheet_that_is_gone_takes_nothing() -> None:
    sheet = sheet_of()
    pk = sheet.pk
    sheet.delete()
    sheet.pk = pk
    with pytest.raises(DomainError) as caught:
        write(sheet, 1)
    assert caught.value.code == "sheet_gone"


def test_a_deal_that_cannot_be_is_refused_with_every_fault() -> None:
    sheet = sheet_of()
    with pytest.raises(DealRefused) as caught:
        write(sheet, 1, written={"declarer": "X", "trump": "H", "points": {"NS": 170}})
    found = {(fault.code, fault.field) for fault in caught.value.faults}
    assert found == {("bad_value", "declarer"), ("points_range", "points.NS")}
    assert figures(sheet) == (0, 0, 0)
    assert deal(sheet, 1).version == 0


def test_a_replayed_deal_scores_nothing_and_stays_to_be_written() -> None:
    sheet = sheet_of()
    again = write(sheet, 1, written={"declarer": "NS", "trump": "H", "replayed": True})
    assert again.replayed
    assert figures(sheet) == (0, 0, 0)
    second = write(sheet, 1, 1)
    assert (second.replaces, second.replayed) == (again, False)
    assert figures(sheet) == (1, 90, 72)


@pytest.mark.full
def test_reneging_is_dealt_again_where_the_regulation_says_so() -> None:
    sheet = sheet_of(preset="gezelligheid")
    entry = write(sheet, 1, written={"declarer": "NS", "trump": "H", "reneged": "E"})
    assert entry.replayed
    assert figures(sheet) == (0, 0, 0)


@pytest.mark.full
def test_warnings_are_counted_on_the_sheet() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1, written={"declarer": "NS", "trump": "H", "points": {"NS": 162}})
    assert entry.warnings == ["no_points"]
    assert Scoresheet.objects.get(pk=sheet.pk).warnings == 1


class TestAClosedSheet:
    def test_takes_nothing_from_the_table(self) -> None:
        sheet = sheet_of()
        sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
        assert refused(sheet, 1, reason="late") == "sheet_closed"

    @pytest.mark.full
    def test_takes_a_deal_from_the_director_with_a_reason(self) -> None:
        sheet = sheet_of()
        sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
        assert refused(sheet, 1, closed_too=True) == "reason_needed"
        write(sheet, 1, closed_too=True, reason="sheet found")
        assert figures(sheet) == (1, 90, 72)

    @pytest.mark.full
    def test_takes_deals_again_once_it_is_open(self) -> None:
        sheet = sheet_of()
        sheets = Scoresheet.objects.filter(pk=sheet.pk)
        assert sheets_close(sheets) == 1
        assert sheets_open(sheets) == 1
        assert write(sheet, 1).revision == 1


def test_a_planned_sheet_takes_nothing_not_even_from_the_director() -> None:
    sheet = sheet_of()
    Scoresheet.objects.filter(pk=sheet.pk).update(state=Scoresheet.State.PLANNED)
    assert refused(sheet, 1) == "sheet_not_started"
    assert refused(sheet, 1, closed_too=True, reason="early") == "sheet_not_started"


@pytest.mark.full
def test_the_trail_tells_old_and_new_and_keeps_free_text_apart() -> None:
    sheet = sheet_of()
    write(sheet, 1, device="phone 3")
    correction = {"side": "EW", "points": -50, "reason": "Piet smoked"}
    changed = HUNDRED | {"corrections": [correction]}
    entry = write(sheet, 1, 1, written=changed, reason="Jan misread")
    event = AuditEvent.objects.get(chain=sheet.chain_name, number=2)
    assert (event.action, event.object_ref) == ("deal_written", "deal:1")
    assert event.data == {
        "entries": [
            {
                "deal": 1,
                "entry": str(entry.uuid),
                "revision": 2,
                "old": NINETY,
                "new": HUNDRED | {"corrections": [{"side": "EW", "points": -50}]},
                "device": "",
            }
        ]
    }
    texts = dict(AuditText.objects.filter(event=event).values_list("field", "text"))
    assert texts == {"actor": "tests", "reason": "Jan misread", "corrections": "Piet smoked"}
    sheet.refresh_from_db()
    assert chain_faults(sheet) == ()
