"""`klaverclub.local`, asked for and answered over real sockets: each laptop is an address of the
loopback of its own."""

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.test import override_settings
from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf

from clubs.http import local_name
from clubs.http.local_name import LocalName, local_url
from tests.waiting import wait_until

pytestmark = pytest.mark.once

PORT = 8321


@pytest.fixture(autouse=True)
def _wanted() -> Iterator[None]:
    with override_settings(LOCAL_NAME="klaverclub"):
        yield


def asked(name: str) -> list[str]:
    """What a phone hears when it asks for a name: whose it is.

    It asks on a thread of its own: where a browser was used, Playwright's event loop runs on this.
    """
    with ThreadPoolExecutor(1) as phone:
        return phone.submit(_heard, name).result()


def _heard(name: str) -> list[str]:
    with closing(Zeroconf(["127.0.0.9"], ip_version=IPVersion.V4Only)) as phone:
        found = AddressResolverIPv4(f"{name}.")
        found.request(phone, 2000)
        return found.parsed_addresses()


def laptop(last: int) -> LocalName:
    return LocalName(PORT, lambda: [f"127.0.0.{last}"])


@pytest.mark.full
def test_a_phone_finds_the_computer_by_its_name_until_it_stops() -> None:
    with closing(laptop(2)) as first:
        assert first.url(30) == f"http://klaverclub.local:{PORT}"
        assert asked("klaverclub.local") == ["127.0.0.2"]
    assert (local_url(), asked("klaverclub.local")) == ("", [])


@pytest.mark.full
def test_a_second_laptop_has_a_name_of_its_own() -> None:
    with closing(laptop(2)) as first:
        first.url(30)
        with closing(laptop(3)) as second:
            assert second.url(30) == f"http://klaverclub-2.local:{PORT}"
            assert asked("klaverclub-2.local") == ["127.0.0.3"]
            assert asked("klaverclub.local") == ["127.0.0.2"]


@pytest.mark.full
def test_the_name_follows_the_computer_to_another_wifi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_name, "LOOKING", 0.1)
    here = ["127.0.0.2"]
    with closing(LocalName(PORT, lambda: here)) as name:
        name.url(30)
        here = ["127.0.0.4"]
        wait_until(lambda: asked("klaverclub.local") == ["127.0.0.4"])


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7"])
def test_without_a_network_or_where_it_cannot_be_had_there_is_none(address: str) -> None:
    """The second is an address that this computer does not have; the library then leaves a socket
    for the garbage."""
    with closing(LocalName(PORT, lambda: [address])) as name:
        assert name.url(30) == ""
    gc.collect()


def test_where_somebody_wants_none_nothing_is_asked() -> None:
    with override_settings(LOCAL_NAME=""), closing(laptop(2)) as name:
        assert name.url(30) == ""
