"""Keeping what tells people of one name apart, as people come, change and go; and likely duplicates
by similar names."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

from django.db.models import F, Q
from django.dispatch import Signal

from clubs.models import Club, Member
from clubs.text.names import (
    PREFIXES,
    Named,
    initials,
    marks,
    named,
    sort_key,
    without_brackets,
)

member_changed = Signal()
"""Sent inside the transaction of a change with `member`, when a name that people read has
changed."""

_gathering: ContextVar[bool] = ContextVar("_gathering", default=False)


class _Row(NamedTuple):
    """The columns of a member that decide it."""

    pk: int
    name: str
    public_name: str
    public_as: str
    number: int | None
    addition: str
    town: str
    erased_at: dt.datetime | None
    mark: str
    public_mark: str


def namesakes_follow(club: Club, member: Member | None = None, *, is_new: bool = False) -> None:
    """Store what tells everybody of this club from others of their name.

    Call it in the transaction of a change, with the club locked. The `member` who was changed gets
    theirs too; the versions of others rise, and `member_changed` is sent for each of them. One
    query where nobody else changes; it reads few rows for somebody who `is_new`.
    """
    if _gathering.get() or (member is not None and is_new and not _shares_a_name(member)):
        return
    rows = _rows(club)
    own, public = marks([_in_club(row) for row in rows]), marks([_in_public(row) for row in rows])
    others = []
    for row in rows:
        wanted = {"mark": own.get(row.pk, ""), "public_mark": public.get(row.pk, "")}
        if wanted == {"mark": row.mark, "public_mark": row.public_mark}:
            continue
        stored = Member.objects.filter(pk=row.pk)
        if member is not None and row.pk == member.pk:
            stored.update(**wanted)
            member.mark, member.public_mark = wanted["mark"], wanted["public_mark"]
        else:
            stored.update(**wanted, version=F("version") + 1)
            others.append(row.pk)
    for other in Member.objects.filter(pk__in=others).order_by("pk") if others else ():
        member_changed.send(sender=Member, member=other)


@contextmanager
def namesakes_at_the_end(club: Club) -> Iterator[None]:
    """Inside this, people come and change without a look at the others; that is done once at the
    end, in the transaction of the caller. For lists of hundreds, and so that no change raises the
    version of somebody further on."""
    before = _gathering.set(True)
    try:
        yield
    finally:
        _gathering.reset(before)
    namesakes_follow(club)


def _shares_a_name(member: Member) -> bool:
    """Whether a name that somebody is read by may be read as that of somebody else of the club."""
    own = _bases(_Row(*(getattr(member, field) for field in _Row._fields)))
    # Other readings than their name have people with a public name, or with initials.
    alike = Q(name_key__in=own) | ~Q(public_name="") | Q(public_as=Member.PublicAs.INITIALS)
    for base in sorted(own):
        alike |= Q(name_key__startswith=f"{base} (")
    others = Member.objects.of(member.club).filter(alike).exclude(pk=member.pk).order_by()
    rows = others.values_list(*_Row._fields)
    return any(not own.isdisjoint(_bases(_Row(*values))) for values in rows)


def _bases(row: _Row) -> set[str]:
    readings = _in_club(row).readings | _in_public(row).readings
    return {without_brackets(reading) for reading in readings}


def _rows(club: Club) -> list[_Row]:
    people = Member.objects.of(club).order_by().values_list(*_Row._fields)
    return [_Row(*values) for values in people]


def _in_club(row: _Row) -> Named:
    """At the desk, at the table and on paper."""
    tellers = row.addition, row.town, row.number
    return named(row.pk, [row.name, row.public_name], tellers, fixed=row.erased_at is not None)


def _in_public(row: _Row) -> Named:
    """Nobody's town, and of people with initials only their number: an addition such as a street
    would say more of them than they agreed to."""
    if row.public_as == Member.PublicAs.HIDDEN:
        return named(row.pk, (), ())
    if row.public_as == Member.PublicAs.INITIALS:
        return named(row.pk, [initials(row.name)], [row.number])
    return named(
        row.pk,
        [row.public_name or row.name],
        [row.addition, row.number],
        fixed=row.erased_at is not None,
    )


# Similar names.


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
