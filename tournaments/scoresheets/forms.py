"""What a director does to a whole sheet, as forms; and the totals under the lines of a paper
sheet."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.numbers import side_name
from scoring.deals.totals import side_score
from scoring.display.sheet_view import SheetView
from scoring.display.words import pit_word
from scoring.models import Scoresheet
from scoring.paper_check.services import PaperTotals
from scoring.rules import SIDES, side_of
from scoring.sheets.side_totals import (
    HandedIn,
    TotalsRefused,
    match_play_off_write,
    side_totals_write,
    totals_doubts,
    totals_faults,
    totals_sum_fault,
)
from tournaments.evenings.pages import ReasonForm
from tournaments.models import Evening, Placement, Table

HIGHEST = MaxValueValidator(99_999)
OUT_OF_REACH = {
    "min_value": gettext_lazy("Type %(limit_value)s or more."),
    "max_value": gettext_lazy("Type %(limit_value)s or less."),
}
TOTAL_PARTS = ("total", "points", "roem", "pits", "correction")


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
    stays = forms.BooleanField(
        label=gettext_lazy("Also plays the rounds after this one"), required=False
    )

    def __init__(self, *args: Any, table: Table, names: Mapping[Any, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        evening = table.round.evening
        is_last = table.round.number >= evening.rounds_planned
        if is_last or evening.method == Evening.Method.PAIRS:
            del self.fields["stays"]
        elif evening.method == Evening.Method.ROTATION:
            self.fields["stays"].help_text = _("Not needed while this table stays together.")
        else:
            self.fields["stays"].help_text = _(
                "Otherwise the substitute goes home after this round."
            )
        self.fields["seat"].choices = [  # type: ignore[attr-defined]
            (seat, names[seat])
            if table.sheet.three_handed
            else (seat, f"{names[seat]} ({side_name(side_of(seat))})")
            for seat in table.sheet.people
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
    """What both sides hand in, or each of three people: one of `names` each. Of each the total,
    roem and pits included, or what it is made of, or both. Needs a reason if it `corrects` a
    published result. Unlikely totals are taken once somebody is `sure` of them.
    """

    sure = forms.BooleanField(label=gettext_lazy("Yes, these totals are right"), required=False)

    def __init__(
        self, *args: Any, names: Mapping[str, str], pit: str, corrects: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, required=corrects, **kwargs)
        self.names, self.called = names, called_by(names)
        self.doubts: list[str] = []
        for side, people in names.items():
            holder = side_name(self.called[side]).lower() if side in SIDES else people
            parts = {
                "total": _("Total %(who)s"),
                "points": _("Card points %(who)s"),
                "roem": _("Roem, %(who)s"),
                "pits": _("%(pit)s, %(who)s, how many"),
                "correction": _("Correction %(who)s"),
            }
            for part, label in parts.items():
                self.fields[f"{part}_{side.lower()}"] = _number(
                    label % {"who": holder, "pit": pit.capitalize()},
                    least=None if part == "correction" else 0,
                )
            # Whoever says what it is made of need not add it up.
            is_told = bool(self.data.get(f"points_{side.lower()}"))
            self.fields[f"total_{side.lower()}"].required = not is_told
        if not corrects:
            self.fields["reason"].label = _("Remark")
        self.order_fields([name for name in self.fields if name != "reason"])

    def sides(self) -> list[tuple[str, str, forms.BoundField, list[forms.BoundField]]]:
        """Per side its people, its total and what that is made of."""
        return [
            (
                self.called[side],
                people,
                self[f"total_{side.lower()}"],
                [self[f"{part}_{side.lower()}"] for part in TOTAL_PARTS[1:]],
            )
            for side, people in self.names.items()
        ]

    @property
    def is_split(self) -> bool:
        """Whether anything but totals was filled in, or is wrong."""
        return any(
            bound.errors or bound.value() not in (None, "", 0)
            for _side, _people, _total, parts in self.sides()
            for bound in parts
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for side in self.names:
            total, *parts = (f"{part}_{side.lower()}" for part in TOTAL_PARTS[:-1])
            if total in self.errors or cleaned.get(total) is not None:
                continue
            for part in parts:
                if part not in self.errors and cleaned.get(part) is None:
                    self.add_error(part, _("Type the total, or type 0 where there is none."))
        return cleaned

    def handed_in(self) -> dict[str, HandedIn]:
        """The figures of each side, as far as they are numbers."""
        return {
            side: HandedIn(
                **{
                    part: self.cleaned_data.get(f"{part}_{side.lower()}")
                    for part in TOTAL_PARTS[:-1]
                },
                correction=self.cleaned_data.get(f"correction_{side.lower()}") or 0,
            )
            for side in self.names
        }

    def add_refusal(self, refused: TotalsRefused) -> None:
        """Put every fault of the checksum where it belongs."""
        for side, sentence in refused.faults:
            part = "points" if self.cleaned_data.get(f"total_{side.lower()}") is None else "total"
            self.add_error(f"{part}_{side.lower()}" if side else None, sentence)


def _number(label: str, *, least: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        error_messages={"required": _("Type the total."), **OUT_OF_REACH},
        min_value=least,
        validators=[HIGHEST],
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6, "autocomplete": "off"}),
    )


def hand_in(
    form: TotalsForm, sheet: Scoresheet, *, actor: Actor, seen_version: int | None = None
) -> bool:
    """Write what the form says as the totals of the sheet. If they are refused, or unlikely and
    nobody said to be sure, or somebody wrote others since version `seen_version` of the sheet, the
    form says why."""
    if not form.is_valid():
        # A wrong sum shows together with the other faults.
        rows = {side: handed_in.row(side) for side, handed_in in form.handed_in().items()}
        is_told = all(row.total is not None or row.points is not None for row in rows.values())
        if is_told and (wrong := totals_sum_fault(sheet, rows)):
            form.add_error(None, wrong)
        return False
    totals = form.handed_in()
    try:
        if not totals_faults(sheet, totals) and not form.cleaned_data["sure"]:
            rows = {side: handed_in.row(side) for side, handed_in in totals.items()}
            form.doubts = totals_doubts(sheet, rows)
            if form.doubts:
                return False
        side_totals_write(
            sheet_id=sheet.pk,
            totals=totals,
            reason=form.given,
            actor=actor,
            seen_version=seen_version,
        )
    except TotalsRefused as refused:
        form.add_refusal(refused)
        return False
    except DomainError as error:
        form.add_error(None, ValidationError(error.message, code=error.code))
        return False
    return True


def totals_initial(view: SheetView) -> dict[str, int | None]:
    """The totals on the sheet as the form shows them."""
    bonus = view.sheet.regulation.rules.pit_bonus
    return {
        f"{part}_{side.lower()}": side_score(row, bonus) - row.correction
        if part == "total"
        else getattr(row, part)
        for side, row in view.handed_in.items()
        for part in TOTAL_PARTS
    }


def total_names(view: SheetView) -> dict[str, str]:
    """The names beside each total: the couple of each side, *we* first, or each of three people."""
    names, sheet = view.names(view.sheet.deals_planned), view.sheet
    sides = sheet.signatories if sheet.three_handed else sheet.columns
    return {
        side: " – ".join(names[seat] for seat in side if names[seat])  # type: ignore[index]
        for side in sides
    }


def called_by(names: Mapping[str, str]) -> dict[str, str]:
    """By side, the side as which the reader knows it: the first of `names` is *we*."""
    return {side: SIDES[place] if side in SIDES else side for place, side in enumerate(names)}


class PlayOffForm(ReasonForm):
    """What each side made in four more deals, after a match that ended equal. Asks why if it
    `corrects` a published result."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        view: SheetView,
        corrects: bool = False,
    ) -> None:
        super().__init__(data)
        if not corrects:
            del self.fields["reason"]
        self.names = total_names(view)
        self.called = called_by(self.names)
        written = view.sheet.play_off or {}
        for side in self.names:
            label = _("Total %(who)s") % {"who": side_name(self.called[side]).lower()}
            field = self.fields[f"total_{side.lower()}"] = _number(label, least=0)
            field.required, field.initial = True, written.get(side)
        self.order_fields([name for name in self.fields if name != "reason"])

    def sides(self) -> list[tuple[str, str, forms.BoundField]]:
        """Per side its people and its total."""
        return [
            (self.called[side], people, self[f"total_{side.lower()}"])
            for side, people in self.names.items()
        ]

    def save(self, sheet: Scoresheet, *, actor: Actor) -> bool:
        """Write it on the sheet. If that is refused, the form says why."""
        if not self.is_valid():
            return False
        totals: dict[str, int] = {
            side: self.cleaned_data[f"total_{side.lower()}"] for side in SIDES
        }
        try:
            match_play_off_write(
                sheet_id=sheet.pk,
                totals=totals,
                actor=actor,
                reason=self.cleaned_data.get("reason", ""),
            )
        except TotalsRefused as refused:
            for side, sentence in refused.faults:
                self.add_error(f"total_{side.lower()}" if side else None, sentence)
            return False
        except DomainError as error:
            self.add_error(None, error.message)
            return False
        return True


MOST_ON_PAPER: Final = 99_999


class PaperCheckForm(forms.Form):
    """The totals of a paper sheet: points, roem and pits of each side, or the total of each of
    three people. A blank field is not compared."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, view: SheetView) -> None:
        self.view = view
        typed = {row.side: row for row in view.sheet.control_totals.all()}
        self.parts = ("total",) if view.sheet.three_handed else ("points", "roem", "pits")
        initial = {
            f"{part}_{side.lower()}": getattr(row, part)
            for side, row in typed.items()
            for part in self.parts
        }
        super().__init__(data, initial=initial, prefix="control")
        for name, label in self._labels().items():
            self.fields[name] = _paper_number(label, least=None if name.startswith("total") else 0)

    def on_paper(self) -> dict[str, PaperTotals]:
        """What was typed, by side or seat; the form must be valid."""
        return {
            side: PaperTotals(
                **{part: self.cleaned_data[f"{part}_{side.lower()}"] for part in self.parts}
            )
            for side in self.view.sheet.signatories
        }

    def _labels(self) -> dict[str, str]:
        pit = pit_word(self.view.sheet.club).capitalize()
        words = {
            "points": _("Points, %(who)s"),
            "roem": _("Roem, %(who)s"),
            "pits": _("%(pit)s, %(who)s, how many"),
            "total": _("Total of %(who)s"),
        }
        names = self.view.names(self.view.sheet.deals_planned)
        called = {
            signatory: side_name(signatory).lower() if signatory in SIDES else names[signatory]  # type: ignore[index]
            for signatory in self.view.sheet.signatories
        }
        return {
            f"{part}_{signatory.lower()}": words[part] % {"who": name, "pit": pit}
            for signatory, name in called.items()
            for part in self.parts
        }


def _paper_number(label: str, least: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        validators=[MaxValueValidator(MOST_ON_PAPER)],
        min_value=least,
        error_messages=OUT_OF_REACH,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 5}),
    )
