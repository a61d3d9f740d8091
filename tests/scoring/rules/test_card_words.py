"""Cards as people type them: `h10`, `sb`, a whole trick at once."""

import doctest
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Language, card_name, card_typed, parse_card, read_cards
from scoring.rules.cards import WordFault

DECK = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
cards = st.sampled_from(DECK)
decks = st.lists(cards, unique=True)
languages: st.SearchStrategy[Language] = st.sampled_from(["nl", "en"])


def test_the_examples_run() -> None:
    assert doctest.testmod(sys.modules["scoring.rules.cards"]).failed == 0


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("s7", "7S"),
        ("S8", "8S"),
        ("h9", "9H"),
        ("h10", "TH"),
        ("hT", "TH"),
        ("ht", "TH"),
        ("rb", "JD"),
        ("dj", "JD"),
        ("kv", "QC"),
        ("CQ", "QC"),
        ("kh", "KC"),
        ("hh", "KH"),
        ("hk", "KH"),
        ("kk", "KC"),
        ("ra", "AD"),
        ("♦A", "AD"),
    ],
)
def test_dutch_and_english_letters(typed: str, card: str) -> None:
    assert parse_card(typed) == card


@pytest.mark.parametrize("typed", ["", "h", "10h", "h1", "h11", "x7", "h6", "hb7", "bh", "h 7"])
def test_what_is_no_card(typed: str) -> None:
    assert parse_card(typed) is None


@given(cards, languages)
def test_what_is_shown_can_be_typed(card: str, language: Language) -> None:
    assert parse_card(card_name(card, language)) == card
    assert parse_card(card_typed(card, language)) == card
    assert parse_card(card_typed(card, language).upper()) == card


@given(decks, languages, st.sampled_from([" ", "\n", ", ", "  \r\n"]))
def test_a_whole_deal_at_once(deck: list[str], language: Language, between: str) -> None:
    text = between.join(card_typed(card, language) for card in deck)
    assert read_cards(text) == (tuple(deck), ())


@given(decks.filter(len), st.data())
def test_a_word_too_many_is_reported_with_its_place(deck: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(deck) - 1))
    words = [card_typed(card, "nl") for card in deck]
    words.insert(at, "10h")
    read = read_cards(" ".join(words))
    assert read == (tuple(deck[:at]), (WordFault("10h", at + 1),))


def test_every_fault_is_reported() -> None:
    assert read_cards("h7 zz H7 s8 S8").faults == (
        WordFault("zz", 2),
        WordFault("H7", 3, 1),
        WordFault("S8", 5, 4),
    )


def test_no_more_than_the_pack() -> None:
    text = " ".join(card_typed(card, "nl") for card in DECK)
    assert read_cards(f"{text} h7").faults == (WordFault("h7", 33, 17),)


@given(st.text(max_size=200))
def test_whatever_is_typed_gives_an_answer(text: str) -> None:
    read = read_cards(text)
    assert len(set(read.cards)) == len(read.cards) <= 32
    assert len(read.cards) + len(read.faults) <= len(text.replace(",", " ").split())
    assert bool(read.faults) or len(read.cards) == len(text.replace(",", " ").split())
