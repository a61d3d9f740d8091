"""The years of a season."""

import datetime as dt

import pytest

from clubs.lists.core.values import Day
from tournaments.imports.list_layout import SeasonYears, latest_season, season_years


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
