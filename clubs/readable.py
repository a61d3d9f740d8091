"""Refuses requests whose content type or length makes Django fail with a 500."""

import codecs
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
FORM = "application/x-www-form-urlencoded"
REFUSED = b"400 Bad Request\n"
HEADERS = (
    ("Content-Type", "text/plain"),
    ("Content-Length", str(len(REFUSED))),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
)


class ReadableOnly:
    """WSGI middleware that answers 400 to a request whose body cannot be read.

    Not a Django middleware: Django parses the content type while it builds the request, before any
    of those, and an encoding it does not know raises there. With a form in another encoding than
    UTF-8 even its own error page fails, because that reads the body again.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if is_readable(environ.get("CONTENT_TYPE", ""), environ.get("CONTENT_LENGTH", "")):
            return self.application(environ, start_response)
        start_response("400 Bad Request", [*HEADERS])
        return [REFUSED]


def is_readable(content_type: str, content_length: str) -> bool:
    """Whether a body of this type and length can be read.

    >>> is_readable("application/x-www-form-urlencoded; charset=UTF-8", "12")
    True
    >>> is_readable("text/plain; a*=foo''b", "")
    False
    """
    if content_length and not (content_length.isascii() and content_length.isdecimal()):
        return False
    try:
        kind, parameters = parse_header_parameters(content_type)
        charset = parameters.get("charset", "utf-8").lower()
        codecs.lookup(charset)
    except LookupError:
        return kind != FORM
    except ValueError:
        return False
    return kind != FORM or charset == "utf-8"
