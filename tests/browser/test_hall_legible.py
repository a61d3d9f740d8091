"""What is read on the screen in the hall is read at ten metres.

Computed for a picture two metres wide: the small letters without a tail ("x") and the capitals
("H") of every text, as the browser draws them, in minutes of arc. `--log-cli-level=INFO` shows
the figures.
"""

import logging
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from clubs.models import Club, Member
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.tournaments.hall import screen_held, second_round
from tests.tournaments.public_pages import evening_path, play_round
from tournaments.closing.services import evening_close
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening

LOG = logging.getLogger(__name__)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PICTURE_MM, DISTANCE_MM = 2000, 10_000
LEAST_PIXELS, LEAST_ARC = 60, 10
LOWEST = 0.469
"""What small letters take of the size of letters in the lowest typeface that pages name (Palatino):
a computer in a hall has another one than this."""
SIZES = (1920, 1080), (1366, 768), (1024, 768)
LONG = "De koffie staat klaar in de kantine. We beginnen om half negen weer met ronde 3."
LONGEST_NAME = "Johanna Petronella van der Meer-Bos"
# Every text: the size of its letters, how high an x and an H are, and whether it is seen whole.
# Names may be cut at the end.
TEXTS = """() => {
    const pen = document.createElement("canvas").getContext("2d");
    const height = letter => pen.measureText(letter).actualBoundingBoxAscent;
    const texts = [];
    const walker = document.createTreeWalker(
        document.getElementById("shown"), NodeFilter.SHOW_TEXT
    );
    while (walker.nextNode()) {
        const { data, parentElement: element } = walker.currentNode;
        const hidden = element.closest(".visually-hidden, svg") || !element.checkVisibility();
        if (hidden || !data.trim()) continue;
        const { fontSize, fontWeight, fontFamily } = getComputedStyle(element);
        pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const own = range.getBoundingClientRect();
        const part = element.closest(".hall-top, .hall-picture, .hall-message");
        const room = part.getBoundingClientRect();
        const mayBeCut = element.closest(".hall-name, .hall-mark, .hall-club, .hall-when");
        const whole = own.top >= room.top - 1 && own.bottom <= room.bottom + 1
            && own.left >= room.left - 1 && (mayBeCut || own.right <= room.right + 1);
        texts.push([data.trim(), parseFloat(fontSize), height("x"), height("H"), whole]);
    }
    return texts;
}"""

Check = Callable[[Page], None]


class Text(NamedTuple):
    """A text on the screen: heights in pixels."""

    words: str
    size: float
    small: float
    capital: float
    whole: bool


def arc(pixels: float, width: int) -> float:
    """The minutes of arc of so many pixels of a picture so many pixels wide."""
    return math.degrees(math.atan2(pixels * PICTURE_MM / width, DISTANCE_MM)) * 60


def hall_of(players: int) -> Evening:
    """Two rounds were played, the third has begun; with the longest names that fit."""
    evening = evening_with_draw(
        players=players, method=Evening.Method.LOTTERY, rounds=3, deals_per_round=2
    )
    Club.objects.filter(pk=evening.club_id).update(name="Klaverjasvereniging Ons Genoegen")
    Member.objects.filter(number=1).update(public_name=LONGEST_NAME)
    second_round(evening)
    write_deal(table(evening, 1, 2), 1, points={"NS": 162}, pit="NS")
    write_deal(table(evening, 2, 2), 1, points={"NS": 140})
    second_round(evening, 3)
    write_deal(table(evening, 1, 3), 1, points={"NS": 101})
    return Evening.objects.get(pk=evening.pk)


def pictures(evening: Evening) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every picture there is, by name, at its stage of the evening."""
    for scene in ("seats", "standings", "tables", "movers", "pits", "code"):
        yield scene, {"scene": scene}
    for turn in (0, 1, 4):
        yield f"prizes {turn}", {"scene": "prizes", "turn": turn}
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    yield "secret", {"scene": "standings"}
    play_round(evening, number=3)
    evening_close(evening_id=evening.pk, actor=TESTS)
    yield "winners", {"scene": ""}
    yield "final", {"scene": "standings"}


def read(page: Page, evening: Evening, width: int, height: int) -> list[Text]:
    """What the screen says at this size, all of it large enough and in sight."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(evening_path(evening, "screen/"))
    texts = [Text(*text) for text in page.evaluate(TEXTS)]
    assert len(texts) >= 3
    least = LEAST_PIXELS * width / 1920
    assert [text for text in texts if text.size < least] == []
    assert [text for text in texts if arc(text.small, width) < LEAST_ARC] == []
    assert [text for text in texts if arc(LOWEST * text.size, width) < LEAST_ARC] == []
    assert [text for text in texts if not text.whole] == []
    return texts


@pytest.mark.full
def test_the_standings_and_the_podium_are_read_at_ten_metres(
    desktop: Page, live_server: object
) -> None:
    evening = hall_of(12)
    for picture in ({"scene": "standings"}, {"scene": "prizes", "turn": 4}):
        screen_held(evening, **picture, message=LONG)
        for width, height in SIZES:
            read(desktop, evening, width, height)


@pytest.mark.full
@pytest.mark.parametrize("players", [12, 32, 400])
def test_every_picture_is_read_at_ten_metres(
    desktop: Page, live_server: object, axe: Check, players: int
) -> None:
    evening = hall_of(players)
    desktop.emulate_media(reduced_motion="reduce")
    for name, picture in pictures(evening):
        for light in (False, True):
            figures = []
            for width, height in SIZES:
                texts = []
                for message in ("", LONG):
                    screen_held(evening, **picture, light=light, message=message)
                    texts += read(desktop, evening, width, height)
                low = min(arc(text.small, width) for text in texts)
                high = min(arc(text.capital, width) for text in texts)
                smallest = min(text.size for text in texts)
                figures.append(f"{width}: {smallest:.1f} px, x {low:.1f}\u2032, H {high:.1f}\u2032")
            axe(desktop)
            look = "light" if light else "dark"
            LOG.info("%3d %-9s %-5s %s", players, name, look, " | ".join(figures))
    desktop.emulate_media(reduced_motion="no-preference")
