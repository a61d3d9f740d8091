"""The lines of long standings, in Python because a template takes ten times as long."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.http.pages import fill, fill_each
from clubs.text.numbers import NO_VALUE, number, number_writer, side_name
from scoring.rules import SEATS, SIDES
from tournaments.players.charts import SPARK_HEIGHT, SPARK_WIDTH, Spark, spark_drawing
from tournaments.results.standing import InterimView, StandingLine, Step
from tournaments.standings.texts import deals_words

if TYPE_CHECKING:
    from tournaments.results.views.seating import NameLine, TableView
    from tournaments.seasons.views.public import EveningCell, EveningColumn, SeasonLine

register = template.Library()

HEAD = '<tr id="p-%s"><td%s>%s</td><th scope="row">%s</th><td class="total">%s</td>'
NOW = '<span data-live="now-%s">%s</span> <small class="nowrap">(%s)</small>'
OF_DEALS = '%s <small class="nowrap">(%s)</small>'
SEASON_HEAD = '<tr><td%s>%s</td>%s<td class="f total">%s</td>'
CELL = "<td>%s</td>"
FIGURE = '<td class="f f-%s"%s>%s</td>'
NEWEST = '<td data-label="%s">%s</td>'
LINK = '<a href="%s">%s</a>'
NOTHING = SafeString("")
SPARK = (
    f'<svg class="spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}"%s>'
    '<path d="%s"/><circle cx="%s" cy="%s" r="2.5"/></svg>'
)
PODIUM_STEP = (
    '<li class="podium-%s"><span class="podium-names">%s</span> '
    '<span class="podium-step"><span class="podium-place">%s</span> <span class="num">%s</span>'
    "</span></li>"
)
MOVED = ' class="%s" data-move="%s" title="%s"'


@register.simple_tag
def standing_rows(
    rows: Iterable[StandingLine], pits_label: str, interim: InterimView | None = None
) -> SafeString:
    """The lines of `components/standings.html`, with pits if they have a heading."""
    rows = list(rows)
    number = number_writer()
    values = [
        (
            row.id,
            place_attributes(row.move, "") if row.move is not None else NOTHING,
            NO_VALUE if row.rank is None else row.rank,
            fill(LINK, row.url, row.name) if row.url else row.name,
            *(_interim(row, interim) if interim else (number(row.total),)),
            *map(number, [*row.rounds, row.pits] if pits_label else row.rounds),
        )
        for row in rows
    ]
    cells = len(values[0]) - HEAD.count("%s") if values else 0
    return fill_each(HEAD + CELL * cells + "</tr>", values)


def _interim(row: StandingLine, interim: InterimView) -> tuple[SafeString, ...]:
    """What the place goes by and what is written in the rounds that are being played, with the
    deals that is from."""
    running, of = row.running, row.running and deals_words(row.running)
    now = fill(NOW, row.id, number(running.points), of) if running else NO_VALUE
    apart = (now,) if interim.is_any_over else ()
    if interim.by_average:
        total = _("%(done)s of %(all)s") % {"done": row.deals, "all": interim.deals}
        return number(row.average, 2), fill(OF_DEALS, number(row.total), total), *apart
    if interim.is_any_over:
        return number(row.total), now
    return number(running and running.points), fill("%s", of) if of else NO_VALUE


@register.simple_tag
def podium_steps(steps: Iterable[Step]) -> SafeString:
    """The steps of `components/podium.html`."""
    return fill_each(
        PODIUM_STEP,
        (
            (
                step.place,
                fill_each(
                    "<span>%s</span>",
                    ([fill(LINK, url, name) if url else name] for name, url in step.people),
                ),
                step.place,
                number(step.total),
            )
            for step in steps
        ),
    )


@register.simple_tag
def place_attributes(places: int | None, kind: str = "rank ") -> SafeString:
    """The attributes of a place that is so many places higher than it was, or lower."""
    return _place_attributes(places, kind, get_language())


@lru_cache(1_000)
def _place_attributes(places: int | None, kind: str, _language: str | None) -> SafeString:
    """Most places go up or down as far as others: the words are made once for each language."""
    if places is None:
        return fill(' class="%s"', kind.strip()) if kind else NOTHING
    far = abs(places)
    if not far:
        return fill(MOVED, f"{kind}same", "", _("same place as before"))
    if places > 0:
        words = ngettext("%(n)s place up", "%(n)s places up", far)
        return fill(MOVED, f"{kind}up", far, words % {"n": far})
    words = ngettext("%(n)s place down", "%(n)s places down", far)
    return fill(MOVED, f"{kind}down", far, words % {"n": far})


@register.simple_tag
def season_rows(
    lines: "Iterable[SeasonLine]",
    headings: "Sequence[tuple[str, str]]",
    columns: "Sequence[EveningColumn]",
) -> SafeString:
    """The lines with their figures, then a cell for each evening.

    What a phone shows of them says in each line what it is.
    """
    lines = list(lines)
    labels = [(key, heading if key == "gap" else "") for key, heading in headings[1:]]
    newest = date_format(columns[-1].date, "j b") if columns else ""
    own = [[None if cell.absent else cell.points for cell in line.cells] for line in lines]
    figures = [figure for scores in own for figure in scores if figure is not None]
    low, high = (min(figures), max(figures)) if figures else (0, 0)
    sparks = [spark_svg(spark_drawing(scores, low, high)) for scores in own]
    drawn = zip(lines, sparks, strict=True)
    return SafeString("".join(_line(line, spark, labels, newest) for line, spark in drawn))


@register.simple_tag
def spark(scores: Sequence[int | None], low: int, high: int) -> SafeString:
    """A small line of scores, which are said in words where they are not in a table."""
    words = ", ".join(number(score) for score in scores if score is not None)
    about = _("Points an evening: %(points)s") % {"points": words}
    return spark_svg(spark_drawing(scores, low, high), about)


def spark_svg(drawing: Spark | None, words: str = "") -> SafeString:
    if drawing is None:
        return NOTHING
    about = (
        fill(' role="img" aria-label="%s"', words) if words else SafeString(' aria-hidden="true"')
    )
    return fill(SPARK, about, drawing.path, drawing.x, drawing.y)


def _line(
    line: "SeasonLine", drawn: SafeString, labels: Sequence[tuple[str, str]], newest: str
) -> SafeString:
    first, *others = line.figures
    cells = [_cell(cell) for cell in line.cells]
    figures = [
        fill(FIGURE, key, fill(' data-label="%s"', label) if label else NOTHING, figure)
        for (key, label), figure in zip(labels, others, strict=True)
    ]
    return fill(
        SEASON_HEAD + "%s" * len(figures) + CELL * len(cells[:-1]) + "%s</tr>\n",
        place_attributes(line.move),
        _rank(line),
        _heading(line, drawn),
        fill(LINK, line.why, first) if line.why else first,
        *figures,
        *cells[:-1],
        fill(NEWEST, newest, cells[-1]) if cells else NOTHING,
    )


def _rank(line: "SeasonLine") -> object:
    if line.rank is not None:
        return line.rank
    return fill('<span class="visually-hidden">%s</span>%s', _("no place"), NO_VALUE)


def _heading(line: "SeasonLine", drawn: SafeString) -> SafeString:
    name = fill(LINK, line.url, line.name) if line.url else line.name
    if line.plain_sum is None:
        return fill('<th scope="row">%s%s</th>', name, drawn)
    in_all = _("in all %(points)s") % {"points": number(line.plain_sum)}
    return fill('<th scope="row" data-in-short="%s">%s%s</th>', in_all, name, drawn)


def _cell(cell: "EveningCell") -> str:
    absent = fill("<small>%s</small>", _absence(cell)) if cell.absent else ""
    if cell.points is None:
        return absent
    points = number(cell.points)
    if cell.dropped:
        struck = '<s>(%s)</s><i class="visually-hidden"> %s</i>'
        points = fill(struck, points, _("does not count"))
    return fill("%s %s", points, absent) if absent else points


def _absence(cell: "EveningCell") -> str:
    return _("signed off") if cell.notice else _("absent")


# Who sits where in a round.

NAME = (
    '<tr id="name-%s" data-filter-row="%s" data-answer="%s"><th scope="row">%s%s</th>'
    '<td class="num%s">%s</td><td>%s</td></tr>\n'
)
NOTE = ' <small class="soft">%s</small>'
AT_TABLE = SafeString(" total")


@register.simple_tag
def name_rows(lines: "Iterable[NameLine]", sits_out: str) -> SafeString:
    """Everybody with their table and partner; `sits_out` is what the club calls it if they have
    none."""
    at_table = _("table %(n)s, with %(name)s")

    def answer(line: "NameLine") -> str:
        words = at_table % {"n": line.table, "name": line.partner} if line.table else sits_out
        return f"{words} ({line.note})" if line.note else words

    return fill_each(
        NAME,
        (
            (
                line.id,
                line.name,
                answer(line),
                fill(LINK, line.url, line.name) if line.url else line.name,
                fill(NOTE, line.note) if line.note else NOTHING,
                AT_TABLE if line.table else NOTHING,
                line.table or "–",
                line.partner if line.table else sits_out,
            )
            for line in lines
        ),
    )


TABLE = (
    '<section class="flow-tight" id="table-%s" aria-label="%s">\n'
    '<ul class="seats" aria-label="%s"><li class="felt"><span>%s</span><strong>%s</strong></li>'
    "%s</ul>\n%s</section>\n"
)
SEAT = '<li class="seat-%s"><span class="seat-side">%s</span>%s%s</li>'
SEAT_LINK = '<a class="seat-name" href="%s">%s</a>'
SEAT_NAME = '<span class="seat-name">%s</span>'
SEAT_ROLE = '<span class="seat-role">%s</span>'
SHEET = (
    '<p class="sheet-link"><a href="%s">%s</a> '
    '<span class="soft" data-live="deals-%s">%s</span></p>'
)


@register.simple_tag
def table_sections(tables: "Iterable[TableView]", sheets_open: bool) -> SafeString:
    """The tables as `components/seat_table.html` draws one, with a link to each sheet where those
    are open."""
    number, felt = number_writer(), _("table")
    named, sheet_of = _("Table %(n)s"), _("Score sheet of table %(n)s")
    in_points, in_deals = _("%(done)s of %(all)s points"), _("%(done)s of %(all)s deals")
    sides: dict[str, str] = {code: side_name(code) for code in (*SIDES, *SEATS)}

    def sheet(table: "TableView") -> SafeString:
        until, unit = table.sheet, in_points if table.sheet.target else in_deals
        so_far = unit % {"done": number(until.done), "all": number(until.whole)}
        return fill(SHEET, table.url, sheet_of % {"n": table.number}, table.number, so_far)

    def drawn(table: "TableView") -> tuple[object, ...]:
        name = named % {"n": table.number}
        seats = fill_each(
            SEAT,
            (
                (
                    seat.seat,
                    sides[seat.side or seat.seat],
                    fill(SEAT_LINK, seat.url, seat.name)
                    if seat.url
                    else fill(SEAT_NAME, seat.name),
                    fill(SEAT_ROLE, seat.role) if seat.role else NOTHING,
                )
                for seat in table.seats
            ),
        )
        below = sheet(table) if sheets_open else NOTHING
        return table.number, name, name, felt, table.number, seats, below

    return fill_each(TABLE, map(drawn, tables))
