"""An installation without a club takes one from a copy, at the computer itself."""

import pytest
from django.test import Client
from pytest_django import Settings

from clubs.models import Club, Member, Role, User
from scoring.audit.verify import faults
from tests.factories import ClubFactory
from tests.flushing import rows_delete
from tests.tournaments.copies import downloaded, sent, settled
from tests.tournaments.public_pages import words
from tests.tournaments.transfer.whole_clubs import club_with_everything, standings
from tournaments.models import Evening

pytestmark = pytest.mark.django_db(transaction=True)


def at_the_machine() -> Client:
    return Client(headers={"host": "localhost:8000"})


@pytest.mark.both
@pytest.mark.full
def test_a_club_moves_to_another_computer() -> None:
    club = club_with_everything()
    client = Client()
    client.force_login(club.roles.get(kind="organiser").user)
    file, then = downloaded(client, club.slug), standings(club)
    evenings = Evening.objects.count()
    rows_delete("default")

    client = at_the_machine()
    assert "Ik heb een kopie van mijn club" in words(client.get("/"))
    address = sent(client, "/copy/", file)
    page = words(settled(client, address))
    assert "Club roodhart" in page
    assert not Club.objects.exists()
    assert client.post(address).status_code == 302
    page = settled(client, address)
    assert "Club roodhart staat nu op deze computer." in words(page)

    club = Club.objects.get()
    assert Evening.objects.filter(club=club).count() == evenings
    assert standings(club) == then
    assert list(faults()) == []
    organiser = Role.objects.get(kind="organiser").user
    link = page.context["links"][0]
    assert link[0] == organiser.email
    new = {"new_password1": "klaver-zes-boer", "new_password2": "klaver-zes-boer"}
    form = client.get(link[1], follow=True)
    assert client.post(form.request["PATH_INFO"], new).status_code == 302
    assert User.objects.get(pk=organiser.pk).check_password("klaver-zes-boer")
    assert "kiest een wachtwoord" not in words(client.get(address))
    assert client.get("/copy/").status_code == 404
    assert "Ik heb een kopie van mijn club" not in words(client.get("/"))


def test_only_at_the_computer_itself_and_without_a_club(settings: Settings) -> None:
    local = at_the_machine()
    assert local.get("/copy/").status_code == 200
    for elsewhere in (
        Client(headers={"host": "localhost:8000"}, REMOTE_ADDR="192.168.1.7"),
        Client(headers={"host": "rebound.example"}),
        Client(headers={"host": "localhost", "x-forwarded-for": "192.0.2.1"}),
    ):
        page = elsewhere.get("/copy/")
        assert page.status_code == 403
        assert "Op de computer zelf" in words(page)
    settings.PUBLIC_URL = "https://klaver.example"
    assert local.get("/copy/").status_code == 403
    settings.PUBLIC_URL = ""
    Club.objects.filter(pk=ClubFactory.create().pk).update(is_demo=True)
    assert local.get("/copy/").status_code == 200
    ClubFactory.create(slug="echt")
    assert local.get("/copy/").status_code == 404


def test_a_broken_copy_makes_no_club() -> None:
    client = at_the_machine()
    page = settled(client, sent(client, "/copy/", b"PK\3\4" + bytes(99), "leden.xlsx"))
    assert "leden.xlsx is geen clubbestand van Klaverclub, of het is beschadigd." in words(page)
    assert (Club.objects.count(), Member.objects.count(), User.objects.count()) == (0, 0, 0)
