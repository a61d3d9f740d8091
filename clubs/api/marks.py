"""Versions of what has no number of its own: a mark of what can be changed."""

import json
from collections.abc import Callable

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count, Sum
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from clubs.api.etags import seen_version
from clubs.api.problems import Problem
from clubs.models import Club


def mark_of(state: object) -> str:
    """The same as long as all of this is the same; nobody can guess from it what that is."""
    payload = json.dumps(state, sort_keys=True, cls=DjangoJSONEncoder)
    return salted_hmac("api-mark", payload).hexdigest()[:16]


def people_mark(club: Club) -> str:
    """Another one whenever anybody of the club is called otherwise, or is not to be read about.
    One query."""
    return "-".join(
        str(one) for one in club.members.aggregate(Count("pk"), Sum("version")).values()
    )


def require_mark(request: Request, stands: str, show: Callable[[], object]) -> None:
    """Let a write through that names the version that `stands`; to be called under a lock.

    Raises Problem 409 with what `show` shows where it names another, 422 where it names none.
    """
    if seen_version(request) != stands:
        message = "Somebody else changed this in the meantime."
        raise Problem(409, "version_conflict", message, current=show())
