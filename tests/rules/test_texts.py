"""The texts of the rules: English in the code, Dutch in the catalogue."""

from string import Formatter

from scoring.rules import texts
from tools.rules_texts import as_po, catalogues, marked_texts, read, up_to_date

DUTCH = read(texts.LOCALE / "nl" / "LC_MESSAGES" / "rules.po")
TRANSLATED = {str(message.id): str(message.string) for message in DUTCH if message.id}


def fields(text: str) -> set[str]:
    """What is filled in; at the head of a sentence it has a capital."""
    return {name.lower() for _text, name, _spec, _conversion in Formatter().parse(text) if name}


def test_there_is_a_catalogue_of_dutch() -> None:
    assert [path.parts[-3] for path in catalogues()] == ["nl"]


def test_every_text_has_a_translation_and_nothing_else_does() -> None:
    assert list(TRANSLATED) == list(marked_texts())
    assert [text for text, dutch in TRANSLATED.items() if not dutch] == []


def test_a_translation_has_the_same_values_in_it() -> None:
    assert [text for text, dutch in TRANSLATED.items() if fields(text) != fields(dutch)] == []


def test_the_catalogue_is_as_the_program_writes_it() -> None:
    assert [as_po(up_to_date(path)) for path in catalogues()] == [
        path.read_bytes() for path in catalogues()
    ]


def test_what_was_compiled_is_the_catalogue() -> None:
    """`python -m tools.catalogues` compiles it."""
    assert {text: texts.translate(text, "nl") for text in TRANSLATED} == TRANSLATED
    assert {text: texts.translate(text, "en") for text in TRANSLATED} == {
        text: text for text in TRANSLATED
    }
