"""How an evening is played: what it decides beside its plan and its regulation."""

from dataclasses import asdict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Club
from clubs.permissions import actor_of, desk_view
from scoring.words import pit_word
from tournaments.forms.evening_rules import EveningRulesForm
from tournaments.models import Evening, Round
from tournaments.permissions import CHANGE_EVENING
from tournaments.services import evening_rules_change, rules_of
from tournaments.views.desk.common import find_evening, show_evening, to_evening

STARTED = (Round.State.RUNNING, Round.State.CLOSED)


@desk_view(CHANGE_EVENING)
@require_http_methods(["GET", "POST"])
def evening_rules(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Look at how this evening is played, and change it for the rounds that have not started."""
    evening = find_evening(club, evening_slug)
    if evening.is_history:
        raise Http404
    pit = pit_word(club)
    if request.method == "POST":
        form = EveningRulesForm(request.POST, pit=pit)
        if form.is_valid() and _change(form, evening, actor_of(request)):
            messages.success(request, _("How the evening is played has been saved."))
            return to_evening("evening_rules", evening)
    else:
        form = EveningRulesForm(initial=asdict(rules_of(evening)), pit=pit)
    started = evening.rounds.filter(state__in=STARTED)
    return show_evening(
        request,
        "evening_rules.html",
        evening,
        form=form,
        started=started.count(),
        status=422 if form.errors else 200,
    )


def _change(form: EveningRulesForm, evening: Evening, actor: Actor) -> bool:
    try:
        evening_rules_change(evening_id=evening.pk, rules=form.rules(), actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True
