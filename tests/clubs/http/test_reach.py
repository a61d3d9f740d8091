"""The name of this computer on its wifi, and what it sees of why a phone does not open its
address."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse
from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf

from clubs.http import reach
from clubs.http.network import lan_addresses, lan_urls
from clubs.http.reach import LocalName, Reach, is_elsewhere, local_url, neighbours_read
from clubs.profile.services import address_choose
from tests.factories import TESTS, ClubFactory
from tests.nginx import program
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[3]
LINUX = """IP address       HW type     Flags       HW address            Mask     Device
192.168.1.1      0x1         0x2         f0:18:98:0a:0b:01     *        wlan0
192.168.1.23     0x1         0x2         f0:18:98:0a:0b:0c     *        wlan0
192.168.1.40     0x1         0x0         00:00:00:00:00:00     *        wlan0
"""
MACOS = """? (192.168.1.1) at f0:18:98:a:b:1 on en0 ifscope [ethernet]
? (192.168.1.23) at f0:18:98:a:b:c on en0 ifscope [ethernet]
? (192.168.1.40) at (incomplete) on en0 ifscope [ethernet]
? (224.0.0.251) at 1:0:5e:0:0:fb on en0 ifscope permanent [ethernet]
"""
WINDOWS = """
Interface: 192.168.1.20 --- 0x7
  Internet Address      Physical Address      Type
  192.168.1.1           f0-18-98-0a-0b-01     dynamic
  192.168.1.23          f0-18-98-0a-0b-0c     dynamic
  192.168.1.255         ff-ff-ff-ff-ff-ff     static
  224.0.0.22            01-00-5e-00-00-16     static
"""
pytestmark = pytest.mark.once

PORT = 8321


@pytest.mark.parametrize("table", [LINUX, MACOS, WINDOWS], ids=["Linux", "macOS", "Windows"])
def test_neighbours_are_the_devices_that_were_heard(table: str) -> None:
    assert neighbours_read(table) == ["192.168.1.1", "192.168.1.23"]


def test_an_address_of_before_is_known() -> None:
    with override_settings(PORT=8000, PUBLIC_URL=""):
        here = lan_urls()[0]
        of_before = "http://10.99.98.97:8000", f"{here[:-1]}1"
        others = here, "https://klaver.example", "http://hal.local:8000", ""
        assert [is_elsewhere(address) for address in of_before] == [True, True]
        assert [is_elsewhere(address) for address in others] == [False] * 4
        with override_settings(PUBLIC_URL="https://klaver.example"):
            assert not is_elsewhere(of_before[0])


@pytest.mark.django_db
def test_the_desk_reads_at_once_that_the_address_has_changed() -> None:
    club = ClubFactory.create()
    address_choose(club=club, address="http://10.99.98.97:8000", actor=TESTS)
    client = desk_of(club)

    with override_settings(PUBLIC_URL=""):
        page = words(client.get(reverse("club_address", args=[club.slug])))
        assert "In de codes staat http://10.99.98.97:8000, maar deze computer zit nu op" in page
        said = StringIO()
        call_command("addresses", stdout=said)
    assert "staat http://10.99.98.97:8000, en dat is nu niet het adres" in said.getvalue()


@pytest.mark.full
@pytest.mark.django_db
def test_the_desk_reads_what_is_likely_when_it_says_that_it_does_not_open() -> None:
    client = desk_of(club := ClubFactory.create())
    address = reverse("club_address", args=[club.slug])

    with override_settings(PUBLIC_URL=""):
        assert "Waarschijnlijk" not in words(client.get(address))
        page = words(client.get(address, {"closed": "1"}))
    is_alone = lan_addresses() == ["127.0.0.1"]
    assert ("Deze computer zit op geen enkel netwerk" in page) is is_alone
    assert ("Zeker weten? Laat een telefoon zijn verbinding delen" in page) is not is_alone


ASK = """
import json, os, sys
os.environ["DATA_DIR"] = sys.argv[1]
import django; django.setup()
from clubs.http.network import lan_urls
from clubs.http.reach import neighbours, reach
print(json.dumps([reach(lan_urls()[0]), neighbours()]))
"""


@pytest.fixture
def hall() -> Iterator[tuple[str, str]]:
    """A laptop, a phone and the wire between them, each a network of its own."""
    ip = program("ip", "iproute2")
    if os.geteuid() != 0:
        pytest.skip("Only root may make a network.")
    laptop, phone = (f"klaver-{who}-{os.getpid()}" for who in ("laptop", "phone"))
    ends = [f"kl{os.getpid()}{letter}" for letter in "ab"]
    for name in (laptop, phone):
        subprocess.run([ip, "netns", "add", name], check=True)
    try:
        pair = [ip, "link", "add", ends[0], "type", "veth", "peer", "name", ends[1]]
        subprocess.run(pair, check=True)
        for name, end, address in ((laptop, ends[0], 1), (phone, ends[1], 2)):
            subprocess.run([ip, "link", "set", end, "netns", name], check=True)
            inside = [ip, "-n", name]
            subprocess.run(
                [*inside, "addr", "add", f"10.77.0.{address}/24", "dev", end], check=True
            )
            subprocess.run([*inside, "link", "set", end, "up"], check=True)
        # The router of this hall is a third, which is not there.
        way = ["route", "add", "default", "via", "10.77.0.254"]
        subprocess.run([ip, "-n", laptop, *way], check=True)
        yield laptop, phone
    finally:
        for name in (laptop, phone):
            subprocess.run([ip, "netns", "del", name], check=True)


@pytest.mark.full
@pytest.mark.once
def test_a_firewall_is_told_from_a_wifi_that_keeps_devices_apart(
    hall: tuple[str, str], tmp_path: Path
) -> None:
    """The phone that asks is heard, though nothing that it asks gets in."""
    laptop, phone = hall
    assert seen(laptop, tmp_path) == [Reach.APART, []]

    ask = "import socket; socket.create_connection(('10.77.0.1', 8000), 2)"
    inside = ["ip", "netns", "exec", phone, sys.executable, "-c", ask]
    assert subprocess.run(inside, capture_output=True, check=False).returncode != 0

    assert seen(laptop, tmp_path) == [Reach.FIREWALL, ["10.77.0.2"]]


def seen(laptop: str, folder: Path) -> object:
    inside = ["ip", "netns", "exec", laptop, sys.executable, "-c", ASK, str(folder)]
    kept = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(inside, cwd=ROOT, env=kept, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


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
    monkeypatch.setattr(reach, "LOOKING", 0.1)
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
