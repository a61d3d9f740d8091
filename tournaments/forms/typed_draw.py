"""A draw done by hand, typed in table by table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.names import name_key
from clubs.words import seat_name

SEATS = ("N", "S", "E", "W")


class SeatField(forms.CharField):
    """A person by name or number; comes out as the Member, None when left empty."""

    def __init__(self, people: Mapping[str, Member], **kwargs: Any) -> None:
        super().__init__(required=False, max_length=110, **kwargs)
        self.people = people

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        if not typed:
            raise forms.ValidationError(_("Nobody sits here yet."))
        member = self.people.get(name_key(typed))
        if member is None:
            raise forms.ValidationError(
                _("“%(typed)s” is not ticked as present."), params={"typed": typed}
            )
        return member


class TypedDrawForm(forms.Form):
    """Four seats for each table that those who are here can fill; who is left over sits out."""

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        self.tables = range(1, len(people) // 4 + 1)
        self.labels = labels(people)
        known = _lookup(self.labels)
        for number in self.tables:
            for seat in SEATS:
                self.fields[_field(number, seat)] = SeatField(
                    known,
                    label=_("Table %(n)s %(seat)s") % {"n": number, "seat": seat_name(seat)},
                    widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        times = Counter(member.pk for member in cleaned.values())
        for name, member in list(cleaned.items()):
            if times[member.pk] > 1:
                self.add_error(name, _("%(name)s is placed twice.") % {"name": member.name})
        return cleaned

    def rows(self) -> list[tuple[int, list[tuple[str, forms.BoundField]]]]:
        """Per table its number and four seats with their fields, partners beside each other."""
        return [
            (number, [(seat, self[_field(number, seat)]) for seat in SEATS])
            for number in self.tables
        ]

    def seatings(self) -> list[dict[str, Member]]:
        """Who sits where, table by table."""
        return [
            {seat: self.cleaned_data[_field(number, seat)] for seat in SEATS}
            for number in self.tables
        ]

    def left_over(self) -> list[Member]:
        """Those who are here and have no seat."""
        seated = {member.pk for member in self.cleaned_data.values()}
        return [member for member in self.people if member.pk not in seated]


def labels(people: Sequence[Member]) -> dict[str, Member]:
    """Each person under his name, with a number where two share it."""
    names = Counter(name_key(member.name) for member in people)
    return {
        f"{member.name} ({member.number or member.pk})"
        if names[name_key(member.name)] > 1
        else member.name: member
        for member in people
    }


def typed_initial(
    seatings: Mapping[tuple[int, str], Member], people: Sequence[Member]
) -> dict[str, str]:
    """The form for `people`, filled with who sits at (table, seat)."""
    label_of = {member: label for label, member in labels(people).items()}
    return {
        _field(number, seat): label_of.get(member, member.name)
        for (number, seat), member in seatings.items()
    }


def _lookup(people: Mapping[str, Member]) -> dict[str, Member]:
    known = {name_key(label): member for label, member in people.items()}
    numbered = {str(member.number): member for member in people.values() if member.number}
    return {**numbered, **known}


def _field(number: int, seat: str) -> str:
    return f"table_{number}_{seat}"
