"""The fonts carried for paper, and words made to fit."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import getFont
from reportlab.pdfbase.ttfonts import TTFontFile

from scoring.pdf.paper import BOLD, REGULAR, composed, fit, register_fonts, width_of, wrap

FOLDER = Path("scoring/pdf/fonts")


@pytest.mark.parametrize("font", [REGULAR, BOLD])
def test_the_fonts_have_every_letter_of_a_dutch_club(font: str) -> None:
    register_fonts()
    glyphs = getFont(font).face.charToGlyph
    names = "Łuczak Özdemir Đặng 't Hart ’t Şahin Ñuñez Bjørn Þór Çelik Ưng Ïsa Ĳsbrand Иван Ελένη"
    assert [sign for sign in names + "♣♦♥♠ – — … × − ✓ €" if ord(sign) not in glyphs] == []


@pytest.mark.parametrize(
    "file",
    [
        "AtkinsonHyperlegibleNext-Regular.ttf",
        "AtkinsonHyperlegibleNext-Bold.ttf",
        "Fraunces-SemiBold.ttf",
    ],
)
def test_the_typefaces_of_text_and_headings_have_the_names_of_people(file: str) -> None:
    glyphs = TTFontFile(FOLDER / file).charToGlyph
    names = (
        "Łukasz Şahin Đặng Thị Hường Nguyễn Dvořák Bjørn Þór Çelik Ĳsbrand Ğül İnan Űző ẞ’t–…×−€"
    )
    assert [sign for sign in names if ord(sign) not in glyphs] == []


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_figures_on_paper_are_one_width(weight: str) -> None:
    face = TTFontFile(FOLDER / f"AtkinsonHyperlegibleNext-{weight}.ttf")
    assert len({face.charWidths[ord(figure)] for figure in "0123456789"}) == 1


def test_the_fonts_are_small_and_come_with_their_licence() -> None:
    assert all(file.stat().st_size < 64_000 for file in FOLDER.glob("*.ttf"))
    for family in ("AtkinsonHyperlegibleNext", "Fraunces"):
        assert "SIL Open Font License" in (FOLDER / f"OFL-{family}.txt").read_text()
    assert "Bitstream Vera Fonts Copyright" in (FOLDER / "LICENSE.txt").read_text()


def test_a_name_typed_with_loose_accents_is_put_together() -> None:
    assert composed("Đa\N{COMBINING DOT BELOW}\N{COMBINING BREVE}ng") == "Đặng"


def test_what_fits_is_left_alone() -> None:
    assert fit("Jan Bakker", REGULAR, 12, 200, 8) == ("Jan Bakker", 12)


def test_what_is_a_little_too_long_shrinks_and_keeps_every_letter() -> None:
    room = width_of("Jan Bakker", BOLD, 10)
    text, size = fit("Jan Bakker", BOLD, 12, room, 8)
    assert text == "Jan Bakker"
    assert size == pytest.approx(10)


def test_what_is_far_too_long_ends_in_an_ellipsis() -> None:
    text, size = fit("Maria van den Heuvel-Nieuwenhuizen", REGULAR, 12, 100, 8)
    assert (text, size) == ("Maria van den Heuvel-…", 8)


@given(
    st.text(st.characters(codec="utf-8", categories=["L", "Zs", "Po", "Sm"]), max_size=80),
    st.floats(15, 400),
)
def test_nothing_is_ever_wider_than_its_room(text: str, room: float) -> None:
    shown, size = fit(text, REGULAR, 17, room, 10)
    assert width_of(shown, REGULAR, size) <= room + 0.001
    assert 10 <= size <= 17


def test_a_sentence_is_wrapped_between_words() -> None:
    lines = wrap("Vanaf spel 9 speelt Jan Bos voor Piet Vis.", REGULAR, 10, 100)
    assert " ".join(lines) == "Vanaf spel 9 speelt Jan Bos voor Piet Vis."
    assert all(width_of(line, REGULAR, 10) <= 100 for line in lines)
