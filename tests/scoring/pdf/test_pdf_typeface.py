"""The fonts carried for paper, and words made to fit."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import getFont
from reportlab.pdfbase.ttfonts import TTFontFile

from scoring.pdf.paper import (
    BOLD,
    HEADING,
    NARROWEST,
    REGULAR,
    SMALLEST,
    composed,
    fit,
    in_fonts,
    width_of,
    wrap,
)

FOLDER = Path("scoring/pdf/fonts")


@pytest.mark.parametrize("font", [REGULAR, BOLD, HEADING])
def test_every_letter_of_a_dutch_club_comes_from_a_font_that_has_it(font: str) -> None:
    names = "Łuczak Özdemir Đặng 't Hart ’t Şahin Ñuñez Bjørn Þór Çelik Ưng Ïsa Ĳsbrand Иван Ελένη"
    pieces = in_fonts(f"{names} ♣♦♥♠ – — … × − ✓ €", font)
    assert pieces[0] == (font, names[: names.index("Иван")])
    missing = [
        sign
        for name, words in pieces
        for sign in words
        if ord(sign) not in getFont(name).face.charToGlyph
    ]
    assert missing == []


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
    assert fit("Jan Bakker", REGULAR, 12, 200) == ("Jan Bakker", 12, 1)


def test_what_is_a_little_too_long_shrinks_and_keeps_every_letter() -> None:
    room = width_of("Jan Bakker", BOLD, 10)
    text, size, stretch = fit("Jan Bakker", BOLD, 12, room)
    assert (text, stretch) == ("Jan Bakker", 1)
    assert size == pytest.approx(10)


def test_what_is_too_long_for_the_smallest_size_is_pressed_together() -> None:
    name = "Wilhelmina van den Nieuwenhuizen"
    room = width_of(name, REGULAR, SMALLEST) * 0.9
    text, size, stretch = fit(name, REGULAR, 12, room)
    assert (text, size) == (name, SMALLEST)
    assert stretch == pytest.approx(0.9)


def test_what_is_far_too_long_ends_in_an_ellipsis() -> None:
    text, *measures = fit("Maria Johanna van den Heuvel-Nieuwenhuizen", REGULAR, 12, 100)
    assert (text, measures) == ("Maria Johanna van den Heuvel-Ni…", [SMALLEST, NARROWEST])


@given(
    st.text(st.characters(codec="utf-8", categories=["L", "Zs", "Po", "Sm"]), max_size=80),
    st.floats(15, 400),
)
def test_nothing_is_ever_wider_than_its_room(text: str, room: float) -> None:
    shown, size, stretch = fit(text, REGULAR, 17, room, 10)
    assert width_of(shown, REGULAR, size) * stretch <= room + 0.001
    assert 10 <= size <= 17
    assert NARROWEST <= stretch <= 1


def test_a_sentence_is_wrapped_between_words() -> None:
    lines = wrap("Vanaf spel 9 speelt Jan Bos voor Piet Vis.", REGULAR, 10, 100)
    assert " ".join(lines) == "Vanaf spel 9 speelt Jan Bos voor Piet Vis."
    assert all(width_of(line, REGULAR, 10) <= 100 for line in lines)
