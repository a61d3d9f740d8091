"""What a director does to a whole sheet, as forms."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, StepValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Member
from clubs.text.numbers import seat_name, side_name
from scoring.rules import SIDES
from scoring.sheets.side_totals import HandedIn, TotalsRefused
from tournaments.evenings.desk_pages import ReasonForm
from tournaments.models import Placement, Table

HIGHEST = MaxValueValidator(99_999)
TOTAL_PARTS = ("points", "roem", "pits", "correction")
IN_TENS = StepValueValidator(10, message=gettext_lazy("Roem ends in a zero."))


class MoveSheetForm(ReasonForm):
    """The table of the round that the sheet belongs to."""

    to = forms.ModelChoiceField(
        Table.objects.none(),
        label=gettext_lazy("This sheet belongs to"),
        empty_label=gettext_lazy("Choose a table"),
    )
    field_order = ["to", "reason"]

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        alike = Table.objects.filter(sheet__three_handed=table.sheet.three_handed)
        others = alike.filter(round=table.round).exclude(pk=table.pk)
        field = self.fields["to"]
        field.queryset = others.select_related("sheet")  # type: ignore[attr-defined]
        field.label_from_instance = lambda other: (  # type: ignore[attr-defined]
            _("Table %(n)s") % {"n": other.number}
        )


class SubstituteForm(forms.Form):
    """Who takes over a seat, from which deal, and who gets those points."""

    seat = forms.ChoiceField(label=gettext_lazy("Who stops?"), widget=forms.RadioSelect)
    who = forms.ModelChoiceField(
        Member.objects.none(),
        label=gettext_lazy("Who takes over?"),
        required=False,
        empty_label=gettext_lazy("Choose a name"),
    )
    guest = forms.CharField(
        label=gettext_lazy("Or a guest by name"), max_length=100, required=False
    )
    from_deal = forms.IntegerField(label=gettext_lazy("From which deal?"), min_value=1)
    for_himself = forms.ChoiceField(
        label=gettext_lazy("Who gets the points from there on?"),
        choices=[
            ("1", gettext_lazy("For the substitute")),
            ("0", gettext_lazy("For the person who stops")),
        ],
        widget=forms.RadioSelect,
        initial="1",
    )

    def __init__(self, *args: Any, table: Table, names: Mapping[Any, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seat"].choices = [  # type: ignore[attr-defined]
            (seat, f"{names[seat]} ({seat_name(seat)})") for seat in table.sheet.people
        ]
        self._offer_people(table)
        last = MaxValueValidator(table.sheet.deals_planned)
        self.fields["from_deal"].validators.append(last)
        self.fields["from_deal"].widget.attrs |= {"inputmode": "numeric"}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [bool(cleaned.get("who")), bool(cleaned.get("guest", "").strip())]
        if "who" not in self.errors and sum(chosen) != 1:
            self.add_error("who", _("Choose a name, or write down a guest: one of the two."))
        return cleaned

    def _offer_people(self, table: Table) -> None:
        """Everybody who is not at this table; those who play elsewhere with their table."""
        playing = Placement.objects.filter(round=table.round, table__isnull=False)
        at = dict(playing.order_by("-table__number").values_list("member", "table__number"))
        people = Member.objects.of(table.sheet.club).active()
        field = self.fields["who"]
        field.queryset = people.exclude(placements__table=table).by_surname()  # type: ignore[attr-defined]
        field.label_from_instance = lambda member: (  # type: ignore[attr-defined]
            _("%(name)s (plays at table %(n)s)") % {"name": member.desk_name, "n": at[member.pk]}
            if member.pk in at
            else member.desk_name
        )


class TotalsForm(ReasonForm):
    """The totals that both sides hand in, or each of three people: one of `names` each. Needs a
    reason if it `corrects` a published result."""

    def __init__(
        self, *args: Any, names: Mapping[str, str], pit: str, corrects: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, required=corrects, **kwargs)
        self.names = names
        for side, people in names.items():
            holder = side_name(side).lower() if side in SIDES else people
            parts = {
                "points": _("Card points %(who)s"),
                "roem": _("Roem, %(who)s"),
                "pits": _("%(pit)s, %(who)s, how many"),
                "correction": _("Correction %(who)s"),
            }
            for part, label in parts.items():
                self.fields[f"{part}_{side.lower()}"] = _number(
                    label % {"who": holder, "pit": pit.capitalize()},
                    required=part != "correction",
                    least=None if part == "correction" else 0,
                    tens=part == "roem",
                )
        if not corrects:
            self.fields["reason"].label = _("Remark")
        self.order_fields([name for name in self.fields if name != "reason"])

    def sides(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Per side its people and its four figures."""
        return [
            (side, people, [self[f"{part}_{side.lower()}"] for part in TOTAL_PARTS])
            for side, people in self.names.items()
        ]

    def handed_in(self) -> dict[str, HandedIn]:
        """The figures of each side; the form must be valid."""
        return {
            side: HandedIn(
                **{part: self.cleaned_data[f"{part}_{side.lower()}"] or 0 for part in TOTAL_PARTS}
            )
            for side in self.names
        }

    def card_points(self) -> int | None:
        """The sum of all card points; None if any of them is not a number."""
        names = [f"points_{side.lower()}" for side in self.names]
        if not all(name in self.cleaned_data for name in names):
            return None
        points: int = sum(self.cleaned_data[name] for name in names)
        return points

    def add_refusal(self, refused: TotalsRefused) -> None:
        """Put every fault of the checksum where it belongs."""
        for side, sentence in refused.faults:
            self.add_error(f"points_{side.lower()}" if side else None, sentence)


def _number(
    label: str, *, required: bool, least: int | None, tens: bool = False
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=required,
        error_messages={"required": _("Type 0 where there is none.")},
        min_value=least,
        validators=[HIGHEST, IN_TENS] if tens else [HIGHEST],
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6, "autocomplete": "off"}),
    )
