"""Finding a club's people by what stands in a file: a number, or a name."""

from functools import cached_property

from django.utils.translation import gettext as _

from clubs.models import Club, Member, MemberMerge
from clubs.text.names import name_key, tidy_name

Person = int | str
"""Somebody of the club by id, or the name of somebody whom the club does not know yet."""

LONGEST_NAME = 100


class People:
    """Everybody of one club, read once, and the new names that are asked for."""

    def __init__(self, club: Club) -> None:
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
        """Who has this number, or this name without regard to case and spaces. Nobody's name may be
        that of a guest who turned out to be a member.

        Somebody new comes back as their name, always in the spelling that was asked for first.
        Raises LookupError with a sentence when there is no name, it is too long, several people
        have it, or nobody has the number.
        """
        name = tidy_name(text)
        if not name:
            raise LookupError(_("the player is missing"))
        is_number = name.isascii() and name.isdecimal()
        if is_number and (found := self._by_number.get(name.lstrip("0"))):
            return found
        named = self._by_name.get(name_key(name)) or self._once_called(name_key(name))
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

    def _once_called(self, key: str) -> list[int]:
        """The members who had this name as a guest."""
        return self._members_by_old_name.get(key, [])

    @cached_property
    def _members_by_old_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for name, member_id in self._merges.values_list("guest__name", "member_id"):
            found.setdefault(name_key(name), []).append(member_id)
        return {key: list(dict.fromkeys(ids)) for key, ids in found.items()}

    def called(self, person: Person) -> str:
        """What to write so that `find` gives this person back: the name, or else the number."""
        if isinstance(person, str):
            return person
        member = self._members[person]
        shared = len(self._by_name[name_key(member.name)]) > 1
        needs_number = shared or (member.name.isascii() and member.name.isdecimal())
        return str(member.number) if needs_number and member.number else member.name
