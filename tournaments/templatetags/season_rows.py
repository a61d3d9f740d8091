"""The lines of a season's standing, written here because a template takes ten times as long."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clubs.words import NO_VALUE, number

if TYPE_CHECKING:
    from tournaments.views.public.season import Cell, Line

register = template.Library()


@register.simple_tag
def season_rows(lines: "Iterable[Line]") -> SafeString:
    """The lines with their figures, then a cell for each evening."""
    return SafeString("".join(_line(line) for line in lines))


def _line(line: "Line") -> str:
    cells = "".join(f"<td>{_cell(cell)}</td>" for cell in line.cells)
    return f'<tr><td class="rank">{_rank(line)}</td>{_heading(line)}{_figures(line)}{cells}</tr>\n'


def _rank(line: "Line") -> str:
    if line.rank is not None:
        return str(line.rank)
    return f'<span class="visually-hidden">{escape(_("no place"))}</span>{NO_VALUE}'


def _heading(line: "Line") -> str:
    name = escape(line.name)
    shown = f'<a href="{escape(line.url)}">{name}</a>' if line.url else name
    if line.plain_sum is None:
        return f'<th scope="row">{shown}</th>'
    in_all = _("in all %(points)s") % {"points": number(line.plain_sum)}
    return f'<th scope="row" data-in-short="{escape(in_all)}">{shown}</th>'


def _figures(line: "Line") -> str:
    first, *others = map(escape, line.figures)
    why = f'<a href="{escape(line.why)}">{first}</a>' if line.why else first
    return f'<td class="total">{why}</td>' + "".join(f"<td>{figure}</td>" for figure in others)


def _cell(cell: "Cell") -> str:
    absent = f"<small>{escape(_absence(cell))}</small>" if cell.absent else ""
    if cell.points is None:
        return absent
    points = number(cell.points)
    if cell.dropped:
        not_counted = escape(_("does not count"))
        points = f'<s>({points})</s><i class="visually-hidden"> {not_counted}</i>'
    return f"{points} {absent}" if absent else points


def _absence(cell: "Cell") -> str:
    return _("signed off") if cell.notice else _("absent")
