"""What logging in leaves behind and asks for: open sessions, codes, recovery codes and passkeys."""

from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from clubs.models.user import User


class LoginSession(AbstractBaseSession):
    """A session of a browser, with the user who is logged in there, if anybody is.

    `seen_at` is coarse: it is stored at most once in `SEEN_EVERY`. Backups leave sessions out.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    seen_at = models.DateTimeField(default=timezone.now)

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class CodeSecret(models.Model):
    """The secret from which somebody's telephone makes codes (TOTP), encrypted with the server's
    key. `last_step` is the half minute of the last code that was used: no code works twice."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="code_secret")
    secret = models.CharField(max_length=200, editable=False)
    last_step = models.PositiveBigIntegerField(default=0, editable=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(secret=""), name="code_secret_is_there"),
        ]

    def __str__(self) -> str:
        return f"codes of {self.user}"


class RecoveryCode(models.Model):
    """The hash of a code that logs somebody in once without telephone or passkey; a code that was
    used is deleted."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    code_hash = models.CharField(max_length=64, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "code_hash"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user}"


class Passkey(models.Model):
    """A key in somebody's telephone, computer or USB stick (WebAuthn) that logs them in.

    `credential` is its public half with its id, as the authenticator gave it; `sign_count` is its
    own count of how often it was used, 0 where it keeps none.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=60)
    credential_id = models.CharField(max_length=1400, unique=True, editable=False)
    credential = models.BinaryField()
    sign_count = models.PositiveBigIntegerField(default=0, editable=False)
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="passkey_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


def has_second_factor(user: User) -> bool:
    """Whether logging in with a password asks for something more: a code or a passkey."""
    return (
        CodeSecret.objects.filter(user=user).exists() or Passkey.objects.filter(user=user).exists()
    )
