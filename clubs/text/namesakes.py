"""What tells people of one name apart on every list; pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from clubs.text.names import name_key, without_brackets

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
