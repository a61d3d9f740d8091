"""How an evening is played, as a form: each question with one plain sentence."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Evening
from tournaments.services import EveningRules


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
    first_trump_clubs = forms.BooleanField(
        label=_("In the first deal of the evening clubs are trump"),
        help_text=_("It is filled in at the table; another suit is asked about once more."),
        required=False,
    )
    maker_holds_trump = forms.BooleanField(
        label=_("Who makes trump must hold a card of it"),
        help_text=_("Players see to this themselves; it stands on the page with the rules."),
        required=False,
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
    reneging_escalates = forms.BooleanField(
        label=_("The first reneging at a table only costs a new deal"),
        help_text=_("From the second time on the penalty of the regulation counts."),
        required=False,
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
