"""A wording with fields in braces: filled in, lines left out, faults with their line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.publicity.wordings import (
    FIELDS,
    STANDARD,
    WordingFault,
    wording_faults,
    wording_fill,
)

VALUES = {"winner": "Jan", "points": "5.215", "club": "De Vier Azen"}


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        ("Winnaar: {winnaar} met {punten}", "Winnaar: Jan met 5.215"),
        ("Winner: {winner} with { Points }", "Winner: Jan with 5.215"),
        ("{club}\nPoedel: {poedel}\nTot ziens", "De Vier Azen\nTot ziens"),
        ("{club}\n\n{poedel}\n\nTot ziens", "De Vier Azen\n\nTot ziens"),
        ("{winnaar} en {poedel}", ""),
        ("Zonder velden", "Zonder velden"),
    ],
)
def test_fields_are_filled_in_and_empty_lines_left_out(wording: str, text: str) -> None:
    assert wording_fill(wording, VALUES) == text


def test_lines_become_paragraphs_for_the_newspaper() -> None:
    wording = "Kop\n\nEen.\n{poedel}\nTwee.\n\nDrie.\n"
    assert wording_fill(wording, VALUES, joined=True) == "Kop\n\nEen. Twee.\n\nDrie."


def test_a_value_is_never_read_as_a_wording() -> None:
    assert wording_fill("{winnaar}", {"winner": "{club}", "club": "x"}) == "{club}"


def test_what_is_wrong_is_reported_with_its_line_and_the_nearest_field() -> None:
    wording = "{club}\n{winaar} {zzzzzz}\nlos { haakje\n{}"
    assert wording_faults(wording) == [
        WordingFault(2, "{winaar}", "{winnaar}"),
        WordingFault(2, "{zzzzzz}", ""),
        WordingFault(3),
        WordingFault(4, "{}", ""),
    ]


@pytest.mark.parametrize("wording", STANDARD.values())
def test_the_standard_wordings_have_no_faults(wording: str) -> None:
    assert wording_faults(wording) == []


@given(st.text(alphabet="{}clubwinar \n", max_size=80))
def test_any_text_is_either_told_wrong_or_filled_without_a_brace(wording: str) -> None:
    filled = wording_fill(wording, dict.fromkeys(FIELDS.values(), "x"))
    assert bool(wording_faults(wording)) or not set("{}") & set(filled)
