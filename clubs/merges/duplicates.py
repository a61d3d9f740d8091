"""Names that are spelt otherwise and may be the same person's."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, TypeVar

from clubs.names import PREFIXES, sort_key

T = TypeVar("T")
_SHORTEST = 6
"""How long a name must be for one letter more, less or other not to make it another name."""
_SHORT_PREFIXES = PREFIXES | {"v", "d", "t", "s", "l"}


class Duplicates(Generic[T]):
    """People by name, to be found by a spelling that is nearly theirs.

    >>> known = Duplicates([("Jan Bakker", 1), ("Lies van den Berg", 2)])
    >>> [known.like(name) for name in ("J. Bakker", "Bakker, Jan", "Jan Baker", "Joop Bakker")]
    [[1], [1], [1], []]
    >>> known.like("Lies v.d. Berg")
    [2]
    """

    def __init__(self, people: Iterable[tuple[str, T]]) -> None:
        self._people: list[T] = []
        self._by_key: dict[str, list[int]] = defaultdict(list)
        for place, (name, person) in enumerate(people):
            words = _words(name)
            self._people.append(person)
            for key in _keys(words) | {_initial_key(words, shelved=True)}:
                self._by_key[key].append(place)

    def like(self, name: str) -> list[T]:
        """Who may be meant by this name, in the order in which they came."""
        words = _words(name)
        keys = _keys(words) | {_initial_key(words, shelved=False)}
        places = {place for key in keys for place in self._by_key.get(key, ())}
        return [self._people[place] for place in sorted(places)]


def _keys(words: list[str]) -> set[str]:
    """What two names have one of in common when they may be one person's: the same words in any
    order, the same first name with a part of a double surname, or all letters but one."""
    whole = " ".join(words)
    keys = {" ".join(sorted(words))}
    keys |= {" ".join(sorted((words[0], other))) for other in words[1:] if len(words[0]) > 1}
    if len(whole) >= _SHORTEST:
        initial = words[-1][0]
        keys |= {f"{initial}~{whole[:at]}{whole[at + 1 :]}" for at in range(len(whole))}
        keys.add(f"{initial}~{whole}")
    return keys


def _initial_key(words: list[str], *, shelved: bool) -> str:
    """The surname with an initial, so that a name with an initial finds the names written out and
    the other way round, and two names written out do not find each other."""
    is_initial = len(words[0]) == 1
    return f"{words[0][0]}. {words[-1]} {is_initial == shelved}"


def _words(name: str) -> list[str]:
    """The words of a name without accents, points and prefixes, the surname last."""
    before, comma, after = name.rpartition(",")
    turned = f"{after} {before}" if comma else name
    cleaned = "".join(char if char.isalnum() else " " for char in turned)
    first, *others = [sort_key(word) for word in cleaned.split()] or [""]
    return [first or "?", *(word for word in others if word and word not in _SHORT_PREFIXES)]
