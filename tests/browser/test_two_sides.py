"""Both sides have a say: phones passed over, phones of their own, and the director who decides."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealClaim, DealConfirmation, DealEntry
from tests.browser.deal_screen import DealScreen, look_again
from tests.browser.login import log_in
from tests.browser.outbox import OutboxScreen
from tests.devices import OpenPage
from tests.tournaments.table_pages import link, playing
from tests.tournaments.table_sides import couples, side_link

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLAIMS = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/claims/"
HOLD_THE_QUEUE = """() => new Promise(held => navigator.locks.request(
    "klaverclub-outbox", () => { held(); return new Promise(() => {}); }))"""


@pytest.fixture
def phone_at(open_phone: OpenPage) -> Callable[[str], DealScreen]:
    def open_at(address: str) -> DealScreen:
        page = open_phone()
        page.goto(address)
        return DealScreen(page)

    return open_at


def write(phone: DealScreen, number: int, points: str) -> None:
    """We play hearts, and they take so much."""
    phone.declarer("NS")
    phone.trump("H")
    phone.points(points)
    phone.reads("gehaald")
    phone.write(number)


def has_room(page: Page) -> bool:
    """Whether nothing sticks out to the right, also on the smallest phone."""
    page.set_viewport_size({"width": 360, "height": 640})
    fits = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    return bool(fits)


@pytest.mark.full
def test_the_side_that_gets_the_phone_confirms_with_one_tap_or_writes_its_own(
    phone_at: Callable[[str], DealScreen], axe: Callable[[Page], None]
) -> None:
    evening = playing(deals_per_round=4, writing="deal")
    phone = phone_at(link(evening))
    page, (ours, theirs) = phone.page, couples(evening).values()
    phone.tap(page.get_by_role("button", name=ours))
    write(phone, 1, "65")
    phone.is_written("1, 97–65")
    write(phone, 2, "60")
    question = page.locator(".sides-question")
    phone.tap(question.get_by_text(f"Spel 1 en 2: geef de telefoon aan {theirs}"))
    expect(question.get_by_role("listitem")).to_have_count(2)
    page.set_viewport_size({"width": 360, "height": 560})
    axe(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert has_room(page)
    phone.tap(question.get_by_role("button", name="Spel 1 en 2 kloppen"))
    expect(question).to_have_count(0)
    confirmed = DealConfirmation.objects.values_list("entry__deal__number", "side")
    assert sorted(confirmed) == [(1, "EW"), (2, "EW")]
    write(phone, 3, "65")
    phone.tap(question.get_by_text(f"Spel 3: geef de telefoon aan {theirs}"))
    phone.tap(question.get_by_role("link", name="Klopt niet (spel 3"))
    expect(page.get_by_role("heading", name="Wat telden zij?")).to_be_visible()
    axe(page)
    phone.declarer("NS")
    phone.trump("H")
    phone.points("72")
    phone.tap(page.get_by_role("button", name="Bewaar beide voor de wedstrijdleider"))
    dispute = page.get_by_role("region", name="Twee uitkomsten voor spel 3")
    expect(dispute).to_contain_text("97–65 en 90–72. Welke klopt?")
    axe(page)
    assert has_room(page)
    phone.tap(dispute.get_by_role("button", name="90–72 klopt"))
    expect(dispute).to_have_count(0)
    expect(page.locator("#table-top .total").first).to_have_text("289")
    assert DealClaim.objects.get().taken is True


@pytest.mark.full
def test_a_phone_that_changes_hands_still_means_what_it_has_not_sent(
    open_phone: OpenPage,
) -> None:
    evening = playing(deals_per_round=6, writing="deal")
    ours, theirs = couples(evening).values()
    screen = OutboxScreen(open_phone(), link(evening))
    page = screen.page
    screen.tap(page.get_by_role("button", name=ours))
    screen.status("verzonden")
    # Another tab is sending, and goes to sleep at it.
    tab = page.context.new_page()
    tab.goto("/healthz")
    tab.evaluate(HOLD_THE_QUEUE)
    screen.deal(1, 65)
    screen.status("1 spel wacht")
    assert screen.line(1).endswith("Wij wacht 97 65")
    screen.tap(page.get_by_role("link", name=f"Telefoon van {ours}"))
    screen.tap(page.get_by_role("button", name=theirs))
    screen.status("1 spel wacht")
    assert screen.line(1).endswith("Zij wacht 65 97")
    expect(page.locator("#table-top .sides > div").first).to_contain_text("65")
    screen.reads("Op deze telefoon: spel 1, 65–97")
    tab.close()
    screen.status("verzonden")
    entry = DealEntry.objects.get()
    assert (entry.written or {})["points"] == {"EW": 65}
    assert (entry.written or {})["declarer"] == "NS"


@pytest.mark.full
def test_two_phones_that_differ_end_at_the_director_who_presses_once(
    phone_at: Callable[[str], DealScreen],
    open_desktop: OpenPage,
    live_server: LiveServer,
    axe: Callable[[Page], None],
) -> None:
    evening = playing(deals_per_round=4, writing="both")
    we, they = phone_at(side_link(evening, "NS")), phone_at(side_link(evening, "EW"))
    write(we, 1, "65")
    expect(we.page.get_by_text("Geschreven: spel 1, 97–65")).to_be_visible()
    look_again(they.page)
    expect(they.page.get_by_text("De andere partij schreef spel 1 al.")).to_be_visible()
    expect(they.page.get_by_text("97")).to_have_count(0)
    write(they, 1, "72")
    expect(they.page.get_by_text("65–97").first).to_be_visible()
    they.reads("Op de tellijst: spel 1, 65–97")
    look_again(we.page)
    expect(we.page.get_by_text("Spel 1: u telde 97–65, de andere partij 90–72.")).to_be_visible()
    for phone in (we, they):
        phone.tap(phone.page.locator(".sides-dispute summary"))
        axe(phone.page)
        assert has_room(phone.page)
    desk = open_desktop()
    log_in(desk, evening.club, live_server.url)
    desk.goto(CLAIMS)
    axe(desk)
    desk.get_by_role("button", name="Schrijf 90–72 op").click()
    expect(desk.get_by_text("Er is niets te beslissen")).to_be_visible()
    look_again(we.page)
    expect(we.page.locator("#table-top .total").first).to_have_text("90")
    expect(we.page.get_by_text("u telde")).to_have_count(0)
    assert DealEntry.objects.count() == 2


@pytest.mark.full
def test_two_phones_that_agree_ask_nobody(phone_at: Callable[[str], DealScreen]) -> None:
    evening = playing(deals_per_round=4, writing="both")
    we, they = phone_at(side_link(evening, "NS")), phone_at(side_link(evening, "EW"))
    for phone in (we, they):
        for number in (1, 2):
            write(phone, number, "65")
            score = "97–65" if phone is we else "65–97"
            saved = re.compile(rf"^(Geschreven|Op de tellijst): spel {number}, {score}$")
            expect(phone.page.get_by_text(saved)).to_be_visible()
        total = "194" if phone is we else "130"
        expect(phone.page.locator("#table-top .total").first).to_have_text(total)
    assert DealEntry.objects.count() == 2
    assert DealConfirmation.objects.filter(side="EW").count() == 2
    assert DealClaim.objects.filter(taken=None).count() == 0


@pytest.mark.full
def test_a_side_without_the_network_is_compared_when_it_is_back(open_phone: OpenPage) -> None:
    evening = playing(deals_per_round=6, writing="both")
    we = OutboxScreen(open_phone(), side_link(evening, "NS"))
    they = OutboxScreen(open_phone(), side_link(evening, "EW"))
    they.off()
    for number, ours, theirs in ((1, 65, 65), (2, 70, 71), (3, 40, 40)):
        we.deal(number, ours)
        they.deal(number, theirs)
    they.status("3 spellen wachten")
    they.on()
    they.status("verzonden")
    asked = they.page.locator("#table-confirm")
    expect(asked).to_contain_text("Spel 2: u telde 71–91, de andere partij 70–92.")
    they.is_at(4)
    assert DealEntry.objects.count() == 3
    assert list(DealClaim.objects.filter(taken=None).values_list("deal__number", flat=True)) == [2]
    confirmed = DealConfirmation.objects.order_by("entry__deal__number")
    assert list(confirmed.values_list("entry__deal__number", "side")) == [(1, "EW"), (3, "EW")]
    they.tap(they.page.locator(".sides-dispute summary"))
    they.tap(they.page.get_by_role("button", name="70–92 klopt toch"))
    expect(they.page.locator(".sides-dispute")).to_have_count(0)
    look_again(we.page)
    expect(we.page.locator(".sides-dispute")).to_have_count(0)
    assert DealClaim.objects.filter(taken=None).count() == 0
