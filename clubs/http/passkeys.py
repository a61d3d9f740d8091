"""Where passkeys work, and the header of the pages that may ask for one."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django_permissions_policy.decorators import permissions_policy_override

LOCAL = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}

_FEATURES = "publickey-credentials-create", "publickey-credentials-get"

may_ask_for_passkeys = permissions_policy_override(
    {**settings.PERMISSIONS_POLICY, **{feature: ["self"] for feature in _FEATURES}}
)
"""Decorates the few pages on which a browser may make or use a passkey."""


def passkey_host() -> str:
    """The host that passkeys of this server are bound to: that of `PUBLIC_URL`, in development
    `localhost`; empty where browsers would refuse (no https, or an address of numbers)."""
    if not settings.PUBLIC_URL:
        return LOCAL
    parts = urlsplit(settings.PUBLIC_URL)
    host = parts.hostname or ""
    is_secure = parts.scheme == "https" or host == LOCAL
    return host if is_secure and not _is_number(host) else ""


def passkeys_work(request: HttpRequest) -> bool:
    """Whether a browser on this page's address can make and use passkeys of this server."""
    host = split_domain_port(request.get_host())[0]
    return host == passkey_host() and (request.is_secure() or host == LOCAL)


def is_own_origin(origin: str) -> bool:
    """Whether a browser that used a passkey was on this server: on `PUBLIC_URL` exactly, else on
    `localhost` with whatever port.

    >>> is_own_origin("http://localhost:8000"), is_own_origin("https://localhost.example")
    (True, False)
    """
    if settings.PUBLIC_URL:
        return _origin(origin) == _origin(settings.PUBLIC_URL)
    return urlsplit(origin).hostname == LOCAL


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
