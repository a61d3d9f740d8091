"""Days as people write them above columns."""

import datetime as dt

import pytest

from clubs.lists.core.values import Day, date_of, day_within, month_comes_first, written_day


@pytest.mark.full
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


TODAY = dt.date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1951-05-05 00:00:00", dt.date(1951, 5, 5)),
        ("1951/5/5", dt.date(1951, 5, 5)),
        ("5 - 5 - 51", dt.date(1951, 5, 5)),
        ("05.05.1951", dt.date(1951, 5, 5)),
        ("za 5 mei 1951", dt.date(1951, 5, 5)),
        ("5 mei ’51", dt.date(1951, 5, 5)),
        ("5mei51", dt.date(1951, 5, 5)),
        ("5e mei 1951", dt.date(1951, 5, 5)),
        ("May 5th, 1951", dt.date(1951, 5, 5)),
        ("05051951", dt.date(1951, 5, 5)),
        ("19510505", dt.date(1951, 5, 5)),
        ("31-12-26", dt.date(2026, 12, 31)),
        ("31-12-27", dt.date(1927, 12, 31)),
        ("12/31/1951", dt.date(1951, 12, 31)),
        ("5 mei", None),
        ("29-2-1951", None),
        ("31-4-1951", None),
        ("5-5-1651", None),
        ("0622334455", None),
    ],
)
def test_a_date_has_a_year(text: str, date: dt.date | None) -> None:
    assert date_of(text, latest=TODAY) == date


def test_the_month_comes_first_where_the_list_does_so() -> None:
    assert date_of("5/6/1951", latest=TODAY, month_first=True) == dt.date(1951, 5, 6)
    assert date_of("31/12/1951", latest=TODAY, month_first=True) == dt.date(1951, 12, 31)
