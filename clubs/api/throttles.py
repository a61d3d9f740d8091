"""Rate limits of the API, counted over all processes and servers together."""

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.http.middleware import network_of
from clubs.limits.table import allowed, allowed_from, seconds_left
from clubs.models import User

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
