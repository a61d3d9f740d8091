"""Forms for logging in, one's own login, and a club's team."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm, SetPasswordMixin
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Invitation, Role, User
from clubs.models.user import SCOPES

LONGEST_ADDRESS = 254
SCOPE_WORDS = {
    "read": _("Read what the desk shows"),
    "deals": _("Write deals at the tables"),
    "evening": _("Run evenings: who is there, the draw, rounds, closing and publishing"),
    "members": _("Change members, seasons and the club"),
    "leagues": _("Run the leagues that you lead"),
}


class NameForm(forms.Form):
    name = forms.CharField(
        label=_("Your name"), max_length=100, widget=forms.TextInput({"autocomplete": "name"})
    )


class SureForm(forms.Form):
    """Asks for the current password, so that an unattended screen is not enough.

    A wrong password counts towards the lock.
    """

    current = forms.CharField(
        label=_("Your password now"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, request: HttpRequest) -> None:
        self.request = request
        super().__init__(data)

    def clean_current(self) -> str:
        current: str = self.cleaned_data["current"]
        user = self.request.user
        known = isinstance(user, User) and authenticate(
            self.request, username=user.email, password=current
        )
        if not known:
            raise ValidationError(_("This is not your password."), code="wrong_password")
        return current


class EmailChangeForm(SureForm):
    email = forms.EmailField(
        label=_("New e-mail address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ["email", "current"]


class _Twice(SetPasswordMixin):  # type: ignore[type-arg]
    """A password, typed twice; what is wrong with it stands at the first, in our own words."""

    FIRST = "password1"
    error_messages = {
        "password_mismatch": _("The two passwords are not the same. Type both once more.")
    }

    def validate_password_for_user(self, user: User, password_field_name: str = "") -> None:
        super().validate_password_for_user(user, self.FIRST)


def _twice(label: Any) -> tuple[forms.CharField, forms.CharField]:
    first, second = SetPasswordMixin.create_password_fields(
        label1=label, label2=_("The same password again")
    )
    first.help_text = _(
        "At least 8 characters. Not your name or e-mail address, and none that many people use."
    )
    second.help_text = ""
    return first, second


class NewPasswordForm(_Twice, SetPasswordForm):  # type: ignore[type-arg]
    """Another password for one's login."""

    FIRST = "new_password1"
    new_password1, new_password2 = _twice(_("New password"))


class PasswordForm(SureForm, NewPasswordForm):
    """Another password, typed twice."""

    field_order = ["current", "new_password1", "new_password2"]

    def __init__(self, data: Mapping[str, Any] | None, *, request: HttpRequest, user: User) -> None:
        self.request = request
        SetPasswordForm.__init__(self, user, data)


class TokenForm(SureForm):
    """A token for a program: what for, what it may do, until when."""

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=60,
        help_text=_("So that you recognise it, for example: scores on our own website."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=[(scope, SCOPE_WORDS[scope]) for scope in SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        help_text=_("Never more than you may do yourself."),
    )
    until = forms.DateField(
        label=_("Until and including"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Empty: until you withdraw it."),
    )
    club = forms.ModelChoiceField(
        label=_("Only for one club?"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=_("No, for all my clubs"),
    )
    networks = forms.CharField(
        label=_("Only from these addresses?"),
        max_length=1_000,
        required=False,
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
        help_text=_(
            "Of the computer where the program runs, with commas between them, for example "
            "192.0.2.7, 2001:db8::/32. Empty: from everywhere."
        ),
    )
    field_order = ["name", "scopes", "until", "club", "networks", "current"]

    def __init__(self, data: Mapping[str, Any] | None, *, request: HttpRequest, user: User) -> None:
        super().__init__(data, request=request)
        clubs = self.fields["club"]
        clubs.queryset = Club.objects.filter(roles__user=user).order_by("name")  # type: ignore[attr-defined]

    @property
    def expires_at(self) -> dt.datetime | None:
        """The midnight after the last day."""
        until: dt.date | None = self.cleaned_data["until"]
        if until is None:
            return None
        return timezone.make_aware(dt.datetime.combine(until + dt.timedelta(days=1), dt.time.min))

    def clean_until(self) -> dt.date | None:
        until: dt.date | None = self.cleaned_data["until"]
        if until is not None and not timezone.localdate() <= until <= _LAST_DAY:
            raise ValidationError(_("Choose a day that is still to come."), code="bad_day")
        return until


_LAST_DAY = dt.date(2999, 12, 31)


class JoinForm(_Twice, forms.Form):
    """A name and a password, for an invited person without a login."""

    name = forms.CharField(
        label=_("Your name"), max_length=100, widget=forms.TextInput({"autocomplete": "name"})
    )
    password1, password2 = _twice(_("Choose a password"))

    def __init__(self, data: Mapping[str, Any] | None, *, invitation: Invitation) -> None:
        self.invitation = invitation
        super().__init__(data, initial={"name": invitation.name})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.validate_passwords()
        self.validate_password_for_user(
            User(email=self.invitation.email, name=cleaned.get("name", ""))
        )
        return cleaned


class LoginForm(AuthenticationForm):
    """E-mail address and password; capitals in the address do not matter."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not belong together."),
        "inactive": _("This login is no longer in use."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autocomplete": "username", "autofocus": True, "maxlength": LONGEST_ADDRESS}
        )
        self.fields["password"].label = _("Password")

    def clean(self) -> dict[str, Any]:
        # Only the browser knows of `maxlength`, and SQLite refuses to look for megabytes.
        if len(self.cleaned_data.get("username", "")) > LONGEST_ADDRESS:
            raise self.get_invalid_login_error()
        return super().clean()


class EmailForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )


TASKS = [
    (Role.Kind.ORGANISER, _("Organiser: everything, members and settings too")),
    (Role.Kind.DIRECTOR, _("Director: prepare and lead evenings")),
    (Role.Kind.SCOREKEEPER, _("Scorekeeper: only enter deals")),
]


class RoleForm(forms.Form):
    """The role of somebody in the team."""

    kind = forms.ChoiceField(
        label=_("What may this person do?"), choices=TASKS, widget=forms.RadioSelect
    )


class InviteForm(RoleForm):
    """An invitation to the team."""

    name = forms.CharField(label=_("Name"), max_length=100, required=False)
    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        help_text=_("With this the person logs in. You get a link to pass on."),
    )
    field_order = ["name", "email", "kind"]


class UnlikeOneself(UserAttributeSimilarityValidator):
    """Not like one's name or address; Django's words for it are no Dutch."""

    def __init__(self) -> None:
        super().__init__(user_attributes=("name", "email"))

    def get_error_message(self) -> str:
        return gettext("This password is too much like your name or your e-mail address.")


class Uncommon(CommonPasswordValidator):
    """None that everybody chooses; Django's words for it do not say why that matters."""

    def get_error_message(self) -> str:
        return gettext("Many people use this password, so it is easy to guess.")


class LongEnough(MinimumLengthValidator):
    """Of at least eight characters; Django's words for it have no Dutch."""

    def get_error_message(self) -> str:
        return gettext("This password is too short: it needs at least %(n)s characters.") % {
            "n": self.min_length
        }
