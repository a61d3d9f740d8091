"""Writes that are done once, however often they are asked for."""

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

from clubs.api.problems import Problem
from clubs.errors import DomainError
from clubs.models import ApiAnswer, Club, User

KEPT_FOR = timedelta(days=30)
HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who asked for what under which key."""

    caller: User
    about: str
    key: uuid.UUID
    body_hash: str

    def answered(self) -> Response | None:
        """What this was answered before, or None. Raises Problem 422 when it was something else."""
        mine = ApiAnswer.objects.filter(caller=self.caller, about=self.about, key=self.key)
        kept = mine.first()
        if kept is None:
            return None
        if kept.body_hash != self.body_hash:
            message = "This Idempotency-Key was used before, for something else."
            raise Problem(422, "key_reused", message)
        return Response(json.loads(str(kept.body)), kept.status, headers={REPLAYED: "true"})

    def keep(self, answer: Response) -> None:
        """Remember what this is answered, and forget what this caller asked long ago."""
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


def once(
    request: Request, *, about: str, act: Callable[[], Response], required: bool = False
) -> Response:
    """What `act` answers, or what it answered this caller before under this key about this thing.

    What it answers is kept in the same transaction as what it writes, and only where it is 2xx.
    Without a key it is just done.

    Raises Problem 400 where the key is no UUID, or is `required` and not there, and 422 where it
    came with something else before; and whatever `act` raises.
    """
    key = asked_key(request, required=required)
    if key is None or not isinstance(request.user, User):
        with transaction.atomic():
            return act()
    # The club in front, so that who is erased there can be taken out of what is kept.
    club: Club = request.parser_context["view"].club
    asked = _Asked(request.user, f"{club.uuid} {about}", key, _body_hash(request))
    try:
        return _once(asked, act)
    except (DomainError, IntegrityError, Problem):
        # The same request may have been answered at the same moment, by another process.
        answer = asked.answered()
        if answer is None:
            raise
        return answer


def asked_key(request: Request, *, required: bool = True) -> uuid.UUID | None:
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
def _once(asked: _Asked, act: Callable[[], Response]) -> Response:
    if before := asked.answered():
        return before
    answer = act()
    if answer.status_code < 300:
        asked.keep(answer)
    return answer


def _body_hash(request: Request) -> str:
    """The same for the same method, address and content, however that is spaced and ordered."""
    content = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    payload = f"{request.method} {request.get_full_path()} {content}"
    return hashlib.sha256(payload.encode()).hexdigest()
