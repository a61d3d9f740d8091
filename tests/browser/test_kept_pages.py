"""Pages of a table that open without the network, and for how long."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.deal_screen import scan_again
from tests.browser.outbox import OutboxScreen, written
from tests.devices import KEEPING_PHONE, PATIENCE
from tests.factories import TESTS
from tests.tournaments.table_pages import link, playing
from tournaments.table_links.services import token_renew

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CACHED = """async () => {
  const pages = await (await caches.open("klaverclub-table-pages")).keys();
  return pages.map(({ url }) => new URL(url).pathname).sort();
}"""
FACES = """async () => {
  await document.fonts.ready;
  const loaded = [...document.fonts].filter(({ status }) => status === "loaded");
  const own = loaded.filter(({ family }) => !family.includes("Like"));
  return own.map(({ family, weight }) => `${family} ${weight.replace("normal", "400")}`).sort();
}"""
AGE = """async (days) => {
  const pages = await caches.open("klaverclub-table-pages");
  for (const request of await pages.keys()) {
    const page = await pages.match(request, { ignoreVary: true });
    const headers = new Headers(page.headers);
    headers.set("Date", new Date(Date.now() - days * 24 * 60 * 60 * 1000).toUTCString());
    await pages.put(request, new Response(await page.text(), { headers }));
  }
}"""


@pytest.fixture
def offline_phone(chromium: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone that keeps a table's page, and may ask for one that does not open."""
    context = chromium.new_context(base_url=live_server.url, locale="nl-NL", **KEEPING_PHONE)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.full
def test_a_cached_page_shows_what_was_sent_since_and_goes_when_its_link_is_withdrawn(
    keeping_phone: Page,
) -> None:
    phone = keeping_phone
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.is_cached()
    screen.deal(1, 65)
    screen.status("verzonden")
    screen.off()
    phone.reload()
    screen.is_at(2)
    expect(phone.locator("#deal-1")).to_contain_text("97")
    assert phone.evaluate(FACES) == ["Atkinson 400", "Atkinson 700"]
    screen.deal(2, 70)
    screen.on()
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 65), (2, 1, 70)]

    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    tab = scan_again(phone, screen.address)
    heading = tab.get_by_role("heading", level=1)
    expect(heading).to_have_text("Deze code geldt niet meer")
    assert tab.evaluate(CACHED) == []


@pytest.mark.full
@pytest.mark.parametrize("asked", ["", "rounds/1/"])
def test_a_withdrawn_link_takes_all_pages_of_its_table_along_and_no_others(
    offline_phone: Page, asked: str
) -> None:
    evening = playing(players=8)
    ours, theirs = link(evening, 1), link(evening, 2)
    phone = visited(offline_phone, theirs, ours, f"{ours}rounds/1/")
    assert phone.evaluate(CACHED) == sorted([theirs, ours, f"{ours}rounds/1/"])

    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    tab = scan_again(phone, f"{ours}{asked}")
    heading = tab.get_by_role("heading", level=1)
    expect(heading).to_have_text("Deze code geldt niet meer")
    assert tab.evaluate(CACHED) == [theirs]

    tab.context.set_offline(True)
    for path in ("", "rounds/1/", "pair/"):
        assert not opens(tab.context, f"{ours}{path}")
    assert opens(tab.context, theirs)


@pytest.mark.full
def test_what_a_table_does_not_have_takes_no_other_page_along(keeping_phone: Page) -> None:
    ours = link(playing())
    phone = visited(keeping_phone, ours, f"{ours}rounds/1/")
    phone.goto(f"{ours}rounds/9/")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    assert phone.evaluate(CACHED) == [ours, f"{ours}rounds/1/"]


@pytest.mark.full
@pytest.mark.parametrize(("days", "is_open"), [(1.9, True), (2.1, False)])
def test_a_page_opens_offline_for_two_days(offline_phone: Page, days: float, is_open: bool) -> None:
    ours = link(playing())
    phone = visited(offline_phone, ours, f"{ours}rounds/1/")
    phone.context.set_offline(True)
    phone.evaluate(AGE, days)
    assert opens(phone.context, f"{ours}rounds/1/") == is_open
    assert opens(phone.context, ours) == is_open


def visited(phone: Page, *addresses: str) -> Page:
    """The phone after visits to these pages of tables, which it keeps; the last one is open."""
    for address in addresses:
        OutboxScreen(phone, address).is_cached()
    return phone


def opens(context: BrowserContext, address: str) -> bool:
    """Whether a new tab of this phone shows a page there."""
    tab = context.new_page()
    try:
        tab.goto(address)
    except Error:
        return False
    finally:
        tab.close()
    return True
