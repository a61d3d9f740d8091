"""Which line of a sheet has the headings, and which column holds what."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from clubs.lists.core.values import Content, content_of, is_sum, looks_like, plain

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


HEADINGS_WITHIN = 40
"""The headings are looked for in so many filled lines."""
NO_HEADINGS = 0
"""In place of the number of the line with the headings."""
_EXACT, _PART = 2, 1
_SURE, _MAYBE, _ANY = 2, 1, 0
"""How well the cells of a column are of the kind that a field has."""
_IN_BRACKETS = re.compile(r"\s?\([^()]*\)$")
_MOST_WORDS, _LONGEST = 4, 100
"""A text of more words or letters is a title or a remark, not a heading."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Something that a column can hold.

    `headings` are what such columns are called, in Dutch and English; a heading also counts when
    all the words of one of them are in it, but those in `whole` must be all of it. Several columns
    can be of one field if it is `shared`; then their cells are joined by that text. `content` is
    what its cells look like, by which a column is recognised whose heading says nothing.
    """

    key: str
    headings: tuple[str, ...]
    content: Content | None = None
    shared: str | None = None
    whole: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the headings end and what each column holds: the key of a field, or None.

    `below` is how many of the sheet's lines stand above the first one with data, the first `above`
    of them above the headings. `headings` has the text above each column.
    """

    below: int
    headings: tuple[str, ...]
    columns: tuple[str | None, ...]
    certainty: int = 0
    above: int = 0

    @property
    def assigned(self) -> frozenset[str]:
        return frozenset(key for key in self.columns if key is not None)

    def assign(self, columns: Mapping[int, str | None]) -> "Layout":
        """The same with other fields for some columns, as somebody chose them on a page."""
        changed = [columns.get(at, key) for at, key in enumerate(self.columns)]
        return replace(self, columns=tuple(changed))


@dataclass(frozen=True, slots=True)
class Row:
    """A line below the headings: `row["name"]` is the text of that field, empty when absent."""

    line: Line
    cells: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.cells.get(key, "")


def guess_layout(sheet: Sheet, fields: Sequence[Field], heading: int | None = None) -> Layout:
    """The headings and columns of a sheet, as far as names and content tell. `heading` is the
    number of the line with the headings where somebody said so, `NO_HEADINGS` if there are none.

    >>> lines = [["Ledenlijst"], ["", "Naam lid", "Tel"], ["", "Jan Bos", "06 12345678"]]
    >>> sheet = Sheet("", tuple(Line(at, tuple(cells)) for at, cells in enumerate(lines, 1)))
    >>> found = guess_layout(sheet, [Field("name", ("naam",)), Field("phone", ("telefoon", "tel"))])
    >>> found.above, found.below, found.headings, found.columns
    (1, 2, ('', 'Naam lid', 'Tel'), (None, 'name', 'phone'))
    """
    start, certainty = _heading_line(sheet, fields)
    if heading is not None:
        start = place_of_line(sheet, heading)
    if start is None:
        return _without_headings(sheet, fields, may_guess=heading is None)
    below = start + 1
    while below < len(sheet.lines) and _continues(sheet.lines[below], fields):
        below += 1
    lines = sheet.lines[start:below]
    headings = tuple(_heading(lines, at) for at in range(sheet.width))
    columns = _by_name(sheet, below, headings, fields)
    layout = Layout(below, headings, columns, certainty, above=start)
    return _by_content(sheet, fields, layout, ("email", "phone", "postcode"))


def place_of_line(sheet: Sheet, number: int) -> int | None:
    """The place among the filled lines of the one with this number, or None."""
    numbers = [line.number for line in sheet.lines]
    return numbers.index(number) if number in numbers else None


def rows_of(sheet: Sheet, layout: Layout, fields: Sequence[Field]) -> Iterator[Row]:
    """The lines below the headings, sums and repeated headings included."""
    shared = {field.key: field.shared or " " for field in fields}
    for line in sheet.lines[layout.below :]:
        cells: dict[str, str] = {}
        for at, key in enumerate(layout.columns):
            if key is not None and (text := line.cell(at)):
                cells[key] = shared[key].join(filter(None, (cells.get(key), text)))
        yield Row(line, cells)


def side_by_side(sheet: Sheet, fields: Sequence[Field], named: Collection[str]) -> Sheet:
    """The same with the parts below each other of a list that has them side by side, each with the
    same headings, one of a field in `named`; the lines are numbered on. Else this very sheet.

    >>> cells = [["Naam", "Tel", "", "Naam", "Tel"], ["Jan Bos", "1", "", "Mia Kok", "2"]]
    >>> sheet = Sheet("", tuple(Line(at, tuple(line)) for at, line in enumerate(cells, 1)))
    >>> below = side_by_side(sheet, [Field("name", ("naam",))], ["name"])
    >>> [(line.number, *line.filled) for line in below.lines]
    [(1, 'Naam', 'Tel'), (2, 'Jan Bos', '1'), (4, 'Mia Kok', '2')]
    """
    names = [field for field in fields if field.key in named]
    for at, line in enumerate(sheet.lines[:HEADINGS_WITHIN]):
        starts = _parts_of(line)
        if starts and any(_match(cell, field) for cell in line.filled for field in names):
            return Sheet(sheet.name, tuple(_below_each_other(sheet, at, starts)))
    return sheet


def _parts_of(line: Line) -> list[int]:
    """Where the parts of a line begin that says the same several times; nothing for others."""
    filled = [(at, plain(cell[:_LONGEST])) for at, cell in enumerate(line.cells) if cell]
    for size in range(1, len(filled) // 2 + 1):
        once = [cell for _at, cell in filled[:size]]
        if len(set(once)) == size and once * (len(filled) // size) == [c for _at, c in filled]:
            return [at for at, _cell in filled[::size]]
    return []


def _below_each_other(sheet: Sheet, heading: int, starts: Sequence[int]) -> Iterator[Line]:
    yield from sheet.lines[:heading]
    starts = [0, *starts[1:]]
    for part, (start, end) in enumerate(zip(starts, [*starts[1:], sheet.width], strict=True)):
        for line in sheet.lines[heading + (part > 0) :]:
            cells = line.cells[start:end]
            if any(cells):
                yield Line(line.number + part * sheet.lines[-1].number, cells)


def repeats_headings(line: Line, layout: Layout) -> bool:
    """Whether these are the headings once more, as at the top of each printed page."""
    filled = [(at, plain(cell[:_LONGEST])) for at, cell in enumerate(line.cells) if cell]
    return bool(filled) and all(
        at < len(layout.headings) and layout.headings[at] and cell == plain(layout.headings[at])
        for at, cell in filled
    )


def best_sheet(sheets: Sequence[Sheet], fields: Sequence[Field]) -> int:
    """The place of the sheet that looks most like the list: by its headings, then its length."""

    def likeness(at: int) -> tuple[int, int, int]:
        layout = guess_layout(sheets[at], fields)
        rows = len(sheets[at].lines) - layout.below
        known = layout.certainty or len(layout.assigned)
        return (known if rows else 0), rows, -at

    return max(range(len(sheets)), key=likeness)


def _heading_line(sheet: Sheet, fields: Sequence[Field]) -> tuple[int | None, int]:
    """The place of the line whose cells are most like headings, and how much they are."""
    scores = [_likeness(line, fields) for line in sheet.lines[:HEADINGS_WITHIN]]
    best = max(scores, default=0)
    return (scores.index(best), best) if best else (None, 0)


def _likeness(line: Line, fields: Sequence[Field]) -> int:
    """Points for each field that the line has a heading for; none for a line with data, nor for a
    title that has such a word in it."""
    seen = {looks_like(cell) for cell in line.filled}
    if seen & {"email", "phone", "postcode"}:
        return 0
    points = {
        field.key: max((_match(cell, field) for cell in line.filled), default=0) for field in fields
    }
    total = sum(points.values())
    is_doubtful = len(line.filled) == 1 or bool(seen & {"number", "date"})
    return 0 if total == _PART and is_doubtful else total


@lru_cache(maxsize=20_000)
def _match(heading: str, field: Field) -> int:
    """How well this is the heading of a field."""
    words = plain(heading).split() if len(heading) < _LONGEST else []
    if not words or len(words) > _MOST_WORDS:
        return 0
    exact, parts = _accepted(field)
    if "".join(words) in exact:
        return _EXACT
    return _PART if any(part <= set(words) for part in parts) else 0


@lru_cache(maxsize=100)
def _accepted(field: Field) -> tuple[frozenset[str], list[set[str]]]:
    """The headings of a field without their spaces, and the words of those that may be a part."""
    parts = [plain(name).split() for name in field.headings]
    whole = [plain(name).split() for name in field.whole]
    return frozenset(map("".join, [*parts, *whole])), [set(words) for words in parts]


def _continues(line: Line, fields: Sequence[Field]) -> bool:
    """Whether this line explains the headings above it: in brackets, or as more headings."""
    filled = line.filled
    if all(cell.startswith("(") and cell.endswith(")") for cell in filled):
        return True
    matched = sum(any(_match(cell, field) for field in fields) for cell in filled)
    return matched >= 2 and matched * 2 >= len(filled) and _likeness(line, fields) > 0


def _heading(lines: Sequence[Line], column: int) -> str:
    return " ".join(filter(None, (line.cell(column) for line in lines)))


def _by_name(
    sheet: Sheet, below: int, headings: Sequence[str], fields: Sequence[Field]
) -> tuple[str | None, ...]:
    """The field of each column by its heading: the exact names first, each field once. Of headings
    with more words those come first whose cells are of the kind, and never those of another."""
    columns: list[str | None] = [None] * len(headings)
    taken: set[str] = set()
    bare = [_IN_BRACKETS.sub("", heading) or heading for heading in headings]
    contents = [content_of(sheet.column(at, sheet.lines[below:])) for at in range(len(headings))]
    for wanted, fitting in ((_EXACT, _ANY), (_PART, _SURE), (_PART, _MAYBE)):
        for at, heading in enumerate(bare):
            if columns[at] is not None:
                continue
            for field in fields:
                is_free = field.key not in taken or field.shared is not None
                fits = _fits(contents[at], field) >= fitting
                if is_free and fits and _match(heading, field) == wanted:
                    columns[at] = field.key
                    taken.add(field.key)
                    break
    return tuple(columns)


def _fits(content: Content | None, field: Field) -> int:
    """Whether cells with this content are of a field: "E-mail 1 - Label" has no addresses."""
    if field.content is None or content == field.content:
        return _SURE
    return _MAYBE if content is None or (content, field.content) == ("number", "phone") else _ANY


def _without_headings(sheet: Sheet, fields: Sequence[Field], *, may_guess: bool) -> Layout:
    """The columns by their content alone, where no line has a heading that is known. The first line
    may still be headings, unless somebody said that there are none."""
    below, width = _before_data(sheet) if may_guess else 0, sheet.width
    columns: tuple[str | None, ...] = (None,) * width
    lines = sheet.lines[below:]
    if may_guess and lines and _is_unknown_heading(sheet, lines):
        headings = tuple(lines[0].cell(at) for at in range(width))
        layout = Layout(below + 1, headings, columns, above=below)
        return _by_content(sheet, fields, layout, ("name", "email", "phone", "postcode"))
    return _by_content(sheet, fields, Layout(below, ("",) * width, columns, above=below))


def _is_unknown_heading(sheet: Sheet, lines: Sequence[Line]) -> bool:
    """Whether the first line has words where the others have numbers, addresses and the like."""
    return any(
        cell
        and looks_like(cell) == "name"
        and content_of(sheet.column(at, lines[1:])) not in (None, "name")
        for at, cell in enumerate(lines[0].cells)
    )


def _by_content(
    sheet: Sheet, fields: Sequence[Field], layout: Layout, only: tuple[Content, ...] = ()
) -> Layout:
    """Give columns that no heading told the field that their cells look like; below a heading that
    is not known `only` what is sure."""
    columns, taken = list(layout.columns), set(layout.assigned)
    lines = [line for line in sheet.lines[layout.below :] if not is_sum(line.cells)]
    by_content = {field.content: field.key for field in reversed(fields) if field.content}
    for at, key in enumerate(columns):
        content = content_of(sheet.column(at, lines))
        field = by_content.get(content) if content else None
        is_sure = not layout.headings[at] or not only or content in only
        if key is None and field is not None and field not in taken and is_sure:
            columns[at] = field
            taken.add(field)
    return replace(layout, columns=tuple(columns))


def _before_data(sheet: Sheet) -> int:
    """Without headings: how many lines of title stand above the list."""
    widest = max((len(line.filled) for line in sheet.lines), default=0)
    if widest < 2:
        return 0
    for at, line in enumerate(sheet.lines[:HEADINGS_WITHIN]):
        if len(line.filled) > 1:
            return at
    return 0
