"""Sums of money: whole cents in the database, euros for people."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from clubs.words import NO_VALUE

MOST_CENTS = 99_999_99
_EUROS = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?", re.ASCII)


def money(cents: int | None) -> str:
    """The sum as it is written, € 2,50 or €2.50 in English; a dash for None."""
    if cents is None:
        return NO_VALUE
    space = "" if get_language() == "en" else "\N{NO-BREAK SPACE}"
    return f"€{space}{_euros(cents, force_grouping=True)}"


class MoneyField(forms.Field):
    """A sum in euros, with a comma or a point, as whole cents; None where left empty."""

    default_error_messages = {
        "invalid": _("Write a sum in euros, such as 2,50."),
        "too_large": _("This is more than anybody pays."),
    }

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "size": 9, "maxlength": 20}
        kwargs.setdefault("widget", forms.TextInput(attrs=attrs))
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> Any:
        """The cents. Raises ValidationError where it is no sum of euros."""
        text = "".join(str(value or "").split()).removeprefix("€")
        if not text:
            return None
        found = _EUROS.fullmatch(text.replace(",-", ""))
        if found is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        cents = int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))
        if cents > MOST_CENTS:
            raise ValidationError(self.error_messages["too_large"], code="too_large")
        return cents

    def prepare_value(self, value: Any) -> Any:
        """Cents as people type euros; what was typed stays as it was."""
        if not isinstance(value, int):
            return value
        return _euros(value)


def _euros(cents: int, *, force_grouping: bool = False) -> str:
    euros = Decimal(cents) / 100
    return number_format(euros, decimal_pos=2, use_l10n=True, force_grouping=force_grouping)
