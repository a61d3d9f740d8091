"""Entries over the API."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import (
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    organiser_of,
)
from tests.tournaments.entries import enter, on_list, open_entries
from tournaments.models import Entry, EntryPerson, Evening
from tournaments.models.entry import MOST_ENTRIES

pytestmark = pytest.mark.django_db

ENTRIES = "/api/v1/clubs/vrolijke-boer/evenings/2026-12-04/entries/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club, date=date(2026, 12, 4))


def caller(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, method: str, path: str, **payload: Any) -> Any:
    return getattr(client, method)(path, payload, content_type="application/json")


def test_somebody_is_entered_confirmed_withdrawn_and_put_back(evening: Evening) -> None:
    organiser = caller(organiser_of(evening.club))
    open_entries(evening, maximum=1)
    one = send(organiser, "post", ENTRIES, people=["Jan Bakker"], email="jan@example.org")
    two = send(organiser, "post", ENTRIES, people=["Mia Kok"])
    assert (one.status_code, one.json()["state"], one.json()["turn"]) == (201, "entered", 0)
    assert (two.json()["state"], two.json()["turn"]) == ("waiting", 1)
    detail = f"{ENTRIES}{one.json()['id']}/"
    assert send(organiser, "patch", detail, on_list=False).json()["state"] == "withdrawn"
    assert on_list(evening, "entered") == ["Mia Kok"]
    assert send(organiser, "patch", detail, on_list=True).json()["state"] == "waiting"
    listed = organiser.get(ENTRIES, {"show": "waiting"}).json()
    assert [entry["people"][0]["name"] for entry in listed["results"]] == ["Jan Bakker"]
    other = f"{ENTRIES}{two.json()['id']}/"
    here = send(organiser, "patch", other, arrived=True, paid=True).json()
    assert (here["people"][0]["arrived"], here["paid"]) == (True, True)
    assert evening.registrations.get(present=True).member.name == "Mia Kok"


def test_all_that_is_wrong_is_said(evening: Evening) -> None:
    organiser = caller(organiser_of(evening.club))
    open_entries(evening, kind="pair")
    answer = send(organiser, "post", ENTRIES, people=["Jan Bakker", "Mia Kok", "Piet Smit"])
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_entry")
    assert [fault["field"] for fault in answer.json()["errors"]] == ["people"]
    assert organiser.get(ENTRIES, {"show": "onzin"}).status_code == 400
    assert not evening.entries.exists()


@pytest.mark.full
def test_a_director_does_not_read_how_people_are_reached(evening: Evening) -> None:
    enter(evening, "Jan Bakker", email="jan@example.org", remark="rolstoel")
    read = {
        who: caller(user(evening.club)).get(ENTRIES).json()["results"][0]
        for who, user in (("organiser", organiser_of), ("director", director_of))
    }
    assert [read[who]["email"] for who in read] == ["jan@example.org", ""]
    assert [read[who]["remark"] for who in read] == ["rolstoel", ""]


def test_entries_are_opened_by_who_names_the_version(evening: Evening) -> None:
    organiser = caller(organiser_of(evening.club))
    path = f"{ENTRIES}settings/"
    assert organiser.get(path).json()["version"] == "0"
    opened = send(organiser, "patch", path, is_open=True, maximum=24, version="0")
    assert (opened.status_code, opened.json()["version"]) == (200, "1")
    late = send(organiser, "patch", path, maximum=30, version="0")
    assert late.status_code == 409
    raised = send(organiser, "patch", path, maximum=30, version="1").json()
    assert (raised["is_open"], raised["maximum"], raised["version"]) == (True, 30, "2")


def test_a_program_that_goes_on_and_on_is_stopped(evening: Evening) -> None:
    """The list has an end, whoever fills it: nothing is written of what comes after."""
    organiser = caller(organiser_of(evening.club))
    Entry.objects.bulk_create(
        Entry(evening=evening, kind="player", number=number, state="waiting")
        for number in range(1, MOST_ENTRIES + 1)
    )
    Entry.objects.filter(number__gt=1).update(state="withdrawn")
    answer = send(organiser, "post", ENTRIES, people=["Jan Bakker"])
    assert (answer.status_code, answer.json()["code"]) == (422, "entries_enough")
    assert "at most 2000 entries" in answer.json()["detail"]
    assert (evening.entries.count(), EntryPerson.objects.count()) == (MOST_ENTRIES, 0)


def test_somebody_who_withdrew_comes_after_all(evening: Evening) -> None:
    organiser = caller(organiser_of(evening.club))
    open_entries(evening)
    entry = enter(evening, "Jan Bakker")
    detail = f"{ENTRIES}{entry.pk}/"
    send(organiser, "patch", detail, on_list=False)
    here = send(organiser, "patch", detail, arrived=True).json()
    assert (here["state"], here["people"][0]["arrived"]) == ("entered", True)


def test_nobody_is_in_two_pairs_of_one_evening(evening: Evening) -> None:
    organiser = caller(organiser_of(evening.club))
    open_entries(evening, kind="pair")
    MemberFactory.create(club=evening.club, name="Jan Bakker")
    send(organiser, "post", ENTRIES, people=["Jan Bakker", "Mia Kok"])
    again = send(organiser, "post", ENTRIES, people=["Jan Bakker", "Piet Smit"])
    assert again.status_code == 201
    member = again.json()["people"][0]["member"]
    assert member is None, "it may be somebody else of that name; the desk says who it is"
