"""A key makes that something is done once, however often and from wherever it is asked for."""

import datetime as dt
import uuid
from collections import Counter

import pytest
import time_machine

from clubs.models import ApiAnswer, AuditEvent, Club, Member
from tests.api.caller import Caller, new_key
from tests.api.problems import problem
from tests.concurrency import at_once
from tests.factories import ClubFactory, MemberFactory, organiser_of

pytestmark = pytest.mark.django_db
PATH = "clubs/vrolijke-boer/members/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> Caller:
    return Caller(organiser_of(club))


@pytest.mark.both
def test_the_same_key_with_something_else_is_refused(organiser: Caller) -> None:
    key = new_key()
    organiser.post(PATH, {"name": "Jan"}, status=201, idempotency_key=key)
    answer = organiser.post(PATH, {"name": "Piet"}, status=422, idempotency_key=key)
    payload = "This Idempotency-Key was used before, for something else."
    assert answer == problem(422, "key_reused", payload)
    assert list(Member.objects.values_list("name", flat=True)) == ["Jan"]


def test_how_it_is_spaced_and_ordered_makes_it_nothing_else(organiser: Caller) -> None:
    key = new_key()
    first = organiser.post(PATH, {"name": "Jan", "number": 3}, status=201, idempotency_key=key)
    again = organiser.post(
        PATH, {"number": 3, "name": "Jan"}, status=201, idempotency_key=key.upper()
    )
    assert again == first


@pytest.mark.parametrize("key", ["", "x", "1234", "'; --", "é"])
def test_a_key_is_a_uuid(organiser: Caller, key: str) -> None:
    answer = organiser.post(PATH, {"name": "Jan"}, status=400, idempotency_key=key)
    payload = "Send an Idempotency-Key: a UUID of your own making, a new one for each write."
    assert answer == problem(400, "bad_key", payload)
    assert not Member.objects.exists()


def test_a_refusal_is_not_kept(club: Club, organiser: Caller) -> None:
    key = new_key()
    jan = MemberFactory.create(club=club)
    sent = {"name": "Piet", "number": jan.number}
    organiser.post(PATH, sent, status=422, idempotency_key=key)
    Member.objects.filter(pk=jan.pk).update(number=77)
    organiser.post(PATH, sent, status=201, idempotency_key=key)


def test_what_was_answered_is_forgotten_after_a_month(organiser: Caller) -> None:
    keys = [new_key(), new_key()]
    with time_machine.travel("2026-11-21 20:00+01:00") as clock:
        organiser.post(PATH, {"name": "Jan"}, status=201, idempotency_key=keys[0])
        clock.shift(dt.timedelta(days=29))
        organiser.post(PATH, {"name": "Jan"}, status=201, idempotency_key=keys[0])
        assert Member.objects.count() == 1
        clock.shift(dt.timedelta(days=2))
        organiser.post(PATH, {"name": "Piet"}, status=201, idempotency_key=keys[1])
    assert [answer.key for answer in ApiAnswer.objects.all()] == [uuid.UUID(keys[1])]


def test_the_key_of_one_is_not_that_of_another(club: Club, organiser: Caller) -> None:
    other, key = Caller(organiser_of(club)), new_key()
    organiser.post(PATH, {"name": "Jan"}, status=201, idempotency_key=key)
    other.post(PATH, {"name": "Jan"}, status=201, idempotency_key=key)
    assert Member.objects.count() == 2


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_eight_at_once_with_one_key_are_answered_alike(organiser: Caller) -> None:
    key = str(uuid.uuid4())

    def act() -> tuple[int, str]:
        answer = organiser.send("POST", PATH, {"name": "Jan"}, idempotency_key=key)
        return answer.status_code, answer.content.decode()

    answers = Counter(str(answer) for answer in at_once([act] * 8))
    assert list(answers.values()) == [8]
    assert (Member.objects.count(), ApiAnswer.objects.count()) == (1, 1)
    assert AuditEvent.objects.filter(action="member_added").count() == 1


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_eight_at_once_who_saw_the_same_one_changes_it(club: Club, organiser: Caller) -> None:
    jan = MemberFactory.create(club=club)

    def change(number: int) -> int:
        sent = {"phone": str(number), "version": 1}
        status: int = organiser.send("PATCH", f"{PATH}{jan.pk}/", sent).status_code
        return status

    acts = [lambda number=number: change(number) for number in range(8)]
    assert Counter(at_once(acts)) == {200: 1, 409: 7}
