"""Starting a club oneself: only where the server allows it, and only with a proved address."""

import datetime as dt
import re

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.services import mail_goes_out
from clubs.models import Club, Role, User
from tests.factories import ClubFactory, organiser_of
from tests.waiting import mail_settles

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

PASSWORD = "zeven klaveren op tafel"
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
CLUB = {
    "club_name": "Klaver Zes",
    "slug": "klaver-zes",
    "language": "nl",
    "name": "Anna Visser",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture(autouse=True)
def hosted(settings: Settings) -> None:
    settings.SIGN_UP, settings.TERMS, settings.PRIVACY = True, "Wees aardig.", "Niets."
    settings.PUBLIC_URL = "https://klaver.example"
    assert mail_goes_out()


def ask(client: Client, email: str = "anna@example.org") -> str:
    """Have a link sent; its path, or empty where none came."""
    mail.outbox.clear()
    client.post(reverse("sign_up"), {"email": email, "agrees": "on"})
    mail_settles()
    if not mail.outbox:
        return ""
    (message,) = mail.outbox
    assert message.to == [email]
    found = re.search(r"https://klaver\.example(\S+)", str(message.body))
    assert found
    return found[1]


def test_where_it_is_off_there_is_no_such_page(client: Client, settings: Settings) -> None:
    link = ask(client)
    settings.SIGN_UP = False
    assert client.get(reverse("sign_up")).status_code == 404
    assert client.post(link, CLUB).status_code == 404
    assert reverse("sign_up") not in client.get("/").content.decode()


def test_a_newcomer_proves_the_address_and_gets_a_club_and_a_login(client: Client) -> None:
    assert reverse("sign_up") in client.get("/").content.decode()
    link = ask(client)

    response = client.post(link, CLUB)

    assert (response.status_code, response.headers["Location"]) == (
        302,
        reverse("desk", args=["klaver-zes"]),
    )
    role = Role.objects.select_related("user", "club").get()
    assert (role.club.name, role.kind, role.user.name) == ("Klaver Zes", "organiser", "Anna Visser")
    assert role.user.email_proved_at is not None
    assert client.get(reverse("desk", args=["klaver-zes"])).status_code == 200
    assert role.user.check_password(PASSWORD)


def test_without_agreeing_nothing_is_mailed(client: Client) -> None:
    page = client.post(reverse("sign_up"), {"email": "anna@example.org"})
    assert page.status_code == 422
    assert "Zonder dit kunt u hier geen club beginnen." in page.content.decode()
    mail_settles()
    assert mail.outbox == []


def test_all_faults_are_told_at_once(client: Client) -> None:
    ClubFactory.create(slug="bezet")
    page = client.post(ask(client), {**CLUB, "slug": "bezet", "club_name": "", "password2": "x"})
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"slug", "club_name", "password2"}
    page = client.post(ask(client), {**CLUB, "slug": "Klaver Zes!"})
    assert list(page.context["form"].errors) == ["slug"]
    assert Club.objects.count() == 1


def test_a_link_works_for_a_day_and_cannot_be_made_up(client: Client) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        link = ask(client)
        clock.shift(dt.timedelta(hours=23))
        assert client.get(link).status_code == 200
        clock.shift(dt.timedelta(hours=2))
        assert client.get(link).status_code == 410
        assert client.post(link, CLUB).status_code == 410
    forged = b"eve@example.org".hex()
    assert client.post(reverse("sign_up_club", args=[forged]), CLUB).status_code == 410
    assert not Club.objects.exists()


def test_who_has_a_login_logs_in_first(client: Client) -> None:
    anna = organiser_of(ClubFactory.create())
    link = ask(client, anna.email)
    page = client.get(link)
    assert reverse("login") in page.content.decode()
    assert client.post(link, CLUB).status_code == 200
    assert Club.objects.count() == 1

    client.force_login(anna)
    assert client.post(link, CLUB).status_code == 302
    assert anna.roles.filter(club__slug="klaver-zes", kind="organiser").exists()
    assert User.objects.count() == 1


def test_somebody_elses_link_starts_nothing(client: Client) -> None:
    link = ask(client)
    client.force_login(organiser_of(ClubFactory.create()))
    assert "Deze link is voor een ander adres" in client.post(link, CLUB).content.decode()
    assert Club.objects.count() == 1


@pytest.mark.usefixtures("still_clock")
def test_one_address_starts_two_clubs_a_day(client: Client) -> None:
    link = ask(client)
    assert client.post(link, CLUB).status_code == 302
    assert client.post(link, {**CLUB, "slug": "twee"}).status_code == 302
    page = client.post(link, {**CLUB, "slug": "drie"})
    assert page.status_code == 422
    assert "Vandaag kunnen van hier geen clubs meer worden begonnen." in page.content.decode()
    assert Club.objects.count() == 2


@pytest.mark.usefixtures("still_clock")
def test_one_address_is_mailed_three_times_and_one_network_asks_five_times_an_hour(
    client: Client,
) -> None:
    assert [bool(ask(client)) for _ in range(4)] == [True, True, True, False]
    assert ask(client, "bep@example.org")
    page = client.post(reverse("sign_up"), {"email": "cor@example.org", "agrees": "on"})
    assert page.status_code == 422
    assert "Te vaak van hier." in page.content.decode()


def test_the_texts_are_those_of_the_server(client: Client, settings: Settings) -> None:
    assert "Wees aardig." in client.get(reverse("terms")).content.decode()
    assert "Niets." in client.get(reverse("privacy")).content.decode()
    settings.TERMS = ""
    assert client.get(reverse("terms")).status_code == 404


def test_every_page_leads_to_the_texts_that_there_are(client: Client, settings: Settings) -> None:
    terms, privacy, start = reverse("terms"), reverse("privacy"), reverse("sign_up")

    def links(page: str) -> list[str]:
        found = re.findall(r'href="([^"]+)"', client.get(page).content.decode())
        return [path for path in found if path in (terms, privacy, start, "mailto:op@example.org")]

    settings.TERMS = "Vragen? op@example.org"
    assert links(reverse("login")) == [terms, privacy]
    assert links(terms) == [start, "mailto:op@example.org", terms, privacy]
    settings.TERMS, settings.SIGN_UP = "", False
    assert links(reverse("login")) == [privacy]
    assert links(privacy) == [privacy]
