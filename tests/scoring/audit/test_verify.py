import uuid
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from clubs.audit.guards import triggers_install
from clubs.models import AuditEvent
from scoring.deals.services import deal_undo
from scoring.models import Deal, DealEntry, Scoresheet, Seat
from scoring.sheets.services import sheet_swap_sides
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, evening_with_draw, table
from tests.scoring.sheets import sheet_of, write, write_four
from tests.tampering import triggers_lift
from tournaments.draw.services import draw_undo
from tournaments.rounds.services import table_substitute

pytestmark = pytest.mark.django_db


def verify(**options: object) -> list[str]:
    """What the command says; its exit status agrees with that."""
    said, status = StringIO(), 0
    try:
        call_command("verify", stdout=said, **options)
    except SystemExit as ended:
        status = int(str(ended.code))
    lines = said.getvalue().splitlines()
    assert status == lines[-1].endswith("differences.")
    return lines


def sheet_with_history() -> Scoresheet:
    """Four deals, one of them corrected, and one that was written and taken back."""
    sheet = sheet_of(deals=5)
    write_four(sheet)
    correction = {"seat": "E", "points": -50, "reason": "telephone"}
    changed = {"declarer": "NS", "trump": "H", "points": {"NS": 90}, "corrections": [correction]}
    write(sheet, 1, 1, written=changed, reason="misread")
    write(sheet, 5)
    deal_undo(sheet_id=sheet.pk, number=5, seen_version=1, uuid=uuid.uuid4(), actor=TESTS)
    return sheet


@pytest.mark.both
def test_a_sound_database() -> None:
    sheet_with_history()
    totals = sheet_of(deals=4)
    side_totals_write(
        sheet_id=totals.pk, totals={"NS": HandedIn(448, 70, 1), "EW": HandedIn(200)}, actor=TESTS
    )
    swapped = sheet_of()
    write_four(swapped)
    sheet_swap_sides(sheet_id=swapped.pk, actor=TESTS, reason="columns swapped")
    assert verify() == ["3 sheets and every trail are as they were written."]


def test_a_sheet_that_is_gone_leaves_a_sound_trail() -> None:
    evening = evening_with_draw(players=5, rounds=1, started=False)
    spare = evening.rounds.get().placements.get(table=None).member
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=spare,
        from_deal=1,
        for_himself=True,
        actor=TESTS,
    )
    draw_undo(evening_id=evening.pk, actor=TESTS)
    assert verify() == ["0 sheets and every trail are as they were written."]
    triggers_lift()
    AuditEvent.objects.filter(chain__startswith="sheet:").update(action="x")
    triggers_install()
    assert len(verify()) == 2


def damage(sheet: Scoresheet) -> dict[str, Callable[[], object]]:
    deals, entries = Deal.objects.filter(sheet=sheet), DealEntry.objects.filter(deal__sheet=sheet)
    second = entries.filter(deal__number=2)
    return {
        "score_ns is 9, the deals give 574": lambda: Scoresheet.objects.update(score_ns=9),
        "deals_entered is 0, the deals give 4": lambda: Scoresheet.objects.update(deals_entered=0),
        "seat E from deal 1: score is 9, the deals give 284": lambda: Seat.objects.filter(
            seat="E"
        ).update(score=9),
        "deal 3: version 7 shows revision 1, the last one is 1": lambda: deals.filter(
            number=3
        ).update(version=7),
        "deal 2: the result of revision 1 was changed": lambda: second.update(
            result=entries.get(deal__number=3).result
        ),
        "deal 2: revision 1 is not as the trail has it": lambda: second.update(device="another"),
        "deal 4: revision 1 is missing": lambda: (
            deals.filter(number=4).update(current=None),
            entries.filter(deal__number=4).delete(),
        ),
    }


@pytest.mark.each_case
@pytest.mark.parametrize("kind", range(7))
def test_whatever_was_tampered_with_is_reported(kind: int) -> None:
    sheet = sheet_with_history()
    fault, act = list(damage(sheet).items())[kind]
    triggers_lift()
    act()
    assert f"sheet {sheet.uuid}: {fault}" in verify()


@pytest.mark.full
def test_a_broken_trail_is_reported() -> None:
    sheet = sheet_with_history()
    triggers_lift()
    AuditEvent.objects.filter(chain=sheet.chain_name, number=2).update(actor="user:x")
    assert f"{sheet.chain_name}: event 2 was changed" in verify()


@pytest.mark.both
def test_a_trail_that_is_no_longer_guarded_is_reported() -> None:
    triggers_lift()
    assert (
        "trigger scoring_dealentry_no_update is missing: what happened can be changed; "
        "`manage.py migrate` puts it back"
    ) in verify()
    triggers_install()
    assert verify() == ["0 sheets and every trail are as they were written."]
