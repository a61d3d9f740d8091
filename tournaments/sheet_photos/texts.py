"""What is said of a picture of a sheet: what it is, how far it is, what is doubtful on it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import SheetPhoto
from tournaments.sheet_photos.queries import OPEN, photo_table
from tournaments.sheet_photos.reading import PROBLEMS

DOUBTS: Final[Mapping[str, str | Promise]] = {
    "unclear": gettext_lazy("A digit is hard to read."),
    "does_not_add_up": gettext_lazy("As it is written it does not add up."),
    "no_line_fits": gettext_lazy("As it is written it cannot be."),
    "crossed_out": gettext_lazy("Something is crossed out, or written over."),
    "something_else": gettext_lazy("“Something else” is ticked."),
    "no_declarer": gettext_lazy("It is not ticked who plays."),
    "two_declarers": gettext_lazy("More than one player is ticked."),
    "no_trump_suit": gettext_lazy("No trump is ticked."),
    "two_trumps": gettext_lazy("More than one trump is ticked."),
    "no_points": gettext_lazy("No points are written."),
    OPEN: gettext_lazy("Nothing is written here, but there is on a later line."),
}
"""Why somebody should look at a line, by the codes of `scoring.reading`."""


class Says(NamedTuple):
    """What is said of a picture: which sheet it is, how far, and whether it may have gone wrong."""

    title: str
    text: str
    needs_care: bool = False


def says(photo: SheetPhoto, looks: int) -> Says:
    """What a picture is, and what there is to do with it: so many lines to look at."""
    title = sheet_words(photo)
    if photo.state == SheetPhoto.State.WAITING:
        read = ngettext("%(n)s page is read.", "%(n)s pages are read.", photo.done)
        words = _("It is being read.") + (f" {read % {'n': photo.done}}" if photo.done else "")
        return Says(title, words)
    if photo.state == SheetPhoto.State.REFUSED:
        problem = PROBLEMS.get(photo.problem, PROBLEMS["no_picture"])
        return Says(title, str(problem), needs_care=True)
    if photo.is_blank:
        return Says(title, _("Nothing is written on this sheet."), needs_care=True)
    blank = len(photo.blank)
    empty = ngettext("%(n)s line is empty.", "%(n)s lines are empty.", blank) % {"n": blank}
    if photo.state == SheetPhoto.State.WRITTEN:
        words = _("Everything on it is on the score sheet.")
    elif not looks:
        words = _("Every line was read for sure.")
    else:
        words = ngettext("%(n)s line to look at.", "%(n)s lines to look at.", looks) % {"n": looks}
    return Says(title, f"{words} {empty}" if blank else words)


def sheet_words(photo: SheetPhoto) -> str:
    """Which sheet is on the picture, where that is known."""
    table = photo_table(photo)
    if table is None:
        return _("A picture")
    words = _("Table %(table)s, round %(round)s") % {
        "table": table.number,
        "round": table.round.number,
    }
    is_paged = (photo.page or 1) > 1
    return _("%(sheet)s, page %(n)s") % {"sheet": words, "n": photo.page} if is_paged else words
