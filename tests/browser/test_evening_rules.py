"""How an evening is played, set at the desk and felt at the table, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import Scoresheet
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.devices import OpenPage
from tests.factories import TESTS, ClubFactory, evening_with_draw
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening, Round
from tournaments.rounds.services import round_close, round_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENING = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"
Check = Callable[[Page], None]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.mark.full
def test_set_at_the_desk_it_is_asked_at_the_table_and_said_to_every_phone(
    desktop: Page, open_phone: OpenPage, axe: Check, club: Club, live_server: LiveServer
) -> None:
    evening = evening_with_draw(
        club=club, players=4, rounds=1, method=Evening.Method.TYPED_IN, started=False
    )
    log_in(desktop, club, live_server.url)
    desktop.goto(f"{EVENING}rules/")
    axe(desktop)
    desktop.get_by_label("wie de hoogste kaart trekt").check()
    desktop.get_by_role("group", name="Is klaveren troef").get_by_label("ja").check()
    desktop.get_by_role("button", name="Bewaren").click()
    expect(desktop.get_by_text("De spelregels van de avond zijn bewaard.")).to_be_visible()

    round_start(round_id=Round.objects.get().pk, actor=TESTS)
    phone, other = open_phone(), open_phone()
    other.clock.install()
    for page in (phone, other):
        page.goto(link(evening))
    axe(phone)
    phone.get_by_role("button", name="Truus de Vries").click()
    expect(phone.get_by_text("Truus geeft, Jan komt uit")).to_be_visible()
    expect(phone.get_by_role("group", name="Troef").get_by_label("klaveren")).to_be_checked()
    expect(other.get_by_text("Truus geeft, Jan komt uit")).not_to_be_visible()
    other.clock.run_for(8000)
    expect(other.get_by_text("Truus geeft, Jan komt uit")).to_be_visible()


@pytest.mark.full
def test_the_round_ends_at_the_target_and_extra_deals_give_the_first_place(
    desktop: Page, phone: Page, axe: Check, club: Club, live_server: LiveServer
) -> None:
    evening = playing(club=club, target=250, tie="play_off")
    phone.goto(link(evening))
    screen = DealScreen(phone)
    screen.declarer("NS")
    screen.key("pit wij")
    screen.write(1)
    expect(
        phone.get_by_text("Een partij heeft de 250 punten waarbij de ronde uit is.")
    ).to_be_visible()
    axe(phone)
    assert Scoresheet.objects.get().is_full

    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    log_in(desktop, club, live_server.url)
    desktop.goto(f"{EVENING}close/")
    axe(desktop)
    desktop.get_by_label("Jan Bakker").fill("200")
    desktop.get_by_label("Piet Visser").fill("448")
    desktop.get_by_role("button", name="Extra spellen schrijven").click()
    expect(
        desktop.get_by_text("De extra spellen gaven de doorslag: Piet Visser is eerste.")
    ).to_be_visible()
