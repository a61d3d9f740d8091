"""How an evening is played, set at the desk and felt at the table, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import Scoresheet
from tests.browser.hands import sign_in
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening, Round
from tournaments.services import round_close, round_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENING = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"
Check = Callable[[Page], None]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


def test_set_at_the_desk_it_is_asked_at_the_table(
    desktop: Page, phone: Page, axe: Check, club: Club
) -> None:
    evening = evening_with_draw(
        club=club, players=4, rounds=1, method=Evening.Method.TYPED_IN, started=False
    )
    sign_in(desktop, club)
    desktop.goto(f"{EVENING}rules/")
    axe(desktop)
    desktop.get_by_label("wie de hoogste kaart trekt").check()
    desktop.get_by_role("group", name="Is klaveren troef").get_by_label("ja").check()
    desktop.get_by_role("button", name="Bewaren").click()
    expect(desktop.get_by_text("De spelregels van de avond zijn bewaard.")).to_be_visible()

    round_start(round_id=Round.objects.get().pk, actor=TESTS)
    phone.goto(link(evening))
    axe(phone)
    phone.get_by_role("button", name="Truus de Vries").click()
    expect(phone.get_by_text("Truus geeft, Jan komt uit")).to_be_visible()
    axe(phone)
    expect(phone.get_by_role("group", name="Troef").get_by_label("klaveren")).to_be_checked()


def test_a_phone_that_waits_follows_the_one_that_says_it(
    open_phone: Callable[[], Page], club: Club
) -> None:
    address = link(playing(club=club, first_dealer="drawn"))
    one, other = open_phone(), open_phone()
    other.clock.install()
    one.goto(address)
    other.goto(address)
    one.get_by_role("button", name="Jan Bakker").click()
    expect(one.get_by_text("Jan geeft, Mia komt uit")).to_be_visible()
    expect(other.get_by_text("Jan geeft, Mia komt uit")).not_to_be_visible()
    other.clock.run_for(8000)
    expect(other.get_by_text("Jan geeft, Mia komt uit")).to_be_visible()


def test_the_round_ends_at_the_target(phone: Page, axe: Check, club: Club) -> None:
    evening = playing(club=club, target=250)
    phone.goto(link(evening))
    phone.get_by_role("group", name="Wie speelt?").get_by_label("Wij").check()
    phone.get_by_label("pit wij").check()
    expect(phone.get_by_text("Wij 162 + 100 pit = 262")).to_be_visible()
    phone.get_by_role("button", name="Schrijf spel 1").click()
    expect(
        phone.get_by_text("Een partij heeft de 250 punten waarbij de ronde uit is.")
    ).to_be_visible()
    axe(phone)
    assert Scoresheet.objects.get().is_full


def test_extra_deals_for_the_first_place(desktop: Page, axe: Check, club: Club) -> None:
    evening = playing(club=club, deals_per_round=1, tie="play_off")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    sign_in(desktop, club)
    desktop.goto(f"{EVENING}close/")
    axe(desktop)
    desktop.get_by_label("Jan Bakker").fill("200")
    desktop.get_by_label("Piet Visser").fill("448")
    desktop.get_by_role("button", name="Extra spellen schrijven").click()
    expect(
        desktop.get_by_text("De extra spellen gaven de doorslag: Piet Visser is eerste.")
    ).to_be_visible()
    axe(desktop)
