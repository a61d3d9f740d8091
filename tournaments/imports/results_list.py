"""A list of results as a club has it, with what somebody chose and mended on the page."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.files.reading import FileFault, FileFaults, FileRow
from clubs.lists.core.layout import Line, Sheet, side_by_side
from clubs.lists.reading import list_read, side_by_side_words
from clubs.members.imports import People, Person, upload_source
from clubs.models import Club, Upload
from clubs.namesakes.services import Duplicates
from clubs.text.names import name_key
from tournaments.imports.list_layout import (
    PERSON,
    PERSON_FIELDS,
    Layouts,
    ListLayout,
    guess_layouts,
)
from tournaments.imports.list_rows import LINES_A_SHEET, ListContext, ListRead, read_sheet
from tournaments.imports.results_file import Named, ResultLine, result_lines

SOMEBODY_NEW: Final = "new"
"""The answer that a name is nobody of the club, nor of the list."""
OF_THE_SHEET: Final = "sheet"
"""In place of a column: the date of a whole sheet."""


@dataclass(frozen=True, slots=True)
class ListChoices:
    """What was chosen and mended on the page of a list; JSON, so keys are texts.

    `sheets` are the places of those to read, where somebody said so, and `headings` by sheet the
    line with its headings. `uses` and `dates` are of a sheet and a column, `cells` of a line and a
    column. `people` says by name who that is: the id of somebody of the club, `SOMEBODY_NEW`, or
    `=` and another name of the list.
    """

    sheets: Sequence[int] = ()
    headings: Mapping[str, int] = field(default_factory=dict)
    uses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    dates: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    cells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    people: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, upload: Upload) -> "ListChoices":
        stored = {"left_out": [], "sheets": [], **upload.details.get("choices", {})}
        lists = {key: tuple(stored[key]) for key in ("left_out", "sheets")}
        return cls(**stored | lists)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"left_out": list(self.left_out), "sheets": list(self.sheets)}


@dataclass(frozen=True, slots=True)
class ListRows:
    """The rows of a list, and how they were read."""

    sheets: tuple[Sheet, ...]
    layouts: Layouts
    read: ListRead

    @property
    def incomplete(self) -> list[int]:
        """The sheets of which it is not known who has how many points on which day."""
        return [at for at, layout in self.layouts.sheets.items() if not layout.is_complete]


class ListPeople(People):
    """Everybody of the club, and what was answered about the names in the list."""

    def __init__(self, club: Club, answers: Mapping[str, str]) -> None:
        super().__init__(club)
        self.answers = answers

    def without_answers(self) -> "ListPeople":
        """The same people, as if nothing was answered."""
        bare = copy(self)
        bare.answers = {}
        return bare

    def find(self, text: str) -> Person:
        answer = self.answers.get(name_key(text), "")
        if answer.isdecimal() and int(answer) in self._members:
            return int(answer)
        if answer.startswith("=") and name_key(answer[1:]) not in self.answers:
            return super().find(answer[1:])
        return super().find(text)

    def player_cell(self, name: str, number: str) -> str:
        """The number where it is that of somebody with this name, or one like it; else the name."""
        member_id = self._by_number.get(number.lstrip("0")) if number else None
        if member_id is None or name_key(name) in self.answers:
            return name
        member = self._members[member_id]
        if name_key(name) == name_key(member.name):
            return number
        has_other = bool(self._by_name.get(name_key(name)))
        return number if not has_other and Duplicates([(member.name, 1)]).like(name) else name

    def of_one_name(self, text: str) -> list[int]:
        """The people who have this name, if they are more than one and nobody said which it is."""
        if name_key(text) in self.answers:
            return []
        ids = self._by_name.get(name_key(text), [])
        return ids if len(ids) > 1 else []


@dataclass(frozen=True, slots=True)
class ResultsList:
    """The sheets of a list, and the choices made about them."""

    sheets: tuple[Sheet, ...]
    notices: tuple[str, ...]
    choices: ListChoices

    @classmethod
    def of(cls, content: bytes, choices: ListChoices) -> "ResultsList":
        """Raises FileFaults with a sentence where the file is no list."""
        file = list_read(content)
        sheets = tuple(side_by_side(sheet, PERSON_FIELDS, PERSON) for sheet in file.sheets)
        stood_apart = [
            side_by_side_words(before)
            for before, sheet in zip(file.sheets, sheets, strict=True)
            if sheet is not before
        ]
        return cls(sheets, (*file.notices, *stood_apart[:1]), choices)

    def rows(self, people: ListPeople, season_name: str) -> ListRows:
        """What the list comes to, with what was mended and without the lines left out."""
        sheets = self._mended()
        guessed = guess_layouts(
            sheets,
            season_name,
            timezone.localdate(),
            headings={int(at): line for at, line in self.choices.headings.items()},
            only=self.choices.sheets,
        )
        chosen = {at: self._chosen(at, layout, guessed) for at, layout in guessed.sheets.items()}
        layouts = replace(guessed, sheets=chosen)
        read = ListRead()
        context = ListContext(people.player_cell, layouts.years)
        for at, layout in layouts.sheets.items():
            read_sheet(sheets[at], layout, at, context, read)
        left_out = set(map(int, self.choices.left_out))
        read.rows = [row for row in read.rows if row.line not in left_out]
        return ListRows(sheets, layouts, read)

    def results(self, club: Club, season_name: str, played: Iterable[Named]) -> list[ResultLine]:
        """The results of the list. Raises FileFaults with everything that is wrong with it."""
        people = ListPeople(club, self.choices.people)
        rows = self.rows(people, season_name)
        if rows.incomplete:
            message = _("it is not clear what is in the columns")
            raise FileFaults([FileFault(None, None, message)])
        faults: list[FileFault] = []
        lines = result_lines(rows.read.rows, people, played, faults)
        if faults:
            raise FileFaults(faults)
        return lines

    def _mended(self) -> tuple[Sheet, ...]:
        cells = {int(line): columns for line, columns in self.choices.cells.items()}
        return tuple(_with_cells(sheet, at, cells) for at, sheet in enumerate(self.sheets))

    def _chosen(self, at: int, layout: ListLayout, guessed: Layouts) -> ListLayout:
        """The layout with what was chosen for the first sheet that has the same headings."""
        first = first_alike(at, guessed)
        uses = {int(column): use or None for column, use in self._of(self.choices.uses, first)}
        dates = {
            column: dt.date.fromisoformat(day) for column, day in self._of(self.choices.dates, at)
        }
        changed = layout.change(
            uses, {int(c): day for c, day in dates.items() if c != OF_THE_SHEET}
        )
        dated = replace(changed, date=dates.get(OF_THE_SHEET, layout.date))
        return dated.below_headings(self.sheets[at])

    @staticmethod
    def _of(chosen: Mapping[str, Mapping[str, str]], sheet: int) -> Iterable[tuple[str, str]]:
        return chosen.get(str(sheet), {}).items()


def list_of(upload: Upload) -> ResultsList:
    """The list of an upload, with what was chosen about it."""
    return ResultsList.of(upload_source(upload).read(), ListChoices.of(upload))


def first_alike(at: int, layouts: Layouts) -> int:
    """The place of the first sheet that has the same headings and columns as this one."""
    own = layouts.sheets[at]
    return next(
        place
        for place, layout in layouts.sheets.items()
        if (layout.headings, layout.uses) == (own.headings, own.uses)
    )


def _with_cells(sheet: Sheet, at: int, cells: Mapping[int, Mapping[str, str]]) -> Sheet:
    return replace(
        sheet,
        lines=tuple(
            _mended_line(line, cells[number]) if number in cells else line
            for line in sheet.lines
            for number in (line.number + at * LINES_A_SHEET,)
        ),
    )


def _mended_line(line: Line, mended: Mapping[str, str]) -> Line:
    width = max(len(line.cells), *(int(column) + 1 for column in mended))
    cells = [line.cell(at) for at in range(width)]
    for column, text in mended.items():
        cells[int(column)] = text
    return Line(line.number, tuple(cells))


def place_of(line: int, sheets: Sequence[Sheet]) -> tuple[str, int]:
    """The name of the sheet, where there are more, and the number that it shows for this line."""
    at, number = divmod(line, LINES_A_SHEET)
    return (sheets[at].name if len(sheets) > 1 else "", number)


def rows_of_many(rows: Iterable[FileRow], people: ListPeople) -> dict[str, list[int]]:
    """The names in these rows that several people of the club have, with their ids."""
    players = dict.fromkeys(row["player"] for row in rows)
    return {name: ids for name in players if (ids := people.of_one_name(name))}
