"""Sums of money: typed as people type them, kept as whole cents, read as people write them."""

import pytest
from django import forms
from django.utils import translation

from clubs.text.numbers import MoneyField, money

NBSP = "\N{NO-BREAK SPACE}"


class SumForm(forms.Form):
    stake = MoneyField(required=False)


@pytest.mark.parametrize(
    ("cents", "dutch", "english"),
    [
        (None, "–", "–"),
        (0, f"€{NBSP}0,00", "€0.00"),
        (250, f"€{NBSP}2,50", "€2.50"),
        (1_234_505, f"€{NBSP}12.345,05", "€12,345.05"),
    ],
)
def test_a_sum_is_written_as_the_language_has_it(
    cents: int | None, dutch: str, english: str
) -> None:
    with translation.override("nl"):
        assert money(cents) == dutch
    with translation.override("en"):
        assert money(cents) == english


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("", None),
        ("2", 200),
        ("2,5", 250),
        ("2.50", 250),
        (" € 17,50 ", 1750),
        ("3,-", 300),
        ("0", 0),
        ("99999,99", 9_999_999),
    ],
)
def test_a_sum_is_typed_as_people_do(typed: str, cents: int | None) -> None:
    form = SumForm({"stake": typed})
    assert form.is_valid()
    assert form.cleaned_data == {"stake": cents}


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("twee", "Schrijf een bedrag in euro’s, zoals 2,50."),
        ("-2", "Schrijf een bedrag in euro’s, zoals 2,50."),
        ("2,505", "Schrijf een bedrag in euro’s, zoals 2,50."),
        ("100000", "Dit is meer dan iemand betaalt."),
    ],
)
def test_what_is_no_sum_is_refused_in_words(typed: str, fault: str) -> None:
    with translation.override("nl"):
        assert SumForm({"stake": typed}).errors == {"stake": [fault]}


def test_cents_are_shown_as_they_are_typed() -> None:
    with translation.override("nl"):
        assert 'value="2,50"' in SumForm(initial={"stake": 250})["stake"].as_widget()
