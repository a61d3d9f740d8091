"""What the page of a list of results asks and shows before anything is written."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clubs.files.reading import FileFault
from clubs.lists.core.layout import Line, Sheet
from clubs.lists.reading import heading_at, heading_lines, sheets_words
from clubs.models import Member, Upload
from clubs.text.names import name_key
from tournaments.imports.list_layout import (
    ABSENCE,
    EVENING,
    FIRST_NAME,
    MEAN,
    NAME,
    NUMBER,
    OF_EVENING,
    PAIR,
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
    WHO,
    ListLayout,
)
from tournaments.imports.list_rows import LINES_A_SHEET, SumDiffers
from tournaments.imports.preview import ResultsPreview, doubtful_names, results_preview
from tournaments.imports.results import results_plan
from tournaments.imports.results_file import result_lines
from tournaments.imports.results_list import (
    OF_THE_SHEET,
    SOMEBODY_NEW,
    ListPeople,
    ListRows,
    ResultsList,
    first_alike,
    list_of,
    place_of,
    rows_of_many,
)

USES: Final = {
    "": gettext_lazy("not read"),
    NAME: gettext_lazy("the name"),
    TURNED_NAME: gettext_lazy("the name, surname first"),
    FIRST_NAME: gettext_lazy("the first name"),
    PREFIX: gettext_lazy("the prefix (van der)"),
    SURNAME: gettext_lazy("the surname"),
    NUMBER: gettext_lazy("the number of the member"),
    PAIR: gettext_lazy("the fixed pair"),
    TEAM: gettext_lazy("the team"),
    OF_EVENING: gettext_lazy("the points of one evening"),
    EVENING: gettext_lazy("the date of the evening"),
    SCORE: gettext_lazy("the points"),
    ROUND: gettext_lazy("the number of the round"),
    **{key: gettext_lazy("the points of round %(n)s") for key in ROUNDS},
    SUM: gettext_lazy("a total (compared, not read)"),
    MEAN: gettext_lazy("an average (not read)"),
    PITS: pgettext_lazy("column", "pits"),
    ROEM: pgettext_lazy("column", "roem"),
    ABSENCE: gettext_lazy("absent or not"),
}
"""What a column can hold, in the words of the page."""
_SAMPLES: Final = 3
MOST_MENDED: Final = 50
"""Lines to mend on one page; the others come once these are mended."""
_MOST_CELLS: Final = 12


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A column of a sheet: its heading, what is in its first lines, and what it holds."""

    place: int
    heading: str
    samples: Sequence[str]
    use: str
    date: dt.date | None

    @property
    def needs_date(self) -> bool:
        return self.use == OF_EVENING


@dataclass(frozen=True, slots=True)
class SheetShown:
    """A sheet and its columns. Of sheets with the same headings only the first has `columns`."""

    place: int
    name: str
    columns: Sequence[ColumnShown]
    is_one_evening: bool
    date: dt.date | None
    is_complete: bool
    missing: str
    heading: int
    heading_lines: Sequence[tuple[int, str]]

    @property
    def undated(self) -> list[str]:
        """The columns that are an evening without a date yet; the sheet itself where it is one."""
        places = [
            str(column.place) for column in self.columns if column.needs_date and not column.date
        ]
        return places + ([OF_THE_SHEET] if self.is_one_evening and not self.date else [])


@dataclass(frozen=True, slots=True)
class CellShown:
    """A cell of a line that can be mended."""

    column: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class LineShown:
    """A line with a fault, or one that is left out."""

    line: int
    sheet: str
    number: int
    text: str
    cells: Sequence[CellShown]
    faults: Sequence[str]
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class Question:
    """Who somebody in the list is. `options` has the answers with their words."""

    name: str
    options: Sequence[tuple[str, str]]
    answer: str


@dataclass(frozen=True, slots=True)
class ListCheck:
    """A list as it stands: what is recognised, asked, wrong and not read.

    `preview` is None as long as there are faults.
    """

    results_list: ResultsList
    rows: ListRows
    sheets: Sequence[SheetShown]
    questions: Sequence[Question]
    to_mend: Sequence[LineShown]
    more_to_mend: int
    left_out: Sequence[LineShown]
    preview: ResultsPreview | None

    @property
    def is_complete(self) -> bool:
        return not self.rows.incomplete

    @property
    def unanswered(self) -> int:
        return sum(not question.answer for question in self.questions)

    @property
    def is_ready(self) -> bool:
        """Whether everything is answered and mended, so that it can be read in."""
        has_results = bool(self.preview and self.preview.plan.lines)
        return self.is_complete and has_results and not self.unanswered

    @property
    def lines_to_mend(self) -> int:
        return len(self.to_mend) + self.more_to_mend

    @property
    def sheet_choices(self) -> list[tuple[int, str, bool]]:
        """The sheets of the file with how much is on them, and whether they are read; nothing for a
        single one."""
        sheets = self.rows.sheets
        read = self.rows.layouts.sheets
        words = sheets_words(sheets) if len(sheets) > 1 else []
        return [(at, name, at in read) for at, name in enumerate(words)]

    @property
    def asks_columns(self) -> bool:
        """Whether it is not known yet who has which points."""
        layouts = self.rows.layouts.sheets.values()
        return not all(WHO & set(layout.uses) and layout.has_points for layout in layouts)

    @property
    def undated(self) -> int:
        return sum(len(sheet.undated) for sheet in self.sheets)

    @property
    def has_nothing(self) -> bool:
        return self.is_complete and not self.rows.read.rows

    @property
    def absences(self) -> str:
        """The words in place of scores that were read as absent, and how often."""
        return ", ".join(f"{word} ({n}×)" for word, n in self.rows.read.absences.items())

    @property
    def not_read(self) -> list[str]:
        """The headings of columns that are not read."""
        layouts = self.rows.layouts.sheets.values()
        headings = [
            layout.called(at)
            for layout in layouts
            for at, use in enumerate(layout.uses)
            if use is None and self._has_text(layout, at)
        ]
        return list(dict.fromkeys(headings))

    @property
    def sheets_not_read(self) -> list[str]:
        names = enumerate(sheet.name for sheet in self.rows.sheets)
        return [name for at, name in names if at not in self.rows.layouts.sheets]

    @property
    def differs(self) -> list[tuple[str, SumDiffers]]:
        """The totals in the list that are not what the scores come to, with their place."""
        out = set(self.results_list.choices.left_out)
        return [
            (self.place(item.line), item)
            for item in self.rows.read.differs
            if str(item.line) not in out
        ]

    def place(self, line: int) -> str:
        """The line, and the sheet where there are more."""
        sheet, number = place_of(line, self.rows.sheets)
        return place_words(sheet, number)

    def lines_not_read(self) -> list[tuple[str, str]]:
        """The lines of totals and those without a score, with their place."""
        read = self.rows.read
        return [
            (self.place(line), text) for line, text in sorted(read.sum_lines + read.empty_lines)
        ]

    def doubts(self) -> list[str]:
        """What may be a slip, with its place."""
        return [_fault_words(self, fault) for fault in self.preview.doubts] if self.preview else []

    def _has_text(self, layout: ListLayout, column: int) -> bool:
        return bool(layout.heading(column)) or any(
            line.cell(column) for line in self.rows.read.lines.values()
        )


def place_words(sheet: str, number: int) -> str:
    words = {"sheet": sheet, "number": number}
    return (_("%(sheet)s, line %(number)s") if sheet else _("line %(number)s")) % words


def _fault_words(check: ListCheck, fault: FileFault) -> str:
    place = check.place(fault.line) if fault.line else None
    return ": ".join(part for part in (place, fault.column, fault.message) if part)


def list_check(upload: Upload) -> ListCheck:
    """How the list of an upload stands now."""
    club, season_name = upload.club, upload.details["season"]
    results_list = list_of(upload)
    people = ListPeople(club, results_list.choices.people)
    rows = results_list.rows(people, season_name)
    sheets = [_sheet_shown(rows, at) for at in rows.layouts.sheets]
    many = rows_of_many(rows.read.rows, people)
    faults = [] if rows.incomplete else _faults(upload, rows, people, many)
    wrong = _by_line(faults)
    preview = None
    if not faults and not many and not rows.incomplete and rows.read.rows:
        plan = results_plan(club=club, season_name=season_name, source=results_list)
        preview = results_preview(plan)
    left_out = [int(line) for line in results_list.choices.left_out]
    return ListCheck(
        results_list,
        rows,
        sheets,
        questions=_questions(upload, results_list, rows, people, many),
        to_mend=[_line_shown(rows, line, wrong[line]) for line in sorted(wrong)[:MOST_MENDED]],
        more_to_mend=max(len(wrong) - MOST_MENDED, 0),
        left_out=[_line_shown(rows, line, [], is_left_out=True) for line in left_out],
        preview=preview,
    )


def _faults(
    upload: Upload, rows: ListRows, people: ListPeople, many: Mapping[str, list[int]]
) -> list[FileFault]:
    faults: list[FileFault] = []
    sure = [row for row in rows.read.rows if row["player"] not in many]
    result_lines(sure, people, _evenings_with_deals(upload), faults)
    return faults


def _evenings_with_deals(upload: Upload) -> list[tuple[dt.date, int]]:
    evenings = upload.club.evenings.filter(is_history=False)
    return list(evenings.values_list("date", "sequence"))


def _by_line(faults: Iterable[FileFault]) -> dict[int, list[FileFault]]:
    lines: dict[int, list[FileFault]] = defaultdict(list)
    for fault in faults:
        lines[fault.line or 0].append(fault)
    return lines


# The columns.


def _sheet_shown(rows: ListRows, at: int) -> SheetShown:
    layout, sheet = rows.layouts.sheets[at], rows.sheets[at]
    heading = heading_at(sheet, layout.above, layout.below)
    is_first = first_alike(at, rows.layouts) == at
    return SheetShown(
        at,
        sheet.name,
        columns=_columns(sheet, layout) if is_first else [],
        is_one_evening=layout.is_one_evening,
        date=layout.date,
        is_complete=layout.is_complete,
        missing=_missing(layout),
        heading=heading,
        heading_lines=heading_lines(sheet, heading),
    )


def _columns(sheet: Sheet, layout: ListLayout) -> list[ColumnShown]:
    below = sheet.lines[layout.below :]
    shown = []
    for at, use in enumerate(layout.uses):
        samples = [line.cell(at) for line in below[:_SAMPLES]]
        if any(line.cell(at) for line in below) or layout.heading(at):
            date = layout.dates.get(at)
            shown.append(ColumnShown(at, layout.called(at), samples, use or "", date))
    return shown


def _missing(layout: ListLayout) -> str:
    """What has to be said before the list can be read."""
    if not WHO & set(layout.uses):
        return _("Say which column has the names.")
    if not layout.has_points:
        return _("Say which column has the points.")
    if not layout.is_complete:
        return ngettext(
            "Fill in the date of the evening.",
            "Fill in the dates of the evenings.",
            sum(use == OF_EVENING for use in layout.uses) or 1,
        )
    return ""


# The people.


def _questions(
    upload: Upload,
    results_list: ResultsList,
    rows: ListRows,
    people: ListPeople,
    many: Mapping[str, list[int]],
) -> list[Question]:
    """Who people are whose name several have, or nobody exactly: with the answers that were given,
    so that they can be changed."""
    answers = results_list.choices.people
    bare = people.without_answers()
    members = Member.objects.of(upload.club).filter(erased_at=None).by_surname()
    by_id = {member.pk: member for member in members}
    asked: dict[str, Question] = {}
    for name, ids in {**many, **rows_of_many(rows.read.rows, bare)}.items():
        options = [(str(pk), _called(by_id[pk])) for pk in ids if pk in by_id]
        asked[name] = Question(name, options, answers.get(name_key(name), ""))
    lines = [] if rows.incomplete else result_lines(rows.read.rows, bare, (), [])
    for doubt in doubtful_names(lines, members):
        options = [(str(member.pk), _called(member)) for member in doubt.members]
        options += [(f"={name}", name) for name in doubt.earlier]
        options.append((SOMEBODY_NEW, _("somebody else, who becomes a guest")))
        asked[doubt.name] = Question(doubt.name, options, answers.get(name_key(doubt.name), ""))
    return list(asked.values())


def _called(member: Member) -> str:
    if member.number is None or member.mark not in ("", str(member.number)):
        return member.desk_name
    return _("%(name)s (number %(number)s)") % {"name": member.name, "number": member.number}


# The lines.


def _line_shown(
    rows: ListRows, line: int, faults: Sequence[FileFault], *, is_left_out: bool = False
) -> LineShown:
    sheet, number = place_of(line, rows.sheets)
    layout = rows.layouts.sheets[line // LINES_A_SHEET]
    cells = rows.read.lines.get(line, Line(number, ()))
    return LineShown(
        line,
        sheet,
        number,
        text=" · ".join(cells.filled)[:120],
        cells=[] if is_left_out else _cells(cells, layout, faults),
        faults=[
            f"{fault.column}: {fault.message}" if fault.column else fault.message
            for fault in faults
        ],
        is_left_out=is_left_out,
    )


def _cells(line: Line, layout: ListLayout, faults: Sequence[FileFault]) -> list[CellShown]:
    """The cells that the faults are about and who it is; all that are read if that is not known."""
    people = WHO | {PREFIX}
    named = {fault.column for fault in faults if fault.column}
    read = [at for at, use in enumerate(layout.uses) if use and use not in (SUM, MEAN)]
    wrong = [at for at in read if layout.called(at) in named or layout.uses[at] in named]
    chosen = [at for at in read if at in wrong or layout.uses[at] in people] if wrong else read
    return [CellShown(at, layout.called(at), line.cell(at)) for at in chosen[:_MOST_CELLS]]
