"""The desk: ticking saves by itself, the draw, deals by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import Scoresheet
from tests.browser.login import log_in
from tests.factories import (
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING
from tournaments.models import Evening

pytestmark = pytest.mark.browser


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(desktop: Page, club: Club, live_server: LiveServer) -> Page:
    log_in(desktop, club, live_server.url)
    return desktop


def test_ticks_are_saved_as_they_are_made_and_drawn(
    desk: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    evening = EveningFactory.create(club=club)
    for _ in range(9):
        MemberFactory.create(club=club)
    desk.goto(f"{EVENING}present/")
    counter = desk.locator("#present-count")
    desk.route("**/present/tick/", lambda route: route.fulfill(status=409, body="no"))
    desk.locator("#people label").first.click()
    expect(desk.get_by_role("alert")).to_contain_text("Dit vinkje is niet bewaard.")
    expect(desk.locator("#people input[type=checkbox]").first).not_to_be_checked()
    desk.unroute("**/present/tick/")
    for tick in desk.locator("#people input[type=checkbox]").all():
        tick.check()
    expect(counter).to_contain_text("2 tafels, 1 zit stil")
    desk.reload()
    expect(counter).to_contain_text("9 aanwezig")
    desk.get_by_label("Zoek een naam").fill("lucz")
    expect(desk.locator("#people li:visible")).to_have_count(1)
    axe(desk)
    desk.get_by_role("button", name="Naar de loting").click()
    desk.get_by_role("button", name="Tafels loten").click()
    expect(desk.get_by_role("heading", name="Tafel 2")).to_be_visible()
    desk.get_by_role("button", name="Loting definitief maken").click()
    desk.get_by_role("link", name="Ronde 1 starten, 2 tafels").click()
    desk.get_by_role("button", name="Ronde 1 starten").click()
    expect(desk.get_by_role("heading", name="De tafels")).to_be_visible()
    evening.refresh_from_db()
    assert evening.state == Evening.State.RUNNING


@pytest.mark.full
def test_the_evening_can_be_run_without_javascript(
    chromium: object, club: Club, live_server: LiveServer
) -> None:
    EveningFactory.create(club=club)
    for _ in range(4):
        MemberFactory.create(club=club)
    context = chromium.new_context(  # type: ignore[attr-defined]
        base_url=live_server.url, java_script_enabled=False
    )
    page: Page = context.new_page()
    log_in(page, club, live_server.url)
    page.goto(f"{EVENING}present/")
    for tick in page.locator("#people input[type=checkbox]").all():
        tick.check()
    page.get_by_role("button", name="Vinkjes bewaren").click()
    page.get_by_role("button", name="Naar de loting").click()
    page.get_by_role("button", name="Tafels loten").click()
    page.get_by_role("button", name="Loting definitief maken").click()
    expect(page.get_by_role("link", name="Ronde 1 starten, 1 tafel")).to_be_visible()
    context.close()


@pytest.mark.full
def test_deals_are_typed_without_a_mouse_in_the_order_of_the_paper(
    desk: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk.goto(f"{EVENING}rounds/1/tables/1/")
    first = desk.get_by_role("radio", name="Wij", exact=True).first
    expect(first).to_be_focused()
    reached = []
    for _ in range(9):
        reached.append(desk.evaluate("document.activeElement.name || document.activeElement.type"))
        desk.keyboard.press("Tab")
    figures = ["points_ns", "roem_ns", "points_ew", "roem_ew"]
    assert reached == ["declarer", "trump", *figures, "pit", "nat", "submit"]
    desk.reload()
    for number, points in ((1, "90"), (2, "100")):
        expect(first).to_be_focused()
        desk.keyboard.press("Space")
        desk.get_by_label("Punten wij").fill(points)
        desk.keyboard.press("Enter")
        status = desk.get_by_role("status").first
        expect(status).to_contain_text(f"Spel {number} is geschreven")
    axe(desk)
    sheet = Scoresheet.objects.get(pk=table(evening).sheet_id)
    assert (sheet.score_ns, sheet.score_ew) == (190, 134)


def test_the_board_follows_in_place(desk: Page, club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    desk.clock.install()
    desk.goto(f"{EVENING}board/")
    link = desk.locator("#table-2")
    link.focus()
    write_deal(table(evening, 2), 1)
    desk.clock.run_for(1500)
    expect(desk.locator("[data-live=ns-2]")).to_have_text("90")
    expect(link).to_be_focused()
    # An open menu stays open as well, with the focus in it and the page where it was.
    desk.set_viewport_size({"width": 390, "height": 400})
    desk.locator("#menu-evening-button").press("Enter")
    desk.locator("#menu-prints").focus()
    scrolled = desk.evaluate("scrollY")
    write_deal(table(evening, 1), 1)
    desk.clock.run_for(1500)
    expect(desk.locator("[data-live=ns-1]")).to_have_text("90")
    expect(desk.locator("#menu-prints")).to_be_focused()
    assert desk.evaluate("scrollY") == scrolled > 0
    desk.keyboard.press("Escape")
    expect(desk.locator("#menu-prints")).to_be_hidden()
    expect(desk.locator("#menu-evening-button")).to_be_focused()
    desk.set_viewport_size({"width": 390, "height": 844})
    expect(desk.locator("#table-1")).to_be_visible()
    assert desk.evaluate("document.documentElement.scrollWidth") == 390
