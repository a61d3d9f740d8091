"""The slug of an evening in addresses and files: its date, with -2 for a second one that day."""

import datetime as dt
import re

FIRST_DAY, LAST_DAY = dt.date(1900, 1, 1), dt.date(2199, 12, 31)
"""A date outside these days has a mistyped year."""

MOST_A_DAY = 99
"""A slug has at most two digits for the number of the evening on its day."""

_SLUG = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-([2-9]|[1-9]\d))?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)


def parse_evening_slug(slug: str) -> tuple[dt.date, int] | None:
    """The date and the number on that day of `slug`, or None if it is not a slug.

    >>> parse_evening_slug("2026-09-05-2")
    (datetime.date(2026, 9, 5), 2)
    """
    match = _SLUG.fullmatch(slug)
    if not match:
        return None
    try:
        date = dt.date.fromisoformat(match[1])
    except ValueError:
        return None
    return (date, int(match[2] or 1)) if FIRST_DAY <= date <= LAST_DAY else None


def parse_evening_date(text: str) -> tuple[dt.date, int] | None:
    """The same for a cell of a spreadsheet: a slug, or a date with the day first, as in Dutch ones.

    >>> parse_evening_date("5-9-2026")
    (datetime.date(2026, 9, 5), 1)
    """
    match = _DAY_FIRST.fullmatch(text)
    if not match:
        return parse_evening_slug(text)
    day, _mark, month, year = match.groups()
    return parse_evening_slug(f"{year}-{month:0>2}-{day:0>2}")


def format_evening_slug(date: dt.date, sequence: int) -> str:
    """The slug of this date and number on that day; the inverse of `parse_evening_slug`.

    >>> format_evening_slug(dt.date(2026, 9, 5), 1)
    '2026-09-05'
    """
    return date.isoformat() + (f"-{sequence}" if sequence > 1 else "")
