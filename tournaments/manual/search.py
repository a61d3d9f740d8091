"""Finding words in the manual: whatever the accents and capitals, the best sections first."""

import re
from dataclasses import dataclass

from clubs.text.names import plain_key
from tournaments.manual.chapters import Section, sections

MOST_WORDS = 12
"""So many words of what somebody typed are looked for."""
MOST_HITS = 8
AROUND = 14
"""So many words are shown on either side of the first that was found."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found, with a part of its text: pieces, and whether each was looked
    for."""

    section: Section
    pieces: tuple[tuple[str, bool], ...]


def manual_search(language: str, query: str) -> list[Hit]:
    """The sections that have any of these words, the best first: a rare word counts for more, and
    so does one in the title."""
    wanted = _wanted(query)
    texts = [(section, _Texts.of(section)) for section in sections(language)]
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
        return any(word in part for part in (self.title, self.words, self.text))

    def worth(self, word: str) -> int:
        return 4 * (word in self.title) + 2 * (word in self.words) + (word in self.text)


def _wanted(query: str) -> list[str]:
    """The words to look for: short ones, such as "how" and "my", only where there is no other."""
    words = _WORD.findall(plain_key(query))[:MOST_WORDS]
    return [word for word in words if len(word) > 3] or words


def _pieces(text: str, wanted: list[str]) -> tuple[tuple[str, bool], ...]:
    """The words around the first that was looked for, each with whether it was."""
    words = [(word, any(part in plain_key(word) for part in wanted)) for word in text.split()]
    first = next((place for place, (_word, is_wanted) in enumerate(words) if is_wanted), 0)
    begin, end = max(0, first - AROUND), first + AROUND
    shown = words[begin:end]
    before = [("…", False)] if begin else []
    after = [("…", False)] if end < len(words) else []
    return (*before, *shown, *after)
