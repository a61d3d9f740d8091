"""What pages of an evening of seven tables weigh for a phone that has nothing of them yet, as
Chromium itself counts it, and what four hours cost in which nothing happens."""

import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from playwright.sync_api import Browser, sync_playwright

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
from tests.conftest import BROWSERS, CHROMIUM_OPTIONS
from tests.devices import PHONE
from tests.load.bench.bench import Bench, served
from tests.load.bench.table import Row


def rows(_bench: Bench) -> Iterator[Row]:
    """The demo club, whose evening is half played. Nothing where there is no Chromium."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return
    said = io.StringIO()
    call_command("demo", stdout=said)
    paths = [found for part in ("/t/", "/clubs/") for found in _addresses(said.getvalue(), part)]
    table, screen = paths[0], next(path for path in paths if path.endswith("/screen/"))
    evening = screen.removesuffix("screen/")
    with TemporaryDirectory() as folder:
        collect(Path(folder))
        os.environ["STATIC_ROOT"] = folder
        with (
            served(COLLECTED) as port,
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS) as browser,
        ):
            yield from _cold(browser, port, {"table": (table, 60), "evening": (evening, 25)})
            yield from _idle(browser, port, evening, screen)


def _addresses(said: str, part: str) -> list[str]:
    return re.findall(rf"http://[^/]+({part}\S+)", said)


def _cold(browser: Browser, port: int, pages: dict[str, tuple[str, int]]) -> Iterator[Row]:
    for name, (path, aim) in pages.items():
        with browser.new_context(locale="nl-NL", **PHONE) as context:
            page = context.new_page()
            scales = Scales(page)
            page.goto(f"http://localhost:{port}{path}")
            page.evaluate("document.fonts.ready.then(() => true)")
            page.wait_for_timeout(2_000)
        weight = sum(scales.bytes.values())
        yield Row(f"cold {name} page, typefaces and all", weight / 1000, "kB", 90, aim)
        yield Row(f"cold {name} page, typefaces", scales.typefaces / 1000, "kB")
        yield Row(f"cold {name} page, requests", len(scales.bytes), "requests", 12, 8)


def _idle(browser: Browser, port: int, evening: str, screen: str) -> Iterator[Row]:
    asked = {}
    for path in (evening, screen):
        with browser.new_context(locale="nl-NL", **PHONE) as context:
            page = context.new_page()
            page.clock.install()
            page.add_init_script(UNCHANGED)
            asked[path] = asked_in_four_hours(page, f"http://localhost:{port}{path}")
    phone = asked[evening] * unchanged(port, f"{evening}live/")
    hall = asked[screen] * unchanged(port, f"{screen}?live=1")
    turning = TURNS * len(answer(port, f"{screen}?live=1"))
    yield Row("four idle hours of a phone", phone / 1e6, "MB", 2, 1)
    yield Row("four idle hours of a hall screen", (hall + turning) / 1e6, "MB", 10, 5)
