"""What a deal comes to is said while it is tapped in, without asking the server."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Phone
from tests.factories import ClubFactory, regulation_of
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(phone: Page, **settings: object) -> Phone:
    """The page of a table with this regulation, after which the network is gone."""
    club = ClubFactory.create()
    regulation = regulation_of(club)
    regulation.settings |= settings
    regulation.save()
    phone.goto(link(playing(club=club, regulation=regulation)))
    _lose_the_network(phone)
    return Phone(phone)


def _lose_the_network(phone: Page) -> None:
    phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
    phone.context.set_offline(True)


def test_what_a_deal_comes_to_is_said_without_the_network(phone: Page) -> None:
    hands = opened(phone)
    hands.who("NS")
    hands.reads("Vul de punten van één partij in, of geef aan dat het nat of pit is.")
    hands.trump("H")
    hands.points("65")
    hands.reads("Wij 97, zij 65: gehaald")
    hands.roem("zij", "50")
    hands.reads("Wij 97, zij 65 + 50 roem = 115: nat")
    hands.reads("Zij 162 + 50 roem = 212, wij 0")


def test_so_is_what_cannot_be_and_what_is_unlikely(phone: Page) -> None:
    hands = opened(phone)
    hands.who("NS")
    hands.points("161")
    hands.reads("Precies 161 kan niet: niemand haalt ooit 1 of 161 punten.")
    phone.locator("input[name=points_ew]").fill("0")
    hands.reads("Eén partij heeft 0 punten, maar er staat geen pit. Klopt dat?")


def test_the_regulation_of_the_table_decides(phone: Page) -> None:
    hands = opened(phone, nat=False)
    hands.who("NS")
    hands.points("90")
    hands.reads("Wij 72, zij 90: niet gehaald, ieder houdt zijn punten")


def test_a_phone_in_english_says_it_in_english(phone: Page) -> None:
    hands = opened(phone)
    phone.context.set_offline(False)
    phone.get_by_role("button", name="English").tap()
    expect(phone.get_by_role("button", name="Write deal 1")).to_be_visible()
    _lose_the_network(phone)
    hands.who("NS")
    hands.points("65")
    hands.reads("We 97, they 65: made")
