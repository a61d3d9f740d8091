"""Every way in ends here: whoever has a second factor is asked for it before they are logged in;
and requests of the API come with a token."""

import time
from typing import TypedDict, cast

from django.contrib.auth import login
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services import api_token_find, api_token_seen
from clubs.http.middleware import is_within
from clubs.models import ApiToken, User, has_second_factor

PENDING = "pending_login"
"""Session key of a login that waits for the second factor."""
PENDING_SECONDS = 300
BACKEND = "django.contrib.auth.backends.ModelBackend"


class PendingLogin(TypedDict):
    """Who gave the right password, when, and where they go next. `hash` changes with the password,
    and when they log out everywhere."""

    user: int
    hash: str
    next: str
    at: float


def log_in(request: HttpRequest, user: User, next_url: str) -> str:
    """Log in somebody who showed one factor; returns where they go now.

    With a second factor they are not logged in yet: the session holds the pending login, for five
    minutes, and opens no page but the one that asks for the code or the passkey.
    """
    if not has_second_factor(user):
        login(request, user, BACKEND)
        return next_url
    request.session.flush()
    request.session[PENDING] = PendingLogin(
        user=user.pk, hash=user.get_session_auth_hash(), next=next_url, at=time.time()
    )
    return reverse("login_step")


def pending_login(request: HttpRequest) -> PendingLogin | None:
    """The login that this session waits to complete, or None; what is out of date is forgotten."""
    pending = cast(PendingLogin | None, request.session.get(PENDING))
    if pending is None:
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    is_over = not 0 <= time.time() - pending["at"] < PENDING_SECONDS
    if is_over or user is None or not _is_of(pending, user):
        del request.session[PENDING]
        return None
    return pending


def log_in_fully(request: HttpRequest, user: User) -> None:
    """Log in somebody who showed both factors."""
    request.session.pop(PENDING, None)
    login(request, user, BACKEND)


def _is_of(pending: PendingLogin, user: User) -> bool:
    return constant_time_compare(pending["hash"], user.get_session_auth_hash())


SCHEME = "Token"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token …`; `request.auth` is the token. Without a token the request is
    anonymous; a wrong token is refused (401) even on public addresses, and so is a token that is
    limited to other networks than that of the caller."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, __, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME.lower().encode():
            return None
        token = api_token_find(secret.strip().decode("latin-1"))
        if token is None:
            raise AuthenticationFailed(
                "This token opens nothing: it is wrong, withdrawn or out of date.", "bad_token"
            )
        if token.networks and not is_within(request.META.get("REMOTE_ADDR", ""), token.networks):
            raise AuthenticationFailed(
                "This token works from other addresses only.", "not_from_here"
            )
        api_token_seen(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME
