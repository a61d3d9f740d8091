"""Phones that bring deals while the director decides, closes and swaps: nobody waits in a ring."""

import uuid
from collections.abc import Callable
from functools import partial

import pytest

from clubs.audit.services import Actor, chain_faults
from scoring.audit.verify import sheet_faults
from scoring.disputes.services import claim_decide
from scoring.disputes.submissions import Submission, deal_submit
from scoring.models import OPEN_CLAIM, DealClaim, DealEntry, Scoresheet
from scoring.sheets.services import sheet_swap_sides
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tournaments.models import Table
from tournaments.rounds.services import round_close

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def submits(
    at: Table, number: int, ns: int, phone: int, side: str = ""
) -> Callable[[], Submission]:
    return partial(
        deal_submit,
        sheet_id=at.sheet_id,
        number=number,
        seen_version=0,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": ns}},
        actor=Actor.of_program(f"phone {phone}"),
        side=side,
    )


def test_every_deal_that_came_is_on_a_sheet_or_beside_it() -> None:
    evening = evening_with_draw(players=16, rounds=1, deals_per_round=4)
    tables = [table(evening, number) for number in (1, 2, 3, 4)]
    for at in tables:
        write_deal(at, 1)
        submits(at, 1, 100, 9)()
    claims = list(DealClaim.objects.order_by("received_at"))
    round_ = evening.rounds.get()
    director: list[Callable[[], object]] = [
        partial(claim_decide, claim_id=claims[0].pk, taken=True, actor=TESTS, closed_too=True),
        partial(claim_decide, claim_id=claims[1].pk, taken=False, actor=TESTS),
        partial(sheet_swap_sides, sheet_id=tables[2].sheet_id, actor=TESTS, reason="swapped"),
        partial(round_close, round_id=round_.pk, actor=TESTS, unfinished_reason="late"),
    ]
    phones = [
        submits(at, 2, ns, phone, side)
        for at in tables
        for ns, phone, side in ((90, 1, "NS"), (95, 2, "EW"))
    ]
    answers = at_once([*director, *phones])
    assert outcomes(answers)["ok"] >= 11
    submission = [answer for answer in answers if isinstance(answer, Submission)]
    assert len(submission) == 8
    second = DealEntry.objects.filter(deal__number=2, revision=1).count()
    beside = DealClaim.objects.filter(OPEN_CLAIM, deal__number=2).count()
    assert second + beside == 8
    for sheet in Scoresheet.objects.filter(table__round=round_).select_related("regulation"):
        assert (chain_faults(sheet), sheet_faults(sheet)) == ((), [])
