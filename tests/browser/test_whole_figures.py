"""On no screen is a figure of a public page cut, or a page wider than the screen."""

import datetime as dt

import pytest
from playwright.sync_api import Page

from clubs.models import Club, Member
from tests.devices import box_of
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.tournaments.one_round import before, one_deal
from tournaments.models import Evening
from tournaments.ratings.services import ratings_make
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLUB = "/clubs/vrolijke-boer/"
SIZES = (360, 780), (390, 844), (768, 1024), (1280, 800)
PEOPLE = "Jan Bakker", "Elisabeth van der Meerendonk-Schouten", "Bo Wang", "Corrie van den Berg"
CUT = """() => {
  const cut = [];
  for (const cell of document.querySelectorAll("main :is(th, td, dt, dd, h1, .brand span)")) {
    if (!cell.checkVisibility() || cell.closest(".visually-hidden")) continue;
    const region = cell.closest(".table-region")?.getBoundingClientRect();
    const right = Math.min(innerWidth, region?.right ?? innerWidth) + 1;
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const node = words.currentNode;
      if (node.parentElement.closest(".visually-hidden")) continue;
      const isName = Boolean(cell.closest("tbody th"));
      for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+-?/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = range.getClientRects();
        const isBroken = new Set([...lines].map(({ top }) => Math.round(top))).size > 1;
        const isOutside = [...lines].some((line) => line.right > right || line.left < -1);
        if (isOutside) cut.push(`outside: ${word}`);
        else if (isBroken && !isName) cut.push(`broken: ${word}`);
      }
    }
    if (cell.scrollWidth > cell.clientWidth + 1) cut.push(`wide: ${cell.textContent.trim()}`);
  }
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [...cut, `page of ${scrollWidth}`] : cut;
}"""


@pytest.fixture
def club(live_server: object) -> Club:
    """A season of twelve evenings with large figures, all seen in the standing, some dropped."""
    club = ClubFactory.create()
    for number, name in enumerate(PEOPLE, start=1):
        MemberFactory.create(club=club, name=name, number=number)
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    rule = {"best_per_period": 9, "absence": {"with_notice": 4000}}
    season_rule_add(season=season, name="Klassement", settings=rule, actor=TESTS)
    days = [dt.date(2026, 9, 1) + dt.timedelta(weeks=week) for week in range(6)]
    before(season, *(f"{day},{name},{14_321 - 7 * day.day}," for day in days for name in PEOPLE))
    for week in range(6):
        one_deal(season, week, "1234", ns=90 + week)
    ratings_make(club_id=club.pk)
    return club


@pytest.mark.usefixtures("club")
def test_no_figure_is_cut_and_no_page_is_wider_than_the_screen(phone: Page) -> None:
    faults = {}
    for path in _paths():
        phone.goto(path)
        for width, height in SIZES:
            phone.set_viewport_size({"width": width, "height": height})
            if cut := phone.evaluate(CUT):
                faults[f"{width} {path}"] = cut
    assert faults == {}


@pytest.mark.full
@pytest.mark.usefixtures("club")
def test_with_text_twice_as_large_no_page_is_wider_than_a_phone(phone: Page) -> None:
    widths = {}
    for path in [CLUB, f"{CLUB}calendar/", f"{CLUB}follow/", *_paths()]:
        phone.goto(path)
        phone.set_viewport_size({"width": 360, "height": 780})
        phone.evaluate("document.documentElement.style.fontSize = '225%'")
        widths[path] = phone.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in widths.items() if width > 360} == {}


@pytest.mark.full
@pytest.mark.usefixtures("club")
def test_the_newest_evening_is_seen_at_every_width_and_all_of_them_in_the_whole_table(
    phone: Page,
) -> None:
    phone.goto(f"{CLUB}seasons/2026-2027/")
    evenings = phone.locator(".season-table thead th:not(.f):visible")
    date = box_of(phone.locator(".season-table thead").get_by_role("link", name="26 dec"))
    assert (date["width"] >= 44, date["height"] >= 44) == (True, True)
    seen = {}
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        seen[width] = evenings.all_inner_texts()[2:]
    assert seen == {
        360: ["26 dec"],
        390: ["26 dec"],
        768: ["26 dec"],
        1280: ["21 nov", "28 nov", "5 dec", "12 dec", "19 dec", "26 dec"],
    }
    phone.get_by_role("link", name="De hele tabel, met alle 12 avonden").click()
    assert len(evenings.all_inner_texts()[2:]) == 12


def _paths() -> list[str]:
    evening = Evening.objects.order_by("date").last()
    assert evening is not None
    person = Member.objects.get(number=2)
    return [
        f"{CLUB}seasons/2026-2027/",
        f"{CLUB}players/{person.pk}/",
        f"{CLUB}ratings/",
        f"{CLUB}rules/",
        f"{CLUB}evenings/{evening.slug}/",
        f"{CLUB}players/",
        f"{CLUB}records/",
    ]
