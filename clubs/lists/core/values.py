"""What a cell means: telephone numbers, e-mail addresses, sums."""

import datetime as dt
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from clubs.lists.core.days import date_of

Content = Literal["email", "phone", "date", "number", "postcode", "name"]

_LONGEST = 200
_EMAIL = re.compile(r"[^\s@<>;,]+@[^\s@<>;,]+\.[^\s@<>;,.]+")
_IN_ANGLES = re.compile(r"^(?:mailto:)?.*<([^<>]+@[^<>]+)>$|^mailto:(.+)$", re.IGNORECASE)
_PHONE_SIGNS = re.compile(r"[-\s./()\u2010-\u2015]")
_DIGITS = re.compile(r"\+?\d{6,15}", re.ASCII)
_POWER = re.compile(r"(\d)[.,](\d+)[eE]\+?0?(\d)")
_POSTCODE = re.compile(r"[1-9]\d{3}\s?[A-Z]{2}", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_NAME = re.compile(r"[^\W\d_][^\d_@:;?!%€]{1,98}")
_SUM = re.compile(
    r"^(?:(?:sub|eind)?-?tota+l\w*|aantal|som|sum|count|number of|gemiddelde?|average|mean)\b"
    r"|^(?:stand|bijgewerkt|afgedrukt|geprint|updated|printed)\s+(?:per|op|tot|on|at|as of)\b"
    r"|^(?:pagina|page|blad)\s*\d"
    r"|^(?:(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?|mvg|hoi|hallo|beste allemaal"
    r"|(?:kind |best )?regards)\b",
    re.IGNORECASE,
)
_NOTHING = frozenset({"-", "--", "?", "x", "n.v.t.", "nvt", "geen", "onbekend", "none", "n/a"})


def plain(text: str) -> str:
    """Small letters, digits and single spaces alone, so that headings can be compared.

    >>> plain(" E-mailadres: (privé) ")
    'e mailadres prive'
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in apart if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w]|_", " ", letters).split())


def is_nothing(text: str) -> bool:
    """Whether people write this where there is nothing to write.

    >>> is_nothing("n.v.t."), is_nothing("Bos")
    (True, False)
    """
    return not text or text.casefold() in _NOTHING


def is_sum(cells: Sequence[str]) -> bool:
    """Whether a line is a total or a remark of the program that printed it, and nobody.

    >>> is_sum(["", "Totaal leden: 25"]), is_sum(["7", "Som Bos"])
    (True, False)
    """
    filled = [cell for cell in cells if cell]
    return bool(filled) and bool(_SUM.match(filled[0]))


def email_of(text: str) -> str:
    """The address in a cell, also out of a link or "Jan Bos <jan@example.org>".

    >>> email_of("mailto:jan@example.org")
    'jan@example.org'
    """
    text = text.strip()
    match = _IN_ANGLES.match(text) if len(text) < _LONGEST else None
    return (match[1] or match[2]).strip() if match else text


def phone_of(text: str) -> str:
    """A telephone number, with the zero that a spreadsheet ate.

    >>> phone_of("622334455"), phone_of("6.22334455E+8"), phone_of("31622334455")
    ('0622334455', '0622334455', '+31622334455')
    >>> phone_of("06-22 33 44 55")
    '06-22 33 44 55'
    """
    text = text.strip()
    if match := _POWER.fullmatch(text):
        text = (match[1] + match[2]).ljust(int(match[3]) + 1, "0")
    digits = _PHONE_SIGNS.sub("", text)
    if digits.isascii() and digits.isdecimal():
        if len(digits) == 9 and not digits.startswith("0"):
            return f"0{text}"
        if len(digits) == 11 and digits.startswith("31"):
            return f"+{text}"
    return text


@lru_cache(maxsize=20_000)
def looks_like(text: str) -> Content | None:
    """What the text of one cell looks like, or None."""
    if len(text) > _LONGEST:
        return None
    tests: dict[Content, bool] = {
        "email": bool(_EMAIL.fullmatch(email_of(text))),
        "postcode": bool(_POSTCODE.fullmatch(text)),
        "date": date_of(text, latest=dt.date(2100, 1, 1)) is not None,
        "number": len(text) < 9 and bool(_NUMBER.fullmatch(text)),
        "phone": bool(_DIGITS.fullmatch(_PHONE_SIGNS.sub("", text))),
        "name": bool(_NAME.fullmatch(text)) and not is_sum([text]),
    }
    return next((content for content, fits in tests.items() if fits), None)


def content_of(cells: Sequence[str]) -> Content | None:
    """What most of the filled cells of a column look like, or None."""
    kinds = [looks_like(cell) for cell in cells[:200] if not is_nothing(cell)]
    if not kinds:
        return None
    most = max(set(kinds), key=lambda kind: (kinds.count(kind), kind or ""))
    return most if kinds.count(most) * 10 >= len(kinds) * 6 else None
