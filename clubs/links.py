"""Links as phones and people outside get them: never from the Host header of a request."""

import segno
from django.conf import settings
from django.utils.safestring import SafeString

from clubs.models import Club, User
from clubs.network import lan_addresses


def base_url(club: Club) -> str:
    """Where phones find this server, without a slash at the end.

    The address the club chose, else `PUBLIC_URL`, else this machine on the hall's network.
    """
    return club.address.rstrip("/") or settings.PUBLIC_URL or lan_urls()[0]


def absolute_url(club: Club, path: str) -> str:
    """The whole address of `path` (which starts with a slash), for a QR code or a message."""
    return base_url(club) + path


def login_url(user: User, path: str) -> str:
    """The whole address of `path`, of a link that opens this login: `PUBLIC_URL`, else that of the
    only club where they have a task, else this machine's on the hall's network.

    What one club chose is not for a login that opens another one: its organiser could choose an
    address of their own and read the link there.
    """
    clubs = Club.objects.filter(roles__user=user)[:2]
    if settings.PUBLIC_URL or len(clubs) != 1:
        return (settings.PUBLIC_URL or lan_urls()[0]) + path
    return absolute_url(clubs[0], path)


def lan_urls() -> list[str]:
    """The server's addresses on the networks this machine is in, likeliest first; never empty."""
    return [f"http://{address}:{settings.PORT}" for address in lan_addresses()]


def qr_svg(url: str) -> SafeString:
    """A QR code of `url` as an SVG element that a page can hold, dark on light."""
    code = segno.make(url, error="m")
    return SafeString(code.svg_inline(scale=4, border=2, light="#fff", omitsize=True))
