"""Finding words in the manual: whatever the accents, capitals and slips of the finger, the best
sections first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from clubs.text.names import plain_key
from tournaments.manual.chapters import Section, sections

MOST_WORDS = 12
"""So many words of what somebody typed are looked for."""
MOST_HITS = 8
AROUND = 14
"""So many words are shown on either side of the first that was found."""

SHORT = 3
"""Words of so many letters or fewer are only found as whole words: "pin", not "spin"."""
ALIKE = 0.8
"""How much a known word must be like one that is nowhere."""
PASSED_OVER: Mapping[str, str] = {
    "nl": "de het een en of ik u je we wij mijn ons is zijn er dat die te van in op met voor aan"
    " naar om niet hoe wat waar wie wanneer kan moet mag doe doen heb",
    "en": "the a an and or i you we my our is are there that this to of in on with for at from not"
    " how what where who when can must may do does have it",
}
"""Words that say nothing of what is looked for."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found, with a part of its text: pieces, and whether each was looked
    for."""

    section: Section
    pieces: tuple[tuple[str, bool], ...]


def manual_search(language: str, query: str) -> list[Hit]:
    """The sections that have any of these words, the best first: a rare word counts for more, and
    so does one in the title. Instead of a word that is nowhere, the one most like it."""
    texts = _texts(language)
    wanted = [_known(language, word) for word in _wanted(language, query)]
    rarity = {word: 1 / (sum(text.has(word) for _section, text in texts) or 1) for word in wanted}
    scored = [
        (sum(rarity[word] * text.worth(word) for word in wanted), section)
        for section, text in texts
    ]
    best = sorted((hit for hit in scored if hit[0]), key=lambda hit: hit[0], reverse=True)
    return [Hit(section, _pieces(section.text, wanted)) for _score, section in best[:MOST_HITS]]


@dataclass(frozen=True, slots=True)
class _Texts:
    """A section in small letters without accents."""

    title: str
    words: str
    text: str

    @classmethod
    def of(cls, section: Section) -> "_Texts":
        return cls(plain_key(section.title), plain_key(section.words), plain_key(section.text))

    def has(self, word: str) -> bool:
        return any(_found(word, part) for part in (self.title, self.words, self.text))

    def worth(self, word: str) -> int:
        """A word by itself counts for twice as much as one in another word."""
        title, words, text = (_found(word, part) for part in (self.title, self.words, self.text))
        return 4 * title + 2 * words + text


@cache
def _texts(language: str) -> list[tuple[Section, _Texts]]:
    return [(section, _Texts.of(section)) for section in sections(language)]


@cache
def _vocabulary(language: str) -> list[str]:
    """The longer words of the manual."""
    texts = (f"{text.title} {text.words} {text.text}" for _section, text in _texts(language))
    return sorted({word for text in texts for word in _WORD.findall(text) if len(word) > SHORT})


def _found(word: str, text: str) -> int:
    """2 if the text has the word by itself, 1 if it is part of another word, else 0."""
    if word not in text:
        return 0
    if re.search(rf"\b{re.escape(word)}\b", text):
        return 2
    return int(len(word) > SHORT)


def _wanted(language: str, query: str) -> list[str]:
    words = _WORD.findall(plain_key(query))[:MOST_WORDS]
    return [word for word in words if word not in PASSED_OVER[language].split()] or words


def _known(language: str, word: str) -> str:
    """This word if the manual has it, else the one most like it, if any is."""
    if len(word) <= SHORT or any(text.has(word) for _section, text in _texts(language)):
        return word
    return next(iter(get_close_matches(word, _vocabulary(language), 1, ALIKE)), word)


def _pieces(text: str, wanted: list[str]) -> tuple[tuple[str, bool], ...]:
    """The words around the first that was looked for, each with whether it was."""
    words = [(word, any(_found(part, plain_key(word)) for part in wanted)) for word in text.split()]
    first = next((place for place, (_word, is_wanted) in enumerate(words) if is_wanted), 0)
    begin, end = max(0, first - AROUND), first + AROUND
    shown = words[begin:end]
    before = [("…", False)] if begin else []
    after = [("…", False)] if end < len(words) else []
    return (*before, *shown, *after)
