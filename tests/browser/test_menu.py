"""The links in the header: in a row where there is room, behind one button on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.factories import ClubFactory

pytestmark = pytest.mark.browser


@pytest.fixture
def club(live_server: object) -> Club:
    club: Club = ClubFactory.create(slug="azen", name="De Vier Azen van Klarenbeek en Omstreken")
    return club


@pytest.mark.parametrize("width", [390, 360])
def test_the_header_of_a_phone_is_one_line_with_a_menu(
    phone: Page, club: Club, live_server: LiveServer, axe: Callable[[Page], None], width: int
) -> None:
    log_in(phone, club, live_server.url)
    phone.set_viewport_size({"width": width, "height": 640})
    phone.goto("/clubs/azen/desk/")
    header, members = phone.locator(".site-header"), phone.get_by_role("link", name="Leden")
    button = phone.get_by_role("button", name="Menu")
    assert header.evaluate("header => header.offsetHeight") <= 68
    expect(members).to_be_hidden()

    button.focus()
    phone.keyboard.press("Enter")
    expect(members).to_be_visible()
    assert button.evaluate("button => button.offsetHeight") >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") == width
    axe(phone)
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("link", name="Bureau")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(members).to_be_hidden()
    expect(button).to_be_focused()

    button.click()
    phone.mouse.click(width / 2, 630)
    expect(members).to_be_hidden()
    button.click()
    members.click()
    expect(phone).to_have_url(re.compile("/clubs/azen/desk/members/$"))


def test_language_and_logging_out_are_in_the_menu(
    phone: Page, club: Club, live_server: LiveServer
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto("/clubs/azen/")
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="English").click()
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Log out").click()
    phone.goto("/clubs/azen/")
    phone.get_by_role("button", name="Menu").click()
    expect(phone.get_by_role("link", name="Log in")).to_be_visible()


def test_a_computer_needs_no_menu(desktop: Page, club: Club, live_server: LiveServer) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto("/clubs/azen/desk/")
    expect(desktop.get_by_role("button", name="Menu")).to_be_hidden()
    expect(desktop.get_by_role("link", name="Leden")).to_be_visible()
    # All links in one row, beside a name that takes three lines.
    assert desktop.locator(".site-nav").evaluate("nav => nav.offsetHeight") <= 60
    assert desktop.locator(".site-header").evaluate("header => header.offsetHeight") <= 112
