"""The entry fee at the door, the prizes, the cup and the text, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tournaments.closing.services import evening_close
from tournaments.models import ClubText, CupWin, EntryFees, Evening
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.given import cup_add
from tournaments.prizes.giving import evening_prizes_choose
from tournaments.registration.entry_fees import entry_fee_list, entry_fees_set
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/clubs/vrolijke-boer/desk/"
EVENING = f"{DESK}evenings/2026-11-21/"
Check = Callable[[Page], None]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def closed(club: Club) -> Evening:
    """Jan and Piet won with 120, a cup is there to be won, and side prizes were chosen."""
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    evening = evening_with_draw(
        club=club, players=4, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    scheme = PrizeScheme("one_per_four", sides=("best_round", "pits"))
    evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=TESTS)
    entry_fees_set(evening_id=evening.pk, fees=EntryFees(stake_member=250), actor=TESTS)
    write_deal(table(evening), 1, points={"NS": 120})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    cup_add(club=club, name="De Zilveren Klaver", actor=TESTS)
    return evening


@pytest.mark.full
def test_somebody_who_comes_in_is_ticked_and_pays(
    phone: Page, axe: Check, club: Club, live_server: LiveServer
) -> None:
    evening = evening_with_draw(club=club, players=4, started=False)
    entry_fees_set(evening_id=evening.pk, fees=EntryFees(stake_member=250), actor=TESTS)
    log_in(phone, club, live_server.url)
    phone.goto(f"{EVENING}present/")
    axe(phone)
    paid = phone.get_by_label("betaald: Jan Bakker")
    with phone.expect_response("**/stake/tick/"):
        paid.check()
    with phone.expect_response("**/present/tick/"):
        phone.get_by_label("Mia van der Meer", exact=True).uncheck()
    expect(phone.get_by_label("betaald: Mia van der Meer")).to_be_hidden()
    phone.goto(f"{EVENING}stake/")
    axe(phone)
    pot = phone.locator("#pot")
    expect(pot).to_contain_text("1 van 3 hebben betaald, nog € 5,00 te ontvangen")
    phone.get_by_label("Piet Visser").check()
    expect(pot).to_contain_text("€ 5,00")
    expect(pot).to_contain_text("2 van 3 hebben betaald")
    phone.get_by_label("Jan Bakker").uncheck()
    expect(pot).to_contain_text("1 van 3 hebben betaald")
    assert [row.paid for row in entry_fee_list(evening).rows] == [None, 250, None]


@pytest.mark.full
def test_prizes_are_chosen_and_read_out(
    desktop: Page, axe: Check, club: Club, closed: Evening, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(f"{EVENING}close/")
    axe(desktop)
    desktop.get_by_role("button", name="Noteren (De Zilveren Klaver, Jan Bakker)").click()
    expect(desktop.get_by_text("Genoteerd: Jan Bakker wint De Zilveren Klaver.")).to_be_visible()
    assert CupWin.objects.get().member.name == "Jan Bakker"
    desktop.get_by_role("link", name="De lijst om voor te lezen").click()
    titles = desktop.locator(".prize-title")
    expect(titles).to_have_text(["Poedelprijs", "Hoogste ronde", "De winnaar"])
    axe(desktop)
    desktop.get_by_role("link", name="De prijzen kiezen").click()
    axe(desktop)
    desktop.get_by_label("plaatsen die u zelf kiest").check()
    desktop.get_by_label("Welke plaatsen? (mag leeg blijven)").fill("1, 3")
    desktop.get_by_role("button", name="De prijzen bewaren").click()
    expect(titles).to_have_text(["Poedelprijs", "Hoogste ronde", "Plaats 3", "De winnaar"])


def pasted(page: Page) -> str:
    """What somebody pastes elsewhere: our own pages may not look at what was copied."""
    elsewhere = page.context.new_page()
    elsewhere.set_content("<textarea></textarea>")
    elsewhere.locator("textarea").press("Control+V")
    text = elsewhere.locator("textarea").input_value()
    elsewhere.close()
    return text


@pytest.mark.full
def test_the_text_is_copied_and_gets_the_clubs_own_words(
    desktop: Page, axe: Check, club: Club, closed: Evening, live_server: LiveServer
) -> None:
    desktop.context.grant_permissions(["clipboard-write"])
    log_in(desktop, club, live_server.url)
    desktop.goto(f"{EVENING}text/")
    axe(desktop)
    desktop.get_by_role("button", name="Tekst kopiëren").first.click()
    expect(desktop.get_by_role("button", name="Gekopieerd")).to_be_visible()
    copied = pasted(desktop)
    assert copied == desktop.locator("#text-message").input_value()
    assert "Poedelprijs: Mia van der Meer en Truus de Vries (42)" in copied

    desktop.get_by_role("link", name="De vaste tekst aanpassen").first.click()
    axe(desktop)
    wording = desktop.get_by_label("De tekst, met velden tussen accolades")
    wording.fill("Hulde voor {winaar}!")
    desktop.get_by_role("button", name="De tekst bewaren").click()
    fault = "Regel 1: het veld {winaar} bestaat niet. Bedoelt u {winnaar}?"
    expect(desktop.get_by_role("alert")).to_contain_text(fault)
    wording.fill("Hulde voor {winnaar}!")
    desktop.get_by_role("button", name="Laten zien wat het wordt").click()
    expect(desktop.locator("#preview")).to_have_text("Hulde voor Jan Bakker en Piet Visser!")
    assert ClubText.objects.count() == 0
    desktop.get_by_role("button", name="De tekst bewaren").click()
    expect(desktop.get_by_text("De tekst is bewaard.")).to_be_visible()


@pytest.mark.full
def test_everybody_can_read_the_cups(
    phone: Page, axe: Check, club: Club, closed: Evening, live_server: LiveServer
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(f"{DESK}cups/")
    axe(phone)
    phone.get_by_role("link", name="De Zilveren Klaver").click()
    phone.get_by_label("Wie won hem").select_option(label="Jan Bakker")
    phone.get_by_role("button", name="Noteren").click()
    expect(phone.get_by_text("Jan Bakker heeft hem nu: 1 van 3 keer gewonnen.")).to_be_visible()
    axe(phone)
    phone.goto("/clubs/vrolijke-boer/")
    expect(
        phone.get_by_text("De Zilveren Klaver: Jan Bakker (1 van de 3 keer gewonnen)")
    ).to_be_visible()
    for path in ("prizes/", "prizes/edit/"):
        phone.goto(f"{DESK}seasons/2026-2027/{path}")
        axe(phone)
