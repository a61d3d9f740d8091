"""Programs that write at the same moment through the API, on either database."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from clubs.audit.services import chain_faults
from clubs.models import ApiAnswer, Club, Member
from scoring.models import DealEntry, Scoresheet
from tests.api.caller import Caller, Json, new_key
from tests.concurrency import at_once
from tests.factories import director_of, evening_with_draw, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
DEAL = "rounds/1/tables/1/deals/1/"
PROGRAMS = 8


def all_at_once(act: Callable[[Caller, int], Any], *, callers: int = 1) -> list[Any]:
    """What eight programs are answered that do this together: of one person, or of several."""
    evening = evening_with_draw(players=4)
    people = [director_of(evening.club) for _ in range(callers)]
    programs = [Caller(people[place % callers], EVENING) for place in range(PROGRAMS)]
    return at_once([partial(act, program, place) for place, program in enumerate(programs)])


def body(points: int, version: int = 0) -> Json:
    return {
        "version": version,
        "written": {"declarer": "N", "trump": "H", "points": {"NS": points}},
    }


def outcomes(answers: list[Any]) -> Counter[tuple[int, str | None]]:
    """How often each came out: the status, and for an error its code."""
    return Counter((answer.status_code, answer.json().get("code")) for answer in answers)


def trails_hold() -> bool:
    return all(
        chain_faults(chain) == () for model in (Club, Scoresheet) for chain in model.objects.all()
    )


def test_one_request_sent_by_eight_at_once_is_written_once_and_answered_alike() -> None:
    key = new_key()
    answers = all_at_once(
        lambda program, _place: program.send("PUT", DEAL, body(90), idempotency_key=key)
    )
    assert outcomes(answers) == {(200, None): PROGRAMS}
    assert len({answer.content for answer in answers}) == 1
    assert sorted(answer.get("Idempotent-Replayed", "") for answer in answers) == [
        "",
        *["true"] * (PROGRAMS - 1),
    ]
    assert (DealEntry.objects.count(), ApiAnswer.objects.count()) == (1, 1)
    assert trails_hold()


def test_one_key_with_eight_contents_at_once_is_good_for_one() -> None:
    key = new_key()
    answers = all_at_once(
        lambda program, place: program.send("PUT", DEAL, body(90 + place), idempotency_key=key)
    )
    assert outcomes(answers) == {(200, None): 1, (422, "key_reused"): PROGRAMS - 1}
    assert DealEntry.objects.count() == 1


@pytest.mark.parametrize("callers", [1, PROGRAMS])
def test_of_eight_who_saw_the_same_version_one_wins_and_the_others_see_it(callers: int) -> None:
    answers = all_at_once(
        lambda program, place: program.send(
            "PUT", DEAL, body(90 + place), idempotency_key=new_key()
        ),
        callers=callers,
    )
    assert outcomes(answers) == {(200, None): 1, (409, "version_conflict"): PROGRAMS - 1}
    [won] = [answer.json() for answer in answers if answer.status_code == 200]
    lost = [answer.json()["current"] for answer in answers if answer.status_code == 409]
    assert lost == [won] * (PROGRAMS - 1)
    assert Scoresheet.objects.get(pk=table_sheet()).version == 1
    assert trails_hold()


def test_a_guest_sent_by_eight_at_once_walks_in_once() -> None:
    key = new_key()
    answers = all_at_once(
        lambda program, _place: program.send(
            "POST", "registrations/", {"name": "Ans Vrij"}, idempotency_key=key
        )
    )
    assert outcomes(answers) == {(201, None): PROGRAMS}
    assert len({answer.content for answer in answers}) == 1
    assert Member.objects.filter(kind="guest").count() == 1


def test_a_round_closed_by_eight_at_once_under_one_key_is_closed_once() -> None:
    key = new_key()
    answers = all_at_once(
        lambda program, _place: program.send(
            "POST", "rounds/1/close/", {"reason": "late"}, idempotency_key=key
        )
    )
    assert outcomes(answers) == {(200, None): PROGRAMS}
    assert len({answer.content for answer in answers}) == 1


def table_sheet() -> int:
    """The id of the only sheet that is being played."""
    return table(Club.objects.get().evenings.get()).sheet_id
