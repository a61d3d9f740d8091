"""An evening on paper: photographs are sent, gone through by keyboard, and stand in the result."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.models import DealEntry
from tests.factories import ClubFactory, evening_with_draw, organiser_of, table
from tests.scoring.reading.photographs import Camera, photograph, scan
from tests.tournaments.sheet_photos import TYPED, fill_in, printed
from tests.waiting import wait_until
from tournaments.models import Evening, SheetPhoto

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ_IN = 60_000


@pytest.fixture
def evening(live_server: LiveServer) -> Iterator[Evening]:
    club = ClubFactory.create(slug="klaver-zes")
    yield evening_with_draw(club=club, players=8, rounds=1, deals_per_round=4)
    wait_until(lambda: not SheetPhoto.objects.filter(state="waiting").exists())


def log_in(page: Page, club: Club, address: str) -> None:
    client = Client()
    client.force_login(organiser_of(club))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


@pytest.mark.full
def test_photographs_become_the_result(
    desktop: Page,
    axe: Callable[[Page], None],
    evening: Evening,
    live_server: LiveServer,
    tmp_path: Path,
) -> None:
    page, club = desktop, evening.club
    pages, files = printed(evening), []
    for number, spoil in ((1, 2), (2, 0)):
        lines = dict.fromkeys(range(1, 3 if spoil else 2), TYPED)
        filled = fill_in(pages[number - 1], table(evening, number), lines, spoil=spoil)
        camera = Camera(tilt=10, megapixels=(4, 5), shadow=False)
        content = photograph(filled, Random(number), camera) if spoil else scan(filled, Random(1))
        files.append(tmp_path / f"IMG_{number}.jpg")
        files[-1].write_bytes(content)
    files.append(tmp_path / "kapot.jpg")
    files[-1].write_bytes(b"\xff\xd8\xff nothing")
    log_in(page, club, live_server.url)
    page.goto(f"/clubs/{club.slug}/desk/evenings/{evening.slug}/sheet-photos/")
    axe(page)
    page.get_by_label("Foto’s van tellijsten").set_input_files(files)
    page.get_by_role("button", name="Foto’s versturen").click()
    sent = page.locator(".sheet-sending li")
    expect(sent.nth(1)).to_have_text(
        "IMG_2.jpg: Tafel 2, ronde 1. Alle regels waren goed te lezen. 3 regels zijn leeg.",
        timeout=READ_IN,
    )
    expect(sent.nth(2)).to_contain_text("kapot, of geen foto", timeout=READ_IN)
    axe(page)

    page.get_by_role("link", name="Gelezen lijsten nakijken").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tafel 1, ronde 1")
    axe(page)
    look = page.locator("[data-line][data-kind=look]")
    expect(look).to_have_count(1)
    expect(look).to_be_focused()
    page.keyboard.press("1")
    expect(look.get_by_label("Punten wij")).to_have_value("100")
    assert not DealEntry.objects.exists()
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="De regels die kloppen opschrijven")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tafel 1, ronde 1 is opgeschreven.")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tafel 2, ronde 1 is opgeschreven.")).to_be_visible()
    sheets = [table(evening, number).sheet for number in (1, 2)]
    assert [(sheet.score_ns, sheet.score_ew) for sheet in sheets] == [(240, 124), (120, 62)]

    page.goto(f"/clubs/{club.slug}/desk/evenings/{evening.slug}/rounds/1/tables/1/grid/")
    page.locator("#id_deal3-points_ns").focus()
    expect(page.locator("#grid-strip image")).to_be_visible()
