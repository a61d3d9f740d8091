"""Addresses of websites, as browsers compare them: scheme, host and port."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

LONGEST = 200
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.ASCII)


def origin_read(text: str) -> str:
    """The origin of an address that somebody typed or copied; without a scheme it is https.

    >>> origin_read(" WWW.Vrolijke-Boer.nl/stand?x=1 "), origin_read("http://localhost:8000/")
    ('https://www.vrolijke-boer.nl', 'http://localhost:8000')

    Raises ValueError where it is no address of a website.
    """
    typed = text.strip()
    if not typed or len(typed) > LONGEST or not typed.isprintable():
        raise ValueError(text)
    parts = urlsplit(typed if "://" in typed else f"https://{typed}")
    host = _host(parts.hostname or "")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host):
        raise ValueError(text)
    port = "" if parts.port is None else f":{parts.port}"
    if not re.fullmatch(rf"{re.escape(parts.hostname or '')}(:[0-9]+)?", parts.netloc.lower()):
        raise ValueError(text)
    return f"{parts.scheme}://{host}{port}"


def origins_read(lines: Iterable[str]) -> list[str]:
    """The origins of these lines, each once; empty lines are left out. Raises ValueError with the
    first line that is none."""
    return list(dict.fromkeys(origin_read(line) for line in lines if line.strip()))


def _host(host: str) -> str:
    """The host as browsers send it: names with other letters have a form in plain ones."""
    if host.isascii():
        return host
    return host.encode("idna").decode("ascii")
