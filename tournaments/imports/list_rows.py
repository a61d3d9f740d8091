"""The lines of a list of results as the lines of a file of results, and its sums compared.

Standard library and the reading of lists only: what is wrong in a line is found where all files
of results are checked.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from clubs.files.reading import FileRow
from clubs.lists.core.layout import Layout, Line, Sheet, repeats_headings
from clubs.lists.core.values import month_comes_first, plain, written_day
from clubs.lists.names import name_mended, name_of_parts, name_turned
from tournaments.imports.list_layout import (
    ABSENCE,
    EVENING,
    FIRST_NAME,
    NAME,
    NUMBER,
    OF_EVENING,
    PAIR,
    PERSON,
    PITS,
    PREFIX,
    ROEM,
    ROUND,
    ROUNDS,
    SCORE,
    SUM,
    SURNAME,
    TEAM,
    TURNED_NAME,
    ListLayout,
    SeasonYears,
    is_sum_line,
)

LINES_A_SHEET: Final = 2_000_000
"""Lines of the second sheet and on are numbered from here, so that a number says the sheet too."""
_WITH_NOTICE = frozenset(
    "afw afwezig afgemeld afm a abs absent ziek sick vakantie vak v verhinderd weg nvt n v t x"
    " niet geweest met bericht mb".split()
)
_WITHOUT = frozenset({"weggebleven", "niet afgemeld", "zonder bericht", "zb", "no show"})
_DASHES = re.compile(r"[-\u2010-\u2015/.\s]+")
_MARKS = re.compile(r"\s*(?:\*+|p(?:nt|unten)?\.?)$", re.IGNORECASE)
_ROUND_IN_WORDS = re.compile(r"\D*(\d+)(?:e|ste|de)?\D*")
_NUMBER = re.compile(r"-?\d+")
_NO_COLUMN = -1

PlayerCell = Callable[[str, str], str]
"""What to look somebody up by, of the name and the number in the list."""


@dataclass(frozen=True, slots=True)
class SumDiffers:
    """A total in the list that is not what the scores come to."""

    line: int
    heading: str
    name: str
    in_list: int
    sum: int


@dataclass
class ListRead:
    """What a list comes to: lines for the check of all results, and what was not read."""

    rows: list[FileRow] = field(default_factory=list)
    lines: dict[int, Line] = field(default_factory=dict)
    differs: list[SumDiffers] = field(default_factory=list)
    sums: int = 0
    sum_lines: list[tuple[int, str]] = field(default_factory=list)
    empty_lines: list[tuple[int, str]] = field(default_factory=list)
    absences: dict[str, int] = field(default_factory=dict)
    zeros: int = 0

    def add(self, row: FileRow) -> None:
        self.rows.append(row)


@dataclass(frozen=True, slots=True)
class ListContext:
    """What the lines of a sheet are read with; `month_first` as in American lists."""

    player: PlayerCell
    years: SeasonYears | None = None
    month_first: bool = False


def read_sheet(
    sheet: Sheet, layout: ListLayout, place: int, context: ListContext, read: ListRead
) -> None:
    """Add what this sheet comes to, as the sheet at that place of the file."""
    repeated = Layout(layout.below, layout.headings, layout.uses)
    at = layout.at(EVENING)
    days = sheet.column(at, sheet.lines[layout.below :]) if at is not None else []
    context = replace(context, month_first=month_comes_first(days))
    for line in sheet.lines[: layout.above]:
        read.sum_lines.append((line.number + place * LINES_A_SHEET, _shown(line)))
    columns: dict[int, int] = {}
    for line in sheet.lines[layout.below :]:
        number = line.number + place * LINES_A_SHEET
        read.lines[number] = line
        if is_sum_line(line):
            read.sum_lines.append((number, _shown(line)))
            _compare_down(line, number, layout, columns, read)
        elif repeats_headings(line, repeated):
            read.sum_lines.append((number, _shown(line)))
        else:
            person = _Person(line, number, layout, context)
            person.read_into(read)
            _compare_across(person, read)
            for at, score in person.scores.items():
                columns[at] = columns.get(at, 0) + score


class _Person:
    """A line about somebody."""

    def __init__(self, line: Line, number: int, layout: ListLayout, context: ListContext) -> None:
        self.line, self.number, self.layout, self.context = line, number, layout, context
        name, at = name_in(line, layout), layout.at(NUMBER)
        self.player = ""
        if PERSON & set(layout.uses):
            self.player = context.player(name, line.cell(at) if at is not None else "")
        self.competitors = {
            use: line.cell(place) for use in (PAIR, TEAM) if (place := layout.at(use)) is not None
        }
        self.name = name or next(iter(self.competitors.values()), "")
        self.scores: dict[int, int] = {}
        self.has_unread = False

    def read_into(self, read: ListRead) -> None:
        rows = list(self._rows(read))
        for row in rows:
            read.add(row)
        if not rows:
            read.empty_lines.append((self.number, _shown(self.line)))

    def _rows(self, read: ListRead) -> Iterator[FileRow]:
        if self.layout.has_days_across:
            for at, use in enumerate(self.layout.uses):
                if use == OF_EVENING and (text := self.line.cell(at)):
                    date = self.layout.dates.get(at)
                    yield from self._result(at, text, date.isoformat() if date else "", "", read)
        elif self.layout.has_rounds_across:
            is_first = True
            for at, use in enumerate(self.layout.uses):
                if use in ROUNDS and (text := self.line.cell(at)):
                    played = str(ROUNDS[use])
                    for row in self._result(at, text, self._evening(), played, read):
                        yield self._with_figures(row) if is_first else row
                        is_first = False
        else:
            yield from self._of_line(read)

    def _of_line(self, read: ListRead) -> Iterator[FileRow]:
        """The result of a line that has one."""
        at = self.layout.at(SCORE)
        text = self.line.cell(at) if at is not None else ""
        column = _NO_COLUMN if at is None else at
        played = self._cell(ROUND)
        match = _ROUND_IN_WORDS.fullmatch(played)
        played = match[1] if match else played
        if text or self._cell(ABSENCE):
            for row in self._result(column, text, self._evening(), played, read):
                yield self._with_figures(row)

    def _result(
        self, column: int, text: str, evening: str, played: str, read: ListRead
    ) -> Iterator[FileRow]:
        """A score, or the absence that stands in its place; nothing for nought points, which
        nobody has who was there."""
        absence = absence_in(text)
        score = "" if absence else tidy_score(text)
        if absence:
            read.absences[text] = read.absences.get(text, 0) + 1
        elif score == "0" and not played:
            read.zeros += 1
            return
        elif _NUMBER.fullmatch(score):
            self.scores[column] = int(score)
        else:
            self.has_unread = True
        cells = dict.fromkeys((PITS, ROEM), "") | {
            EVENING: evening,
            "player": self.player,
            **self.competitors,
            ROUND: "" if absence else played,
            SCORE: score,
            ABSENCE: absence,
        }
        yield FileRow(self.number, cells, self._headings(column))

    def _headings(self, column: int) -> Mapping[str, str]:
        named = next(
            (use for use in (NAME, TURNED_NAME, SURNAME, FIRST_NAME) if use in self.layout.uses),
            NAME,
        )
        same = (EVENING, ROUND, PITS, ROEM, ABSENCE, PAIR, TEAM)
        uses = {"player": named} | {use: use for use in same}
        places = {key: self.layout.at(use) for key, use in uses.items()}
        known = {key: self.layout.called(at) for key, at in places.items() if at is not None}
        return {SCORE: self.layout.called(max(column, 0)), EVENING: EVENING, **known}

    def _with_figures(self, row: FileRow) -> FileRow:
        """The result with the figures of the whole line, which count once."""
        own = {PITS: self._cell(PITS), ROEM: self._cell(ROEM)}
        absence = row.cells[ABSENCE] or _absence_word(self._cell(ABSENCE))
        return FileRow(row.line, {**row.cells, **own, ABSENCE: absence}, row.headings)

    def _evening(self) -> str:
        if self.layout.is_one_evening:
            return self.layout.date.isoformat() if self.layout.date else ""
        text = self._cell(EVENING)
        day = written_day(text, month_first=self.context.month_first)
        if day is None:
            return text
        years = self.context.years
        date = years.date_of(day) if years else day.in_year(0)
        return date.isoformat() if date else text

    def _cell(self, use: str) -> str:
        at = self.layout.at(use)
        return self.line.cell(at) if at is not None else ""


def _compare_across(person: _Person, read: ListRead) -> None:
    at = person.layout.at(SUM)
    total = tidy_score(person.line.cell(at)) if at is not None else ""
    if at is None or not _NUMBER.fullmatch(total) or person.has_unread or not person.scores:
        return
    read.sums += 1
    if int(total) != sum(person.scores.values()):
        heading, name = person.layout.heading(at), person.name
        made = sum(person.scores.values())
        read.differs.append(SumDiffers(person.number, heading, name, int(total), made))


def _compare_down(
    line: Line, number: int, layout: ListLayout, columns: Mapping[int, int], read: ListRead
) -> None:
    """Compare a line of totals, not one of averages, with the sums of the columns above it."""
    label = next((cell for cell in line.filled if any(map(str.isalpha, cell))), "")
    if not _is_total(label):
        return
    for at, made in columns.items():
        total = tidy_score(line.cell(at))
        if _NUMBER.fullmatch(total):
            read.sums += 1
            if int(total) != made:
                heading = layout.heading(at)
                read.differs.append(SumDiffers(number, heading, label, int(total), made))


def _is_total(label: str) -> bool:
    return plain(label).startswith(("tot", "eindtot", "som", "sum"))


def name_in(line: Line, layout: ListLayout) -> str:
    """The name of the person in this line, first name first."""
    places = [layout.at(use) for use in (FIRST_NAME, PREFIX, SURNAME)]
    first, prefix, surname = (line.cell(at) if at is not None else "" for at in places)
    if first or surname:
        return name_of_parts(first=first, prefix=prefix, surname=surname)
    turned, at = layout.at(TURNED_NAME), layout.at(NAME)
    if turned is not None:
        return name_turned(line.cell(turned))
    return name_mended(line.cell(at)) if at is not None else ""


def absence_in(text: str) -> str:
    """The kind of absence that a word in the place of a score means, or nothing."""
    if _DASHES.fullmatch(text):
        return "notice"
    words = plain(text)
    if words in _WITHOUT:
        return "none"
    return "notice" if words in _WITH_NOTICE else ""


def _absence_word(text: str) -> str:
    """What a column of absences says; "nee" is no absence, a cross is one."""
    words = plain(text)
    if words in ("", "nee", "no", "n"):
        return ""
    return "notice" if words in ("ja", "yes", "j", "y", "1") else absence_in(text) or text


def tidy_score(text: str) -> str:
    """A score without what people write around it: brackets, a star, "pnt".

    >>> tidy_score("(4.512)"), tidy_score("4512*"), tidy_score("4.41o")
    ('4512', '4512', '4.41o')
    """
    inner = _MARKS.sub("", text.strip().removeprefix("(").removesuffix(")")).strip()
    whole = re.fullmatch(r"(-?\d{1,3})[.\u00a0\u202f ](\d{3})", inner)
    return whole[1] + whole[2] if whole else inner


def _shown(line: Line) -> str:
    return " · ".join(line.filled)[:80]
