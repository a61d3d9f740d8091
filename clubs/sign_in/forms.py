"""Forms for the second step of logging in, and for setting it up."""

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.accounts.forms import SureForm

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_CODE = 40


def _code_field(label: "StrOrPromise", *, digits: bool) -> forms.CharField:
    kind = {"inputmode": "numeric"} if digits else {"autocapitalize": "characters"}
    attributes = {"autocomplete": "one-time-code", "spellcheck": "false", **kind}
    return forms.CharField(
        label=label, max_length=LONGEST_CODE, widget=forms.TextInput(attrs=attributes)
    )


class StepForm(forms.Form):
    """The code of the telephone."""

    code = _code_field(_("The code on your phone"), digits=True)


class RecoveryForm(forms.Form):
    """A recovery code."""

    code = _code_field(_("One of your recovery codes"), digits=False)


class CodesForm(SureForm):
    """The first code of a telephone that has the secret."""

    code = _code_field(_("The six digits on your phone"), digits=True)
    field_order = ["code", "current"]


class CodesOffForm(SureForm):
    """A last code, of the telephone or a recovery code."""

    code = _code_field(_("A code on your phone, or a recovery code"), digits=False)
    field_order = ["code", "current"]


class PasskeyForm(SureForm):
    """The name of a new passkey, with what the browser made."""

    name = forms.CharField(
        label=_("What do you call it?"),
        max_length=60,
        help_text=_("So that you recognise it, for example: my phone."),
    )
    credential = forms.CharField(widget=forms.HiddenInput, required=False)
    field_order = ["name", "current", "credential"]
