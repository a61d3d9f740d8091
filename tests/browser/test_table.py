"""The table page under two thumbs: few taps, live words, two phones that do not overwrite."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.hands import Phone, look_again
from tests.conftest import OpenPage
from tests.factories import table, write_deal
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


FILLED = """() => [...new FormData(document.querySelector("#deal"))]
    .filter(([name, value]) => value && /^(declarer|trump|points|roem|pit|nat|replayed)/.test(name))
    .map(([name]) => name)"""


@pytest.fixture
def phone_at(open_phone: OpenPage) -> Callable[[str], Phone]:
    def open_at(address: str) -> Phone:
        page = open_phone()
        page.goto(address)
        return Phone(page)

    return open_at


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


@pytest.mark.parametrize("is_off", [False, True])
def test_a_deal_that_is_played_again_starts_empty(
    phone_at: Callable[[str], Phone], is_off: bool
) -> None:
    phone = phone_at(link(playing()))
    expect(phone.page.get_by_text("verzonden", exact=True).first).to_be_visible()
    phone.page.context.set_offline(is_off)
    phone.who("NS")
    phone.trump("H")
    phone.points("60")
    phone.tap(phone.page.get_by_role("button", name="meer …"))
    phone.tap(phone.page.get_by_text("overgegeven: dit spel telt niet"))
    phone.tap(phone.page.get_by_role("button", name="Terug naar het spel"))
    phone.reads("Dit spel wordt overgedaan en telt niet")
    phone.write(1)
    phone.reads("spel 1, overgegeven")
    assert phone.page.evaluate(FILLED) == []
    phone.who("NS")
    phone.points("65")
    phone.reads("Wij 97, zij 65: gehaald")
    phone.write(1)
    phone.reads("spel 1, 97–65")


@pytest.mark.parametrize("is_off", [False, True])
def test_a_deal_that_is_taken_back_starts_empty(
    phone_at: Callable[[str], Phone], is_off: bool
) -> None:
    phone = phone_at(link(playing()))
    phone.who("NS")
    phone.points("65")
    phone.write(1)
    phone.reads("Geschreven: spel 1, 97–65")
    phone.page.context.set_offline(is_off)
    phone.tap(phone.page.get_by_role("button", name="spel 1 ongedaan maken"))
    expect(phone.page.get_by_role("button", name="Schrijf spel 1")).to_be_visible()
    assert phone.page.evaluate(FILLED) == []


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


def test_correcting_keeps_in_sight_what_it_asks_and_then_what_waits(
    phone_at: Callable[[str], Phone],
) -> None:
    evening = playing()
    for number in (1, 2):
        write_deal(table(evening), number)
    phone = phone_at(link(evening))
    undo = phone.page.get_by_role("button", name="spel 2 ongedaan maken")
    expect(undo).to_be_visible()
    phone.tap(phone.page.locator("#deal-1 a"))
    expect(undo).to_be_hidden()
    phone.tap(phone.page.locator("[data-count=NS]"))
    phone.points("100")
    phone.tap(phone.page.get_by_role("button", name="Wijzig spel 1"))
    why = phone.page.locator(".deal-reason label", has_text="verkeerd geteld")
    expect(why).to_be_in_viewport(ratio=1)
    below = why.bounding_box()["y"] + why.bounding_box()["height"]  # type: ignore[index]
    assert below < phone.page.locator(".deal-write").bounding_box()["y"]  # type: ignore[index]
    phone.tap(why)
    phone.tap(phone.page.get_by_role("button", name="Wijzig spel 1"))
    expect(phone.page.locator("#deal-1")).to_contain_text("100")
    expect(undo).to_be_visible()
    expect(phone.page.locator("[data-outbox-words]")).to_be_in_viewport(ratio=1)


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
