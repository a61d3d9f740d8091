import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A person who can log in; without a password only a set-password link lets them in."""
        user = self.model(email=self.normalize_email(email).strip(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """Somebody with a login: organisers, directors and scorekeepers. Players need none."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=100, blank=True)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(auto_now_add=True)
    # Raised when the user logs out everywhere; every session of theirs is checked against it.
    logins_version = models.PositiveIntegerField(default=0, editable=False)
    # Limits mails, so that nobody can fill another's mailbox.
    password_mailed_at = models.DateTimeField(null=True, editable=False)
    # When it was shown that whoever has this login reads the mail of its address.
    email_proved_at = models.DateTimeField(null=True, editable=False)
    # The address that takes the place of `email` once that is shown of it.
    email_wanted = models.EmailField(blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_without_regard_to_case"),
            models.CheckConstraint(
                condition=~Q(email_wanted=F("email")), name="user_email_wanted_is_another"
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        of_password: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        return f"{of_password}{self.logins_version or ''}"


SCOPES = ("read", "deals", "evening", "members", "leagues")
SEEN_EVERY = timedelta(hours=1)


class ApiToken(models.Model):
    """What a program sends instead of a login: a user's own token, limited to some scopes.

    Only a hash of the secret is stored. `scopes` says which of `SCOPES` it is for: reading what the
    desk shows, writing deals, running evenings, keeping members and seasons, running leagues. With
    a `club` it has no task at any other, and with `networks` it works from those alone.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("what is it for?"), max_length=60)
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=6, editable=False)
    scopes = models.JSONField(default=list)
    club = models.ForeignKey("Club", on_delete=models.CASCADE, null=True, related_name="+")
    networks = models.JSONField(default=list)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(scopes=[]), name="api_token_has_scopes"),
            models.CheckConstraint(condition=~Q(name=""), name="api_token_has_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def is_valid(self) -> bool:
        """Whether it works now: not revoked, not expired."""
        is_over = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.revoked_at is None and not is_over


def secret_make() -> str:
    """A new secret of 240 bits, to be shown once."""
    return secrets.token_urlsafe(30)


def secret_hash(secret: str) -> str:
    """The stored hash of a secret; as secrets are random, one pass of SHA-256 suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


class ApiAnswer(models.Model):
    """The response to a write through the API, so that a repeat of its key writes nothing.

    `about` is the scope of the key, such as one sheet; `body_hash` shows whether the request is the
    same. Stored in the transaction of the write, and only for 2xx.
    """

    caller = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    about = models.CharField(max_length=200)
    key = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["caller", "about", "key"], name="api_answer_once_per_caller_and_key"
            ),
            models.CheckConstraint(
                condition=Q(status__gte=200, status__lt=300), name="api_answer_was_successful"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about}: {self.status}"


class ApiCount(models.Model):
    """The number of requests that all servers together let through for one client in a minute, or
    in a longer span.

    `who` is a keyed hash of the client; `minute`, counted from 1970, is when the span is over;
    `taken` rises by the portions that processes hand out.
    """

    who = models.CharField(max_length=64)
    minute = models.PositiveIntegerField(db_index=True)
    taken = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["who", "minute"], name="api_count_once_per_minute"),
        ]

    def __str__(self) -> str:
        return f"{self.minute}: {self.taken}"


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
