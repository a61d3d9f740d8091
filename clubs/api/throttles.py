"""How often somebody may ask, counted over all processes and servers together."""

import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.http.middleware import network_of
from clubs.models import ApiCount, User

if TYPE_CHECKING:
    from rest_framework.views import APIView

MINUTE = 60
PORTIONS = 20
NO_MORE = -(10**9)


class ApiThrottle(BaseThrottle):
    """So many requests a minute: of one caller, or of one address where nobody is logged in."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if isinstance(request.user, User):
            return allowed(f"user {request.user.pk}", settings.API_LIMITS["caller"])
        return allowed(f"address {self.network(request)}", settings.API_LIMITS["anybody"])

    def network(self, request: Request) -> str:
        """Where it comes from."""
        return network_of(self.get_ident(request) or "")

    def wait(self) -> float:
        """In how many seconds the next minute begins."""
        return MINUTE - time.time() % MINUTE


class AddressThrottle(ApiThrottle):
    """So many requests a minute of one address for one thing, named by `about`."""

    about: str

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return allowed(f"{self.about} {self.network(request)}", settings.API_LIMITS[self.about])


def allowed(who: str, limit: int) -> bool:
    """Whether `who` may ask once more in this minute.

    Each process takes a portion of the limit from the database and hands that out itself, so that
    most requests cost nothing and never more than the limit are let through.
    """
    minute = int(time.time()) // MINUTE
    # No address is kept: only what comes of it and the secret key.
    hashed = salted_hmac("api-count", who).hexdigest()
    key = f"api-{hashed}-{minute}"
    try:
        left = caches["small"].decr(key)
    except ValueError:
        left = -1
    if left >= 0 or left <= NO_MORE // 2:
        return left >= 0
    portion = _portion(hashed, minute, limit)
    caches["small"].set(key, portion - 1 if portion else NO_MORE, 2 * MINUTE)
    return portion > 0


def _portion(who: str, minute: int, limit: int) -> int:
    """How many more requests this process may let through; 0 when the limit is reached."""
    count = ApiCount.objects.filter(who=who, minute=minute)
    whole = max(1, limit // PORTIONS)
    with transaction.atomic():
        if ApiCount.objects.get_or_create(who=who, minute=minute)[1]:
            ApiCount.objects.filter(minute__lt=minute - 1).delete()
        for size in (whole, 1):
            if count.filter(taken__lte=limit - size).update(taken=F("taken") + size):
                return size
    return 0
