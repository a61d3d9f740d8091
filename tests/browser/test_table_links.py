"""Links, phones and PINs as people meet them: a phone replaced, a code withdrawn, a table left."""

from collections.abc import Callable
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealEntry
from tests.browser.deal_screen import DealScreen, look_again, scan_again
from tests.browser.login import log_in
from tests.devices import OpenPage
from tests.tournaments.desk import EVENING
from tests.tournaments.table_moves import with_other_people
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening
from tournaments.table_links.services import table_links

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Page], None]


def written(page: Page, number: int) -> None:
    """Write a deal: we play hearts and have 97 points."""
    screen = DealScreen(page)
    screen.plain_deal(number, "65", trump="H")
    screen.is_written(f"{number}, 97–65")


def scanned(card: Locator) -> str:
    """What the QR code on the screen says."""
    (code,) = zxingcpp.read_barcodes(Image.open(BytesIO(card.screenshot())))
    return code.text


@pytest.fixture
def evening(settings: Settings, live_server: LiveServer) -> Evening:
    settings.PUBLIC_URL = live_server.url
    return playing(players=8, rounds=2)


@pytest.mark.full
def test_another_phone_takes_over_and_the_director_cuts_the_first_one_off(
    evening: Evening, open_phone: OpenPage, desktop: Page, live_server: LiveServer, axe: Axe
) -> None:
    first, second = open_phone(), open_phone()
    first.goto(link(evening))
    written(first, 1)
    second.goto(link(evening))
    written(second, 2)
    devices = DealEntry.objects.order_by("deal__number").values_list("device", flat=True)
    assert list(devices) == ["phone:1", "phone:2"]
    log_in(desktop, evening.club, live_server.url)
    desktop.goto(f"{EVENING}board/")
    desktop.locator("#menu-evening-button").click()
    desktop.get_by_role("link", name="De telefoons aan de tafels").click()
    table = desktop.locator("#phones-1")
    expect(table.get_by_role("listitem")).to_have_count(2)
    axe(desktop)
    of_first = table.get_by_role("listitem").filter(has_text="Telefoon 1 ·")
    of_first.get_by_role("button", name="Blokkeren").click()
    expect(table.get_by_text("geblokkeerd")).to_be_visible()
    first = scan_again(first, link(evening))
    refusal = "Deze telefoon mag aan deze tafel niet meer schrijven"
    expect(first.get_by_role("heading", name=refusal)).to_be_visible()
    axe(first)
    second = scan_again(second, link(evening))
    written(second, 3)
    of_first.get_by_role("button", name="Weer toelaten").click()
    expect(table.get_by_text("geblokkeerd")).to_have_count(0)
    first = scan_again(first, link(evening))
    written(first, 4)


@pytest.mark.full
def test_a_code_is_withdrawn_and_the_new_one_opens_the_table(
    evening: Evening, phone: Page, desktop: Page, live_server: LiveServer, axe: Axe
) -> None:
    phone.goto(link(evening, 2))
    written(phone, 1)
    log_in(desktop, evening.club, live_server.url)
    desktop.goto(f"{EVENING}links/")
    card = desktop.locator("li", has_text="Tafel 2").locator(".qr-card")
    old = scanned(card)
    assert old.endswith(link(evening, 2))
    desktop.locator("li", has_text="Tafel 2").get_by_role("link", name="Deze code").click()
    desktop.get_by_role("main").get_by_role("button", name="Vervang de code").click()
    expect(desktop.get_by_text("Tafel 2 heeft een nieuwe code.")).to_be_visible()
    look_again(phone)  # the page finds out, and loads itself anew
    expect(phone.get_by_role("heading", name="Deze code geldt niet meer")).to_be_visible()
    axe(phone)
    written(scan_again(phone, scanned(card)), 2)


def test_a_phone_comes_in_by_number_and_pin_and_scans_at_the_next_table(
    evening: Evening, phone: Page, axe: Axe
) -> None:
    first = table_links(evening)[0]
    phone.goto("/t")
    expect(phone.get_by_role("heading", name="Naar uw tafel")).to_be_visible()
    phone.get_by_label("Nummer van uw tafel").fill("2")
    phone.get_by_label("Pincode van uw tafel").fill(first.pin)
    phone.get_by_role("button", name="Naar de tafel").tap()
    expect(phone.get_by_role("alert")).to_contain_text("horen niet bij elkaar")
    axe(phone)
    phone.get_by_label("Nummer van uw tafel").fill("1")
    phone.get_by_label("Pincode van uw tafel").press("Enter")
    expect(phone).to_have_url(first.url)
    written(phone, 1)

    with_other_people(evening)
    phone = scan_again(phone, link(evening, 1))
    expect(phone.get_by_role("heading", name="Scan de code aan uw volgende tafel")).to_be_visible()
    expect(phone.get_by_role("list", name="Tafel 2")).to_contain_text("Jan Bakker")
    axe(phone)
    phone = scan_again(phone, link(evening, 2))
    written(phone, 1)
    phone = scan_again(phone, link(evening, 1))
    phone.get_by_role("button", name="Wij zitten nog aan tafel 1").tap()
    written(phone, 1)
