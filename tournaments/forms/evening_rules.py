"""How an evening is played, as a form: each question with one plain sentence."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.metric_words import metric_words
from tournaments.models import Evening
from tournaments.services import EveningRules
from tournaments.standings.core import EVENING_TIE_BREAKS

TIE_FIELDS = ("tie_1", "tie_2", "tie_3", "tie_4")


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
        choices=Evening.Tie.choices,
        widget=forms.RadioSelect,
    )
    twice_replaces = YesNoField(
        label=_("May a round that somebody plays once more replace a lower one of his own?"),
        help_text=_(
            "For who sits at a second table so that nobody has to sit out; if not, only his own "
            "rounds count."
        ),
    )

    def __init__(self, *args: Any, pit: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chain = self.initial.get("tie_breaks", ())
        self.initial.update(zip(TIE_FIELDS, chain, strict=False))
        choices = [(key, metric_words(key, pit)) for key in EVENING_TIE_BREAKS]
        for place, name in enumerate(TIE_FIELDS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=_("%(n)s.") % {"n": place},
                choices=[("", _("nothing more")), *choices],
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chain = [cleaned.get(name) for name in TIE_FIELDS]
        for place, name in enumerate(TIE_FIELDS):
            if chain[place] and chain[place] in chain[:place]:
                self.add_error(name, gettext("This is chosen already, higher up."))
        if cleaned.get("tie") == Evening.Tie.TIE_BREAKS and not any(chain):
            self.add_error(TIE_FIELDS[0], gettext("Choose what decides between equal totals."))
        return cleaned

    def tie_fields(self) -> Iterator[forms.BoundField]:
        """What decides between equal totals, in order."""
        return (self[name] for name in TIE_FIELDS)

    def rules(self) -> EveningRules:
        """What was answered; the form must be valid."""
        answers = dict(self.cleaned_data)
        chain = [answers.pop(name) for name in TIE_FIELDS]
        return EveningRules(**answers, tie_breaks=[key for key in chain if key])
