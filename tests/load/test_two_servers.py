"""Two servers on one database behind a proxy that never asks the same one twice in a row: the whole
evening of `tests/browser/test_evening.py`, with its desk, its phones and its hall."""

from collections.abc import Iterator

import pytest
from django.conf import global_settings
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from clubs.models import Club
from tests.browser.test_evening import test_an_evening_from_the_door_to_the_prizes as whole_evening
from tests.devices import Devices, OpenPage
from tests.factories import ClubFactory, MemberFactory
from tests.load.hall import served
from tests.load.proxy import Proxy, round_robin

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def proxy(transactional_db: None) -> Iterator[Proxy]:
    with (
        served(servers=2) as servers,
        round_robin([server.port for server in servers]) as proxy,
    ):
        yield proxy


@pytest.fixture
def devices(chromium: Browser, proxy: Proxy) -> Iterator[Devices]:
    """In place of those that open the test's own server."""
    devices = Devices(chromium, proxy.url)
    yield devices
    devices.close()


@pytest.fixture
def club(proxy: Proxy, settings: Settings) -> Club:
    """Eight members, and passwords as the servers read them."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    club = ClubFactory.create()
    for _ in range(8):
        MemberFactory.create(club=club)
    return club


def test_an_evening_hops_from_server_to_server(
    desktop: Page, open_phone: OpenPage, open_desktop: OpenPage, club: Club, proxy: Proxy
) -> None:
    whole_evening(desktop, open_phone, open_desktop, club)
    one, other = proxy.answered.values()
    assert min(one, other) > 100
    assert abs(one - other) <= 1
