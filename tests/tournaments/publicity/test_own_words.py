"""A club's own words for pit and sitting out, on every page and every sheet of paper."""

import datetime as dt
import re
import uuid
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Member
from scoring.models import Regulation
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.made_once import club_made_once
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of, text
from tests.tournaments.public_pages import close_evening, words
from tests.tournaments.regulation_pages import regulation_url, shown
from tests.tournaments.table_pages import link
from tournaments.hall.screen import SECONDS
from tournaments.models import Evening
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.django_db, pytest.mark.once]

USUAL = re.compile(r"(?i)\b(tegen)?pits?\b|stilzit|zit(ten)? (u )?stil")
DESK = "/clubs/vrolijke-boer/desk/"
PUBLIC = "/clubs/vrolijke-boer/"
SAYING_PIT = [
    f"{EVENING}rounds/1/tables/1/",
    f"{EVENING}rounds/1/tables/1/?deal=1",
    f"{EVENING}rounds/1/tables/1/totals/",
    f"{PUBLIC}evenings/2026-11-21/",
    f"{PUBLIC}evenings/2026-11-21/rounds/1/tables/1/",
    f"{PUBLIC}evenings/2026-11-21/screen/",
    f"{PUBLIC}seasons/2026-2027/",
    f"{PUBLIC}rules/",
]
SAYING_SIT_OUT = [
    f"{EVENING}present/",
    f"{EVENING}draw/",
    f"{EVENING}board/",
    f"{EVENING}edit/",
    f"{PUBLIC}evenings/2026-11-21/?show=tables",
    f"{PUBLIC}evenings/2026-11-21/?show=names",
]


@pytest.fixture
def club() -> Club:
    """It says kapot and reserve; last week is closed, tonight the first deal was one."""
    return club_made_once(_club, "with words of its own")


def _club() -> Club:
    club: Club = ClubFactory.create()
    Club.objects.update(pit_word="kapot", sit_out_word="reserve")
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    plan: dict[str, Any] = {"club": club, "players": 9, "season": season, "deals_per_round": 2}
    close_evening(evening_with_draw(**plan, date=dt.date(2026, 11, 14)))
    evening = evening_with_draw(**plan)
    write_deal(table(evening), 1, points={}, pit="NS")
    return Club.objects.get()


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def read_whole(desk: Client, page: str) -> str:
    """What a page says; of the hall's screen all pictures that take turns."""
    now, turns = timezone.now(), 8 if page.endswith("/screen/") else 1
    said = []
    for turn in range(turns):
        with time_machine.travel(now + dt.timedelta(seconds=turn * SECONDS), tick=False):
            said.append(words(desk.get(page)))
    return " ".join(said)


@pytest.mark.full
@pytest.mark.parametrize("page", SAYING_PIT)
def test_pit(desk: Client, page: str) -> None:
    read = read_whole(desk, page)
    assert USUAL.findall(read) == []
    assert re.search(r"(?i)\bkapot\b", read)


@pytest.mark.full
@pytest.mark.parametrize("page", SAYING_SIT_OUT)
def test_sitting_out(desk: Client, page: str) -> None:
    read = words(desk.get(page))
    assert USUAL.findall(read) == []
    assert re.search(r"(?i)\breserve\b", read)


@pytest.mark.full
def test_at_the_table(desk: Client) -> None:
    read = words(desk.get(link(Evening.objects.get(date=dt.date(2026, 11, 21)))))
    assert USUAL.findall(read) == []
    assert "kapot wij" in read


@pytest.mark.full
def test_on_the_page_of_a_player(desk: Client) -> None:
    read = words(desk.get(f"{PUBLIC}players/{Member.objects.earliest('pk').pk}/"))
    assert USUAL.findall(read) == []
    assert "Kapot" in read


@pytest.mark.full
def test_in_what_is_refused(desk: Client) -> None:
    sheet = f"{EVENING}rounds/1/tables/1/"
    chosen = {"declarer": "NS", "trump": "H", "points_ns": "90", "pit": "NS"}
    chosen |= {"seen_version": "0", "uuid": str(uuid.uuid4())}
    read = words(desk.post(f"{sheet}preview/?deal=2", chosen))
    assert USUAL.findall(read) == []
    assert re.search(r"(?i)\bkapot\b", read)


@pytest.mark.full
def test_in_the_examples_of_a_regulation(desk: Client, club: Club) -> None:
    regulation = Regulation.objects.get(club=club)
    read = words(desk.get(regulation_url(regulation)))
    assert USUAL.findall(read) == []
    assert "Kapot: wij 162 + 100 kapot = 262, zij 0" in read
    effects = desk.post(regulation_url(regulation, "regulation_effects"), shown(regulation))
    assert "tegenkapot: 100 punten" in text(effects)


@pytest.mark.full
@pytest.mark.parametrize(
    ("paper", "word"),
    [("sheets/1", "kapot"), ("standings", "kapot"), ("draw", "reserve")],
)
def test_on_paper(desk: Client, paper: str, word: str) -> None:
    response = desk.get(f"{EVENING}print/{paper}.pdf")
    read = " ".join(page_texts(response.content))
    assert USUAL.findall(read) == []
    assert re.search(rf"(?i)\b{word}\b", read)
