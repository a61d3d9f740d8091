"""The score sheet of three people on paper, read back from the PDF."""

import pytest

from scoring.disputes.submissions import sheet_answer
from scoring.models import Scoresheet
from scoring.rules import line_of_three
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS
from tests.pdfs import page_texts
from tests.scoring.pdf.test_pdf_sheet import grid_of, paper
from tests.scoring.sheets import sheet_of_three, write
from tests.scoring.sheets.test_three_handed import MADE, NAT, PIT, write_four

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def page(sheet: Scoresheet, *, filled: bool = True) -> str:
    (text,) = page_texts(paper(sheet, filled=filled))
    return text


def test_a_blank_sheet_has_a_column_for_each() -> None:
    text = page(sheet_of_three(deals=5), filled=False)
    heads = "spel gever speelt troef Speler punten roem Tegen punten roem totaal Jan Mia Piet"
    assert heads in text
    assert "1 Mia 2 Piet 3 Jan 4 Mia 5 Piet" in text
    for words in ["Jan Bakker", "Mia van der Meer", "Drie spelers: wie speelt heeft"]:
        assert words in text
    assert "Controle: per spel hebben speler en tegen samen 162, plus de roem." in text
    for nobody in ["Wij", "wij", "Noord", "Oost", "Zuid", "West"]:
        assert nobody not in text
    assert "Akkoord Jan: Akkoord Mia: Akkoord Piet: Akkoord schrijver:" in text


def test_a_filled_sheet_says_who_played_and_what_each_has() -> None:
    sheet = sheet_of_three()
    write(sheet, 1, written=line_of_three(MADE))
    write(sheet, 2, written=line_of_three(NAT))
    write(sheet, 3, written=line_of_three(PIT))
    lines = grid_of(page(sheet))
    assert "1 Mia Jan ♥ 100 20 62 62 120 62 62".replace("62 62 120", "62 120") in lines
    assert "2 Piet Mia ♠ nat 162 50 332 62 274" in lines
    assert "3 Jan Piet ♣ pit 162 120 0 332 62 556" in lines
    assert "Totaal 332 62 556" in lines


@pytest.mark.full
def test_a_filled_sheet_checks_itself() -> None:
    """3 × 162 and 162 make 648 in four deals, roem 20 + 50 + 20 and two pits; of the two against
    the player 62 + 212 + 0 + 262 counts once more: together 938 + 536 = 1,474."""
    sheet = sheet_of_three()
    write_four(sheet)
    check = (
        "Controle: 4 × 162 + roem 90 + pit 200 + voor de tweede tegenspeler nog eens 536 = 1.474. "
        "De drie samen 1.474: klopt."
    )
    assert check in page(sheet)


def test_what_is_for_one_alone_is_in_the_check() -> None:
    sheet = sheet_of_three(deals=1)
    correction = {"seat": "S", "points": -50, "reason": "telefoon"}
    write(sheet, 1, written=line_of_three(MADE | {"corrections": [correction]}))
    text = page(sheet)
    assert "voor één alleen −50 = 194. De drie samen 194: klopt." in text
    assert "Piet" in text
    assert "correctie −50 (telefoon)" in text


def test_totals_that_were_handed_in() -> None:
    sheet = sheet_of_three(deals=2)
    totals = {"N": HandedIn(262, 20), "E": HandedIn(224), "S": HandedIn(62)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    text = page(sheet)
    assert "Totaal 282 224 62" in text
    assert "Controle: kaartpunten 548 + roem 20 = 568. De drie samen 568: klopt." in text


def test_who_agreed_and_who_did_not() -> None:
    sheet = sheet_of_three(deals=1)
    write(sheet, 1, written=line_of_three(MADE))
    for seat, agrees in (("N", True), ("E", False)):
        sheet_answer(
            sheet_id=sheet.pk,
            side=seat,
            seen_version=1,
            agrees=agrees,
            note="" if agrees else "roem was 50",
            actor=TESTS,
        )
    text = page(sheet)
    assert "Akkoord Jan: akkoord om" in text
    assert "Mia is het niet eens" in text
    assert "roem was 50" in text


@pytest.mark.full
def test_a_long_sheet_goes_on_overleaf_with_what_each_has_so_far() -> None:
    """North makes 100 in each of 45 deals: after 23 he has 2,300 and the others 23 × 62."""
    sheet = sheet_of_three(deals=45)
    for number in range(1, 46):
        write(sheet, number, written=line_of_three(MADE | {"roem": {}}))
    first, second = page_texts(paper(sheet, filled=True))
    assert "Tot hier 2.300 1.426 1.426" in first
    assert "Totaal 4.500 2.790 2.790" in second
