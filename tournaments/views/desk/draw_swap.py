"""Two people of a draft change places: chosen from a list, or where a script shows what it does."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.numbers import whole_number
from clubs.permissions import actor_of, desk_view
from clubs.scoping import owned
from tournaments.draw_choices import costs_as_json, place_words, swap_choices
from tournaments.models import Evening, Placement, Round
from tournaments.permissions import DRAW
from tournaments.services import draft_version, draw_swap, require_swappable
from tournaments.views.desk.common import find_evening, show_evening, to_evening


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
@vary_on_headers("Accept")
def draw_swap_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """With whom somebody can change places, the best first; a POST lets two people do it."""
    evening = find_evening(club, evening_slug)
    try:
        if request.method == "POST":
            return _swapped(request, evening)
        return _choices(request, evening)
    except DomainError as error:
        if _wants_json(request):
            return JsonResponse({"message": error.message}, status=409)
        messages.error(request, error.message)
        return to_evening("evening_draw", evening)


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two people who have changed places in a round of the draft, or have changed back."""

    one: Member
    other: Member
    round_number: int
    undone: bool


def just_swapped(request: HttpRequest, evening: Evening) -> Swapped | None:
    """Who have just changed places, as the address says; None when nobody has in this draft."""
    ids = [whole_number(request.GET.get(key, "")) for key in ("one", "other")]
    number = whole_number(request.GET.get("round", ""))
    if not all(ids):
        return None
    placed = owned(evening.club, Placement).filter(
        round__evening=evening, round__number=number, round__state=Round.State.DRAFT
    )
    rows = placed.filter(member__in=ids).select_related("member")
    found = {one.member_id: one.member for one in rows}
    if len(found) != 2:
        return None
    return Swapped(found[ids[0]], found[ids[1]], number, undone="undone" in request.GET)


def _choices(request: HttpRequest, evening: Evening) -> HttpResponse:
    number = whole_number(request.GET.get("round", ""))
    member = _member(evening, request.GET, "who")
    waiting = require_swappable(evening, number)
    choices = swap_choices(waiting, number, str(member.pk), evening.club)
    if _wants_json(request):
        return JsonResponse({"costs": costs_as_json(choices)})
    return show_evening(
        request,
        "draw_swap.html",
        evening,
        member=member,
        choices=choices,
        rounds=waiting.block_of(number),
        round_number=number,
        place=place_words(waiting, number, str(member.pk), evening.club),
        seen=draft_version(evening),
    )


def _swapped(request: HttpRequest, evening: Evening) -> HttpResponse:
    one, other = (_member(evening, request.POST, key) for key in ("one", "other"))
    number = whole_number(request.POST.get("round", ""))
    draw_swap(
        evening_id=evening.pk,
        round_number=number,
        one=one,
        other=other,
        seen=request.POST.get("seen", ""),
        actor=actor_of(request),
    )
    query = QueryDict(mutable=True)
    query.update({"round": str(number), "one": str(one.pk), "other": str(other.pk)})
    if "undo" in request.POST:
        query["undone"] = "1"
    response = to_evening("evening_draw", evening)
    response["Location"] += f"?{query.urlencode()}#p{number}-{one.pk}"
    return response


def _member(evening: Evening, asked: QueryDict, key: str) -> Member:
    found = Member.objects.of(evening.club).filter(pk=whole_number(asked.get(key, ""))).first()
    if found is None:
        raise DomainError("not_in_round", _("Choose two people of this round."))
    return found


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
