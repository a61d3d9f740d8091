"""Copies of a club that its organiser made up, on a server with other clubs."""

import json
from pathlib import Path

import pytest
from django.test import Client

from clubs.models import Club
from tests.archives import contents, with_rows
from tests.factories import ClubFactory
from tests.tournaments.copies import downloaded, sent, settled
from tests.tournaments.public_pages import words
from tests.tournaments.transfer.whole_clubs import club_with_everything
from tournaments.transfer.out import PEOPLE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]


def with_a_namesake(path: Path) -> Path:
    """The file with one more person, who has the address of the organiser and another UUID."""
    rows = contents(path)[f"{PEOPLE}.jsonl"].splitlines()
    first = next(row for row in rows if "organiser@" in row)
    other = json.loads(first)
    other["pk"] = 99
    other["fields"]["uuid"] = "00000000-0000-4000-8000-000000000000"
    return with_rows(path, PEOPLE, first.encode(), f"{first}\n{json.dumps(other)}".encode())


def test_nothing_that_reading_adds_seals_what_was_made_up(tmp_path: Path) -> None:
    """That somebody has another UUID here is added to the trail: a head that nobody sealed stays
    without a seal."""
    club = club_with_everything()
    ClubFactory.create(slug="andere")
    client = Client()
    client.force_login(club.roles.get(kind="organiser").user)
    path = tmp_path / "copy"
    path.write_bytes(downloaded(client, club.slug))
    seal = Club.objects.get(pk=club.pk).chain_seal.encode()
    made_up = with_rows(path, "clubs.club", seal, seal[::-1])
    for file in (made_up, with_a_namesake(made_up)):
        address = sent(client, f"/clubs/{club.slug}/desk/copies/send/", file.read_bytes())
        page = words(settled(client, address)).replace("&#x27;", "'")
        assert "Er is niets veranderd." in page
        assert "the head is not sealed with this server's key" in page
