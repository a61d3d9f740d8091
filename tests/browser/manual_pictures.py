"""The pictures of the manual: of which page each is, and what the reader sees on it."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.deal_screen import DealScreen

CLUB: Final = "/clubs/vrolijke-boer/"
PLAYED: Final = "evenings/2026-11-21/"
DRAWN: Final = "evenings/2026-11-28/"
TICKED: Final = "evenings/2026-12-05/"

# The controls of a page in words. What somebody is called and how often something happened are left
# out: the picture stays true without them.
CONTROLS: Final = """() => {
    const asked = "h1, h2, legend, label, summary, button, a.button, th[scope=col]";
    const names = "[data-filter-row] *, .person, .seats *, .site-footer *";
    const words = [...document.querySelectorAll(`main :is(${asked})`)]
        .filter(element => element.checkVisibility() && !element.matches(names))
        .map(element => element.textContent.replace(/\\s+/g, " ").trim().replace(/\\d+/g, "0"));
    return [...new Set(words)].filter(Boolean);
}"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: the address (of a table, its number), how large, what is done first, and with
    which element it begins."""

    address: str | int
    height: int
    wide: bool = True
    act: Callable[[Page], None] | None = None
    begins: str = ""


def _half_a_deal(page: Page) -> None:
    screen = DealScreen(page)
    screen.declarer("NS")
    screen.points("62")
    expect(page.locator("[data-preview]")).to_contain_text("100")


def _press_a_name(page: Page) -> None:
    page.locator(".person").first.click()
    expect(page.locator(".cost").first).to_be_visible()


def _two_ties(page: Page) -> None:
    boxes = page.locator(".ties select")
    boxes.nth(0).select_option("pits")
    boxes.nth(1).select_option("best_round")


SHOTS: Final[Mapping[str, Shot]] = {
    "player/seat": Shot(f"{CLUB}{PLAYED}?show=names", 620, wide=False, begins="form label"),
    "table/pad": Shot(2, 800, wide=False, act=_half_a_deal),
    "table/full": Shot(1, 530, wide=False, begins="#table-middle"),
    "director/present": Shot(f"{CLUB}desk/{TICKED}present/", 440, begins="main .counter"),
    "director/swap": Shot(f"{CLUB}desk/{DRAWN}draw/", 420, act=_press_a_name, begins="#draw"),
    "director/board": Shot(f"{CLUB}desk/{PLAYED}board/", 500, begins="main .tabs"),
    "director/grid": Shot(
        f"{CLUB}desk/{PLAYED}rounds/1/tables/2/grid/", 460, begins="main .grid-frame"
    ),
    "director/screen": Shot(f"{CLUB}desk/{PLAYED}screen/", 560, begins="#hall-panel"),
    "organiser/members": Shot(f"{CLUB}desk/members/", 560, begins="main h1"),
    "organiser/ties": Shot(
        f"{CLUB}desk/seasons/2026-2027/standings/new/",
        height=390,
        act=_two_ties,
        begins="fieldset:has(.ties)",
    ),
    "computer/address": Shot(f"{CLUB}desk/address/", 680, begins="main .split"),
}
"""By chapter and name. Add one here, show it with `{% picture %}`, and write the pictures anew."""


def shown(page: Page) -> Sequence[str]:
    """What the page offers, in words."""
    controls: list[str] = page.evaluate(CONTROLS)
    return [re.sub(r"\s+", " ", words) for words in controls]


def taken(page: Page, shot: Shot) -> bytes:
    """The picture, small enough for a phone on a bad line."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.evaluate("scrollTo(0, 0)")
    top = 0.0
    if shot.begins:
        box = page.locator(shot.begins).first.bounding_box()
        assert box is not None
        top = max(0.0, box["y"] - 16)
    clip = {"x": 0.0, "y": top, "width": float(width), "height": float(shot.height)}
    png = page.screenshot(clip=clip, full_page=True, animations="disabled", caret="hide")  # type: ignore[arg-type]
    small = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(small, "WEBP", quality=55, method=6)
    return small.getvalue()
