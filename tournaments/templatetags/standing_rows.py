"""The lines of long standings, in Python because a template takes ten times as long."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clubs.http.tables import fill, fill_each
from clubs.text.numbers import NO_VALUE, number, number_writer
from tournaments.results.views.evening import StandingLine

if TYPE_CHECKING:
    from tournaments.seasons.views.public import EveningCell, SeasonLine

register = template.Library()

HEAD = '<tr id="p-%s"><td>%s</td><th scope="row">%s</th><td class="total">%s</td>'
SEASON_HEAD = '<tr><td class="rank">%s</td>%s<td class="total">%s</td>'
CELL = "<td>%s</td>"
LINK = '<a href="%s">%s</a>'


@register.simple_tag
def standing_rows(rows: Iterable[StandingLine], pits_label: str) -> SafeString:
    """The lines of `components/standings.html`, with pits if they have a heading."""
    rows = list(rows)
    number = number_writer()
    cells = len(rows[0].rounds) + bool(pits_label) if rows else 0
    values = [
        (
            row.id,
            row.rank,
            fill(LINK, row.url, row.name) if row.url else row.name,
            number(row.total),
            *map(number, [*row.rounds, row.pits] if pits_label else row.rounds),
        )
        for row in rows
    ]
    return fill_each(HEAD + CELL * cells + "</tr>", values)


@register.simple_tag
def season_rows(lines: "Iterable[SeasonLine]") -> SafeString:
    """The lines with their figures, then a cell for each evening."""
    return SafeString("".join([_line(line) for line in lines]))


def _line(line: "SeasonLine") -> SafeString:
    first, *others = line.figures
    return fill(
        SEASON_HEAD + CELL * (len(others) + len(line.cells)) + "</tr>\n",
        _rank(line),
        _heading(line),
        fill(LINK, line.why, first) if line.why else first,
        *others,
        *map(_cell, line.cells),
    )


def _rank(line: "SeasonLine") -> object:
    if line.rank is not None:
        return line.rank
    return fill('<span class="visually-hidden">%s</span>%s', _("no place"), NO_VALUE)


def _heading(line: "SeasonLine") -> SafeString:
    name = fill(LINK, line.url, line.name) if line.url else line.name
    if line.plain_sum is None:
        return fill('<th scope="row">%s</th>', name)
    in_all = _("in all %(points)s") % {"points": number(line.plain_sum)}
    return fill('<th scope="row" data-in-short="%s">%s</th>', in_all, name)


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
