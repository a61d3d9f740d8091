"""The one table of `make bench`: each measure beside its limits and its floor."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MORE_IS_BETTER = "req/s", "saves/s", "× floor"
HEADINGS = "figure", "× floor", ""
NAME_WIDTH, LIMIT_WIDTH, FIGURE_WIDTH = 44, 9, 11


@dataclass(frozen=True, slots=True)
class Row:
    """One measure on one database.

    `unit` is what `figure`, `must` and `aim` are in; of those in `MORE_IS_BETTER` the limits are
    the least it may be, of all others the most. `floor` is that of the same run, in the same unit.
    """

    name: str
    figure: float
    unit: str
    must: float | None = None
    aim: float | None = None
    floor: float | None = None

    @property
    def mark(self) -> str:
        """Whether it is what it must be, and what it aims to be; empty for what has no limit."""
        if self.must is None:
            return ""
        if not self._within(self.must):
            return "TOO SLOW"
        return "aim" if self.aim is not None and self._within(self.aim) else "ok"

    def _within(self, limit: float) -> bool:
        return self.figure >= limit if self.unit in MORE_IS_BETTER else self.figure <= limit


def table_lines(rows_by_database: Mapping[str, Sequence[Row]]) -> Iterable[str]:
    """The table, a line for each name that any database has a row of, in order of the first."""
    databases = list(rows_by_database)
    yield _line("", "must", "aim", *(cell for name in databases for cell in (name, "", "")))
    yield _line("", "", "", *HEADINGS * len(databases))
    found = {name: {row.name: row for row in rows} for name, rows in rows_by_database.items()}
    for name in dict.fromkeys(row.name for rows in rows_by_database.values() for row in rows):
        rows = [found[database].get(name) for database in databases]
        known = next(row for row in rows if row)
        cells = [cell for row in rows for cell in _cells(row)]
        yield _line(f"{name}, {known.unit}", _limit(known.must), _limit(known.aim), *cells)


def missed(rows_by_database: Mapping[str, Sequence[Row]]) -> list[str]:
    """What is not what it must be, as `database: name`."""
    return [
        f"{database}: {row.name}"
        for database, rows in rows_by_database.items()
        for row in rows
        if row.mark == "TOO SLOW"
    ]


def _cells(row: Row | None) -> tuple[str, str, str]:
    if row is None:
        return "–", "", ""
    beside = f"{row.figure / row.floor:.2f}" if row.floor else ""
    return _figure(row.figure), beside, row.mark


def _figure(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def _limit(limit: float | None) -> str:
    return "" if limit is None else _figure(limit)


def _line(name: str, must: str, aim: str, *cells: str) -> str:
    limits = f"{must:>{LIMIT_WIDTH}}{aim:>{LIMIT_WIDTH}}"
    return f"{name:{NAME_WIDTH}}{limits}" + "".join(f"{cell:>{FIGURE_WIDTH}}" for cell in cells)
