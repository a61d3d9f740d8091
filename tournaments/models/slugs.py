"""How an evening is called in addresses and files: its date, with -2 for a second one that day."""

import datetime as dt
import re

FIRST_DAY, LAST_DAY = dt.date(1900, 1, 1), dt.date(2199, 12, 31)
"""Outside these days the year is a slip of the pen."""

MOST_A_DAY = 99
"""An address has two digits for which evening of the day it is."""

_SLUG = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-([2-9]|[1-9]\d))?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)


def parse_evening_slug(slug: str) -> tuple[dt.date, int] | None:
    """The date and the number on that day that `slug` names, or None when it names none.

    >>> parse_evening_slug("2026-09-05-2")
    (datetime.date(2026, 9, 5), 2)
    """
    found = _SLUG.fullmatch(slug)
    if not found:
        return None
    try:
        date = dt.date.fromisoformat(found[1])
    except ValueError:
        return None
    return (date, int(found[2] or 1)) if FIRST_DAY <= date <= LAST_DAY else None


def parse_evening_date(text: str) -> tuple[dt.date, int] | None:
    """Likewise as a spreadsheet has it: a slug, or a date with the day first, as Dutch ones do.

    >>> parse_evening_date("5-9-2026")
    (datetime.date(2026, 9, 5), 1)
    """
    found = _DAY_FIRST.fullmatch(text)
    if not found:
        return parse_evening_slug(text)
    day, _mark, month, year = found.groups()
    return parse_evening_slug(f"{year}-{month:0>2}-{day:0>2}")


def format_evening_slug(date: dt.date, sequence: int) -> str:
    """What `parse_evening_slug` reads back as this date and this number on that day.

    >>> format_evening_slug(dt.date(2026, 9, 5), 1)
    '2026-09-05'
    """
    return date.isoformat() + (f"-{sequence}" if sequence > 1 else "")
