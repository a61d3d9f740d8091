"""Second factors: codes of six digits that a telephone makes (TOTP), with recovery codes beside
them, and passkeys (WebAuthn), made in a browser for this server's host and used to log in.

The secret of codes is stored encrypted with the server's key, of recovery codes only hashes are. A
passkey asks for its owner's finger, face or PIN, so it counts as both factors; a challenge is kept
in the session and used once. The library for them is loaded with the first: with what it needs it
is a tenth of a server's memory.
"""

import base64
import json
import secrets
import struct
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyotp
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.accounts.services import audit_at_own_clubs
from clubs.audit.services import Actor, event_append
from clubs.http.network import is_own_origin, passkey_host
from clubs.limits.table import CODES, CODES_A_DAY
from clubs.models import Club, CodeSecret, Passkey, RecoveryCode, User, has_second_factor
from clubs.models.user import secret_hash
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError

if TYPE_CHECKING:
    from cryptography.fernet import Fernet
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestedCredentialData, AuthenticatorData


ISSUER = "Klaverclub"
STEP = 30
RECOVERY_CODES = 10
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters and digits that look alike; sixteen of them are 80 bits."""
RECOVERY_LENGTH = 16


def secret_new() -> str:
    """A new secret for a telephone, which becomes somebody's with `codes_set_up`."""
    return pyotp.random_base32()


def setup_url(user: User, secret: str) -> str:
    """What the QR code says to the app on the telephone."""
    return pyotp.TOTP(secret, name=user.email, issuer=ISSUER).provisioning_uri()


def in_fours(text: str) -> str:
    """A secret or a code in groups of four, to be typed over.

    >>> in_fours("ABCDEFGH")
    'ABCD EFGH'
    """
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def codes_set_up(*, user: User, secret: str, code: str, actor: Actor) -> list[str]:
    """From now on logging in asks this person for a code; `code` shows that their telephone has the
    secret. Returns new recovery codes where this is their first second factor.

    Raises DomainError `wrong_code`, `too_many_tries`, or `codes_are_on`.
    """
    _require_turn(user)
    step = _step_of(secret, code)
    if step is None:
        raise _wrong_code()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if CodeSecret.objects.filter(user=user).exists():
            raise DomainError("codes_are_on", _("Codes are on already."))
        is_first = not has_second_factor(user)
        CodeSecret.objects.create(user=user, secret=_encrypted(secret), last_step=step)
        _audit(user, actor, "codes_set_up")
        return recovery_codes_make(user=user, actor=actor) if is_first else []


def codes_turn_off(*, user: User, code: str, actor: Actor) -> None:
    """Logging in asks for no code any more. Raises DomainError `wrong_code` or `too_many_tries`."""
    code_use(user=user, code=code)
    with transaction.atomic():
        CodeSecret.objects.filter(user=user).delete()
        _audit(user, actor, "codes_turned_off")
        recovery_codes_tidy(user)


def code_use(*, user: User, code: str) -> None:
    """Use up a code of the telephone, or a recovery code: neither works again.

    Raises DomainError `wrong_code`; or `too_many_tries`, after ten in a quarter of an hour or fifty
    in a day, from wherever. Not inside a transaction: what is refused must stay counted.
    """
    _require_turn(user)
    typed = "".join(code.split()).replace("-", "").upper()
    if not (_telephone_code_used(user, typed) or _recovery_code_used(user, typed)):
        raise _wrong_code()


@transaction.atomic
def recovery_codes_make(*, user: User, actor: Actor) -> list[str]:
    """Ten new recovery codes in place of the old ones; they can only be shown now."""
    codes = [
        "".join(secrets.choice(LETTERS) for _letter in range(RECOVERY_LENGTH))
        for _code in range(RECOVERY_CODES)
    ]
    RecoveryCode.objects.filter(user=user).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=secret_hash(code)) for code in codes
    )
    _audit(user, actor, "recovery_codes_made")
    return codes


def recovery_codes_tidy(user: User) -> None:
    """Recovery codes go with the last second factor: without one nothing asks for them."""
    if not has_second_factor(user):
        RecoveryCode.objects.filter(user=user).delete()


@transaction.atomic
def second_factor_remove(*, user: User, actor: Actor) -> bool:
    """Take away the codes, recovery codes and passkeys of somebody who lost them all; whether there
    were any."""
    if not has_second_factor(user):
        return False
    for rows in (CodeSecret.objects, Passkey.objects, RecoveryCode.objects):
        rows.filter(user=user).delete()
    _audit(user, actor, "second_factor_removed")
    return True


def _telephone_code_used(user: User, code: str) -> bool:
    row = CodeSecret.objects.filter(user=user).first()
    secret = None if row is None else _decrypted(row.secret)
    step = None if secret is None else _step_of(secret, code)
    if step is None:
        return False
    return bool(CodeSecret.objects.filter(user=user, last_step__lt=step).update(last_step=step))


@transaction.atomic
def _recovery_code_used(user: User, code: str) -> bool:
    found = RecoveryCode.objects.filter(user=user, code_hash=secret_hash(code))
    if not found.delete()[0]:
        return False
    _audit(user, Actor.of_user(user), "recovery_code_used")
    return True


def _step_of(secret: str, code: str) -> int | None:
    """The half minute that this is the code of: the present one, or one earlier or later, for
    clocks that differ."""
    typed = "".join(code.split())
    now = int(time.time()) // STEP
    totp = pyotp.TOTP(secret)
    steps = (now - 1, now, now + 1)
    return next((s for s in steps if constant_time_compare(totp.generate_otp(s), typed)), None)


def _require_turn(user: User) -> None:
    login = f"code {user.pk}"
    if not CODES.allows(login) or not CODES_A_DAY.allows(login):
        raise DomainError(
            "too_many_tries",
            _("Too many codes were tried. Wait a quarter of an hour, or use a passkey."),
        )


def _wrong_code() -> DomainError:
    message = _(
        "This code is not right, or was used before. Wait for the next one. Is the clock of your "
        "phone right?"
    )
    return DomainError("wrong_code", message)


def _box() -> "Fernet":
    from cryptography.fernet import Fernet

    key = salted_hmac("clubs.sign_in.codes", "secret", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


def _encrypted(secret: str) -> str:
    return _box().encrypt(secret.encode()).decode()


def _decrypted(stored: str) -> str | None:
    """The secret; None where another server's key encrypted it, and recovery codes must do."""
    from cryptography.fernet import InvalidToken

    try:
        return _box().decrypt(stored.encode()).decode()
    except InvalidToken:
        return None


def _audit(user: User, actor: Actor, action: str) -> None:
    audit_at_own_clubs(user=user, actor=actor, action=action, texts={"who": str(user)})


@transaction.atomic
def second_factor_ask(*, club: Club, asks: bool, actor: Actor) -> None:
    """Ask organisers for a second factor, or no longer. A repeat changes nothing.

    Raises DomainError `no_second_factor` where whoever asks for it has none: they would shut
    themselves out.
    """
    if asks and (actor.user is None or not has_second_factor(actor.user)):
        raise DomainError("no_second_factor", _("Set up codes or a passkey for yourself first."))
    locked = club_lock(club.pk)
    if locked.asks_second_factor == asks:
        return
    locked.asks_second_factor = asks
    locked.save(update_fields=["asks_second_factor"])
    event_append(
        chain=locked,
        club=locked,
        actor=actor,
        action="second_factor_asked" if asks else "second_factor_not_asked",
        object_ref=f"club:{locked.uuid}",
    )


# Passkeys (WebAuthn).


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
        _audit_passkey(_stored(user, name, made), actor, "passkey_added")
        return recovery_codes_make(user=user, actor=actor) if is_first else []


@transaction.atomic
def passkey_remove(*, passkey: Passkey, actor: Actor) -> None:
    """Remove a passkey: it logs nobody in any more. A repeat changes nothing."""
    if Passkey.objects.filter(pk=passkey.pk).delete()[0]:
        _audit_passkey(passkey, actor, "passkey_removed")
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


def _audit_passkey(passkey: Passkey, actor: Actor, action: str) -> None:
    audit_at_own_clubs(
        user=passkey.user,
        actor=actor,
        action=action,
        texts={"who": str(passkey.user), "name": passkey.name},
    )
