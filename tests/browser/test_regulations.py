"""Changing a regulation in a browser: what a setting does is shown as one chooses."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import Regulation
from scoring.regulations.services import regulation_add
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = "/clubs/vrolijke-boer/desk/regulations/"


@pytest.fixture
def own(live_server: LiveServer) -> Regulation:
    """A regulation that was played once and with which another evening is planned."""
    club: Club = ClubFactory.create()
    own = regulation_add(club=club, name="Ons huis", preset="amsterdam", actor=TESTS)
    evening_with_draw(club=club, regulation=own, players=4)
    EveningFactory.create(club=club, regulation=own)
    return own


def unfold(page: Page, group: str) -> None:
    page.locator(".group-title").get_by_text(group, exact=True).click()


@pytest.mark.full
def test_an_organiser_changes_the_rules(
    phone: Page, live_server: LiveServer, own: Regulation, axe: Callable[[Page], None]
) -> None:
    log_in(phone, own.club, live_server.url)
    phone.goto(LIST)
    phone.get_by_role("link", name="Ons huis").click()
    jacks = phone.locator("#effect-four_jacks")
    expect(jacks).to_be_hidden()
    unfold(phone, "Roem")
    expect(jacks).to_contain_text("Wij 97 + 200 roem = 297, zij 65: gehaald")
    phone.get_by_label("Hoeveel roem zijn vier boeren?").fill("100")
    expect(jacks).to_contain_text("Wij 97 + 100 roem = 197, zij 65: gehaald")
    expect(phone.locator("#effect")).to_contain_text("Wij 97 + 100 roem = 197")
    expect(phone.locator("#base")).to_contain_text("vier boeren: 100 punten")
    unfold(phone, "Een kaart spelen")
    undertrump = phone.get_by_role("group", name="Moet u ondertroeven?")
    expect(undertrump).to_be_visible()
    phone.get_by_label("altijd troeven, en hoger als dat kan (Rotterdams)").check()
    expect(undertrump).to_be_hidden()
    expect(phone.locator("#effect-must_trump")).to_contain_text("U mag spelen: harten 9.")
    unfold(phone, "Pit en andere extra’s")
    points = phone.get_by_label("Punten als het lukt")
    expect(points).to_be_hidden()
    phone.get_by_role("group", name="Speelt u ledig?").get_by_label("ja").check()
    expect(points).to_be_visible()
    points.fill("50")
    expect(phone.locator("#changes")).to_contain_text("ledig: 50 punten – was nee")
    expect(phone.get_by_role("checkbox", name="zaterdag 21 november")).to_be_checked()
    axe(phone)
    phone.get_by_role("button", name="Bewaar als versie 2").click()
    expect(phone.get_by_text("Ons huis is bewaard als versie 2.")).to_be_visible()
    newest = Regulation.objects.get(name="Ons huis", version=2).rules
    assert (newest.four_jacks, newest.must_trump, newest.nil_bonus) == (100, "rotterdam", 50)


@pytest.mark.full
def test_a_fault_is_in_sight(
    desktop: Page, live_server: LiveServer, own: Regulation, axe: Callable[[Page], None]
) -> None:
    log_in(desktop, own.club, live_server.url)
    desktop.goto(f"{LIST}{own.pk}/")
    unfold(desktop, "Nat")
    unfold(desktop, "Roem")
    desktop.get_by_label("Hoeveel roem zijn vier boeren?").fill("veel")
    desktop.get_by_role("button", name="Bewaar als versie 2").click()
    expect(desktop.get_by_label("Hoeveel roem zijn vier boeren?")).to_be_visible()
    desktop.get_by_role("link", name="Hoeveel roem zijn vier boeren?").click()
    expect(desktop.get_by_label("Hoeveel roem zijn vier boeren?")).to_be_focused()
    axe(desktop)
    unfold(desktop, "Pit en andere extra’s")
    nil = desktop.get_by_role("group", name="Speelt u ledig?")
    nil.get_by_label("ja").check()
    desktop.get_by_label("Punten als het lukt").fill("veel")
    nil.get_by_label("nee").check()
    expect(desktop.get_by_label("Punten als het lukt")).to_be_hidden()
    desktop.get_by_role("button", name="Bewaar als versie 2").click()
    expect(desktop.get_by_label("Punten als het lukt")).to_be_visible()
