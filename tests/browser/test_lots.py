"""Typing lots without the mouse."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import EVENING
from tournaments.models import Evening, Placement
from tournaments.registration.check_in import presence_replace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOTS = f"{EVENING}draw/type-in/lots/"


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """Four people are here: Bakker, van der Meer, Visser and de Vries."""
    club = ClubFactory.create()
    evening = EveningFactory.create(club=club, method=Evening.Method.TYPED_IN)
    members = [MemberFactory.create(club=club) for _ in range(4)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return club


def seat_of(name: str) -> str:
    return Placement.objects.get(member__name=name).seat


@pytest.mark.full
def test_lots_are_typed_from_box_to_box_or_by_name(
    desktop: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(f"{EVENING}draw/type-in/letters/")
    desktop.get_by_role("button", name="Deze loting bekijken").click()
    axe(desktop)
    desktop.goto(LOTS)
    find = desktop.get_by_label("Zoek een naam")
    find.focus()
    desktop.keyboard.type("vis")
    expect(desktop.get_by_label("Jan Bakker")).to_be_hidden()
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_label("Piet Visser")).to_be_focused()
    desktop.keyboard.type("2")
    desktop.keyboard.press("Enter")
    expect(find).to_be_focused()
    expect(find).to_have_value("")
    expect(desktop.get_by_label("Jan Bakker")).to_be_visible()
    expect(desktop.get_by_label("Piet Visser")).to_have_value("2")
    axe(desktop)

    desktop.get_by_label("Jan Bakker").focus()
    for lot in ("4", "3", "2", "1"):
        desktop.keyboard.press("Control+a")
        desktop.keyboard.type(lot)
        desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("button", name="Deze loting bekijken")).to_be_focused()
    desktop.set_viewport_size({"width": 390, "height": 844})
    assert desktop.evaluate("document.documentElement.scrollWidth") <= 390
    desktop.keyboard.press("Enter")
    desktop.wait_for_url(f"**{EVENING}draw/")
    assert [seat_of(name) for name in ("Jan Bakker", "Truus de Vries")] == ["W", "N"]
