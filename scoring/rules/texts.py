"""The words of the rules: English in the code, other languages from the catalogues in locale/.

A text is marked with `english` where it stands, and said by `translate` where it is needed.
"""

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final, Literal

Language = Literal["nl", "en"]

DOMAIN: Final = "rules"
LOCALE: Final = Path(__file__).with_name("locale")

SUIT_SIGNS: Final[Mapping[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def english(text: str) -> str:
    """The text itself, marked to be translated."""
    return text


def translate(text: str, language: Language) -> str:
    """A text that was marked, in this language.

    Raises FileNotFoundError where the catalogue of the language has not been compiled.

    >>> translate("seven", "nl")
    'zeven'
    """
    return _catalogue(language).gettext(text)


def translate_all(texts: Mapping[str, str], language: Language) -> dict[str, str]:
    """Texts by the same keys, in this language."""
    return {key: translate(text, language) for key, text in texts.items()}


@cache
def _catalogue(language: Language) -> NullTranslations:
    if language == "en":
        return NullTranslations()
    return translation(DOMAIN, LOCALE, [language])


_SEATS: Final[Mapping[str, str]] = {
    "N": english("North"),
    "E": english("East"),
    "S": english("South"),
    "W": english("West"),
}
_RANKS: Final[Mapping[str, str]] = {
    "T": english("10"),
    "J": english("J"),
    "Q": english("Q"),
    "K": english("K"),
    "A": english("A"),
}
"""How the ranks that are no digit are written."""


@cache
def seat_names(language: Language) -> Mapping[str, str]:
    """The names of the seats by their letters.

    >>> seat_names("nl")["E"]
    'Oost'
    """
    return translate_all(_SEATS, language)


def card_name(card: str, language: Language = "en") -> str:
    """A card as people write it.

    >>> card_name("TH"), card_name("QS", "nl")
    ('♥10', '♠V')
    """
    rank = _RANKS.get(card[0])
    return SUIT_SIGNS[card[1]] + (translate(rank, language) if rank else card[0])


def capitalized(word: str) -> str:
    """The word with a capital, and nothing else changed.

    >>> capitalized("pit"), capitalized("de Pit")
    ('Pit', 'De Pit')
    """
    return word[:1].upper() + word[1:]
