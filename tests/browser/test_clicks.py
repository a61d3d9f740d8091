"""How often an organiser must click until the first round is being played, and how long the pages
on that way are."""

import datetime as dt
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    full_name,
)
from tournaments.draw.services import draw_make
from tournaments.evenings.kinds import kind_add, start_of
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/clubs/vrolijke-boer/desk/"
SCREEN = 800
PLAYERS = 22
LIST = "\n".join(f"{n}\t{full_name(n)}\t061234{n:04}" for n in range(1, PLAYERS + 1))
DRAWN = ["Naar de loting", "Tafels loten", "Loting definitief maken"]


class Way:
    """The way of an organiser over the pages: each click is counted, each page measured."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.heights = page, 0, dict[str, int]()
        page.set_viewport_size({"width": 1280, "height": SCREEN})

    def go(self, path: str) -> None:
        """Open the page at this address of the desk."""
        self.page.goto(f"{DESK}{path}")
        self._measure()

    def press(self, *names: str, part: str = "main") -> None:
        """Press these in the page, or in another part of it, one after the other."""
        for name in names:
            buttons = self.page.get_by_role(part).get_by_role("button", name=name, exact=True)  # type: ignore[arg-type]
            links = self.page.get_by_role(part).get_by_role("link", name=name, exact=True)  # type: ignore[arg-type]
            buttons.or_(links).first.click()
            self.clicks += 1
            self._measure()

    @property
    def too_long(self) -> dict[str, int]:
        """The pages of more than two screens, and how high they are."""
        return {path: high for path, high in self.heights.items() if high > 2 * SCREEN}

    def _measure(self) -> None:
        self.page.wait_for_load_state()
        path = urlsplit(self.page.url).path.removeprefix(DESK)
        height = self.page.evaluate("document.documentElement.scrollHeight")
        self.heights[path] = max(height, self.heights.get(path, 0))


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def way(desktop: Page, club: Club, live_server: LiveServer) -> Way:
    log_in(desktop, club, live_server.url)
    return Way(desktop)


def people(club: Club, count: int) -> list[Member]:
    return [MemberFactory.create(club=club) for _ in range(count)]


@pytest.mark.full
def test_the_first_evening_is_eight_clicks_and_a_tick_for_everybody(way: Way, club: Club) -> None:
    people(club, 8)
    way.go("")
    way.press("Plan de avonden", "Alleen één avond?")
    make = way.page.get_by_role("button", name="Deze avond maken")
    expect(make).to_be_in_viewport(ratio=1)
    way.press("Deze avond maken")
    for tick in way.page.locator("#people input[type=checkbox]").all():
        tick.check()
    expect(way.page.locator("#present-count")).to_contain_text("8 aanwezig")
    way.press(*DRAWN, "Ronde 1 starten, 2 tafels", "Ronde 1 starten")
    expect(way.page.get_by_role("heading", level=1)).to_have_text("De tafels")
    assert (way.clicks, Evening.objects.get().state) == (8, "running")


@pytest.mark.full
def test_an_empty_club_plays_after_seventeen_clicks(way: Way) -> None:
    way.go("")
    way.press("Kies de spelregels")
    way.page.get_by_label("Amsterdams", exact=False).first.check()
    way.press("Toevoegen en verder")
    way.press("Wedstrijdleiding", part="banner")
    way.press("Lees de ledenlijst in")
    way.page.get_by_label("Of plak de lijst hier").fill(LIST)
    way.press("Bekijk de lijst", "Ja, lees dit in", "Naar de ledenlijst")
    way.press("Wedstrijdleiding", part="banner")
    way.press("Plan de avonden", "Alleen één avond?", "Deze avond maken", "Vink alle 22 leden aan")
    way.press(*DRAWN, "Ronde 1 starten, 5 tafels", "Ronde 1 starten")
    expect(way.page.get_by_role("heading", level=1)).to_have_text("De tafels")
    assert (way.clicks, Evening.objects.get().state) == (17, "running")
    assert way.too_long == {}


@pytest.mark.full
def test_the_second_evening_is_eight_clicks(way: Way, club: Club) -> None:
    before = EveningFactory.create(club=club, date=dt.date(2026, 11, 21))
    presence_replace(evening_id=before.pk, members=people(club, PLAYERS), actor=TESTS)
    Evening.objects.update(state="closed")
    way.go("")
    way.press("Avond maken", "Deze avond maken")
    way.press("De 22 spelers van de vorige keer aanvinken", *DRAWN)
    way.press("Ronde 1 starten, 5 tafels", "Ronde 1 starten")
    expect(way.page.get_by_role("heading", level=1)).to_have_text("De tafels")
    assert (way.clicks, way.too_long) == (8, {})


@pytest.mark.full
def test_what_lies_beside_the_way_is_two_screens_at_most(way: Way, club: Club) -> None:
    starts, ends = dt.date(2026, 9, 1), dt.date(2027, 5, 31)
    season_create(club=club, name="2026-2027", starts=starts, ends=ends, actor=TESTS)
    drawn = evening_with_draw(club=club, players=PLAYERS, started=False)
    for name in ("Individueel", "Parenavond"):
        kind_add(club=club, name=name, start=start_of(drawn), actor=TESTS)
    for number, method in enumerate(("balanced", "lottery", "typed_in", "pairs"), start=1):
        date = drawn.date + dt.timedelta(weeks=number)
        evening = EveningFactory.create(club=club, date=date, method=method)
        here = list(club.members.all())
        presence_replace(evening_id=evening.pk, members=here, actor=TESTS)
        if method in ("balanced", "lottery"):
            draw_make(evening_id=evening.pk, actor=TESTS)
        for page in ("present", "draw", "edit"):
            way.go(f"evenings/{evening.slug}/{page}/")
    way.go(f"evenings/{date}/pairs/")
    for page in ("", "draw/", "edit/"):
        way.go(f"evenings/{drawn.slug}/{page}")
    member = club.members.latest("pk")
    for path in (
        "evenings/",
        "evenings/new/",
        "kinds/new/",
        "members/add/",
        f"members/{member.pk}/",
    ):
        way.go(path)
    way.go("planner/?weekday=1&weeks=1&starts_at=20:00&first=2026-09-01&last=2027-05-31")
    assert way.too_long == {}
