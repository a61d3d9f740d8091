"""The public pages in a real browser: what moves by itself, and what must not."""

import re
from collections.abc import Callable

import pytest
from django.core.cache import caches
from playwright.sync_api import Page, expect

from clubs.models import Member
from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.public_pages import close_evening, evening_path
from tournaments.models import Evening

pytestmark = pytest.mark.browser

Check = Callable[[Page], None]
CUT_OFF = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length"


@pytest.fixture
def evening(live_server: object) -> Evening:
    """Two tables in the order of the members, one deal written: 90 for Jan and Piet."""
    evening = evening_with_draw(players=8, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


def look_for_news(page: Page, status: int) -> None:
    """Let the page ask again until the server answers so: for a moment it may repeat itself."""
    for _ in range(20):
        with page.expect_response("**/live/**") as answer:
            page.clock.run_for(1500)
        if answer.value.status == status:
            return
    raise AssertionError(f"No answer with status {status}")


@pytest.mark.full
def test_standings_follow_in_place_and_leave_the_reader_alone(
    phone: Page, evening: Evening
) -> None:
    requests: list[str] = []
    phone.on("request", lambda request: requests.append(request.url))
    phone.clock.install()
    phone.goto(evening_path(evening))
    mia = phone.get_by_role("row").filter(has_text="Mia van der Meer")
    link, points = mia.get_by_role("link"), mia.locator(".total")
    expect(points).to_have_text("72")
    link.focus()
    height = phone.evaluate("scrollY")

    look_for_news(phone, 304)
    write_deal(table(evening), 2, declarer="EW", points={"EW": 110})
    look_for_news(phone, 200)
    expect(points).to_have_text("182")
    expect(points).to_have_class("total changed")
    expect(phone.get_by_role("row").nth(1)).to_contain_text("Mia van der Meer")
    expect(link).to_be_focused()
    assert phone.evaluate("scrollY") == height
    kees = phone.get_by_role("row").filter(has_text="Kees Mulder").locator(".total")
    expect(kees).to_have_class("total")
    look_for_news(phone, 304)

    hide = "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}})"
    phone.evaluate(hide.format("true"))  # in a pocket it asks for nothing
    requests.clear()
    phone.clock.run_for(10_000)
    assert requests == []
    phone.evaluate(hide.format("false"))
    with phone.expect_response("**/live/"):
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    close_evening(evening)
    look_for_news(phone, 200)
    expect(phone.locator("#state")).to_contain_text("uitslag 1")
    requests.clear()
    phone.clock.run_for(30_000)  # nor when the evening is closed
    assert requests == []


def test_what_is_saved_is_read_within_two_seconds(phone: Page, evening: Evening) -> None:
    jan = Member.objects.get(name="Jan Bakker")
    of_jan = ('[data-live="total"]', f"players/{jan.pk}/")
    of_all = (".total", ""), (".total", "screen/")
    phone.clock.install()
    for number, (place, more) in enumerate((of_jan, *of_all), start=2):
        phone.goto(evening_path(evening, more))
        points = phone.locator(place)
        if place == ".total":
            points = phone.get_by_role("row").filter(has_text="Jan Bakker").locator(place)
        expect(points).to_have_text(str(90 * (number - 1)))
        write_deal(table(evening), number)
        caches["small"].clear()  # the server's short memory
        phone.clock.run_for(2000)
        expect(points).to_have_text(str(90 * number))


@pytest.mark.full
def test_a_small_phone_shows_all_of_a_player_and_the_name_that_is_typed_only(
    phone: Page, evening: Evening
) -> None:
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

    phone.clock.install()
    phone.goto(evening_path(evening, "?show=names"))
    field, names = phone.get_by_role("searchbox"), phone.locator("tbody tr:visible")
    expect(names).to_have_count(8)
    mia = [re.compile(r"Mia van der Meer\s+1\s+Truus de Vries")]
    field.press_sequentially("MEER")
    expect(names).to_have_text(mia)
    write_deal(table(evening), 2)
    look_for_news(phone, 200)
    expect(phone.locator("#live")).not_to_have_class("flow htmx-request")
    expect(field).to_have_value("MEER")
    expect(field).to_be_focused()
    expect(names).to_have_text(mia)
    field.press("Enter")
    expect(names).to_have_text(mia)
    phone.get_by_role("link", name="Toon iedereen").click()
    expect(names).to_have_count(8)


@pytest.mark.full
def test_the_screen_of_a_full_hall_shows_whole_pages_and_turns_them(
    desktop: Page, live_server: object, axe: Check
) -> None:
    evening = evening_with_draw(players=40, rounds=1, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    desktop.clock.install()
    desktop.goto(evening_path(evening, "screen/"))
    expect(desktop.locator("tbody tr")).to_have_count(16)
    expect(desktop.locator("main")).to_contain_text("bladzijde 1 van 2")
    for width, height in ((1280, 800), (1920, 1080)):
        desktop.set_viewport_size({"width": width, "height": height})
        fills_the_screen(desktop, width, height)
    assert desktop.locator("tbody td").evaluate_all(CUT_OFF) == 0
    axe(desktop)
    for page in (2, 1):
        with desktop.expect_response("**/screen/**"):
            desktop.clock.run_for(10_000)
        expect(desktop.locator("main")).to_contain_text(f"bladzijde {page} van 2")
        fills_the_screen(desktop, 1920, 1080)


@pytest.mark.full
def test_before_the_evening_a_large_hall_sees_whole_pages_of_names(
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
        fills_the_screen(desktop, width, height)
    axe(desktop)
    desktop.goto(evening_path(evening, "?show=tables"))
    axe(desktop)


def fills_the_screen(page: Page, width: int, height: int) -> None:
    """Nothing sticks out of the screen."""
    assert page.evaluate("document.documentElement.scrollHeight") == height
    assert page.evaluate("document.documentElement.scrollWidth") == width
