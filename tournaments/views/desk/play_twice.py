"""Those who are left over play after all, with somebody who plays the round twice."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.models import Club
from clubs.permissions import actor_of, desk_view
from clubs.views.common import form_saved, typed
from tournaments.forms.play_twice import PlayTwiceForm
from tournaments.permissions import DRAW
from tournaments.play_twice import left_over
from tournaments.services import extra_table_make, extra_table_undo
from tournaments.views.desk.common import find_evening, refusals_told, show_evening, to_evening


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def play_twice(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Choose who plays twice, so that those who are left over have a table."""
    evening = find_evening(club, evening_slug)
    here = next((one for one in left_over(evening) if one.round_number == round_number), None)
    if here is None:
        raise Http404
    if here.table:
        return to_evening("evening_draw", evening)
    form = PlayTwiceForm(typed(request), left_over=here)

    def save() -> None:
        number = extra_table_make(
            evening_id=evening.pk,
            round_number=round_number,
            twice=form.chosen(),
            actor=actor_of(request),
        )
        words = _("Round %(round)s has a table more: table %(n)s.")
        messages.success(request, words % {"round": round_number, "n": number})

    if form_saved(form, save):
        return to_evening("evening_draw", evening)
    status = 422 if form.errors else 200
    return show_evening(
        request, "play_twice.html", evening, form=form, left_over=here, status=status
    )


@desk_view(DRAW)
@require_POST
def play_twice_undo(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Take the table with somebody who plays twice away again."""
    evening = find_evening(club, evening_slug)
    with refusals_told(request):
        extra_table_undo(evening_id=evening.pk, round_number=round_number, actor=actor_of(request))
        messages.success(request, _("That table is gone. Nobody plays this round twice."))
    return to_evening("evening_draw", evening)
