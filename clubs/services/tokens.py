"""Personal tokens: what programs show in place of a login."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import ApiToken, User
from clubs.models.api import SCOPES, SEEN_EVERY, secret_hash, secret_make
from clubs.services._people_audit import audit_at_own_clubs

NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class TokenMade:
    """A new token with its secret, which is kept nowhere: show it now or never."""

    token: ApiToken
    secret: str


@transaction.atomic
def token_make(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    actor: Actor,
    expires_at: dt.datetime | None = None,
) -> TokenMade:
    """A new token of somebody, for some of `SCOPES`; without an end it is good till withdrawn.

    Raises DomainError `name_missing`, `bad_name`, `bad_scopes` or `already_expired`.
    """
    name, asked = " ".join(name.split()), set(scopes)
    _require_name(name)
    if not asked or not asked <= set(SCOPES):
        raise DomainError("bad_scopes", _("Choose at least one thing that it may be used for."))
    if expires_at is not None and expires_at <= timezone.now():
        raise DomainError("already_expired", _("Choose a day that is still to come."))
    secret = secret_make()
    token = ApiToken.objects.create(
        user=user,
        name=name,
        secret_hash=secret_hash(secret),
        hint=secret[:4],
        scopes=[scope for scope in SCOPES if scope in asked],
        expires_at=expires_at,
    )
    _audit(token, actor, "token_made")
    return TokenMade(token, secret)


@transaction.atomic
def token_revoke(*, token: ApiToken, actor: Actor) -> None:
    """Withdraw a token: from now on it opens nothing. Once withdrawn it stays so."""
    withdrawn = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if withdrawn.update(revoked_at=timezone.now()):
        _audit(token, actor, "token_revoked")


def token_find(secret: str) -> ApiToken | None:
    """The valid token with this secret, its `user` read along; None when it opens nothing.

    Notes that it was seen, at most once in `SEEN_EVERY`, so that reading writes hardly ever.
    """
    found = ApiToken.objects.select_related("user").filter(secret_hash=secret_hash(secret)).first()
    if found is None or not found.is_valid or not found.user.is_active:
        return None
    now = timezone.now()
    if found.seen_at is None or found.seen_at <= now - SEEN_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(seen_at=now)
    return found


def _require_name(name: str) -> None:
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > NAME_LENGTH:
        raise DomainError("bad_name", _("Use at most %d characters.") % NAME_LENGTH)


def _audit(token: ApiToken, actor: Actor, action: str) -> None:
    audit_at_own_clubs(
        user=token.user,
        actor=actor,
        action=action,
        data={"token": token.pk, "scopes": token.scopes},
        texts={"who": str(token.user), "name": token.name},
    )
