"""The forms in which a file or a list is chosen, and what is answered about a list of results."""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from clubs.members.forms import UploadForm
from clubs.models import Club
from clubs.text.names import name_key, tidy_name
from clubs.text.numbers import FIRST_DAY, LAST_DAY, whole_number
from scoring.rules import PRESETS, Language, preset_name
from tournaments.imports.results_check import USES, LineShown, ListCheck, Question, SheetShown
from tournaments.imports.results_list import OF_THE_SHEET, ListChoices

NEW = "new"


class FileForm(forms.Form):
    """A file that is previewed before it is imported."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or Excel (XLSX), at most 5 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,text/csv"}),
        allow_empty_file=True,
        error_messages={"required": _("Choose a file.")},
    )


class EntriesForm(UploadForm):
    """A list of who comes to an evening."""

    file_label = _("File with who comes")


class ResultsListForm(UploadForm):
    """Earlier results, and the season they belong to: an existing or a new one."""

    season = forms.ChoiceField(
        label=_("In which season?"), error_messages={"required": _("Choose a season.")}
    )
    season_name = forms.CharField(
        label=_("Name of a new season"),
        max_length=60,
        required=False,
        help_text=_("Only fill this in with “a new season”. Such as 2024-2025."),
    )
    file_label = _("File with the results")
    field_order = ["season", "season_name", "file", "text"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [season.name for season in club.seasons.order_by("-starts", "-pk")]
        choices = [
            ("", _("Choose a season")),
            *((name, name) for name in names),
            (NEW, _("a new season")),
        ]
        self.fields["season"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Makes `season` the name of the season, existing or new."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("season") == NEW:
            cleaned["season"] = " ".join(cleaned.get("season_name", "").split())
            if not cleaned["season"] and "season_name" not in self.errors:
                self.add_error("season_name", _("Fill in the name of the season."))
        return cleaned


class EveningFileForm(FileForm):
    """An evening with its deals, the rules it was played by, and its season if it has one."""

    preset = forms.ChoiceField(label=_("By which rules was it played?"))
    season = forms.ChoiceField(label=_("In which season?"), required=False)
    field_order = ["preset", "season", "file"]

    def __init__(self, *args: Any, club: Club, language: Language, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        presets = [(key, preset_name(key, language)) for key in PRESETS]
        own = [(str(regulation), str(regulation)) for regulation in club.regulations.current()]
        own = [choice for choice in own if choice[0] not in PRESETS]
        groups = [(_("Our own rules"), own), (_("Rules of others"), presets)]
        self.fields["preset"].choices = groups if own else presets  # type: ignore[attr-defined]
        names = [season.name for season in club.seasons.order_by("-starts", "-pk")]
        choices = [("", _("in none")), *((name, name) for name in names)]
        self.fields["season"].choices = choices  # type: ignore[attr-defined]


_LONGEST_CELL = 200
Nested = dict[str, dict[str, str]]


def posted_choices(check: ListCheck, posted: QueryDict) -> ListChoices:
    """The choices so far, with those that the page was sent with."""
    before = check.results_list.choices
    uses, dates, cells = _nested(before.uses), _nested(before.dates), _nested(before.cells)
    headings = dict(before.headings)
    for sheet in check.sheets:
        if _takes_heading(sheet, posted, headings):
            uses.pop(str(sheet.place), None)
            dates.pop(str(sheet.place), None)
        else:
            _take_columns(sheet, posted, uses, dates)
    _fill_dates(check, posted, dates)
    for line in check.to_mend:
        _take_cells(line, posted, cells)
    left_out = _left_out([*check.to_mend, *check.left_out], before.left_out, posted)
    people = {**before.people, **_answers(check.questions, posted)}
    sheets = _sheets(check, posted)
    return ListChoices(sheets, headings, uses, dates, cells, left_out, people)


def _sheets(check: ListCheck, posted: QueryDict) -> tuple[int, ...]:
    """The sheets with a tick, where those are not the ones that are read already."""
    ticked = {
        at for at, _name, _is_read in check.sheet_choices if str(at) in posted.getlist("sheet")
    }
    read = {at for at, _name, is_read in check.sheet_choices if is_read}
    if not ticked or ticked == read:
        return tuple(check.results_list.choices.sheets)
    return tuple(sorted(ticked))


def _takes_heading(sheet: SheetShown, posted: QueryDict, headings: dict[str, int]) -> bool:
    """Whether another line was chosen as the one with the headings."""
    text = posted.get(f"heading-{sheet.place}", str(sheet.heading))
    lines = {str(number): number for number, _words in sheet.heading_lines}
    if text not in lines or lines[text] == sheet.heading:
        return False
    headings[str(sheet.place)] = lines[text]
    return True


def _fill_dates(check: ListCheck, posted: QueryDict, dates: Nested) -> None:
    """Give evenings without a date theirs, from the first one and the weeks between them."""
    try:
        date = dt.date.fromisoformat(posted.get("first", ""))
    except ValueError:
        return
    weeks = whole_number(posted.get("weeks", ""), otherwise=1)
    for sheet in check.sheets:
        own = dates.setdefault(str(sheet.place), {})
        for column in sheet.undated:
            if column not in own and FIRST_DAY <= date <= LAST_DAY:
                own[column] = date.isoformat()
                date += dt.timedelta(weeks=min(max(weeks, 1), 8))


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
