"""The forms of check-in, and those in which two people are named."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.http.pages import ExplainedRadios
from clubs.models import Member
from clubs.text.names import name_key
from clubs.text.numbers import whole_number
from tournaments.models import Competitor, CoupleRule, Evening, Registration
from tournaments.registration.pairs import MOST_NUMBER, FixedPair

DATALIST = "people"
HINTS = {
    str(CoupleRule.Kind.FIXED): _("When both are here they are partners in each round."),
    str(CoupleRule.Kind.APART): _("They are never partners and never opponents."),
}


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

    def offer(self, people: Sequence[Member]) -> None:
        """Have the page offer only these, of a club that is too large for a list."""
        who: Any = self.fields["who"]
        names = [(member.pk, member.desk_name) for member in people]
        who.choices = [("", who.empty_label), *names]
        who.help_text = _("If the name is not there, find it above first.")


class PersonField(forms.CharField):
    """One of `people` by name or number, with a list to choose from. Cleans to the Member. The
    page must have a datalist of the form's `labels`."""

    def __init__(self, people: Mapping[str, Member], **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"list": DATALIST, "autocomplete": "off"})
        super().__init__(max_length=110, widget=widget, **kwargs)
        self.people = people

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        if not typed:
            return None
        member = self.people.get(name_key(typed))
        if member is None:
            raise forms.ValidationError(
                _("“%(typed)s” is not on the list. Choose a name from it."),
                params={"typed": typed},
            )
        return member


class TwoPeopleForm(forms.Form):
    """Two different people from a list."""

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.labels = labels(people)
        known = {str(member.number): member for member in people if member.number}
        known |= {name_key(label): member for label, member in self.labels.items()}
        self.fields["one"] = PersonField(known, label=_("The one"))
        self.fields["two"] = PersonField(known, label=_("The other"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("two"):
            self.add_error("two", _("Choose somebody other than the first."))
        return cleaned


class PairNumbersForm(forms.Form):
    """The number of each pair."""

    def __init__(self, *args: Any, pairs: Sequence[FixedPair], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairs = pairs
        for pair in pairs:
            self.fields[f"pair_{pair.number}"] = forms.IntegerField(
                label=" – ".join(member.desk_name for member in pair.people),
                initial=pair.number,
                min_value=1,
                max_value=MOST_NUMBER,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "short"}),
            )

    def numbers(self) -> dict[int, int]:
        """By old number the new one; the form must be valid."""
        return {pair.number: self.cleaned_data[f"pair_{pair.number}"] for pair in self.pairs}

    def refuse(self, faults: Mapping[int, str]) -> None:
        """Say what is wrong at each number."""
        for number, fault in faults.items():
            self.add_error(f"pair_{number}", fault)


class CoupleRuleForm(TwoPeopleForm):
    """Two people, and whether they are always or never together."""

    kind = forms.ChoiceField(
        label=_("What is agreed?"),
        choices=CoupleRule.Kind.choices,
        widget=ExplainedRadios(hints=HINTS),
    )
    field_order = ["one", "two", "kind"]

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, people=people, **kwargs)
        self.order_fields(self.field_order)


def labels(people: Sequence[Member]) -> dict[str, Member]:
    """Each person by their name, which nobody else of the club has."""
    return {member.desk_name: member for member in people}


def ticked(values: Collection[str]) -> set[int]:
    """The member ids sent by a list of check boxes, ignoring anything else."""
    return {number for value in values if (number := whole_number(value))}


def day_field(label: Any) -> forms.DateField:
    """A day that browsers help to choose."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget)


class CompetitorForm(TwoPeopleForm):
    """A new pair or team; more people of a team are added afterwards."""

    kind = forms.ChoiceField(
        label=_("What is it?"),
        choices=[
            (Competitor.Kind.PAIR, _("a fixed pair")),
            (Competitor.Kind.TEAM, _("a team")),
        ],
        widget=ExplainedRadios(
            hints={
                str(Competitor.Kind.PAIR): _("Two people with one line, whoever plays for them."),
                str(Competitor.Kind.TEAM): _("Four people or more, such as of a company."),
            }
        ),
        initial=Competitor.Kind.PAIR,
    )
    name = forms.CharField(
        label=_("Name"),
        help_text=_("Leave empty to call a pair after its people."),
        max_length=Competitor.LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ["kind", "name", "one", "two"]

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, people=people, **kwargs)
        self.order_fields(self.field_order)
        for field in ("one", "two"):
            self.fields[field].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("kind") == Competitor.Kind.PAIR:
            for field in ("one", "two"):
                if not cleaned.get(field) and not self.has_error(field):
                    self.add_error(field, _("A pair is two people. Choose a name from the list."))
        elif not cleaned.get("name"):
            self.add_error("name", _("Fill in what the team is called."))
        return cleaned


class CompetitorNameForm(forms.Form):
    """Another name of a pair or team."""

    name = forms.CharField(
        label=_("Name"),
        max_length=Competitor.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class JoinForm(forms.Form):
    """Somebody who joins a pair or team."""

    since = day_field(_("From which day?"))
    reserve = forms.BooleanField(
        label=_("As a reserve, who plays when one of the others does not"), required=False
    )
    field_order = ["person", "since", "reserve"]

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.labels = labels(people)
        known = {str(member.number): member for member in people if member.number}
        known |= {name_key(label): member for label, member in self.labels.items()}
        self.fields["person"] = PersonField(known, label=_("Who?"))
        self.order_fields(self.field_order)


class LeaveForm(forms.Form):
    """The last day of somebody in a pair or team."""

    until = day_field(_("Up to and including"))
