"""The public pages in a real browser: what moves by itself, and what must not."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Member
from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.public_pages import close_evening, evening_path
from tournaments.models import Evening
from tournaments.seen import KEPT_SECONDS

pytestmark = pytest.mark.browser

Check = Callable[[Page], None]


@pytest.fixture
def evening(live_server: object) -> Evening:
    """Two tables in the order of the members, one deal written: 90 for Jan and Piet."""
    evening = evening_with_draw(players=8, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


def test_standings_follow_in_place_and_leave_the_reader_alone(
    phone: Page, evening: Evening
) -> None:
    phone.clock.install()
    phone.goto(evening_path(evening))
    mia = phone.get_by_role("row").filter(has_text="Mia van der Meer")
    link, points = mia.get_by_role("link"), mia.locator(".total")
    expect(points).to_have_text("72")
    link.focus()
    height = phone.evaluate("scrollY")

    with phone.expect_response("**/live/") as unchanged:
        phone.clock.run_for(1500)
    assert unchanged.value.status == 304
    write_deal(table(evening), 2, declarer="EW", points={"EW": 110})
    time.sleep(KEPT_SECONDS)
    with phone.expect_response("**/live/") as changed:
        phone.clock.run_for(1500)
    assert changed.value.status == 200
    expect(points).to_have_text("182")
    expect(points).to_have_class("total changed")
    expect(phone.get_by_role("row").nth(1)).to_contain_text("Mia van der Meer")
    expect(link).to_be_focused()
    assert phone.evaluate("scrollY") == height
    kees = phone.get_by_role("row").filter(has_text="Kees Mulder").locator(".total")
    expect(kees).to_have_class("total")

    with phone.expect_response("**/live/") as unchanged:
        phone.clock.run_for(1500)
    assert unchanged.value.status == 304


@pytest.mark.parametrize("more", ["", "players/", "screen/"])
def test_what_is_saved_is_read_within_two_seconds(phone: Page, evening: Evening, more: str) -> None:
    jan = Member.objects.get(name="Jan Bakker")
    phone.goto(evening_path(evening, f"players/{jan.pk}/" if more == "players/" else more))
    points = phone.locator('[data-live="total"]')
    if more != "players/":
        points = phone.get_by_role("row").filter(has_text="Jan Bakker").locator(".total")
    expect(points).to_have_text("90")
    for deal, total in ((2, "180"), (3, "270"), (4, "360")):
        write_deal(table(evening), deal)
        expect(points).to_have_text(total, timeout=2000)


def test_a_page_in_a_pocket_asks_for_nothing(phone: Page, evening: Evening) -> None:
    asked: list[str] = []
    phone.clock.install()
    phone.goto(evening_path(evening))
    phone.on("request", lambda request: asked.append(request.url))
    hide = "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}})"
    phone.evaluate(hide.format("true"))
    phone.clock.run_for(10_000)
    assert asked == []
    phone.evaluate(hide.format("false"))
    with phone.expect_response("**/live/"):
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_on_a_phone_the_rounds_stand_under_the_name(phone: Page, evening: Evening) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    phone.goto(evening_path(evening))
    region = phone.locator(".table-region")
    assert region.evaluate("region => region.scrollWidth - region.clientWidth") == 0
    expect(phone.get_by_role("columnheader")).to_have_count(5)
    jan = phone.get_by_role("row").filter(has_text="Jan Bakker")
    cells = jan.get_by_role("cell")
    expect(cells).to_have_text(["1", "90", "90", "0"])
    left, top = (
        "cell => cell.getBoundingClientRect().left",
        "cell => cell.getBoundingClientRect().top",
    )
    name, round_, pits = jan.get_by_role("rowheader"), cells.nth(2), cells.nth(3)
    assert round_.evaluate(left) == name.evaluate(left)
    assert round_.evaluate(top) == pits.evaluate(top) > name.evaluate(top)


def test_a_phone_stops_asking_when_the_evening_is_closed(phone: Page, evening: Evening) -> None:
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.clock.install()
    phone.goto(evening_path(evening))
    close_evening(evening)
    phone.clock.run_for(1500)
    expect(phone.locator("#state")).to_contain_text("uitslag 1")
    asked.clear()
    phone.clock.run_for(30_000)
    assert asked == []


def test_typing_a_name_leaves_only_that_name_and_keeps_it_while_the_page_lives(
    phone: Page, evening: Evening
) -> None:
    phone.clock.install()
    phone.goto(evening_path(evening, "?show=names"))
    field, names = phone.get_by_role("searchbox"), phone.locator("tbody tr:visible")
    expect(names).to_have_count(8)
    mia = [re.compile(r"Mia van der Meer\s+1\s+Truus de Vries")]
    field.press_sequentially("MEER")
    expect(names).to_have_text(mia)
    write_deal(table(evening), 2)
    with phone.expect_response("**/live/**"):
        phone.clock.run_for(1500)
    expect(phone.locator("#live")).not_to_have_class("flow htmx-request")
    expect(field).to_have_value("MEER")
    expect(field).to_be_focused()
    expect(names).to_have_text(mia)
    field.press("Enter")
    expect(names).to_have_text(mia)
    phone.get_by_role("link", name="Toon iedereen").click()
    expect(names).to_have_count(8)


def test_the_screen_turns_without_a_hand(desktop: Page, live_server: object) -> None:
    evening = evening_with_draw(players=28, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    desktop.clock.install()
    desktop.goto(evening_path(evening, "screen/"))
    for page in (1, 2, 3, 1):
        expect(desktop.locator("main")).to_contain_text(f"bladzijde {page} van 3")
        assert desktop.evaluate("document.documentElement.scrollHeight") == 800
        with desktop.expect_response("**/screen/**"):
            desktop.clock.run_for(10_000)


def test_a_large_hall_sees_whole_pages_of_names(
    desktop: Page, live_server: object, axe: Check
) -> None:
    evening = evening_with_draw(
        players=102, method=Evening.Method.LOTTERY, rounds=1, leftover="three_handed", started=False
    )
    Member.objects.filter(number=1).update(public_name="Johanna Petronella van der Meer-de Vries")
    desktop.goto(evening_path(evening, "screen/"))
    expect(desktop.locator("tbody tr")).to_have_count(14)
    for width, height in ((1280, 800), (1920, 1080)):
        desktop.set_viewport_size({"width": width, "height": height})
        assert desktop.evaluate("document.documentElement.scrollHeight") == height
        assert desktop.evaluate("document.documentElement.scrollWidth") == width
    axe(desktop)
    desktop.goto(evening_path(evening, "?show=tables"))
    axe(desktop)


def test_the_standings_of_a_full_hall_stand_in_two_columns(
    desktop: Page, live_server: object, axe: Check
) -> None:
    evening = evening_with_draw(players=40, rounds=1, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    desktop.goto(evening_path(evening, "screen/"))
    expect(desktop.locator("main")).to_contain_text("bladzijde 1 van 2")
    expect(desktop.locator("tbody tr")).to_have_count(16)
    for width, height in ((1280, 800), (1920, 1080)):
        desktop.set_viewport_size({"width": width, "height": height})
        assert desktop.evaluate("document.documentElement.scrollHeight") == height
        assert desktop.evaluate("document.documentElement.scrollWidth") == width
    cut = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length"
    assert desktop.locator("tbody td").evaluate_all(cut) == 0
    axe(desktop)


@pytest.mark.parametrize(
    "more", ["", "?show=names", "?show=tables", "rounds/1/tables/1/", "screen/", "players/{pk}/"]
)
def test_the_evening_keeps_nobody_out(phone: Page, evening: Evening, axe: Check, more: str) -> None:
    phone.goto(evening_path(evening, more.format(pk=Member.objects.get(number=1).pk)))
    axe(phone)


def test_the_club_and_its_players_keep_nobody_out(
    desktop: Page, evening: Evening, axe: Check
) -> None:
    close_evening(evening)
    for page in ("", "calendar/"):
        desktop.goto(f"/clubs/vrolijke-boer/{page}")
        axe(desktop)
    desktop.goto("/clubs/vrolijke-boer/")
    desktop.get_by_role("link", name="Jan Bakker").first.click()
    expect(desktop.get_by_role("heading", level=1)).to_have_text("Jan Bakker")
    axe(desktop)
