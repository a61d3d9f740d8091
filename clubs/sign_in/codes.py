"""Codes of six digits that a telephone makes (TOTP), and the recovery codes beside a second factor.

The secret is stored encrypted with the server's key, of recovery codes only hashes are. And whether
a club asks its organisers for a second factor.
"""

import base64
import secrets
import time
from typing import TYPE_CHECKING

import pyotp
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.accounts.services import audit_at_own_clubs
from clubs.audit.services import Actor, event_append
from clubs.limits.table import CODES, CODES_A_DAY
from clubs.models import Club, CodeSecret, Passkey, RecoveryCode, User, has_second_factor
from clubs.models.user import secret_hash
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

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
