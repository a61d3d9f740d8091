"""What everybody puts in, as a form; and what one person put in who paid something else."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from clubs.money import MoneyField
from tournaments.models import Evening, Stakes


class StakesForm(forms.Form):
    """The stake of a member and of a guest."""

    stake_member = MoneyField(label=_("A member puts in"), required=False)
    stake_guest = MoneyField(
        label=_("A guest puts in"),
        help_text=_("Leave empty where nothing is asked."),
        required=False,
    )

    def stakes(self) -> Stakes:
        """What was filled in; the form must be valid."""
        return Stakes(**self.cleaned_data)


class OtherStakeForm(forms.Form):
    """Somebody who put in another sum than is asked."""

    who = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who"), empty_label=_("Choose a name")
    )
    paid = MoneyField(label=_("Puts in"), help_text=_("Write 0 for who plays free."))

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        listed = evening.registrations.filter(present=True).values("member")
        people = Member.objects.filter(pk__in=listed).by_surname()
        self.fields["who"].queryset = people  # type: ignore[attr-defined]
