"""Putting right what is written, in a real browser: after publication, and at the table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import DealEntry
from tests.browser.login import log_in
from tests.devices import OpenPage
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING
from tests.tournaments.table_pages import link, playing
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHEET = f"{EVENING}rounds/1/tables/1/"
PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21/"
FOLLOWS = "Na deze uitslag is nog iets gewijzigd; er volgt een nieuwe uitslag."


@pytest.fixture
def published(live_server: LiveServer) -> Evening:
    """Eight people, one round of one deal; at table 1 wij have 90, at table 2 wij have 100."""
    evening = evening_with_draw(
        club=ClubFactory.create(), players=8, rounds=1, deals_per_round=1, method="typed_in"
    )
    write_deal(table(evening, 1), 1)
    write_deal(table(evening, 2), 1, points={"NS": 100})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return evening


def put_back(page: Page, score: str) -> Locator:
    """The button beside that revision of the deal."""
    line = page.locator("#history li", has_text=score)
    return line.get_by_role("button", name="Zet dit terug")


@pytest.mark.full
def test_a_correction_after_publication(
    open_desktop: OpenPage,
    open_phone: OpenPage,
    published: Evening,
    live_server: LiveServer,
    axe: Callable[[Page], None],
) -> None:
    desk, player = open_desktop(), open_phone()
    log_in(desk, published.club, live_server.url)
    player.goto(PUBLIC)
    first = player.locator("#found tbody tr").first
    expect(first).to_contain_text("Henk Bos")
    expect(player.get_by_text(FOLLOWS)).to_have_count(0)

    desk.goto(f"{SHEET}?deal=1")
    desk.get_by_label("Punten wij").fill("120")
    desk.get_by_role("button", name="Schrijf spel 1").click()
    expect(desk.locator("#entry")).to_contain_text("Geef aan waarom u het spel wijzigt.")
    desk.get_by_label("Punten wij").fill("120")
    desk.get_by_label("verkeerd geteld").check()
    desk.get_by_role("button", name="Schrijf spel 1").click()
    moves = desk.locator("#moves")
    expect(moves).to_contain_text("8 spelers veranderen van plaats")
    expect(moves).to_contain_text("Jan Bakker: van plaats 3 naar 1, van 90 naar 120 punten")
    axe(desk)
    assert DealEntry.objects.count() == 2

    desk.get_by_role("button", name="Eerst nog iets wijzigen").click()
    expect(desk.get_by_label("Punten wij")).to_have_value("120")
    desk.get_by_label("Punten wij").fill("118")
    desk.get_by_role("button", name="Schrijf spel 1").click()
    expect(moves).to_contain_text("van 90 naar 118 punten")
    desk.get_by_role("button", name="Bewaar de wijziging").click()
    expect(desk.get_by_text("Spel 1 is geschreven.")).to_be_visible()
    assert DealEntry.objects.count() == 3

    player.reload()
    expect(player.get_by_text(FOLLOWS)).to_be_visible()
    expect(first).to_contain_text("Henk Bos")
    axe(player)

    desk.goto(f"{EVENING}board/")
    desk.get_by_role("link", name="Uitslag opnieuw publiceren").click()
    expect(desk.locator("#new-moves")).to_contain_text("Jan Bakker: van plaats 3 naar 1")
    axe(desk)
    desk.get_by_label("Waarom?").fill("tafel 1 verkeerd geteld")
    desk.get_by_role("button", name="Uitslag nummer 2 publiceren").click()
    player.reload()
    expect(player.get_by_text(FOLLOWS)).to_have_count(0)
    expect(first).to_contain_text("Jan Bakker")

    desk.goto(f"{SHEET}?deal=1")
    put_back(desk, "90–72").click()
    expect(moves).to_contain_text("Jan Bakker: van plaats 1 naar 3, van 118 naar 90 punten")
    desk.get_by_role("link", name="Nee, ga terug").click()
    assert DealEntry.objects.count() == 3
    put_back(desk, "90–72").click()
    desk.get_by_role("button", name="Bewaar de wijziging").click()
    expect(desk.get_by_text("Spel 1 is weer zoals het eerder was.")).to_be_visible()
    expect(put_back(desk, "118–44")).to_be_visible()

    desk.get_by_role("link", name="Alles wat er met dit spel gebeurde").click()
    trail = desk.locator("table.trail tbody tr")
    expect(trail).to_have_count(3)
    expect(trail.first).to_contain_text("Spel 1 is teruggezet zoals het eerder was")
    expect(trail.first).to_contain_text("Teruggezet: 90–72, zoals geschreven om")
    axe(desk)
    desk.get_by_role("link", name="Alles wat er gebeurde aan tafel 1").click()
    desk.get_by_role("link", name="Jan Bakker").click()
    expect(desk.get_by_role("heading", name="Jan Bakker: wat er gebeurde")).to_be_visible()
    axe(desk)


@pytest.mark.full
def test_at_the_table_a_line_is_put_back_from_what_was_written_before(
    phone: Page, live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    write_deal(table(evening), 1, points={"NS": 100})
    phone.goto(link(evening))
    phone.locator("#table-sheet .number a").first.tap()
    phone.get_by_role("link", name="Wat er eerder is geschreven").tap()
    expect(put_back(phone, "90–72")).to_be_visible()
    axe(phone)
    put_back(phone, "90–72").tap()
    expect(phone.locator("#table-sheet")).to_contain_text("90")
    entry = DealEntry.objects.get(revision=3)
    assert (entry.kind, entry.written) == (
        "restored",
        {"declarer": "NS", "trump": "H", "points": {"NS": 90}},
    )
