"""Names of people: how they are compared and how the Dutch sort them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

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
    if name.isascii() and name.isprintable():  # most are, and a list of hundreds takes a while
        return " ".join(name.split())
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


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody of a club: the `readings` of their name (on lists, on public pages), and the
    `tellers` that could stand behind it, the best first. A `fixed` name never gets one."""

    id: int
    readings: frozenset[str]
    tellers: tuple[str, ...] = ()
    fixed: bool = False


def named(
    pk: int, names: Iterable[str], tellers: Iterable[str | int | None], *, fixed: bool = False
) -> Named:
    """Somebody whose name is read as each of these; empty names and tellers are left out."""
    words = (str(teller or "").translate(_NO_BRACKETS).strip() for teller in tellers)
    return Named(
        pk,
        frozenset(name_key(name) for name in names if name),
        tuple(word for word in words if word),
        fixed,
    )


_NO_BRACKETS = str.maketrans("", "", "()")


def with_mark(name: str, mark: str) -> str:
    """The name as lists show it.

    >>> with_mark("Jan de Vries", "Edam"), with_mark("Jan de Vries", "")
    ('Jan de Vries (Edam)', 'Jan de Vries')
    """
    return f"{name} ({mark})" if mark else name


def marks(people: Sequence[Named]) -> dict[int, str]:
    """What stands behind the name of everybody whose name somebody else has too, by id.

    The first teller that fits nobody else of that name, else a letter. With it no two people read
    alike, also where a name itself ends in brackets.

    >>> jan = "Jan de Vries"
    >>> marks([named(7, [jan], ["Edam", 2]), named(9, [jan], [24]), named(11, ["Mia Kok"], [1])])
    {7: 'Edam', 9: '24'}
    """
    marked: dict[int, str] = {}
    for group in _groups(people):
        marked |= _marks_of_group(group)
    return marked


def _marks_of_group(group: Sequence[Named]) -> dict[int, str]:
    readings = Counter(reading for person in group for reading in person.readings)
    tellers = Counter(key for person in group for key in set(map(name_key, person.tellers)))
    letters = _letters()
    marked: dict[int, str] = {}
    for person in sorted(group, key=lambda person: person.id):
        if person.fixed or all(readings[reading] < 2 for reading in person.readings):
            continue
        own = [teller for teller in person.tellers if tellers[name_key(teller)] == 1]
        free = [teller for teller in own if not _is_read(person, teller, readings)]
        marked[person.id] = (
            free[0]
            if free
            else next(
                letter
                for letter in letters
                if letter not in tellers and not _is_read(person, letter, readings)
            )
        )
    return marked


def _is_read(person: Named, mark: str, readings: Mapping[str, int]) -> bool:
    """Whether the name with this mark is what somebody is called without one."""
    return any(name_key(with_mark(reading, mark)) in readings for reading in person.readings)


def _letters() -> Iterator[str]:
    """a to z, then a2 to z2, and so on."""
    for turn in count(1):
        yield from (f"{letter}{turn if turn > 1 else ''}" for letter in LETTERS)


def _groups(people: Sequence[Named]) -> Iterable[list[Named]]:
    """People whose names could read alike, in groups of two or more."""
    by_name: dict[str, list[Named]] = defaultdict(list)
    for person in people:
        for base in {without_brackets(reading) for reading in person.readings}:
            by_name[base].append(person)
    shared = {base: group for base, group in by_name.items() if len(group) > 1}
    leader: dict[int, int] = {}

    def find(pk: int) -> int:
        while leader.setdefault(pk, pk) != pk:
            pk = leader[pk]
        return pk

    for first, *others in shared.values():
        for other in others:
            leader[find(other.id)] = find(first.id)
    groups: dict[int, dict[int, Named]] = defaultdict(dict)
    for group in shared.values():
        for person in group:
            groups[find(person.id)][person.id] = person
    return [list(group.values()) for group in groups.values()]


def is_sound(value: object) -> bool:
    """Whether every string in what was read as JSON can be stored in any database and encoded as
    UTF-8."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
                    return False
            case dict(below):
                waiting += [*below.keys(), *below.values()]
            case list(below):
                waiting += below
    return True
