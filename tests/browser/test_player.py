"""A player's page and the list of playing strengths, as they are seen and printed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Club, Member
from tests.devices import box_of
from tests.factories import TESTS, ClubFactory
from tests.tournaments.one_round import before, one_deal
from tournaments.ratings.services import ratings_make
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTH_OF_BOX, LETTERS = 360, 15


@pytest.fixture
def club(live_server: object) -> Club:
    """Six evenings, the best four of which count; Jan Bakker was absent from one before."""
    club = ClubFactory.create()
    season = season_create(club=club, name="2026", actor=TESTS)
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 4}, actor=TESTS)
    for week, ns in enumerate((90, 100, 85, 120, 95, 110)):
        one_deal(season, week, "1234", ns=ns)
    before(season, "2026-01-05,Jan Bakker,,notice", "2026-01-05,Mia van der Meer,80,")
    ratings_make(club_id=club.pk)
    return club


def player_path() -> str:
    return f"/clubs/vrolijke-boer/players/{Member.objects.get(number=1).pk}/"


@pytest.mark.full
def test_charts_are_whole_and_read_on_a_phone_and_on_paper(
    phone: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    for path in ("/clubs/vrolijke-boer/ratings/", player_path()):
        phone.goto(path)
        for folded in phone.locator("details").all():
            folded.locator("summary").click()
        axe(phone)
    phone.reload()
    charts = phone.get_by_role("img", name=re.compile("Punten per avond|Speelsterkte"))
    expect(charts).to_have_count(2)
    for chart in charts.all():
        box = box_of(chart)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= phone.evaluate("innerWidth")
        assert LETTERS * box["width"] / WIDTH_OF_BOX >= 13.5
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    no_words_cover_each_other(phone)

    phone.emulate_media(media="print")
    fill = "node => getComputedStyle(node).fill"
    hollow, full = (
        phone.locator(f".chart > svg .chart-{kind} circle").first.evaluate(fill)
        for kind in ("hollow", "full")
    )
    assert (hollow, full) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    expect(phone.locator(".chart > svg .chart-absent")).to_have_count(1)


def no_words_cover_each_other(phone: Page) -> None:
    """Nor lies any of a chart outside it."""
    for chart in phone.locator(".chart").all():
        around = box_of(chart.get_by_role("img"))
        boxes = [box_of(words) for words in chart.locator("text").all()]
        for at, one in enumerate(boxes):
            assert one is not None
            assert around["x"] <= one["x"]
            assert one["x"] + one["width"] <= around["x"] + around["width"]
            for other in boxes[at + 1 :]:
                assert other is not None
                beside = (
                    one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
                )
                under = (
                    one["y"] + one["height"] <= other["y"] + 4
                    or other["y"] + other["height"] <= one["y"] + 4
                )
                assert beside or under
