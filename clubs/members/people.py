"""A club's people by number or name, for imports, and whose birthday it is."""

import datetime as dt
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Club, Member, MemberMerge
from clubs.text.names import name_key, tidy_name

Person = int | str
"""The id of somebody of the club, or the name of somebody new."""

LONGEST_NAME = 100


class People:
    """Everybody of one club, read once, and the new names in a file."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self._members = Member.objects.of(club).in_bulk()
        self._by_number: dict[str, int] = {}
        self._by_name: dict[str, list[int]] = {}
        self._new: dict[str, str] = {}
        self._merges = MemberMerge.objects.filter(club=club, undone_at=None)
        for member in self._members.values():
            if member.number is not None:
                self._by_number[str(member.number)] = member.pk
            self._by_name.setdefault(name_key(member.name), []).append(member.pk)

    def find(self, text: str) -> Person:
        """The person with this number or name, ignoring case and spaces. A name that nobody has may
        be the former name of a merged guest.

        Somebody new is returned as their name, always in the spelling that came first.
        Raises LookupError with a sentence when there is no name, it is too long, several people
        have it, or nobody has the number.
        """
        name = tidy_name(text)
        if not name:
            raise LookupError(_("the player is missing"))
        is_number = name.isascii() and name.isdecimal()
        if is_number and (member_id := self._by_number.get(name.lstrip("0"))):
            return member_id
        named = self._by_name.get(name_key(name)) or self._formerly_called(name_key(name))
        if len(named) > 1:
            message = _("more than one person is called '%(name)s': give the number")
            raise LookupError(message % {"name": name})
        if named:
            return named[0]
        if is_number:
            raise LookupError(_("nobody has number %(number)s") % {"number": name[:40]})
        if len(name) > LONGEST_NAME:
            raise LookupError(_("a name has at most %(n)s characters") % {"n": LONGEST_NAME})
        return self._new.setdefault(name_key(name), name)

    def _formerly_called(self, key: str) -> list[int]:
        """The members who had this name as a guest."""
        return self._members_by_old_name.get(key, [])

    @cached_property
    def _members_by_old_name(self) -> dict[str, list[int]]:
        by_name: dict[str, list[int]] = {}
        for name, member_id in self._merges.values_list("guest__name", "member_id"):
            by_name.setdefault(name_key(name), []).append(member_id)
        return {key: list(dict.fromkeys(ids)) for key, ids in by_name.items()}

    def called(self, person: Person) -> str:
        """A text for which `find` returns this person: the name, or else the number."""
        if isinstance(person, str):
            return person
        member = self._members[person]
        shared = len(self._by_name[name_key(member.name)]) > 1
        needs_number = shared or (member.name.isascii() and member.name.isdecimal())
        return str(member.number) if needs_number and member.number else member.name


DAYS = 7
"""How many days after today are looked at."""


class Birthday(NamedTuple):
    """Somebody's birthday; `day` is this year's."""

    name: str
    day: dt.date


def birthdays(club: Club, today: dt.date) -> list[Birthday]:
    """The birthdays of active people today and in the next week, in order. One query.

    Whoever was born on 29 February has theirs on 1 March of other years.
    """
    days = [today + dt.timedelta(days=ahead) for ahead in range(DAYS + 1)]
    day_of = {key: day for day in days for key in _keys(day)}
    wanted = Q()
    for month, number in day_of:
        wanted |= Q(birthday__month=month, birthday__day=number)
    people = club.members.active().filter(wanted).by_surname()
    found = [
        Birthday(person.desk_name, day_of[person.birthday.month, person.birthday.day])
        for person in people
        if person.birthday
    ]
    return sorted(found, key=lambda birthday: birthday.day)


def _keys(day: dt.date) -> list[tuple[int, int]]:
    """The months and days of birth that are kept on this day."""
    keys = [(day.month, day.day)]
    leap = (day - dt.timedelta(days=1)).day == 29
    if keys == [(3, 1)] and not leap:
        keys.append((2, 29))
    return keys
