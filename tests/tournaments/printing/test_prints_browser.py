"""The pages that lead to paper, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.login import log_in
from tests.clubs.profile.test_logo import picture
from tests.factories import ClubFactory, evening_with_draw
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING
from tests.tournaments.public_pages import close_evening
from tests.tournaments.season_papers import PRINTS, season_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.full
def test_everything_to_print_is_there_for_everybody(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory.create()
    evening = evening_with_draw(club=club, players=8)
    log_in(phone, club, live_server.url)
    phone.goto(f"{EVENING}links/")
    expect(phone.get_by_label("Link van tafel 2")).to_be_visible()
    axe(phone)
    phone.get_by_role("link", name="Deze code vervangen").nth(1).click()
    axe(phone)
    phone.goto(f"{EVENING}print/")
    expect(phone.get_by_role("link", name="Twee per pagina").first).to_be_visible()
    close_evening(evening)
    phone.reload()
    expect(phone.get_by_role("link", name="Oorkondes")).to_be_visible()
    axe(phone)


@pytest.mark.full
def test_a_booklet_is_made_while_one_looks(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory.create()
    season_of(club, evenings=10, players=60)
    log_in(phone, club, live_server.url)
    phone.goto(PRINTS)
    axe(phone)
    phone.get_by_role("button", name="Boekje maken").click()
    ready = phone.get_by_role("link", name="Boekje om te lezen")
    expect(ready).to_be_visible(timeout=30_000)
    axe(phone)
    address = ready.get_attribute("href")
    content = phone.request.get(f"{live_server.url}{address}").body()
    assert "Seizoensboekje" in page_texts(content)[0]


@pytest.mark.full
def test_a_logo_is_chosen_and_seen(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory.create()
    log_in(phone, club, live_server.url)
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
