"""Idempotency-Key: a write is done once, however often it is requested."""

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.problems import Problem
from clubs.models import ApiAnswer, User
from clubs.text.errors import DomainError

KEPT_FOR = timedelta(days=30)
HEADER = "Idempotency-Key"
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
        long_ago = timezone.now() - KEPT_FOR
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
    given = request.headers.get(HEADER)
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
