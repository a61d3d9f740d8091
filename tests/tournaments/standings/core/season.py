"""Short ways to write results of a season in tests."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from tournaments.standings.core.results import Absence, EveningResult, SeasonRow, SeasonTable

FIRST = date(2026, 9, 5)


def day(number: int) -> date:
    """The Saturday of the so-manieth week of the season, from 1."""
    return FIRST + timedelta(weeks=number - 1)


def week(number: int) -> str:
    """The key of that week's evening."""
    return day(number).isoformat()


def played(name: str, *scores: int | Absence | None) -> list[EveningResult]:
    """A player's results week by week: a score, how he was absent, or `None` for no row."""
    return [
        EveningResult(
            player_id=name,
            name=name,
            date=day(number),
            score=score if isinstance(score, int) else None,
            absence=None if isinstance(score, int) else score,
        )
        for number, score in enumerate(scores, start=1)
        if score is not None
    ]


def by_name(table: SeasonTable) -> Mapping[str, SeasonRow]:
    return {row.name: row for row in table.rows}


def places(table: SeasonTable) -> list[tuple[int | None, str, int | Decimal]]:
    return [(row.rank, row.name, row.value) for row in table.rows]


def dropped(row: SeasonRow) -> list[str]:
    return [evening for evening, cell in row.by_evening.items() if cell.dropped]
