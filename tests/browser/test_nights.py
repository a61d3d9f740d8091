"""Nights of several clubs in a browser: every page of them, and a whole night of two clubs of which
one has a server of its own."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.login import log_in
from tests.browser.test_axe import Check, look
from tests.devices import OpenPage
from tests.factories import TESTS
from tests.tournaments.duplicate.nights import brought, made, night_page, planned, played
from tests.tournaments.duplicate.test_night_releases import correct
from tests.tournaments.leagues import leader_client
from tournaments.duplicate.nights import night_open
from tournaments.models import Evening, League, SharedNight

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def desk_of_night(night: SharedNight) -> str:
    return f"/leagues/{night.league.slug}/desk/nights/{night.pk}/"


def lead(page: Page, league: League, address: str) -> None:
    """Give this browser the session of the league's leader."""
    session = leader_client(league).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def night_at_club(evening: Evening) -> str:
    return f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/folders/night/"


def test_a_night_is_opened_asked_for_and_published_anew(
    phone: Page, open_phone: OpenPage, axe: Check, live_server: LiveServer
) -> None:
    night = made(clubs=1)
    evening = played(night, "een")
    league, leader = night.league, open_phone()
    log_in(phone, evening.club, live_server.url)
    lead(leader, league, live_server.url)

    # Too early: said, and how else it can be done.
    phone.goto(night_at_club(evening))
    axe(phone)
    phone.get_by_role("button", name="Vraag de competitie of de avond open is").click()
    expect(phone.get_by_text("De competitie heeft deze avond nog niet geopend")).to_be_visible()
    expect(phone.get_by_label("Het startgetal van de avond")).to_be_hidden()
    phone.get_by_text("Zelf het startgetal intypen").click()
    expect(phone.get_by_label("Het startgetal van de avond")).to_be_visible()
    axe(phone)

    # The club's evening comes in and the leader opens the night.
    brought(night, evening)
    leader.goto(desk_of_night(night))
    leader.get_by_role("button", name="Open de avond").click()
    expect(leader.get_by_text("Het laatst gepubliceerd: publicatie 1")).to_be_visible()
    phone.goto(night_at_club(evening))
    expect(phone.get_by_text("De avond is geopend: iedereen kan")).to_be_visible()

    # A correction counts once it is published anew.
    brought(night, correct(evening))
    leader.reload()
    leader.get_by_role("button", name="De ranglijst opnieuw publiceren").click()
    expect(leader.get_by_text("De ranglijst is opnieuw gepubliceerd.")).to_be_visible()
    leader.get_by_role("link", name="Zoals iedereen het ziet").click()
    leader.get_by_role("link", name="Publicatie 1:").click()
    expect(leader.get_by_text("Er is een latere.")).to_be_visible()


@pytest.mark.full
def test_everybody_can_read_the_pages_of_nights(
    phone: Page, axe: Check, live_server: LiveServer
) -> None:
    night = made()
    one, two = played(night, "een"), planned(night, "twee")
    league = f"/leagues/{night.league.slug}/"
    look(phone, axe, [f"{league}nights/", night_page(night)])
    for evening in (one, two):
        log_in(phone, evening.club, live_server.url)
        look(phone, axe, [night_at_club(evening)])
    lead(phone, night.league, live_server.url)
    brought(night, one)
    look(phone, axe, [f"{league}desk/nights/", desk_of_night(night)])
    night = night_open(night=night, seen=night.version, actor=TESTS, anyway=True)
    brought(night, correct(one))
    pages = [desk_of_night(night), night_page(night), f"{night_page(night)}releases/1/"]
    look(phone, axe, pages)
