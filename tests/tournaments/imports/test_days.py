"""Days as people write them above columns."""

import datetime as dt

import pytest

from tournaments.imports.days import (
    Day,
    SeasonYears,
    day_within,
    latest_season,
    month_comes_first,
    season_years,
    written_day,
)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-09-02", Day(9, 2, 2025)),
        ("2025-09-02 00:00:00", Day(9, 2, 2025)),
        ("2-9-2025", Day(9, 2, 2025)),
        ("02-09-25", Day(9, 2, 2025)),
        ("2/9", Day(9, 2)),
        ("2.9.", None),
        ("2.9", Day(9, 2)),
        ("3 sep", Day(9, 3)),
        ("3-sep", Day(9, 3)),
        ("3 sept. 2024", Day(9, 3, 2024)),
        ("3-sep-24", Day(9, 3, 2024)),
        ("3 sep '24", Day(9, 3, 2024)),
        ("di 7 jan", Day(1, 7)),
        ("Dinsdag 7 Januari 2025", Day(1, 7, 2025)),
        ("di. 7-1", Day(1, 7)),
        ("September 3rd, 2025", Day(9, 3, 2025)),
        ("Tue 3 Mar", Day(3, 3)),
        ("29 feb", Day(2, 29)),
        ("31 april", None),
        ("13-13-2025", None),
        ("5012", None),
        ("5.012", None),
        ("Ronde 1", None),
        ("Totaal", None),
        ("mei", None),
        ("", None),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, day: Day | None) -> None:
    assert written_day(text) == day


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("Uitslag 2 september 2025", Day(9, 2, 2025)),
        ("Klaverjasavond (dinsdag 2-9-2025)", Day(9, 2, 2025)),
        ("Uitslag 3e avond", None),
        ("Van 2 september 2025 tot 9 september 2025", None),
    ],
)
def test_a_title_tells_the_day(title: str, day: Day | None) -> None:
    assert day_within(title) == day


def test_american_headings_are_told_by_days_that_are_no_month() -> None:
    assert month_comes_first(["Naam", "9/2/2025", "9/16/2025"])
    assert not month_comes_first(["Naam", "2/9/2025", "16/9/2025"])


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2024-2025", SeasonYears(2024, 2025)),
        ("Seizoen 2024/25", SeasonYears(2024, 2025)),
        ("Zomercompetitie 2026", SeasonYears(2026, 2026)),
        ("Stand per 2026-01-06", None),
        ("1999-2004", None),
        ("Winter", None),
    ],
)
def test_the_years_of_a_season(text: str, years: SeasonYears | None) -> None:
    assert season_years(text) == years


def test_a_season_of_two_years_turns_in_august() -> None:
    years = SeasonYears(2024, 2025)
    assert years.date_of(Day(9, 3)) == dt.date(2024, 9, 3)
    assert years.date_of(Day(1, 7)) == dt.date(2025, 1, 7)
    assert years.date_of(Day(1, 7, 2020)) == dt.date(2020, 1, 7)
    assert years.date_of(Day(2, 29)) is None


def test_without_a_year_it_is_the_last_season_that_was_played() -> None:
    days = [Day(9, 3), Day(1, 7)]
    assert latest_season(days, dt.date(2026, 11, 23)) == SeasonYears(2025, 2026)
    assert latest_season(days, dt.date(2026, 1, 6)) == SeasonYears(2024, 2025)
    assert latest_season([Day(9, 3)], dt.date(2026, 11, 23)) == SeasonYears(2026, 2027)
