"""The table page under two thumbs: few taps, live words, two phones that do not overwrite."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealEntry
from tests.browser.hands import Phone, look_again
from tests.conftest import OpenPage
from tests.factories import ClubFactory, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone_at(open_phone: OpenPage) -> Callable[[str], Phone]:
    def open_at(address: str) -> Phone:
        page = open_phone()
        page.goto(address)
        return Phone(page)

    return open_at


def test_a_plain_deal_takes_five_taps(phone_at: Callable[[str], Phone]) -> None:
    phone = phone_at(link(playing()))
    phone.who("NS")
    phone.trump("H")
    phone.points("65")  # the side that did not play counts: no tap says whose points these are
    phone.reads("Wij 97, zij 65: gehaald")
    phone.write(1)
    expect(phone.page.get_by_text("Geschreven: spel 1, 97–65")).to_be_visible()
    assert phone.taps == 5
    assert DealEntry.objects.get().written == {
        "declarer": "NS",
        "trump": "H",
        "points": {"EW": 65},
    }


@pytest.mark.parametrize("has_keys", [True, False])
def test_how_to_write_roem_is_told_only_where_there_are_no_keys(
    chromium: object, live_server: LiveServer, has_keys: bool
) -> None:
    address = link(playing())
    context = chromium.new_context(  # type: ignore[attr-defined]
        base_url=live_server.url, java_script_enabled=has_keys
    )
    page: Page = context.new_page()
    page.goto(address)
    hint = page.locator(".deal-roem noscript p").locator("visible=true")
    told = "Schrijf roem als getallen met een spatie ertussen, zoals 20 50."
    expect(hint).to_have_text([] if has_keys else [told])
    context.close()


def test_where_the_rule_says_who_plays_it_takes_four(phone_at: Callable[[str], Phone]) -> None:
    club = ClubFactory.create()
    phone = phone_at(link(playing(club=club, regulation=regulation_of(club, "utrecht"))))
    phone.trump("S")
    phone.points("70")
    phone.reads("Wij 92, zij 70: gehaald")
    phone.write(1)
    expect(phone.page.get_by_text("Geschreven: spel 1, 92–70")).to_be_visible()
    assert phone.taps == 4


def test_roem_is_one_tap_each_and_comes_off_again(phone_at: Callable[[str], Phone]) -> None:
    phone = phone_at(link(playing()))
    phone.who("EW")
    phone.roem("wij", "50")
    phone.roem("zij", "stuk")
    phone.roem("zij", "200")
    phone.points("40")
    phone.reads("Zij 122 + 220 roem = 342, wij 40 + 50 roem = 90: gehaald")
    phone.tap(phone.page.get_by_role("button", name="Roem zij +20 +200 laatste eraf"))
    phone.reads("Zij 122 + 20 roem = 142, wij 40 + 50 roem = 90: gehaald")
    phone.write(1)
    expect(phone.page.get_by_text("Geschreven: spel 1, 90–142")).to_be_visible()


def test_pit_and_a_slip_of_the_thumb(phone_at: Callable[[str], Phone]) -> None:
    phone = phone_at(link(playing()))
    phone.who("NS")
    phone.key("pit zij")
    phone.reads("Tegenpit: zij 162 + 100 pit = 262, wij 0")
    phone.key("pit zij")  # again: let go
    phone.key("pit wij")
    phone.reads("Pit: wij 162 + 100 pit = 262, zij 0")
    phone.write(1)
    expect(phone.page.get_by_text("Geschreven: spel 1, 262–0")).to_be_visible()


def test_reneging_stands_behind_the_key_for_rare_things(phone_at: Callable[[str], Phone]) -> None:
    phone = phone_at(link(playing()))
    phone.who("NS")
    phone.tap(phone.page.get_by_role("button", name="meer …"))
    phone.tap(phone.page.locator("#deal-rare label", has_text="Mia"))
    phone.tap(phone.page.get_by_role("button", name="Terug naar het spel"))
    phone.reads("Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0")
    phone.write(1)
    expect(phone.page.get_by_text("Geschreven: spel 1, 262–0")).to_be_visible()


def test_the_last_deal_is_undone_with_one_tap(phone_at: Callable[[str], Phone]) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    phone = phone_at(link(evening))
    phone.tap(phone.page.get_by_role("button", name="ongedaan maken"))
    expect(phone.page.get_by_role("button", name="Schrijf spel 1")).to_be_visible()


def test_a_line_is_corrected_with_a_reason(phone_at: Callable[[str], Phone]) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    phone = phone_at(link(evening))
    phone.tap(phone.page.locator("#deal-1 a"))
    phone.tap(phone.page.locator("[data-count=NS]"))
    phone.points("100")  # the first digit starts anew
    phone.tap(phone.page.locator(".deal-reason label", has_text="verkeerd geteld"))
    phone.reads("Wij 100, zij 62: gehaald")
    phone.tap(phone.page.get_by_role("button", name="Wijzig spel 1"))
    expect(phone.page.get_by_text("Geschreven: spel 1, 100–62")).to_be_visible()


def test_a_page_that_stays_open_hears_of_the_other_phone_and_keeps_what_is_typed(
    phone_at: Callable[[str], Phone],
) -> None:
    evening = playing()
    phone = phone_at(link(evening))
    phone.points("65")
    assert ask_for_news(phone.page) == 304
    write_deal(table(evening), 1)
    assert ask_for_news(phone.page) == 200
    news = phone.page.get_by_role("alert")
    expect(news).to_contain_text("Spel 1 is zojuist geschreven: 90–72.")
    expect(phone.page.locator("#id_points_ew")).to_have_value("65")


def ask_for_news(page: Page) -> int:
    """Look at the phone again, as after it was in a pocket; the status of what the server says."""
    with page.expect_response(lambda response: "/state/" in response.url) as answer:
        look_again(page)
    return answer.value.status


def test_what_is_tapped_survives_a_reload(phone_at: Callable[[str], Phone]) -> None:
    phone = phone_at(link(playing()))
    phone.who("NS")
    phone.roem("wij", "20")
    phone.points("65")
    phone.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    phone.page.reload()
    phone.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")


@pytest.mark.parametrize("width", [390, 360])
def test_nothing_is_wider_than_the_phone(
    phone_at: Callable[[str], Phone], live_server: LiveServer, width: int
) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    page = phone_at(link(evening)).page
    page.set_viewport_size({"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_whole_deal_is_on_one_screen(phone_at: Callable[[str], Phone]) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    page = phone_at(link(evening)).page
    write_it = page.get_by_role("button", name="Schrijf spel 2").bounding_box()
    last_key = page.locator('[data-digit="0"]').bounding_box()
    assert write_it is not None
    assert last_key is not None
    assert write_it["y"] + write_it["height"] <= 844
    assert last_key["y"] + last_key["height"] <= write_it["y"]
    small = [
        key.text_content()
        for key in page.locator(".deal :is(button, .segmented label):visible").all()
        if (box := key.bounding_box()) and min(box["width"], box["height"]) < 44
    ]
    assert small == []


def test_nobody_is_kept_out(phone: Page, axe: Callable[[Page], None]) -> None:
    evening = playing(deals_per_round=2)
    address = link(evening)
    write_deal(table(evening), 1)
    for path in ("", "rounds/1/deals/1/", "rounds/1/dispute/NS/"):
        phone.goto(address + path)
        axe(phone)
    write_deal(table(evening), 2)
    phone.goto(address)
    axe(phone)
