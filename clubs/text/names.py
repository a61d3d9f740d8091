"""Names of people: how they are compared and how the Dutch sort them."""

import re
import unicodedata

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""
_JOINERS = "\u200c\u200d"
# Between letters of other scripts, and in emoji, they change what is read; in a Latin name nothing.
_IDLE_JOINER = re.compile(rf"(?<![^\x00-\x7f])[{_JOINERS}]|[{_JOINERS}](?![^\x00-\x7f])")
_IN_BRACKETS = re.compile(r"(?<=\S)(?:\s+\([^()]*\))+\Z")
SHORTEST_ALONE = 3
"""A shorter word, such as an initial, names nobody."""
PREFIXES = frozenset(
    "van de der den het 't te ten ter tot op in von vom zu v.d. vd v. d' l' s' 's la le las los du"
    " di da do dos des el al bij aan onder over uit voor".split()
)
_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"}
)


def tidy_name(name: str) -> str:
    """The name as it is stored: single spaces, letters with their accents as one character, and
    none that cannot be seen or that turn the text around. Empty if nothing is left to see.

    >>> tidy_name("  Jan\\t van der  Meer\\u200b ")
    'Jan van der Meer'
    >>> tidy_name("\\u202e\\u3164")
    ''
    """
    visible = _IDLE_JOINER.sub("", "".join(map(_visible, name)))
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def _visible(char: str) -> str:
    """The character; a space for one that is drawn as nothing, and nothing for a mark of layout."""
    category = unicodedata.category(char)
    if category == "Cf":
        return char if char in _JOINERS else ""
    return " " if category == "Cc" or char in _BLANK else char


def name_key(name: str) -> str:
    """The form in which two spellings of a name are the same: case and spaces do not count.

    >>> name_key("  Lies  van Dijk ") == name_key("lies VAN dijk")
    True
    """
    return tidy_name(name).translate(_WITHOUT_JOINERS).casefold()


def sort_key(name: str) -> str:
    """The key that sorts a full name the Dutch way: surname first, its prefix last.

    >>> sort_key("Jan van der Meer")
    'meer, jan van der'
    >>> sort_key("Anna Łuczak")
    'luczak, anna'
    >>> sort_key("Mia Smit-de Vries")
    'smit-de vries, mia'
    >>> sort_key("Jan de Vries (Edam)")
    'vries, jan de (edam)'
    """
    return _plain(surname_first(name))


def surname_first(name: str) -> str:
    """The name as people look it up in a list: surname first, its prefix last.

    >>> surname_first("Jan van der Meer"), surname_first("Jan de Vries (Edam)")
    ('Meer, Jan van der', 'Vries, Jan de (Edam)')
    """
    bare = without_brackets(name)
    words = bare.split()
    start, end = _surname_span(words)
    surname = " ".join(words[end:])
    rest = " ".join(words[:start] + words[start:end])
    return (f"{surname}, {rest}" if rest else surname) + name[len(bare) :]


def without_brackets(name: str) -> str:
    """The name without what stands in brackets behind it.

    >>> without_brackets("Jan de Vries (sr.) (Edam)"), without_brackets("(Jan)")
    ('Jan de Vries', '(Jan)')
    """
    return _IN_BRACKETS.sub("", name)


def plain_key(text: str) -> str:
    """The form in which two texts are the same without regard to capitals, accents and spaces.

    >>> plain_key(" ZÖNDERLING  weg") == plain_key("zonderling weg")
    True
    """
    return _plain(tidy_name(text))


def names_alone(name: str) -> frozenset[str]:
    """The first name and the surname without its prefix, each as it identifies somebody alone.

    >>> sorted(names_alone("Xavierus Q. van der Zonderling"))
    ['xavierus', 'zonderling']
    """
    words = tidy_name(name).split()
    _start, end = _surname_span(words)
    alone = (words[0], " ".join(words[end:])) if words else ()
    return frozenset(key for key in map(plain_key, alone) if len(key) >= SHORTEST_ALONE)


def initials(name: str) -> str:
    """The first letter of every word, each half of a double name included.

    >>> initials("Jan van der Meer")
    'J. v. d. M.'
    >>> initials("Mia Smit-de Vries")
    'M. S.-d. V.'
    """
    words = ("-".join(_initial(half) for half in word.split("-") if half) for word in name.split())
    return " ".join(filter(None, words))


def _initial(word: str) -> str:
    letter = next((char for char in word if char.isalnum()), word[0])
    return f"{letter}."


def _surname_span(words: list[str]) -> tuple[int, int]:
    """Where the prefix of the surname starts and where the surname itself starts."""
    for index, word in enumerate(words[1:-1], start=1):
        if _is_prefix(word):
            end = index
            while end < len(words) - 1 and _is_prefix(words[end]):
                end += 1
            return index, end
        if "-" in word and _is_prefix(word.rsplit("-", 1)[1]):
            return index, index
    last = max(len(words) - 1, 0)
    return last, last


def _is_prefix(word: str) -> bool:
    return word.casefold().replace("’", "'") in PREFIXES


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN_LETTERS)
    return "".join(char for char in decomposed if not unicodedata.combining(char))
