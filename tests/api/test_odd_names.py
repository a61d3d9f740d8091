"""Names with line ends, escapes and other marks that no printer, mail or calendar is to read."""

import pytest

from clubs.models import Club
from tests.api.caller import Caller
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db
ODD = "De\r\nBcc: x@example.org\t\x1b[31m Boer"
KEPT = "De Bcc: x@example.org [31m Boer"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> Caller:
    return Caller(organiser_of(club))


def test_the_name_and_the_words_of_a_club(club: Club, organiser: Caller) -> None:
    at = f"clubs/{club.slug}/"
    said = {"name": ODD, "pit_word": "p\nit", "version": organiser.get(at)["version"]}
    answer = organiser.ask("PATCH", at, said)
    assert (answer["name"], answer["pit_word"]) == (KEPT, "p it")


def test_a_club_keeps_a_name(club: Club, organiser: Caller) -> None:
    at = f"clubs/{club.slug}/"
    said = {"name": "\x1b", "version": organiser.get(at)["version"]}
    answer = organiser.ask("PATCH", at, said, status=422)
    assert [error["field"] for error in answer["errors"]] == ["name"]


@pytest.mark.full
def test_the_name_of_an_evening(club: Club, organiser: Caller) -> None:
    at = f"clubs/{club.slug}/evenings/"
    planned = organiser.post(
        at, {"date": "2026-11-21", "preset": "rotterdam", "name": ODD}, status=201
    )
    assert planned["name"] == KEPT
    said = {"name": "A\nB", "version": planned["version"]}
    assert organiser.ask("PATCH", f"{at}2026-11-21/", said)["name"] == "A B"
