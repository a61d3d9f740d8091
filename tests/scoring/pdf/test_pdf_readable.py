"""The score sheet that can be read from a photograph: what is on it, and where."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.models import Club, Member
from scoring.models import Regulation, Scoresheet
from scoring.pdf.head import Heading
from scoring.pdf.reading_sheet import ReadableSheet, readable_sheets_pdf, sheet_form
from scoring.pdf.sheet import SpareView
from scoring.reading.layout import Box, Form, layout_json, layouts_of
from scoring.reading.picture import sheets_on
from scoring.rules import THREE
from scoring.sheets.services import sheet_code, sheet_of_code, sheet_views
from tests.factories import ClubFactory, evening_with_draw, table
from tests.pdfs import codes, page_texts, sizes, smallest_type, words_off_the_page
from tests.scoring.pdf.test_pdf_sheet import fresh
from tests.scoring.reading.photographs import CODE, from_printer
from tests.scoring.sheets import sheet_of_three
from tournaments.models import Evening

ROUND = ["--club", "de-vrolijke-boer", "--date", "2026-11-21", "--round", "1"]

FORMS = [
    Form(deals, three, no_trump, spare=True, compact=compact)
    for deals in (4, 16, 18, 19, 40)
    for three in (False, True)
    for no_trump in (False, True)
    for compact in (False, True)
]


def boxes_of(form: Form) -> list[list[Box]]:
    """All boxes that are read, page by page."""
    pages = []
    for page in layouts_of(form):
        boxes = [box for part in (page.totals, page.named) for own in part.values() for box in own]
        for row in page.rows:
            figures = [*row.points.values(), *row.roem.values()]
            boxes += [box for three in figures for box in three]
            boxes += [*row.declarer.values(), *row.trump.values(), row.nat, row.pit, row.other]
            boxes += [(x, y + 0.01, width, high - 0.02) for x, y, width, high in row.running]
        pages.append(boxes + page.marker_boxes)
    return pages


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
def test_boxes_are_large_enough_on_the_page_and_apart(form: Form) -> None:
    pages = layouts_of(form)
    # The compact one is printed half as large: there they are nearly as large as on the other.
    least = (6 * 2**0.5, 7.2 * 2**0.5) if form.compact else (6, 8)
    assert [row.deal for page in pages for row in page.rows] == list(range(1, form.deals + 1))
    for page in pages:
        for row in page.rows:
            for box in [box for boxes in row.points.values() for box in boxes]:
                assert (box[2] >= least[0], box[3] >= least[1]) == (True, True)
    for boxes in boxes_of(form):
        for place, (x, y, width, high) in enumerate(boxes):
            assert (x >= 5, y >= 5, x + width <= 205, y + high <= 292) == (True,) * 4
            for left, top, wide, tall in boxes[place + 1 :]:
                across = min(x + width, left + wide) - max(x, left)
                down = min(y + high, top + tall) - max(y, top)
                assert min(across, down) < 0.001


@pytest.mark.django_db
@pytest.mark.once
class TestPrinted:
    @pytest.fixture
    def evening(self) -> Evening:
        return evening_with_draw(club=ClubFactory.create(slug="de-vrolijke-boer"), players=11)

    @pytest.fixture
    def paper(self, evening: Evening, tmp_path: Path) -> bytes:
        file = tmp_path / "sheets.pdf"
        call_command("print_sheets", *ROUND, "--output", file)
        return file.read_bytes()

    @pytest.mark.full
    def test_each_table_has_a_page_with_its_own_code(
        self, evening: Evening, paper: bytes, tmp_path: Path
    ) -> None:
        texts = page_texts(paper)
        found = codes(paper, tmp_path, dpi=150)
        assert sizes(paper) == [(595, 841)] * 2
        for number, (text, codes_found) in enumerate(zip(texts, found, strict=True), start=1):
            assert f"Tafel {number} Ronde 1" in text
            named = [sheet_of_code(code) for code in codes_found if code.isdigit()]
            assert named == [(table(evening, number).sheet.uuid, 1)]

    def test_nothing_is_small_or_off_the_page(self, paper: bytes, tmp_path: Path) -> None:
        assert smallest_type(paper)[0] >= 7.99
        assert words_off_the_page(paper, tmp_path) == []

    @pytest.mark.full
    def test_it_says_what_to_write(self, paper: bytes) -> None:
        four = page_texts(paper)[0]
        assert "In elk hokje één cijfer" in four
        assert "kruis “nat” aan en schrijf de kaartpunten zoals ze gehaald zijn" in four
        assert "Controle 16 × 162 = 2.592" in four

    def test_the_layout_is_the_one_it_was_drawn_by(self, evening: Evening) -> None:
        out = StringIO()
        call_command("sheet_layout", *ROUND, "--table", "1", stdout=out)
        told = json.loads(out.getvalue())
        assert told == layout_json(Form(16))
        assert told["page"] == {"width": 210, "height": 297}
        assert list(told["deals"][0]) == [
            "deal",
            "declarer",
            "trump",
            "points_ns",
            "roem_ns",
            "points_ew",
            "roem_ew",
            "nat",
            "pit",
            "other",
        ]
        assert {side: len(boxes) for side, boxes in told["totals"].items()} == {"ns": 4, "ew": 4}

    def test_what_is_not_there_is_told(self, evening: Evening, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="Round 7 of evening '2026-11-21' has no final draw"):
            call_command("print_sheets", *ROUND[:-1], "7", "--output", tmp_path / "x.pdf")
        with pytest.raises(CommandError, match="Round 1 has no table 9"):
            call_command("sheet_layout", *ROUND, "--table", "9")


@pytest.mark.django_db
def test_three_people_have_a_box_and_a_total_each(tmp_path: Path) -> None:
    (view,) = sheet_views([fresh(sheet_of_three(deals=20))])
    sheet = ReadableSheet(view, Heading("Tafel 4", "Ronde 2", "zaterdag"), ["1" * 54, "2" * 54])
    content = readable_sheets_pdf([sheet], title="Tellijst", author="Klaver Vier")
    first, second = page_texts(content)
    assert "spel gever speelt troef Speler punten roem Tegen punten roem Jan Mia Piet" in first
    assert "1 Mia J M P ♣ ♦ ♥ ♠ 2 Piet J M P" in first
    assert "Tot hier Jan Mia Piet" in first
    assert "Totaal Jan Mia Piet" in second
    assert codes(content, tmp_path, dpi=150) == [["1" * 54], ["2" * 54]]
    assert list(layout_json(sheet_form(view.sheet))["totals"]) == ["n", "e", "s", "page"]


@pytest.mark.django_db
def test_three_people_whose_names_begin_alike_are_ticked_by_number() -> None:
    sheet = sheet_of_three()
    Member.objects.filter(name__startswith="Mia").update(name="Jaap Visser")
    (view,) = sheet_views([fresh(sheet)])
    paper = ReadableSheet(view, Heading("Tafel 4", "Ronde 2", "zaterdag"), [CODE])
    (text,) = page_texts(readable_sheets_pdf([paper], title="Tellijst", author="Klaver Vier"))
    first, second, third = (view.names(4)[seat] for seat in THREE)
    assert f"1 {first} 2 {second} geeft eerst 3 {third}" in text
    assert "1 Jaap 1 2 3 ♣ ♦ ♥ ♠ 2 Piet 1 2 3" in text


@pytest.mark.parametrize("three", [False, True])
@pytest.mark.parametrize("language", ["nl", "en"])
def test_however_many_rules_there_are_corners_and_code_stay_free(
    language: str, *, three: bool
) -> None:
    sheet = Scoresheet(
        pk=1,
        club=Club(name="De Vrolijke Boer", pit_word="alle slagen"),
        regulation=Regulation(name="Amsterdams", settings={"nat_roem": "lost"}),
        deals_planned=16,
        target=1001,
        three_handed=three,
        first_dealer="",
        first_trump="C",
        first_reneging_replayed=True,
    )
    with translation.override(language):
        last = _("Reneged, or anything else: tick “else”, write it down and call the director.")
        paper = ReadableSheet(SpareView(sheet), Heading("Tafel 4", "Ronde 2", "zaterdag"), [CODE])
        content = readable_sheets_pdf([paper], title="Tellijst", author="Klaver Vier")
    (text,) = page_texts(content)
    assert last in text
    (found,) = sheets_on(from_printer(content)).found
    assert found.code == CODE


@pytest.mark.django_db
def test_only_our_own_codes_name_a_sheet() -> None:
    evening = evening_with_draw(players=4)
    sheet: Scoresheet = table(evening, 1).sheet
    code = sheet_code(sheet, 2)
    assert sheet_of_code(code) == (sheet.uuid, 2)
    forged = [code[:-1] + str(9 - int(code[-1])), code[:-1], "", "9" * 54, "http://x", code + "1"]
    assert [sheet_of_code(wrong) for wrong in forged] == [None] * len(forged)
