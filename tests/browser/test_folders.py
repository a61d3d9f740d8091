"""An evening of folders at the size of a phone: planned, dealt, played, read and played through."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealEntry
from scoring.rules.cards import DECK
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.browser.test_axe import Check, look
from tests.devices import OpenPage
from tests.factories import TESTS
from tests.tournaments.duplicate.played import play_all, started, tables_of, with_pairs
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_close
from tournaments.models import Evening, FolderPlay
from tournaments.rounds.services import round_start
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENING = "evenings/2026-11-21/"
DESK = f"/clubs/vrolijke-boer/desk/{EVENING}"
PUBLIC = f"/clubs/vrolijke-boer/{EVENING}folders/"


def cannot_be(evening: Evening) -> str:
    """Points of East-West that the first folder of table 1 cannot give with clubs as trump."""
    deal = tables_of(evening)[0].sheet.deals.select_related("folder").get(number=1)
    assert deal.folder is not None
    return "160" if deal.folder.hands[DECK.index("JC")] in "NS" else "2"


@pytest.mark.full
def test_an_evening_from_the_plan_to_the_cards(
    phone: Page, open_phone: OpenPage, axe: Check, live_server: LiveServer
) -> None:
    evening = with_pairs(4, folders=24)
    log_in(phone, evening.club, live_server.url)

    # Planned, dealt, and everybody to their table.
    phone.goto(f"{DESK}folders/")
    phone.get_by_label("Hoeveel mappen").fill("6")
    phone.get_by_role("button", name="Bewaren").click()
    phone.get_by_role("link", name="De kaarten delen of intypen").click()
    phone.get_by_role("button", name="Mappen delen").click()
    expect(phone.get_by_text("6 mappen zijn gedeeld.")).to_be_visible()
    phone.goto(f"{DESK}folders/")
    axe(phone)
    phone.get_by_role("button", name="Stuur 4 paren naar hun tafel").click()
    expect(phone.get_by_text("De paren hebben hun tafels. De zaal ziet ze nu.")).to_be_visible()
    round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    evening = Evening.objects.get()

    # A table writes what its cards cannot give, and then what they can; the next folder comes.
    table = open_phone()
    screen = DealScreen(table)
    table.goto(link(evening))
    expect(table.get_by_text("Map 1 · spel 1 van 3")).to_be_visible()
    expect(table.locator(".deal-dealer")).to_contain_text("Jan geeft, Kees komt uit")
    screen.plain_deal(1, cannot_be(evening), trump="C")
    told = table.get_by_text("Met de kaarten van deze map kan dit niet.").first
    expect(told).to_be_visible()
    axe(table)
    assert not DealEntry.objects.exists()
    table.reload()
    screen.is_calm()
    screen.plain_deal(1, "71")
    screen.is_written("1, 91–71")
    expect(table.get_by_text("Map 2 · spel 2 van 3")).to_be_visible()
    expect(table.locator(".deal-dealer")).to_contain_text("Kees geeft")

    # After the evening everybody reads the cards, and the director plays them through.
    play_all(evening)
    evening_close(evening_id=evening.pk, actor=TESTS)
    look(open_phone(), axe, [PUBLIC, f"{PUBLIC}2/", f"{PUBLIC}pairs/1/"])
    phone.goto(f"{DESK}folders/results/?folder=1")
    axe(phone)
    phone.get_by_role("link", name="kaart voor kaart").first.click()
    expect(phone.get_by_role("heading", name="Wat ieder nog heeft")).to_be_visible()
    free = phone.locator(".card-key:enabled")
    expect(free).to_have_count(8)
    free.first.click()
    expect(phone.locator(".replay-hands .is-next")).to_have_count(1)
    expect(phone.locator(".card-key:enabled")).to_have_count(8)
    axe(phone)


@pytest.mark.full
def test_everybody_can_read_the_pages_of_folders(
    phone: Page, axe: Check, live_server: LiveServer
) -> None:
    evening = started(5, folders=9)
    play = FolderPlay.objects.filter(folder__number=1).first()
    assert play is not None
    log_in(phone, evening.club, live_server.url)
    paths = ("", "cards/", "results/", "night/", f"rulings/{play.pk}/")
    look(phone, axe, [f"{DESK}folders/{path}" for path in paths])
    play_all(evening)
    evening_close(evening_id=evening.pk, actor=TESTS)
    season = season_create(club=evening.club, name="2026-2027", actor=TESTS)
    Evening.objects.update(season=season)
    percentages = "/clubs/vrolijke-boer/seasons/2026-2027/folders/"
    look(phone, axe, [percentages, *(f"{PUBLIC}{path}" for path in ("", "1/", "pairs/1/"))])
