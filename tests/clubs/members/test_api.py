"""A club's people through the API."""

import json
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import ApiAnswer, Member
from clubs.privacy.erasing import member_erase
from tests.api.caller import Caller, new_key
from tests.api.problems import not_found, problem, wrong
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    director_of,
    organiser_of,
    scorekeeper_of,
)

pytestmark = pytest.mark.django_db


def shown(pk: int, **other: Any) -> dict[str, Any]:
    return {
        "id": pk,
        "number": 1,
        "name": "Jan Bakker",
        "kind": "member",
        "email": "",
        "phone": "",
        "addition": "",
        "street": "",
        "postcode": "",
        "town": "",
        "birthday": None,
        "member_since": None,
        "public_as": "name",
        "public_name": "",
        "keeps_table": False,
        "desk_name": "Jan Bakker",
        "shown_name": "Jan Bakker",
        "is_active": True,
        "erased": False,
        "version": 1,
    } | other


def members_of(club: Any) -> str:
    return f"clubs/{club.slug}/members/"


def test_who_keeps_them_reads_them_by_surname() -> None:
    club = ClubFactory.create()
    jan, mia = MemberFactory.create(club=club), MemberFactory.create(club=club)
    MemberFactory.create(club=ClubFactory.create())
    answer = Caller(organiser_of(club)).get(members_of(club))
    assert answer == {
        "count": 2,
        "next": None,
        "previous": None,
        "results": [
            shown(jan.pk),
            shown(
                mia.pk,
                number=2,
                name="Mia van der Meer",
                desk_name="Mia van der Meer",
                shown_name="Mia van der Meer",
            ),
        ],
    }


@pytest.mark.full
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["Jan Bakker", "Piet Visser"]),
        ("?q=bak", ["Jan Bakker"]),
        ("?q=3", ["Piet Visser"]),
        ("?show=guests", ["Piet Visser"]),
        ("?show=inactive", ["Mia van der Meer"]),
        ("?show=all", ["Jan Bakker", "Mia van der Meer", "Piet Visser"]),
    ],
)
def test_a_part_of_them_can_be_asked_for(asked: str, found: list[str]) -> None:
    club = ClubFactory.create()
    MemberFactory.create(club=club)
    Member.objects.filter(pk=MemberFactory.create(club=club).pk).update(is_active=False)
    Member.objects.filter(pk=MemberFactory.create(club=club).pk).update(kind="guest")
    answer = Caller(organiser_of(club)).get(members_of(club) + asked)
    assert [one["name"] for one in answer["results"]] == found


def test_what_cannot_be_asked_for_is_said() -> None:
    club = ClubFactory.create()
    payload = "Select a valid choice. some is not one of the available choices."
    answer = Caller(organiser_of(club)).get(members_of(club) + "?show=some", status=400)
    errors = [{"field": "show", "code": "invalid_choice", "message": payload}]
    assert answer == problem(400, "bad_query", payload, errors=errors)


@pytest.mark.parametrize("make", [director_of, scorekeeper_of])
def test_the_others_of_the_team_do_not(make: Any) -> None:
    club = ClubFactory.create()
    assert Caller(make(club)).get(members_of(club), status=403)["code"] == "not_allowed"


def test_nobody_else_does() -> None:
    club, other = ClubFactory.create(), ClubFactory.create()
    assert Caller(None).get(members_of(club), status=401)["code"] == "not_authenticated"
    assert Caller(organiser_of(other)).get(members_of(club), status=403)["code"] == "not_allowed"


def test_a_token_needs_the_scope() -> None:
    club = ClubFactory.create()
    user = organiser_of(club)
    reader, keeper = Caller(user, scopes=("read",)), Caller(user, scopes=("members",))
    assert reader.get(members_of(club))["count"] == 0
    assert reader.post(members_of(club), {"name": "Jan"}, status=403)["code"] == "scope_missing"
    assert keeper.get(members_of(club), status=403)["code"] == "scope_missing"
    assert keeper.post(members_of(club), {"name": "Jan"}, status=201)["name"] == "Jan"


def test_the_list_takes_five_queries_however_many_there_are(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    MemberFactory.create(club=club)
    organiser.get(members_of(club))
    with django_assert_num_queries(5):
        organiser.get(members_of(club))
    MemberFactory.create(club=club)
    MemberFactory.create(club=club)
    with django_assert_num_queries(5):
        assert organiser.get(members_of(club))["count"] == 3


def test_somebody_is_added() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    sent = {"name": "  Jan   Bakker ", "number": 1, "email": "jan@example.org"}
    answer = organiser.post(members_of(club), sent, status=201)
    assert answer == shown(answer["id"], email="jan@example.org")
    assert organiser.get(f"{members_of(club)}{answer['id']}/") == answer


def test_the_same_key_again_adds_nobody() -> None:
    club = ClubFactory.create()
    organiser, key = Caller(organiser_of(club)), new_key()
    first = organiser.send("POST", members_of(club), {"name": "Jan"}, idempotency_key=key)
    again = organiser.send("POST", members_of(club), {"name": "Jan"}, idempotency_key=key)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.json()) == (201, first.json())
    assert Member.objects.count() == 1


def test_without_a_key_a_namesake_is_added() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    for _ in range(2):
        organiser.post(members_of(club), {"name": "Jan"}, status=201)
    assert Member.objects.count() == 2


def test_what_is_wrong_with_him_is_said() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    sent = {"number": 0, "kind": "friend", "email": "jan", "keeps_table": "x"}
    answer = organiser.post(members_of(club), sent, status=422)
    assert [(error["field"], error["code"]) for error in answer["errors"]] == [
        ("name", "required"),
        ("number", "min_value"),
        ("kind", "invalid_choice"),
        ("email", "invalid"),
        ("keeps_table", "invalid"),
    ]
    MemberFactory.create(club=club)
    taken = organiser.post(members_of(club), {"name": "Piet", "number": 1}, status=422)
    assert taken == problem(422, "number_taken", "Number 1 already belongs to Jan Bakker.")


def test_a_key_that_means_nothing_is_reported_with_the_other_faults() -> None:
    club = ClubFactory.create()
    sent = {"naam": "Jan", "number": 0, "version": 1}
    answer = Caller(organiser_of(club)).post(members_of(club), sent, status=422)
    assert [(error["field"], error["code"]) for error in answer["errors"]] == [
        ("name", "required"),
        ("number", "min_value"),
        ("naam", "unknown_key"),
        ("version", "unknown_key"),
    ]
    answer = Caller(organiser_of(club)).post(
        members_of(club), {"name": "Jan", "is_active": False}, status=422
    )
    assert answer == wrong("is_active", "unknown_key", "This means nothing here.")
    assert not Member.objects.exists()


def test_an_object_is_wanted() -> None:
    club = ClubFactory.create()
    answer = Caller(organiser_of(club)).post(members_of(club), ["Jan"], status=422)
    assert [error["field"] for error in answer["errors"]] == [""]


def test_his_details_are_changed_and_what_is_left_out_stays() -> None:
    club = ClubFactory.create()
    jan = MemberFactory.create(club=club, phone="0201234567")
    organiser, path = Caller(organiser_of(club)), f"{members_of(club)}{jan.pk}/"
    answer = organiser.ask("PATCH", path, {"public_as": "initials", "version": 1})
    assert answer == shown(
        jan.pk, phone="0201234567", public_as="initials", shown_name="J. B.", version=2
    )


def test_he_is_taken_off_the_list_and_put_back() -> None:
    club = ClubFactory.create()
    jan = MemberFactory.create(club=club)
    organiser, path = Caller(organiser_of(club)), f"{members_of(club)}{jan.pk}/"
    off = organiser.ask("PATCH", path, {"is_active": False}, if_match='"1"')
    assert off == shown(jan.pk, is_active=False, version=3)
    assert organiser.ask("PATCH", path, {"is_active": True}, if_match='W/"3"')["is_active"]


def test_who_saw_an_older_version_is_shown_what_stands_now() -> None:
    club = ClubFactory.create()
    jan = MemberFactory.create(club=club)
    organiser, path = Caller(organiser_of(club)), f"{members_of(club)}{jan.pk}/"
    organiser.ask("PATCH", path, {"phone": "1", "version": 1})
    answer = organiser.ask("PATCH", path, {"phone": "2", "version": 1}, status=409)
    payload = "Somebody else has just changed this person. Please check it again."
    now = shown(jan.pk, phone="1", version=2)
    assert answer == problem(409, "version_conflict", payload, current=now)


@pytest.mark.parametrize("version", ["x", "-1", "0", "99999999999999999999"])
def test_a_version_that_never_was_is_an_older_one(version: str) -> None:
    club = ClubFactory.create()
    jan = MemberFactory.create(club=club)
    organiser, path = Caller(organiser_of(club)), f"{members_of(club)}{jan.pk}/"
    answer = organiser.ask("PATCH", path, {"phone": "1"}, if_match=f'"{version}"', status=409)
    assert answer["current"] == shown(jan.pk)


def test_who_is_of_another_club_is_not_there() -> None:
    club = ClubFactory.create()
    stranger = MemberFactory.create(club=ClubFactory.create())
    organiser, path = Caller(organiser_of(club)), f"{members_of(club)}{stranger.pk}/"
    assert organiser.get(path, status=404) == not_found()
    assert organiser.ask("PATCH", path, {"name": "X", "version": 1}, status=404) == not_found()
    huge = f"{members_of(club)}{10**30}/"
    assert organiser.get(huge, status=404) == not_found()


def test_of_who_is_erased_nothing_stays_in_what_was_answered() -> None:
    club, other = ClubFactory.create(), ClubFactory.create()
    organiser = Caller(organiser_of(club))
    elsewhere = Caller(organiser_of(other))
    made = organiser.post(members_of(club), {"name": "Jan"}, status=201, idempotency_key=new_key())
    elsewhere.post(members_of(other), {"name": "Piet"}, status=201, idempotency_key=new_key())
    member_erase(member=Member.objects.get(pk=made["id"]), actor=TESTS)
    kept = [json.loads(str(answer.body)) for answer in ApiAnswer.objects.all()]
    assert [body["name"] for body in kept] == ["Piet"]
    payload = "The details of this person were erased and do not come back."
    path = f"{members_of(club)}{made['id']}/"
    now = organiser.get(path)
    answer = organiser.ask("PATCH", path, {"name": "X", "version": now["version"]}, status=422)
    assert answer == problem(422, "member_erased", payload)


@pytest.mark.parametrize("name", ["\x7f", "\x01 \x02"])
def test_a_name_that_cannot_be_read_is_none(name: str) -> None:
    club = ClubFactory.create()
    answer = Caller(organiser_of(club)).post(members_of(club), {"name": name}, status=422)
    assert answer == problem(422, "name_missing", "Fill in a name.")


def test_wrong_values_are_reported_by_field() -> None:
    club = ClubFactory.create()
    answer = Caller(organiser_of(club)).post(members_of(club), {"name": "  "}, status=422)
    assert answer == wrong("name", "blank", "This field may not be blank.")


def test_people_of_one_name_are_told_apart() -> None:
    """The other's version rises: what a program read of them is old by now."""
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    jan = {"name": "Jan de Vries", "town": "Edam"}
    first = organiser.post(members_of(club), jan, status=201)
    other = jan | {"addition": "sr.", "town": "Volendam"}
    second = organiser.post(members_of(club), other, status=201)
    again = organiser.get(f"{members_of(club)}{first['id']}/")
    assert [
        (member["desk_name"], member["shown_name"], member["version"])
        for member in (first, second, again)
    ] == [
        ("Jan de Vries", "Jan de Vries", 1),
        ("Jan de Vries (sr.)", "Jan de Vries (sr.)", 1),
        ("Jan de Vries (Edam)", "Jan de Vries (a)", 2),
    ]
