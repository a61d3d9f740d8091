"""Likely duplicates by similar names, and the people behind merged guests."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, TypeVar

from clubs.models import Member, MemberMerge
from clubs.text.names import PREFIXES, sort_key

T = TypeVar("T")
_SHORTEST = 6
"""The least length at which names that differ by one letter count as similar."""
_SHORT_PREFIXES = PREFIXES | {"v", "d", "t", "s", "l"}


class Duplicates(Generic[T]):
    """An index of people that finds similar spellings of their names.

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
        """The people this name may mean, in their original order."""
        words = _words(name)
        keys = _keys(words) | {_initial_key(words, shelved=False)}
        places = {place for key in keys for place in self._by_key.get(key, ())}
        return [self._people[place] for place in sorted(places)]


def _keys(words: list[str]) -> set[str]:
    """Keys of which two similar names share at least one: the same words in any order, the same
    first name with part of a double surname, or all letters but one."""
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


# Members by the ids they had as guests.


def people_today(ids: Iterable[int]) -> dict[int, Member]:
    """These people by id, merged guests as the member they became; without deleted people."""
    wanted = set(ids)
    members: dict[int, Member] = Member.objects.in_bulk(wanted)
    return members | _as_members(wanted - members.keys())


def ids_today(ids: Iterable[int]) -> dict[int, int]:
    """The current ids of those of these people who were merged into a member."""
    return {then: member.pk for then, member in _as_members(set(ids)).items()}


def first_lots(ids: Iterable[int]) -> dict[int, str]:
    """The seed of lots for those of these people who came from another server."""
    moved = Member.objects.filter(pk__in=set(ids), first_id__isnull=False)
    return {pk: str(first) for pk, first in moved.values_list("pk", "first_id")}


def ids_before(member: Member) -> set[int]:
    """The ids of the guests that were merged into this person."""
    merges = MemberMerge.objects.filter(undone_at=None, member=member)
    return set(merges.values_list("guest__id", flat=True))


def _as_members(ids: set[int]) -> dict[int, Member]:
    if not ids:
        return {}
    merges = MemberMerge.objects.filter(undone_at=None, guest__id__in=ids)
    return {merge.guest["id"]: merge.member for merge in merges.select_related("member")}
