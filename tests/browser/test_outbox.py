"""Deals written without the network: kept on the phone, sent once, in order, never lost."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import RequestFactory
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.unavailable import unavailable
from scoring.models import DealClaim, DealEntry
from tests.browser.hands import look_again
from tests.browser.outbox import Table
from tests.conftest import PHONE, OpenPage
from tests.factories import TESTS, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three
from tournaments.services import round_close, token_renew

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get() {} });"
SAYS_OFF_LINE = "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });"
NO_STORE = "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('refused'); } });"


@pytest.fixture
def context(chromium: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """A phone that may meet a server which fails."""
    context = chromium.new_context(base_url=live_server.url, locale="nl-NL", **PHONE)
    context.set_default_timeout(10_000)
    yield context
    context.close()


def written() -> list[tuple[int, int, object]]:
    """What stands in the history, oldest first: deal, revision, and the points of zij."""
    entries = DealEntry.objects.order_by("received_at").select_related("deal")
    return [
        (one.deal.number, one.revision, (one.written or {}).get("points", {}).get("EW"))
        for one in entries
    ]


def test_sixteen_deals_without_the_network_and_a_reload_arrive_once_and_in_order(
    phone: Page,
) -> None:
    hand = Table(phone, link(playing()))
    hand.is_kept()
    hand.off()
    for number in range(1, 9):
        hand.deal(number, 40 + number)
    hand.status("8 wachten sinds")
    phone.reload()
    hand.status("8 wachten sinds")
    hand.at(9)
    for number in range(9, 16):
        hand.deal(number, 40 + number)
    hand.who("NS")
    phone.locator("#id_points_ew").fill("56")
    hand.write(16)
    expect(phone.get_by_role("heading", name="Ronde 1 is vol")).to_be_visible()
    hand.status("16 wachten sinds")
    assert DealEntry.objects.count() == 0
    hand.on()
    hand.status("verzonden")
    assert written() == [(number, 1, 40 + number) for number in range(1, 17)]
    made = DealEntry.objects.order_by("deal__number").values_list("made_at", flat=True)
    assert list(made) == sorted(made)
    expect(phone.get_by_role("button", name="Wij akkoord")).to_be_visible(timeout=15_000)


def test_a_tab_that_was_closed_opens_again_without_the_network(
    phone: Page, open_phone: OpenPage
) -> None:
    address = link(playing())
    hand = Table(phone, address)
    hand.is_kept()
    hand.off()
    hand.deal(1, 65)
    phone.close()
    again = phone.context.new_page()
    again.goto(address)
    expect(again.locator("[data-outbox-words]")).to_contain_text("1 wacht sinds")
    expect(again.locator("#deal-1")).to_contain_text("97")
    phone.context.set_offline(False)
    expect(again.locator("[data-outbox-words]")).to_have_text("verzonden")
    assert written() == [(1, 1, 65)]


def test_what_waits_is_drawn_as_the_server_will_draw_it(phone: Page) -> None:
    evening = playing()
    write_deal(table(evening), 1, roem={"EW": [50]})
    hand = Table(phone, link(evening))
    hand.off()
    hand.deal(2, 95)  # nat
    hand.trump("H")
    hand.roem("wij", "20")
    hand.roem("wij", "50")
    hand.deal(3, 60)
    hand.who("EW")
    hand.key("pit wij")
    hand.write(4)
    hand.at(5)
    hand.who("NS")
    hand.tap(phone.get_by_role("button", name="meer …"))
    hand.tap(phone.locator("#deal-rare label", has_text="Mia"))
    hand.tap(phone.get_by_role("button", name="Terug naar het spel"))
    hand.write(5)
    hand.at(6)
    hand.status("4 wachten")
    drawn = on_page(phone)
    assert "wacht" in hand.line(3)
    hand.on()
    hand.status("verzonden")
    expect(phone.locator(".waits")).to_have_count(0)
    assert on_page(phone) == drawn
    phone.reload()
    hand.status("verzonden")
    assert on_page(phone) == drawn


def on_page(page: Page) -> list[str]:
    """The sheet and the totals in words, whatever waits."""
    parts = [page.locator(place).inner_text() for place in ("#table-top", "#table-sheet table")]
    return [" ".join(part.replace("wacht", "").split()) for part in parts]


def test_three_people_have_their_totals_without_the_network(phone: Page) -> None:
    evening, three = playing_three()
    hand = Table(phone, link(evening, three.number))
    hand.off()
    hand.deal(1, 62, who="E")
    hand.deal(2, 100, who="N")
    drawn = on_page(phone)
    hand.on()
    hand.status("verzonden")
    expect(phone.locator(".waits")).to_have_count(0)
    assert on_page(phone) == drawn


class TestPutRight:
    """What is put right before anybody has it leaves no trace; afterwards it is a correction."""

    def test_a_line_that_waits_is_replaced(self, phone: Page) -> None:
        hand = Table(phone, link(playing()))
        hand.off()
        hand.deal(1, 65)
        hand.deal(2, 70)
        hand.tap(phone.locator("#deal-1 a"))
        expect(phone.get_by_role("heading", name="Spel 1 verbeteren")).to_be_visible()
        expect(phone.locator("#id_points_ew")).to_have_value("65")
        phone.locator("#id_points_ew").fill("75")
        hand.tap(phone.get_by_role("button", name="Wijzig spel 1"))
        hand.at(3)
        assert hand.line(1) == "Spel 1 Wij wacht 87 75"
        hand.on()
        hand.status("verzonden")
        assert written() == [(1, 1, 75), (2, 1, 70)]

    def test_who_played_is_asked_as_the_line_has_it(self, phone: Page) -> None:
        evening = playing()
        write_deal(table(evening), 1, declarer="E")
        hand = Table(phone, link(evening))
        hand.tap(phone.locator("#deal-1 a"))
        who = phone.locator(".deal-who label")
        expect(who).to_have_text(["Jan", "Mia", "Piet", "Truus"])
        expect(phone.get_by_role("radio", name="Mia")).to_be_checked()
        hand.tap(phone.get_by_role("button", name="Terug", exact=True))
        expect(who).to_have_text(["Wij", "Zij"])

    def test_what_waits_last_is_taken_back(self, phone: Page) -> None:
        hand = Table(phone, link(playing()))
        hand.off()
        hand.deal(1, 65)
        hand.deal(2, 70)
        hand.tap(phone.get_by_role("button", name="spel 2 ongedaan maken"))
        hand.at(2)
        hand.status("1 wacht sinds")
        hand.deal(2, 71)
        hand.on()
        hand.status("verzonden")
        assert written() == [(1, 1, 65), (2, 1, 71)]

    def test_what_was_sent_is_corrected_with_a_reason_and_taken_back(self, phone: Page) -> None:
        evening = playing()
        write_deal(table(evening), 1)
        hand = Table(phone, link(evening))
        hand.off()
        hand.tap(phone.locator("#deal-1 a"))
        phone.locator("#id_points_ew").fill("75")
        hand.tap(phone.get_by_role("button", name="Wijzig spel 1"))
        expect(phone.get_by_text("Geef aan waarom u het spel verandert.")).to_be_visible()
        hand.tap(phone.locator(".deal-reason label", has_text="verkeerd geteld"))
        hand.tap(phone.get_by_role("button", name="Wijzig spel 1"))
        hand.at(2)
        hand.on()
        hand.status("verzonden")
        assert written()[1:] == [(1, 2, 75)]
        assert DealEntry.objects.get(revision=2).reason == "verkeerd geteld"
        hand.off()
        hand.tap(phone.get_by_role("button", name="spel 1 ongedaan maken"))
        hand.status("1 wacht sinds")
        hand.on()
        hand.status("verzonden")
        assert [entry[1] for entry in written()] == [1, 2, 3]


class TestTwoPhones:
    """Both write; the network of one is away for half a round."""

    def test_no_deal_is_lost_and_each_difference_is_kept_beside(self, open_phone: OpenPage) -> None:
        address = link(playing())
        ours, theirs = Table(open_phone(), address), Table(open_phone(), address)
        ours.off()
        for number, mine, other in ((1, 65, 65), (2, 70, 71), (3, 40, 41), (4, 50, 50)):
            ours.deal(number, mine)
            theirs.deal(number, other)
        ours.deal(5, 55)
        ours.on()
        ours.status("verzonden")
        points = [(1, 1, 65), (2, 1, 71), (3, 1, 41), (4, 1, 50), (5, 1, 55)]
        assert written() == points
        claims = DealClaim.objects.filter(decided_at=None).order_by("deal__number")
        assert [(claim.deal.number, claim.written["points"]["EW"]) for claim in claims] == [
            (2, 70),
            (3, 40),
        ]
        for phone in (ours.page, theirs.page):
            look_again(phone)
            asked = phone.locator("#table-confirm")
            expect(asked).to_contain_text("Spel 2 is twee keer geschreven: 91–71 en 92–70.")
            expect(asked).to_contain_text("Spel 3 is twee keer geschreven: 121–41 en 122–40.")

    @pytest.fixture
    def hand(self, phone: Page) -> Table:
        """A phone that wrote 97–65 while the other one wrote 90–72."""
        evening = playing()
        hand = Table(phone, link(evening))
        hand.off()
        hand.deal(1, 65)
        write_deal(table(evening), 1)
        hand.on()
        asked = phone.locator("#table-confirm")
        expect(asked).to_contain_text("Spel 1 is twee keer geschreven: 90–72 en 97–65.")
        expect(phone.locator("#deal-1")).to_contain_text("90")
        return hand

    def test_ours_is_right(self, hand: Table) -> None:
        hand.tap(hand.page.get_by_role("button", name="97–65 klopt"))
        hand.status("verzonden")
        expect(hand.page.locator("#deal-1")).to_contain_text("97")
        assert written() == [(1, 1, None), (1, 2, 65)]

    def test_without_the_network_the_choice_waits(self, hand: Table) -> None:
        hand.off()
        hand.tap(hand.page.get_by_role("button", name="97–65 klopt"))
        expect(hand.page.get_by_text("Er is nu geen verbinding")).to_be_visible()
        hand.on()
        hand.tap(hand.page.get_by_role("button", name="90–72 klopt"))
        expect(hand.page.locator(".sides-dispute")).to_have_count(0)
        assert written() == [(1, 1, None)]

    def test_everybody_can_read_it(self, hand: Table, axe: Callable[[Page], None]) -> None:
        hand.off()
        hand.deal(2, 70)
        axe(hand.page)
        hand.page.set_viewport_size({"width": 360, "height": 640})
        assert hand.page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_deal_is_sent_until_the_server_takes_it(context: BrowserContext) -> None:
    refusals = [503, 200]

    def refuse(route: Route) -> None:
        if route.request.method != "POST" or not refusals:
            route.continue_()
        else:
            route.fulfill(status=refusals.pop(0), body="<h1>Welkom bij de wifi</h1>")

    page = context.new_page()
    hand = Table(page, link(playing()))
    page.route(re.compile("/deals/"), refuse)
    hand.deal(1, 65)
    hand.status("1 wacht sinds")
    hand.status("verzonden")
    assert refusals == []
    assert written() == [(1, 1, 65)]


def test_deals_stay_on_the_phone_while_the_disk_of_the_server_is_full(
    context: BrowserContext,
) -> None:
    asked = RequestFactory().post("/", headers={"accept": "application/json"})
    told = unavailable(asked)
    assert told.status_code == 503

    def ask_to_wait(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        return route.fulfill(status=503, headers=dict(told.headers), body=told.content)

    page = context.new_page()
    hand = Table(page, link(playing()))
    page.route(re.compile("/deals/"), ask_to_wait)
    hand.deal(1, 65)
    hand.deal(2, 70)
    hand.status("2 wachten sinds")
    assert hand.line(1) == "Spel 1 Wij wacht 97 65"
    page.unroute(re.compile("/deals/"))
    hand.status("verzonden")
    assert written() == [(1, 1, 65), (2, 1, 70)]


def test_an_answer_that_got_lost_is_asked_for_again(context: BrowserContext) -> None:
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    page = context.new_page()
    hand = Table(page, link(playing()))
    page.route(re.compile("/deals/"), lose)
    hand.deal(1, 65)
    hand.status("verzonden")
    assert lost == [200]
    assert written() == [(1, 1, 65)]


def test_two_tabs_of_one_phone_send_once(phone: Page) -> None:
    address = link(playing())
    hand, other = Table(phone, address), Table(phone.context.new_page(), address)
    hand.off()
    hand.deal(1, 65)
    other.at(2)
    other.deal(2, 70)
    hand.at(3)
    hand.on()
    hand.status("verzonden")
    other.status("verzonden")
    assert written() == [(1, 1, 65), (2, 1, 70)]


def test_on_plain_http_it_says_that_the_page_must_stay_open(phone: Page) -> None:
    phone.add_init_script(NO_WORKER)
    hand = Table(phone, link(playing()))
    hint = phone.get_by_text("Zonder wifi gaat deze pagina niet opnieuw open")
    expect(hint).to_be_in_viewport()
    hand.off()
    hand.deal(1, 65)
    hand.deal(2, 70)
    hand.status("2 wachten sinds")
    hand.on()
    hand.status("verzonden")
    assert written() == [(1, 1, 65), (2, 1, 70)]


def test_a_browser_that_keeps_nothing_says_so_and_sends_all_the_same(phone: Page) -> None:
    phone.add_init_script(NO_STORE)
    hand = Table(phone, link(playing()))
    expect(phone.get_by_text("Deze telefoon bewaart niets als u de pagina sluit.")).to_be_visible()
    hand.off()
    hand.deal(1, 65)
    hand.status("1 wacht sinds")
    hand.on()
    hand.status("verzonden")
    assert written() == [(1, 1, 65)]


def test_a_deal_on_its_own_page_goes_through_the_outbox_too(phone: Page) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    hand = Table(phone, f"{link(evening)}rounds/1/deals/1/")
    expect(phone.get_by_role("heading", name="Spel 1 verbeteren")).to_be_visible()
    phone.locator("#id_points_ew").fill("75")
    hand.tap(phone.locator(".deal-reason label", has_text="verkeerd geteld"))
    hand.tap(phone.get_by_role("button", name="Wijzig spel 1"))
    hand.at(2)
    hand.status("verzonden")
    expect(phone.locator("#deal-1")).to_contain_text("87")
    assert written() == [(1, 1, None), (1, 2, 75)]


def test_a_deal_that_came_too_late_is_told_until_it_was_seen(phone: Page) -> None:
    evening = playing(deals_per_round=1)
    hand = Table(phone, link(evening))
    hand.off()
    hand.who("NS")
    phone.locator("#id_points_ew").fill("65")
    hand.write(1)
    hand.status("1 wacht sinds")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    hand.on()
    note = phone.locator("#outbox-notes .notice")
    expect(note).to_contain_text("Spel 1 kwam te laat. Het is bewaard voor de wedstrijdleider.")
    expect(note).to_contain_text("Wij 97, zij 65: gehaald")
    phone.reload()
    hand.tap(note.get_by_role("button", name="Gezien"))
    expect(note).to_have_count(0)
    assert DealClaim.objects.get().why == "late"


def test_a_sheet_that_goes_to_a_target_is_full_without_the_network(phone: Page) -> None:
    hand = Table(phone, link(playing(target=250)))
    hand.off()
    hand.deal(1, 40)  # 122
    hand.deal(2, 60)  # 224
    hand.who("NS")
    phone.locator("#id_points_ew").fill("50")
    hand.write(3)
    expect(phone.get_by_role("heading", name="Ronde 1 is vol")).to_be_visible()
    hand.tap(phone.get_by_role("button", name="spel 3 ongedaan maken"))
    hand.at(3)
    hand.on()
    hand.status("verzonden")
    assert written() == [(1, 1, 40), (2, 1, 60)]


def test_what_the_server_refuses_is_put_right_or_thrown_away(context: BrowserContext) -> None:
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

    page = context.new_page()
    hand = Table(page, link(playing()))
    page.route(re.compile("/deals/"), refuse)
    hand.who("NS")
    page.locator("#id_points_ew").fill("65")
    hand.write(1)
    note = page.locator("#outbox-notes .notice")
    expect(note).to_contain_text("Spel 1 kan zo niet worden geschreven. Precies 161 kan niet.")
    expect(note).to_contain_text("Wij 97, zij 65: gehaald")
    hand.tap(note.get_by_role("button", name="Verbeter het"))
    expect(note).to_have_count(0)
    expect(page.locator("#id_points_ew")).to_have_value("65")
    hand.write(1)
    hand.tap(note.get_by_role("button", name="Gooi het weg"))
    hand.tap(note.get_by_role("button", name="Echt weggooien?"))
    expect(note).to_have_count(0)
    hand.at(1)
    page.unroute_all()
    hand.deal(1, 70)
    hand.status("verzonden")
    assert written() == [(1, 1, 70)]


def test_what_is_tapped_while_the_page_is_loading_stays(context: BrowserContext) -> None:
    page = context.new_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"tournaments/table\.js"), hold)
    page.goto(link(playing()), wait_until="commit")
    page.locator(".deal-who label").first.tap()
    page.locator("#id_points_ew").fill("65")
    held[0].continue_()
    expect(page.locator("[data-outbox-words]")).to_have_text("verzonden")
    expect(page.get_by_role("radio", name="Wij", exact=True)).to_be_checked()
    expect(page.locator("#id_points_ew")).to_have_value("65")
    expect(page.locator(".deal-preview")).to_contain_text("Wij 97, zij 65: gehaald")


def test_a_wifi_that_the_browser_calls_no_network_will_do(phone: Page) -> None:
    phone.add_init_script(SAYS_OFF_LINE)
    hand = Table(phone, link(playing()))
    hand.deal(1, 65)
    hand.status("verzonden")
    assert written() == [(1, 1, 65)]


def test_a_link_away_from_the_table_leads_nowhere_without_the_network(phone: Page) -> None:
    hand = Table(phone, link(playing()))
    away = phone.get_by_role("link", name="Zo spelen wij")
    hand.off()
    hand.tap(away)
    expect(
        phone.get_by_text("Er is nu geen verbinding met de computer van de club")
    ).to_be_visible()
    hand.at(1)
    hand.on()
    hand.tap(away)
    expect(phone.get_by_role("heading", name="Zo spelen wij")).to_be_visible()


def test_what_was_sent_since_the_page_was_kept_stands_on_it_all_the_same(phone: Page) -> None:
    hand = Table(phone, link(playing()))
    hand.is_kept()
    hand.deal(1, 65)
    hand.status("verzonden")
    hand.off()
    phone.reload()
    hand.at(2)
    expect(phone.locator("#deal-1")).to_contain_text("97")
    hand.deal(2, 70)
    hand.on()
    hand.status("verzonden")
    assert written() == [(1, 1, 65), (2, 1, 70)]


def test_a_link_that_was_withdrawn_does_not_open_without_the_network_either(phone: Page) -> None:
    evening = playing()
    address = link(evening)
    hand = Table(phone, address)
    hand.is_kept()
    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    phone.goto(address)
    heading = phone.get_by_role("heading", level=1)
    expect(heading).to_have_text("Deze code geldt niet meer")
    pages = "async () => (await (await caches.open('klaverclub-table-pages')).keys()).length"
    assert phone.evaluate(pages) == 0
