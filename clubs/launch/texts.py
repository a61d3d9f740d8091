"""The words of the command `klaverclub`, which speaks before Django is set up.

A text is marked with `english` where it stands; catalogues are read with plain gettext.
"""

import locale
import os
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final, Literal

Language = Literal["nl", "en"]

DOMAIN: Final = "launch"
LOCALE: Final = Path(__file__).with_name("locale")
_SAID_BY: Final = "LC_ALL", "LC_MESSAGES", "LANG"
_NONE: Final = "C", "POSIX"


class CannotStart(Exception):
    """Why nothing is served, as somebody at the computer can read it: a marked text, and what is
    filled in."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text)
        self.text = text
        self.values = values


def english(text: str) -> str:
    """The text itself, marked to be translated."""
    return text


def spoken() -> Language:
    """The language of whoever uses this computer: Dutch where nothing is known."""
    named = next((os.environ[name] for name in _SAID_BY if os.environ.get(name)), None)
    return language_of(named or locale.getlocale()[0] or "")


def language_of(name: str) -> Language:
    """The language for a locale as POSIX or Windows names it.

    >>> [language_of(name) for name in ("nl_BE.UTF-8", "Dutch_Netherlands", "C.UTF-8", "")]
    ['nl', 'nl', 'nl', 'nl']
    >>> language_of("de_DE.UTF-8"), language_of("English_United States")
    ('en', 'en')
    """
    known = name.partition(".")[0]
    if not known or known in _NONE or known.lower().startswith(("nl", "dutch")):
        return "nl"
    return "en"


def translate(text: str, language: Language) -> str:
    """A marked text in this language; in English where the catalogue has not been compiled.

    >>> translate("On this computer", "en")
    'On this computer'
    """
    if language == "en":
        return NullTranslations().gettext(text)
    return translation(DOMAIN, LOCALE, [language], fallback=True).gettext(text)
