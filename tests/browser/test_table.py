"""The table's page while people play: empty after what does not count, and in step with others."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from tests.browser.deal_screen import look_again
from tests.browser.outbox import OutboxScreen
from tests.factories import table, write_deal
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ONCE_CORRECTED = re.compile(r'"number":1,"version":2,')
FILLED_IN = """() => [...new FormData(document.querySelector("#deal"))]
    .filter(([name, value]) => value && /^(declarer|trump|points|roem|pit|nat|replayed)/.test(name))
    .map(([name]) => name)"""


@pytest.mark.full
def test_a_deal_that_is_replayed_starts_empty_and_one_taken_back_with_its_figures(
    phone: Page,
) -> None:
    screen = OutboxScreen(phone, link(playing()))
    replay_and_take_back(screen)
    screen.status("verzonden")
    screen.off()
    replay_and_take_back(screen)


@pytest.mark.full
def test_a_deal_taken_back_without_the_network_is_what_it_was_before(phone: Page) -> None:
    """Which was: to be replayed. The page has the server's news of all that was written."""
    screen = OutboxScreen(phone, link(playing()))
    write_replayed_and_again(screen)
    screen.status("verzonden")
    expect(phone.locator("#table-data")).to_have_attribute("data-table", ONCE_CORRECTED)
    screen.off()
    screen.is_calm()
    screen.tap(screen.undo(1))
    screen.is_at(1)
    screen.reads("Spel 1 is ongedaan gemaakt.")
    assert "opnieuw gegeven" in screen.line(1)
    screen.on()
    screen.status("verzonden")
    assert DealEntry.objects.count() == 3


def replay_and_take_back(screen: OutboxScreen) -> None:
    write_replayed_and_again(screen)
    screen.is_calm()
    screen.tap(screen.undo(1))
    screen.is_at(1)
    assert screen.page.evaluate(FILLED_IN) == ["declarer", "points_ew"]


def write_replayed_and_again(screen: OutboxScreen) -> None:
    phone = screen.page
    screen.declarer("NS")
    screen.trump("H")
    screen.points("60")
    screen.tap(phone.get_by_role("button", name="meer …"))
    screen.tap(phone.get_by_text("opnieuw gegeven: dit spel telt niet"))
    screen.tap(phone.get_by_role("button", name="Terug naar het spel"))
    screen.reads("Dit spel wordt overgedaan en telt niet")
    screen.write(1)
    screen.reads("spel 1, opnieuw gegeven")
    assert phone.evaluate(FILLED_IN) == []
    screen.declarer("NS")
    screen.points("65")
    screen.reads("Wij 97, zij 65: gehaald")
    screen.write(1)
    screen.reads("spel 1, 97–65")


@pytest.mark.full
def test_an_open_page_hears_of_the_other_phone_and_keeps_what_is_typed(phone: Page) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.points("65")
    assert ask_for_news(phone) == 304
    write_deal(table(evening), 1)
    assert ask_for_news(phone) == 200
    expect(phone.get_by_role("alert")).to_contain_text("Spel 1 is zojuist geschreven: 90–72.")
    expect(phone.locator("#id_points_ew")).to_have_value("65")


def ask_for_news(page: Page) -> int:
    """Look at the phone again, as after it was in a pocket; the status of the server's answer."""
    with page.expect_response(lambda response: "/state/" in response.url) as answer:
        look_again(page)
    return answer.value.status
