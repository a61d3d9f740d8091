"""The page with the links of the tables, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import ClubFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_links_are_there_for_everybody(
    request: pytest.FixtureRequest,
    live_server: LiveServer,
    axe: Callable[[Page], None],
    device: str,
) -> None:
    page: Page = request.getfixturevalue(device)
    club = ClubFactory.create()
    evening_with_draw(club=club, players=8)
    session = desk_of(club).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{EVENING}links/")
    expect(page.get_by_label("Link van tafel 2")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Deze code vervangen").nth(1).click()
    axe(page)
    page.get_by_role("button", name="Vervang de code").click()
    expect(page.get_by_text("Tafel 2 heeft een nieuwe code.")).to_be_visible()
