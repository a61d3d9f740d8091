"""The letters that a club's scorekeepers write for roem, such as V for 50."""

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

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
        return _("“%(word)s”: write a letter, = and 20, 40, 50, 70, 100 or 200.") % {"word": word}
    if letter in TAKEN:
        words = _("%(letter)s cannot be used: that key goes to the roem of a side.")
        return words % {"letter": letter}
    if letter in worth:
        return _("%(letter)s is listed twice.") % {"letter": letter}
    return ""
