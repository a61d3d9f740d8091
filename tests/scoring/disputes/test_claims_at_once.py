"""Phones that bring, confirm and decide at the same moment, on either database."""

import uuid
from collections import Counter
from functools import partial
from typing import Any

import pytest

from clubs.audit.services import Actor, chain_faults
from scoring.deals.services import deal_restore
from scoring.disputes.services import claim_decide, deal_confirm
from scoring.disputes.submissions import Submission, deal_submit
from scoring.models import OPEN_CLAIM, Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.sheets.services import sheets_close
from tests.concurrency import Result, at_once, outcomes
from tests.factories import TESTS
from tests.scoring.disputes.test_submissions import HUNDRED, NINETY, submit
from tests.scoring.sheets import figures, sheet_of, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def submits(sheet: Scoresheet, phone: int, ns: int, **given: Any) -> partial[Submission]:
    """Phone so-and-so says that NS had so much in deal 1, as if nothing stood there."""
    given = dict[str, Any](uuid=uuid.uuid4(), number=1, seen_version=0) | given
    return partial(
        deal_submit,
        sheet_id=sheet.pk,
        written=NINETY | {"points": {"NS": ns}},
        actor=Actor.of_program(f"phone {phone}"),
        **given,
    )


def counted(answers: list[Result]) -> Counter[str]:
    return Counter(answer.outcome for answer in answers if isinstance(answer, Submission))


def trail_holds(sheet: Scoresheet) -> bool:
    return chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


def test_of_eight_values_for_one_deal_one_stands_and_seven_wait() -> None:
    sheet = sheet_of()
    answers = at_once([submits(sheet, n, 90 + n) for n in range(8)])
    assert counted(answers) == {"written": 1, "claimed": 7}
    waiting = DealClaim.objects.filter(OPEN_CLAIM).values_list("written__points__NS", flat=True)
    standing = Deal.objects.get(sheet=sheet, number=1).current
    assert standing is not None
    assert standing.written is not None
    assert {*waiting, standing.written["points"]["NS"]} == set(range(90, 98))
    assert trail_holds(sheet)


def test_eight_phones_that_say_the_same_write_one_deal_without_a_dispute() -> None:
    sheet = sheet_of()
    answers = at_once([submits(sheet, n, 90) for n in range(8)])
    assert counted(answers) == {"written": 1, "same": 7}
    assert (DealEntry.objects.count(), DealClaim.objects.filter(OPEN_CLAIM).count()) == (1, 0)
    assert figures(sheet) == (1, 90, 72)
    assert trail_holds(sheet)


@pytest.mark.parametrize(("stands", "outcome"), [(0, "written"), (90, "same"), (100, "claimed")])
def test_one_request_sent_by_eight_at_once_is_kept_once(stands: int, outcome: str) -> None:
    sheet = sheet_of()
    if stands:
        write(sheet, 1, written=NINETY | {"points": {"NS": stands}})
    answers = at_once([submits(sheet, 1, 90, uuid=uuid.UUID(int=1))] * 8)
    assert counted(answers) == {outcome: 8}
    assert DealEntry.objects.count() + DealClaim.objects.count() == (2 if stands else 1)
    assert trail_holds(sheet)


def test_one_uuid_for_claims_on_eight_sheets_at_once_is_kept_on_one() -> None:
    sheets = [sheet_of() for _ in range(8)]
    for sheet in sheets:
        write(sheet, 1)
    acts = [submits(sheet, 1, 100, uuid=uuid.UUID(int=1)) for sheet in sheets]
    assert outcomes(at_once(acts)) == {"ok": 1, "key_reused": 7}
    assert DealClaim.objects.count() == 1


def test_both_sides_at_once_are_compared_whoever_is_first() -> None:
    sheet = sheet_of()
    same = [submits(sheet, 1, 90, side="NS"), submits(sheet, 2, 90, side="EW")]
    assert counted(at_once(same)) == {"written": 1, "same": 1}
    (entry,) = DealEntry.objects.all()
    assert {entry.side, DealConfirmation.objects.get().side} == {"NS", "EW"}
    other = [
        submits(sheet, 1, 90, number=2, side="NS"),
        submits(sheet, 2, 100, number=2, side="EW"),
    ]
    assert counted(at_once(other)) == {"written": 1, "claimed": 1}
    assert DealClaim.objects.filter(OPEN_CLAIM).count() == 1
    assert trail_holds(sheet)


def test_a_dispute_is_decided_one_way() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    claim = submit(sheet, written=HUNDRED).claim
    assert claim is not None
    decide = partial(claim_decide, claim_id=claim.pk, actor=TESTS)
    answers = at_once([partial(decide, taken=taken) for taken in (True, False) * 4])
    assert outcomes(answers) == {"ok": 4, "claim_decided": 4}
    claim.refresh_from_db()
    assert figures(sheet) == ((1, 100, 62) if claim.taken else (1, 90, 72))
    assert DealEntry.objects.count() == (2 if claim.taken else 1)
    assert trail_holds(sheet)


def test_a_side_confirms_once_though_eight_press() -> None:
    sheet = sheet_of()
    entry = write(sheet, 1)
    confirm = partial(
        deal_confirm, sheet_id=sheet.pk, number=1, entry_uuid=entry.pk, side="EW", actor=TESTS
    )
    assert outcomes(at_once([confirm] * 8)) == {"ok": 8}
    assert DealConfirmation.objects.count() == 1
    assert trail_holds(sheet)


def test_of_those_who_put_back_a_deal_at_once_one_does() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    acts = [
        partial(
            deal_restore,
            sheet_id=sheet.pk,
            number=1,
            revision=revision,
            seen_version=2,
            uuid=uuid.uuid4(),
            actor=TESTS,
        )
        for revision in (0, 1) * 4
    ]
    assert outcomes(at_once(acts)) == {"ok": 1, "version_conflict": 7}
    assert trail_holds(sheet)


def test_what_comes_while_the_sheet_is_closed_is_written_or_kept() -> None:
    sheet = sheet_of(deals=16)

    def close() -> None:
        sheets_close(Scoresheet.objects.filter(pk=sheet.pk))

    acts: list[Any] = [submits(sheet, n, 90, number=n) for n in range(1, 8)]
    found = counted(at_once([*acts[:3], close, *acts[3:]]))
    assert found["written"] + found["claimed"] == 7
    assert figures(sheet)[0] == found["written"]
    late = DealClaim.objects.filter(OPEN_CLAIM, why="late").count()
    assert late == found["claimed"]
    assert trail_holds(sheet)
