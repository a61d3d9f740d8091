"""`manage.py read_sheet`: printed, filled in, photographed, and told as JSON."""

import json
import subprocess
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from django.core.management import CommandError, call_command

from clubs.models import Club
from scoring.models import DealEntry
from scoring.reading.layout import Form, layouts_of
from tests.factories import ClubFactory, evening_with_draw
from tests.scoring.reading.photographs import DPI, Camera, Grey, Writer, photograph, scan
from tests.tournaments.sheet_photos import spare
from tournaments.models import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ROUND = ["--club", "boer", "--date", "2026-11-21", "--round", "1"]


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(club=ClubFactory.create(slug="boer"), players=8)


@pytest.fixture
def printed(evening: Evening, tmp_path: Path) -> list[Grey]:
    """The pages as they come from the printer."""
    file = tmp_path / "sheets.pdf"
    call_command("print_sheets", *ROUND, "--output", file)
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", file, tmp_path / "page"], check=True)
    pages = sorted(tmp_path.glob("page*.pgm"))
    return [np.asarray(cv2.imread(str(page), cv2.IMREAD_GRAYSCALE), np.uint8) for page in pages]


def read(*files: Path) -> tuple[list[dict[str, Any]], int]:
    out, status = StringIO(), 0
    try:
        call_command("read_sheet", *map(str, files), stdout=out)
    except SystemExit as error:
        status = int(str(error.code))
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def codes_of(told: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in told["problems"]]


def test_a_photograph_becomes_deals(printed: list[Grey], tmp_path: Path) -> None:
    page = printed[1].copy()
    (layout,) = layouts_of(Form(16))
    writer, row = Writer(Random(2)), layout.rows[0]
    writer.to_left = False
    writer.tick(page, row.declarer["NS"])
    writer.tick(page, row.trump["H"])
    writer.number(page, row.points["NS"], 100)
    writer.number(page, row.points["EW"], 62)
    writer.number(page, row.roem["NS"], 20)
    photo = tmp_path / "a.jpg"
    photo.write_bytes(photograph(page, Random(5), Camera(tilt=15, megapixels=(4, 5))))
    (told,), status = read(photo)
    deals = told.pop("deals")
    assert status == 0
    assert told == {
        "file": str(photo),
        "page": 1,
        "club": "boer",
        "date": "2026-11-21",
        "round": 1,
        "table": 2,
        "totals": {"NS": None, "EW": None, "agree": None},
        "problems": [],
    }
    assert deals[0]["line"] == {
        "declarer": "NS",
        "trump": "H",
        "points": {"NS": 100, "EW": 62},
        "roem": {"NS": [20], "EW": []},
    }
    assert deals[1:] == [
        {"deal": number, "line": None, "sure": True, "doubts": []} for number in range(2, 17)
    ]
    assert not DealEntry.objects.exists()


def test_each_file_is_answered_in_order(printed: list[Grey], tmp_path: Path) -> None:
    first, again, none = (tmp_path / name for name in ("1.png", "2.png", "3.png"))
    first.write_bytes(scan(printed[0], Random(1)))
    again.write_bytes(scan(printed[0], Random(2), dpi=150))
    none.write_bytes(b"nothing")
    told, status = read(first, again, none, tmp_path / "gone.jpg")
    assert status == 1
    assert [one.get("table") for one in told] == [1, 1, None, None]
    assert [codes_of(one) for one in told] == [[], ["twice"], ["no_sheet"], ["no_sheet"]]
    assert told[3]["file"] == str(tmp_path / "gone.jpg")


@pytest.mark.full
def test_a_pdf_has_a_line_for_each_page(printed: list[Grey], tmp_path: Path) -> None:
    told, status = read(tmp_path / "sheets.pdf")
    assert (status, [(one["page"], one["table"]) for one in told]) == (0, [(1, 1), (2, 2)])


def test_pages_that_are_not_read_are_told(
    printed: list[Grey], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.sheet_photos.process.MOST_PAGES", 1)
    told, _status = read(tmp_path / "sheets.pdf")
    assert [(one["page"], codes_of(one)) for one in told] == [(1, []), (2, ["too_many_pages"])]


def test_a_spare_sheet_is_of_the_table_that_is_written_on_it(
    evening: Evening, tmp_path: Path
) -> None:
    Club.objects.update(paper_sheet="reading")
    evening = Evening.objects.get(pk=evening.pk)
    line = {
        "declarer": "EW",
        "trump": "S",
        "points": {"NS": 62, "EW": 100},
        "roem": {"NS": [], "EW": [50]},
    }
    photo = tmp_path / "a.png"
    page = spare(evening, table_number=2, round_number=3, line=line)
    photo.write_bytes(scan(page, Random(1)))
    (told,), status = read(photo)
    assert (status, told["date"], told["round"], told["table"]) == (0, "2026-11-21", 3, 2)
    assert told["deals"][0] == {"deal": 1, "line": line, "sure": True, "doubts": []}


def test_a_sheet_that_is_no_more_is_of_another_server(
    evening: Evening, printed: list[Grey], tmp_path: Path, settings: Any
) -> None:
    photo = tmp_path / "a.png"
    photo.write_bytes(scan(printed[0], Random(1)))
    settings.SECRET_KEY = "another"
    (told,), status = read(photo)
    assert (status, codes_of(told)) == (1, ["other_server"])


@pytest.mark.full
@pytest.mark.parametrize("number", ["1e999", "9" * 30, "-1", "²"])
def test_a_number_that_is_none_is_a_fault(evening: Evening, tmp_path: Path, number: str) -> None:
    sheets = ["print_sheets", *ROUND[:-1], number, "--output", str(tmp_path / "a.pdf")]
    of_round = ["sheet_layout", *ROUND[:-1], number, "--table", "1"]
    of_table = ["sheet_layout", *ROUND, "--table", number]
    for command in (sheets, of_round, of_table):
        with pytest.raises(CommandError):
            call_command(*command)
