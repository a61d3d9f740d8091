"""A whole evening on paper: ten tables and three rounds, from photographs of thirty sheets to the
published standing, gone through by keyboard. `pytest -s` shows how many keys and seconds it took.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db.models import QuerySet
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.rules import SIDES, RuleSet, announced_line
from tests.browser.test_photos import log_in
from tests.factories import ClubFactory, evening_with_draw, table
from tests.scoring.reading.photographs import Camera, Filled, filled, photograph
from tests.tournaments.sheet_photos import printed
from tests.waiting import wait_until
from tournaments.models import Evening, SheetPhoto

pytestmark = [
    pytest.mark.browser,
    pytest.mark.full,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

TABLES, ROUNDS, DEALS = 10, 3, 16
CROSSED = (2, 6, 9)
"""The tables at which digits are crossed out, in each round."""
KEYS_OF_THE_GRID = 58
"""What typing a sheet in the grid takes."""
READ_IN = 600_000
STEADY = Camera(tilt=15, megapixels=(4, 6))


@pytest.fixture
def evening(live_server: LiveServer) -> Iterator[Evening]:
    club = ClubFactory.create(slug="klaver-zes")
    yield evening_with_draw(club=club, players=4 * TABLES, rounds=ROUNDS, deals_per_round=DEALS)
    wait_until(lambda: not SheetPhoto.objects.filter(state="waiting").exists())


@dataclass
class Desk:
    """Who goes through what was read, with a keyboard only; every key is counted."""

    page: Page
    keys: int = 0
    looked_at: int = 0
    sheets: int = 0
    seconds: float = 0
    typed: list[str] = field(default_factory=list)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def go_through(self, sheet: Filled) -> None:
        """Decide one sheet, and write it."""
        begun = time.monotonic()
        page = self.page
        about = json.loads(page.locator("#photo-about").text_content() or "{}")
        look = page.locator("[data-line][data-kind=look]")
        numbers = [str(line.get_attribute("data-line")) for line in look.all()]
        for number in numbers:
            line = page.locator(f"[data-line='{number}']")
            expect(line).to_be_focused()
            self._decide(line, about[number], boxes_of(sheet.lines[int(number) - 1]))
        if page.locator("[data-kind=sure]").count():
            self.press("a")
        expect(page.locator("[data-write]")).to_be_focused()
        self.press("Enter")
        self.looked_at += len(numbers)
        self.sheets += 1
        self.seconds += time.monotonic() - begun

    def _decide(self, line: Locator, choices: list[dict[str, str]], meant: dict[str, str]) -> None:
        """Take the reading that the paper has, or type what differs from it."""
        number = line.get_attribute("data-line")
        shown = {name: line.locator(f"[name=deal{number}-{name}]").input_value() for name in meant}
        if shown != meant and meant in choices:
            self.press(str(choices.index(meant) + 1))
        elif shown != meant:
            self.typed.append(f"{shown} {meant}")
            for name in [name for name in meant if shown[name] != meant[name]]:
                self._type(line.locator(f"[name=deal{number}-{name}]"), meant[name])
        self.press("Enter")

    def _type(self, box: Locator, text: str) -> None:
        if box.evaluate("box => box.tagName") == "SELECT":
            box.select_option(text)
        else:
            box.fill(text)
        box.focus()
        # Into the box, and what is typed there.
        self.keys += 1 + max(1, len(text))


def boxes_of(line: Mapping[str, Any]) -> dict[str, str]:
    """What the boxes of the form must have for this line; of a nat written as what it comes to
    they may have no points."""
    points = announced_line(line, RuleSet())[0].get("points", {})
    pit = f"pit:{line['pit']}" if line.get("pit") else ""
    figures = {
        f"{what}_{side.lower()}": str(value)
        for side in SIDES
        for what, value in (
            ("points", points.get(side, "")),
            ("roem", sum(line["roem"][side]) or ""),
        )
    }
    mark = pit or ("nat" if line.get("nat") else "")
    return {"declarer": line["declarer"], "trump": line["trump"], **figures, "mark": mark}


def photographed(evening: Evening, number: int, folder: Path) -> tuple[list[Filled], list[Path]]:
    """The sheets of a round filled in, and photographs of them."""
    sheets, files = [], []
    for place, page in enumerate(printed(evening, number), start=1):
        random = Random(100 * number + place)
        crossings = 0.1 if place in CROSSED else 0.0
        sheets.append(filled(random, RuleSet(), page=page, crossings=crossings))
        files.append(folder / f"{number}-{place}.jpg")
        files[-1].write_bytes(photograph(sheets[-1].page, random, STEADY))
    return sheets, files


def test_an_evening_on_paper(
    desktop: Page, evening: Evening, live_server: LiveServer, tmp_path: Path
) -> None:
    desk, club = Desk(desktop), evening.club
    log_in(desktop, club, live_server.url)
    totals: Counter[int] = Counter()
    pages = f"/clubs/{club.slug}/desk/evenings/{evening.slug}/"
    photos = f"{pages}sheet-photos/"
    for number in range(1, ROUNDS + 1):
        round_ = evening.rounds.get(number=number)
        sheets, files = photographed(evening, number, tmp_path)
        desktop.goto(photos)
        desktop.get_by_label("Foto’s van tellijsten").set_input_files(files)
        desktop.get_by_role("button", name="Foto’s versturen").click()
        desk.keys += 2
        following = desktop.get_by_role("link", name="Gelezen lijsten nakijken")
        of_round = SheetPhoto.objects.filter(sheet__table__round=round_)
        wait_until(partial(_is_all, of_round), seconds=READ_IN / 1000)
        expect(following).to_be_visible(timeout=READ_IN)
        desktop.goto(photos)
        following.focus()
        desk.press("Enter")
        for place, sheet in enumerate(sheets, start=1):
            title = f"Tafel {place}, ronde {number}: van de foto"
            expect(desktop.get_by_role("heading", level=1)).to_have_text(title)
            desk.go_through(sheet)
            told = desktop.get_by_text(f"Tafel {place}, ronde {number} is opgeschreven.")
            expect(told).to_be_visible()
            written = table(evening, place, number).sheet
            assert (written.score_ns, written.score_ew) == tuple(sheet.totals[s] for s in SIDES)
        desktop.goto(f"{pages}board/")
        desktop.get_by_role("link", name=f"Ronde {number} afsluiten: alles is binnen").click()
        desktop.get_by_role("button", name=f"Ronde {number} afsluiten").click()
        if number < ROUNDS:
            desktop.get_by_role("link", name=f"Ronde {number + 1} starten").click()
            desktop.get_by_role("button", name=f"Ronde {number + 1} starten").click()
        for place, sheet in enumerate(sheets, start=1):
            for seat in table(evening, place, number).sheet.seats.all():
                totals[seat.member_id or 0] += sheet.totals["NS" if seat.seat in "NS" else "EW"]
    desktop.goto(f"{pages}close/")
    desktop.get_by_role("button", name="Avond afsluiten en uitslag publiceren").click()
    expect(desktop.get_by_role("heading", level=1)).to_have_text("De uitslag")
    assert evening.releases.count() == 1

    desktop.goto(f"/clubs/{club.slug}/evenings/{evening.slug}/")
    points = sorted(totals.values(), reverse=True)
    expect(desktop.locator("tbody tr").first).to_be_visible()
    texts = desktop.locator("tbody tr").all_inner_texts()
    rows = [text.replace(".", "").split() for text in texts]
    assert [row for row, total in zip(rows, points, strict=True) if str(total) not in row] == []
    deals = TABLES * ROUNDS * DEALS
    sys.stdout.write(
        f"\n{desk.sheets} sheets, {deals} deals: {desk.looked_at} lines to look at"
        f" ({desk.looked_at / deals:.1%}), {len(desk.typed)} of them typed;"
        f" {desk.keys} keys, {desk.keys / desk.sheets:.1f} a sheet"
        f" (the grid: {KEYS_OF_THE_GRID}); {desk.seconds:.0f} seconds of deciding\n"
    )
    assert desk.looked_at >= TABLES
    assert desk.keys / desk.sheets < KEYS_OF_THE_GRID / 4


def _is_all(photos: QuerySet[SheetPhoto]) -> bool:
    return photos.count() == TABLES
