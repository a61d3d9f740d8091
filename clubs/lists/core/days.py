"""Days as people write them, in any usual form, with or without a year."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

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
