"""The table page of two people under two thumbs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry, Seat
from tests.browser.hands import Phone
from tests.browser.outbox import Table
from tests.tournaments.table_pages import link, playing_two

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def scores(sheet_id: int) -> dict[str, int]:
    return dict(Seat.objects.filter(sheet=sheet_id).values_list("seat", "score"))


def test_a_plain_deal_takes_five_taps(phone: Page, axe: Callable[[Page], None]) -> None:
    evening, table = playing_two()
    phone.goto(link(evening, table.number))
    expect(phone.locator("main")).not_to_contain_text("blinde")
    hand = Phone(phone)
    hand.who("NS")
    hand.trump("H")
    hand.points("62")
    hand.reads("gehaald")
    axe(phone)
    hand.write(1)
    expect(phone.get_by_text("Geschreven: spel 1, 100–62")).to_be_visible()
    assert hand.taps == 5
    assert (DealEntry.objects.get().written or {})["seats"] == ["N", "E"]
    assert scores(table.sheet_id) == {"N": 100, "E": 62, "S": 0, "W": 0}


def test_deals_wait_without_the_network(phone: Page) -> None:
    evening, table = playing_two()
    hand = Table(phone, link(evening, table.number))
    hand.off()
    hand.deal(1, 62)
    hand.deal(2, 100, who="EW")
    expect(phone.locator("#table-top")).not_to_contain_text("blinde")
    hand.on()
    hand.status("verzonden")
    expect(phone.locator(".waits")).to_have_count(0)
    assert DealEntry.objects.count() == 2
