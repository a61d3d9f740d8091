"""Authentication of API requests by personal token."""

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services import api_token_find, api_token_seen
from clubs.http.middleware import is_within
from clubs.models import ApiToken, User

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
