"""The pictures in the manual show the pages as they are.

`MANUAL_PICTURES=write` takes them anew, in both languages, and writes down beside them what each
offers; without it this compares.
"""

import datetime as dt
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from scoring.disputes.submissions import sheet_answer
from scoring.models import Scoresheet
from tests.browser.login import log_in
from tests.browser.manual_pictures import SHOTS, Shot, shown, taken
from tests.devices import DESKTOP, PHONE, Devices
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.public_pages import close_evening
from tests.tournaments.table_pages import link
from tournaments import manual
from tournaments.draw.services import draw_make
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace
from tournaments.seasons.services import season_create
from tournaments.templatetags.tournaments import PICTURES, pictures

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

Screens = dict[bool, Page]
Recorded = dict[str, dict[str, dict[str, Any]]]

WRITES: Final = os.environ.get("MANUAL_PICTURES") == "write"
SIZES: Final = {
    True: {**DESKTOP, "viewport": {"width": 1000, "height": 800}, "device_scale_factor": 1.5},
    False: {**PHONE, "device_scale_factor": 2},
}
FOLDER: Final = Path(manual.__file__).parents[1] / "static/tournaments/manual"
PLAYERS: Final = 12
WRITTEN: Final = {1: 16, 2: 9, 3: 12}


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """An evening is being played, of another the draw is a draft, of a third people are ticked."""
    club = ClubFactory.create()
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    plan: dict[str, Any] = {"players": PLAYERS, "club": club, "season": season}
    close_evening(evening_with_draw(**plan, date=dt.date(2026, 11, 14)))
    _play(evening_with_draw(**plan))
    for _number in range(10):
        MemberFactory.create(club=club)
    drawn = EveningFactory.create(club=club, date=dt.date(2026, 11, 28), method="balanced")
    ticked = EveningFactory.create(club=club, date=dt.date(2026, 12, 5))
    people = list(Member.objects.of(club))
    presence_replace(evening_id=drawn.pk, members=people, actor=TESTS)
    draw_make(evening_id=drawn.pk, actor=TESTS)
    presence_replace(evening_id=ticked.pk, members=people[:18], actor=TESTS)
    return club


def _play(evening: Evening) -> None:
    for number, deals in WRITTEN.items():
        for deal in range(1, deals + 1):
            write_deal(table(evening, number), deal, points={"NS": 70 + 23 * (deal + number) % 64})
    sheet = Scoresheet.objects.get(pk=table(evening).sheet_id)
    sheet_answer(
        sheet_id=sheet.pk,
        side="EW",
        seen_version=sheet.version,
        agrees=True,
        actor=TESTS,
        note="",
    )


@pytest.fixture
def screens(devices: Devices, club: Club, live_server: LiveServer) -> Iterator[Screens]:
    """A wide and a narrow browser; the wide one is logged in."""
    for wide, narrow in zip(devices.opener(SIZES[True]), devices.opener(SIZES[False]), strict=True):
        pages = {True: wide(), False: narrow()}
        log_in(pages[True], club, live_server.url)
        yield pages


@pytest.fixture
def recorded() -> Recorded:
    """What was written down; where pictures are made for the first time, places for them."""
    if WRITES:
        for pictures_of in pictures().values():
            for key, shot in SHOTS.items():
                pictures_of.setdefault(key, _record(shot, []))
    return pictures()


def _record(shot: Shot, controls: list[str]) -> dict[str, Any]:
    width = SIZES[shot.wide]["viewport"]["width"]
    return {"width": width, "height": shot.height, "controls": controls}


@pytest.mark.parametrize("language", ["nl", pytest.param("en", marks=pytest.mark.full)])
def test_the_pictures_show_the_pages_as_they_are(
    language: str, club: Club, live_server: LiveServer, screens: Screens, recorded: Recorded
) -> None:
    for page in screens.values():
        page.context.add_cookies(
            [{"name": "django_language", "value": language, "url": live_server.url}]
        )
    seen = {}
    for key, shot in SHOTS.items():
        page = screens[shot.wide]
        _open(page, shot, club)
        seen[key] = _record(shot, list(shown(page)))
        if WRITES:
            _write(key, language, taken(page, shot))
    if WRITES:
        recorded[language] = seen
        PICTURES.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n")
    assert seen == recorded[language], "Look at these pages, and take the pictures anew."


def _open(page: Page, shot: Shot, club: Club) -> None:
    if isinstance(shot.address, int):
        address = link(club.evenings.get(date="2026-11-21"), shot.address)
    else:
        address = shot.address
    page.goto(address)
    if shot.act:
        shot.act(page)


def _write(key: str, language: str, picture: bytes) -> None:
    path = FOLDER / f"{key}.{language}.webp"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)
