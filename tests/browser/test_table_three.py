"""The table page of three people under two thumbs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry, Seat
from tests.browser.hands import Phone
from tests.tournaments.table_pages import link, playing_three

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("seat", ["N", "E", "S"])
def test_a_plain_deal_takes_five_taps_whoever_plays(phone: Page, seat: str) -> None:
    evening, table = playing_three()
    phone.goto(link(evening, table.number))
    hand = Phone(phone)
    hand.who(seat)
    hand.trump("H")
    hand.points("62")  # the two who did not play count
    expect(phone.locator(".deal-preview")).to_contain_text("100, ")
    expect(phone.locator(".deal-preview")).to_contain_text("elk 62: gehaald")
    hand.write(1)
    expect(phone.get_by_text("Geschreven: spel 1, 100–62")).to_be_visible()
    assert hand.taps == 5
    written = DealEntry.objects.get().written or {}
    assert (written["declarer"], [*written["points"].values()]) == (seat, [62])
    assert Seat.objects.get(sheet=table.sheet_id, seat=seat).score == 100


def test_all_of_it_fits_and_can_be_read_by_everybody(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    evening, table = playing_three()
    phone.goto(link(evening, table.number))
    hand = Phone(phone)
    hand.who("E")
    hand.trump("S")
    hand.roem("tegen", "20")
    hand.points("62")
    expect(phone.locator(".deal-preview")).to_contain_text("elk 62 + 20 roem = 82: gehaald")
    last_key = phone.locator(".deal-more").bounding_box()
    preview = phone.locator(".deal-preview").bounding_box()
    assert last_key is not None
    assert preview is not None
    assert last_key["y"] + last_key["height"] <= preview["y"]
    axe(phone)
