"""What pages weigh as the browser itself counts it, served as they are in a hall: collected and
versioned. And what four hours cost in which nothing happens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.browser.scales import (
    COLLECTED,
    TURNS,
    UNCHANGED,
    Scales,
    answer,
    asked_in_four_hours,
    collect,
    unchanged,
)
from tests.devices import KEEPING_PHONE, PATIENCE, PHONE
from tests.factories import evening_with_draw, table, write_deal
from tests.load.hall import Server
from tests.tournaments.desk import EVENING
from tests.tournaments.public_pages import evening_path
from tests.tournaments.table_pages import link
from tournaments.models import Evening

pytestmark = [pytest.mark.browser, pytest.mark.full, pytest.mark.once]


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    """Seven tables of whom each has written a deal."""
    evening = evening_with_draw(players=28, method=Evening.Method.TYPED_IN)
    for member in Member.objects.all():  # no letters of other languages, which have their own file
        Member.objects.filter(pk=member.pk).update(
            name=member.name.encode("ascii", "ignore").decode()
        )
    for number in range(1, 8):
        write_deal(table(evening, number), 1)
    return evening


@pytest.fixture
def server(evening: Evening, tmp_path: Path) -> Iterator[Server]:
    more = {"STATIC_ROOT": str(tmp_path)}
    collect(tmp_path)
    made = Server(workers=1, settings=COLLECTED, more=more)
    made.start()
    yield made
    made.kill()


def opened(chromium: Browser, server: Server, path: str, options: dict[str, Any]) -> Scales:
    """A page that is opened for the first time, by a phone that has nothing of us yet."""
    address = f"http://localhost:{server.port}"
    with chromium.new_context(base_url=address, locale="nl-NL", **options) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        scales = Scales(page)
        page.goto(path)
        page.evaluate("document.fonts.ready.then(() => true)")
        if path.startswith("/t/"):
            screen = DealScreen(page)
            screen.declarer("NS")
            page.locator("#id_points_ew").fill("65")
            screen.write(2)
            screen.is_at(3)
        assert faults == []
    return scales


FOR_TEXT = {"clubs/fonts/atkinson.woff2"}
FOR_HEADINGS = {"clubs/fonts/fraunces-600.woff2"}


def test_pages_are_light_the_first_time(
    chromium: Browser, server: Server, evening: Evening
) -> None:
    path = evening_path(evening)
    page = opened(chromium, server, path, KEEPING_PHONE)
    assert page.bytes.keys() == FOR_TEXT | FOR_HEADINGS | {
        path.strip("/") + "/",
        "clubs/klaverclub.css",
        "tournaments/results/evening.js",
        "tournaments/results/public.css",
    }
    assert page.rest <= 15_600
    assert page.typefaces <= 13_500

    path = link(evening)
    at_table = opened(chromium, server, path, PHONE)
    written = {f"{path.strip('/')}/rounds/1/deals/2/", f"{path.strip('/')}/state/"}
    files = {
        path.strip("/") + "/",
        "clubs/klaverclub.css",
        "scoring/deals/deal-form.js",
        "tournaments/scoresheets/table.css",
        "tournaments/scoresheets/table.js",
    }
    assert at_table.bytes.keys() - written == FOR_TEXT | files
    assert sum(at_table.bytes[name] for name in FOR_TEXT | files) <= 58_800


def test_four_hours_in_which_nothing_happens_cost_little(
    chromium: Browser, server: Server, evening: Evening, live_server: LiveServer
) -> None:
    club = Club.objects.get()
    with chromium.new_context(base_url=live_server.url, locale="nl-NL", **PHONE) as context:
        page = context.new_page()
        log_in(page, club, live_server.url)
        page.clock.install()
        page.add_init_script(UNCHANGED)
        asked = {
            name: asked_in_four_hours(page, path)
            for name, path in (
                ("evening", evening_path(evening)),
                ("screen", evening_path(evening, "screen/")),
                ("board", f"{EVENING}board/"),
                ("table", link(evening)),
            )
        }
    most = {"evening": 3_500, "screen": 10_000, "board": 7_700, "table": 1_900}
    assert {name: asked[name] <= most[name] for name in most} == dict.fromkeys(most, True), asked
    live, screen = evening_path(evening, "live/"), evening_path(evening, "screen/?live=1")
    assert asked["evening"] * unchanged(server.port, live) <= 1_000_000
    turning = TURNS * len(answer(server.port, screen))
    assert asked["screen"] * unchanged(server.port, screen) + turning <= 5_000_000
