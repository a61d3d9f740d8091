from io import StringIO
from ipaddress import ip_address

from django.core.management import call_command
from pytest_django import Settings

from clubs.http.network import lan_addresses


def test_addresses_are_private_different_and_never_none() -> None:
    addresses = lan_addresses()

    assert addresses
    assert len(set(addresses)) == len(addresses)
    assert all(ip_address(address).is_private for address in addresses)
    assert addresses == ["127.0.0.1"] or not any(ip_address(each).is_loopback for each in addresses)


def test_the_command_prints_this_computer_the_hall_and_the_public_address(
    settings: Settings,
) -> None:
    settings.PORT, settings.PUBLIC_URL = 8123, "https://klaver.example"
    output = StringIO()
    call_command("addresses", stdout=output)
    urls = [line.partition(": ")[2] for line in output.getvalue().splitlines()]

    hall = [f"http://{each}:8123/" for each in lan_addresses() if each != "127.0.0.1"]
    assert urls == ["http://127.0.0.1:8123/", *hall, "https://klaver.example/"]
