"""What a cell means: days in any usual form, telephone numbers, e-mail addresses, sums."""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_MONTHS = (
    "jan januari january",
    "feb febr februari february",
    "mrt maart mar march",
    "apr april",
    "mei may",
    "jun juni june",
    "jul juli july",
    "aug augustus august",
    "sep sept september",
    "okt oktober oct october",
    "nov november",
    "dec december",
)
_MONTH_OF = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_WEEKDAYS = (
    "ma maandag di dinsdag wo woensdag do donderdag vr vrijdag za zaterdag zo zondag mon monday tue"
    " tuesday wed wednesday thu thursday fri friday sat saturday sun sunday"
).split()
_WEEKDAY = re.compile(rf"(?:{'|'.join(_WEEKDAYS)})\b[.,]?\s*")
_TIME = re.compile(r"[t ]\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\.\d+)?$")
_BETWEEN = r"\s*[-/. ]\s*"
_YEAR = r"['’]?(\d{4}|\d{2})"
_TH = "(?:st|nd|rd|th|ste|e)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}}){_BETWEEN}(\d{{1,2}}){_BETWEEN}(\d{{1,2}})")
_NUMBERS = re.compile(rf"(\d{{1,2}}){_BETWEEN}(\d{{1,2}})(?:{_BETWEEN}{_YEAR})?")
_MONTH_LAST = re.compile(rf"(\d{{1,2}}){_TH}[-/. ]*([a-z]+)\.?(?:[-/., ]*{_YEAR})?")
_MONTH_FIRST = re.compile(rf"([a-z]+)\.? (\d{{1,2}}){_TH}(?:,? {_YEAR})?")
_TOGETHER = re.compile(r"(\d\d)(\d\d)((?:18|19|20)\d\d)|((?:18|19|20)\d\d)(\d\d)(\d\d)")
_SERIAL = re.compile(r"\d{4,5}(?:[.,]0+)?")
_SERIAL_ZERO = dt.date(1899, 12, 30)
_ONE_YEAR = re.compile(r"(?:19|20)\d\d")
_ENDS_WITH_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d$")
_FIRST_YEAR, _LAST_YEAR = 1850, 2150


@dataclass(frozen=True, slots=True)
class Day:
    """A day as it is written: the year may be missing."""

    month: int
    day: int
    year: int | None = None

    def in_year(self, year: int) -> dt.date | None:
        """The date; `year` counts where none is written. None if there is no such date."""
        try:
            return dt.date(self.year or year, self.month, self.day)
        except ValueError:
            return None


def written_day(
    text: str, *, month_first: bool = False, latest: dt.date | None = None
) -> Day | None:
    """The day that this text is, and nothing else; numbers are read day first, as in Dutch.

    A year of two digits is of this century, unless that is after `latest`.

    >>> written_day("di 7 jan."), written_day("02-09-25")
    (Day(month=1, day=7, year=None), Day(month=9, day=2, year=2025))
    >>> written_day("5 mei '51", latest=dt.date(2026, 1, 1))
    Day(month=5, day=5, year=1951)
    >>> written_day("Totaal")
    """
    plain = " ".join(text.casefold().split())
    plain = _TIME.sub("", _WEEKDAY.sub("", plain, count=1) if _WEEKDAY.match(plain) else plain)
    if match := _YEAR_FIRST.fullmatch(plain):
        return _day(int(match[2]), int(match[3]), match[1], latest)
    if match := _NUMBERS.fullmatch(plain):
        first, second = int(match[1]), int(match[2])
        month, day = (first, second) if month_first else (second, first)
        return _day(month, day, match[3], latest)
    if (match := _MONTH_LAST.fullmatch(plain)) and match[2] in _MONTH_OF:
        return _day(_MONTH_OF[match[2]], int(match[1]), match[3], latest)
    if (match := _MONTH_FIRST.fullmatch(plain)) and match[1] in _MONTH_OF:
        return _day(_MONTH_OF[match[1]], int(match[2]), match[3], latest)
    if match := _TOGETHER.fullmatch(plain):
        parts = match.groups()[:3] if match[1] else match.groups()[:2:-1]
        return _day(int(parts[1]), int(parts[0]), parts[2], latest)
    return None


def _day(month: int, day: int, year: str | None, latest: dt.date | None) -> Day | None:
    read = Day(month, day, _full_year(year, latest) if year else None)
    # The 29th of February of a year that is not written may be right.
    return read if read.in_year(2000) else None


def _full_year(year: str, latest: dt.date | None) -> int:
    if len(year) == 4:
        return int(year)
    is_before = latest is not None and 2000 + int(year) > latest.year
    return (1900 if is_before else 2000) + int(year)


def date_of(text: str, *, latest: dt.date, month_first: bool = False) -> dt.date | None:
    """The date that is written with its year, also when only the other order of day and month
    gives one; or None.

    >>> date_of("31/12/25", latest=dt.date(2026, 1, 1))
    datetime.date(2025, 12, 31)
    """
    for order in (month_first, not month_first):
        day = written_day(text, month_first=order, latest=latest)
        if day and day.year and _FIRST_YEAR <= day.year <= _LAST_YEAR:
            return day.in_year(day.year)
    return None


def serial_date(text: str) -> dt.date | None:
    """The date that a spreadsheet keeps as a number of days, or None.

    >>> serial_date("18753")
    datetime.date(1951, 5, 5)
    """
    if not _SERIAL.fullmatch(text):
        return None
    return _SERIAL_ZERO + dt.timedelta(days=int(re.split("[.,]", text)[0]))


def first_day_of(text: str) -> dt.date | None:
    """The first day of a year or of a month in a year, as people write since when, or None.

    >>> first_day_of("2010"), first_day_of("sept. 2010"), first_day_of("09-2010")
    (datetime.date(2010, 1, 1), datetime.date(2010, 9, 1), datetime.date(2010, 9, 1))
    """
    if _ONE_YEAR.fullmatch(text):
        return dt.date(int(text), 1, 1)
    day = written_day(f"1 {text}") or written_day(f"1-{text}")
    return day.in_year(day.year) if day and day.year and _ENDS_WITH_YEAR.search(text) else None


def day_within(text: str) -> Day | None:
    """The only day with a month in a sentence, such as a title above the headings.

    >>> day_within("Uitslag van dinsdag 2 september 2025")
    Day(month=9, day=2, year=2025)
    """
    words = text.replace(":", " ").replace("(", " ").replace(")", " ").split()
    found = {
        day
        for size in (4, 3, 2, 1)
        for start in range(len(words) - size + 1)
        if (day := written_day(" ".join(words[start : start + size])))
    }
    full = {day for day in found if day.year} or found
    return full.pop() if len(full) == 1 else None


def month_comes_first(texts: Iterable[str]) -> bool:
    """Whether these days are only days if their first number is the month, as in American lists."""
    found = [text for text in texts if any(map(str.isdigit, text))]
    day_first = sum(written_day(text) is not None for text in found)
    return sum(written_day(text, month_first=True) is not None for text in found) > day_first


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
_NOTHING = frozenset(
    {"-", "--", "?", "x", "#", "n.v.t.", "nvt", "geen", "geheim", "onbekend", "none", "n/a"}
)
_FAILED = re.compile(r"#(?:N/[AB]|[A-Z/0]{3,8}[!?])")
"""What a spreadsheet shows instead of the outcome of a formula, in English or Dutch."""
_LETTER = re.compile(r"[A-Z](?:\s?[-/,&+\s]\s?[A-Z]){0,3}\.?")
"""A letter of the alphabet, or some, above the names that begin with it."""
_ADDRESS = re.compile(r"(?:(.+?)[,\s]+)?([1-9]\d{3}\s?[A-Z]{2})(?:[,\s]+(.+))?", re.IGNORECASE)


def plain(text: str) -> str:
    """Small letters, digits and single spaces alone, so that headings can be compared.

    >>> plain(" E-mailadres: (privé) ")
    'e mailadres prive'
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in apart if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w]|_", " ", letters).split())


def is_nothing(text: str) -> bool:
    """Whether people write this where there is nothing to write, or a spreadsheet where it failed.

    >>> is_nothing("n.v.t."), is_nothing("#N/A"), is_nothing("#VERW!"), is_nothing("Bos")
    (True, True, True, False)
    """
    return not text or text.casefold() in _NOTHING or bool(_FAILED.fullmatch(text))


def is_sum(cells: Sequence[str]) -> bool:
    """Whether a line is a total or a remark of the program that printed it, or a letter of the
    alphabet, as between the names of a telephone list, and nobody.

    >>> is_sum(["", "Totaal leden: 25"]), is_sum(["7", "Som Bos"])
    (True, False)
    >>> is_sum(["", "B"]), is_sum(["N, O"]), is_sum(["1", "B"]), is_sum(["BO"])
    (True, True, False, False)
    """
    filled = [cell for cell in cells if cell]
    is_letter = len(filled) == 1 and bool(_LETTER.fullmatch(filled[0]))
    return is_letter or (bool(filled) and bool(_SUM.match(filled[0])))


def address_parts(text: str) -> tuple[str, str, str]:
    """The street, the postcode and the town in one text; empty for what is not there.

    >>> address_parts("Kade 5, 1131 AB Edam"), address_parts("1131AB Edam"), address_parts("Kade 5")
    (('Kade 5', '1131 AB', 'Edam'), ('', '1131AB', 'Edam'), ('Kade 5', '', ''))
    """
    if len(text) < _LONGEST and (match := _ADDRESS.fullmatch(text)):
        return match[1] or "", match[2], match[3] or ""
    return text, "", ""


def email_of(text: str) -> str:
    """The address in a cell, also out of a link or "Jan Bos <jan@example.org>"; the first of
    several.

    >>> email_of("mailto:jan@example.org"), email_of("jan@bos.nl#mailto:jan@bos.nl#")
    ('jan@example.org', 'jan@bos.nl')
    >>> email_of("jan@bos.nl ::: mia@bos.nl"), email_of("jan@bos.nl / 06 12")
    ('jan@bos.nl', 'jan@bos.nl / 06 12')
    """
    text = next((part for part in text.split("#") if "@" in part), text).strip()
    several = re.split(r"[\s;,/:]+", text)
    if len(several) > 1 and all(map(_EMAIL.fullmatch, several)):
        return several[0]
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
