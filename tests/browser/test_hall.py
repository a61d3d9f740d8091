"""The screen in the hall and the desk, in two windows: steered by keys, and going on by itself."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.login import log_in
from tests.browser.scales import COLLECTED, collect
from tests.devices import DESKTOP, PATIENCE, OpenPage
from tests.factories import evening_with_draw, table, write_deal
from tests.load.hall import Server
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import evening_path
from tournaments.models import Evening, HallScreen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Check = Callable[[Page], None]


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
    director.get_by_role("button", name="Laat de bel klinken").press("Enter")
    expect(hall).to_have_title("1")
    director.get_by_label("Minuten voor een ronde").fill("1")
    director.get_by_role("button", name="Start de klok").press("Enter")
    expect(hall.locator("[data-ends]")).to_contain_text("nog 0:5")
    director.get_by_role("button", name="Pauze").press("Enter")
    expect(hall.locator("#clock-stands")).to_contain_text("0:5")
    HallScreen.objects.update(clock_left=2)
    director.get_by_role("button", name="Ga verder").press("Enter")
    expect(hall.locator("[data-ends]")).to_have_text("Tijd!")
    expect(hall).to_have_title("2")
    director.get_by_role("button", name="5 minuten erbij").press("Enter")
    expect(hall.locator("[data-ends]")).to_contain_text("nog 4:5")


@pytest.mark.full
def test_a_screen_that_lost_the_server_goes_on_by_itself(desktop: Page, evening: Evening) -> None:
    screen_held(evening, "standings")
    desktop.goto(evening_path(evening, "screen/"))
    total = desktop.get_by_role("row").filter(has_text="Jan Bakker").locator(".total")
    expect(total).to_have_text("90")
    desktop.context.set_offline(True)
    write_deal(table(evening), 2)
    expect(desktop.get_by_text("Geen verbinding.")).to_be_visible()
    expect(total).to_have_text("90")
    desktop.context.set_offline(False)
    expect(total).to_have_text("180")
    expect(desktop.get_by_text("Geen verbinding.")).to_be_hidden()


@pytest.mark.full
@pytest.mark.once
def test_a_screen_comes_back_when_the_server_has_restarted(
    chromium: Browser, evening: Evening, tmp_path: Path
) -> None:
    collect(tmp_path)
    server = Server(workers=1, settings=COLLECTED, more={"STATIC_ROOT": str(tmp_path)})
    server.start()
    screen_held(evening, "standings", message="Nog één ronde!")
    address = f"http://localhost:{server.port}"
    try:
        with chromium.new_context(base_url=address, locale="nl-NL", **DESKTOP) as context:
            context.set_default_timeout(PATIENCE)
            hall = context.new_page()
            hall.goto(evening_path(evening, "screen/"))
            hall.evaluate("document.title = 'Opened once'")
            total = hall.get_by_role("row").filter(has_text="Jan Bakker").locator(".total")
            expect(total).to_have_text("90")
            server.kill()
            write_deal(table(evening), 2)
            expect(hall.get_by_text("Geen verbinding.")).to_be_visible()
            expect(hall.locator("#hall-message")).to_have_text("Nog één ronde!")
            server.start()
            expect(total).to_have_text("180")
            expect(hall.get_by_text("Geen verbinding.")).to_be_hidden()
            expect(hall).to_have_title("Opened once")
    finally:
        server.kill()


@pytest.mark.full
def test_notes_for_who_sets_the_screen_up_go_when_nobody_is_there(
    desktop: Page, evening: Evening
) -> None:
    desktop.clock.install()
    desktop.goto(evening_path(evening, "screen/"))
    notes = desktop.locator(".hall-notes")
    note = desktop.get_by_text("Deze computer kan in slaap vallen")
    desktop.evaluate("document.getElementById('hall-sleeps').hidden = false")
    expect(note).to_be_visible()
    desktop.clock.run_for(31_000)
    expect(notes).to_be_hidden()
    desktop.mouse.move(200, 200)
    expect(note).to_be_visible()
