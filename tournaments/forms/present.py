"""Who is here, in three small forms: a guest, somebody who signs off, and the ticks."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from clubs.numbers import whole_number
from tournaments.models import Evening, Registration


class GuestForm(forms.Form):
    """A guest by name."""

    guest = forms.CharField(
        label=_("A guest walks in"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": ""}),
    )


class SignOffForm(forms.Form):
    """Somebody who does not come, with notice or without."""

    who = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who does not come"), empty_label=_("Choose a name")
    )
    absence = forms.ChoiceField(
        label=_("With notice?"),
        choices=Registration.Absence.choices,
        widget=forms.RadioSelect,
        initial=Registration.Absence.NOTICE,
    )

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(evening.club).active().by_surname()
        self.fields["who"].queryset = people  # type: ignore[attr-defined]


def ticked(values: Collection[str]) -> set[int]:
    """The members' ids among what a list of check boxes sent; anything else is left out."""
    return {number for value in values if (number := whole_number(value))}
