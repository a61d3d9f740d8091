"""The lines of long standings, written here because a template takes ten times as long for them."""

from collections.abc import Callable, Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString

from clubs.words import number_writer
from tournaments.views.public.standing import StandingLine

register = template.Library()


@register.simple_tag
def standing_rows(rows: Iterable[StandingLine], pits_label: str, *, linked: bool) -> SafeString:
    """The lines of `components/standings.html`, with pits where these have a heading."""
    number = number_writer()
    lines = (_line(row, number, with_pits=bool(pits_label), linked=linked) for row in rows)
    return SafeString("".join(lines))


def _line(
    row: StandingLine, number: Callable[[int | None], str], *, with_pits: bool, linked: bool
) -> str:
    figures = [*row.rounds, row.pits] if with_pits else row.rounds
    cells = "".join(f"<td>{number(figure)}</td>" for figure in figures)
    return (
        f'<tr id="p-{row.id}"><td>{row.rank}</td><th scope="row">{_name(row, linked=linked)}</th>'
        f'<td class="total">{number(row.total)}</td>{cells}</tr>'
    )


def _name(row: StandingLine, *, linked: bool) -> str:
    name = escape(row.name)
    return f'<a href="{escape(row.url)}">{name}</a>' if row.url and linked else name
