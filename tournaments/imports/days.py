"""The days that stand above the columns of a list, in any usual form, with or without a year.

Standard library only.
"""

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
MONTHS = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_WEEKDAYS = (
    "ma maandag di dinsdag wo woensdag do donderdag vr vrijdag za zaterdag zo zondag mon monday tue"
    " tuesday wed wednesday thu thursday fri friday sat saturday sun sunday"
).split()
_WEEKDAY = re.compile(rf"(?:{'|'.join(_WEEKDAYS)})\b[.,]?\s*")
_BETWEEN = r"\s*[-/. ]\s*"
_YEAR = r"'?(\d{4}|\d{2})"
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[t ][\d:.]*)?")
_NUMBERS = re.compile(rf"(\d{{1,2}}){_BETWEEN}(\d{{1,2}})(?:{_BETWEEN}{_YEAR})?")
_MONTH_LAST = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?[-/. ]*([a-z]+)\.?(?:[-/., ]*{_YEAR})?")
_MONTH_FIRST = re.compile(rf"([a-z]+)\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? {_YEAR})?")
_TWO_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d) ?[-/–] ?((?:19|20)?\d\d)(?!\d)")
_ONE_YEAR = re.compile(r"(?<![\d-])((?:19|20)\d\d)(?![\d-])")
_SEASON_BEGINS = 8
"""The month in which a season that has two years begins at the earliest: August."""


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


@dataclass(frozen=True, slots=True)
class SeasonYears:
    """The year or the two years of a season."""

    first: int
    last: int

    def date_of(self, day: Day) -> dt.date | None:
        """The date of this day in the season."""
        is_second_half = day.month < _SEASON_BEGINS
        return day.in_year(self.last if is_second_half else self.first)


def written_day(text: str, *, month_first: bool = False) -> Day | None:
    """The day that this text is, and nothing else; numbers are read day first, as in Dutch.

    >>> written_day("di 7 jan."), written_day("02-09-25")
    (Day(month=1, day=7, year=None), Day(month=9, day=2, year=2025))
    >>> written_day("Totaal")
    """
    plain = " ".join(text.casefold().split())
    plain = _WEEKDAY.sub("", plain, count=1) if _WEEKDAY.match(plain) else plain
    if match := _ISO.fullmatch(plain):
        return _day(int(match[2]), int(match[3]), match[1])
    if match := _NUMBERS.fullmatch(plain):
        first, second = int(match[1]), int(match[2])
        return _day(first, second, match[3]) if month_first else _day(second, first, match[3])
    if (match := _MONTH_LAST.fullmatch(plain)) and match[2] in MONTHS:
        return _day(MONTHS[match[2]], int(match[1]), match[3])
    if (match := _MONTH_FIRST.fullmatch(plain)) and match[1] in MONTHS:
        return _day(MONTHS[match[1]], int(match[2]), match[3])
    return None


def _day(month: int, day: int, year: str | None) -> Day | None:
    read = Day(month, day, _full_year(year) if year else None)
    # The 29th of February of a year that is not written may be right.
    return read if read.in_year(2000) else None


def _full_year(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


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


def season_years(text: str) -> SeasonYears | None:
    """The years that the name of a season or a title has.

    >>> season_years("Stand seizoen 2025/26"), season_years("Zomer 2026")
    (SeasonYears(first=2025, last=2026), SeasonYears(first=2026, last=2026))
    """
    if match := _TWO_YEARS.search(text):
        first = int(match[1])
        last = int(match[2]) if len(match[2]) == 4 else first // 100 * 100 + int(match[2])
        return SeasonYears(first, last) if last - first == 1 else None
    match = _ONE_YEAR.search(text)
    return SeasonYears(int(match[1]), int(match[1])) if match else None


def latest_season(days: Iterable[Day], today: dt.date) -> SeasonYears:
    """The last season of which all these days have been."""
    years = SeasonYears(today.year, today.year + 1)
    if any((years.date_of(day) or today) > today for day in days):
        years = SeasonYears(today.year - 1, today.year)
    if any((years.date_of(day) or today) > today for day in days):
        years = SeasonYears(today.year - 2, today.year - 1)
    return years
