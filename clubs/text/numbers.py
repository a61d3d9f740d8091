"""Numbers, amounts of money, days, the names of suits, seats and sides, and the letters that
scorekeepers write for roem, for pages and paper."""

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

FIRST_DAY, LAST_DAY = dt.date(1900, 1, 1), dt.date(2199, 12, 31)
"""A date outside these days has a mistyped year."""

SUIT_NAMES = {
    "C": pgettext_lazy("suit", "clubs"),
    "D": pgettext_lazy("suit", "diamonds"),
    "H": pgettext_lazy("suit", "hearts"),
    "S": pgettext_lazy("suit", "spades"),
}
SEAT_NAMES = {"N": _("North"), "E": _("East"), "S": _("South"), "W": _("West")}
SIDE_NAMES = {"NS": pgettext_lazy("side", "We"), "EW": pgettext_lazy("side", "They")}
SIDE_COLOURS = {"NS": pgettext_lazy("side", "green"), "EW": pgettext_lazy("side", "brown")}
"""The colours of both sides on paper, the same whoever reads it."""
SIDES_OF_THREE = {"NS": pgettext_lazy("side", "Player"), "EW": pgettext_lazy("side", "Against")}
NO_VALUE = SafeString("–")
MINUS = "\N{MINUS SIGN}"


def whole_number(text: str, *, otherwise: int = 0) -> int:
    """The number in `text`; `otherwise` when it is no number or has ten digits or more."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def suit_name(code: str) -> str:
    """The translated name of suit C, D, H or S, or of "NT"."""
    return str(_("no trump") if code == "NT" else SUIT_NAMES[code])


def seat_name(code: str) -> str:
    """The translated name of seat N, E, S or W."""
    return str(SEAT_NAMES[code])


def side_name(code: str) -> str:
    """What a score sheet calls side NS or EW: we and they (wij, zij); for one of three people, who
    have no sides, their seat."""
    return str(SIDE_NAMES[code] if code in SIDE_NAMES else SEAT_NAMES[code])


def number(value: float | Decimal | None, decimals: int | None = None) -> SafeString:
    """The number with the language's thousands separator and a true minus; a dash for None."""
    if value is None:
        return NO_VALUE
    if isinstance(value, int) and decimals is None:
        return _whole(value, get_language())
    return _shown(value, decimals)


def number_writer() -> Callable[[int | None], SafeString]:
    """`number` for thousands of whole numbers: it looks up the language once."""
    language = get_language()
    return lambda value: NO_VALUE if value is None else _whole(value, language)


@lru_cache(maxsize=20_000)
def _whole(value: int, _language: str | None) -> SafeString:
    """Cached: pages repeat the same figures, and Django takes 10 µs for each."""
    return _shown(value, None)


def _shown(value: float | Decimal, decimals: int | None) -> SafeString:
    shown = number_format(value, decimal_pos=decimals, use_l10n=True, force_grouping=True)
    return SafeString(shown.replace("-", MINUS))


def signed(value: int | None) -> str:
    """A difference with its sign: +120, −40, 0; a dash for None."""
    return f"+{number(value)}" if value and value > 0 else number(value)


# Money: whole cents in the database, euros for people.

MOST_CENTS = 99_999_99
_EUROS = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?", re.ASCII)


def money(cents: int | None) -> str:
    """The sum as it is written, € 2,50 or €2.50 in English; a dash for None."""
    if cents is None:
        return NO_VALUE
    space = "" if get_language() == "en" else "\N{NO-BREAK SPACE}"
    return f"€{space}{_euros(cents, force_grouping=True)}"


def money_signed(cents: int) -> str:
    """A sum that can be negative, with a true minus."""
    return f"{MINUS}{money(-cents)}" if cents < 0 else money(cents)


def euros(cents: int | None) -> Decimal | None:
    """The sum as a number for spreadsheets."""
    return None if cents is None else Decimal(cents).scaleb(-2)


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
        """The amount in cents. Raises ValidationError."""
        text = "".join(str(value or "").split()).removeprefix("€")
        if not text:
            return None
        match = _EUROS.fullmatch(text.replace(",-", ""))
        if match is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        cents = int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))
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


WORTHS: Final = (20, 40, 50, 70, 100, 200)
TAKEN: Final = "WZT"
"""Where sheets are typed these letters lead to the roem of we and of they (wij, zij)."""


def roem_letters_read(text: str) -> dict[str, int]:
    """What each capital letter is worth. Raises ValidationError with everything that is wrong.

    >>> roem_letters_read("d=20, V=50")
    {'D': 20, 'V': 50}
    """
    worth: dict[str, int] = {}
    faults = []
    for word in text.upper().replace(",", " ").replace(";", " ").split():
        letter, _equals, number = word.partition("=")
        if fault := _fault(word, letter, number, worth):
            faults.append(fault)
        else:
            worth[letter] = int(number)
    if faults:
        raise ValidationError(faults)
    return worth


def roem_letters_valid(text: str) -> None:
    """Raises ValidationError where these are not letters with what they are worth."""
    roem_letters_read(text)


def _fault(word: str, letter: str, number: str, worth: dict[str, int]) -> str:
    if len(letter) != 1 or not letter.isalpha() or number not in map(str, WORTHS):
        words = gettext("“%(word)s”: write a letter, = and 20, 40, 50, 70, 100 or 200.")
        return words % {"word": word}
    if letter in TAKEN:
        words = gettext("%(letter)s cannot be used: that key goes to the roem of a side.")
        return words % {"letter": letter}
    if letter in worth:
        return gettext("%(letter)s is listed twice.") % {"letter": letter}
    return ""
