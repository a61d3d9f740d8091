"""Clubs through the API."""

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEvent, Club
from tests.api.caller import Caller
from tests.api.problems import not_found, problem, wrong
from tests.factories import ClubFactory, director_of, organiser_of

pytestmark = pytest.mark.django_db
nobody = Caller(None)


def shown(club: Club) -> dict[str, object]:
    return {
        "slug": club.slug,
        "name": club.name,
        "language": "nl",
        "pit_word": "pit",
        "sit_out_word": "sit_out",
        "roem_letters": "",
    }


def without_version(answer: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in answer.items() if key != "version"}


def test_anybody_reads_which_clubs_there_are() -> None:
    one, two = ClubFactory.create(), ClubFactory.create(name="Aas en Nel")
    answer = nobody.get("clubs/")
    assert {key: answer[key] for key in ("count", "next", "previous")} == {
        "count": 2,
        "next": None,
        "previous": None,
    }
    assert [without_version(club) for club in answer["results"]] == [shown(two), shown(one)]
    assert [club["slug"] for club in nobody.get("clubs/?q=nel")["results"]] == [two.slug]


def test_a_list_comes_in_pages_that_lead_to_each_other() -> None:
    for number in range(5):
        ClubFactory.create(slug=f"c{number}", name=f"Club {number}")
    first = nobody.get("clubs/?page_size=2&q=Club")
    assert (first["count"], first["previous"]) == (5, None)
    second = nobody.get(first["next"].removeprefix("/api/v1/"))
    assert [club["slug"] for club in second["results"]] == ["c2", "c3"]
    assert second["previous"] == "/api/v1/clubs/?page_size=2&q=Club&page=1"
    third = nobody.get(second["next"].removeprefix("/api/v1/"))
    assert ([club["slug"] for club in third["results"]], third["next"]) == (["c4"], None)


def test_a_text_that_no_name_can_hold_is_said() -> None:
    payload = "Null characters are not allowed."
    errors = [{"field": "q", "code": "null_characters_not_allowed", "message": payload}]
    assert nobody.get("clubs/?q=%00", status=400) == problem(
        400, "bad_query", payload, errors=errors
    )


def test_a_head_is_answered_without_what_it_is_about() -> None:
    club = ClubFactory.create()
    answer = nobody.send("HEAD", f"clubs/{club.slug}/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert nobody.send("HEAD", "score/").status_code == 405
    assert nobody.send("HEAD", f"clubs/{club.slug}/members/").status_code == 401


@pytest.mark.parametrize("page", ["0", "6", "-1", "x", "999999999999999999999"])
def test_a_page_that_is_not_there_is_not_found(page: str) -> None:
    ClubFactory.create()
    answer = nobody.get(f"clubs/?page={page}", status=404)
    assert answer == problem(404, "not_found", "Invalid page.")


@pytest.mark.parametrize("size", ["0", "-3", "x", "99999999999999999999"])
def test_a_page_size_that_makes_no_sense_is_the_usual_or_the_largest(size: str) -> None:
    ClubFactory.create()
    assert nobody.get(f"clubs/?page_size={size}")["count"] == 1


def test_the_list_takes_two_queries_however_many_there_are(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ClubFactory.create()
    nobody.get("clubs/")
    with django_assert_num_queries(2):
        nobody.get("clubs/")
    ClubFactory.create()
    ClubFactory.create()
    with django_assert_num_queries(2):
        assert nobody.get("clubs/")["count"] == 3


def test_anybody_reads_a_club_and_asks_whether_it_is_another_one() -> None:
    club = ClubFactory.create()
    answer = nobody.send("GET", f"clubs/{club.slug}/")
    assert without_version(answer.json()) == shown(club)
    tag = answer.headers["ETag"]
    assert answer.headers["Vary"] == "Authorization, Cookie"
    again = nobody.send("GET", f"clubs/{club.slug}/", if_none_match=tag)
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    club.name = "Nel"
    club.save_changes("name")
    assert nobody.send("GET", f"clubs/{club.slug}/", if_none_match=tag).status_code == 200


def test_a_club_that_is_not_there_is_not_found() -> None:
    assert nobody.get("clubs/nergens/", status=404) == not_found()
    assert nobody.get("clubs/nergens/members/", status=404) == not_found()


def test_its_organiser_changes_it_and_what_he_leaves_out_stays() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    seen = organiser.get(f"clubs/{club.slug}/")["version"]
    changed = organiser.ask(
        "PATCH",
        f"clubs/{club.slug}/",
        {"pit_word": "mars", "roem_letters": "D=20", "version": seen},
    )
    assert without_version(changed) == {
        **shown(club),
        "pit_word": "mars",
        "roem_letters": "D=20",
    }
    assert changed == nobody.get(f"clubs/{club.slug}/")
    last = AuditEvent.objects.order_by("pk").last()
    assert last is not None
    assert last.action == "club_changed"
    assert last.texts.get(field="actor").text == "wie1@example.org (test)"


def test_who_saw_an_older_version_is_shown_what_stands_now() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    answer = organiser.send("GET", f"clubs/{club.slug}/")
    tag = answer.headers["ETag"]
    now = organiser.ask("PATCH", f"clubs/{club.slug}/", {"name": "Nel"}, if_match=tag)
    refused = organiser.ask(
        "PATCH", f"clubs/{club.slug}/", {"name": "Boer"}, if_match=tag, status=409
    )
    assert refused == problem(
        409, "version_conflict", "Somebody else changed this in the meantime.", current=now
    )
    assert Club.objects.get().name == "Nel"


def test_who_names_no_version_changes_nothing() -> None:
    club = ClubFactory.create()
    organiser = Caller(organiser_of(club))
    payload = "Say which version you saw: `version` in the body, or If-Match."
    answer = organiser.ask("PATCH", f"clubs/{club.slug}/", {"name": "Nel"}, status=422)
    assert answer == wrong("version", "version_missing", payload, whole="version_missing")


def test_every_fault_is_reported_at_once() -> None:
    club = ClubFactory.create()
    sent = {"name": "", "language": "fr", "roem_letters": "??", "version": "x"}
    answer = Caller(organiser_of(club)).ask("PATCH", f"clubs/{club.slug}/", sent, status=422)
    assert [(error["field"], error["code"]) for error in answer["errors"]] == [
        ("name", "blank"),
        ("language", "invalid_choice"),
        ("roem_letters", "invalid"),
    ]


def test_only_its_organiser_changes_it() -> None:
    club = ClubFactory.create()
    path, sent = f"clubs/{club.slug}/", {"name": "Nel", "version": "x"}
    assert nobody.ask("PATCH", path, sent, status=401)["code"] == "not_authenticated"
    elsewhere = Caller(organiser_of(ClubFactory.create()))
    assert elsewhere.ask("PATCH", path, sent, status=403)["code"] == "not_allowed"
    director = Caller(director_of(club))
    assert director.ask("PATCH", path, sent, status=403)["code"] == "not_allowed"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_what_cannot_be_done_to_it_is_said(method: str) -> None:
    club = ClubFactory.create()
    answer = nobody.ask(method, f"clubs/{club.slug}/", {}, status=405)
    assert answer == problem(405, "method_not_allowed", f'Method "{method}" not allowed.')
    allowed = nobody.send(method, f"clubs/{club.slug}/", {}).headers["Allow"]
    assert set(allowed.split(", ")) == {"GET", "HEAD", "PATCH"}
