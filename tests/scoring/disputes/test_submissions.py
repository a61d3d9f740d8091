"""What a phone had waiting: written, the same as what stands, or kept beside it."""

import datetime as dt
import uuid
from typing import Any

import pytest

from clubs.audit.services import Actor, chain_faults
from clubs.models import AuditEvent
from clubs.text.errors import DomainError, KeyReused
from scoring.deals.services import deal_undo
from scoring.display.words import DealRefused
from scoring.disputes.submissions import Submission, deal_submit
from scoring.models import OPEN_CLAIM, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.sheets.services import sheets_close
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS
from tests.scoring.sheets import deal, figures, sheet_of, sheet_of_three, write

pytestmark = pytest.mark.django_db

ONE = uuid.UUID(int=1)
NINETY = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
HUNDRED = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}
PHONE, OTHER = (Actor.of_program(name) for name in ("phone", "other"))


def submit(sheet: Scoresheet, number: int = 1, seen_version: int = 0, **given: Any) -> Submission:
    defaults = {"written": NINETY, "uuid": uuid.uuid4(), "actor": PHONE}
    given = dict[str, Any](defaults) | given
    return deal_submit(sheet_id=sheet.pk, number=number, seen_version=seen_version, **given)


def refused(sheet: Scoresheet, *arguments: int, **given: Any) -> str:
    """The code with which a deal is refused; nothing of it may be kept."""
    before = [model.objects.count() for model in (DealEntry, DealClaim, AuditEvent)]
    with pytest.raises(DomainError) as caught:
        submit(sheet, *arguments, **given)
    assert [model.objects.count() for model in (DealEntry, DealClaim, AuditEvent)] == before
    return caught.value.code


def open_values(sheet: Scoresheet) -> list[int]:
    """The points of NS that wait beside what stands, in the order in which they came."""
    claims = DealClaim.objects.filter(OPEN_CLAIM, deal__sheet=sheet)
    return [claim.written["points"]["NS"] for claim in claims]


def actions(sheet: Scoresheet) -> list[str]:
    events = AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number")
    return list(events.values_list("action", flat=True))


def test_a_deal_that_nothing_stands_in_the_way_of_is_written() -> None:
    sheet = sheet_of()
    made_at = dt.datetime(2026, 11, 21, 20, 41, tzinfo=dt.UTC)
    submission = submit(sheet, 1, uuid=ONE, device="phone:3", made_at=made_at)
    entry = deal(sheet, 1).current
    assert (submission.outcome, submission.deal.version, submission.claim) == ("written", 1, None)
    assert entry is not None
    assert (entry.pk, entry.written, entry.device, entry.made_at) == (
        ONE,
        NINETY,
        "phone:3",
        made_at,
    )
    assert figures(sheet) == (1, 90, 72)


def test_a_correction_that_saw_what_stands_is_written_with_its_reason() -> None:
    sheet = sheet_of()
    submit(sheet)
    assert submit(sheet, 1, 1, written=HUNDRED, reason="misread").outcome == "written"
    assert figures(sheet) == (1, 100, 62)
    assert refused(sheet, 1, 2) == "reason_needed"


@pytest.mark.both
def test_what_cannot_be_written_is_kept_beside_what_stands() -> None:
    sheet = sheet_of()
    standing = write(sheet, 1)
    submission = submit(sheet, uuid=ONE, written=HUNDRED, device="phone:3", reason="counted twice")
    claim = DealClaim.objects.get()
    assert (submission.outcome, submission.deal.version, submission.claim) == ("claimed", 1, claim)
    assert (claim.pk, claim.deal, claim.against) == (ONE, deal(sheet, 1), standing)
    assert (claim.why, claim.written, claim.reason) == ("different", HUNDRED, "counted twice")
    assert claim.result["score"] == {"NS": 100, "EW": 62}
    assert (claim.actor, claim.device, claim.side) == (PHONE.ref, "phone:3", "")
    assert (claim.decided_at, claim.taken) == (None, None)
    assert figures(sheet) == (1, 90, 72)
    assert actions(sheet) == ["deal_written", "deal_claimed"]
    assert chain_faults(Scoresheet.objects.get(pk=sheet.pk)) == ()


SAME_AS_NINETY: dict[str, dict[str, Any]] = {
    "the same words": {},
    "the other side's points": {"points": {"EW": 72}},
    "both sides' points": {"points": {"NS": 90, "EW": 72}},
    "no trump told": {"trump": None},
    "the seat that declared": {"declarer": "S"},
    "no roem in so many words": {"roem": {"NS": [], "EW": []}},
}
OTHER_THAN_NINETY: dict[str, dict[str, Any]] = {
    "points": {"points": {"NS": 91}},
    "roem": {"roem": {"NS": [20]}},
    "another trump": {"trump": "S"},
    "the other side declared": {"declarer": "EW"},
    "reneged": {"reneged": "N"},
    "dealt again": {"replayed": True},
    "nat by the declarers": {"points": {"NS": 72}},
}


@pytest.mark.full
@pytest.mark.parametrize("how", SAME_AS_NINETY)
def test_the_same_deal_told_otherwise_is_no_difference(how: str) -> None:
    sheet = sheet_of()
    write(sheet, 1)
    submission = submit(sheet, written=NINETY | SAME_AS_NINETY[how])
    assert (submission.outcome, submission.claim) == ("same", None)
    assert open_values(sheet) == []
    assert actions(sheet) == ["deal_written", "deal_repeated"]


@pytest.mark.parametrize("how", OTHER_THAN_NINETY)
def test_another_deal_is_a_difference(how: str) -> None:
    sheet = sheet_of()
    write(sheet, 1)
    assert submit(sheet, written=NINETY | OTHER_THAN_NINETY[how]).outcome == "claimed"


def test_roem_in_other_portions_and_nat_told_or_counted_are_the_same() -> None:
    sheet = sheet_of()
    write(sheet, 1, written=NINETY | {"roem": {"NS": [20, 50]}})
    assert submit(sheet, 1, written=NINETY | {"roem": {"NS": [70]}}).outcome == "same"
    write(sheet, 2, written=NINETY | {"points": {"NS": 70}})
    message = {"declarer": "NS", "trump": "H", "nat": True}
    assert submit(sheet, 2, written=message).outcome == "same"


def test_a_renegue_let_off_is_the_same_when_both_phones_tell_of_it() -> None:
    sheet = sheet_of()
    Scoresheet.objects.filter(pk=sheet.pk).update(first_reneging_replayed=True)
    reneged = {"declarer": "NS", "trump": "H", "reneged": "E"}
    assert submit(sheet, written=reneged).outcome == "written"
    assert submit(sheet, written=reneged, actor=OTHER).outcome == "same"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_same_request_again_has_the_same_answer_and_does_nothing(number: int) -> None:
    sheet = sheet_of()
    write(sheet, 2)
    write(sheet, 3)
    given: dict[int, dict[str, Any]] = {3: {"written": HUNDRED}, 4: {"why": "cut_off"}}
    first = submit(sheet, number, uuid=ONE, **given.get(number, {}))
    outcomes = {1: "written", 2: "same", 3: "claimed", 4: "claimed"}
    before = actions(sheet)
    again = submit(sheet, number, uuid=ONE, **given.get(number, {}))
    assert (first.outcome, again) == (outcomes[number], first)
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    assert submit(sheet, number, uuid=ONE, **given.get(number, {})).outcome == outcomes[number]
    assert actions(sheet) == before


def test_a_late_copy_of_an_older_request_withdraws_nothing() -> None:
    sheet = sheet_of()
    submit(sheet, uuid=ONE)
    same = submit(sheet, actor=OTHER, uuid=uuid.UUID(int=2))
    submit(sheet, actor=OTHER, written=HUNDRED)
    assert submit(sheet, actor=OTHER, uuid=uuid.UUID(int=2)) == same
    assert open_values(sheet) == [100]


@pytest.mark.both
@pytest.mark.parametrize("outcome", ["written", "same", "claimed"])
def test_the_same_uuid_with_anything_else_is_refused(outcome: str) -> None:
    sheet = sheet_of()
    if outcome != "written":
        write(sheet, 1, written=NINETY if outcome == "same" else HUNDRED)
    assert submit(sheet, uuid=ONE).outcome == outcome
    with pytest.raises(KeyReused):
        submit(sheet, uuid=ONE, written=NINETY | {"points": {"NS": 91}})
    with pytest.raises(KeyReused):
        submit(sheet, 2, uuid=ONE)
    other = sheet_of(*[seat.member for seat in sheet.seats.order_by("pk") if seat.member])
    assert refused(other, uuid=ONE) == "key_reused"


@pytest.mark.full
def test_a_newer_word_of_the_same_phone_replaces_the_older() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    submit(sheet, written=HUNDRED)
    submit(sheet, written=NINETY | {"points": {"NS": 91}}, actor=OTHER)
    submit(sheet, written=NINETY | {"points": {"NS": 101}})
    assert open_values(sheet) == [91, 101]
    assert submit(sheet).outcome == "same"
    assert open_values(sheet) == [91]
    left = DealClaim.objects.exclude(why="same").exclude(decided_at=None)
    assert list(left.values_list("taken", "decided_by")) == [(False, PHONE.ref)] * 2


@pytest.mark.full
def test_who_writes_his_own_value_as_a_correction_settles_every_claim_of_it() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    for actor in (PHONE, OTHER):
        submit(sheet, written=HUNDRED, actor=actor)
    submit(sheet, 1, 1, written=HUNDRED, reason="counted again")
    assert list(DealClaim.objects.values_list("taken", flat=True)) == [True, True]
    event = AuditEvent.objects.filter(chain=sheet.chain_name, action="deal_written").last()
    assert event is not None
    assert set(event.data["claims_taken"]) == {str(c.pk) for c in DealClaim.objects.all()}


def test_who_writes_something_else_yet_withdraws_his_claim_and_the_trail_tells() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    submit(sheet, written=HUNDRED)
    submit(sheet, 1, 1, written=NINETY | {"points": {"NS": 95}}, reason="counted again")
    assert DealClaim.objects.get().taken is False
    assert actions(sheet) == ["deal_written", "deal_claimed", "deal_written", "claim_left"]


def test_what_was_corrected_since_is_known_already_but_not_after_an_undo() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    write(sheet, 1, 1, written=HUNDRED, reason="misread")
    assert submit(sheet).outcome == "same"
    deal_undo(sheet_id=sheet.pk, number=1, seen_version=2, uuid=uuid.uuid4(), actor=TESTS)
    write(sheet, 2)
    deal_undo(sheet_id=sheet.pk, number=2, seen_version=1, uuid=uuid.uuid4(), actor=TESTS)
    assert submit(sheet, 2).outcome == "claimed"


@pytest.mark.full
def test_a_closed_sheet_keeps_what_comes_late() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))
    assert submit(sheet, 1).outcome == "same"
    submission = submit(sheet, 2)
    assert submission.claim is not None
    assert (submission.outcome, submission.claim.why, submission.claim.against) == (
        "claimed",
        "late",
        None,
    )
    assert figures(sheet) == (1, 90, 72)


@pytest.mark.full
def test_a_sheet_that_handed_in_totals_keeps_a_deal_for_the_director() -> None:
    sheet = sheet_of()
    totals = {"NS": HandedIn(points=400), "EW": HandedIn(points=248)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    submission = submit(sheet, 2)
    assert submission.claim is not None
    assert (submission.outcome, submission.claim.why, submission.deal.version) == (
        "claimed",
        "late",
        0,
    )


def test_a_sheet_that_came_to_its_target_keeps_a_further_deal_for_the_director() -> None:
    sheet = sheet_of()
    Scoresheet.objects.filter(pk=sheet.pk).update(target=162)
    write(sheet, 1, written=NINETY | {"points": {"NS": 162}, "pit": "NS"})
    submission = submit(sheet, 2)
    assert submission.claim is not None
    assert (submission.outcome, submission.claim.why, submission.deal.version) == (
        "claimed",
        "late",
        0,
    )


def test_a_phone_that_was_cut_off_writes_nothing_on_an_empty_line() -> None:
    sheet = sheet_of()
    submission = submit(sheet, why="cut_off")
    assert submission.claim is not None
    assert (submission.outcome, submission.claim.why) == ("claimed", "cut_off")
    write(sheet, 1)
    assert submit(sheet, why="cut_off").outcome == "same"
    assert list(DealClaim.objects.values_list("why", "taken")) == [("cut_off", True)]


@pytest.mark.full
@pytest.mark.parametrize("why", [None, "cut_off"])
def test_whoever_says_the_same_over_and_over_fills_no_disk(why: str | None) -> None:
    """As with a photographed code: a new request each time, with the link replaced or not."""
    sheet = sheet_of()
    write(sheet, 1)
    events = AuditEvent.objects.count()
    for _ in range(5):
        assert submit(sheet, why=why).outcome == "same"
    rows = 0 if why else 1
    assert (DealClaim.objects.count(), AuditEvent.objects.count()) == (rows, events + rows)


def test_a_phone_that_was_cut_off_confirms_nothing() -> None:
    sheet = sheet_of()
    submit(sheet, side="NS")
    assert submit(sheet, why="cut_off", side="EW", actor=OTHER).outcome == "same"
    assert DealConfirmation.objects.count() == 0
    assert submit(sheet, side="EW", actor=OTHER).outcome == "same"
    assert DealConfirmation.objects.count() == 1


def test_a_sheet_says_why_it_keeps_nothing() -> None:
    sheet = sheet_of()
    assert refused(sheet, 5) == "deal_unknown"
    Scoresheet.objects.filter(pk=sheet.pk).update(state="planned")
    assert refused(sheet, why="cut_off") == "sheet_not_started"
    Scoresheet.objects.filter(pk=sheet.pk).update(state="closed")
    with pytest.raises(DealRefused) as caught:
        submit(sheet, written=NINETY | {"points": {"NS": 161}})
    assert [fault.code for fault in caught.value.faults] == ["points_unreachable"]
    assert refused(sheet, reason="x" * 201) == "reason_too_long"


def test_where_both_sides_write_the_second_is_compared_and_never_overwrites() -> None:
    sheet = sheet_of()
    assert submit(sheet, 1, side="NS").outcome == "written"
    assert deal(sheet, 1).current.side == "NS"  # type: ignore[union-attr]
    assert submit(sheet, 1, 1, side="EW", actor=OTHER).outcome == "same"
    assert list(DealConfirmation.objects.values_list("side", "actor")) == [("EW", OTHER.ref)]
    submit(sheet, 2, side="NS")
    different = submit(sheet, 2, 1, side="EW", written=HUNDRED, reason="so", actor=OTHER)
    assert different.claim is not None
    assert (different.outcome, different.claim.side) == ("claimed", "EW")
    assert figures(sheet) == (2, 180, 144)
    assert submit(sheet, 2, 1, side="NS", written=HUNDRED, reason="they are right").outcome == (
        "written"
    )
    assert open_values(sheet) == []


@pytest.mark.full
def test_a_line_that_the_other_side_took_back_is_free_to_write() -> None:
    sheet = sheet_of()
    submit(sheet, side="NS")
    undone: dict[str, Any] = {"seen_version": 1, "uuid": uuid.uuid4(), "side": "NS"}
    deal_undo(sheet_id=sheet.pk, number=1, actor=TESTS, **undone)
    submission = submit(sheet, side="EW", uuid=ONE, written=HUNDRED)
    assert (submission.outcome, submission.deal.version) == ("written", 3)
    assert submit(sheet, side="EW", uuid=ONE, written=HUNDRED) == submission


def test_a_side_that_gives_in_withdraws_what_another_phone_of_it_claimed() -> None:
    sheet = sheet_of()
    submit(sheet, side="NS")
    submit(sheet, side="EW", written=HUNDRED, actor=OTHER)
    assert submit(sheet, side="EW", actor=TESTS).outcome == "same"
    assert open_values(sheet) == []


@pytest.mark.full
def test_what_the_director_wrote_is_not_overwritten_by_a_side() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    assert submit(sheet, 1, 1, side="NS", written=HUNDRED, reason="no").outcome == "claimed"
    assert submit(sheet, 1, 1, side="EW").outcome == "same"


def test_an_objection_is_kept_also_where_nobody_has_a_side_of_his_own() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    objected = submit(sheet, 1, 1, written=HUNDRED, side="EW", why="objected")
    assert objected.claim is not None
    assert (objected.claim.why, objected.claim.side) == ("objected", "EW")
    assert submit(sheet, 1, 1, side="EW", why="objected").outcome == "same"
    assert DealConfirmation.objects.get().side == "EW"
    assert open_values(sheet) == []


def test_at_a_table_of_three_nobody_has_a_side() -> None:
    sheet = sheet_of_three()
    line = {"declarer": "N", "trump": "H", "points": {"NS": 90}, "seats": ["N", "E", "W"]}
    assert submit(sheet, written=line, side="NS").outcome == "written"
    assert deal(sheet, 1).current.side == ""  # type: ignore[union-attr]
    other = line | {"points": {"NS": 100}}
    objected = submit(sheet, 1, 1, written=other, side="E", why="objected")
    assert objected.claim is not None
    assert (objected.outcome, objected.claim.side) == ("claimed", "")
    assert submit(sheet, 1, 1, written=line, side="E", why="objected").outcome == "same"
    assert DealConfirmation.objects.get().side == "E"


def test_nobody_buries_the_director_under_values_for_one_deal() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    for n in range(12):
        assert submit(sheet, written=HUNDRED, device=f"phone:{n}").outcome == "claimed"
    assert refused(sheet, written=HUNDRED, device="phone:12") == "too_many_claims"
    assert submit(sheet, written=NINETY, device="phone:12").outcome == "same"
    assert submit(sheet, written=HUNDRED, device="phone:3").outcome == "claimed"
    assert len(open_values(sheet)) == 12


@pytest.mark.full
def test_one_phone_that_keeps_changing_its_mind_comes_to_an_end() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    for n in range(200):
        points = {"NS": 100 + n % 50}
        assert submit(sheet, written=NINETY | {"points": points}).outcome == "claimed"
    assert refused(sheet, written=NINETY | {"points": {"NS": 20}}) == "too_many_claims"
    assert open_values(sheet) == [149]
