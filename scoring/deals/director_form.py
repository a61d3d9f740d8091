"""The form with which a director writes a deal: what the table has, and a correction."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.deals.forms import DealForm
from scoring.rules import SIDES


class DirectorDealForm(DealForm):
    """A deal with a correction for a side or for one player; also for a closed sheet."""

    asks_unproven = True

    correction_to = forms.ChoiceField(label=gettext_lazy("Correction for"), required=False)
    correction_points = forms.IntegerField(label=gettext_lazy("Points to add"), required=False)
    correction_reason = forms.CharField(
        label=gettext_lazy("Why this correction"), max_length=200, required=False
    )

    @property
    def shows_correction(self) -> bool:
        """Whether a correction is filled in, so that its fields are not folded away."""
        names = ("correction_to", "correction_points", "correction_reason")
        return any(self[name].value() or self[name].errors for name in names)

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        to, points = data.get("correction_to"), data.get("correction_points")
        if points and not to:
            self.add_error("correction_to", _("Say who gets the correction."))
        if to and points is None and "correction_points" not in self.errors:
            self.add_error("correction_points", _("Say how many points."))
        if to and not data.get("correction_reason", "").strip():
            self.add_error("correction_reason", _("Say why there is a correction."))

    def corrections(self) -> list[dict[str, object]]:
        data, others = self.cleaned_data, super().corrections()[1:]
        to = data["correction_to"]
        if not to:
            return others
        correction = {
            "side" if to in SIDES else "seat": to,
            "points": data["correction_points"],
            "reason": data["correction_reason"].strip(),
        }
        return [correction, *others]

    def _needs_reason(self) -> bool:
        return super()._needs_reason() or self.view.sheet.state == "closed"

    def _initial(self) -> dict[str, Any]:
        correction: dict[str, Any] = next(iter(self.before.get("corrections") or []), {})
        return super()._initial() | {
            "correction_to": correction.get("side") or correction.get("seat"),
            "correction_points": correction.get("points"),
            "correction_reason": correction.get("reason", ""),
        }

    def _choices(self) -> dict[str, list[tuple[str, Any]]]:
        names = self.view.short_names(self.number)
        people = [(seat, names[seat]) for seat in self.view.sheet.people]
        sides = [(side, self.side_words[side]) for side in SIDES]
        return super()._choices() | {"correction_to": [("", "–"), *sides, *people]}
