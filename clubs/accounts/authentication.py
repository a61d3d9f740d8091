"""Who a program asks for: a personal token, or the session of who is logged in."""

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services import token_find
from clubs.models import ApiToken, User

SCHEME = "Token"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Token …`; `request.auth` is the token. No token is nobody, a wrong one is
    refused (401) even where nobody needs one."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, __, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME.lower().encode():
            return None
        token = token_find(secret.strip().decode("latin-1"))
        if token is None:
            raise AuthenticationFailed(
                "This token opens nothing: it is wrong, withdrawn or out of date.", "bad_token"
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME
