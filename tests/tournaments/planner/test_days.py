"""The days of a series, and the holidays of a year."""

import datetime as dt

import pytest

from tournaments.planner.services import easter_sunday, holidays, month_days, series_days

TUESDAY = 1


def test_a_season_of_tuesdays() -> None:
    days = series_days(dt.date(2026, 9, 3), dt.date(2027, 5, 25), weekday=TUESDAY)
    assert (days[0], days[-1], len(days)) == (dt.date(2026, 9, 8), dt.date(2027, 5, 25), 38)
    assert {day.weekday() for day in days} == {TUESDAY}


@pytest.mark.parametrize(
    ("first", "last", "count"),
    [
        (dt.date(2026, 9, 1), dt.date(2026, 9, 1), 1),
        (dt.date(2026, 9, 2), dt.date(2026, 9, 7), 0),
        (dt.date(2026, 9, 8), dt.date(2026, 9, 1), 0),
        (dt.date(2026, 9, 1), dt.date(2028, 8, 31), 105),
    ],
)
def test_how_many_days_there_are(first: dt.date, last: dt.date, count: int) -> None:
    assert len(series_days(first, last, weekday=TUESDAY)) == count


@pytest.mark.parametrize(
    ("place", "days"),
    [
        (1, ["2027-01-05", "2027-02-02", "2027-03-02"]),
        (4, ["2027-01-26", "2027-02-23", "2027-03-23"]),
        (0, ["2026-12-29", "2027-01-26", "2027-02-23", "2027-03-30"]),
    ],
)
def test_one_tuesday_of_each_month(place: int, days: list[str]) -> None:
    first, last = dt.date(2026, 12, 23), dt.date(2027, 3, 31)
    found = month_days(first, last, weekday=TUESDAY, place=place)
    assert [str(day) for day in found] == days


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2026, 4, 5), (2027, 3, 28), (2038, 4, 25)],
)
def test_easter(year: int, month: int, day: int) -> None:
    assert easter_sunday(year) == dt.date(year, month, day)


def test_the_holidays_of_a_season() -> None:
    assert {key: str(day) for day, key in holidays(2027).items()} == {
        "new_year": "2027-01-01",
        "good_friday": "2027-03-26",
        "easter": "2027-03-28",
        "easter_monday": "2027-03-29",
        "kings_day": "2027-04-27",
        "liberation_day": "2027-05-05",
        "ascension_day": "2027-05-06",
        "whit_sunday": "2027-05-16",
        "whit_monday": "2027-05-17",
        "christmas_eve": "2027-12-24",
        "christmas": "2027-12-25",
        "boxing_day": "2027-12-26",
        "new_years_eve": "2027-12-31",
    }


def test_on_a_sunday_kings_day_is_a_day_earlier() -> None:
    assert holidays(2031)[dt.date(2031, 4, 26)] == "kings_day"
    assert dt.date(2031, 4, 27) not in holidays(2031)
