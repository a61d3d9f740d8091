"""Browsers that are logged in."""

from django.test import Client
from playwright.sync_api import Page, expect

from clubs.models import Club
from tests.factories import organiser_of


def log_in(page: Page, club: Club, address: str) -> None:
    """Give this browser the session of an organiser."""
    client = Client()
    client.force_login(organiser_of(club))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def sign_in(page: Page, club: Club) -> None:
    """Log in by the form, in Dutch, as somebody who organises at this club."""
    page.goto("/login/")
    page.get_by_label("E-mailadres").fill(organiser_of(club).email)
    page.get_by_label("Wachtwoord").fill("geheim")
    page.get_by_role("main").get_by_role("button", name="Inloggen").click()
    expect(page.get_by_role("button", name="Uitloggen")).to_be_visible()
