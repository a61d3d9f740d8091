"""Passkeys (WebAuthn): made in a browser for this server's host, and used to log in.

Each asks for its owner's finger, face or PIN, so it counts as both factors. A challenge is kept in
the session and used once. The library is loaded with the first of them: with what it needs it is a
tenth of a server's memory.
"""

import json
import struct
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.accounts.services import audit_at_own_clubs
from clubs.audit.services import Actor
from clubs.http.network import is_own_origin, passkey_host
from clubs.models import Passkey, User, has_second_factor
from clubs.sign_in.codes import recovery_codes_make, recovery_codes_tidy
from clubs.text.errors import DomainError

if TYPE_CHECKING:
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestedCredentialData, AuthenticatorData

CHALLENGE = "passkey_challenge"
CHALLENGE_SECONDS = 300
AT_MOST = 20
LONGEST_ANSWER = 50_000
LONGEST_ID = 1023
"""In bytes, as WebAuthn has it."""
_PARTS = "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"
_UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    OverflowError,
    RecursionError,
    NotImplementedError,
    struct.error,
)
"""What fido2 and json raise for an answer that no browser would send, or that is not right."""


def creation_options(user: User, session: SessionBase) -> dict[str, Any]:
    """What the browser is asked to make a passkey of, with a new challenge."""
    from fido2.webauthn import (
        PublicKeyCredentialUserEntity,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options, state = _server().register_begin(
        PublicKeyCredentialUserEntity(id=user.uuid.bytes, name=user.email, display_name=str(user)),
        [_credential(passkey) for passkey in user.passkeys.all()],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    _keep(session, state, "create")
    return dict(options.public_key)


def request_options(user: User | None, session: SessionBase) -> dict[str, Any]:
    """What the browser is asked to show a passkey by, with a new challenge: one of `user`, else any
    that it has for this server."""
    from fido2.webauthn import UserVerificationRequirement

    known = None if user is None else [_credential(passkey) for passkey in user.passkeys.all()]
    options, state = _server().authenticate_begin(
        known, user_verification=UserVerificationRequirement.REQUIRED
    )
    _keep(session, state, "get")
    return dict(options.public_key)


def passkey_add(
    *, user: User, name: str, answer: str, session: SessionBase, actor: Actor
) -> list[str]:
    """Add the passkey that the browser made. Returns new recovery codes where this is the first
    second factor.

    Raises DomainError `bad_passkey`, `name_missing` or `too_many_passkeys`.
    """
    made = _made(session, answer)
    name = " ".join(name.split())
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.passkeys.count() >= AT_MOST:
            raise DomainError(
                "too_many_passkeys", _("You have %d passkeys. Remove one first.") % AT_MOST
            )
        is_first = not has_second_factor(user)
        _audit(_stored(user, name, made), actor, "passkey_added")
        return recovery_codes_make(user=user, actor=actor) if is_first else []


@transaction.atomic
def passkey_remove(*, passkey: Passkey, actor: Actor) -> None:
    """Remove a passkey: it logs nobody in any more. A repeat changes nothing."""
    if Passkey.objects.filter(pk=passkey.pk).delete()[0]:
        _audit(passkey, actor, "passkey_removed")
        recovery_codes_tidy(passkey.user)


def passkey_use(*, answer: str, session: SessionBase) -> User:
    """The person whose passkey the browser showed, and who proved to be there.

    Raises DomainError `bad_passkey`; also where its count went back, so that somebody copied it.
    """
    from fido2.utils import websafe_encode
    from fido2.webauthn import AuthenticationResponse

    state = _challenge(session, "get")
    try:
        response = AuthenticationResponse.from_dict(_parsed(answer))
        passkey = Passkey.objects.select_related("user").get(
            credential_id=websafe_encode(response.raw_id), user__is_active=True
        )
        _server().authenticate_complete(state, [_credential(passkey)], response)
    except (*_UNREADABLE, Passkey.DoesNotExist) as error:
        raise _bad_passkey() from error
    shown = response.response
    is_owners = not shown.user_handle or shown.user_handle == passkey.user.uuid.bytes
    if not is_owners or not _counted(passkey, shown.authenticator_data.counter):
        raise _bad_passkey()
    return passkey.user


def _counted(passkey: Passkey, count: int) -> bool:
    """Store the count of a use; False where it does not rise. Some keep none: always 0."""
    follows = Q(sign_count__lt=count) if count else Q(sign_count=0)
    rows = Passkey.objects.filter(follows, pk=passkey.pk)
    return bool(rows.update(sign_count=count, used_at=timezone.now()))


def _stored(user: User, name: str, made: "AuthenticatorData") -> Passkey:
    """The new passkey. Raises DomainError `bad_passkey`; also where somebody has it already."""
    from fido2.utils import websafe_encode

    credential = made.credential_data
    if credential is None or len(credential.credential_id) > LONGEST_ID:
        raise _bad_passkey()
    content = {"user": user, "name": name, "sign_count": made.counter}
    passkey, is_new = Passkey.objects.get_or_create(
        credential_id=websafe_encode(credential.credential_id),
        defaults={**content, "credential": bytes(credential)},
    )
    if not is_new:
        raise _bad_passkey()
    return passkey


def _made(session: SessionBase, answer: str) -> "AuthenticatorData":
    state = _challenge(session, "create")
    try:
        return _server().register_complete(state, _parsed(answer))
    except _UNREADABLE as error:
        raise _bad_passkey() from error


def _parsed(answer: str) -> Mapping[str, Any]:
    """The parts of an answer that are used, all of them texts: of a number fido2 would make as many
    bytes as it says."""
    if len(answer) > LONGEST_ANSWER:
        raise ValueError("too long")
    parsed = json.loads(answer)
    parts = {name: parsed["response"].get(name) for name in _PARTS}
    used = {name: part for name, part in parts.items() if part is not None}
    texts = [parsed["id"], parsed["rawId"], *used.values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("not a text")
    return {"id": parsed["id"], "rawId": parsed["rawId"], "response": used}


def _keep(session: SessionBase, state: Mapping[str, Any], purpose: str) -> None:
    session[CHALLENGE] = {
        "challenge": state["challenge"],
        "user_verification": "required",
        "purpose": purpose,
        "at": time.time(),
    }


def _challenge(session: SessionBase, purpose: str) -> Mapping[str, Any]:
    """The challenge of this session, which is then gone. Raises DomainError `bad_passkey`."""
    state: Mapping[str, Any] | None = session.pop(CHALLENGE, None)
    if state is None or state["purpose"] != purpose:
        raise _bad_passkey()
    if not 0 <= time.time() - state["at"] < CHALLENGE_SECONDS:
        raise _bad_passkey()
    return state


def _server() -> "Fido2Server":
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    rp = PublicKeyCredentialRpEntity(id=passkey_host(), name="Klaverclub")
    return Fido2Server(rp, verify_origin=is_own_origin)


def _credential(passkey: Passkey) -> "AttestedCredentialData":
    from fido2.webauthn import AttestedCredentialData

    return AttestedCredentialData(bytes(passkey.credential))


def _bad_passkey() -> DomainError:
    return DomainError("bad_passkey", _("That did not work with the passkey. Try once more."))


def _audit(passkey: Passkey, actor: Actor, action: str) -> None:
    audit_at_own_clubs(
        user=passkey.user,
        actor=actor,
        action=action,
        texts={"who": str(passkey.user), "name": passkey.name},
    )
