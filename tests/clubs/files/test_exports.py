"""Lists as files: what programs, spreadsheets and people get."""

import csv
import datetime as dt
import io
import json
from decimal import Decimal

import pytest
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import reverse
from openpyxl import load_workbook

from clubs.files.exports import ListFile, list_response
from clubs.files.spreadsheet import Cell
from clubs.members.imports import MembersImported, members_import
from clubs.members.services import member_activate
from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, MemberFactory, director_of, organiser_of

LIST = ListFile(
    name="De Vrolijke Boer: stand",
    columns={"rank": "plaats", "player": "speler", "average": "gemiddelde"},
    rows=[[1, "Anna Łuczak", 1.5], [None, "=1+1", -2]],
)


def answer(fmt: str, made: ListFile = LIST) -> tuple[bytes, str, str]:
    """The file, what it says it is, and what it is called."""
    response = list_response(RequestFactory().get("/", {"format": fmt}), lambda: made)
    assert response is not None
    headers = response.headers
    return response.content, headers["Content-Type"], headers["Content-Disposition"]


def cells(content: bytes) -> list[list[object]]:
    sheet = load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    return [[cell.value for cell in row] for row in sheet.rows]


def test_csv_for_programs() -> None:
    assert answer("csv") == (
        '"rank","player","average"\r\n"1","Anna Łuczak","1.5"\r\n"","\'=1+1","-2"\r\n'.encode(),
        "text/csv; charset=utf-8",
        'attachment; filename="de-vrolijke-boer-stand.csv"',
    )


def test_excel_for_people() -> None:
    content, kind, disposition = answer("xlsx")
    assert cells(content) == [
        ["plaats", "speler", "gemiddelde"],
        [1, "Anna Łuczak", 1.5],
        [None, "'=1+1", -2],
    ]
    assert kind == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert disposition == 'attachment; filename="de-vrolijke-boer-stand.xlsx"'


def test_a_sheet_is_easy_to_read() -> None:
    """Headings stay in sight, and nothing is cut off at the edge of its column."""
    sheet = load_workbook(io.BytesIO(answer("xlsx")[0])).active
    assert sheet is not None
    assert [[cell.font.b or False for cell in row] for row in sheet.rows] == [
        [True] * 3,
        [False] * 3,
        [False] * 3,
    ]
    assert sheet.freeze_panes == "A2"
    widths = [sheet.column_dimensions[column].width for column in "ABC"]
    assert widths == [len("plaats") + 1, len("Anna Łuczak") + 1, len("gemiddelde") + 1]


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Stand: 1/2 [oud]?", "Stand- 1-2 -oud--"),
        ("'t Is \"<&>\"'", 't Is "<&>"'),
        ("\x07' \ud800", "Klaverclub"),
        ("De Vrolijke Boer seizoen 2026-2027", "De Vrolijke Boer seizoen 2026-2"),
    ],
)
def test_a_sheet_has_a_name_that_excel_takes(name: str, title: str) -> None:
    made = ListFile(name=name, columns={"a": "A"}, rows=[])
    assert load_workbook(io.BytesIO(answer("xlsx", made)[0])).sheetnames == [title]


@pytest.mark.full
@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        (" Jan\N{NO-BREAK SPACE}", " Jan\N{NO-BREAK SPACE}"),
        ("<b>&amp;\"'", "<b>&amp;\"'"),
        ("Jan\ud800 \ufffeBos\uffff", "Jan Bos"),
        ("x" * 40_000, "x" * 32_767),
        (2**40, 2**40),
        (Decimal("12.50"), 12.5),
    ],
)
def test_a_workbook_keeps_what_it_can_hold(cell: Cell, kept: object) -> None:
    made = ListFile(name="x", columns={"a": "A"}, rows=[[cell]])
    assert cells(answer("xlsx", made)[0]) == [["A"], [kept]]


@pytest.mark.full
def test_a_long_list_is_written_by_a_process_of_its_own_and_looks_the_same() -> None:
    rows: list[list[Cell]] = [[f"Jan {n % 100}", "=1+1", n, Decimal("1.50")] for n in range(5_000)]
    columns = dict.fromkeys("abcd", "Kop")
    content = answer("xlsx", ListFile(name="Lang", columns=columns, rows=rows))[0]
    book = load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["Lang"]
    found = cells(content)
    assert len(found) == 5_001
    assert found[0] == ["Kop"] * 4
    assert found[-1] == ["Jan 99", "'=1+1", 4_999, 1.5]


def test_json_says_what_stands_there_and_not_what_a_spreadsheet_would_make_of_it() -> None:
    content, kind, _disposition = answer("json")
    assert json.loads(content) == [
        {"rank": 1, "player": "Anna Łuczak", "average": 1.5},
        {"rank": None, "player": "=1+1", "average": -2},
    ]
    assert (kind, "Łuczak".encode() in content) == ("application/json", True)


def test_json_may_tell_more_than_the_rows() -> None:
    made = ListFile(name="x", columns={"a": "A"}, rows=[[1]], objects=[{"a": 1, "more": [2]}])
    assert json.loads(answer("json", made)[0]) == [{"a": 1, "more": [2]}]


@pytest.mark.full
@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("=HYPERLINK(A1)", "'=HYPERLINK(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-cmd", "'-cmd"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "' '=1"),
        ("\r=1", "' =1"),
        ("Jan\x0bBos", "Jan Bos"),
        ("+31 6 12345678", "+31 6 12345678"),
        ("Jan = Piet", "Jan = Piet"),
        ("Jan;=HYPERLINK(1)", "Jan;'=HYPERLINK(1)"),
        (";=cmd|' /C calc'!A0", ";'=cmd|' /C calc'!A0"),
        ('Jan", @SUM(1)', "Jan\", '@SUM(1)"),
        (-5, -5),
    ],
)
def test_no_cell_is_a_formula(cell: Cell, kept: Cell) -> None:
    made = ListFile(name="x", columns={"a": "A"}, rows=[[cell]])
    assert cells(answer("xlsx", made)[0]) == [["A"], [kept]]
    read = list(csv.reader(io.StringIO(answer("csv", made)[0].decode(), newline="")))
    assert read == [["a"], [str(kept)]]


def test_no_cell_begins_in_the_middle_of_a_name() -> None:
    """A member can have any name; Dutch Excel splits the same file at semicolons."""
    names = ["Jan;=HYPERLINK(1)", ";=cmd|' /C calc'!A0", 'Jan";@SUM(1)']
    made = ListFile(name="x", columns={"a": "A", "b": "B"}, rows=[[1, name] for name in names])
    split = csv.reader(io.StringIO(answer("csv", made)[0].decode(), newline=""), delimiter=";")
    assert [
        cell for row in split for cell in row if cell.lstrip('"').startswith(tuple("=+-@"))
    ] == []


def test_an_empty_list_has_its_headings() -> None:
    made = ListFile(name="x", columns={"a": "A", "b": "B"}, rows=[])
    assert answer("csv", made)[0] == b'"a","b"\r\n'
    assert cells(answer("xlsx", made)[0]) == [["A", "B"]]
    assert answer("json", made)[0] == b"[]"


def test_the_page_itself_is_no_file_and_another_format_is_not_found() -> None:
    assert list_response(RequestFactory().get("/"), lambda: LIST) is None
    for asked in ("", "pdf"):
        with pytest.raises(Http404):
            list_response(RequestFactory().get("/", {"format": asked}), lambda: LIST)


@pytest.fixture
def club(client: Client) -> Club:
    """Four people; the organiser has logged in. The second is no longer active."""
    club: Club = ClubFactory.create()
    MemberFactory.create(
        club=club,
        name="Jan Bos",
        email="jan@example.org",
        phone="+31 6 1234",
        street="Zeeweg 7",
        postcode="1135 AB",
        town="Edam",
        birthday=dt.date(1951, 4, 30),
        member_since=dt.date(1998, 9, 1),
    )
    away = MemberFactory.create(club=club, name="Mia Kok")
    member_activate(member=away, active=False, actor=TESTS)
    MemberFactory.create(club=club, name="Ann Bakker", kind=Member.Kind.GUEST)
    client.force_login(organiser_of(club))
    return club


@pytest.mark.both
@pytest.mark.django_db
def test_the_members_that_are_shown_are_the_ones_in_the_file(client: Client, club: Club) -> None:
    page = reverse("member_list", args=[club.slug])
    assert 'href="?show=all&amp;format=xlsx"' in client.get(f"{page}?show=all").content.decode()
    assert client.get(f"{page}?format=csv").content.decode().splitlines() == [
        (
            '"number","name","email","phone","street","postcode","town","birthday","member_since",'
            '"addition","kind","active","on_lists"'
        ),
        '"","Ann Bakker","","","","","","","","","guest","1","Ann Bakker"',
        (
            '"1","Jan Bos","jan@example.org","+31 6 1234","Zeeweg 7","1135 AB","Edam","1951-04-30",'
            '"1998-09-01","","member","1","Jan Bos"'
        ),
    ]
    everybody = client.get(f"{page}?show=all&format=csv").content.decode().splitlines()
    assert everybody[3] == '"2","Mia Kok","","","","","","","","","member","0","Mia Kok"'


@pytest.mark.full
@pytest.mark.django_db
def test_a_list_that_was_taken_away_can_be_read_in_again(client: Client, club: Club) -> None:
    page = reverse("member_list", args=[club.slug])
    for fmt in ("csv", "xlsx"):
        content = client.get(f"{page}?q=jan&format={fmt}").content
        read = members_import(club=club, source=io.BytesIO(content), actor=TESTS)
        assert read == MembersImported(added=0, changed=0, unchanged=1)


@pytest.mark.django_db
def test_only_who_manages_the_members_takes_their_list(client: Client, club: Club) -> None:
    client.force_login(director_of(club))
    page = reverse("member_list", args=[club.slug])
    assert client.get(f"{page}?format=csv").status_code == 403
