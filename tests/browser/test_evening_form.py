"""The form of an evening follows what is answered."""

import datetime as dt

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.browser


def test_the_season_and_the_folded_answers_follow(desktop: Page, live_server: LiveServer) -> None:
    club = ClubFactory.create()
    for year in (2025, 2026):
        starts, ends = dt.date(year, 9, 1), dt.date(year + 1, 5, 31)
        name = f"{year}-{year + 1}"
        season_create(club=club, name=name, starts=starts, ends=ends, actor=TESTS)
    log_in(desktop, club, live_server.url)
    desktop.goto("/clubs/vrolijke-boer/desk/evenings/new/")
    seasons = desktop.get_by_label("Seizoen", exact=False).first
    for date, season in [
        ("2026-03-14", "2025-2026"),
        ("2026-10-03", "2026-2027"),
        ("2026-07-04", "geen seizoen"),
    ]:
        desktop.get_by_label("Datum").fill(date)
        expect(seasons.locator("option:checked")).to_have_text(f"Bij de datum: {season}")

    part = desktop.locator(".fold", has_text="Gemiste rondes")
    said = part.locator("[data-answers]")
    before = said.inner_text()
    part.locator("summary").click()
    desktop.get_by_label("Of tot zoveel punten").fill("1001")
    expect(said).to_have_text(f"{before} · Of tot zoveel punten: 1001")
    method = desktop.locator(".fold", has_text="Wie speelt met wie")
    method.locator("summary").click()
    desktop.get_by_label("vaste paren").check()
    answers = "vaste paren · wie over is, speelt niet mee, om de beurt"
    expect(method.locator("[data-answers]")).to_have_text(answers)
