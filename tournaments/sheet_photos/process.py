"""Reads a file with pictures of score sheets, in a process of its own:
`python -m tournaments.sheet_photos.process`.

What it reads was made by strangers. It has no database, no key and no settings, little memory and
little time; a file that breaks it breaks nothing else. On its standard input are a line of JSON,
which says what sheets there are and with which picture to begin, and the file. It answers with a
line of JSON for each sheet, or with what is wrong; and before those of a picture, so that whoever
waits knows which one it hangs on, with a line that says which it begins.
"""

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final, NamedTuple

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from scoring.reading.layout import Form, Layout, layouts_of
from scoring.reading.lines import Deal
from scoring.reading.picture import Found, Grey, UnreadableError, sheets_on
from scoring.reading.reader import SheetRead, read_page
from scoring.rules import RuleSet, parse_regulation

Answer = dict[str, Any]

KINDS: Final = ("JPEG", "PNG", "WEBP", "TIFF")
MOST_PAGES: Final = 60
MOST_PIXELS: Final = 60_000_000
LEAST_SIDE: Final = 100
PDF_SIDE: Final = 3400
"""How long the longer side of a page of a PDF becomes, in pixels: 290 a inch for A4."""
PDF_SECONDS: Final = 20
PDF_UNOPENED, PDF_NO_SUCH_PAGE = 1, 99
"""How pdftoppm ends: the file cannot be opened; the page that is asked for is after the last."""
KEPT_SCALE: Final = 5 / 8
"""The page is kept at five pixels a millimetre; it was read at eight."""
QUALITY: Final = 72

MEMORY: Final = 1_500_000_000
SECONDS_A_PICTURE: Final = 40
"""Of a core, from one picture to the next; who started the process looks at the clock."""
LARGEST_FILE: Final = 60_000_000


class Known(NamedTuple):
    """A page of a sheet that this server printed, and the rules of its evening."""

    layout: Layout
    rules: RuleSet


FindSheet = Callable[[str], Known | None]
"""The page whose QR code says this; None where there is none."""
Begin = Callable[[int], None]
"""Takes the number of a picture in the file before that is opened."""
Numbered = Iterator[tuple[int, Grey | str]]


def answers(
    content: bytes,
    find: FindSheet,
    *,
    keep_picture: bool,
    first: int = 1,
    begin: Begin = lambda _number: None,
) -> Iterator[Answer]:
    """What each sheet in the file says, from its picture `first` on, or why there is none: `page`
    counts the pictures in it, `problem` is a code, a `code` without deals is that of a sheet that
    is not known. `begin` is called with each picture before it is opened."""
    for number, picture in pictures_in(content, first=first, begin=begin):
        if isinstance(picture, str):
            yield {"page": number, "problem": picture}
            continue
        for answer in _sheets(picture, find, keep_picture=keep_picture):
            yield {"page": number, **answer}


def _sheets(picture: Grey, find: FindSheet, *, keep_picture: bool) -> Iterator[Answer]:
    try:
        sheets = sheets_on(picture)
    except UnreadableError as error:
        yield {"problem": error.code}
        return
    for sheet in sheets.found:
        known = find(sheet.code) if sheet.code else None
        if known is None:
            yield {"code": sheet.code}
            continue
        answer = _as_read(sheet, known)
        yield {**answer, "jpeg": _kept(sheet)} if keep_picture else answer
    for problem in sheets.refused:
        yield {"problem": problem}


def _as_read(sheet: Found, known: Known) -> Answer:
    read = read_page(sheet, known.layout, known.rules)
    rows = zip(known.layout.rows, read.deals, strict=True)
    return {
        "code": sheet.code,
        "deals": [
            {"deal": row.deal, "box": [round(side, 2) for side in row.line], **_deal(deal)}
            for row, deal in rows
        ],
        "totals": read.totals,
        "agree": _agree(read),
        "named": read.named,
    }


def _deal(deal: Deal) -> Answer:
    choices = [
        {"line": choice.line, "score": list(choice.score), "fits": choice.fits}
        for choice in deal.choices
        if choice.line is not None
    ]
    return {"line": deal.line, "sure": deal.sure, "doubts": deal.doubts, "choices": choices}


def _agree(read: SheetRead) -> bool | None:
    return None if read.agree is None else bool(read.agree)


def _kept(sheet: Found) -> str:
    small = cv2.resize(sheet.page, None, fx=KEPT_SCALE, fy=KEPT_SCALE, interpolation=cv2.INTER_AREA)
    _done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return base64.b64encode(jpeg.tobytes()).decode()


# What is in a file.


def pictures_in(content: bytes, *, first: int, begin: Begin) -> Numbered:
    """The pictures in a file in greys, by number, or in place of one the code of a problem."""
    kind = kind_of(content)
    if kind == "PDF":
        yield from _pdf_pages(content, first, begin)
    elif kind in KINDS or (kind == "HEIC" and _reads_heic()):
        yield from _frames(content, first, begin)
    elif first == 1:
        yield 1, "no_heic" if kind == "HEIC" else "no_picture"


def kind_of(content: bytes) -> str:
    """What a file is by its first bytes, whatever it is called; empty for what is not read."""
    if content[:1024].lstrip()[:5] == b"%PDF-":
        return "PDF"
    if content[4:8] == b"ftyp" and content[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"hevc"):
        return "HEIC"
    starts = {
        b"\xff\xd8\xff": "JPEG",
        b"\x89PNG\r\n\x1a\n": "PNG",
        b"II*\x00": "TIFF",
        b"MM\x00*": "TIFF",
    }
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    return next((kind for start, kind in starts.items() if content.startswith(start)), "")


def _reads_heic() -> bool:
    Image.init()
    return "HEIF" in Image.OPEN


def _frames(content: bytes, first: int, begin: Begin) -> Numbered:
    """The pictures of a scan of several pages, else the first."""
    number = first
    try:
        with Image.open(BytesIO(content), formats=[*KINDS, *_more_kinds()]) as picture:
            pages = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
            for number in range(first, min(pages, MOST_PAGES) + 1):
                begin(number)
                picture.seek(number - 1)
                yield number, _grey(picture)
            if pages > MOST_PAGES:
                yield MOST_PAGES + 1, "too_many_pages"
    except (MemoryError, Image.DecompressionBombError, _TooLargeError):
        yield number, "too_many_pixels"
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, cv2.error):
        yield number, "no_picture"
    except Exception:  # noqa: BLE001
        # Decoders raise whatever they like at a file that was made to break them.
        yield number, "no_picture"


def _more_kinds() -> list[str]:
    return ["HEIF"] if _reads_heic() else []


class _TooLargeError(Exception):
    """More pixels than a camera has."""


def _grey(picture: Image.Image) -> Grey:
    """The picture in greys of 8 bits, on white. The size that it says is checked before anything is
    unpacked; which side is up does not matter, the sheet says so."""
    if picture.width * picture.height > MOST_PIXELS:
        raise _TooLargeError
    if min(picture.size) < LEAST_SIDE:
        raise ValueError("no sheet fits in it")
    picture.draft("L", picture.size)
    if picture.mode.startswith("I") or picture.mode == "F":
        deep = np.asarray(picture, np.float32)
        return np.asarray(np.clip(deep / _white(picture.mode, deep), 0, 1) * 255, np.uint8)
    if picture.has_transparency_data:
        upright = picture.convert("RGBA")
        flat = Image.new("L", picture.size, 255)
        flat.paste(upright.convert("L"), mask=upright.getchannel("A"))
        return np.array(flat, np.uint8)
    return np.array(picture.convert("L"), np.uint8)


def _white(mode: str, deep: Any) -> float:
    """What white is in a picture of more than 8 bits."""
    if mode.startswith("I;16"):
        return 65_535.0
    return max(float(deep.max()), 1.0)


class _UnopenedError(Exception):
    """A file that is no PDF after all, or locked."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def _pdf_pages(content: bytes, first: int, begin: Begin) -> Numbered:
    """The pages of a PDF, drawn one at a time: so many that a scanner does in one go."""
    program = shutil.which("pdftoppm")
    if program is None:
        yield 1, "no_pdf"
        return
    for number in range(first, MOST_PAGES + 2):
        begin(number)
        try:
            drawn = _pdf_page(program, content, number)
        except _UnopenedError as error:
            yield number, error.problem
            return
        if drawn is None:
            return
        if number > MOST_PAGES:
            yield number, "too_many_pages"
            return
        yield number, drawn


def _pdf_page(program: str, content: bytes, number: int) -> Grey | str | None:
    """A page, or why it cannot be drawn; None where the file has no page of this number. Raises
    `_UnopenedError` for a file of which there are no pages."""
    side = str(PDF_SIDE if number <= MOST_PAGES else LEAST_SIDE)
    command = [program, "-f", str(number), "-l", str(number), "-scale-to", side, "-gray", "-"]
    try:
        drawn = subprocess.run(  # noqa: S603
            command, check=False, input=content, capture_output=True, timeout=PDF_SECONDS
        )
    except subprocess.TimeoutExpired:
        return "too_long"
    except OSError:
        return "no_picture"
    if drawn.returncode == PDF_UNOPENED:
        raise _UnopenedError("locked" if b"Incorrect password" in drawn.stderr else "no_picture")
    if drawn.returncode == PDF_NO_SUCH_PAGE:
        return None if number > 1 else "no_picture"
    if not drawn.stdout:
        return "no_picture"
    page: Any = cv2.imdecode(np.frombuffer(drawn.stdout, np.uint8), cv2.IMREAD_GRAYSCALE)
    return "no_picture" if page is None else np.asarray(page, np.uint8)


# The process.


def main(source: BinaryIO, out: BinaryIO) -> None:
    """Read the file on `source` and answer on `out`; last comes `{"done": true}`."""
    _limit()
    _allow_a_picture()
    about = json.loads(source.readline())
    content = source.read()
    rules = [parse_regulation(settings) for settings in about["rules"]]

    def find(code: str) -> Known | None:
        named = about["sheets"].get(code)
        if named is None:
            return None
        form, page, place = named
        return Known(layouts_of(Form(*form))[page - 1], rules[place])

    def begin(number: int) -> None:
        _allow_a_picture()
        _put(out, {"begins": number})

    for answer in answers(content, find, keep_picture=True, first=about["first"], begin=begin):
        _put(out, answer)
    _put(out, {"done": True})


def _put(out: BinaryIO, answer: Answer) -> None:
    out.write(json.dumps(answer).encode() + b"\n")
    out.flush()


def _limit() -> None:
    """Less memory and disk than this system has, where it can be limited."""
    cv2.setNumThreads(1)
    try:
        import resource
    except ImportError:
        return
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in limits.items():
        _soft, hard = resource.getrlimit(limit)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (allowed, allowed))


def _allow_a_picture() -> None:
    """So much time of a core from now on; it matters where nobody looks at the clock any more."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = int(used.ru_utime + used.ru_stime) + SECONDS_A_PICTURE
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, hard))


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
