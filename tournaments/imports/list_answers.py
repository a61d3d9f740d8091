"""What was posted by the page of a list of results: columns, dates, cells, people."""

import datetime as dt
from collections.abc import Iterable, Mapping

from django.http import QueryDict

from clubs.text.names import name_key, tidy_name
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.imports.results_check import USES, LineShown, ListCheck, Question, SheetShown
from tournaments.imports.results_list import OF_THE_SHEET, ListChoices

_LONGEST_CELL = 200
Nested = dict[str, dict[str, str]]


def posted_choices(check: ListCheck, posted: QueryDict) -> ListChoices:
    """The choices so far, with those that the page was sent with."""
    before = check.results_list.choices
    uses, dates, cells = _nested(before.uses), _nested(before.dates), _nested(before.cells)
    for sheet in check.sheets:
        _take_columns(sheet, posted, uses, dates)
    for line in check.to_mend:
        _take_cells(line, posted, cells)
    left_out = _left_out([*check.to_mend, *check.left_out], before.left_out, posted)
    people = {**before.people, **_answers(check.questions, posted)}
    return ListChoices(uses, dates, cells, left_out, people)


def _nested(chosen: Mapping[str, Mapping[str, str]]) -> Nested:
    return {key: dict(values) for key, values in chosen.items()}


def _take_columns(sheet: SheetShown, posted: QueryDict, uses: Nested, dates: Nested) -> None:
    for column in sheet.columns:
        use = posted.get(f"use-{sheet.place}-{column.place}", column.use)
        if use != column.use and use in USES:
            uses.setdefault(str(sheet.place), {})[str(column.place)] = use
        _take_date(sheet.place, str(column.place), column.date, posted, dates)
    _take_date(sheet.place, OF_THE_SHEET, sheet.date, posted, dates)


def _take_date(
    sheet: int, column: str, before: dt.date | None, posted: QueryDict, dates: Nested
) -> None:
    try:
        date = dt.date.fromisoformat(posted.get(f"date-{sheet}-{column}", ""))
    except ValueError:
        return
    if date != before and FIRST_DAY <= date <= LAST_DAY:
        dates.setdefault(str(sheet), {})[column] = date.isoformat()


def _take_cells(line: LineShown, posted: QueryDict, cells: Nested) -> None:
    for cell in line.cells:
        text = tidy_name(posted.get(f"cell-{line.line}-{cell.column}", cell.text))
        if text != cell.text:
            cells.setdefault(str(line.line), {})[str(cell.column)] = text[:_LONGEST_CELL]


def _left_out(
    lines: Iterable[LineShown], before: Iterable[str], posted: QueryDict
) -> tuple[str, ...]:
    """The lines with a tick, and those that were not on the page."""
    shown = {str(line.line) for line in lines} & set(posted.getlist("line"))
    ticked = shown & set(posted.getlist("out"))
    return tuple(sorted(ticked | (set(before) - shown), key=int))


def _answers(questions: Iterable[Question], posted: QueryDict) -> dict[str, str]:
    answers = {}
    for at, question in enumerate(questions):
        answer = posted.get(f"who-{at}", "")
        if posted.get(f"name-{at}") == question.name and answer in dict(question.options):
            answers[name_key(question.name)] = answer
    return answers
