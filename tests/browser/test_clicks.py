"""How often an organiser must click from the desk until the first round is being played."""

import datetime as dt

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tournaments.models import Evening
from tournaments.registration.services import presence_replace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS = 8
DRAWN = ["Naar de loting", "Tafels loten", "Loting definitief maken"]
STARTED = ["Ronde 1 starten, 2 tafels", "Ronde 1 starten"]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    club = ClubFactory.create()
    for _ in range(PLAYERS):
        MemberFactory.create(club=club)
    return club


def press(desk: Page, names: list[str]) -> int:
    """Press these one after the other. Returns how many they were."""
    for name in names:
        main = desk.get_by_role("main")
        button = main.get_by_role("button", name=name, exact=True)
        button.or_(main.get_by_role("link", name=name, exact=True)).first.click()
    return len(names)


def test_the_first_evening_is_eight_clicks_and_a_tick_for_everybody(
    desktop: Page, club: Club, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.set_viewport_size({"width": 1280, "height": 800})
    desktop.goto("/clubs/vrolijke-boer/desk/")
    clicks = press(desktop, ["Plan de avonden", "Alleen één avond?"])
    make = desktop.get_by_role("button", name="Deze avond maken")
    expect(make).to_be_in_viewport(ratio=1)
    clicks += press(desktop, ["Deze avond maken"])
    for tick in desktop.locator("#people input[type=checkbox]").all():
        tick.check()
    expect(desktop.locator("#present-count")).to_contain_text("8 aanwezig")
    clicks += press(desktop, [*DRAWN, *STARTED])
    expect(desktop.get_by_role("heading", level=1)).to_have_text("Het bord")
    assert (clicks, Evening.objects.get().state) == (8, "running")


@pytest.mark.full
def test_the_second_evening_is_eight_clicks(
    desktop: Page, club: Club, live_server: LiveServer
) -> None:
    before = EveningFactory.create(club=club, date=dt.date(2026, 11, 21))
    people = list(club.members.all())
    presence_replace(evening_id=before.pk, members=people, actor=TESTS)
    Evening.objects.update(state="closed")
    log_in(desktop, club, live_server.url)
    desktop.goto("/clubs/vrolijke-boer/desk/")
    clicks = press(desktop, ["Avond maken", "Deze avond maken"])
    clicks += press(desktop, ["De 8 spelers van de vorige keer aanvinken", *DRAWN, *STARTED])
    expect(desktop.get_by_role("heading", level=1)).to_have_text("Het bord")
    assert clicks == 8
