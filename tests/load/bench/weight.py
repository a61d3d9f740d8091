"""What pages of an evening of seven tables weigh for a phone that has nothing of them yet, as
Chromium itself counts it, and what four hours cost in which nothing happens."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright

from clubs.models import Member
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
from tournaments.demo.club import demo_make
from tournaments.models import Evening
from tournaments.table_links.services import token_secret


def rows(_bench: Bench) -> Iterator[Row]:
    """The demo club, whose evening is half played, without letters that have a file of their own.
    Nothing where there is no Chromium."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return
    club = demo_make(today=timezone.localdate())
    for member in club.members.all():
        name = member.name.encode("ascii", "ignore").decode()
        Member.objects.filter(pk=member.pk).update(name=name)
    running = club.evenings.get(state=Evening.State.RUNNING)
    token = running.tokens.filter(revoked_at=None).latest("table_number")
    table = reverse("table_page", args=[token_secret(token)])
    evening = f"/clubs/{club.slug}/evenings/{running.slug}/"
    screen = f"{evening}screen/"
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
