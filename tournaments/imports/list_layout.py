"""What the columns of a list of results hold: names, days, scores, or sums that are not read.

A list has its evenings across (a column each), or a line for each evening or round, or a sheet for
each evening. Days without a year are in the years of a season.
"""

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext as _

from clubs.lists.core.layout import Field, Layout, Line, Sheet, guess_layout, place_of_line
from clubs.lists.core.values import Day, day_within, is_sum, month_comes_first, plain, written_day
from clubs.lists.names import are_surname_first

_TWO_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d) ?[-/–] ?((?:19|20)?\d\d)(?!\d)")
_ONE_YEAR = re.compile(r"(?<![\d-])((?:19|20)\d\d)(?![\d-])")
_SEASON_BEGINS = 8
"""The month in which a season that has two years begins at the earliest: August."""


@dataclass(frozen=True, slots=True)
class SeasonYears:
    """The year or the two years of a season."""

    first: int
    last: int

    def date_of(self, day: Day) -> dt.date | None:
        """The date of this day in the season."""
        is_second_half = day.month < _SEASON_BEGINS
        return day.in_year(self.last if is_second_half else self.first)


def season_years(text: str) -> SeasonYears | None:
    """The years that the name of a season or a title has.

    >>> season_years("Stand seizoen 2025/26"), season_years("Zomer 2026")
    (SeasonYears(first=2025, last=2026), SeasonYears(first=2026, last=2026))
    """
    if match := _TWO_YEARS.search(text):
        first = int(match[1])
        last = int(match[2]) if len(match[2]) == 4 else first // 100 * 100 + int(match[2])
        return SeasonYears(first, last) if last - first == 1 else None
    match = _ONE_YEAR.search(text)
    return SeasonYears(int(match[1]), int(match[1])) if match else None


def latest_season(days: Iterable[Day], today: dt.date) -> SeasonYears:
    """The last season of which all these days have been."""
    years = SeasonYears(today.year, today.year + 1)
    if any((years.date_of(day) or today) > today for day in days):
        years = SeasonYears(today.year - 1, today.year)
    if any((years.date_of(day) or today) > today for day in days):
        years = SeasonYears(today.year - 2, today.year - 1)
    return years


NAME, FIRST_NAME, PREFIX, SURNAME, NUMBER = "name", "first_name", "prefix", "surname", "number"
TURNED_NAME: Final = "turned_name"
"""A whole name with the surname first, without a comma."""
EVENING, ROUND, SCORE, PITS, ROEM, ABSENCE = (
    *("evening", "round", "score", "pits", "roem", "absence"),
)
OF_EVENING, SUM, MEAN = "of_evening", "sum", "mean"
PAIR, TEAM = "pair", "team"
ROUNDS: Final = {f"round_{n}": n for n in range(1, 9)}
_OF_ROUND = "ronde {}", "round {}", "boompje {}", "r{}", "b{}", "{}e ronde", "{}e boompje"

PERSON_FIELDS: Final = (
    Field(
        NAME,
        ("naam", "speler", "deelnemer", "naam speler", "name", "player", "lid", "spelers", "namen"),
        content="name",
    ),
    Field(TURNED_NAME, ()),
    Field(FIRST_NAME, ("voornaam", "roepnaam", "first name", "given name")),
    Field(PREFIX, ("tussenvoegsel", "tussenv", "tv", "voorvoegsel", "prefix")),
    Field(SURNAME, ("achternaam", "familienaam", "last name", "surname", "family name")),
    Field(NUMBER, ("nummer", "nr", "lidnummer", "lidnr", "number", "no", "member number")),
)
"""Who somebody is."""
FIELDS: Final = (
    *PERSON_FIELDS,
    Field(PAIR, ("paar", "koppel", "pair", "paren", "koppels")),
    Field(TEAM, ("team", "ploeg", "teams", "ploegen")),
    Field(EVENING, ("datum", "avond", "speelavond", "speeldatum", "date", "evening")),
    *(
        Field(key, tuple(name.format(number) for name in _OF_ROUND))
        for key, number in ROUNDS.items()
    ),
    Field(ROUND, ("ronde", "boompje", "round")),
    Field(SCORE, ("punten", "score", "points", "uitslag", "aantal punten", "result")),
    Field(SUM, ("totaal", "tot", "total", "eindtotaal", "totaal punten", "som", "sum")),
    Field(MEAN, ("gemiddelde", "gemiddeld", "gem", "average", "avg", "mean")),
    Field(PITS, ("pits", "pit", "pitten")),
    Field(ROEM, ("roem",)),
    Field(ABSENCE, ("afwezig", "afwezigheid", "absence", "absent")),
)
PERSON = frozenset({NAME, TURNED_NAME, FIRST_NAME, SURNAME})
COMPETITORS = frozenset({PAIR, TEAM})
WHO = PERSON | COMPETITORS
"""Whose results they are."""
_NUMBERED: Final = re.compile(
    r"(?:(?:speel|klaverjas|kaart)?avond|week|wk|evening)(?: nr| nummer| no)? ?\d{1,2}"
    r"|\d{1,2} ?(?:e|ste|de|st|nd|rd|th)? ?(?:(?:speel|klaverjas|kaart)?avond|week|evening)"
)
"""An evening that is called by its number, as a heading or the name of a sheet."""
_LOOKED_AT: Final = 40
"""The line with days is looked for in so many filled lines."""


@dataclass(frozen=True, slots=True)
class ListLayout:
    """Where the headings of a sheet end and what each column holds, None for what is not read.

    The headings stand below the first `above` lines. `dates` has the dates of the columns that are
    an evening, and `date` that of the whole sheet. A date may still be unknown.
    """

    above: int
    below: int
    headings: tuple[str, ...]
    uses: tuple[str | None, ...]
    dates: Mapping[int, dt.date] = field(default_factory=dict)
    date: dt.date | None = None

    def at(self, use: str) -> int | None:
        """The first column with this use."""
        return self.uses.index(use) if use in self.uses else None

    @property
    def has_days_across(self) -> bool:
        return OF_EVENING in self.uses

    @property
    def has_rounds_across(self) -> bool:
        return any(use in ROUNDS for use in self.uses)

    @property
    def is_one_evening(self) -> bool:
        """Whether the whole sheet is about one evening, which no column tells."""
        return not self.has_days_across and EVENING not in self.uses

    @property
    def has_points(self) -> bool:
        return self.has_days_across or self.has_rounds_across or SCORE in self.uses

    @property
    def is_complete(self) -> bool:
        """Whether it is known who has how many points on which day."""
        days = [at for at, use in enumerate(self.uses) if use == OF_EVENING]
        has_days = all(at in self.dates for at in days)
        if self.is_one_evening:
            has_days = self.date is not None
        return bool(WHO & set(self.uses)) and self.has_points and has_days

    def heading(self, column: int) -> str:
        return self.headings[column] if column < len(self.headings) else ""

    def called(self, column: int) -> str:
        """The heading of a column, or where it has none the letter of a spreadsheet."""
        first, last = divmod(column, 26)
        letter = (chr(64 + first) if first else "") + chr(65 + last)
        return self.heading(column) or _("column %(letter)s") % {"letter": letter}

    def below_headings(self, sheet: Sheet) -> "ListLayout":
        """The same below a first line that was not known as headings: one without a figure where
        the points are."""
        points = [at for at, use in enumerate(self.uses) if use in (OF_EVENING, SCORE, *ROUNDS)]
        if not points or any(self.headings) or self.below >= len(sheet.lines):
            return self
        line = sheet.lines[self.below]
        cells = [line.cell(at) for at in points]
        if not all(cells) or any(char.isdigit() for cell in cells for char in cell):
            return self
        headings = tuple(line.cell(at) for at in range(sheet.width))
        return replace(self, above=self.below, below=self.below + 1, headings=headings)

    def change(self, uses: Mapping[int, str | None], dates: Mapping[int, dt.date]) -> "ListLayout":
        """The same with what somebody chose on a page."""
        changed = tuple(uses.get(at, use) for at, use in enumerate(self.uses))
        return replace(self, uses=changed, dates={**self.dates, **dates})


@dataclass(frozen=True, slots=True)
class _Guess:
    """A layout whose days may lack their year."""

    layout: ListLayout
    days: Mapping[int, Day] = field(default_factory=dict)
    day: Day | None = None
    of_lines: Sequence[Day] = ()

    @property
    def all_days(self) -> list[Day]:
        return [*self.days.values(), *self.of_lines, *([self.day] if self.day else [])]


@dataclass(frozen=True, slots=True)
class Layouts:
    """The layouts of the sheets that are results, by the place of the sheet in the file.

    `years` is the season that was taken for days without a year, None where all have one, and
    `is_guess` that nothing in the list or the name of the season said so.
    """

    sheets: Mapping[int, ListLayout]
    years: SeasonYears | None = None
    is_guess: bool = False


def guess_layouts(
    sheets: Sequence[Sheet],
    season_name: str,
    today: dt.date,
    *,
    headings: Mapping[int, int] = MappingProxyType({}),
    only: Collection[int] = (),
) -> Layouts:
    """The layout of each sheet that has results: one, or one for each evening. `headings` and
    `only` are what somebody chose: by sheet the line with the headings, and the sheets to read."""
    guesses = {at: _guess(sheet, headings.get(at)) for at, sheet in enumerate(sheets)}
    chosen = sorted(set(only) & set(guesses)) or _with_results(guesses, sheets)
    read = {at: guesses[at] for at in chosen}
    days = [day for guess in read.values() for day in guess.all_days]
    if all(day.year for day in days):
        return Layouts({at: _dated(guess, SeasonYears(1, 1)) for at, guess in read.items()})
    known = season_years(season_name) or _years_in_titles(sheets, read)
    years = known or latest_season(days, today)
    return Layouts(
        {at: _dated(guess, years) for at, guess in read.items()}, years, is_guess=known is None
    )


def _with_results(guesses: Mapping[int, _Guess], sheets: Sequence[Sheet]) -> list[int]:
    """The sheets that are an evening each, or else the one that looks most like results."""
    evenings = [
        at
        for at, guess in guesses.items()
        if (guess.day or _NUMBERED.fullmatch(plain(sheets[at].name)))
        and guess.layout.is_one_evening
        and WHO & set(guess.layout.uses)
        and guess.layout.has_points
    ]
    if len(evenings) > 1:
        return evenings
    return [max(guesses, key=lambda at: (_likeness(guesses[at].layout), -at))]


def _likeness(layout: ListLayout) -> tuple[bool, int]:
    return bool(WHO & set(layout.uses)), sum(use is not None for use in layout.uses)


def _dated(guess: _Guess, years: SeasonYears) -> ListLayout:
    dates = {at: years.date_of(day) for at, day in guess.days.items()}
    known = {at: date for at, date in dates.items() if date}
    return replace(guess.layout, dates=known, date=years.date_of(guess.day) if guess.day else None)


def _years_in_titles(sheets: Sequence[Sheet], read: Mapping[int, _Guess]) -> SeasonYears | None:
    for at, guess in read.items():
        for text in (sheets[at].name, *_title_cells(sheets[at], guess.layout.above)):
            if years := season_years(text):
                return years
    return None


def _title_cells(sheet: Sheet, until: int) -> list[str]:
    return [cell for line in sheet.lines[:until] for cell in line.filled]


def _guess(sheet: Sheet, heading: int | None) -> _Guess:
    start = _line_of_days(sheet)
    if heading is not None:
        start = place_of_line(sheet, heading)
        start = start if start is not None and _evenings(sheet.lines[start]) else None
    if start is not None:
        return _with_days_across(sheet, start)
    found = guess_layout(sheet, FIELDS, heading)
    below = sheet.lines[found.below :]
    columns = _of_one_kind(_turned(found.columns, sheet, below))
    uses = _not_across(_with_plain_rounds(found.headings, columns))
    layout = ListLayout(found.above, found.below, found.headings, uses)
    at = layout.at(EVENING)
    cells = [line.cell(at) for line in sheet.lines[layout.below :]] if at is not None else []
    month_first = month_comes_first(cells)
    of_lines = [day for cell in cells if (day := written_day(cell, month_first=month_first))]
    return _Guess(layout, day=_day_of_sheet(sheet, layout), of_lines=of_lines)


def _line_of_days(sheet: Sheet) -> int | None:
    """The line that has days, or evenings by number, above columns of scores."""
    for at, line in enumerate(sheet.lines[:_LOOKED_AT]):
        days = _evenings(line)
        if len(days) > 1 or (days and _names_somebody(line)):
            below = sheet.lines[at + 1 : at + 6]
            if not any(written_day(other.cell(column)) for other in below for column in days):
                return at
    return None


def _evenings(line: Line) -> dict[int, Day | None]:
    """The columns of a line of headings that are an evening: by its day, or by its number alone."""
    numbered = {at: None for at, cell in enumerate(line.cells) if _NUMBERED.fullmatch(plain(cell))}
    whole = {
        at: int(cell) for at, cell in enumerate(line.cells) if cell.isdecimal() and cell.isascii()
    }
    # Up to eight they are the rounds of an evening.
    if (
        not numbered
        and len(whole) > len(ROUNDS)
        and sorted(whole.values()) == [*range(1, len(whole) + 1)]
    ):
        numbered = dict.fromkeys(whole)
    return numbered | _days(line)


def _names_somebody(line: Line) -> bool:
    """Whether a cell of this line is the heading of a column with names."""
    names = {plain(name) for item in FIELDS if item.key in WHO for name in item.headings}
    return any(plain(cell) in names for cell in line.filled)


def _days(line: Line) -> dict[int, Day]:
    month_first = month_comes_first(line.filled)
    days = {
        at: written_day(cell, month_first=month_first) for at, cell in enumerate(line.cells) if cell
    }
    return {at: day for at, day in days.items() if day}


def _with_days_across(sheet: Sheet, start: int) -> _Guess:
    """The layout below a line of days, which may have the line with the other headings below it."""
    line, days = sheet.lines[start], _evenings(sheet.lines[start])
    last = start
    if start + 1 < len(sheet.lines) and not _names_somebody(line):
        last += _names_somebody(sheet.lines[start + 1])
    both = [line, sheet.lines[last]] if last > start else [line]
    cells = tuple("" if at in days else both[-1].cell(at) for at in range(sheet.width))
    below = Sheet(sheet.name, (Line(line.number, cells), *sheet.lines[last + 1 :]))
    named = _named(guess_layout(below, FIELDS), below)
    named = _of_one_kind(_turned(named, below, below.lines[1:]))
    uses = [OF_EVENING if at in days else _across(use) for at, use in enumerate(named)]
    headings = tuple(
        " ".join(filter(None, (heading.cell(at) for heading in both))) for at in range(sheet.width)
    )
    layout = ListLayout(start, last + 1, headings, tuple(uses))
    return _Guess(layout, {at: day for at, day in days.items() if day})


def _named(found: Layout, sheet: Sheet) -> tuple[str | None, ...]:
    """What its columns hold; where no heading says who it is, the first column with words."""
    if WHO & found.assigned:
        return found.columns
    columns = list(found.columns)
    for at in range(sheet.width):
        cells = sheet.column(at, sheet.lines[1:])
        if cells and sum(any(map(str.isalpha, cell)) for cell in cells) * 2 > len(cells):
            columns[at] = NAME
            break
    return tuple(columns)


def _turned(
    columns: Sequence[str | None], sheet: Sheet, lines: Sequence[Line]
) -> tuple[str | None, ...]:
    """The same where names that have the surname first are known as such."""
    return tuple(
        TURNED_NAME if use == NAME and are_surname_first(sheet.column(at, lines)) else use
        for at, use in enumerate(columns)
    )


def _across(use: str | None) -> str | None:
    """What a column beside those of evenings is: points there are those of the whole season."""
    if use in (SCORE, SUM):
        return SUM
    return use if use in (*WHO, PREFIX, NUMBER, MEAN) else None


def _of_one_kind(columns: Sequence[str | None]) -> tuple[str | None, ...]:
    """Beside people the pair or team is whose they are, and not read; a pair's team neither."""
    there = set(columns)
    out = COMPETITORS if PERSON & there else {TEAM} if PAIR in there else set[str]()
    return tuple(None if use in out else use for use in columns)


def _with_plain_rounds(
    headings: Sequence[str], columns: Sequence[str | None]
) -> tuple[str | None, ...]:
    """Columns that are called 1, 2 and so on are rounds, if nothing else is."""
    plain_ones = {heading: at for at, heading in enumerate(headings) if heading in set("12345678")}
    uses = list(columns)
    if {"1", "2"} <= set(plain_ones) and not any(use in ROUNDS for use in uses):
        for heading, at in plain_ones.items():
            uses[at] = f"round_{heading}"
    return tuple(uses)


def _not_across(columns: Sequence[str | None]) -> tuple[str | None, ...]:
    """Beside rounds the points are their sum; a total without anything else is the score."""
    has_rounds = any(use in ROUNDS for use in columns)
    turn = {SCORE: SUM} if has_rounds and SUM not in columns else {}
    if not has_rounds and SCORE not in columns:
        turn = {SUM: SCORE}
    return tuple(turn.get(use, use) if use else None for use in columns)


def _day_of_sheet(sheet: Sheet, layout: ListLayout) -> Day | None:
    """The day in the name of the sheet, or in a title above its headings."""
    if not layout.is_one_evening:
        return None
    for text in (sheet.name, *_title_cells(sheet, layout.below)):
        if day := day_within(text):
            return day
    return None


_SUM_LABEL = re.compile(
    r"(?:(?:sub|eind)?totaal|totalen|totals?|tot|som|sum|gem|gemiddelden?|gemiddeld|average|mean"
    r"|mediaan|median|hoogste|laagste|highest|lowest)(?: (?:per avond|score|punten))?"
    r"|aantal .*|number of .*"
)


def is_sum_line(line: Line) -> bool:
    """Whether this is a line of totals or the like, and nobody."""
    words = [plain(cell) for cell in line.filled if any(map(str.isalpha, cell))]
    return is_sum(line.cells) or bool(words and _SUM_LABEL.fullmatch(words[0]))
