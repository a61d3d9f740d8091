"""The public pages in a real browser: what moves by itself, and what must not."""

import re

import pytest
from django.core.cache import caches
from playwright.sync_api import Page, expect

from clubs.models import Member
from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import close_evening, evening_path
from tournaments.models import Evening

pytestmark = pytest.mark.browser


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
    # Nobody has a place yet, so people stand by name.
    expect(phone.get_by_role("row").nth(1)).to_contain_text("Annie Smit-de Boer")
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
    of_jan = ('[data-live="running"]', f"players/{jan.pk}/")
    of_all = (".total", ""), (".total", "screen/")
    screen_held(evening, "standings")
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
    expect(cells).to_have_text(["–", "90", "1 van 16", "0"])
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
    mia = [re.compile(r"Mia van der Meer\s*1\s*Truus de Vries")]
    field.press_sequentially("MEER")
    expect(names).to_have_text(mia)
    write_deal(table(evening), 2)
    look_for_news(phone, 200)
    expect(field).to_have_value("MEER")
    expect(field).to_be_focused()
    expect(names).to_have_text(mia)
    field.press("Enter")
    expect(names).to_have_text(mia)
    phone.get_by_role("link", name="Toon iedereen").click()
    expect(names).to_have_count(8)


@pytest.mark.full
def test_a_result_is_shared_by_the_phone_itself_or_its_link_is_copied(
    phone: Page, evening: Evening
) -> None:
    close_evening(evening)
    path = evening_path(evening)
    phone.goto(path)
    whatsapp = phone.get_by_role("link", name="Delen via WhatsApp")
    share = phone.get_by_role("button", name="Delen", exact=True)
    copy = phone.get_by_role("button", name="Link kopiëren")
    expect(whatsapp).to_be_visible()
    expect(share).to_be_hidden()
    # The hall's wifi is no https: there the old way of copying is what there is.
    phone.add_init_script("delete Navigator.prototype.clipboard")
    phone.goto(path)
    copy.click()
    expect(phone.get_by_role("button", name="Gekopieerd")).to_be_focused()
    phone.add_init_script(
        "window.shared = []; navigator.share = (what) => { window.shared.push(what);"
        " return Promise.reject(new Error('closed')); };"
    )
    phone.goto(path)
    expect(whatsapp).to_be_hidden()
    expect(copy).to_be_hidden()
    share.click()
    shared = phone.evaluate("window.shared")
    assert [(what["title"], what["url"].endswith(path)) for what in shared] == [
        ("De Vrolijke Boer", True)
    ]
    assert shared[0]["text"] == "De Vrolijke Boer: de uitslag van zaterdag 21 november 2026."
