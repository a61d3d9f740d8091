"""The years of a season, in which days without a year are. Standard library only."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from clubs.lists.core.days import Day

_TWO_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d) ?[-/–] ?((?:19|20)?\d\d)(?!\d)")
_ONE_YEAR = re.compile(r"(?<![\d-])((?:19|20)\d\d)(?![\d-])")
_SEASON_BEGINS = 8
"""The month in which a season that has two years begins at the earliest: August."""


@dataclass(frozen=True, slots=True)
class SeasonYears:
    """The year or the two years of a season."""

    first: int
    last: int

    def date_of(self, day: Day) -> dt.date | None:
        """The date of this day in the season."""
        is_second_half = day.month < _SEASON_BEGINS
        return day.in_year(self.last if is_second_half else self.first)


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
