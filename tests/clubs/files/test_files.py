"""Reading the files that clubs keep."""

import datetime as dt
import io
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from django.utils import translation
from openpyxl import Workbook

from clubs.files.reading import MAX_BYTES, FileFault, FileFaults, FileRow, read_rows

COLUMNS = {"name": ("name", "naam"), "score": ("score", "punten"), "date": ("date", "datum")}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def read(content: str | bytes) -> list[FileRow]:
    data = content.encode() if isinstance(content, str) else content
    return read_rows(io.BytesIO(data), columns=COLUMNS, required=["name"])


def faults(content: str | bytes) -> list[str]:
    with pytest.raises(FileFaults) as caught:
        read(content)
    return [str(fault) for fault in caught.value.faults]


def xlsx(*rows: Sequence[object]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_every_kind_of_csv_reads_alike(delimiter: str, newline: str, encoding: str) -> None:
    lines = ["Name;Shoe size; SCORE ", "Zoë;38; 12 ", '"Bos, Jan";44', ";;"]
    text = newline.join(lines).replace(";", delimiter)
    first, second = read(text.encode(encoding))
    assert (first.line, dict(first.cells)) == (2, {"name": "Zoë", "score": "12", "date": ""})
    assert (second.line, dict(second.cells)) == (
        3,
        {"name": "Bos, Jan", "score": "", "date": ""},
    )


def test_dutch_headings_mean_the_same() -> None:
    (row,) = read("Punten;Na am\n7;Jan\n")
    assert (row["name"], row["score"]) == ("Jan", "7")


def test_line_numbers_count_empty_lines_and_broken_lines() -> None:
    rows = read('name,score\n\n"Jan\nBos",1\n,\nAnna,2\n')
    assert [(row.line, row["name"]) for row in rows] == [(3, "Jan\nBos"), (6, "Anna")]


def test_a_spreadsheet_reads_as_people_would_type_it() -> None:
    rows = read(
        xlsx(
            ["Naam", "Datum", "Punten"],
            [" Łuczak ", dt.datetime(2026, 9, 5), 12.0],  # noqa: DTZ001
            [None, None, None],
            ["Đặng", dt.date(2026, 9, 6), True],
            ["Bos", None, 1.5],
        )
    )
    assert [(row.line, *row.cells.values()) for row in rows] == [
        (2, "Łuczak", "12", "2026-09-05"),
        (4, "Đặng", "1", "2026-09-06"),
        (5, "Bos", "1.5", ""),
    ]


@pytest.mark.full
def test_a_spreadsheet_filled_in_at_the_very_bottom_is_read() -> None:
    book, file = Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Naam", "Punten"])
    sheet.cell(row=1_048_576, column=1, value="Anna")
    sheet.cell(row=1_048_576, column=9, value="beside the table")
    book.save(file)
    assert [(row.line, row["name"]) for row in read(file.getvalue())] == [(1_048_576, "Anna")]


def test_a_row_that_no_sheet_has_is_not_waited_for() -> None:
    real, made = io.BytesIO(xlsx(["name"], ["Jan"])), io.BytesIO()
    with zipfile.ZipFile(real) as sheet, zipfile.ZipFile(made, "w") as other:
        for part in sheet.namelist():
            content = sheet.read(part).replace(b'r="2"', b'r="900000000"')
            other.writestr(part, content.replace(b"A2", b"A900000000"))
    assert faults(made.getvalue()) == ["this is not a CSV or XLSX file"]


def changed(
    change: Callable[[str, bytes], bytes], original: bytes | None = None, **more: bytes
) -> bytes:
    """A spreadsheet in which `change` made something else of each part, with other parts added."""
    real, made = io.BytesIO(original or xlsx(["name"], ["Jan"])), io.BytesIO()
    with zipfile.ZipFile(real) as sheet, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as other:
        for part in sheet.namelist():
            other.writestr(part, change(part, sheet.read(part)))
        for part, content in more.items():
            other.writestr(part, content)
    return made.getvalue()


def in_the_sheet(old: bytes, new: bytes) -> bytes:
    return changed(
        lambda part, content: content.replace(old, new, 1) if "sheet1" in part else content
    )


@pytest.mark.parametrize("said", [b"A1", b"A1:A2", b"A1:B3", b"B2:B2"])
def test_every_row_is_read_whatever_a_spreadsheet_says_of_its_size(said: bytes) -> None:
    """Some programs write a size that is too small."""
    made = changed(
        lambda _part, content: content.replace(b'ref="A1:B4"', b'ref="%s"' % said),
        xlsx(["name", "score"], ["Jan", 1], ["Mia", 2], ["Piet", 3]),
    )
    assert [(row.line, row["name"], row["score"]) for row in read(made)] == [
        (2, "Jan", "1"),
        (3, "Mia", "2"),
        (4, "Piet", "3"),
    ]


def one_text_in_many_cells() -> bytes:
    """Each cell has the same text: without its spaces it would be another for each."""
    texts = b"<sst xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><si><t> %s</t>"
    named = (
        b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats'
        b'-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
    )
    row = b'<row><c t="s"><v>0</v></c></row>'

    def change(part: str, content: bytes) -> bytes:
        content = content.replace(b"</sheetData>", row * 300 + b"</sheetData>")
        return content.replace(b"A1:A2", b"A1:A302").replace(b"</Types>", named)

    return changed(change, **{"xl/sharedStrings.xml": texts % (b"a" * 90_000) + b"</si></sst>"})


def longer_than_it_says(method: int, filler: int) -> bytes:
    """A spreadsheet whose sheet goes on behind the end that the archive names."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsx(["name"], ["Jan"]))) as sheet,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as other,
    ):
        for part in sheet.namelist():
            content = sheet.read(part)
            behind = b" " * filler if "sheet1" in part else b""
            other.writestr(part, content + behind, method if behind else None)
            info = other.getinfo(part)
            info.file_size, info.CRC = len(content), zlib.crc32(content)
    return file.getvalue()


def with_doctype(part: str, entity: bytes) -> bytes:
    doctype = b"<!DOCTYPE x [<!ENTITY a " + entity + b">]>"

    def add(name: str, content: bytes) -> bytes:
        if part not in name:
            return content
        head, end, rest = content.partition(b"?>")
        return head + end + doctype + rest if end else doctype + content

    return changed(add)


PREFIX = b'<x:row xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
BOMBS: dict[str, Callable[[], bytes]] = {
    "a row of a million cells": lambda: in_the_sheet(
        b"</row>", b"<c><v>1</v></c>" * 500_001 + b"</row>"
    ),
    "cells under another name": lambda: in_the_sheet(
        b"</sheetData>", PREFIX + b"<x:c/>" * 1_000_000 + b"</x:row></sheetData>"
    ),
    "an entity in the sheet": lambda: with_doctype("sheet1", b'"' + b"A" * 100_000 + b'"'),
    "an entity in the styles": lambda: with_doctype("styles", b'"A"'),
    "an entity that fetches a file": lambda: with_doctype("sheet1", b'SYSTEM "file:///etc/passwd"'),
    "an entity behind a megabyte": lambda: changed(
        lambda part, content: (
            b" " * ((1 << 20) - 4) + b"<!DOCTYPE x []>" + content if "sheet1" in part else content
        )
    ),
    "another alphabet": lambda: changed(
        lambda part, content: content.decode().encode("utf-16") if "sheet1" in part else content
    ),
    "another alphabet as declared": lambda: in_the_sheet(
        b"<worksheet", b"<?xml version='1.0' encoding='cp037'?><worksheet"
    ),
    "styles without end": lambda: changed(
        lambda part, content: (
            content.replace(b"</cellXfs>", b"<xf/>" * 50_001 + b"</cellXfs>")
            if "styles" in part
            else content
        )
    ),
    "one text in many cells": one_text_in_many_cells,
    "a namespace of a megabyte": lambda: in_the_sheet(
        b"<sheetData>", b'<x xmlns="' + b"u" * 1_000_000 + b'">' + b"<y/>" * 9 + b"</x><sheetData>"
    ),
    "a namespace behind a quotation mark": lambda: in_the_sheet(
        b"<sheetData>", b"<x xmlns:z=\"a'" + b"u" * 300 + b'"/><sheetData>'
    ),
    "a tag that does not end": lambda: in_the_sheet(b"<row", b'<row a="' + b"9" * 100_000 + b'"'),
    "packed in a way that unpacks without measure": lambda: longer_than_it_says(
        zipfile.ZIP_BZIP2, 100_000_000
    ),
    "a hundred megabytes of nothing": lambda: changed(
        lambda _part, content: content, **{"xl/media/a.png": b"\0" * 60_000_001}
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_spreadsheet_that_unpacks_to_too_much_is_not_read(name: str) -> None:
    bomb = BOMBS[name]()
    assert len(bomb) < 100_000
    started = time.process_time()
    assert faults(bomb) == ["this file has more content than can be read"]
    assert time.process_time() - started < 5


@pytest.mark.full
def test_of_a_part_no_more_is_unpacked_than_it_says() -> None:
    bomb = longer_than_it_says(zipfile.ZIP_DEFLATED, 60_000_000)
    tracemalloc.start()
    try:
        assert [row["name"] for row in read(bomb)] == ["Jan"]
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_long_texts_of_a_spreadsheet_are_read() -> None:
    text = "€" * 32_767
    assert [row["name"] for row in read(xlsx(["name"], *[[text]] * 50))] == [text] * 50


def test_pictures_in_a_spreadsheet_are_left_out() -> None:
    content = changed(lambda _part, content: content, **{"xl/media/a.png": b"\x89PNG<!DOCTYPE"})
    assert [row["name"] for row in read(content)] == ["Jan"]


def test_a_list_of_more_lines_than_any_club_has_is_not_read() -> None:
    assert len(read("name\n" + "Jan\n" * 99_999)) == 99_999
    assert faults("name\n" + "Jan\n" * 100_000) == ["this file has more content than can be read"]


@pytest.mark.parametrize(
    "content",
    ["name\n" + "x" * 200_000, 'name\n"' + "a" * 200_000 + '"', "name\n" + '"a""' * 9_000],
)
def test_a_cell_without_end_is_reported(content: str) -> None:
    assert faults(content) == ["line 2: the quotation marks do not match"]


def test_a_path_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("name\nJan\n")
    assert [row["name"] for row in read_rows(path, columns=COLUMNS, required=[])] == ["Jan"]
    assert read_rows(str(path), columns=COLUMNS, required=[])[0].line == 2


def test_a_whole_number_is_read_or_named() -> None:
    good, empty, bad, huge = read("name,score\na,-12\nb,\nc,abc\nd,9999999999\n")
    collected: list[FileFault] = []
    found = [row.whole_number("score", collected) for row in (good, empty, bad, huge)]
    assert found == [-12, None, None, None]
    assert [str(fault) for fault in collected] == [
        "line 4: score: 'abc' is not a whole number",
        "line 5: score: '9999999999' is not a whole number",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ["the file is empty"]),
        (" \n;;\n", ["the file is empty"]),
        ("name,score\n", ["there is nothing below the headings"]),
        ("score\n1\n", ["line 1: name: there is no column with this heading, only: score"]),
        ("name,naam\na,b\n", ["line 1: name: there is more than one column with this heading"]),
        (
            "name,score\na,1,2\nb,2\nc,3,4\n",
            [
                "line 2: there are more cells than headings",
                "line 4: there are more cells than headings",
            ],
        ),
        ('name\na\n"b\n', ["line 3: the quotation marks do not match"]),
        (b"\x81\x8d\x00", ["this is not a CSV or XLSX file"]),
        ("name\nJan\n".encode("utf-16"), ["this is not a CSV or XLSX file"]),
        (b"PK\x03\x04 but no archive", ["this is not a CSV or XLSX file"]),
        (b"name\n" + b"a" * MAX_BYTES, ["the file is larger than 5 MB"]),
    ],
)
def test_what_cannot_be_read_is_named(content: str | bytes, expected: list[str]) -> None:
    assert faults(content) == expected


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFaults, match="the file cannot be opened"):
        read_rows(tmp_path / "none.csv", columns=COLUMNS, required=[])


def test_a_fault_names_the_heading_of_the_file() -> None:
    (row,) = read("naam,punten\nJan,x\n")
    assert str(row.fault("score", "is odd")) == "line 2: punten: is odd"
    assert str(row.fault(None, "is odd")) == "line 2: is odd"
