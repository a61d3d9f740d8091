"""Whatever phones bring, in whatever order."""

import uuid
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.audit.services import Actor, chain_faults
from clubs.text.errors import DomainError
from scoring.deals.services import deal_undo
from scoring.models import DealClaim, DealEntry, Scoresheet
from tests.factories import TESTS
from tests.scoring.disputes.test_submissions import NINETY, OTHER, PHONE, submit
from tests.scoring.sheets import deal, sheet_of

pytestmark = pytest.mark.django_db


SPEAKERS = (PHONE, ""), (OTHER, ""), (TESTS, "NS"), (Actor.of_program("ew"), "EW")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(SPEAKERS),
        st.sampled_from([1, 2]),
        st.sampled_from([0, 0, 1, 2, "now"]),
        st.sampled_from([90, 95, 100]),
        st.sampled_from([None, None, None, "cut_off", "again", "undo"]),
    ),
    max_size=12,
)


class AnySequence(TestCase):
    """Whatever phones bring in whatever order, each value is in the sheet's history or waits."""

    @settings(max_examples=settings().max_examples // 2)
    @given(acts=ACTS)
    def test_loses_no_value_and_answers_again_as_before(self, acts: list[Any]) -> None:
        sheet = sheet_of()
        sent: list[tuple[dict[str, Any], str]] = []
        for (actor, side), number, seen, points, what in acts:
            version = deal(sheet, number).version if seen == "now" else seen
            if what == "again" and sent:
                request, outcome = sent[points % len(sent)]
                assert submit(sheet, **request).outcome == outcome
                continue
            if what == "undo":
                _undo(sheet, number)
                continue
            request = {
                "number": number,
                "seen_version": version,
                "uuid": uuid.uuid4(),
                "written": NINETY | {"points": {"NS": points}},
                "actor": actor,
                "side": side,
                "reason": "so",
                "why": what if what == "cut_off" else None,
            }
            sent.append((request, submit(sheet, **request).outcome))
        for request, outcome in sent:
            assert _is_kept(sheet, request, outcome)
        assert _last_words(sheet, sent)
        assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


def _undo(sheet: Scoresheet, number: int) -> None:
    current = deal(sheet, number)
    if current.current is not None and current.current.kind == "written":
        try:
            deal_undo(
                sheet_id=sheet.pk,
                number=number,
                seen_version=current.version,
                uuid=uuid.uuid4(),
                actor=TESTS,
            )
        except DomainError as error:
            assert error.code == "nothing_to_undo"  # noqa: PT017


def _is_kept(sheet: Scoresheet, request: dict[str, Any], outcome: str) -> bool:
    """Whether the database has this request's own row, once; or, of what says the same again, a row
    of the deal with these figures."""
    rows: list[DealEntry | DealClaim] = [
        *DealEntry.objects.filter(deal__sheet=sheet, deal__number=request["number"]),
        *DealClaim.objects.filter(deal__sheet=sheet, deal__number=request["number"]),
    ]
    own = [row for row in rows if row.pk == request["uuid"]]
    if outcome == "same" and not own:
        return any(row.written == request["written"] for row in rows)
    return len(own) == 1


def _last_words(sheet: Scoresheet, sent: list[Any]) -> bool:
    """Whether what each phone brought last of a deal was written at some time, or still waits."""
    last = {
        (request["actor"].ref, request["number"]): (request, outcome) for request, outcome in sent
    }
    return all(
        outcome != "claimed" or _waits_or_was_written(sheet, request)
        for request, outcome in last.values()
    )


def _waits_or_was_written(sheet: Scoresheet, request: dict[str, Any]) -> bool:
    claim = DealClaim.objects.get(pk=request["uuid"])
    if claim.decided_at is None:
        return True
    entries = DealEntry.objects.filter(deal=claim.deal)
    return any(entry.written == request["written"] for entry in entries)
