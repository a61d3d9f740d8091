"""Laying a disputed deal down in a real browser: typed, tapped, and without any script."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import DealEntry
from tests.browser.login import log_in
from tests.devices import PHONE
from tests.factories import ClubFactory, evening_with_draw, regulation_of
from tests.tournaments.desk import EVENING
from tournaments.models import Evening

pytestmark = pytest.mark.browser

CARDS = f"{EVENING}rounds/1/tables/1/cards/1/"
DEAL = """
    sa h7 k8 r9  sh h8 k9 r10  sv h9 k10 rb  sb h10 kb rv
    s10 hb kv rh  s9 hv kh ra  s8 hh ka r7  s7 ha k7 r8
""".split()
"""Trump spades and North has them all: pit."""
SUITS = {"s": "schoppen", "h": "harten", "k": "klaveren", "r": "ruiten"}


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    club = ClubFactory.create()
    evening_with_draw(
        club=club,
        players=4,
        rounds=1,
        method=Evening.Method.TYPED_IN,
        regulation=regulation_of(club),
    )
    return club


def settle(page: Page, *, trump: str, leader: str) -> None:
    """Say who leads, what is trump, and that we play."""
    page.get_by_role("group", name="Wie komt uit?").locator(f"[value={leader}]").check()
    page.get_by_role("group", name="Troef").locator(f"[value={trump}]").check()
    page.get_by_role("group", name="Wie speelt?").get_by_label("Wij").check()


def tap(page: Page, word: str) -> None:
    rank = word[1:].upper()
    page.get_by_role("button", name=f"{SUITS[word[0]]} {rank}", exact=True).tap()


@pytest.mark.full
def test_a_deal_is_laid_down_by_keyboard(
    desktop: Page, club: Club, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(CARDS)
    settle(desktop, trump="S", leader="N")
    typing = desktop.locator("textarea")
    typing.press_sequentially("s10 10s ", delay=5)
    expect(desktop.get_by_text("‘10s’ (kaart 2, slag 1) is geen kaart.")).to_be_visible()
    typing.fill("")
    typing.press_sequentially(" ".join(DEAL[:8]) + " ", delay=2)
    expect(desktop.locator("#now")).to_contain_text("Noord – Jan is aan de beurt")
    expect(desktop.locator("#now")).to_contain_text("slag 3")
    desktop.reload()
    expect(desktop.locator("#now")).to_contain_text("slag 3")
    expect(typing).to_be_focused()
    desktop.keyboard.press("Control+End")
    typing.press_sequentially(" " + " ".join(DEAL[8:]).upper(), delay=2)
    expect(desktop.get_by_text("Elke kaart mocht.")).to_be_visible()
    axe(desktop)
    desktop.get_by_role("button", name="Schrijf spel 1").click()
    expect(desktop.get_by_text("Spel 1 is geschreven.")).to_be_visible()
    entry = DealEntry.objects.get()
    assert entry.result is not None
    assert entry.result["score"] == {"NS": 262, "EW": 0}
    assert entry.record is not None
    assert len(entry.record["cards"]) == 32


@pytest.mark.full
def test_a_renege_is_seen_and_a_mistake_put_right_by_tapping(
    phone: Page, club: Club, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(CARDS)
    settle(phone, trump="H", leader="N")
    phone.evaluate("window.stays = true")
    for word in ["s10", "r7", "sa", "s9", "sb", "sh", "sv", "s7", "r8"]:
        tap(phone, word)
    phone.get_by_role("button", name="Kaart terug").tap()
    expect(phone.get_by_text("Oost – Mia mocht ♦7 niet spelen")).to_be_visible()
    assert phone.evaluate("window.stays") is True
    keys_are_large_and_fit(phone)
    # West's card of trick 1 was the 8, not the 9.
    phone.get_by_role("button", name="schoppen 9 wijzigen").tap()
    expect(phone.get_by_text("Kies de kaart in plaats van ♠9 (slag 1)")).to_be_visible()
    axe(phone)
    tap(phone, "s8")
    expect(phone.get_by_role("button", name="schoppen 8 wijzigen")).to_be_visible()
    phone.get_by_role("button", name="Schrijf spel 1").tap()
    expect(phone.get_by_text("Spel 1 is geschreven.")).to_be_visible()
    entry = DealEntry.objects.get()
    assert entry.record is not None
    assert entry.record["cards"] == ["TS", "7D", "AS", "8S", "JS", "KS", "QS", "7S"]


@pytest.mark.full
def test_it_says_that_the_server_is_away_and_loses_no_card(
    chromium: Browser, club: Club, live_server: LiveServer
) -> None:
    """In a browser that nobody listens to: htmx tells the console that nothing came back."""
    context = chromium.new_context(base_url=live_server.url, locale="nl-NL", **PHONE)
    page = context.new_page()
    log_in(page, club, live_server.url)
    page.goto(f"{CARDS}?trump=H&declarer=NS&leader=N&cards=s10")
    page.route("**/found/**", lambda route: route.abort("internetdisconnected"))
    tap(page, "s7")
    expect(page.get_by_text("De server antwoordt niet.")).to_be_visible()
    page.unroute("**/found/**")
    tap(page, "sa")
    expect(page.locator("#now")).to_contain_text("West – Truus is aan de beurt")
    expect(page.get_by_text("De server antwoordt niet.")).to_be_hidden()
    context.close()


def keys_are_large_and_fit(phone: Page) -> None:
    sizes = "keys => keys.map(key => key.getBoundingClientRect())"
    for width in (390, 360):
        phone.set_viewport_size({"width": width, "height": 640})
        boxes = phone.locator(".card-key, .replay-card").evaluate_all(sizes)
        assert len(boxes) == 32 + 8
        assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
        assert phone.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_everything_works_without_a_script(
    chromium: Browser, club: Club, live_server: LiveServer
) -> None:
    context = chromium.new_context(
        base_url=live_server.url, java_script_enabled=False, locale="nl-NL"
    )
    page = context.new_page()
    log_in(page, club, live_server.url)
    page.goto(CARDS)
    settle(page, trump="H", leader="N")
    page.get_by_role("textbox").fill("s10 r7 sa")
    page.get_by_role("button", name="Bekijk deze kaarten").click()
    page.get_by_role("button", name="schoppen 8", exact=True).click()
    expect(page.locator("#now")).to_contain_text("Zuid – Piet is aan de beurt")
    page.get_by_role("button", name="schoppen B", exact=True).click()
    page.get_by_role("button", name="Kaart terug").click()
    for rank in ("B", "H", "V", "7"):
        page.get_by_role("button", name=f"schoppen {rank}", exact=True).click()
    expect(page.get_by_text("Oost – Mia mocht ♦7 niet spelen")).to_be_visible()
    page.get_by_role("button", name="Schrijf spel 1").click()
    expect(page.get_by_text("Spel 1 is geschreven.")).to_be_visible()
    context.close()
