"""What pages weigh as the browser itself counts it, served as they are in a hall: collected and
versioned. And what four hours cost in which nothing happens."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.devices import KEEPING_PHONE, PATIENCE, PHONE
from tests.factories import evening_with_draw, table, write_deal
from tests.load.hall import ROOT, Server
from tests.tournaments.desk import EVENING
from tests.tournaments.public_pages import evening_path
from tests.tournaments.table_pages import link
from tournaments.models import Evening

pytestmark = [pytest.mark.browser, pytest.mark.full, pytest.mark.once]

HASH = re.compile(r"\.[0-9a-f]{12}(?=\.\w+$)")
COLLECTED = "tests.load.settings_collected"
OF_OTHERS = "rest_framework", "drf_spectacular_sidecar"
MINUTE = 60_000
FOUR_HOURS = 4 * 60 * MINUTE
TURNS = FOUR_HOURS // 10_000
"""So many pictures the screen of the hall shows in that time."""
UNCHANGED = """window.asked = 0;
window.fetch = async () => {
  window.asked += 1;
  return new Response(null, { status: 304 });
};"""


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
    ignored = [part for name in OF_OTHERS for part in ("--ignore", name)]
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", *ignored],
        cwd=ROOT,
        env={**os.environ, "SECRET_KEY": "x", "DJANGO_SETTINGS_MODULE": COLLECTED, **more},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    made = Server(workers=1, settings=COLLECTED, more=more)
    made.start()
    yield made
    made.kill()


class Scales:
    """What a page fetched, by the names of its files, and how many bytes came for each."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, float] = {}
        self._names: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.loadingFinished", self._on_end)

    def _on_request(self, event: dict[str, Any]) -> None:
        path = event["request"]["url"].split("?")[0].split("/", 3)[3]
        self._names[event["requestId"]] = HASH.sub("", path.removeprefix("static/"))

    def _on_end(self, event: dict[str, Any]) -> None:
        self.bytes[self._names[event["requestId"]]] = event["encodedDataLength"]

    @property
    def typefaces(self) -> float:
        return sum(size for name, size in self.bytes.items() if name.endswith(".woff2"))

    @property
    def rest(self) -> float:
        return sum(self.bytes.values()) - self.typefaces


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


TYPEFACES = {
    f"clubs/fonts/{name}.woff2" for name in ("atkinson-400", "atkinson-700", "fraunces-600")
}


def test_pages_are_light_the_first_time(
    chromium: Browser, server: Server, evening: Evening
) -> None:
    path = evening_path(evening)
    page = opened(chromium, server, path, KEEPING_PHONE)
    assert page.bytes.keys() == TYPEFACES | {
        path.strip("/") + "/",
        "clubs/klaverclub.css",
        "clubs/klaverclub.js",
        "clubs/live.js",
        "tournaments/results/me.js",
        "tournaments/results/public.css",
    }
    assert page.rest <= 20_000
    assert page.typefaces <= 30_000

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
    assert at_table.bytes.keys() - written == TYPEFACES | files
    assert sum(at_table.bytes[name] for name in files) <= 55_000
    assert at_table.typefaces <= 30_000


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
    assert asked["evening"] * unchanged(server, live) <= 1_000_000
    turning = TURNS * len(answer(server, screen))
    assert asked["screen"] * unchanged(server, screen) + turning <= 5_000_000


def asked_in_four_hours(page: Page, path: str) -> int:
    """After ten minutes a page asks as often as ever after."""
    page.goto(path)
    asked: list[int] = []
    for minutes in (11, 10):
        page.clock.run_for(minutes * MINUTE)
        asked.append(page.evaluate("window.asked"))
    return asked[0] + round((asked[1] - asked[0]) * (FOUR_HOURS / MINUTE - 11) / 10)


def unchanged(server: Server, path: str) -> int:
    """How many bytes an answer has that says so."""
    tag = re.search(rb"ETag: (.*)\r\n", answer(server, path))
    assert tag
    again = answer(server, path, f"If-None-Match: {tag[1].decode()}\r\n")
    assert again.startswith(b"HTTP/1.1 304 ")
    return len(again)


def answer(server: Server, path: str, more: str = "") -> bytes:
    """All that comes back over the wire."""
    ask = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{more}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(ask.encode())
        connection.settimeout(1)
        got = b""
        try:
            while piece := connection.recv(65_536):
                got += piece
        except TimeoutError:
            pass
    return got
