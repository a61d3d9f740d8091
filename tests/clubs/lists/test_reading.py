"""Files of every usual kind, and what is no list."""

import io
import time
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from clubs.files.reading import FileFaults
from clubs.lists.core.layout import Line, Sheet
from clubs.lists.reading import ListFile, list_read, text_read

LIST = "Naam;Plaats\nRené Müller;’s-Gravenhage\n"
ROWS = [("Naam", "Plaats"), ("René Müller", "’s-Gravenhage")]


def cells(read: ListFile, sheet: int = 0) -> list[tuple[str, ...]]:
    return [line.cells for line in read.sheets[sheet].lines]


def xlsx(*sheets: tuple[str, list[list[object]]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def ods(rows: str, **parts: str) -> bytes:
    names = "office table text".split()
    spaces = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in names)
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="Leden">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
def test_any_usual_encoding(encoding: str) -> None:
    assert cells(list_read(LIST.encode(encoding))) == ROWS


def test_dos_accents() -> None:
    read = list_read("Naam;Plaats\nRené Müller;Zoëtermeer\n".encode("cp850"))
    assert cells(read) == [("Naam", "Plaats"), ("René Müller", "Zoëtermeer")]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|", "   "])
def test_any_usual_separator(separator: str) -> None:
    text = "\n".join(separator.join(row) for row in [*ROWS, ("Jan Bos", "Urk")])
    assert cells(text_read(text)) == [*ROWS, ("Jan Bos", "Urk")]


def test_names_with_a_comma_are_one_column() -> None:
    assert cells(text_read("Bos, Jan\nKok, Mia\n")) == [("Bos, Jan",), ("Kok, Mia",)]


def test_lines_keep_the_numbers_of_the_file() -> None:
    read = text_read('\n\nNaam;Adres\n\n"Jan\nBos";Urk\nMia Kok;Urk\n')
    assert [(line.number, line.cells) for line in read.sheets[0].lines] == [
        (3, ("Naam", "Adres")),
        (5, ("Jan Bos", "Urk")),
        (7, ("Mia Kok", "Urk")),
    ]


def test_quotation_marks_that_do_not_match_are_told() -> None:
    read = text_read('Naam;Plaats\n"Jan Bos;Urk\nMia Kok;Urk\n')
    assert cells(read) == [("Naam", "Plaats"), ('"Jan Bos', "Urk"), ("Mia Kok", "Urk")]
    assert read.notices == (
        "De aanhalingstekens in dit bestand kloppen niet. Kijk de regels hieronder na.",
    )


def test_excel_with_formulas_and_empty_columns() -> None:
    read = list_read(xlsx(("Leden", [[], [None, "Naam", 622334455], [None, "=B2", 1.5]])))
    assert read.sheets[0].lines == (
        Line(2, ("", "Naam", "622334455")),
        Line(3, ("", "", "1.5")),
    )
    assert len(read.notices) == 1


def test_opendocument() -> None:
    rows = (
        '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
        '<table:table-row><table:table-cell table:number-columns-repeated="2"/>'
        '<table:table-cell office:value-type="string"><office:annotation><text:p>let op</text:p>'
        "</office:annotation><text:p>Jan<text:s/><text:span>Bos</text:span></text:p>"
        "</table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="622334455">'
        "<text:p>0622334455</text:p></table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="12"><text:p>12,00</text:p>'
        "</table:table-cell>"
        '<table:table-cell office:value-type="date" office:date-value="1951-05-05">'
        "<text:p>5 mei 51</text:p></table:table-cell></table:table-row>"
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/>'
        "</table:table-row>"
    )
    assert list_read(ods(rows)).sheets == (
        Sheet("Leden", (Line(4, ("", "", "Jan Bos", "0622334455", "12", "1951-05-05")),)),
    )


def _zip(**parts: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
REPEATED = (
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell'
    ' office:value-type="string"><text:p>Jan</text:p></table:table-cell></table:table-row>'
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Er staat niets in"),
        (b"\xef\xbb\xbf \r\n", "Er staat niets in"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "Dit is een foto of plaatje"),
        (b"\xff\xd8\xff\xe0" + bytes(99), "Dit is een foto of plaatje"),
        (b"%PDF-1.7 ...", "Dit is een PDF"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "wachtwoord"),
        (OLE + "Workbook".encode("utf-16-le"), "oude Excel"),
        (_zip(**{"word/document.xml": "<a/>"}), "een brief (Word)"),
        (_zip(**{"foto.jpg": "x"}), "ZIP-bestand"),
        (_zip(**{"xl/workbook.xml": "<a/>"}), "beschadigd"),
        (b"PK\x03\x04 half a file", "beschadigd"),
        (ods("", **{"META-INF/manifest.xml": "<encryption-data/>"}), "wachtwoord"),
        (ods(REPEATED), "meer in dit bestand dan gelezen kan"),
        (b"<!DOCTYPE html><html>", "pagina van een website"),
        (b"Naam\0\0\0", "geen lijst"),
        (b"Jan Bos\n" * 100_001, "meer regels dan gelezen kunnen worden"),
        (b"x" * 5_000_001, "groter dan 5 MB"),
    ],
)
def test_what_is_no_list_is_told_in_words(content: bytes, words: str) -> None:
    with pytest.raises(FileFaults) as refusal:
        list_read(content)
    assert len(refusal.value.faults) == 1
    assert words in str(refusal.value)


def test_what_no_spreadsheet_has_is_not_looked_through_again_and_again() -> None:
    """Twenty times as much took hours."""
    book, file = Workbook(), io.BytesIO()
    book.active.append(["Naam"])
    book.save(file)
    with zipfile.ZipFile(file, "a") as archive:
        for name in ("evil.xml", "evil.bin"):
            archive.writestr(f"xl/worksheets/{name}", "<f " * 20_000)
    before = time.process_time()
    assert list_read(file.getvalue()).sheets[0].lines[0].cells == ("Naam",)
    assert time.process_time() - before < 5


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(FileFaults):
        read = list_read(content)
        assert all(any(line.cells) for sheet in read.sheets for line in sheet.lines)
