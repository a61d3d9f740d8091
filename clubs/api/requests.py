"""Requests of the API: JSON that is safe to read and store, and how many are let through. And its
writes: the version that each must name, with its ETag; and Idempotency-Key, by which a write is
done once, however often it is requested."""

import hashlib
import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import IO, TYPE_CHECKING, Any, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from clubs.http.middleware import network_of
from clubs.http.problems import FieldError, Problem
from clubs.limits.table import allowed, allowed_from, seconds_left
from clubs.models import ApiAnswer, User
from clubs.text.errors import DomainError
from clubs.text.names import is_sound


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
        if not is_sound(value):
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


VARY = "Authorization", "Cookie"


def etag(version: object, *rest: object) -> str:
    """The ETag of a resource: its version, which a write names, and anything else that changes the
    response."""
    return '"' + ".".join(str(part) for part in (version, *rest)) + '"'


def content_hash(content: object) -> str:
    """A keyed hash of content, so that nobody can guess the content from it."""
    text = json.dumps(content, sort_keys=True, cls=DjangoJSONEncoder)
    return salted_hmac("api-mark", text).hexdigest()[:16]


def tagged(request: Request, tag: str, make: Callable[[], Response]) -> HttpResponse:
    """The response of `make` with this ETag; 304, without calling it, for a client that has it."""
    answer = get_conditional_response(cast("HttpRequest", request), etag=tag) or make()
    return with_tag(answer, tag)


def with_tag(answer: HttpResponse, tag: str) -> HttpResponse:
    """The response with this ETag."""
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, VARY)
    return answer


def require_version(request: Request, current: int, show: Callable[[], object]) -> None:
    """Let a write through that names the `current` version; to be called under a lock.

    Raises Problem 409 with what `show` returns where it names another, 422 where it names none.
    """
    if seen_version(request) != str(current):
        message = "Somebody else changed this in the meantime."
        raise Problem(409, "version_conflict", message, current=show())


def seen_version(request: Request) -> str:
    """The version that a write names: `version` in what was sent, or else the one of `If-Match`.

    Raises Problem 422 where it names none.
    """
    version = named_version(request)
    if version is None:
        message = "Say which version you saw: `version` in the body, or If-Match."
        errors = [FieldError("version", "version_missing", message)]
        raise Problem(422, "version_missing", message, errors=errors)
    return version


def named_version(request: Request) -> str | None:
    """Like `seen_version`, but None where the request names none."""
    given = request.data.get("version") if isinstance(request.data, dict) else None
    if given is not None:
        return str(given)
    match = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    return match.split(".")[0] or None


KEYS_KEPT_FOR = timedelta(days=30)
KEY_HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"


@dataclass(frozen=True, slots=True)
class _KeyedRequest:
    """A request under a key: its caller, what it is about, and a hash of its body."""

    caller: User
    about: str
    key: uuid.UUID
    body_hash: str

    def answered(self) -> Response | None:
        """The stored answer, or None. Raises Problem 422 when it was to another request."""
        answers = ApiAnswer.objects.filter(caller=self.caller, about=self.about, key=self.key)
        stored = answers.first()
        if stored is None:
            return None
        if stored.body_hash != self.body_hash:
            message = "This Idempotency-Key was used before, for something else."
            raise Problem(422, "key_reused", message)
        return Response(json.loads(str(stored.body)), stored.status, headers={REPLAYED: "true"})

    def keep(self, answer: Response) -> None:
        """Store the answer, and delete this caller's answers of long ago."""
        long_ago = timezone.now() - KEYS_KEPT_FOR
        ApiAnswer.objects.filter(caller=self.caller, made_at__lt=long_ago).delete()
        ApiAnswer.objects.create(
            caller=self.caller,
            about=self.about,
            key=self.key,
            body_hash=self.body_hash,
            status=answer.status_code,
            # As text: PostgreSQL keeps an object in an order of its own.
            body=JSONRenderer().render(answer.data).decode() or "null",
        )


def idempotent(
    request: Request, *, about: str, act: Callable[[], Response], required: bool = False
) -> Response:
    """The answer of `act`, or the one stored for this caller, key and subject.

    The answer is stored in the transaction of the write, and only if it is 2xx. Without a key `act`
    is just done.

    Raises Problem 400 where the key is no UUID, or is `required` and not there, and 422 where it
    came with something else before; and whatever `act` raises.
    """
    key = idempotency_key(request, required=required)
    if key is None or not isinstance(request.user, User):
        with transaction.atomic():
            return act()
    # The club comes first, so that erasing somebody there can delete what is stored.
    space: str = request.parser_context["view"].key_space
    keyed = _KeyedRequest(request.user, f"{space} {about}", key, _body_hash(request))
    try:
        return _run_once(keyed, act)
    except (DomainError, IntegrityError, Problem):
        # The same request may have been answered at the same moment, by another process.
        answer = keyed.answered()
        if answer is None:
            raise
        return answer


def idempotency_key(request: Request, *, required: bool = True) -> uuid.UUID | None:
    """The request's Idempotency-Key; None where there is none and none is `required`.

    Raises Problem 400.
    """
    given = request.headers.get(KEY_HEADER)
    if given is None and not required:
        return None
    try:
        return uuid.UUID(given or "")
    except ValueError:
        message = "Send an Idempotency-Key: a UUID of your own making, a new one for each write."
        code = "key_missing" if given is None else "bad_key"
        raise Problem(400, code, message) from None


@transaction.atomic
def _run_once(keyed: _KeyedRequest, act: Callable[[], Response]) -> Response:
    if before := keyed.answered():
        return before
    answer = act()
    if answer.status_code < 300:
        keyed.keep(answer)
    return answer


def _body_hash(request: Request) -> str:
    """The same for the same method, address and content, however that is spaced and ordered."""
    content = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    request_text = f"{request.method} {request.get_full_path()} {content}"
    return hashlib.sha256(request_text.encode()).hexdigest()
