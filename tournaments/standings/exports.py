"""Standings as rows of a file, and rows as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from tournaments.models import Evening
from tournaments.standings.competitors import PLAYER, evening_by
from tournaments.standings.core import SeasonCell, SeasonRow, SeasonTable
from tournaments.standings.queries import evening_standings

Cell = str | int | None
Rows = list[list[Cell]]

SEASON_COLUMNS = ["rank", "player", "total", "counted", "evenings", "average", "pits"]


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as comma-separated CSV with the line ends of RFC 4180."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def evening_rows(evening: Evening, by: str = PLAYER, best: int | None = None) -> Rows:
    """Headings and lines: rank, player, total, round_1 … round_n, pits. By pair or team it says
    that in place of player; of a team the best so many members count, if given."""
    rows = evening_standings(evening) if by == PLAYER else evening_by(evening, by, best)
    rounds = sorted({number for row in rows for number in row.rounds})
    headings: list[Cell] = ["rank", by, "total", *(f"round_{n}" for n in rounds), "pits"]
    return [
        headings,
        *(
            [row.rank, row.name, row.total, *(row.rounds.get(n) for n in rounds), row.pits]
            for row in rows
        ),
    ]


def season_rows(table: SeasonTable) -> Rows:
    """Headings and rows; dropped evenings are in brackets, evenings not attended empty."""
    headings: list[Cell] = [*season_columns(table), *table.evenings]
    return [headings, *([*_figures(row), *_evenings(row, table.evenings)] for row in table.rows)]


def season_json(table: SeasonTable) -> list[dict[str, object]]:
    """One object per line: the columns of `season_rows`, and `by_date` per evening attended."""
    return [
        {
            **dict(zip(season_columns(table), _figures(row), strict=True)),
            "average": float(row.average),
            "by_date": {
                evening: {"score": cell.score, "dropped": cell.dropped}
                for evening in table.evenings
                if (cell := row.by_evening.get(evening)) and cell.score is not None
            },
        }
        for row in table.rows
    ]


def season_columns(table: SeasonTable) -> list[str]:
    """The headings before those of the evenings."""
    return [table.rule.ranks if name == "player" else name for name in SEASON_COLUMNS]


def _figures(row: SeasonRow) -> list[Cell]:
    return [
        row.rank,
        row.name,
        row.total,
        row.counted,
        row.evenings,
        str(row.average),
        row.pits,
    ]


def _evenings(row: SeasonRow, evenings: Sequence[str]) -> list[Cell]:
    return [_cell(row.by_evening.get(evening)) for evening in evenings]


def _cell(cell: SeasonCell | None) -> Cell:
    if cell is None or cell.score is None:
        return None
    return f"({cell.score})" if cell.dropped else cell.score
