"""Where somebody who found a hole can report it."""

from datetime import UTC, datetime

import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

CONTACT = "mailto:veilig@klaver.example"


def test_it_names_the_operators_contact(client: Client, settings: Settings) -> None:
    settings.SECURITY_CONTACT = CONTACT
    settings.HTTPS, settings.PUBLIC_URL = True, "https://klaver.example"
    with time_machine.travel(datetime(2026, 11, 23, 12, tzinfo=UTC), tick=False):
        response = client.get("/.well-known/security.txt")

    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode().splitlines() == [
        f"Contact: {CONTACT}",
        "Expires: 2027-05-22T00:00:00Z",
        "Preferred-Languages: nl, en",
        "Canonical: https://klaver.example/.well-known/security.txt",
    ]


def test_in_a_hall_without_https_there_is_no_canonical_address(
    client: Client, settings: Settings
) -> None:
    settings.SECURITY_CONTACT = CONTACT
    settings.HTTPS, settings.PUBLIC_URL = False, "http://192.168.1.20:8000"

    assert "Canonical" not in client.get("/.well-known/security.txt").content.decode()


def test_without_a_contact_there_is_none(client: Client, settings: Settings) -> None:
    settings.SECURITY_CONTACT = ""

    assert client.get("/.well-known/security.txt").status_code == 404
