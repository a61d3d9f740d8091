"""The screen in the hall and the desk, in two windows: read at ten metres, steered by keys."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.devices import OpenPage
from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import evening_path
from tournaments.models import Evening, HallScreen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Check = Callable[[Page], None]
PICTURE_MM, DISTANCE_MM = 2000, 10_000
LEAST_PIXELS, LEAST_ARC = 60, 10
X_HEIGHT = 0.5
"""What a small letter without a tail takes of the size of letters, at the least."""
SIZES = (1920, 1080), (1366, 768), (1024, 768)
LONG = "De koffie staat klaar in de kantine. We beginnen om half negen weer met ronde 3."
# Every text with the size of its letters, and whether it is seen whole.
TEXTS = """() => {
    const texts = [];
    const shown = document.getElementById("shown");
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentElement: element } = walker.currentNode;
        const hidden = element.closest(".visually-hidden, svg") || !element.checkVisibility();
        if (hidden || !data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const { bottom, left } = range.getBoundingClientRect();
        const inside = bottom <= innerHeight + 1 && left <= innerWidth;
        texts.push([data.trim(), parseFloat(getComputedStyle(element).fontSize), inside]);
    }
    return texts;
}"""


def arc(pixels: float, width: int) -> float:
    """The minutes of arc of a small letter of this size, at ten metres from a picture of two."""
    millimetres = X_HEIGHT * pixels * PICTURE_MM / width
    return math.degrees(math.atan2(millimetres, DISTANCE_MM)) * 60


@pytest.fixture
def evening(live_server: object) -> Evening:
    """Three tables; at the first a deal was written."""
    evening = evening_with_draw(players=12, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


def desk(page: Page, evening: Evening, live_server: LiveServer) -> None:
    log_in(page, evening.club, live_server.url)
    page.goto(f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/screen/")


def test_a_key_at_the_desk_turns_the_screen_in_the_hall(
    open_desktop: OpenPage, evening: Evening, live_server: LiveServer
) -> None:
    hall, director = open_desktop(), open_desktop()
    screen_held(evening, "tables")
    hall.goto(evening_path(evening, "screen/"))
    expect(hall.locator("h1")).to_have_text("0 van 3 tafels klaar")
    desk(director, evening, live_server)
    director.get_by_role("button", name="Prijzen").press("Enter")
    expect(hall.locator(".hall-large")).to_have_text("Er wachten 3 prijzen")
    director.keyboard.press("ArrowRight")
    expect(hall.locator(".hall-prize-title")).to_have_text("Poedelprijs")
    director.get_by_label("Wat moet de zaal lezen?").fill("Nog één ronde!")
    director.get_by_role("button", name="Laat zien in de zaal").press("Enter")
    expect(hall.locator("#hall-message")).to_have_text("Nog één ronde!")
    expect(director.get_by_label("Wat moet de zaal lezen?")).to_have_value("")


@pytest.mark.full
def test_prizes_up_to_the_podium_by_keys_on_the_screen_itself(
    desktop: Page, evening: Evening, live_server: LiveServer, axe: Check
) -> None:
    for number in (2, 3):
        write_deal(table(evening, number), 1, points={"NS": 90 + number * 10})
    log_in(desktop, evening.club, live_server.url)
    screen_held(evening, "prizes")
    desktop.emulate_media(reduced_motion="reduce")
    desktop.goto(evening_path(evening, "screen/"))
    titles: list[str] = []
    for _ in range(4):
        desktop.keyboard.press("PageDown")
        turn = len(titles) + 1
        expect(desktop.locator(f"#shown[data-version='{turn + 2}']")).to_be_attached()
        titles.append(desktop.locator(".hall-prize-title").inner_text())
    assert titles[0] == "Poedelprijs"
    assert titles[-1] == "De winnaar"
    expect(desktop.locator(".hall-podium .revealed")).not_to_have_count(0)
    axe(desktop)
    desktop.keyboard.press("ArrowLeft")
    expect(desktop.locator(".hall-prize-title")).not_to_have_text("De winnaar")
    desktop.emulate_media(reduced_motion="no-preference")


@pytest.mark.full
def test_the_bell_sounds_at_the_end_and_when_it_is_pressed(
    open_desktop: OpenPage, evening: Evening, live_server: LiveServer
) -> None:
    hall, director = open_desktop(), open_desktop()
    hall.goto(evening_path(evening, "screen/"))
    hall.evaluate(
        "addEventListener('hall:bell', () => document.title = `${(+document.title || 0) + 1}`)"
    )
    desk(director, evening, live_server)
    director.get_by_role("button", name="Laat de bel klinken").click()
    expect(hall).to_have_title("1")
    director.get_by_label("Minuten voor een ronde").fill("1")
    director.get_by_role("button", name="Start de klok").click()
    expect(hall.locator("[data-ends]")).to_contain_text("nog 0:5")
    director.get_by_role("button", name="Pauze").click()
    expect(hall.locator("#clock-stands")).to_contain_text("0:5")
    HallScreen.objects.update(clock_left=2)
    director.get_by_role("button", name="Ga verder").click()
    expect(hall.locator("[data-ends]")).to_have_text("Tijd!")
    expect(hall).to_have_title("2")
    director.get_by_role("button", name="5 minuten erbij").click()
    expect(hall.locator("[data-ends]")).to_contain_text("nog 4:5")


@pytest.mark.full
def test_a_screen_that_lost_the_server_goes_on_by_itself(desktop: Page, evening: Evening) -> None:
    screen_held(evening, "standings")
    desktop.goto(evening_path(evening, "screen/"))
    total = desktop.get_by_role("row").filter(has_text="Jan Bakker").locator(".total")
    expect(total).to_have_text("90")
    desktop.context.set_offline(True)
    write_deal(table(evening), 2)
    desktop.wait_for_timeout(1500)
    expect(total).to_have_text("90")
    desktop.context.set_offline(False)
    expect(total).to_have_text("180")


@pytest.mark.full
@pytest.mark.parametrize("players", [12, 33, 400])
def test_every_scene_is_read_at_ten_metres(
    desktop: Page, live_server: object, axe: Check, players: int
) -> None:
    evening = evening_with_draw(players=players, method=Evening.Method.TYPED_IN, rounds=1)
    Club.objects.filter(pk=evening.club_id).update(name="Klaverjasvereniging Ons Genoegen")
    Member.objects.filter(number=1).update(public_name="Johanna Petronella van der Meer-de Vries")
    write_deal(table(evening), 1, points={"NS": 162}, pit="NS")
    pictures: list[dict[str, Any]] = [
        {"scene": scene} for scene in ("seats", "standings", "tables", "movers", "pits", "code")
    ]
    pictures += [{"scene": "prizes", "turn": turn} for turn in (0, 1, 4)]
    desktop.emulate_media(reduced_motion="reduce")
    for picture in pictures:
        for light in (False, True):
            for message in ("", LONG):
                screen_held(evening, **picture, light=light, message=message)
                for width, height in SIZES:
                    desktop.set_viewport_size({"width": width, "height": height})
                    desktop.goto(evening_path(evening, "screen/"))
                    _is_legible(desktop, width)
            axe(desktop)
    desktop.emulate_media(reduced_motion="no-preference")


def _is_legible(page: Page, width: int) -> None:
    texts = page.evaluate(TEXTS)
    assert texts
    least = LEAST_PIXELS * width / 1920
    assert [text for text, pixels, _inside in texts if pixels < least] == []
    assert [text for text, pixels, _inside in texts if arc(pixels, width) < LEAST_ARC] == []
    assert [text for text, _pixels, inside in texts if not inside] == []
