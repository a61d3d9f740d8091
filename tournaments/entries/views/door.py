"""The check-in at the door: a page on a tablet or somebody's own phone, for who has its address.

It goes by the secret in its address, not by a cookie, and shows names only: of few people, and only
to who types some of one.
"""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import opens_for, speak_clubs_language
from clubs.http.middleware import network_of
from clubs.limits.table import DOOR_ASKS, DOOR_NEWCOMERS
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.entries.arrivals import AT_THE_DOOR, person_arrive, walk_in
from tournaments.entries.forms import WalkInForm
from tournaments.entries.links import door_find
from tournaments.entries.queries import DoorFound, door_find_people, names_apart
from tournaments.models import EntryList, EntryPerson
from tournaments.registration.entry_fees import asks_entry_fee

TOO_MANY, REFUSED, UNUSABLE = 429, 409, 422


def door_view(
    view: Callable[[HttpRequest, EntryList], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page of the door with this secret; 404 for one that is not, or was ended."""

    @wraps(view)
    def shown(request: HttpRequest, door: str) -> HttpResponse:
        network = network_of(request.META.get("REMOTE_ADDR", ""))
        if not DOOR_ASKS.allows_from("door", network):
            return render(request, "429.html", status=TOO_MANY)
        known = door_find(door)
        if known is None or not known.evening.is_open:
            raise Http404
        request.club = known.evening.club  # type: ignore[attr-defined]
        speak_clubs_language(request, known.evening.club)
        return view(request, known)

    return opens_for(None, shown)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@door_view
def entry_door(request: HttpRequest, known: EntryList) -> HttpResponse:
    """Find a name with `?q=`, and say who is here: a `person` of the list, a `member` of the club,
    or anybody by name."""
    if request.method != "POST":
        return _found(request, known)
    form = WalkInForm(request.POST) if "name" in request.POST else None
    if form is not None and not form.is_valid():
        return _page(request, known, form=form, status=UNUSABLE)
    try:
        person = _welcome(request, known, form)
    except DomainError as error:
        name = form.cleaned_data["name"] if form and error.code == "name_known" else ""
        # Whom they may mean stands there to choose.
        found = door_find_people(known, name) if name else None
        return _page(
            request, known, found=found, q=name, form=form, fault=error.message, status=REFUSED
        )
    return _page(request, known, welcome=_welcome_words(known, person))


def _found(request: HttpRequest, known: EntryList) -> HttpResponse:
    text = request.GET.get("q", "").strip()[:100]
    found = door_find_people(known, text) if text else None
    return _page(request, known, found=found, q=text)


def _welcome(request: HttpRequest, known: EntryList, form: WalkInForm | None) -> EntryPerson:
    evening_id = known.evening.pk
    if person := whole_number(request.POST.get("person", "")):
        return person_arrive(
            evening_id=evening_id, person_id=person, actor=AT_THE_DOOR, by_desk=False
        )
    if form is None:
        pk = whole_number(request.POST.get("member", ""))
        member = Member.objects.of(known.evening.club).active().filter(pk=pk).first()
        if member is None:
            raise DomainError("not_on_the_list", _("Look for your name again."))
        return walk_in(evening_id=evening_id, member=member, actor=AT_THE_DOOR, by_desk=False)
    if not DOOR_NEWCOMERS.allows(f"newcomers at door {known.pk}"):
        raise DomainError("too_many", _("Go to the desk: they add you to the list."))
    return walk_in(
        evening_id=evening_id,
        name=form.cleaned_data["name"],
        town=form.cleaned_data["town"],
        actor=AT_THE_DOOR,
        by_desk=False,
    )


def _welcome_words(known: EntryList, person: EntryPerson) -> dict[str, object]:
    apart = names_apart(known.evening, [person], for_all=True)
    owes = not person.entry.paid and asks_entry_fee(known.evening)
    return {"name": apart.get(person.pk, person.name), "owes": owes}


def _page(
    request: HttpRequest,
    known: EntryList,
    *,
    found: DoorFound | None = None,
    q: str = "",
    form: WalkInForm | None = None,
    fault: str = "",
    welcome: dict[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "club": known.evening.club,
        "evening": known.evening,
        "entries": known,
        "found": found,
        "q": q,
        "form": form or WalkInForm(initial={"name": q}),
        "typed": form is not None,
        "fault": fault,
        "welcome": welcome,
    }
    return render(request, "tournaments/entries/door.html", context, status=status)
