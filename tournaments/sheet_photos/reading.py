"""What pictures of score sheets say: which sheet each is, and the deals that stand on it.

NumPy and OpenCV are loaded when a picture comes, and not before: in a process of its own for what
is sent to a server (`process.py` says why), in its own one for the command `read_sheet`.
"""

import base64
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import isfinite
from threading import Timer
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.pdf.reading_sheet import sheet_forms
from scoring.reading.layout import layouts_of
from scoring.rules import SIDES
from scoring.sheets.services import occasion_of_code, sheet_of_code
from tournaments.models import Evening, Round, SheetPhoto, Table
from tournaments.seating.store import page_code, spare_sheet
from tournaments.sheet_photos.queries import OPEN, photo_table

if TYPE_CHECKING:
    from tournaments.sheet_photos.process import Answer

logger = logging.getLogger(__name__)

PROBLEMS: Final[dict[str, str | Promise]] = {
    "no_sheet": _("There is no score sheet of ours on this picture."),
    "other_server": _("This sheet was printed by another server, or does not exist any more."),
    "other_evening": _("This sheet is of another evening."),
    "corner_missing": _("A corner of the sheet is not on the picture: all four marks must be."),
    "too_dark": _("The picture is too dark. Take it in better light, without flash."),
    "too_small": _("The sheet is too small on the picture. Hold the phone closer."),
    "spare_changed": _("This spare sheet was printed when the evening had other plans."),
    "which_table": _("This is a spare sheet. Say of which table it is."),
    "twice": _("This sheet was on a picture before."),
    "no_code": _("The square code at the foot of the sheet cannot be read on this picture."),
    "no_picture": _("This file is broken, or no picture."),
    "no_heic": _("HEIC cannot be opened here. Let the phone make JPEG: “most compatible”."),
    "no_pdf": _("PDF cannot be opened here: the program pdftoppm is missing."),
    "locked": _("This PDF is locked with a password. Save it without one, and send it again."),
    "too_many_pages": _("A PDF is read up to page 60. Make two files of this one."),
    "too_many_pixels": _("The picture has more than 60 million pixels. Choose a smaller one."),
    "too_long": _("This picture could not be read: it took too long. Take it again."),
    "rest_left": _("The rest of this file was not read: it takes too long. Make two files of it."),
}
PICTURE_SECONDS: Final = 40
"""By the clock: a picture that takes longer is given up, and its process ended."""
FILE_SECONDS: Final = 600
"""The same for all pictures of a file."""
MOST_LOST: Final = 3
"""Pictures of one file that may end their process; then the rest of it is given up."""
FIRST: Final = 1
LARGEST_NUMBER: Final = 10_000
"""Of deals, points and totals: those have boxes for four digits."""
MOST_ANSWERS: Final = 600
LONGEST_ANSWER: Final = 6_000_000

Sheets = Mapping[str, Any]
"""What the process gets to know of the sheets of an evening: `sheets` by code, and `rules`."""
DOUBTS: Final[Mapping[str, str | Promise]] = {
    "unclear": _("A digit is hard to read."),
    "does_not_add_up": _("As it is written it does not add up."),
    "no_line_fits": _("As it is written it cannot be."),
    "crossed_out": _("Something is crossed out, or written over."),
    "something_else": _("“Something else” is ticked."),
    "no_declarer": _("It is not ticked who plays."),
    "two_declarers": _("More than one player is ticked."),
    "no_trump_suit": _("No trump is ticked."),
    "two_trumps": _("More than one trump is ticked."),
    "no_points": _("No points are written."),
    OPEN: _("Nothing is written here, but there is on a later line."),
}
"""Why somebody should look at a line, by the codes of `scoring.reading`."""


class Place(NamedTuple):
    """Which page a code names, of the sheet of which table; of a spare sheet people write that."""

    table: Table | None
    page: int


def sheets_of(evening: Evening) -> tuple[Sheets, dict[str, Place]]:
    """The sheets of an evening as the process gets them, and each page by its code."""
    tables = (
        Table.objects.filter(round__evening=evening)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round", "sheet__regulation")
    )
    spares = [spare_sheet(evening, three=three) for three in (False, True)]
    rules: list[dict[str, object]] = []
    sheets: dict[str, list[object]] = {}
    places: dict[str, Place] = {}
    printed = [*((table, table.sheet) for table in tables), *((None, spare) for spare in spares)]
    for table, sheet in printed:
        if sheet is None:
            continue
        played = sheet.regulation.rules.as_settings()
        if played not in rules:
            rules.append(played)
        for form in sheet_forms(sheet):
            for layout in layouts_of(form):
                code = page_code(sheet, layout.page, evening, compact=form.compact)
                sheets[code] = [list(form), layout.page, rules.index(played)]
                places[code] = Place(table, layout.page)
    return {"sheets": sheets, "rules": rules}, places


def file_read(content: bytes, sheets: Sheets) -> Iterator["Answer"]:
    """Have processes of their own read a file: the answers of `process.answers`. Of a picture that
    takes too long, or on which its process breaks down, the problem is `too_long` or `no_picture`,
    and another process goes on with the next; after too many of those comes `rest_left`."""
    first, until = FIRST, time.monotonic() + FILE_SECONDS
    for _time in range(MOST_LOST):
        reader = _Reader(content, {**sheets, "first": first}, until)
        yield from reader.answers()
        if reader.is_done:
            return
        yield {"page": reader.picture, "problem": "too_long" if reader.is_late else "no_picture"}
        first = reader.picture + 1
        if not reader.has_begun or time.monotonic() > until:
            break
    if first > FIRST + 1:
        yield {"page": first, "problem": "rest_left"}


class _Reader:
    """A process that reads a file from its picture `first` on, and is ended when one of them takes
    too long."""

    def __init__(self, content: bytes, about: Mapping[str, Any], until: float) -> None:
        self._content, self._about, self._until = content, about, until
        self.picture: int = about["first"]
        self.has_begun = self.is_done = self.is_late = False

    def answers(self) -> Iterator["Answer"]:
        """What it answers, as long as that makes sense."""
        with subprocess.Popen(
            [sys.executable, "-m", "tournaments.sheet_photos.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=settings.BASE_DIR,
            env=_environment(),
            start_new_session=True,
        ) as process:
            clock = self._clock(process)
            try:
                for line in _lines(process, json.dumps(self._about).encode(), self._content):
                    if "begins" in line:
                        clock.cancel()
                        clock = self._clock(process)
                        self.picture, self.has_begun = line["begins"], True
                    elif "done" in line:
                        self.is_done = True
                        return
                    else:
                        yield line
            except _SenselessError:
                logger.warning("What was read from a picture made no sense")
            finally:
                clock.cancel()
                _end(process)

    def _clock(self, process: "subprocess.Popen[bytes]") -> Timer:
        def end() -> None:
            self.is_late = True
            _end(process)

        timer = Timer(max(0.0, min(PICTURE_SECONDS, self._until - time.monotonic())), end)
        timer.daemon = True
        timer.start()
        return timer


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process, with the programs that it started."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _lines(
    process: "subprocess.Popen[bytes]", about: bytes, content: bytes
) -> Iterator[dict[str, Any]]:
    source, out = process.stdin, process.stdout
    if source is None or out is None:
        raise RuntimeError("the process has no pipes")
    _give(source, about + b"\n" + content)
    for _number in range(MOST_ANSWERS):
        line = out.readline(LONGEST_ANSWER)
        if not line:
            return
        yield _checked(line)


class _SenselessError(ValueError):
    """An answer that the program as we wrote it does not give: something else speaks for it."""


def _checked(line: bytes) -> dict[str, Any]:
    """An answer of the process. What it read was made by strangers, and may have got hold of it:
    nothing is stored that it could not say. Raises `_SenselessError`."""
    try:
        answer = json.loads(line, parse_constant=_finite, parse_float=_finite)
        if not (isinstance(answer, dict) and _makes_sense(answer)):
            raise _SenselessError
    except (ValueError, RecursionError) as error:
        raise _SenselessError from error
    return answer


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise _SenselessError
    return number


def _makes_sense(answer: dict[str, Any]) -> bool:
    number = answer.get("begins", answer.get("page", FIRST if "done" in answer else None))
    if type(number) is not int or not FIRST <= number < MOST_ANSWERS:
        return False
    if "problem" in answer:
        return isinstance(answer["problem"], str) and answer["problem"] in PROBLEMS
    if "deals" not in answer:
        return bool(answer.keys() & {"begins", "done"}) or isinstance(answer.get("code"), str)
    totals, named, jpeg = (answer.get(key) for key in ("totals", "named", "jpeg"))
    return (
        isinstance(answer.get("code"), str)
        and isinstance(totals, dict)
        and isinstance(named, dict)
        and all(n is None or _is_number(n) for n in (*totals.values(), *named.values()))
        and answer.get("agree") in (True, False, None)
        and isinstance(jpeg, str)
        and base64.b64decode(jpeg, validate=True).startswith(b"\xff\xd8\xff")
        and isinstance(answer["deals"], list)
        and all(isinstance(deal, dict) and _is_deal(deal) for deal in answer["deals"])
    )


def _is_deal(deal: dict[str, Any]) -> bool:
    box, doubts, choices = (deal.get(key) for key in ("box", "doubts", "choices"))
    return (
        _is_number(deal.get("deal"))
        and isinstance(deal.get("sure"), bool)
        and isinstance(box, list)
        and len(box) == 4
        and all(isinstance(side, int | float) for side in box)
        and isinstance(doubts, list)
        and all(isinstance(doubt, str) for doubt in doubts)
        and isinstance(choices, list)
        and all(isinstance(choice, dict) and _is_line(choice.get("line")) for choice in choices)
        and (deal.get("line") is None or _is_line(deal["line"]))
    )


def _is_line(line: Any) -> bool:
    """Whether it has the parts of a line; the rules say whether it can be one."""
    if not isinstance(line, dict) or not isinstance(line.get("declarer"), str):
        return False
    points, roem = line.get("points"), line.get("roem")
    return (
        isinstance(points, dict)
        and points.keys() <= set(SIDES)
        and all(map(_is_number, points.values()))
        and isinstance(roem, dict)
        and roem.keys() <= set(SIDES)
        and all(isinstance(items, list) and all(map(_is_number, items)) for items in roem.values())
    )


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST_NUMBER


def _give(source: IO[bytes], content: bytes) -> None:
    try:
        source.write(content)
        source.close()
    except OSError:
        # It broke down before it had read all; what it did not answer says so.
        return


def _environment() -> dict[str, str]:
    """Nothing that says where the database is, or what the key is."""
    needed = "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"
    kept = {name: os.environ[name] for name in needed if name in os.environ}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def problem_of(code: str, evening: Evening | None = None) -> str:
    """Why a page that was found is not read, by what its QR code says."""
    if not code:
        return "no_code"
    named, occasion = sheet_of_code(code), occasion_of_code(code)
    if evening and occasion == evening.uuid:
        return "spare_changed"
    is_ours = (named and Table.objects.filter(sheet__uuid=named[0]).exists()) or (
        occasion and Evening.objects.filter(uuid=occasion).exists()
    )
    return "other_evening" if evening and is_ours else "other_server"


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
        words = gettext("It is being read.") + (
            f" {read % {'n': photo.done}}" if photo.done else ""
        )
        return Says(title, words)
    if photo.state == SheetPhoto.State.REFUSED:
        problem = PROBLEMS.get(photo.problem, PROBLEMS["no_picture"])
        return Says(title, str(problem), needs_care=True)
    if photo.is_blank:
        return Says(title, gettext("Nothing is written on this sheet."), needs_care=True)
    blank = len(photo.blank)
    empty = ngettext("%(n)s line is empty.", "%(n)s lines are empty.", blank) % {"n": blank}
    if photo.state == SheetPhoto.State.WRITTEN:
        words = gettext("Everything on it is on the score sheet.")
    elif not looks:
        words = gettext("Every line was read for sure.")
    else:
        words = ngettext("%(n)s line to look at.", "%(n)s lines to look at.", looks) % {"n": looks}
    return Says(title, f"{words} {empty}" if blank else words)


def sheet_words(photo: SheetPhoto) -> str:
    """Which sheet is on the picture, where that is known."""
    table = photo_table(photo)
    if table is None:
        return gettext("A picture")
    words = gettext("Table %(table)s, round %(round)s") % {
        "table": table.number,
        "round": table.round.number,
    }
    is_paged = (photo.page or 1) > 1
    return (
        gettext("%(sheet)s, page %(n)s") % {"sheet": words, "n": photo.page} if is_paged else words
    )
