"""Large files are sent in pieces, one after the other, and not without end."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import ClubFactory
from tests.tournaments.copies import downloaded, settled
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tournaments.copies.services import MOST_BYTES
from tournaments.models import Copy, CopyPiece

pytestmark = pytest.mark.django_db(transaction=True)

SEND = "/clubs/vrolijke-boer/desk/copies/send/"


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create()
    return made


def piece(client: Client, content: bytes, *, start: int, total: int, copy: str = "") -> Any:
    form: dict[str, Any] = {
        "file": BytesIO(content),
        "start": start,
        "total": total,
        "copy": copy,
        "name": "k.club",
    }
    return client.post(SEND, form)


@pytest.mark.full
def test_pieces_make_the_file(club: Club) -> None:
    client = desk_of(club)
    file = downloaded(client, club.slug)
    half = len(file) // 2
    first = piece(client, file[:half], start=0, total=len(file)).json()
    assert "niet helemaal verstuurd" in words(client.get(first["page"]))
    answer = piece(client, file[half:], start=half, total=len(file), copy=first["copy"]).json()
    assert answer == first
    assert "Deze kopie is in orde" in words(settled(client, answer["page"]))


def test_a_piece_out_of_step_is_refused(club: Club) -> None:
    client = desk_of(club)
    first = piece(client, b"12345", start=0, total=20).json()
    for start, content, copy in (
        (4, b"5", first["copy"]),
        (6, b"5", first["copy"]),
        (5, bytes(16), first["copy"]),
        (5, b"5", "another"),
    ):
        answer = piece(client, content, start=start, total=20, copy=copy)
        assert answer.status_code == 422
        assert answer.json() == {
            "message": "Het versturen is onderbroken. Kies het bestand nog een keer."
        }
    assert Copy.objects.get().size == 5


def test_too_much_and_nothing_are_refused(club: Club) -> None:
    client = desk_of(club)
    answer = piece(client, b"1", start=0, total=MOST_BYTES + 1)
    assert "meer dan 1 GB" in answer.json()["message"]
    assert "Dit bestand is leeg." in words(client.post(SEND, {"file": BytesIO(b"")}))
    assert Copy.objects.count() == 0


@pytest.mark.full
def test_one_file_at_a_time_waits(club: Club) -> None:
    client = desk_of(club)
    for _ in range(3):
        piece(client, b"12345", start=0, total=20)
    assert (Copy.objects.count(), CopyPiece.objects.count()) == (1, 1)


def test_another_club_cannot_add_to_it_or_read_it(club: Club) -> None:
    mine = piece(desk_of(club), b"12345", start=0, total=20).json()
    other = desk_of(ClubFactory.create(slug="andere"))
    assert other.get(mine["page"]).status_code == 403
    page = mine["page"].replace("vrolijke-boer", "andere")
    assert other.get(page).status_code == 404
    form = {"file": BytesIO(b"5"), "start": 5, "total": 20, "copy": mine["copy"], "name": "k.club"}
    assert other.post("/clubs/andere/desk/copies/send/", form).status_code == 422
