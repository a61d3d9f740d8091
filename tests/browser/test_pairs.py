"""Fixed pairs at the desk: two names typed, one after the other, with nothing but the keyboard."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.login import log_in
from tests.factories import ClubFactory
from tests.tournaments.registration.test_pairs import PAIRS, evening_of_pairs, pairs

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.full
def test_pairs_are_typed_without_a_mouse(live_server: LiveServer, desktop: Page) -> None:
    evening = evening_of_pairs(ClubFactory.create(), 6)
    log_in(desktop, evening.club, live_server.url)
    desktop.goto(f"{PAIRS}?made")
    for one, two in (("Jan Bakker", "3"), ("Kees Mulder", "Truus de Vries")):
        expect(desktop.get_by_label("De een")).to_be_focused()
        desktop.keyboard.type(one)
        desktop.keyboard.press("Tab")
        desktop.keyboard.type(two)
        desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("row", name="Kees Mulder – Truus de Vries")).to_be_visible()
    desktop.get_by_role("link", name="Annie Smit-de Boer").click()
    expect(desktop.get_by_label("De ander")).to_be_focused()
    desktop.keyboard.type("2")
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("link", name="Naar de loting: 3 paren, 1 tafel")).to_be_visible()
    assert pairs(evening) == {1: {1, 3}, 2: {4, 5}, 3: {2, 6}}
