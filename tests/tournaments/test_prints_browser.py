"""The pages that lead to paper, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.clubs.test_logo import picture
from tests.factories import ClubFactory, evening_with_draw
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import close_evening
from tests.tournaments.season_papers import PRINTS, season_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def log_in(page: Page, live_server: LiveServer, club: Club) -> None:
    """From now on the page is that of the club's organiser."""
    session = desk_of(club).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])


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
    log_in(page, live_server, club)
    page.goto(f"{EVENING}links/")
    expect(page.get_by_label("Link van tafel 2")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Deze code vervangen").nth(1).click()
    axe(page)
    page.get_by_role("button", name="Vervang de code").click()
    expect(page.get_by_text("Tafel 2 heeft een nieuwe code.")).to_be_visible()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_everything_to_print_is_there_for_everybody(
    request: pytest.FixtureRequest,
    live_server: LiveServer,
    axe: Callable[[Page], None],
    device: str,
) -> None:
    page: Page = request.getfixturevalue(device)
    club = ClubFactory.create()
    evening = evening_with_draw(club=club, players=8)
    log_in(page, live_server, club)
    page.goto(f"{EVENING}print/")
    expect(page.get_by_role("link", name="Twee per bladzijde").first).to_be_visible()
    axe(page)
    close_evening(evening)
    page.reload()
    expect(page.get_by_role("link", name="Oorkondes")).to_be_visible()
    axe(page)


def test_a_booklet_is_made_while_one_looks(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory.create()
    season_of(club, evenings=10, players=60)
    log_in(phone, live_server, club)
    phone.goto(PRINTS)
    axe(phone)
    phone.get_by_role("button", name="Boekje maken").click()
    ready = phone.get_by_role("link", name="Boekje openen")
    expect(ready).to_be_visible(timeout=30_000)
    axe(phone)
    address = ready.get_attribute("href")
    content = phone.request.get(f"{live_server.url}{address}").body()
    assert "Seizoensboekje" in page_texts(content)[0]


def test_a_logo_is_chosen_and_seen(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory.create()
    log_in(phone, live_server, club)
    phone.goto("/clubs/vrolijke-boer/desk/logo/")
    axe(phone)
    logo = FilePayload(name="logo.png", mimeType="image/png", buffer=picture((900, 300)))
    phone.get_by_label("Plaatje").set_input_files(logo)
    phone.get_by_role("button", name="Logo bewaren").click()
    shown = phone.get_by_role("img", name="Het logo zoals het nu is")
    expect(shown).to_be_visible()
    assert shown.evaluate("picture => picture.naturalWidth") == 800
    axe(phone)
    phone.goto("/clubs/vrolijke-boer/")
    assert phone.locator(".club-logo").evaluate("picture => picture.naturalWidth") == 800
    axe(phone)
