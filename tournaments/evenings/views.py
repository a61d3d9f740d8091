"""How an evening is played beside its plan and its regulation: the form and its page."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view
from clubs.audit.services import Actor
from clubs.http.pages import ExplainedRadios
from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.display.words import pit_word
from tournaments.evenings.pages import find_evening, show_evening, to_evening
from tournaments.evenings.permissions import CHANGE_EVENING
from tournaments.evenings.services import EveningRules, evening_rules_change, rules_of
from tournaments.models import Evening, Round
from tournaments.models.evening import MOST_PITS
from tournaments.standings.core.metrics import EVENING_TIE_BREAKS
from tournaments.standings.texts import metric_words

TIE_FIELDS = ("tie_1", "tie_2", "tie_3", "tie_4")
STARTED = (Round.State.RUNNING, Round.State.CLOSED)
INTERIM_HINTS: Mapping[str, Any] = {
    Evening.Interim.ROUNDS: _(
        "A table that plays fast does not come out ahead. In the first round there are no places."
    ),
    Evening.Interim.AVERAGE: _(
        "Places also move during a round. Not for rounds that end at a number of points."
    ),
}
SIT_OUT_HINTS: Mapping[str, Any] = {
    Evening.SitOutAs.FIXED: _("How many you choose with the plan of the evening."),
    Evening.SitOutAs.LOWEST: _("Somebody who has more already keeps that."),
    Evening.SitOutAs.NOTHING: _(
        "For a season that goes by the mean per round: 1,400 and a round out is a mean of 1,400."
    ),
}


@desk_view(CHANGE_EVENING)
@require_http_methods(["GET", "POST"])
def evening_rules_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Show how this evening is played, and change it for rounds that have not started."""
    evening = find_evening(club, evening_slug)
    if evening.is_history:
        raise Http404
    pit = pit_word(club)
    if request.method == "POST":
        form = EveningRulesForm(request.POST, pit=pit)
        if form.is_valid() and _change(form, evening, actor_of(request)):
            messages.success(request, gettext("How the evening is played has been saved."))
            return to_evening("evening_rules", evening)
    else:
        form = EveningRulesForm(initial=asdict(rules_of(evening)), pit=pit)
    started = evening.rounds.filter(state__in=STARTED)
    return show_evening(
        request,
        "evenings/evening_rules.html",
        evening,
        form=form,
        started=started.count(),
        status=422 if form.errors else 200,
    )


class YesNoField(forms.TypedChoiceField):
    """A question with the answers yes and no."""

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
            "If it is drawn, the table enters the dealer on the phone before writing a deal."
        ),
        choices=Evening.FirstDealer.choices,
        widget=forms.RadioSelect,
    )
    first_trump_clubs = YesNoField(
        label=_("Are clubs trump in the first deal of the evening?"),
        help_text=_("Then it is filled in at the table; another suit must be confirmed."),
    )
    maker_holds_trump = YesNoField(
        label=_("Must the player who makes trump hold a card of that suit?"),
        help_text=_("The players check this themselves; it is on the page with the rules."),
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
        label=_("Is the first reneging at a table waived, with a new deal?"),
        help_text=_("From the second time on, the penalty of the regulation applies."),
    )
    tie = forms.ChoiceField(
        label=_("What if players end with the same total?"),
        help_text=_("Four more deals are only played for the first place, after the last round."),
        choices=Evening.Tie.choices,
        widget=forms.RadioSelect,
    )
    match_play_off = YesNoField(
        label=_("If a match at a table ends equal, do they play four more deals?"),
        help_text=_(
            "Each deals once; it decides who won the match and does not count for the evening."
        ),
    )
    interim = forms.ChoiceField(
        label=_("What do places go by while people play?"),
        help_text=_("By all points together the fastest table would be first."),
        choices=Evening.Interim.choices,
        widget=ExplainedRadios(hints=INTERIM_HINTS),
    )
    ranks = forms.ChoiceField(
        label=_("Who is ranked this evening?"),
        help_text=_("A pair or a team keeps its points, whoever plays for it."),
        choices=[
            (Evening.Ranks.PLAYER, _("everybody by themselves")),
            (Evening.Ranks.PAIR, _("fixed pairs: one line for the two, whoever plays for them")),
            (Evening.Ranks.TEAM, _("teams, such as of companies")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    team_best = forms.IntegerField(
        label=_("How many players of a team count on an evening?"),
        help_text=_("Only for teams; leave empty to add up all its pairs."),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    twice_replaces = YesNoField(
        label=_("May a round that somebody plays twice replace a lower round of their own?"),
        help_text=_(
            "For people who play at an extra table so that nobody has to sit out; if not, "
            "only their own rounds count."
        ),
    )

    sit_out_as = forms.ChoiceField(
        label=_("What is a round worth to somebody who sits out?"),
        help_text=_("The lowest total is that of the people who played every round."),
        choices=Evening.SitOutAs.choices,
        widget=ExplainedRadios(hints=SIT_OUT_HINTS),
        required=False,
    )
    sit_out_pits = forms.IntegerField(
        min_value=0,
        max_value=MOST_PITS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "size": 6}),
    )
    leaving = forms.ChoiceField(
        label=_("What does somebody get who leaves halfway?"),
        help_text=_("Somebody who comes later gets the points for a missed round."),
        choices=Evening.Leaving.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    absence_found = YesNoField(
        label=_(
            "Does a member who is not there and has not signed off count as away without notice?"
        ),
        help_text=_(
            "When you close the evening you see who they are, and can still change it for each of"
            " them."
        ),
        required=False,
        empty_value=False,
    )

    def __init__(self, *args: Any, pit: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sit_out_pits"].label = _("How often %(pit)s comes with it?") % {"pit": pit}
        self.fields["sit_out_pits"].help_text = _("At most clubs 0.")
        chain = self.initial.get("tie_breaks", ())
        self.initial.update(zip(TIE_FIELDS, chain, strict=False))
        choices = [(key, metric_words(key, pit)) for key in EVENING_TIE_BREAKS]
        for place, name in enumerate(TIE_FIELDS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=_("%(n)s.") % {"n": place},
                choices=[("", _("nothing more")), *choices],
                required=False,
            )

    def clean_ranks(self) -> str:
        return self.cleaned_data["ranks"] or self.initial.get("ranks") or Evening.Ranks.PLAYER

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
        """The tie-break fields, in order."""
        return (self[name] for name in TIE_FIELDS)

    def rules(self) -> EveningRules:
        """The answers; the form must be valid."""
        answers = dict(self.cleaned_data)
        chain = [answers.pop(name) for name in TIE_FIELDS]
        for name, usual in asdict(EveningRules()).items():
            if name in self.fields and answers[name] in ("", None):
                answers[name] = usual
        return EveningRules(**answers, tie_breaks=[key for key in chain if key])


def _change(form: EveningRulesForm, evening: Evening, actor: Actor) -> bool:
    try:
        evening_rules_change(evening_id=evening.pk, rules=form.rules(), actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True
