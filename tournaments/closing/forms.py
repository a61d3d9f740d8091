"""What the director fills in at the end of an evening: a play-off, who was absent, corrections."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Member
from tournaments.closing.services import (
    MOST_POINTS,
)
from tournaments.evenings.pages import ReasonForm
from tournaments.models import (
    Competitor,
    PersonCorrection,
    Registration,
)
from tournaments.standings.queries import (
    StandingRow,
)


class PlayOffForm(ReasonForm):
    """The extra-deal score of each person who shares first place. Asks why if it `corrects` a
    published result."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        rows: Sequence[StandingRow],
        written: Mapping[int, int] | None = None,
        corrects: bool = False,
    ) -> None:
        super().__init__(data)
        self.rows = rows
        if not corrects:
            del self.fields["reason"]
        for row in rows:
            self.fields[_field(row)] = forms.IntegerField(
                label=row.name,
                min_value=-MOST_POINTS,
                max_value=MOST_POINTS,
                initial=(written or {}).get(row.member_id),
                error_messages={"required": _("Write what %(name)s scored.") % {"name": row.name}},
                widget=forms.TextInput(
                    attrs={"inputmode": "numeric", "size": 6, "autocomplete": "off"}
                ),
            )
        self.order_fields([name for name in self.fields if name != "reason"])

    @property
    def people(self) -> Iterator[forms.BoundField]:
        """The field of each person, in order of the standing."""
        return (self[_field(row)] for row in self.rows)

    @property
    def is_decided(self) -> bool:
        """Whether the extra deals were written and broke the tie."""
        return len({row.rank for row in self.rows}) > 1 and self.rows[1].rank > 1

    def scores(self) -> dict[int, int]:
        """Points by member's id; the form must be valid."""
        return {row.member_id: self.cleaned_data[_field(row)] for row in self.rows}


class AbsenceForm(forms.Form):
    """What became of each member who was neither present nor signed off."""

    IGNORED = "ignored"
    CHOICES = (
        (Registration.Absence.NONE, gettext_lazy("stayed away without notice")),
        (Registration.Absence.NOTICE, gettext_lazy("signed off after all")),
        (IGNORED, gettext_lazy("does not matter")),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, members: Sequence[Member]) -> None:
        super().__init__(data)
        self.members = members
        for member in members:
            self.fields[_absence(member)] = forms.ChoiceField(
                label=member.desk_name,
                choices=self.CHOICES,
                initial=Registration.Absence.NONE,
            )

    def said(self) -> dict[int, str]:
        """The answers that were sent, by member's id; nothing for who is to be ignored."""
        self.full_clean()
        sent = {
            member.pk: self.cleaned_data[_absence(member)]
            for member in self.members
            if _absence(member) in self.cleaned_data
        }
        return {pk: "" if answer == self.IGNORED else answer for pk, answer in sent.items()}


def _absence(member: Member) -> str:
    return f"absence_{member.pk}"


class PersonCorrectionForm(forms.Form):
    """Whose points are corrected, by how many, and why."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=gettext_lazy("Who"), empty_label=gettext_lazy("Choose a name")
    )
    points = forms.IntegerField(
        label=gettext_lazy("How many points?"),
        help_text=gettext_lazy("With a minus sign to take them off: -100."),
        min_value=-PersonCorrection.MOST_POINTS,
        max_value=PersonCorrection.MOST_POINTS,
        widget=forms.TextInput(attrs={"size": 7, "autocomplete": "off"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        help_text=gettext_lazy("Everybody who looks at the standings can read this."),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Give the reason in a few words.")},
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(club).filter(erased_at=None).by_surname()
        self.fields["member"].queryset = people  # type: ignore[attr-defined]


class SeasonCorrectionForm(PersonCorrectionForm):
    """The same for a season, where it may also be a fixed pair or a team."""

    competitor = forms.ModelChoiceField(
        Competitor.objects.none(),
        label=gettext_lazy("Or which pair or team"),
        empty_label=gettext_lazy("Choose a pair or team"),
        required=False,
    )
    field_order = ["member", "competitor", "points", "reason"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        own = club.competitors.all()
        if own:
            self.fields["competitor"].queryset = own  # type: ignore[attr-defined]
            self.fields["member"].required = False
        else:
            del self.fields["competitor"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "competitor" not in self.fields or {"member", "competitor"} & self.errors.keys():
            return cleaned
        chosen = [cleaned.get(name) for name in ("member", "competitor") if cleaned.get(name)]
        if not chosen:
            self.add_error("member", _("Choose a person, or a pair or team."))
        elif len(chosen) > 1:
            self.add_error("competitor", _("Choose a person or a pair or team, not both."))
        return cleaned


def _field(row: StandingRow) -> str:
    return f"extra_{row.member_id}"
