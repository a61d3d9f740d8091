"""At what time an evening begins, as people read it."""

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from tournaments.models import Evening


def day_words(evening: Evening, day: str = "l j F") -> str:
    """The day of an evening in this date format, with the time where there is one still to
    come."""
    return f"{date_format(evening.date, day)}{start_words(evening)}"


def start_words(evening: Evening) -> str:
    """The time to put behind the day of an evening, with a comma; empty where no time is known or
    the evening is no longer to come.

    >>> start_words(Evening(starts_at=None))
    ''
    """
    if evening.starts_at is None or evening.state != Evening.State.PLANNED:
        return ""
    # Translators: the format of a time of the day, with Django's letters.
    written = _("g.i A")
    return f", {time_format(evening.starts_at, written).lower()}"
