"""A whole paper sheet typed by keyboard alone; every key press is counted."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import DealEntry
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.devices import OpenPage, box_of
from tests.factories import ClubFactory, evening_with_draw, regulation_of, table, write_deal
from tests.tournaments.desk import EVENING
from tests.tournaments.table_pages import link, playing_three
from tournaments.models import Evening

pytestmark = pytest.mark.browser

TABLES = f"{EVENING}rounds/1/tables"


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(desktop: Page, club: Club, live_server: LiveServer) -> Page:
    log_in(desktop, club, live_server.url)
    return desktop


class Typist:
    """Somebody with both hands on the keyboard, whose presses are counted."""

    def __init__(self, page: Page, number: int = 1, *, tables: str = TABLES) -> None:
        self.page, self.presses = page, 0
        page.goto(f"{tables}/{number}/grid/")
        expect(page.locator("body")).to_have_class("grid-scripted")

    def types(self, keys: str) -> None:
        """Press each key; `⏎` is Enter."""
        for key in keys:
            self.page.keyboard.press("Enter" if key == "⏎" else key)
            self.presses += 1

    def line(self, number: int) -> Locator:
        return self.page.locator(f"[data-line='{number}']")

    def reads(self, number: int, score: str) -> None:
        """Wait until the line is written and says this score."""
        expect(self.line(number)).to_have_attribute("data-state", "written")
        expect(self.line(number).locator("[data-score]")).to_have_text(score)

    def box(self, number: int, name: str) -> Locator:
        return self.page.locator(f"[name=deal{number}-{name}]")


def forced(club: Club, players: int = 8, **plan: Any) -> Evening:
    """An evening of tables where who leads must play: we in odd deals, they in even ones."""
    return evening_with_draw(
        club=club,
        players=players,
        rounds=1,
        method=Evening.Method.TYPED_IN,
        regulation=regulation_of(club, "utrecht"),
        **plan,
    )


def forced_sheet(club: Club, *, deals: int, players: int = 4) -> Evening:
    """The same with short sheets."""
    return forced(club, players, deals_per_round=deals)


def score(evening: Evening, number: int = 1) -> tuple[int, int]:
    sheet = table(evening, number).sheet
    return sheet.score_ns, sheet.score_ew


def tables_of(evening: Evening) -> str:
    """The address of the tables of an evening on another day."""
    return TABLES.replace("2026-11-21", evening.slug)


@pytest.mark.full
def test_eight_deals_take_thirty_presses_and_the_next_table_opens(desk: Page, club: Club) -> None:
    evening = forced_sheet(club, deals=8, players=8)
    typist = Typist(desk)
    for _ in range(4):
        typist.types("110⏎")  # we play: 110 to 52
        typist.types("60⏎")  # they play: 60 to 102
    typist.types("⏎")
    expect(desk.get_by_role("link", name="Volgende tafel: 2")).to_be_focused()
    typist.types("⏎")
    assert typist.presses == 8 + 4 * (3 + 2) + 2
    expect(desk.get_by_role("heading", name="Tafel 2, ronde 1: tellijst overtypen")).to_be_visible()
    expect(typist.box(1, "points_ns")).to_be_focused()
    assert DealEntry.objects.filter(deal__sheet=table(evening).sheet).count() == 8
    assert score(evening) == (4 * (110 + 60), 4 * (52 + 102))


@pytest.mark.full
def test_roem_pit_nat_and_trump_are_single_keys(desk: Page, club: Club) -> None:
    evening = forced(club)
    typist = Typist(desk)
    typist.types("110w2⏎")
    assert typist.presses == 4 + 2
    typist.types("60w5z1⏎")
    assert typist.presses == 6 + 3 + 2 * 2
    typist.reads(1, "130–52")
    typist.reads(2, "110–202")
    expect(typist.box(2, "roem_ew")).to_have_value("100")

    typist.types("n⏎p⏎h110⏎pp⏎")
    typist.reads(3, "0–162")
    typist.reads(4, "0–262")
    expect(typist.line(4).locator("[data-marks]")).to_have_text("pit")
    typist.reads(5, "110–52")
    typist.reads(6, "262–0")
    expect(typist.line(6).locator("[data-marks]")).to_have_text("tegenpit")
    fifth = table(evening).sheet.deals.get(number=5).current
    assert fifth is not None
    assert fifth.written == {"declarer": "S", "trump": "H", "points": {"NS": 110}}

    typist.types("110w20")  # roem typed in full is what it says
    expect(typist.box(7, "roem_ns")).to_have_value("20")
    typist.types("550")
    expect(typist.box(7, "roem_ns")).to_have_value("20 50 50")
    desk.keyboard.press("Backspace")
    typist.types("200100b")
    expect(typist.box(7, "roem_ns")).to_have_value("20 50 200 100 200")
    typist.types("z30")
    expect(typist.box(7, "roem_ew")).to_have_value("30")
    desk.keyboard.press("Control+a")
    typist.types("5")
    expect(typist.box(7, "roem_ew")).to_have_value("50")


@pytest.mark.full
def test_what_is_wrong_is_said_and_put_right_at_any_time(desk: Page, club: Club) -> None:
    evening = forced(club)
    typist = Typist(desk)
    typist.types("161⏎110⏎")
    expect(typist.line(1)).to_have_attribute("data-state", "faulty")
    expect(typist.line(1)).to_contain_text("161")
    expect(typist.box(1, "points_ns")).to_have_attribute("aria-invalid", "true")
    expect(typist.box(3, "points_ns")).to_be_focused()
    typist.reads(2, "162–0")
    typist.box(1, "points_ns").fill("110")
    typist.types("⏎")
    typist.reads(1, "110–52")
    expect(typist.box(3, "points_ns")).to_be_focused()

    typist.types("110⏎")
    typist.reads(3, "110–52")
    desk.keyboard.press("ArrowUp")
    typist.types("101")
    expect(desk.get_by_label("Reden van de wijziging")).to_have_value("mistyped")
    typist.types("⏎")
    typist.reads(3, "101–61")
    entry = table(evening).sheet.deals.get(number=3).current
    assert entry is not None
    assert (entry.revision, entry.reason) == (2, "verkeerd ingetikt")

    expect(typist.box(4, "points_ns")).to_be_focused()
    typist.types("161⏎")
    expect(typist.line(4)).to_have_attribute("data-state", "faulty")
    onward = desk.get_by_role("link", name="Volgende tafel: 2")
    onward.press("Enter")
    expect(desk.locator("#grid-waiting")).to_contain_text("Nog niet geschreven: spel 4.")
    onward.press("Enter")
    desk.locator("#grid-elsewhere").get_by_role("link", name="Tafel 1").click()
    expect(typist.box(4, "points_ns")).to_have_value("161")


@pytest.mark.full
def test_who_plays_is_one_key_and_two_values_stand_beside_each_other(
    desk: Page, club: Club
) -> None:
    evening = evening_with_draw(club=club, players=4)
    typist = Typist(desk)
    typist.types("w90⏎z90⏎")
    assert typist.presses == 8
    typist.reads(1, "90–72")
    typist.reads(2, "162–0")
    expect(typist.line(2).locator("[data-marks]")).to_have_text("nat")

    typist.types("w161⏎")
    expect(typist.line(3)).to_have_attribute("data-state", "faulty")
    expect(typist.box(4, "declarer")).to_be_focused()
    desk.keyboard.press("ArrowUp")
    expect(typist.box(3, "declarer")).to_be_focused()
    typist.types("w110⏎")
    typist.reads(3, "110–52")
    for name in ("trump", "points_ew", "mark", "declarer"):
        typist.box(4, name).focus()
        desk.keyboard.press("ArrowDown")
        expect(typist.box(5, name)).to_be_focused()
    expect(typist.box(4, "declarer")).to_have_value("")

    for number, button, wanted in (
        (5, "Laat staan wat er staat", "90–72"),
        (6, "Zet mijn cijfers ervoor in de plaats", "110–52"),
    ):
        before = score(evening)
        write_deal(table(evening), number)
        typist.box(number, "declarer").focus()
        typist.types("w110⏎")
        expect(typist.line(number)).to_contain_text("Dit staat nu op de tellijst:")
        expect(typist.line(number)).to_contain_text("90")
        assert score(evening) == (before[0] + 90, before[1] + 72)
        desk.get_by_role("button", name=button).press("Enter")
        typist.reads(number, wanted)
        expect(desk.locator("#grid-totals .total")).to_have_text(
            [str(total) for total in score(evening)]
        )


def test_nothing_typed_is_lost_or_written_twice_whatever_the_server_does(
    desk: Page, club: Club, live_server: LiveServer
) -> None:
    evening = forced(club)
    typist = Typist(desk)
    desk.context.set_offline(True)
    typist.types("60")
    expect(typist.line(1).locator("[data-score]")).to_have_text("0–162")
    expect(typist.line(1).locator("[data-marks]")).to_have_text("nat")
    typist.types("w5")
    expect(typist.line(1).locator("[data-score]")).to_have_text("110–102")
    expect(typist.line(1).locator("[data-marks]")).to_have_text("")
    expect(typist.box(1, "points_ew")).to_have_attribute("placeholder", "102")
    typist.types("⏎60⏎")
    expect(typist.line(2)).to_have_attribute("data-state", "unsent")
    expect(desk.locator("#grid-waiting")).to_contain_text("Nog niet geschreven: spel 1, 2.")
    typist.types("75")
    assert score(evening) == (0, 0)
    desk.route("**/lines/**", lambda route: route.abort("internetdisconnected"))
    desk.context.set_offline(False)
    desk.reload()
    expect(typist.line(1)).to_have_attribute("data-state", "unsent")
    expect(typist.box(3, "points_ns")).to_have_value("75")
    desk.unroute("**/lines/**")
    desk.evaluate("dispatchEvent(new Event('online'))")
    typist.reads(1, "110–102")
    typist.reads(2, "60–102")
    expect(desk.locator("#grid-waiting")).to_be_hidden()
    assert score(evening) == (170, 204)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort("internetdisconnected")

    desk.route("**/lines/**", lose)
    typist.box(3, "points_ns").fill("110")
    typist.types("⏎")
    expect(typist.line(3)).to_have_attribute("data-state", "unsent")
    desk.unroute("**/lines/**")
    typist.box(3, "points_ns").fill("101")
    typist.types("⏎")  # nothing tells that the network is back: it is tried again by itself
    typist.reads(3, "101–61")
    entries = DealEntry.objects.filter(deal__number=3).order_by("revision")
    assert [(entry.revision, entry.reason) for entry in entries] == [
        (1, ""),
        (2, "verkeerd ingetikt"),
    ]

    desk.context.clear_cookies()
    typist.box(4, "points_ns").focus()
    typist.types("60⏎")
    expect(desk.locator("#grid-waiting")).to_contain_text("U bent uitgelogd.")
    log_in(desk, club, live_server.url)
    desk.evaluate("dispatchEvent(new Event('online'))")
    typist.reads(4, "60–102")
    assert score(evening) == (331, 367)


@pytest.mark.full
def test_the_totals_of_the_paper_say_where_to_look(
    desk: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    forced_sheet(club, deals=2, players=8)
    typist = Typist(desk)
    typist.types("110w2⏎60⏎")
    typist.types("161⏎20⏎0⏎163⏎⏎⏎")
    result = desk.locator("#grid-control")
    expect(result).to_contain_text("Punten wij: op papier 161 en hier 170, 9 meer.")
    expect(result).to_contain_text("Spel 1: staat er 110 of 101?")
    expect(result).to_be_focused()
    axe(desk)
    desk.reload()
    expect(result).to_contain_text("Spel 1: staat er 110 of 101?")
    typist.box(1, "points_ns").fill("101")
    typist.types("⏎")
    expect(result).to_contain_text("Het papier en de spellen komen op hetzelfde uit.")

    typist = Typist(desk, 2)
    typist.types("110⏎60⏎")
    typist.types("180⏎⏎⏎144⏎⏎⏎")
    desk.get_by_role("button", name="De spellen kloppen, laat het zo").press("Enter")
    done = desk.get_by_role("link", name="Alle andere tafels zijn klaar: naar de tafels")
    expect(done).to_be_focused()
    expect(desk.locator("#grid-control")).to_contain_text("zo goedgevonden")


@pytest.mark.full
def test_club_regulation_and_table_decide_what_the_keys_are(desk: Page, club: Club) -> None:
    Club.objects.update(roem_letters="D=20 V=50")
    evening = forced(club, 4, target=250)
    typist = Typist(desk, tables=tables_of(evening))
    expect(desk.get_by_text("V 50")).to_be_visible()
    typist.types("90wv")
    typist.types("zd⏎")
    typist.reads(1, "140–92")
    typist.types("pp⏎")  # the target is reached: on to the totals
    typist.reads(2, "262–0")
    expect(typist.line(3)).to_be_hidden()
    desk.reload()
    expect(typist.line(3)).to_be_hidden()
    typist.box(2, "points_ns").focus()
    typist.types("⏎")
    expect(desk.get_by_label("Punten wij").last).to_be_focused()

    rules = regulation_of(club, "thousand-and-one")
    later = dt.date(2026, 11, 28)
    evening = evening_with_draw(club=club, players=4, regulation=rules, date=later)
    typist = Typist(desk, tables=tables_of(evening))
    typist.types("w80")
    expect(typist.box(1, "points_ew")).to_have_attribute("placeholder", "82")
    typist.box(1, "trump").select_option("NT")
    expect(typist.box(1, "points_ew")).to_have_attribute("placeholder", "50")
    typist.types("⏎")
    typist.reads(1, "80–50")

    evening, three = playing_three(club=club, date=dt.date(2026, 12, 5))
    typist = Typist(desk, three.number, tables=tables_of(evening))
    typist.types("1110⏎2s20")
    typist.reads(1, "110–52")
    desk.keyboard.press("Shift+Tab")
    typist.types("50⏎")
    typist.reads(2, "0–182")


@pytest.mark.full
def test_everything_can_be_reached_on_a_phone_and_with_large_letters(
    phone: Page, club: Club, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    forced(club)
    log_in(phone, club, live_server.url)
    typist = Typist(phone)
    for size in ("112.5%", "225%"):
        phone.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        boxes = typist.line(1).locator("input:visible, select:visible, a:visible").all()
        heights = [box_of(box)["height"] for box in boxes]
        assert min(heights) >= 44
    axe(phone)


@pytest.mark.full
def test_a_sheet_is_typed_without_any_script(
    chromium: Browser, club: Club, live_server: LiveServer
) -> None:
    evening = evening_with_draw(club=club, players=4)
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    log_in(page, club, live_server.url)
    page.goto(f"{TABLES}/1/grid/")
    for number, points in ((1, "90"), (2, "161")):
        page.locator(f"[name=deal{number}-declarer]").select_option("NS")
        page.locator(f"[name=deal{number}-points_ns]").fill(points)
    page.get_by_role("button", name="Schrijf al deze regels").click()
    expect(page.get_by_role("alert")).to_contain_text("Spel 2: Precies 161 kan niet")
    assert score(evening) == (0, 0)
    page.locator("[name=deal2-points_ns]").fill("100")
    page.get_by_role("button", name="Schrijf al deze regels").click()
    expect(page.get_by_text("2 spellen zijn geschreven.")).to_be_visible()
    page.locator("[name=deal2-points_ns]").fill("110")
    page.get_by_role("button", name="Schrijf al deze regels").click()
    expect(page.get_by_text("1 spel is geschreven.")).to_be_visible()
    assert score(evening) == (200, 124)
    page.get_by_label("Punten wij").last.fill("201")
    page.get_by_role("button", name="Vergelijk").click()
    expect(page.get_by_text("op papier 201 en hier 200, 1 minder.")).to_be_visible()
    context.close()


@pytest.mark.full
def test_phones_paper_and_totals_go_side_by_side(
    desk: Page, club: Club, open_phone: OpenPage
) -> None:
    evening = forced_sheet(club, deals=2, players=16)
    at_table = open_phone()
    at_table.goto(link(evening, 2))
    screen = DealScreen(at_table)
    screen.points("52")
    screen.write(1)
    screen.is_at(2)
    typist = Typist(desk)
    typist.types("110⏎60⏎⏎⏎")
    expect(desk.get_by_role("heading", name="Tafel 2, ronde 1: tellijst overtypen")).to_be_visible()
    typist.reads(1, "110–52")
    expect(typist.box(2, "points_ns")).to_be_focused()
    typist.types("60⏎⏎⏎")
    expect(desk.get_by_role("heading", name="Tafel 3, ronde 1: tellijst overtypen")).to_be_visible()
    desk.goto(f"{TABLES}/3/totals/")
    for number in (3, 4):
        title = f"Tafel {number}: alleen totalen"
        expect(desk.get_by_role("heading", name=title)).to_be_visible()
        typist.types("190⏎154⏎⏎")
    expect(desk.get_by_text("De totalen van tafel 4 zijn geschreven.")).to_be_visible()
    scores = [score(evening, number) for number in (1, 2, 3, 4)]
    assert scores == [(170, 154), (170, 154), (190, 154), (190, 154)]
