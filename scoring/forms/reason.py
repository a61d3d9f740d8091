"""The question why something that was written is changed."""

from typing import Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

REASONS: Final[dict[str, str | Promise]] = {
    "miscounted": gettext_lazy("counted wrong"),
    "mistyped": gettext_lazy("typed wrong"),
    "roem": gettext_lazy("roem forgotten or wrong"),
    "sides": gettext_lazy("we and they swapped"),
    "other": gettext_lazy("something else"),
}


class ReasonMixin(forms.Form):
    """Asks for one of the usual reasons or for one in own words, where `needs_reason` says so."""

    needs_reason = True

    why = forms.ChoiceField(
        label=gettext_lazy("Why is it changed?"),
        choices=REASONS,
        widget=forms.RadioSelect,
        required=False,
    )
    why_else = forms.CharField(
        label=gettext_lazy("In your own words"), max_length=200, required=False
    )

    def leave_out_sides(self) -> None:
        """Offer no swapping of sides, where three people play each for himself."""
        reasons = [(key, words) for key, words in REASONS.items() if key != "sides"]
        self.fields["why"].choices = reasons  # type: ignore[attr-defined]

    def reason(self) -> str:
        """Why, in words; empty where no reason is needed."""
        if not self.needs_reason:
            return ""
        own: str = self.cleaned_data["why_else"].strip()
        return own or str(REASONS[self.cleaned_data["why"]])

    def clean(self) -> None:
        why, own = self.cleaned_data.get("why"), self.cleaned_data.get("why_else", "").strip()
        if self.needs_reason and not own:
            if not why:
                self.add_error("why", _("Say why the deal is changed."))
            elif why == "other":
                self.add_error("why_else", _("Say in a few words why."))
