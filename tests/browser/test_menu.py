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


def test_a_phone_has_one_line_with_a_menu_and_a_computer_a_row(
    phone: Page, club: Club, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto("/clubs/azen/desk/")
    header, members = (
        phone.locator(".site-header"),
        phone.get_by_role("link", name="Leden", exact=True),
    )
    button = phone.get_by_role("button", name="Menu")
    for width in (390, 360):
        phone.set_viewport_size({"width": width, "height": 640})
        assert header.evaluate("header => header.offsetHeight") <= 68
        expect(members).to_be_hidden()
        button.focus()
        phone.keyboard.press("Enter")
        expect(members).to_be_visible()
        assert button.evaluate("button => button.offsetHeight") >= 44
        assert phone.evaluate("document.documentElement.scrollWidth") == width
        phone.keyboard.press("Tab")
        expect(phone.get_by_role("link", name="Wedstrijdleiding")).to_be_focused()
        phone.keyboard.press("Escape")
        expect(members).to_be_hidden()
        expect(button).to_be_focused()
    button.click()
    axe(phone)
    phone.mouse.click(4, 630)
    expect(members).to_be_hidden()

    phone.set_viewport_size({"width": 1280, "height": 800})
    expect(button).to_be_hidden()
    expect(members).to_be_visible()
    # All links in one row, under a name that is too long to stand beside them on one line.
    assert phone.locator(".site-nav").evaluate("nav => nav.offsetHeight") <= 60
    assert header.evaluate("header => header.offsetHeight") <= 112

    phone.set_viewport_size({"width": 390, "height": 640})
    button.click()
    members.click()
    expect(phone).to_have_url(re.compile("/clubs/azen/desk/members/$"))
    button.click()
    phone.get_by_role("button", name="English").click()
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Log out").click()
    phone.goto("/clubs/azen/")
    phone.get_by_role("button", name="Menu").click()
    expect(phone.get_by_role("link", name="Log in")).to_be_visible()
