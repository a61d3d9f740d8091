"""Files that were made by strangers: every kind of picture is read, nothing breaks the reader."""

import base64
import json
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

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
    source = BytesIO(json.dumps(sheets).encode() + b"\n" + content)
    out = BytesIO()
    process.main(source, out)
    return [json.loads(line) for line in out.getvalue().splitlines()[:-1]]


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are of a process, and this one goes on."""
    monkeypatch.setattr(process, "_limit", lambda: None)


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


def test_the_pages_of_a_scan_are_read_one_by_one(evening: Evening, page: Grey) -> None:
    other = Image.new("L", (600, 800), 255)
    content = saved(Image.fromarray(page), "TIFF", save_all=True, append_images=[other])
    assert problems(evening, content) == ["read", "no_sheet"]
    content = saved(Image.fromarray(page), "PDF", save_all=True, append_images=[other])
    assert problems(evening, content) == ["read", "no_sheet"]


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


def test_a_process_that_breaks_down_says_what_it_had(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(file_read(b"x", {"rules": []})) == [{"page": 1, "problem": "no_picture"}]
    monkeypatch.setattr("tournaments.sheet_photos.reading.SILENCE", 0.01)
    sheets, _pages = sheets_of(evening)
    assert list(file_read(b"x", sheets)) == [{"page": 1, "problem": "too_long"}]
