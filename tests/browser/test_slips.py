"""A trembling hand at the table: taps that nobody meant, the phone's Back key, second thoughts."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from tests.browser.outbox import OutboxScreen, written
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tap_twice(screen: OutboxScreen, words: str, pause: int) -> None:
    """Two taps on one place of the screen, whatever stands there at the second."""
    box = screen.page.get_by_role("button", name=words).bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    screen.page.touchscreen.tap(*middle)
    screen.page.wait_for_timeout(pause)
    screen.page.touchscreen.tap(*middle)


@pytest.mark.parametrize(
    "pause",
    [pytest.param(60, marks=pytest.mark.full), 400, pytest.param(800, marks=pytest.mark.full)],
)
def test_two_taps_on_undo_take_back_one_deal_which_can_be_put_back(phone: Page, pause: int) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.plain_deal(1, "65", trump="H")
    screen.plain_deal(2, "72")
    screen.status("verzonden")
    screen.is_calm()
    tap_twice(screen, "spel 2 ongedaan maken", pause)
    screen.reads("Spel 2 is ongedaan gemaakt.")
    screen.is_at(2)
    expect(phone.locator("#id_points_ew")).to_have_value("72")
    expect(phone.locator("#deal-1")).to_contain_text("97")
    expect(phone.locator("#deal-2")).not_to_contain_text("90")
    phone.wait_for_timeout(1000 - pause)
    screen.tap(phone.get_by_role("button", name="Zet terug"))
    screen.is_written("2, 90–72")
    screen.is_at(3)
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 65), (2, 1, 72), (2, 2, None), (2, 3, 72)]


@pytest.mark.full
def test_without_the_network_a_deal_is_undone_and_put_back_without_a_trace(phone: Page) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.plain_deal(1, "65")
    screen.is_calm()
    screen.tap(screen.undo(1))
    screen.reads("Spel 1 is ongedaan gemaakt.")
    phone.wait_for_timeout(1000)
    screen.tap(phone.get_by_role("button", name="Zet terug"))
    screen.reads("spel 1, 97–65")
    screen.on()
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 65)]


@pytest.mark.full
def test_what_is_undone_is_put_right_and_what_is_changed_is_said(phone: Page) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.plain_deal(1, "65")
    screen.status("verzonden")
    screen.is_calm()
    screen.tap(screen.undo(1))
    screen.tap(phone.locator("[data-count=EW]"))
    screen.points("56")
    screen.write(1)
    screen.is_written("1, 106–56")
    screen.is_calm()
    # Within a minute of writing nobody is asked why.
    phone.locator("#deal-1").tap()
    screen.tap(phone.locator("[data-count=EW]"))
    screen.points("66")
    expect(phone.locator(".deal-reason")).to_have_count(0)
    screen.tap(phone.get_by_role("button", name="Wijzig spel 1"))
    screen.reads("Spel 1 gewijzigd: 106–56 werd 96–66")
    screen.status("verzonden")
    assert [entry.reason for entry in DealEntry.objects.order_by("revision")] == [
        "",
        "",
        "",
        "meteen gewijzigd",
    ]


def test_back_closes_what_is_open_and_never_leaves_the_table(phone: Page) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.plain_deal(1, "65")
    screen.status("verzonden")
    more = phone.get_by_role("heading", name="Iets bijzonders")
    screen.tap(phone.get_by_role("button", name="meer …"))
    expect(more).to_be_visible()
    phone.go_back()
    expect(more).to_be_hidden()
    screen.tap(phone.get_by_role("button", name="telhulp"))
    phone.go_back()
    expect(phone.locator("#tally")).to_be_hidden()
    screen.is_calm()
    phone.locator("#deal-1").tap()
    correcting = phone.locator("[data-correcting]")
    expect(correcting).to_be_visible()
    screen.tap(phone.get_by_role("button", name="meer …"))
    phone.go_back()
    expect(more).to_be_hidden()
    expect(correcting).to_be_visible()
    phone.go_back()
    expect(correcting).to_be_hidden()
    # Closed by its own button it leaves nothing behind for Back.
    screen.is_calm()
    phone.locator("#deal-1").tap()
    screen.tap(phone.get_by_role("button", name="Terug", exact=True))
    expect(correcting).to_be_hidden()
    screen.is_calm()
    phone.locator("#deal-1").tap()
    phone.reload()
    screen.status("verzonden")
    phone.go_back()
    screen.is_at(2)
