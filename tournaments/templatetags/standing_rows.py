"""The lines of long standings, in Python because a template takes ten times as long."""

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from clubs.http.tables import fill, fill_each
from clubs.text.numbers import number_writer
from tournaments.results.views.evening import StandingLine

register = template.Library()

HEAD = '<tr id="p-%s"><td>%s</td><th scope="row">%s</th><td class="total">%s</td>'
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
