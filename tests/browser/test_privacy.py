"""An organiser hands over what is kept about somebody, then erases them."""

import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.factories import ClubFactory, evening_with_draw
from tests.tournaments.public_pages import close_evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """Four people have played an evening; number 1 is Jan Bakker."""
    club: Club = ClubFactory.create()
    close_evening(evening_with_draw(club=club, players=4, rounds=1, deals_per_round=2))
    return club


@pytest.mark.full
def test_somebody_is_hidden_gets_everything_and_is_erased(
    desktop: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(f"/clubs/vrolijke-boer/desk/members/{Member.objects.get(number=1).pk}/")
    axe(desktop)
    desktop.get_by_text("Vaste tafel, naam op lijsten en openbare pagina’s").click()
    desktop.get_by_label("helemaal niet").check()
    desktop.get_by_role("button", name="Bewaren").click()
    desktop.goto("/clubs/vrolijke-boer/evenings/2026-11-21/")
    expect(desktop.get_by_role("rowheader", name="Anoniem")).to_be_visible()
    desktop.goto(f"/clubs/vrolijke-boer/desk/members/{Member.objects.get(number=1).pk}/")
    desktop.get_by_role("link", name="Wat er bewaard wordt").click()
    expect(desktop.get_by_text("Plaatsen in de loting")).to_be_visible()
    axe(desktop)
    with desktop.expect_download() as downloading:
        desktop.get_by_role("button", name="Alles ophalen (ZIP)").click()
    with zipfile.ZipFile(downloading.value.path()) as packed:
        assert packed.namelist() == ["gegevens-van-jan-bakker.html", "gegevens-van-jan-bakker.json"]
    desktop.get_by_role("link", name="Jan Bakker").click()
    desktop.get_by_role("link", name="Wissen").click()
    axe(desktop)
    desktop.get_by_role("button", name="Voorgoed wissen").click()
    expect(desktop.get_by_text("Er is nog niets bewaard")).to_be_visible()
    desktop.get_by_label("Typ de naam om te bevestigen").fill("jan bakker")
    desktop.get_by_role("button", name="Voorgoed wissen").click()
    expect(desktop.get_by_text("De gegevens van Jan Bakker zijn gewist.")).to_be_visible()
    desktop.goto("/clubs/vrolijke-boer/evenings/2026-11-21/")
    expect(desktop.get_by_role("rowheader", name="Oud-lid 1")).to_be_visible()
    expect(desktop.get_by_text("Jan Bakker")).to_have_count(0)
