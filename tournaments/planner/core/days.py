"""The days of a series of evenings, and on which of them a club may not want to play."""

import datetime as dt
from collections.abc import Mapping

MOST = 100
"""So many evenings are planned in one go at most: a season of two evenings a week."""

DAY = dt.timedelta(days=1)


def series_days(first: dt.date, last: dt.date, *, weekday: int, weeks: int = 1) -> list[dt.date]:
    """This day of the week (0 is Monday) from `first` up to and including `last`, every so many
    weeks.

    >>> series_days(dt.date(2026, 9, 1), dt.date(2026, 9, 30), weekday=1, weeks=2)
    [datetime.date(2026, 9, 1), datetime.date(2026, 9, 15), datetime.date(2026, 9, 29)]
    """
    start = first + (weekday - first.weekday()) % 7 * DAY
    count = (last - start).days // (7 * weeks) + 1
    return [start + at * 7 * weeks * DAY for at in range(count)]


def month_days(first: dt.date, last: dt.date, *, weekday: int, place: int) -> list[dt.date]:
    """This day of the week from `first` up to and including `last`, where it is number `place` of
    its month, such as the first Friday; 0 is the last one of each month.

    >>> month_days(dt.date(2026, 9, 1), dt.date(2026, 11, 5), weekday=4, place=1)
    [datetime.date(2026, 9, 4), datetime.date(2026, 10, 2)]
    """
    days = series_days(first, last, weekday=weekday)
    if place == 0:
        return [day for day in days if (day + 7 * DAY).month != day.month]
    return [day for day in days if (day.day + 6) // 7 == place]


def holidays(year: int) -> Mapping[dt.date, str]:
    """The days of a year on which a Dutch club often does not play, by a key for their name.

    These are the public holidays of the Netherlands as the government lists them (article 3 of the
    Algemene termijnenwet, with King's Day), and the evenings before Christmas and New Year.
    """
    easter = easter_sunday(year)
    kings_day = dt.date(year, 4, 27)
    return {
        dt.date(year, 1, 1): "new_year",
        easter - 2 * DAY: "good_friday",
        easter: "easter",
        easter + DAY: "easter_monday",
        kings_day - DAY if kings_day.weekday() == 6 else kings_day: "kings_day",
        dt.date(year, 5, 5): "liberation_day",
        easter + 39 * DAY: "ascension_day",
        easter + 49 * DAY: "whit_sunday",
        easter + 50 * DAY: "whit_monday",
        dt.date(year, 12, 24): "christmas_eve",
        dt.date(year, 12, 25): "christmas",
        dt.date(year, 12, 26): "boxing_day",
        dt.date(year, 12, 31): "new_years_eve",
    }


def easter_sunday(year: int) -> dt.date:
    """Easter of a year, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms).

    >>> easter_sunday(2027)
    datetime.date(2027, 3, 28)
    """
    golden, century, rest = year % 19, year // 100, year % 100
    leaps = century - century // 4 - (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + leaps + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return dt.date(year, month, day + 1)
