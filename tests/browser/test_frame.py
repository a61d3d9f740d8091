"""The standings of a club in frames of other websites, in a real browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory
from tests.tournaments.one_round import one_deal
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.browser

Axe = Callable[[Page], None]


class Website(BaseHTTPRequestHandler):
    """A website with one page, which shows an address in a frame."""

    def __init__(self, framed: str, *request: object) -> None:
        self.framed = framed
        super().__init__(*request)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        page = f'<!doctype html><title>x</title><iframe src="{self.framed}"></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_message: object) -> None:
        """Say nothing."""


@contextmanager
def website(framed: str) -> Iterator[str]:
    """The origin of a website that shows this address in a frame."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Website, framed)) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """A club with a played evening."""
    club = ClubFactory.create()
    one_deal(season_create(club=club, name="2026", actor=TESTS), 0, "1234", ns=100)
    return club


def framed(chromium: Browser, site: str) -> str:
    """What can be read in the frame on this website."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(site)
        page.wait_for_load_state("networkidle")
        return page.frames[1].locator("body").inner_text()


@pytest.mark.full
def test_only_the_websites_that_the_club_names_can_show_it(
    chromium: Browser, live_server: LiveServer, club: Club
) -> None:
    address = live_server.url + reverse("club_frame", args=[club.slug])
    with website(address) as named, website(address) as other:
        club.frame_sites = [named]
        club.save()
        assert "De laatste avond" in framed(chromium, named)
        assert "De laatste avond" not in framed(chromium, other)


@pytest.mark.full
def test_every_other_page_is_shown_nowhere(
    chromium: Browser, live_server: LiveServer, club: Club
) -> None:
    for name in ("club_page", "ratings_page"):
        with website(live_server.url + reverse(name, args=[club.slug])) as named:
            club.frame_sites = [named]
            club.save()
            assert club.name not in framed(chromium, named)


@pytest.mark.full
def test_an_organiser_sees_how_it_looks_and_copies_the_line(
    desktop: Page, live_server: LiveServer, club: Club, axe: Axe
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(reverse("club_outside", args=[club.slug]))
    desktop.get_by_label("Websites die uw standen mogen tonen").fill("www.vrolijke-boer.nl")
    desktop.get_by_role("button", name="Bewaren").click()
    desktop.get_by_role("link", name="Het seizoen").click()
    shown = desktop.frame_locator("iframe")
    expect(shown.get_by_role("heading", name="Stand 2026")).to_be_visible()
    snippet = desktop.get_by_label("Om te plakken").input_value()
    assert snippet.startswith('<iframe src="http')
    assert '/frame/?show=season" title="Standen van De Vrolijke Boer"' in snippet
    axe(desktop)
