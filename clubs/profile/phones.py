"""Whether phones can open the address that stands in links and codes: one of them tries it."""

from contextlib import suppress
from ipaddress import ip_address

from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.http.network import absolute_url, base_url, lan_addresses
from clubs.models import Club

_CODE_LENGTH = 20


def phone_check_url(club: Club) -> str:
    """The address of the page that a phone opens to try out the club's present address."""
    return absolute_url(club, reverse("phone_check", args=[club.slug, _code(club)]))


def phone_check_is(club: Club, code: str) -> bool:
    """Whether this is the code of that page: one that was made for another address tells nothing of
    the present one."""
    return constant_time_compare(code, _code(club))


def phone_opened(club: Club) -> bool:
    """Whether a phone opened the present address."""
    return club.phone_address == base_url(club)


def phone_note(*, club: Club, client: str) -> None:
    """Remember that somebody at `client` opened the present address, unless that is this computer
    itself. Not in the trail: it is about a network, and nobody did it to the club."""
    if not phone_opened(club) and not _is_here(client):
        Club.objects.filter(pk=club.pk).update(phone_address=base_url(club))


def _code(club: Club) -> str:
    return salted_hmac("clubs.phone_check", f"{club.pk} {base_url(club)}").hexdigest()[
        :_CODE_LENGTH
    ]


def _is_here(client: str) -> bool:
    with suppress(ValueError):
        return ip_address(client).is_loopback or client in lan_addresses()
    return True
