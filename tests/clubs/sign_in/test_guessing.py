"""Passwords guessed for one login from everywhere."""

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from clubs.limits.table import PASSWORDS
from clubs.models import User
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db
NOON = "2026-11-23T12:00:00Z"
NETWORKS = [f"2001:db8:7:{number:x}::1" for number in range(1, 31)] + [
    f"2001:db8:{number:x}:1::1" for number in range(100, 130)
]


@pytest.fixture
def user() -> User:
    return organiser_of(ClubFactory.create())


def log_in(client: Client, user: User, password: str, address: str = "192.0.2.7") -> int:
    data = {"username": user.email, "password": password}
    return client.post(reverse("login"), data, REMOTE_ADDR=address).status_code


def guessed(user: User) -> list[int]:
    """What somebody reads who guesses once from each of sixty networks."""
    return [log_in(Client(), user, "fout", address) for address in NETWORKS]


@pytest.mark.full
def test_sixty_networks_may_guess_fifty_times(user: User) -> None:
    with time_machine.travel(NOON, tick=False):
        assert guessed(user) == [200] * PASSWORDS.most + [429] * 10
        assert log_in(Client(), user, "geheim", NETWORKS[0]) == 429
    with time_machine.travel("2026-11-23T13:00:01Z", tick=False):
        assert log_in(Client(), user, "geheim") == 302


def test_their_owner_logs_in_where_they_did_before(user: User) -> None:
    own = Client()
    with time_machine.travel(NOON, tick=False):
        assert log_in(own, user, "geheim") == 302
        own.post(reverse("logout"))
        guessed(user)
        assert log_in(own, user, "geheim", "198.51.100.7") == 302
        assert log_in(Client(), user, "geheim", "198.51.100.7") == 429


@pytest.mark.full
def test_a_browser_of_somebody_else_is_a_strange_one(user: User) -> None:
    other, own = organiser_of(ClubFactory.create(slug="other")), Client()
    with time_machine.travel(NOON, tick=False):
        assert log_in(own, other, "geheim") == 302
        own.post(reverse("logout"))
        guessed(user)
        assert log_in(own, user, "geheim") == 429


@pytest.mark.full
def test_browsers_that_are_known_do_not_guess_without_end(user: User) -> None:
    own = Client()
    with time_machine.travel(NOON, tick=False):
        log_in(own, user, "geheim")
        own.post(reverse("logout"))
        statuses = [log_in(own, user, "fout", address) for address in NETWORKS]
    assert statuses == [200] * PASSWORDS.most + [429] * 10


@pytest.mark.full
def test_the_page_says_how_else(user: User, settings: Settings) -> None:
    data = {"username": user.email, "password": "geheim"}
    with time_machine.travel(NOON, tick=False) as clock:
        guessed(user)
        page = Client().post(reverse("login"), data).content.decode()
        assert "waarop u al eerder inlogde" in page
        assert "Mail mij een link" in page
        settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
        clock.shift(2)
        page = Client().post(reverse("login"), data).content.decode()
        assert "Mail mij een link" not in page
    assert mail.outbox == []


@pytest.mark.full
def test_an_address_without_a_login_is_answered_alike() -> None:
    nobody = User(email="nobody@example.org")
    with time_machine.travel(NOON, tick=False):
        assert guessed(nobody) == [200] * PASSWORDS.most + [429] * 10


@pytest.mark.full
def test_the_pages_that_ask_for_it_again_count_too(user: User) -> None:
    thief = Client()
    thief.force_login(user)
    fields = {"current": "fout", "new_password1": "troefboer9", "new_password2": "troefboer9"}
    page = reverse("account_password")
    with time_machine.travel(NOON, tick=False):
        statuses = [
            thief.post(page, fields, REMOTE_ADDR=address).status_code for address in NETWORKS
        ]
    assert statuses == [422] * PASSWORDS.most + [429] * 10
