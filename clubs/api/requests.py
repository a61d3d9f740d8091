"""Requests of the API: JSON that is safe to read and store, and how many are let through."""

import json
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.http.middleware import network_of
from clubs.limits.table import allowed, allowed_from, seconds_left
from clubs.models import User


class SafeJSONParser(JSONParser):
    """JSON of at most `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes, without NaN, NULs and half characters.

    Raises ParseError (400) for anything else, and RequestDataTooBig (413).
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        body = stream.read(most + 1)
        if len(body) > most:
            raise RequestDataTooBig
        try:
            value = json.loads(body.decode(), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise ParseError("This is not JSON.", "bad_json") from error
        if not _is_sound(value):
            raise ParseError("A text holds a character that is none.", "bad_json")
        return value


class AlwaysJSON(DefaultContentNegotiation):
    """Answers JSON whatever the client accepts: there is no other format."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        only = next(iter(renderers))
        return only, only.media_type


def _no_number(name: str) -> None:
    raise ValueError(name)


def _is_sound(value: object) -> bool:
    """Whether every string in it can be stored in any database and encoded as UTF-8."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
                    return False
            case dict(below):
                waiting += [*below.keys(), *below.values()]
            case list(below):
                waiting += below
    return True


if TYPE_CHECKING:
    from rest_framework.views import APIView


class ApiThrottle(BaseThrottle):
    """A limit of requests a minute for one caller, or for one address without a login."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if isinstance(request.user, User):
            return allowed(f"user {request.user.pk}", settings.API_LIMITS["caller"])
        return allowed_from("address", self.network(request), settings.API_LIMITS["anybody"])

    def network(self, request: Request) -> str:
        """The network of the client."""
        return network_of(self.get_ident(request) or "")

    def wait(self) -> float:
        """Seconds until the next minute."""
        return seconds_left()


class WorkThrottle(ApiThrottle):
    """A limit of units of work a minute from one address for one purpose, named by `about`. A
    request costs `cheapest` at least; what it holds is charged by the view."""

    about: str
    cheapest: int

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return self.charge(request, self.cheapest)

    def charge(self, request: Request, units: int) -> bool:
        """Whether the address may do so much more work."""
        limit = settings.API_LIMITS[self.about]
        return allowed_from(self.about, self.network(request), limit, units=units)
