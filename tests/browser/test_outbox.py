"""Deals written without the network: kept on the phone, sent once, in order, never lost."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import RequestFactory
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.http.problems import unavailable
from scoring.models import DealClaim, DealEntry
from tests.browser.deal_screen import look_again
from tests.browser.outbox import OutboxScreen, written
from tests.devices import PATIENCE, PHONE, OpenPage
from tests.factories import TESTS, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three
from tournaments.rounds.services import round_close

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DEALS = re.compile("/deals/")
NEWS = re.compile("/state/")
NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get() {} });"
SAYS_OFF_LINE = "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });"
NO_STORE = "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('refused'); } });"


@pytest.fixture
def unwatched(chromium: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """A phone that may meet a server which fails."""
    context = chromium.new_context(base_url=live_server.url, locale="nl-NL", **PHONE)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def on_page(page: Page) -> list[str]:
    """The sheet and the totals in words, whatever waits."""
    parts = [page.locator(place).inner_text() for place in ("#table-top", "#table-sheet table")]
    return [" ".join(part.replace("wacht", "").split()) for part in parts]


def test_a_round_of_deals_outlasts_a_reload_and_a_closed_tab_and_arrives_once_and_in_order(
    keeping_phone: Page,
) -> None:
    phone = keeping_phone
    evening = playing(deals_per_round=8)
    screen = OutboxScreen(phone, link(evening))
    screen.is_cached()
    screen.off()
    for number in range(1, 4):
        screen.deal(number, 40 + number)
    screen.status("3 spellen wachten")
    phone.reload()
    screen.status("3 spellen wachten")
    screen.deal(4, 44)
    phone.close()

    tab = phone.context.new_page()
    screen = OutboxScreen(tab, link(evening), status="4 spellen wachten")
    for number in range(5, 8):
        screen.deal(number, 40 + number)
    screen.declarer("NS")
    tab.locator("#id_points_ew").fill("48")
    screen.write(8)
    expect(tab.get_by_role("heading", name="Ronde 1 is klaar")).to_be_visible()
    screen.status("8 spellen wachten")
    assert DealEntry.objects.count() == 0
    screen.on()
    screen.status("verzonden")
    assert written(evening) == [(number, 1, 40 + number) for number in range(1, 9)]
    made = DealEntry.objects.order_by("deal__number").values_list("made_at", flat=True)
    assert list(made) == sorted(made)
    expect(tab.get_by_role("button", name="Wij akkoord")).to_be_visible(timeout=15_000)


@pytest.mark.full
def test_what_waits_is_drawn_as_the_server_will_draw_it(phone: Page) -> None:
    evening = playing()
    write_deal(table(evening), 1, roem={"EW": [50]})
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(2, 95)  # nat
    screen.trump("H")
    screen.roem("wij", "20")
    screen.roem("wij", "50")
    screen.deal(3, 60)
    screen.declarer("EW")
    screen.key("pit wij")
    screen.write(4)
    screen.is_at(5)
    screen.declarer("NS")
    screen.tap(phone.get_by_role("button", name="meer …"))
    screen.tap(phone.locator("#deal-rare label", has_text="Mia"))
    screen.tap(phone.get_by_role("button", name="Terug naar het spel"))
    screen.write(5)
    screen.is_at(6)
    screen.status("4 spellen wachten")
    assert "wacht" in screen.line(3)
    drawn = on_page(phone)
    sent_and_drawn(screen, drawn)
    phone.reload()
    screen.status("verzonden")
    assert on_page(phone) == drawn

    evening, three = playing_three()
    screen = OutboxScreen(phone, link(evening, three.number))
    screen.off()
    screen.deal(1, 62, declarer="E")
    screen.deal(2, 100, declarer="N")
    sent_and_drawn(screen, on_page(phone))


def sent_and_drawn(screen: OutboxScreen, drawn: list[str]) -> None:
    """Once all is sent the page shows the same."""
    screen.on()
    screen.status("verzonden")
    expect(screen.page.locator(".waits")).to_have_count(0)
    assert on_page(screen.page) == drawn


@pytest.mark.full
def test_what_waits_is_changed_without_a_trace_and_what_was_sent_with_one(
    phone: Page,
) -> None:
    evening = playing()
    write_deal(table(evening), 1, declarer="E")
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(2, 65)
    screen.deal(3, 70)
    screen.tap(phone.locator("#deal-2 a"))
    expect(phone.get_by_role("heading", name="Spel 2 wijzigen")).to_be_visible()
    expect(phone.locator("#id_points_ew")).to_have_value("65")
    phone.locator("#id_points_ew").fill("75")
    screen.tap(phone.get_by_role("button", name="Wijzig spel 2"))
    screen.is_at(4)
    assert screen.line(2) == "Spel 2 Wij wacht 87 75"
    phone.wait_for_timeout(1000)  # a tap sooner would be a slip
    screen.tap(screen.undo(3))
    screen.is_at(3)
    screen.status("1 spel wacht")
    screen.deal(3, 71)
    screen.on()
    screen.status("verzonden")
    assert written(evening)[1:] == [(2, 1, 75), (3, 1, 71)]

    screen.tap(phone.locator("#deal-1 a"))  # who played is asked as the line has it
    players = phone.locator(".deal-who label")
    expect(players).to_have_text(["Jan", "Mia", "Piet", "Truus"])
    expect(phone.get_by_role("radio", name="Mia")).to_be_checked()
    screen.tap(phone.get_by_role("button", name="Terug", exact=True))
    expect(players).to_have_text(["Wij", "Zij"])

    screen.off()
    screen.tap(phone.locator("#deal-3 a"))
    phone.locator("#id_points_ew").fill("76")
    change = phone.get_by_role("button", name="Wijzig spel 3")
    screen.tap(change)
    screen.is_at(4)
    screen.on()
    screen.status("verzonden")
    assert written(evening)[3:] == [(3, 2, 76)]
    assert DealEntry.objects.get(revision=2).reason == "meteen gewijzigd"
    screen.off()
    phone.wait_for_timeout(1000)  # a tap sooner would be a slip
    screen.tap(screen.undo(3))
    screen.status("1 spel wacht")
    screen.on()
    screen.status("verzonden")
    assert [revision for _number, revision, _points in written(evening)] == [1, 1, 1, 2, 3]


def test_of_two_phones_no_deal_is_lost_and_each_difference_is_asked(open_phone: OpenPage) -> None:
    evening = playing()
    ours, theirs = (OutboxScreen(open_phone(), link(evening)) for _ in range(2))
    ours.off()
    for number, mine, other in ((1, 65, 65), (2, 70, 71), (3, 40, 41), (4, 50, 50)):
        ours.deal(number, mine)
        theirs.deal(number, other)
    ours.deal(5, 55)
    theirs.status("verzonden")
    ours.on()
    ours.status("verzonden")
    points = [(1, 1, 65), (2, 1, 71), (3, 1, 41), (4, 1, 50), (5, 1, 55)]
    assert written(evening) == points
    claims = DealClaim.objects.filter(decided_at=None).order_by("deal__number")
    assert [(claim.deal.number, claim.written["points"]["EW"]) for claim in claims] == [
        (2, 70),
        (3, 40),
    ]
    for page in (ours.page, theirs.page):
        look_again(page)
        question = page.locator("#table-confirm")
        expect(question).to_contain_text("Spel 2 is twee keer geschreven: 91–71 en 92–70.")
        expect(question).to_contain_text("Spel 3 is twee keer geschreven: 121–41 en 122–40.")


@pytest.mark.full
def test_the_table_says_which_of_two_results_is_right(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(1, 65)
    screen.deal(2, 70)
    for number in (1, 2):
        write_deal(table(evening), number)
    screen.on()
    question = phone.locator("#table-confirm")
    expect(question).to_contain_text("Spel 1 is twee keer geschreven: 90–72 en 97–65.")
    expect(question).to_contain_text("Spel 2 is twee keer geschreven: 90–72 en 92–70.")
    screen.tap(phone.get_by_role("button", name="97–65 klopt"))
    expect(phone.locator(".sides-dispute")).to_have_count(1)
    expect(phone.locator("#deal-1")).to_contain_text("97")

    screen.off()
    screen.deal(3, 70)
    axe(phone)
    phone.set_viewport_size({"width": 360, "height": 640})
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    screen.tap(phone.get_by_role("button", name="92–70 klopt"))
    expect(phone.get_by_text("Er is nu geen verbinding")).to_be_visible()
    screen.on()
    screen.tap(phone.get_by_role("button", name="90–72 klopt"))
    expect(phone.locator(".sides-dispute")).to_have_count(0)
    screen.status("verzonden")
    assert written(evening) == [(1, 1, None), (2, 1, None), (1, 2, 65), (3, 1, 70)]


@pytest.mark.full
def test_what_was_pressed_counts_although_news_replaces_the_button(phone: Page) -> None:
    evening = playing()
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(1, 65)
    write_deal(table(evening), 1)
    screen.on()
    question = phone.locator("#table-confirm")
    expect(question).to_contain_text("Spel 1 is twee keer geschreven")

    def news(route: Route) -> None:
        question.evaluate("place => { place.innerHTML = place.innerHTML; }")
        route.continue_()

    phone.route("**/healthz", news)
    screen.tap(phone.get_by_role("button", name="97–65 klopt"))
    expect(phone.locator("#deal-1")).to_contain_text("97")
    assert written(evening) == [(1, 1, None), (1, 2, 65)]


def test_a_deal_that_stands_otherwise_is_told_to_a_phone_that_gets_no_news(
    unwatched: BrowserContext,
) -> None:
    phone, evening = unwatched.new_page(), playing()
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(1, 65)
    write_deal(table(evening), 1)
    phone.route(NEWS, lambda route: route.abort())
    screen.on()
    note = phone.locator("[data-outbox-notes] section")
    expect(note).to_contain_text("Beide zijn bewaard. U kiest zodra er verbinding is.")
    phone.unroute(NEWS)
    expect(note).to_have_count(0)
    expect(phone.locator("#table-confirm")).to_contain_text("Spel 1 is twee keer geschreven")


@pytest.mark.full
def test_a_deal_is_sent_until_the_server_takes_it(unwatched: BrowserContext) -> None:
    """Through a page of the hall's wifi, a disk that is full, and an answer that gets lost."""
    page, evening = unwatched.new_page(), playing()
    screen = OutboxScreen(page, link(evening))
    portal: list[dict[str, Any]] = [
        {"status": 503, "body": "<h1>Welkom bij de wifi</h1>"},
        {"status": 200, "body": "!"},
    ]
    full = unavailable(RequestFactory().post("/", headers={"accept": "application/json"}))
    assert full.status_code == 503
    disk = [{"status": 503, "headers": dict(full.headers), "body": full.content}]
    answers = [*portal, *disk]
    lost: list[int] = []

    def fail(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif answers:
            route.fulfill(**answers.pop(0))
        elif not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route(DEALS, fail)
    screen.deal(1, 65)
    screen.deal(2, 70)
    screen.status("2 spellen wachten")
    assert screen.line(1) == "Spel 1 Wij wacht 97 65"
    screen.status("verzonden")
    assert (answers, lost) == ([], [200])
    assert written(evening) == [(1, 1, 65), (2, 1, 70)]


@pytest.mark.full
def test_a_deal_that_is_told_to_wait_is_sent_again(unwatched: BrowserContext) -> None:
    page, evening = unwatched.new_page(), playing()
    screen = OutboxScreen(page, link(evening))
    answers = [{"status": "too_often", "message": "Te veel."}]

    def fail(route: Route) -> None:
        if route.request.method == "POST" and answers:
            route.fulfill(status=429, json=answers.pop())
        else:
            route.continue_()

    page.route(DEALS, fail)
    screen.deal(1, 65)
    screen.status("1 spel wacht")
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 65)]


@pytest.mark.full
def test_what_the_server_refuses_is_put_right_or_thrown_away(unwatched: BrowserContext) -> None:
    """The phone's rules are the server's, so that it takes another version of them to refuse."""
    answer = {
        "status": "refused",
        "message": "Spel 1 kan zo niet worden geschreven.",
        "errors": {"points_ew": ["Precies 161 kan niet."]},
    }

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            return route.fulfill(status=422, json=answer)
        return route.continue_()

    page, evening = unwatched.new_page(), playing()
    screen = OutboxScreen(page, link(evening))
    page.route(DEALS, refuse)
    screen.declarer("NS")
    page.locator("#id_points_ew").fill("65")
    screen.write(1)
    note = page.locator("#outbox-notes .notice")
    expect(note).to_contain_text("Spel 1 kan zo niet worden geschreven. Precies 161 kan niet.")
    expect(note).to_contain_text("Wij 97, zij 65: gehaald")
    screen.tap(note.get_by_role("button", name="Verbeter het"))
    expect(note).to_have_count(0)
    expect(page.locator("#id_points_ew")).to_have_value("65")
    screen.write(1)
    for name in ("Gooi het weg", "Echt weggooien?"):
        page.wait_for_timeout(1000)  # a second tap at once is a slip
        screen.tap(note.get_by_role("button", name=name))
    expect(note).to_have_count(0)
    screen.is_at(1)
    page.unroute_all()
    screen.deal(1, 70)
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 70)]


@pytest.mark.full
def test_two_tabs_of_one_phone_send_once(phone: Page) -> None:
    evening = playing()
    first, second = (
        OutboxScreen(page, link(evening)) for page in (phone, phone.context.new_page())
    )
    first.off()
    first.deal(1, 65)
    second.is_at(2)
    second.deal(2, 70)
    first.is_at(3)
    first.on()
    first.status("verzonden")
    second.status("verzonden")
    assert written(evening) == [(1, 1, 65), (2, 1, 70)]


@pytest.mark.full
def test_a_poorer_browser_says_what_it_cannot_and_sends_all_the_same(
    keeping_phone: Page,
) -> None:
    for script, hint in (
        (NO_WORKER, "Zonder wifi gaat deze pagina niet opnieuw open"),
        (NO_STORE, "Deze telefoon bewaart niets als u de pagina sluit."),
        (SAYS_OFF_LINE, ""),
    ):
        phone, evening = keeping_phone.context.new_page(), playing()
        phone.add_init_script(script)
        screen = OutboxScreen(phone, link(evening))
        if hint:
            expect(phone.get_by_text(hint)).to_be_in_viewport()
        screen.off()
        screen.deal(1, 65)
        screen.deal(2, 70)
        screen.status("2 spellen wachten")
        screen.on()
        screen.status("verzonden")
        assert written(evening) == [(1, 1, 65), (2, 1, 70)]
        phone.close()


@pytest.mark.full
def test_a_deal_on_its_own_page_goes_through_the_outbox_too(phone: Page) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    screen = OutboxScreen(phone, f"{link(evening)}rounds/1/deals/1/")
    expect(phone.get_by_role("heading", name="Spel 1 wijzigen")).to_be_visible()
    phone.locator("#id_points_ew").fill("75")
    screen.tap(phone.locator(".deal-reason label", has_text="verkeerd geteld"))
    screen.tap(phone.get_by_role("button", name="Wijzig spel 1"))
    screen.is_at(2)
    screen.status("verzonden")
    expect(phone.locator("#deal-1")).to_contain_text("87")
    assert written(evening) == [(1, 1, None), (1, 2, 75)]

    away = phone.get_by_role("link", name="Zo spelen wij")
    screen.off()
    screen.tap(away)
    nothing = phone.get_by_text("Er is nu geen verbinding met de computer van de club")
    expect(nothing).to_be_visible()
    screen.is_at(2)
    screen.on()
    screen.tap(away)
    expect(phone.get_by_role("heading", name="Zo spelen wij")).to_be_visible()


@pytest.mark.full
def test_a_round_that_ends_meanwhile_loses_no_deal(phone: Page) -> None:
    evening = playing(target=250)
    screen = OutboxScreen(phone, link(evening))
    screen.off()
    screen.deal(1, 40)  # 122
    screen.deal(2, 60)  # 224
    screen.declarer("NS")
    phone.locator("#id_points_ew").fill("50")
    screen.write(3)
    expect(phone.get_by_role("heading", name="Ronde 1 is klaar")).to_be_visible()
    phone.wait_for_timeout(1000)  # a tap sooner would be a slip
    screen.tap(screen.undo(3))
    screen.is_at(3)
    screen.on()
    screen.status("verzonden")
    assert written(evening) == [(1, 1, 40), (2, 1, 60)]

    screen.off()
    screen.declarer("NS")
    phone.locator("#id_points_ew").fill("65")
    screen.write(3)
    screen.status("1 spel wacht")
    round_close(round_id=evening.rounds.get().pk, unfinished_reason="laat", actor=TESTS)
    screen.on()
    note = phone.locator("#outbox-notes .notice")
    expect(note).to_contain_text("Spel 3 kwam te laat. Het is bewaard voor de wedstrijdleider.")
    expect(note).to_contain_text("Wij 97, zij 65: gehaald")
    phone.reload()
    screen.tap(note.get_by_role("button", name="Gezien"))
    expect(note).to_have_count(0)
    assert DealClaim.objects.get().why == "late"


@pytest.mark.full
def test_what_is_tapped_while_the_page_is_loading_stays(unwatched: BrowserContext) -> None:
    page = unwatched.new_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"scoresheets/table\.js"), hold)
    page.goto(link(playing()), wait_until="commit")
    page.locator(".deal-who label").first.tap()
    page.locator("#id_points_ew").fill("65")
    held[0].continue_()
    expect(page.locator("[data-outbox-words]")).to_have_text("verzonden")
    expect(page.get_by_role("radio", name="Wij", exact=True)).to_be_checked()
    expect(page.locator("#id_points_ew")).to_have_value("65")
    expect(page.locator(".deal-preview")).to_contain_text("Wij 97, zij 65: gehaald")
