"""Files that were made by strangers: every kind of picture is read, nothing breaks the reader."""

import base64
import datetime as dt
import json
import struct
import sys
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.factories import ClubFactory, evening_with_draw, table
from tests.scoring.reading.photographs import Grey, scan
from tests.tournaments.sheet_photos import TYPED, fill_in, printed
from tournaments.models import Evening
from tournaments.sheet_photos import process
from tournaments.sheet_photos.reading import file_read, sheets_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(club=ClubFactory.create(), players=4, rounds=1, deals_per_round=4)


@pytest.fixture
def page(evening: Evening) -> Grey:
    """The sheet of table 1, with one deal written, as a scanner sees it."""
    written = fill_in(printed(evening)[0], table(evening), {1: TYPED})
    small = cv2.imdecode(np.frombuffer(scan(written, Random(1)), np.uint8), cv2.IMREAD_GRAYSCALE)
    return np.asarray(small, np.uint8)


def read(evening: Evening, content: bytes) -> list[dict[str, Any]]:
    """What the process answers, in this one."""
    sheets, _pages = sheets_of(evening)
    source = BytesIO(json.dumps({**sheets, "first": 1}).encode() + b"\n" + content)
    out = BytesIO()
    process.main(source, out)
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert said[-1] == {"done": True}
    return [answer for answer in said if "page" in answer]


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are of a process, and this one goes on."""
    monkeypatch.setattr(process, "_limit", lambda: None)
    monkeypatch.setattr(process, "_allow_a_picture", lambda: None)


def problems(evening: Evening, content: bytes) -> list[str]:
    return [answer.get("problem", "read") for answer in read(evening, content)]


def saved(picture: Image.Image, kind: str, **more: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def kinds(page: Grey) -> Iterator[bytes]:
    """The same page as cameras, scanners and programs save it."""
    grey = Image.fromarray(page)
    turned = Image.Exif()
    turned[0x0112] = 6
    yield saved(grey.rotate(90, expand=True), "JPEG", exif=turned, quality=90)
    yield saved(grey.convert("CMYK"), "JPEG", quality=90)
    yield saved(Image.fromarray(page.astype(np.uint16) * 257), "PNG")
    clear = np.dstack([np.zeros_like(page)] * 3 + [255 - page])
    yield saved(Image.fromarray(clear, "RGBA"), "PNG")
    yield saved(grey, "WEBP", save_all=True, append_images=[Image.new("L", grey.size)])


def test_every_kind_of_picture_is_read(evening: Evening, page: Grey) -> None:
    for content in kinds(page):
        (answer,) = read(evening, content)
        assert answer["deals"][0]["line"] == TYPED
        assert [deal["line"] for deal in answer["deals"][1:]] == [None] * 3


@pytest.mark.full
@pytest.mark.parametrize("dpi", [150, 300])
def test_a_printed_sheet_is_told_however_it_lay_on_the_scanner(evening: Evening, dpi: int) -> None:
    """Its table, and what stands on it: a little askew, on its side, upside down."""
    hall = evening_with_draw(
        club=evening.club, players=8, date=dt.date(2026, 11, 28), deals_per_round=4
    )
    _sheets, places = sheets_of(hall)
    for number, page in enumerate(printed(hall), start=1):
        written = fill_in(page, table(hall, number), {number: TYPED})
        straight = Image.open(BytesIO(scan(written, Random(number), dpi=dpi)))
        for angle in (-11, 90, 184):
            lying = straight.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
            (answer,) = read(hall, saved(lying, "PNG"))
            assert places[answer["code"]].table == table(hall, number)
            lines = {deal["deal"]: deal["line"] for deal in answer["deals"] if deal["line"]}
            assert lines == {number: TYPED}


def test_without_the_program_for_it_a_pdf_is_told(
    evening: Evening, page: Grey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert problems(evening, saved(Image.fromarray(page), "PDF")) == ["no_pdf"]


@pytest.mark.full
def test_the_pages_of_a_scan_are_read_one_by_one(evening: Evening, page: Grey) -> None:
    other = Image.new("L", (600, 800), 255)
    content = saved(Image.fromarray(page), "TIFF", save_all=True, append_images=[other])
    assert problems(evening, content) == ["read", "no_sheet"]
    content = saved(Image.fromarray(page), "PDF", save_all=True, append_images=[other])
    assert problems(evening, content) == ["read", "no_sheet"]


def test_two_sheets_in_one_picture_are_two_and_half_a_one_is_told(evening: Evening) -> None:
    pages = printed(evening_with_draw(club=evening.club, players=8, deals_per_round=4))
    evening = Evening.objects.latest("pk")
    filled = [
        fill_in(page, table(evening, number), {number: TYPED})
        for number, page in enumerate(pages, start=1)
    ]
    wide = filled[0].shape[1]
    picture = np.hstack([*filled, filled[0][:, : wide // 2]])
    one, two, half = read(evening, saved(Image.fromarray(picture), "JPEG", quality=90))
    assert [answer["page"] for answer in (one, two, half)] == [1, 1, 1]
    assert [[deal["deal"] for deal in one["deals"] if deal["line"]] for one in (one, two)] == [
        [1],
        [2],
    ]
    assert half["problem"] == "corner_missing"


@pytest.mark.full
def test_forty_pages_of_a_scanner_are_told_one_by_one(evening: Evening, page: Grey) -> None:
    """Those of three rounds, two of another evening between them, one twice, and five empty ones
    that came along; all by the process, within its limits."""
    hall = evening_with_draw(
        club=evening.club, players=44, rounds=3, date=dt.date(2026, 11, 28), deals_per_round=4
    )
    ours = [sheet for number in (1, 2, 3) for sheet in printed(hall, number)]
    empty = np.full_like(page, 250)
    pages = [*ours[:10], page, *ours[10:20], ours[0], *ours[20:], page, *[empty] * 4]
    made = BytesIO()
    scanned = [Image.open(BytesIO(scan(one, Random(n), dpi=150))) for n, one in enumerate(pages)]
    scanned[0].save(made, "PDF", save_all=True, append_images=scanned[1:], resolution=150)
    sheets, known = sheets_of(hall)
    answers = list(file_read(made.getvalue(), sheets))
    assert len(pages) == 40
    assert [answer["page"] for answer in answers] == [*range(1, 41)]
    assert [answer.get("problem", "read") for answer in answers[-4:]] == ["no_sheet"] * 4
    tables = [known[answer["code"]][0] for answer in answers if "deals" in answer]
    assert len(tables) == 34
    assert len(set(tables)) == 33
    elsewhere = [answer["page"] for answer in answers if "deals" not in answer]
    assert elsewhere == [11, 36, 37, 38, 39, 40]


@pytest.mark.full
def test_what_is_kept_is_the_page_without_anything_else(evening: Evening, page: Grey) -> None:
    about = Image.Exif()
    about[0x010F] = "Camera of Jan"
    about.get_ifd(0x8825)[1] = "N"
    (answer,) = read(evening, saved(Image.fromarray(page), "JPEG", exif=about, quality=90))
    kept = base64.b64decode(answer["jpeg"])
    picture = Image.open(BytesIO(kept))
    assert (picture.format, picture.size, dict(picture.getexif())) == ("JPEG", (1050, 1485), {})
    assert b"Jan" not in kept


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says to be so large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def test_hostile_files_are_refused_in_a_word(evening: Evening, page: Grey) -> None:
    whole = saved(Image.fromarray(page), "JPEG")
    hostile = {
        b"": "no_picture",
        b"#!/bin/sh\nrm -rf /": "no_picture",
        b"GIF89a" + bytes(100): "no_picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>": "no_picture",
        b"\xff\xd8\xff\xe0" + bytes(50): "no_picture",
        whole[: len(whole) // 9]: "no_picture",
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>": (
            "no_picture"
        ),
        b"\x00\x00\x00\x18ftypheic" + bytes(50): "no_heic",
        bomb(60_000, 60_000): "too_many_pixels",
        bomb(9_000, 9_000): "too_many_pixels",
        bomb(50, 50): "no_picture",
        saved(Image.new("L", (800, 600), 255), "PNG"): "no_sheet",
        saved(Image.new("L", (800, 600), 5), "PNG"): "too_dark",
    }
    assert {content: problems(evening, content) for content in hostile} == {
        content: [problem] for content, problem in hostile.items()
    }


def test_a_locked_pdf_is_told(evening: Evening) -> None:
    made = Canvas(file := BytesIO(), encrypt="secret")
    made.showPage()
    made.save()
    assert problems(evening, file.getvalue()) == ["locked"]


@pytest.mark.full
def test_what_is_on_a_picture_is_told(evening: Evening, page: Grey) -> None:
    high, wide = page.shape
    corner = page.copy()
    corner[: high // 10, : wide // 6] = 255
    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    for picture, problem in ((corner, "corner_missing"), (small, "too_small")):
        assert problems(evening, saved(Image.fromarray(picture), "PNG")) == [problem]


def test_the_process_reads_and_knows_nothing_else(evening: Evening, page: Grey) -> None:
    sheets, pages = sheets_of(evening)
    (answer,) = file_read(saved(Image.fromarray(page), "PNG"), sheets)
    assert answer["deals"][0]["line"] == TYPED
    assert pages[answer["code"]][0] == table(evening)


def test_a_process_that_breaks_down_says_what_it_had(evening: Evening) -> None:
    assert list(file_read(b"x", {"rules": []})) == [{"page": 1, "problem": "no_picture"}]


# A picture that takes too long.


def pdf(*pages: Grey, slow: int) -> bytes:
    """A PDF of these pages, with one before the page `slow` that nobody can ever finish drawing."""
    made = Canvas(file := BytesIO(), pagesize=A4)
    for number, page in enumerate(pages, start=1):
        if number == slow:
            for depth in range(12):
                made.beginForm(f"deep{depth}", 0, 0, 600, 800)
                for _time in range(12):
                    if depth:
                        made.doForm(f"deep{depth - 1}")
                    else:
                        made.rect(0, 0, 500, 700, fill=1)
                made.endForm()
            made.doForm("deep11")
            made.showPage()
        picture = BytesIO(saved(Image.fromarray(page), "PNG"))
        made.drawImage(ImageReader(picture), 0, 0, *A4)
        made.showPage()
    made.save()
    return file.getvalue()


@pytest.mark.full
def test_a_page_that_is_never_drawn_is_told_and_the_next_is_read(
    evening: Evening, page: Grey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "PDF_SECONDS", 4)
    assert problems(evening, pdf(page, page, slow=2)) == ["read", "too_long", "read"]


@pytest.mark.full
def test_a_picture_on_which_the_process_hangs_is_given_up_for_the_next(
    evening: Evening, page: Grey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock of whoever waits, which is shorter here than what the process allows itself."""
    monkeypatch.setattr("tournaments.sheet_photos.reading.PICTURE_SECONDS", 12)
    sheets, _pages = sheets_of(evening)
    answers = list(file_read(pdf(page, page, slow=2), sheets))
    assert [(answer["page"], answer.get("problem", "read")) for answer in answers] == [
        (1, "read"),
        (2, "too_long"),
        (3, "read"),
    ]


def test_a_file_that_hangs_again_and_again_is_left(
    evening: Evening, page: Grey, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = answers_of(monkeypatch, evening, tmp_path, *(f'{{"begins":{n}}}' for n in (1, 2, 3)))
    assert answers == [(1, "no_picture"), (2, "no_picture"), (3, "no_picture"), (4, "rest_left")]


def answers_of(
    monkeypatch: pytest.MonkeyPatch, evening: Evening, folder: Path, *lines: str
) -> list[tuple[int, str]]:
    """What is made of a process that says these lines, of which each one that is begun but the
    first is another process."""
    program = folder / "program"
    program.write_text(
        "#!/bin/sh\n"
        "first=$(head -n 1 | sed 's/.*\"first\": \\([0-9]*\\).*/\\1/')\n"
        f'sed -n "$first p" {folder / "lines"}\n'
    )
    program.chmod(0o700)
    (folder / "lines").write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr(sys, "executable", str(program))
    sheets, _pages = sheets_of(evening)
    return [(answer["page"], answer.get("problem", "read")) for answer in file_read(b"x", sheets)]


LINE = '{"declarer": "NS", "trump": "H", "points": {"NS": %s}, "roem": {"NS": [20]}}'
DEAL = '{"deal": 1, "box": [1, 2.5, 3, 4], "line": %s, "sure": true, "doubts": [], "choices": []}'
PAGE = (
    '{"page": %s, "code": "7", "deals": [%s], "totals": {"NS": null}, "agree": null, "named": {}, '
    '"jpeg": "/9j/"}'
)


def test_what_the_process_can_say_is_taken(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = PAGE % (1, DEAL % (LINE % 100))
    assert answers_of(monkeypatch, evening, tmp_path, said)[0] == (1, "read")


@pytest.mark.parametrize(
    "said",
    [
        PAGE % (1, DEAL % (LINE % "1e999")),
        PAGE % (1, DEAL % (LINE % "-1")),
        PAGE % (1, DEAL % (LINE % 10**30)),
        PAGE % (1, DEAL % '{"declarer": "NS"}'),
        PAGE % ("1e999", DEAL % "null"),
        PAGE % (10**30, DEAL % "null"),
        PAGE.replace("null", "NaN") % (1, DEAL % "null"),
        PAGE.replace("/9j/", "PHN2Zz4=") % (1, DEAL % "null"),
        PAGE.replace("/9j/", "no base64") % (1, DEAL % "null"),
        DEAL.replace("2.5", "1e999") % "null",
        '{"page": 1, "problem": "of its own"}',
        '{"page": 1, "problem": ["too_long"]}',
        '{"problem": "no_code"}',
        '{"code": "7"}',
        PAGE % (1, DEAL % (LINE % 100).replace('{"NS": 100}', '{"N": 100}')),
        '{"begins": "1"}',
        "[1]",
        "[" * 100_000,
        "no JSON",
    ],
)
def test_what_it_cannot_say_is_no_answer(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str
) -> None:
    """Whatever got hold of the process says nothing to the database."""
    assert answers_of(monkeypatch, evening, tmp_path, said) == [(1, "no_picture")]
