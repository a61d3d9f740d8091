"""The number of a table and its PIN, typed by who cannot scan."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}


class PinField(forms.CharField):
    """Five digits; spaces between them do not matter."""

    def to_python(self, value: Any) -> str:
        return "".join((super().to_python(value) or "").split())


class PinForm(forms.Form):
    """Which table, and its PIN."""

    number = forms.IntegerField(
        label=_("Number of your table"),
        min_value=1,
        max_value=999,
        widget=forms.TextInput(attrs={**NUMERIC, "size": 4, "maxlength": 3}),
    )
    pin = PinField(
        label=_("PIN of your table"),
        help_text=_("Five digits. They stand on the card and on the score sheet of your table."),
        widget=forms.TextInput(attrs={**NUMERIC, "size": 7, "maxlength": 9}),
        validators=[RegexValidator(r"^[0-9]{5}\Z", _("A PIN has five digits, such as 40721."))],
    )
