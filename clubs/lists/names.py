"""Names as lists have them, mended to how people write them: first name, prefix, surname."""

import re

from clubs.text.names import PREFIXES, tidy_name

_TITLE = re.compile(
    r"^(?:(?:dhr|mevr|mw|hr|mr|mrs|ms)\.?|de heer|heer|mevrouw|meneer)\s+(?=\S)", re.IGNORECASE
)
_TWO_PEOPLE = re.compile(r"\s(?:&|\+|en|and|e/v)\s|[&/]", re.IGNORECASE)
_PIECES = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def name_of_parts(*, first: str, prefix: str, surname: str) -> str:
    """The whole name from two or three columns.

    >>> name_of_parts(first="Jan", prefix="van der", surname="MEER")
    'Jan van der Meer'
    >>> name_of_parts(first="Jan", prefix="", surname="Berg, van den")
    'Jan van den Berg'
    """
    surname, comma, behind = surname.partition(",")
    if comma and not prefix:
        prefix = behind
    surname = _small(surname) if len(tidy_name(surname)) > 2 else surname
    return name_mended(tidy_name(f"{first} {prefix.casefold()} {surname}"))


def name_mended(name: str) -> str:
    """The name with the first name in front, without a title, and not in capitals only.

    >>> name_mended("PIETERSEN, Klaas"), name_mended("BERG, VAN DER, J.P.")
    ('Klaas Pietersen', 'J.P. van der Berg')
    >>> name_mended("Berg van der, Jan"), name_mended("van den Bos, Mia")
    ('Jan van der Berg', 'Mia van den Bos')
    >>> name_mended("Mevr. A. SMIT-DE VRIES"), name_mended("jan bos"), name_mended("Jan de Vries")
    ('A. Smit-de Vries', 'Jan Bos', 'Jan de Vries')
    >>> name_mended("Bos, Jan (jr.)"), name_mended("Bos,")
    ('Jan (jr.) Bos', 'Bos')
    """
    parts = [_TITLE.sub("", part) for part in map(tidy_name, name.split(",")) if part]
    if len(parts) == 3 and _are_prefixes(parts[1]):
        parts = [f"{parts[1]} {parts[0]}", parts[2]]
    if len(parts) == 3 and _are_prefixes(parts[2]):
        parts = [f"{parts[2]} {parts[0]}", parts[1]]
    if len(parts) != 2:
        return tidy_name(_small(", ".join(parts)))
    surname, first = parts
    if _are_prefixes(first):
        return tidy_name(_small(f"{first} {surname}"))
    return tidy_name(f"{_small(first)} {_small(_prefix_first(surname))}")


def names_two_people(name: str) -> bool:
    """Whether a line seems to be about a couple.

    >>> names_two_people("Jan en Mia Bos"), names_two_people("Ben Anders")
    (True, False)
    """
    return bool(_TWO_PEOPLE.search(name))


def _are_prefixes(text: str) -> bool:
    words = text.casefold().replace("’", "'").split()
    return bool(words) and all(word in PREFIXES for word in words)


def _prefix_first(surname: str) -> str:
    """Turns "Berg van der" into "van der Berg"."""
    words = surname.split()
    at = len(words)
    while at > 1 and _are_prefixes(words[at - 1]):
        at -= 1
    return " ".join([*words[at:], *words[:at]])


def _small(text: str) -> str:
    """A name that is all in capitals or all in small letters, as it is written; initials stay."""
    longest = max((len(piece) for piece in _PIECES.findall(text)), default=0)
    if longest < 3 or not (text.isupper() or text.islower()):
        return _small_words(text) if longest >= 3 else text
    return " ".join(_word(word) for word in text.split())


def _small_words(text: str) -> str:
    """Only the words in capitals among others, such as Klaas PIETERSEN."""
    words = text.split()
    return " ".join(
        _word(word) if at and word.isupper() and len(word) >= 3 and "." not in word else word
        for at, word in enumerate(words)
    )


def _word(word: str) -> str:
    """One word of a name, with a capital for each part that is no prefix."""
    if "." in word and word.casefold() not in PREFIXES:
        return word
    return "-".join(_part(part) for part in word.split("-"))


def _part(part: str) -> str:
    small = part.casefold()
    if small.replace("’", "'") in PREFIXES:
        return small
    if small.startswith("ij"):
        return f"IJ{small[2:]}"
    return _PIECES.sub(_capital, small)


def _capital(match: re.Match[str]) -> str:
    pieces = re.split("(['’])", match[0])
    if len(pieces) > 1 and len(pieces[0]) == 1:
        return "".join(piece[:1].upper() + piece[1:] for piece in pieces)
    return match[0][:1].upper() + match[0][1:]
