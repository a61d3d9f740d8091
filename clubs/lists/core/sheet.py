"""A list as text cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NUMBERED = re.compile(r"(\d{1,3}\s?[.):])\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not empty. `number` is what an editor or spreadsheet shows for it."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """The text in a column; empty beyond the last cell."""
        return self.cells[column] if column < len(self.cells) else ""

    @property
    def filled(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The filled lines of one sheet of a workbook, or of a text, whose name is empty.

    Cells are stripped. A number without a fraction reads "12", a date "2026-09-05".
    """

    name: str
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        return max((len(line.cells) for line in self.lines), default=0)

    def column(self, column: int, lines: Sequence[Line] | None = None) -> list[str]:
        """The filled cells of a column, of these lines or of all."""
        cells = (line.cell(column) for line in (self.lines if lines is None else lines))
        return [cell for cell in cells if cell]

    def numbering_apart(self) -> "Sheet":
        """The same with a column of its own for what stands before most lines: "1.", "2)"."""
        matches = [_NUMBERED.fullmatch(line.cell(0)) for line in self.lines]
        if sum(map(bool, matches)) * 2 <= len(self.lines):
            return self
        lines = (
            Line(line.number, (*(match.groups() if match else ("", line.cell(0))), *line.cells[1:]))
            for line, match in zip(self.lines, matches, strict=True)
        )
        return Sheet(self.name, tuple(lines))
