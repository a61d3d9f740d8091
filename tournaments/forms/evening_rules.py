"""How an evening is played, as a form: each question with one plain sentence."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Evening
from tournaments.services import EveningRules


class YesNoField(forms.TypedChoiceField):
    """A question that is answered with yes or no."""

    widget = forms.RadioSelect

    def __init__(self, **kwargs: Any) -> None:
        choices = [("no", _("no")), ("yes", _("yes"))]
        super().__init__(choices=choices, coerce=lambda answer: answer == "yes", **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return {True: "yes", False: "no"}.get(value, value)


class EveningRulesForm(forms.Form):
    """What an evening decides about play, beside its plan and its regulation."""

    first_dealer = forms.ChoiceField(
        label=_("Who deals the first deal of a round?"),
        help_text=_(
            "Where it is drawn, the table says on the phone who it is before it writes a deal."
        ),
        choices=Evening.FirstDealer.choices,
        widget=forms.RadioSelect,
    )
    first_trump_clubs = YesNoField(
        label=_("Are clubs trump in the first deal of the evening?"),
        help_text=_("Then it is filled in at the table; another suit is asked about once more."),
    )
    maker_holds_trump = YesNoField(
        label=_("Must who makes trump hold a card of that suit?"),
        help_text=_("Players see to this themselves; it stands on the page with the rules."),
    )
    roem_by = forms.ChoiceField(
        label=_("Who announces roem?"),
        help_text=_("Roem that nobody announces does not count, unless it is always written."),
        choices=Evening.RoemBy.choices,
        widget=forms.RadioSelect,
    )
    reneging_until = forms.ChoiceField(
        label=_("How long can somebody say that a player reneged?"),
        help_text=_("After that the trick stands as it was played."),
        choices=Evening.RenegingUntil.choices,
        widget=forms.RadioSelect,
    )
    reneging_escalates = YesNoField(
        label=_("Does the first reneging at a table only cost a new deal?"),
        help_text=_("From the second time on the penalty of the regulation counts."),
    )
    tie = forms.ChoiceField(
        label=_("What if players end with the same total?"),
        help_text=_("Four more deals are only played for the first place, after the last round."),
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, pit: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        most_pits = _("most often %(pit)s, then the best round, then least often nat")
        self.fields["tie"].choices = [  # type: ignore[attr-defined]
            (tie, most_pits % {"pit": pit} if tie == Evening.Tie.TIE_BREAKS else words)
            for tie, words in Evening.Tie.choices
        ]

    def rules(self) -> EveningRules:
        """What was answered; the form must be valid."""
        return EveningRules(**self.cleaned_data)
