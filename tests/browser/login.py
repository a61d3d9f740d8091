"""A browser that is logged in, without the login page."""

from django.test import Client
from playwright.sync_api import Page

from clubs.models import Club
from tests.factories import organiser_of


def log_in(page: Page, club: Club, address: str) -> None:
    """Give this browser the session of an organiser."""
    client = Client()
    client.force_login(organiser_of(club))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
