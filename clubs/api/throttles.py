"""Rate limits, counted over all processes and servers together."""

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
    """A limit of requests a minute for one caller, or for one address without a login."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if isinstance(request.user, User):
            return allowed(f"user {request.user.pk}", settings.API_LIMITS["caller"])
        return allowed(f"address {self.network(request)}", settings.API_LIMITS["anybody"])

    def network(self, request: Request) -> str:
        """The network of the client."""
        return network_of(self.get_ident(request) or "")

    def wait(self) -> float:
        """Seconds until the next minute."""
        return MINUTE - time.time() % MINUTE


class AddressThrottle(ApiThrottle):
    """A limit of requests a minute from one address for one purpose, named by `about`."""

    about: str

    def allow_request(self, request: Request, view: "APIView") -> bool:
        return allowed(f"{self.about} {self.network(request)}", settings.API_LIMITS[self.about])


def allowed(client: str, limit: int, *, seconds: int = MINUTE) -> bool:
    """Whether `client` may do so once more in this minute, or in this span of so many seconds: a
    whole number of minutes, counted from 1970.

    Each process takes a portion of the limit from the database and hands it out itself: most
    requests need no query, and never more than the limit pass.
    """
    end = (int(time.time()) // seconds + 1) * seconds // MINUTE
    # No address is stored, only its keyed hash.
    hashed = salted_hmac("api-count", f"{client} {seconds}").hexdigest()
    key = f"api-{hashed}-{end}"
    try:
        left = caches["small"].decr(key)
    except ValueError:
        left = -1
    if left >= 0 or left <= NO_MORE // 2:
        return left >= 0
    portion = _portion(hashed, end, limit)
    caches["small"].set(key, portion - 1 if portion else NO_MORE, 2 * seconds)
    return portion > 0


def _portion(hashed: str, end: int, limit: int) -> int:
    """How many more requests this process may let through; 0 when the limit is reached."""
    count = ApiCount.objects.filter(who=hashed, minute=end)
    whole = max(1, limit // PORTIONS)
    with transaction.atomic():
        if ApiCount.objects.get_or_create(who=hashed, minute=end)[1]:
            ApiCount.objects.filter(minute__lt=int(time.time()) // MINUTE).delete()
        for size in (whole, 1):
            if count.filter(taken__lte=limit - size).update(taken=F("taken") + size):
                return size
    return 0
