"""Who comes to an evening, by a list: shown, asked about, and only then ticked."""

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubs.models import Club, Member
from tests.factories import ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.files import DATA, everything
from tests.tournaments.public_pages import words
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

LISTS = DATA / "lists" / "entries"
FILES = sorted(path for path in LISTS.iterdir() if not path.name.endswith(".json"))
PEOPLE = ["Piet van der Berg", "Riet Mulder", "Kees Brouwer", "Wim Zwart", "Nel de Bruin"]
PAGE = "/clubs/vrolijke-boer/desk/evenings/2026-09-08/present/list/"


@pytest.fixture
def club() -> Club:
    club = ClubFactory.create()
    for number, name in enumerate(PEOPLE, 1):
        MemberFactory.create(club=club, name=name, number=number)
    return club


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club, date=dt.date(2026, 9, 8))


@pytest.fixture
def desk(evening: Evening) -> Client:
    return desk_of(evening.club)


def offered(page: Any) -> tuple[list[str], list[str], list[str]]:
    """The names that are ticked on the page, those that it asks about, and the guests."""
    html = page.content.decode()
    ticks = re.findall(r'name="here" value="(\d+)" checked', html)
    people = {str(member.pk): member.name for member in Member.objects.all()}
    return (
        [people[pk] for pk in ticks],
        re.findall(r"<legend><strong>(.*?)</strong></legend>", html),
        re.findall(r'name="guest" value="(.*?)" checked', html),
    )


def here(evening: Evening) -> list[str]:
    present = evening.registrations.filter(present=True)
    return sorted(present.values_list("member__name", flat=True))


@pytest.mark.each_case
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_list_ticks_who_comes(evening: Evening, desk: Client, path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    before = everything()
    page = desk.post(PAGE, {"file": SimpleUploadedFile(path.name, path.read_bytes())})
    questions = [question["name"] for question in expected["questions"]]
    assert offered(page) == (expected["ticked"], questions, expected["offered_as_guests"])
    for name in expected["not_ticked"]:
        assert name in words(page)
    assert everything() == before
    members = Member.objects.filter(name__in=expected["ticked"])
    answers = {
        f"who-{at}": str(Member.objects.get(name=question["like"][0]).pk)
        for at, question in enumerate(expected["questions"])
    }
    guests = expected["offered_as_guests"]
    ticks = [str(member.pk) for member in members]
    desk.post(PAGE, {"do": "tick", "here": ticks, "guest": guests, **answers})
    asked = [question["like"][0] for question in expected["questions"]]
    assert here(evening) == sorted([*expected["ticked"], *asked, *guests])


def test_who_was_ticked_stays_and_who_is_twice_in_the_list_counts_once(
    evening: Evening, desk: Client
) -> None:
    riet = Member.objects.get(name="Riet Mulder")
    evening.registrations.create(member=riet, present=True)
    page = desk.post(PAGE, {"text": "Wim Zwart\nRiet Mulder\nwim zwart\n"})
    assert offered(page)[0] == ["Wim Zwart", "Riet Mulder"]
    assert "stond al aangevinkt" in words(page)
    desk.post(PAGE, {"do": "tick", "here": [Member.objects.get(name="Wim Zwart").pk]})
    assert here(evening) == ["Riet Mulder", "Wim Zwart"]


@pytest.mark.full
def test_names_beside_each_other(evening: Evening, desk: Client) -> None:
    page = desk.post(PAGE, {"text": "Wim Zwart, Riet Mulder, Kees Brouwer"})
    assert offered(page)[0] == ["Wim Zwart", "Riet Mulder", "Kees Brouwer"]


@pytest.mark.full
def test_a_message_with_signs_guests_and_who_does_not_come(evening: Evening, desk: Client) -> None:
    text = "Wim Zwart ✅\nRiet Mulder 👍🏻\nKees Brouwer + gast Bob\nNel de Bruin komt niet\n"
    page = desk.post(PAGE, {"text": text + "Piet van der Berg ❌\n"})
    assert offered(page) == (["Wim Zwart", "Riet Mulder", "Kees Brouwer"], [], ["Bob"])
    assert "blijven zoals ze staan: Nel de Bruin, Piet van der Berg." in words(page)


@pytest.mark.full
def test_the_answers_to_a_poll_stand_below_each_other(evening: Evening, desk: Client) -> None:
    text = "Ja 👍\nPiet van der Berg\nKees Brouwer\nNee (1)\nNel de Bruin\nMisschien\nWim Zwart\n"
    page = desk.post(PAGE, {"text": text})
    assert offered(page) == (["Piet van der Berg", "Kees Brouwer"], [], [])
    assert "blijven zoals ze staan: Nel de Bruin, Wim Zwart." in words(page)
    page = desk.post(PAGE, {"text": "Aanwezig\nRiet Mulder\nAfwezig\nNel de Bruin\n"})
    assert offered(page) == (["Riet Mulder"], [], [])


@pytest.mark.full
def test_a_chat_tells_who_comes(evening: Evening, desk: Client) -> None:
    lines = (
        "[23-11-2026 20:11] Riet Mulder: Wie komt er morgen?",
        "[23-11-2026 20:12] Piet van der Berg: Ik kom!",
        "[23-11-2026 20:13] Kees Brouwer: ben er ook, met Toos",
        "[23-11-2026 20:20] Nel de Bruin: helaas niet",
    )
    page = desk.post(PAGE, {"text": "\n".join(lines)})
    assert offered(page) == (["Piet van der Berg", "Kees Brouwer"], [], ["Toos"])
    assert "blijven zoals ze staan: Nel de Bruin." in words(page)
    assert "geen naam: [23-11-2026 20:11] Riet Mulder: Wie komt er morgen?" in words(page)


@pytest.mark.full
def test_two_people_on_one_line_both_come(evening: Evening, desk: Client) -> None:
    page = desk.post(PAGE, {"text": "Riet Mulder\nKees Brouwer en Wim Zwart\n"})
    assert offered(page) == (["Riet Mulder", "Kees Brouwer", "Wim Zwart"], [], [])


@pytest.mark.full
def test_somebody_else_of_a_doubtful_name_becomes_a_guest(evening: Evening, desk: Client) -> None:
    desk.post(PAGE, {"do": "tick", "who-0": "guest:K. Brouwer", "who-1": ""})
    assert here(evening) == ["K. Brouwer"]


def test_somebody_of_another_club_is_not_ticked(evening: Evening, desk: Client) -> None:
    other = MemberFactory.create(club=ClubFactory.create(slug="andere"))
    desk.post(PAGE, {"do": "tick", "here": [other.pk]})
    assert here(evening) == []


@pytest.mark.full
def test_no_list_and_a_picture_are_told(evening: Evening, desk: Client) -> None:
    page = desk.post(PAGE, {})
    assert page.status_code == 422
    assert "Kies een bestand of plak de lijst." in words(page)
    page = desk.post(PAGE, {"file": SimpleUploadedFile("x.png", b"\x89PNG\r\n\x1a\n")})
    assert page.status_code == 422
    assert "Dit is een foto of plaatje." in words(page)
