"""The main pages keep nobody out, in light and in dark: axe finds nothing on any of them."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from scoring.models import Scoresheet
from scoring.services import sheet_answer
from tests.browser.hands import sign_in
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.public_pages import close_evening
from tests.tournaments.table_pages import link
from tournaments.models import CoupleRule, Evening
from tournaments.services import presence_replace
from tournaments.services.couple_rules import couple_rule_add
from tournaments.services.pairs import pair_make
from tournaments.services.seasons import season_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLUB = "/clubs/vrolijke-boer/"
LIVE = "evenings/2026-11-21/"
CLOSED = "evenings/2026-11-14/"
PLANNED = "evenings/2026-11-28/"
PUBLIC = [
    "/",
    "/login/",
    CLUB,
    f"{CLUB}{LIVE}",
    f"{CLUB}{LIVE}?show=names",
    f"{CLUB}{LIVE}?show=tables",
    f"{CLUB}{LIVE}rounds/1/tables/1/",
    f"{CLUB}{LIVE}screen/",
    f"{CLUB}{CLOSED}",
    f"{CLUB}seasons/2026-2027/",
    f"{CLUB}seasons/2026-2027/met/",
    f"{CLUB}rules/",
]
DESK = [
    f"{CLUB}desk/{path}"
    for path in (
        "",
        "evenings/",
        "evenings/new/",
        f"{LIVE}present/",
        f"{LIVE}draw/",
        f"{LIVE}board/",
        f"{LIVE}rounds/1/tables/1/",
        f"{LIVE}rounds/1/tables/2/?deal=1",
        f"{LIVE}rounds/1/tables/2/totals/",
        f"{LIVE}rounds/1/tables/2/grid/",
        f"{LIVE}rounds/1/tables/2/substitute/",
        f"{LIVE}rounds/1/close/",
        f"{LIVE}links/",
        f"{LIVE}close/",
        f"{CLOSED}close/",
        "couples/",
        f"{PLANNED}pairs/",
        f"{PLANNED}sit-out/",
        "members/",
        "seasons/2026-2027/",
        "settings/",
        "regulations/",
        "regulations/new/",
        "rules/",
        "trail/",
    )
]

Check = Callable[[Page], None]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """One evening is closed; in the next one table is full and not agreed, one is half way; in
    the last, in fixed pairs, four people are here and two of them are a pair."""
    club = ClubFactory.create()
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    plan: dict[str, Any] = {"players": 9, "club": club, "season": season, "deals_per_round": 2}
    close_evening(evening_with_draw(**plan, date=dt.date(2026, 11, 14)))
    evening = evening_with_draw(**plan)
    for number, deal in ((1, 1), (1, 2), (2, 1)):
        write_deal(table(evening, number), deal)
    sheet = Scoresheet.objects.get(pk=table(evening).sheet_id)
    sheet_answer(
        sheet_id=sheet.pk,
        side="EW",
        seen_version=sheet.version,
        agrees=False,
        actor=TESTS,
        note="Spel 2 klopt niet.",
    )
    pairs_planned(club)
    return club


def pairs_planned(club: Club) -> None:
    evening = EveningFactory.create(club=club, date=dt.date(2026, 11, 28), method="pairs")
    one, two, three, four = Member.objects.of(club)[:4]
    presence_replace(evening_id=evening.pk, members=[one, two, three, four], actor=TESTS)
    pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    kind = CoupleRule.Kind.APART
    couple_rule_add(club=club, one=one, two=three, kind=kind, actor=TESTS)


def test_everybody_can_read_the_main_pages(phone: Page, axe: Check, club: Club) -> None:
    player = f"{CLUB}players/{Member.objects.earliest('pk').pk}/"
    evening = Evening.objects.get(date=dt.date(2026, 11, 21))
    tables = [link(evening, 1), link(evening, 2)]
    look(phone, axe, [*PUBLIC, player, f"{player}met/", *tables])
    look(phone, axe, ["/nergens/", "/t/onbekend/"], status=404)


def test_everybody_can_work_at_the_desk(desktop: Page, axe: Check, club: Club) -> None:
    sign_in(desktop, club)
    look(desktop, axe, DESK)


def look(page: Page, axe: Check, paths: list[str], *, status: int = 200) -> None:
    """Open every page; the faults of all of them together are the failure."""
    faults = {}
    for path in paths:
        response = page.goto(path)
        assert response is not None
        assert (path, response.status) == (path, status)
        try:
            axe(page)
        except AssertionError as error:
            faults[path] = str(error)
    assert faults == {}
