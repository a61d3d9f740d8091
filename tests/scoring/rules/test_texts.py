"""The texts of the rules: English in the code, Dutch in the catalogue."""

from string import Formatter

from babel.messages.pofile import read_po

from scoring.rules import texts

CATALOGUE = texts.LOCALE / "nl" / "LC_MESSAGES" / "rules.po"
with CATALOGUE.open("rb") as file:
    DUTCH = read_po(file)
TRANSLATED = {str(message.id): str(message.string) for message in DUTCH if message.id}


def fields(text: str) -> set[str]:
    """What is filled in; at the head of a sentence it has a capital."""
    return {name.lower() for _text, name, _spec, _conversion in Formatter().parse(text) if name}


def test_every_text_has_a_translation() -> None:
    assert [text for text, dutch in TRANSLATED.items() if not dutch] == []


def test_a_translation_has_the_same_values_in_it() -> None:
    assert [text for text, dutch in TRANSLATED.items() if fields(text) != fields(dutch)] == []


def test_what_was_compiled_is_the_catalogue() -> None:
    assert {text: texts.translate(text, "nl") for text in TRANSLATED} == TRANSLATED
    assert {text: texts.translate(text, "en") for text in TRANSLATED} == {
        text: text for text in TRANSLATED
    }
