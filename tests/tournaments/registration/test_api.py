"""Who is here, through the API."""

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.api.caller import Caller, Json, new_key
from tests.api.problems import not_found, wrong
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
)
from tournaments.closing.services import evening_cancel
from tournaments.models import Registration
from tournaments.registration.check_in import presence_set

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
LIST = "registrations/"
NOBODY = "Nobody of this club has this id."


@pytest.fixture
def club() -> Club:
    club = ClubFactory.create()
    EveningFactory.create(club=club)
    return club


@pytest.fixture
def director(club: Club) -> Caller:
    return Caller(director_of(club), EVENING)


def row(member: Member, **other: object) -> Json:
    """As the list has somebody who said nothing yet."""
    return {
        "member": member.pk,
        "name": member.name,
        "number": member.number,
        "kind": member.kind,
        "present": False,
        "absence": "",
        "has_paid": False,
    } | other


def test_the_list_has_who_may_come_and_who_is_here(club: Club, director: Caller) -> None:
    jan, mia = MemberFactory.create(club=club), MemberFactory.create(club=club)
    MemberFactory.create(club=ClubFactory.create())
    director.put(f"{LIST}{mia.pk}/", {"present": True})
    page = {"count": 2, "next": None, "previous": None}
    assert director.get(LIST) == {**page, "results": [row(jan), row(mia, present=True)]}
    assert director.get(f"{LIST}?present=true")["results"] == [row(mia, present=True)]
    assert director.get(f"{LIST}?present=false")["results"] == [row(jan)]
    payload = director.get(f"{LIST}?present=perhaps", status=400)
    assert [error["field"] for error in payload["errors"]] == ["present"]


@pytest.mark.full
def test_somebody_is_signed_off_and_comes_after_all(club: Club, director: Caller) -> None:
    jan = MemberFactory.create(club=club)
    at = f"{LIST}{jan.pk}/"
    assert director.put(at, {"present": False, "absence": "notice"}) == row(jan, absence="notice")
    assert director.put(at, {"present": True}) == row(jan, present=True)
    payload = director.put(at, {"present": False, "absence": "ill"}, status=422)
    assert [error["field"] for error in payload["errors"]] == ["absence"]


def test_several_come_and_go_at_once(club: Club, director: Caller) -> None:
    jan, mia, piet = (MemberFactory.create(club=club) for _ in range(3))
    assert director.ask("PATCH", LIST, {"arrived": [jan.pk, mia.pk]}) == {"present": 2}
    assert director.ask("PATCH", LIST, {"arrived": [piet.pk], "left": [jan.pk]}) == {"present": 2}
    here = Registration.objects.filter(present=True).order_by("member__number")
    assert list(here.values_list("member", flat=True)) == [mia.pk, piet.pk]


def test_who_is_of_another_club_is_nobody_here(club: Club, director: Caller) -> None:
    jan, other = MemberFactory.create(club=club), MemberFactory.create(club=ClubFactory.create())
    payload = director.ask("PATCH", LIST, {"arrived": [jan.pk, other.pk]}, status=422)
    assert payload == wrong("arrived.1", "unknown_member", NOBODY, whole="unknown_member")
    assert director.put(f"{LIST}{other.pk}/", {"present": True}, status=404) == not_found()
    assert not Registration.objects.exists()


def test_a_guest_walks_in_once(club: Club, director: Caller) -> None:
    key = new_key()
    payload = director.post(LIST, {"name": "Ans Vrij"}, status=201, idempotency_key=key)
    guest = Member.objects.get(kind="guest")
    assert payload == row(guest, present=True)
    again = director.post(LIST, {"name": "Ans Vrij"}, status=201, idempotency_key=key)
    assert again == payload
    assert director.post(LIST, {"name": "ans vrij"}) == payload
    assert Member.objects.count() == 1
    payload = director.post(LIST, {"name": " "}, status=422)
    assert [error["field"] for error in payload["errors"]] == ["name"]


def test_a_cancelled_evening_takes_nobody(club: Club, director: Caller) -> None:
    jan = MemberFactory.create(club=club)
    evening_cancel(evening_id=club.evenings.get().pk, actor=TESTS)
    payload = director.put(f"{LIST}{jan.pk}/", {"present": True}, status=422)
    assert payload["code"] == "evening_state"


@pytest.mark.full
def test_only_a_director_sees_and_sets_the_list(club: Club) -> None:
    jan = MemberFactory.create(club=club)
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(club), EVENING), 403),
        (Caller(director_of(club), EVENING, ("deals", "members")), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        caller.get(LIST, status=status)
        caller.post(LIST, {"name": "Ans"}, status=status)
        caller.ask("PATCH", LIST, {"arrived": [jan.pk]}, status=status)
        caller.put(f"{LIST}{jan.pk}/", {"present": True}, status=status)
    assert not Registration.objects.exists()


@pytest.mark.parametrize("players", [4, 12])
def test_the_list_takes_as_many_queries_however_many_come(
    players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=players)
    presence_set(evening_id=evening.pk, member=Member.objects.all()[0], present=False, actor=TESTS)
    director = Caller(director_of(evening.club), EVENING)
    director.get(LIST)
    with django_assert_num_queries(6):
        assert director.get(LIST)["count"] == players
