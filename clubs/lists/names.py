"""Names as lists have them, mended to how people write them: first name, prefix, surname."""

import re
from collections.abc import Sequence

from clubs.text.names import PREFIXES, tidy_name

_TITLE = re.compile(
    r"^(?:(?:dhr|mevr|mw|hr|mr|mrs|ms)\.?|de heer|heer|mevrouw|meneer)\s+(?=\S)", re.IGNORECASE
)
_TWO_PEOPLE = re.compile(r"\s(?:&|\+|en|and|e/v)\s|[&/]|^(?:fam|familie|family)\b", re.IGNORECASE)
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
    >>> name_mended("VAN DER BERG Jan"), name_mended("BOS J.P."), name_mended("JAN de Vries")
    ('Jan van der Berg', 'J.P. Bos', 'JAN de Vries')
    """
    parts = [_TITLE.sub("", part) for part in map(tidy_name, name.split(",")) if part]
    if len(parts) == 3 and _are_prefixes(parts[1]):
        parts = [f"{parts[1]} {parts[0]}", parts[2]]
    if len(parts) == 3 and _are_prefixes(parts[2]):
        parts = [f"{parts[2]} {parts[0]}", parts[1]]
    if len(parts) == 1:
        parts = _capitals_apart(parts[0])
    if len(parts) != 2:
        return tidy_name(_small(", ".join(parts)))
    surname, first = parts
    if _are_prefixes(first):
        return tidy_name(_small(f"{first} {surname}"))
    return tidy_name(f"{_small(first)} {_small(_prefix_first(surname))}")


def name_turned(name: str) -> str:
    """The name with the first name in front, of one that has the surname first without a comma.

    >>> name_turned("VAN DER BERG JAN"), name_turned("Bos Jan Willem"), name_turned("Bos van Mia")
    ('Jan van der Berg', 'Jan Willem Bos', 'Mia van Bos')
    >>> name_turned("JANSEN VAN DIJK ANNA"), name_turned("Smit-de Vries Mia"), name_turned("Bos")
    ('Anna Jansen van Dijk', 'Mia Smit-de Vries', 'Bos')
    """
    words = _TITLE.sub("", tidy_name(name)).split()
    end = _surname_end(words)
    if "," in name or end >= len(words):
        return name_mended(name)
    return name_mended(f"{' '.join(words[:end])}, {' '.join(words[end:])}")


def are_surname_first(names: Sequence[str]) -> bool:
    """Whether these names seem to have the surname first without a comma: some begin with a prefix,
    and none has one further on.

    >>> are_surname_first(["BOS MIA", "VAN DER BERG JAN"]), are_surname_first(["Van Anh Bos"])
    (True, False)
    >>> are_surname_first(["VAN DER BERG JAN", "MIA DE VRIES"]), are_surname_first(["DE WIT Jan"])
    (False, False)
    """
    whole = [name for name in names if "," not in name and len(_capitals_apart(name)) == 1]
    plain = [words for name in whole if len(words := name.split()) > 1]
    first = [
        words for words in plain if _are_prefixes(words[0]) and _surname_end(words) < len(words)
    ]
    inside = [
        words for words in plain if not _are_prefixes(words[0]) and any(map(_are_prefixes, words))
    ]
    is_sure = len(first) > 1 or all(word.isupper() for words in plain for word in words)
    return bool(first) and is_sure and not inside


def names_two_people(name: str) -> bool:
    """Whether a line seems to be about a couple.

    >>> [names_two_people(name) for name in ("Jan en Mia Bos", "Fam. Bos", "Ben Anders")]
    [True, True, False]
    """
    return bool(_TWO_PEOPLE.search(name))


def two_names(name: str) -> tuple[str, str] | None:
    """The names of a couple on one line, who share the surname where one is missing; or None.

    >>> two_names("Jan en Mia van der Bos"), two_names("Jan Bos & Mia Kok"), two_names("Fam. Bos")
    (('Jan van der Bos', 'Mia van der Bos'), ('Jan Bos', 'Mia Kok'), None)
    """
    parts = [part.split() for part in _TWO_PEOPLE.split(name)]
    if len(parts) != 2 or not parts[0] or len(parts[1]) < 2:
        return None
    first, second = parts
    return " ".join(first if len(first) > 1 else first + second[1:]), " ".join(second)


def _are_prefixes(text: str) -> bool:
    words = text.casefold().replace("’", "'").split()
    return bool(words) and all(word in PREFIXES for word in words)


def _surname_end(words: Sequence[str]) -> int:
    """How many words of a name that begins with the surname are the surname."""
    end = 0
    while end < len(words) and _are_prefixes(words[end]):
        end += 1
    end += 1
    while end < len(words) and _are_prefixes(words[end - 1].rpartition("-")[2]):
        end += 1
    behind = end
    while behind < len(words) and _are_prefixes(words[behind]):
        behind += 1
    if behind > end:
        # "Berg van der Jan", or a double name such as "Jansen van Dijk Anna".
        end = behind if behind == len(words) - 1 else behind + 1
    return end


def _capitals_apart(name: str) -> list[str]:
    """A name such as BERG Jan or BOS J.P. as surname and first name; else the name alone."""
    words = name.split()
    end = 0
    while end < len(words) and words[end].isupper() and "." not in words[end]:
        end += 1
    surname, first = words[:end], words[end:]
    is_turned = (
        any(len(word) > 2 for word in surname)
        and first
        and not _are_prefixes(first[0])
        and (not any(map(str.isupper, first)) or all("." in word for word in first))
        and not any(word.startswith("(") for word in first)
    )
    return [" ".join(surname), " ".join(first)] if is_turned else [name]


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
