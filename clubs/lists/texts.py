"""Lines and sheets of a list in words, to choose from on a page."""

from collections.abc import Iterable
from typing import Final

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.lists.core.layout import NO_HEADINGS, Sheet

_SHOWN: Final = 15
_LONGEST: Final = 60


def heading_lines(sheet: Sheet, present: int) -> list[tuple[int, str]]:
    """The lines that may have the headings, each with its number, the `present` one included; and
    that there are none."""
    first = [line for at, line in enumerate(sheet.lines) if at < _SHOWN or line.number == present]
    lines = [
        (
            line.number,
            _("line %(number)s: %(text)s")
            % {
                "number": line.number,
                "text": Truncator(" · ".join(line.filled)).chars(_LONGEST),
            },
        )
        for line in first
    ]
    return [(NO_HEADINGS, _("there are no headings")), *lines]


def heading_at(sheet: Sheet, above: int, below: int) -> int:
    """The number of the line with the headings, where those after the first `above` lines end
    before the line `below`."""
    return sheet.lines[above].number if above < below else NO_HEADINGS


def sheets_words(sheets: Iterable[Sheet]) -> list[str]:
    """These sheets by name, with how much is on them."""
    return [
        ngettext("%(name)s (%(n)s line)", "%(name)s (%(n)s lines)", len(sheet.lines))
        % {"name": sheet.name, "n": len(sheet.lines)}
        for sheet in sheets
    ]


def side_by_side_words(sheet: Sheet) -> str:
    """That the parts of this sheet stand beside each other, and how their lines are numbered."""
    return _(
        "This list has several columns of names side by side. They are read one below the other:"
        " lines from %(n)s on are those of the second column."
    ) % {"n": sheet.lines[-1].number + 1}
