"""A season in a real browser: its standings at the desk, and what a player reads of their own."""

import datetime as dt
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.devices import box_of
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.public_pages import close_evening
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Check = Callable[[Page], None]
SATURDAY = dt.date(2026, 11, 7)
PUBLIC = "/clubs/vrolijke-boer/seasons/winter/"
DESK = "/clubs/vrolijke-boer/desk/seasons/winter/"


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    """Two evenings of four people, in which Jan and Piet took 100 and 85; another is to come."""
    season = season_create(club=club, name="Winter", actor=TESTS)
    for week, ns in enumerate((100, 85)):
        evening = evening_with_draw(
            players=4,
            club=club,
            season=season,
            date=SATURDAY + dt.timedelta(weeks=week),
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)
    EveningFactory.create(club=club, season=season, date=dt.date(2026, 12, 12))
    rules: dict[str, dict[str, object]] = {"Alles": {}, "Beste": {"best_per_period": 1}}
    for name, settings in rules.items():
        season_rule_add(season=season, name=name, settings=settings, actor=TESTS)
    return season


@pytest.mark.full
@pytest.mark.usefixtures("season")
def test_a_player_reads_why_they_stand_there_and_what_comes_next(phone: Page, axe: Check) -> None:
    phone.goto(PUBLIC)
    axe(phone)
    phone.get_by_role("link", name="Beste", exact=True).click()
    expect(phone.get_by_text("De beste van de 3 avonden telt.")).to_be_visible()
    mia = phone.get_by_role("row").filter(has_text="Mia van der Meer")
    target = mia.get_by_role("link", name="77")
    box = box_of(target)
    assert (box["width"] >= 44, box["height"] >= 44) == (True, True)
    target.click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(
        "Waarom staat Mia van der Meer op plaats 3?"
    )
    axe(phone)
    _nothing_sticks_out(phone)
    phone.get_by_role("link", name="Wat als ik de volgende avond meedoe?").click()
    phone.get_by_label("Punten van de avond").fill("101")
    phone.get_by_role("button", name="Reken uit").click()
    expect(phone.locator("#tried")).to_contain_text("Met 101 punten wordt het 101.")
    expect(phone.locator("#tried")).to_contain_text("Dat is plaats 1")
    axe(phone)
    _nothing_sticks_out(phone)


@pytest.mark.full
def test_the_organiser_looks_before_a_standing_is_added(
    desktop: Page, axe: Check, club: Club, season: Season, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(DESK)
    axe(desktop)
    desktop.get_by_role("link", name="Klassement toevoegen").click()
    desktop.get_by_label("Hoe heet dit klassement?").fill("Per maand")
    desktop.get_by_label("Hoeveel van de beste avonden tellen mee?").fill("1")
    desktop.get_by_text("Het seizoen in perioden").click()
    desktop.get_by_label("Periode 1 vanaf").fill("2026-11-01")
    axe(desktop)
    desktop.get_by_role("button", name="Eerst kijken wat dit geeft").click()
    expect(desktop.get_by_role("alert")).to_contain_text("Vul beide dagen in, of geen van beide.")
    desktop.get_by_label("Periode 1 tot en met").fill("2026-11-30")
    desktop.get_by_role("button", name="Eerst kijken wat dit geeft").click()
    expect(desktop.get_by_text("In elke periode telt de beste avond.")).to_be_visible()
    expect(desktop.get_by_role("row").nth(1)).to_contain_text("Jan Bakker")
    axe(desktop)
    desktop.get_by_role("button", name="Zo bewaren").click()
    expect(desktop.get_by_text("Per maand is toegevoegd.")).to_be_visible()
    desktop.get_by_role("button", name="Omhoog (Per maand)").click()
    names = desktop.locator(".standing-cards h3")
    expect(names).to_have_text(["Alles", "Per maand", "Beste"])
    desktop.get_by_role("link", name="Weghalen (Per maand)").click()
    axe(desktop)
    desktop.get_by_label("Waarom?").fill("niemand keek ernaar")
    desktop.get_by_role("button", name="Ja, weghalen").click()
    expect(names).to_have_text(["Alles", "Beste"])


def _nothing_sticks_out(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
