"""How heavy a page is, as the browser itself counts it, served as in a hall."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.load.hall import ROOT

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


def collect(folder: Path) -> None:
    """Put our static files there as a server has them."""
    ignored = [part for name in OF_OTHERS for part in ("--ignore", name)]
    more = {"DJANGO_SETTINGS_MODULE": COLLECTED, "STATIC_ROOT": str(folder)}
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", *ignored],
        cwd=ROOT,
        env={**os.environ, "SECRET_KEY": "x", **more},
        stdout=subprocess.DEVNULL,
        check=True,
    )


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


def asked_in_four_hours(page: Page, path: str) -> int:
    """After ten minutes a page asks as often as ever after."""
    page.goto(path)
    asked: list[int] = []
    for minutes in (11, 10):
        page.clock.run_for(minutes * MINUTE)
        asked.append(page.evaluate("window.asked"))
    return asked[0] + round((asked[1] - asked[0]) * (FOUR_HOURS / MINUTE - 11) / 10)


def unchanged(port: int, path: str) -> int:
    """How many bytes an answer has that says so."""
    tag = re.search(rb"ETag: (.*)\r\n", answer(port, path))
    assert tag
    again = answer(port, path, f"If-None-Match: {tag[1].decode()}\r\n")
    assert again.startswith(b"HTTP/1.1 304 ")
    return len(again)


def answer(port: int, path: str, more: str = "") -> bytes:
    """All that comes back over the wire."""
    ask = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{more}\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(ask.encode())
        connection.settimeout(1)
        got = b""
        try:
            while piece := connection.recv(65_536):
                got += piece
        except TimeoutError:
            pass
    return got
