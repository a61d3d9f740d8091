"""An evening of folders on a phone: which folder comes, and what its cards cannot give."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealEntry
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.browser.test_axe import Check, look
from tests.factories import TESTS
from tests.tournaments.duplicate.played import play_all, started, tables_of
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_close
from tournaments.models import Evening, FolderPlay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENING = "evenings/2026-11-21/folders/"


def test_a_table_plays_its_folders(phone: Page) -> None:
    evening = started(4, folders=6)
    deal = tables_of(evening)[0].sheet.deals.select_related("folder").get(number=1)
    assert deal.folder is not None
    mine = deal.folder.hands[4] in "NS"  # who holds the jack of clubs
    screen = DealScreen(phone)
    phone.goto(link(evening))
    expect(phone.get_by_text("Map 1 · spel 1 van 3")).to_be_visible()
    screen.declarer("N" if phone.locator(".deal-who input[value=N]").count() else "NS")
    screen.trump("C")
    screen.points("160" if mine else "2")
    screen.write(1)
    expect(phone.get_by_text("Met de kaarten van deze map").first).to_be_visible()
    assert not DealEntry.objects.exists()


@pytest.mark.full
def test_everybody_can_read_the_pages_of_folders(
    phone: Page, axe: Check, live_server: LiveServer
) -> None:
    evening = started(5, folders=9)
    play = FolderPlay.objects.filter(folder__number=1).first()
    assert play is not None
    log_in(phone, evening.club, live_server.url)
    desk = [
        f"/clubs/vrolijke-boer/desk/{EVENING}{path}"
        for path in ("", "cards/", "results/", f"rulings/{play.pk}/")
    ]
    look(phone, axe, desk)
    play_all(evening)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert Evening.objects.get().state == "closed"
    public = [f"/clubs/vrolijke-boer/{EVENING}{path}" for path in ("", "1/", "pairs/1/")]
    look(phone, axe, public)
