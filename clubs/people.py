"""Finding a club's people by what stands in a file or is typed: a number, or a name."""

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.names import name_key


class People:
    """Everybody of one club, read once."""

    def __init__(self, club: Club) -> None:
        members = list(Member.objects.of(club).by_surname())
        self._by_number = {member.number: member for member in members if member.number}
        self._by_name: dict[str, list[Member]] = {}
        for member in members:
            self._by_name.setdefault(member.name_key, []).append(member)

    def find(self, text: str) -> Member | None:
        """Who has this number, or this name without regard to case and spaces; None when nobody.

        Raises LookupError with a sentence when several people have the name, or nobody the number.
        """
        if text.isascii() and text.isdecimal():
            if int(text) not in self._by_number:
                raise LookupError(_("nobody has number %(number)s") % {"number": text})
            return self._by_number[int(text)]
        found = self._by_name.get(name_key(text), [])
        if len(found) > 1:
            raise LookupError(
                _("more than one person is called '%(name)s': give the number") % {"name": text}
            )
        return found[0] if found else None

    def add(self, member: Member) -> None:
        """Know somebody who was added since."""
        self._by_name.setdefault(member.name_key, []).append(member)
