"""Names as lists have them, mended to how people write them: first name, prefix, surname."""

import re
from collections.abc import Sequence

from clubs.text.names import PREFIXES, tidy_name

_TITLES = r"(?:dhr|mevr|mvr|mw|mej|hr|mr|mrs|ms)\.?|de heer|heer|mevrouw|meneer"
_TITLE = re.compile(rf"^(?:{_TITLES})\s+(?=\S)", re.IGNORECASE)
_TITLE_ALONE = re.compile(_TITLES, re.IGNORECASE)
_TITLE_BEHIND = re.compile(
    r"(?<=\S)\s+\(?(?:(?:dhr|mevr|mvr|mw|mej)\.?|mevrouw|meneer)\)?$", re.IGNORECASE
)
_TWO_PEOPLE = re.compile(r"\s(?:&|\+|en|and|e/v)\s|[&/]|^(?:fam|familie|family)\b", re.IGNORECASE)
_SUFFIXES = frozenset(["jr.", "sr.", "jr", "sr"])
_DUTCH = frozenset("van de der den het 't te ten ter in op v.d. vd v.".split())
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
    prefix = prefix.casefold() if _are_prefixes(prefix) else prefix
    return name_mended(tidy_name(f"{first} {prefix} {surname}"))


def name_mended(name: str) -> str:
    """The name with the first name in front, without a title, and not in capitals only.

    >>> name_mended("PIETERSEN, Klaas"), name_mended("BERG, VAN DER, J.P.")
    ('Klaas Pietersen', 'J.P. van der Berg')
    >>> name_mended("Berg van der, Jan"), name_mended("van den Bos, Mia")
    ('Jan van der Berg', 'Mia van den Bos')
    >>> name_mended("Mevr. A. SMIT-DE VRIES"), name_mended("jan bos"), name_mended("Jan de Vries")
    ('A. Smit-de Vries', 'Jan Bos', 'Jan de Vries')
    >>> name_mended("Bos, Jan (jr.)"), name_mended("BOS, J. JR."), name_mended("Van der Wal, Mia")
    ('Jan (jr.) Bos', 'J. jr. Bos', 'Mia van der Wal')
    >>> name_mended("VAN DER BERG Jan"), name_mended("BOS J.P."), name_mended("JAN de Vries")
    ('Jan van der Berg', 'J.P. Bos', 'JAN de Vries')
    >>> name_mended("VRIES-TOL A.M. DE MEVR."), name_mended("BERG V.D. P."), name_mended("Bos, mw")
    ('A.M. de Vries-Tol', 'P. v.d. Berg', 'Bos')
    """
    first_part, *others = map(tidy_name, _TITLE_BEHIND.sub("", tidy_name(name)).split(","))
    parts = [first_part, *(part for part in others if not _TITLE_ALONE.fullmatch(part))]
    parts = [_TITLE.sub("", part) for part in parts if part]
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
    return tidy_name(f"{_small(_small_prefixes(first))} {_small(_prefix_first(surname))}")


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
    >>> are_surname_first(["BOS M", "TOL CJ", "BERG P VD"]), are_surname_first(["JAN BOS", "A WIT"])
    (True, False)
    """
    if _end_with_initials(names):
        return True
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


def _end_with_initials(names: Sequence[str]) -> bool:
    """Whether in these names, all in capitals, initials without points stand behind the surnames:
    some of one letter, and nowhere a longer word."""
    behind = [words[_surname_end(words) :] for name in names if (words := name.split())]
    first_names = [[word for word in words if not _are_prefixes(word)] for words in behind if words]
    letters = [word for words in first_names for word in words]
    return (
        len(first_names) * 2 > len(names)
        and all(map(str.isupper, names))
        and any(len(word) == 1 for word in letters)
        and all(word.isupper() and word.isalpha() and len(word) <= 3 for word in letters)
    )


def names_two_people(name: str) -> bool:
    """Whether a line seems to be about a couple.

    >>> [names_two_people(name) for name in ("Jan en Mia Bos", "Fam. Bos", "Ben Anders")]
    [True, True, False]
    """
    return bool(_TWO_PEOPLE.search(name))


def seems_a_remark(name: str) -> bool:
    """Whether this is a sentence rather than a name: a word in small letters goes on to others.

    >>> [seems_a_remark(name) for name in ("Wijzigingen doorgeven aan Riet Kok", "Jan van der bos")]
    [True, False]
    """
    words = name.split()
    small = [at for at, word in enumerate(words[:-1]) if word.isalpha() and word.islower()]
    return len(words) > 3 and any(
        not _are_prefixes(words[at]) and any(word[0].isupper() for word in words[at + 1 :])
        for at in small
    )


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
    if first and _are_prefixes(first[0]) and _are_initials(first[1:]):
        surname, first = [*surname, first[0]], first[1:]
    is_turned = (
        any(len(word) > 2 for word in surname)
        and first
        and not _are_prefixes(first[0])
        and (not any(map(str.isupper, first)) or _are_initials(first))
        and not any(word.startswith("(") for word in first)
    )
    return [" ".join(surname), " ".join(first)] if is_turned else [name]


def _are_initials(words: Sequence[str]) -> bool:
    """Whether these are initials with points, perhaps with a prefix of the surname behind them."""
    initials = [word for word in words if not _are_prefixes(word)]
    return bool(initials) and words[0] == initials[0] and all("." in word for word in initials)


def _small_prefixes(first: str) -> str:
    """A first name with the prefix of the surname behind it, that in small letters."""
    words = first.split()
    at = len(words)
    while at > 1 and _are_prefixes(words[at - 1]):
        at -= 1
    return " ".join([*words[:at], *map(str.casefold, words[at:])])


def _prefix_first(surname: str) -> str:
    """Turns "Berg van der" into "van der Berg", and "De Boer" into "de Boer"."""
    words = surname.split()
    at = len(words)
    while at > 1 and _are_prefixes(words[at - 1]):
        at -= 1
    words = [*words[at:], *words[:at]]
    for place, word in enumerate(words[:-1]):
        if word.casefold().replace("’", "'") not in _DUTCH:
            break
        words[place] = word.casefold()
    return " ".join(words)


def _small(text: str) -> str:
    """A name that is all in capitals or all in small letters, as it is written; initials stay."""
    longest = max((len(piece) for piece in _PIECES.findall(text)), default=0)
    if longest < 3 or not (text.isupper() or text.islower()):
        return _small_words(text)
    return " ".join(_word(word) for word in text.split())


def _small_words(text: str) -> str:
    """Only the words in capitals among others, such as Klaas PIETERSEN."""
    words = text.split()
    return " ".join(
        _word(word) if at and word.isupper() and _is_whole(word) else word
        for at, word in enumerate(words)
    )


def _is_whole(word: str) -> bool:
    return (len(word) >= 3 and "." not in word) or word.casefold() in _SUFFIXES


def _word(word: str) -> str:
    """One word of a name, with a capital for each part that is no prefix."""
    if word.casefold() in _SUFFIXES:
        return word.casefold()
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
