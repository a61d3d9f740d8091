"""Entering on the public page, the page of somebody's own entry, and the check-in at the door: a
page on a tablet or somebody's own phone.

Nothing here goes by a cookie: the form carries its own proof, an own page and the door a secret in
their address. No page is kept by anybody, nor found by search engines. The door shows names only:
of few people, and only to who types some of one.
"""

from collections.abc import Callable
from functools import update_wrapper, wraps
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import opens_for, speak_clubs_language
from clubs.accounts.services import mail_goes_out
from clubs.http.middleware import network_of
from clubs.http.network import absolute_url
from clubs.limits.table import DOOR_ASKS, DOOR_NEWCOMERS, ENTRIES
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.entries.arrivals import AT_THE_DOOR, person_arrive, walk_in
from tournaments.entries.forms import PublicEntryForm, Stamp, WalkInForm
from tournaments.entries.queries import (
    DoorFound,
    door_find_people,
    entering_of,
    entry_list_of,
    entry_rows,
    names_apart,
    turn_of,
)
from tournaments.entries.services import (
    ANYBODY,
    entry_ask,
    entry_confirm,
    entry_restore,
    entry_withdraw,
    require_open,
)
from tournaments.entries.texts import (
    KEPT,
    MAILED,
    door_find,
    entry_path,
    entry_purpose,
    state_words,
)
from tournaments.evenings.pages import evening_view
from tournaments.models import Entry, EntryList, EntryPerson, Evening
from tournaments.registration.entry_fees import asks_entry_fee

TOO_MANY, REFUSED, UNUSABLE = 429, 409, 422


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@evening_view
def entry_new(request: HttpRequest, evening: Evening) -> HttpResponse:
    """Enter for an evening. What was typed stays, whatever is wrong."""
    known = entry_list_of(evening)
    posted = request.POST if request.method == "POST" else None
    form = PublicEntryForm(posted, kind=known.kind)
    stamp = Stamp(request.POST.get("stamp", "")) if posted else Stamp.new(evening)
    status = 200
    if posted is not None:
        entered = _enter(request, evening, form, stamp)
        if isinstance(entered, HttpResponse):
            return entered
        status = entered
        if stamp.is_spoilt(evening):
            # One that is too young grows older by itself.
            stamp = Stamp.new(evening)
    return _form_page(request, evening, form, stamp, status)


def _enter(
    request: HttpRequest, evening: Evening, form: PublicEntryForm, stamp: Stamp
) -> int | HttpResponse:
    """Where the reader goes on to once it is written, else the status of the page."""
    if not form.is_valid():
        return UNUSABLE
    if fault := _not_by_hand(form, stamp, evening):
        form.add_error(None, fault)
        return UNUSABLE
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not ENTRIES.allows_from("entries", network):
        form.add_error(None, _("Too many entries from here within an hour. Try again later."))
        return TOO_MANY
    wish = form.wish()
    key = stamp.key(evening, [wish.name, *wish.people])
    try:
        entry = entry_ask(evening_id=evening.pk, wish=wish, key=key)
    except DomainError as error:
        form.refuse(error)
        return UNUSABLE
    return _entered(evening, form, entry, is_new=entry.key == key)


def _not_by_hand(form: PublicEntryForm, stamp: Stamp, evening: Evening) -> str:
    if form.is_trapped:
        return _("Something was filled in where this page asks for nothing. Press once more.")
    return stamp.fault(evening)


def _entered(
    evening: Evening, form: PublicEntryForm, entry: Entry, *, is_new: bool
) -> int | HttpResponse:
    if entry.email and mail_goes_out():
        return redirect("entry_sent", evening.club.slug, evening.slug)
    if is_new:
        return redirect(entry_path(entry, KEPT))
    # Whoever knows a name and a number must not get hold of the link of that entry.
    form.add_error(None, _("You are on the list already, by this name and number."))
    return UNUSABLE


def _form_page(
    request: HttpRequest, evening: Evening, form: PublicEntryForm, stamp: Stamp, status: int
) -> HttpResponse:
    context = {
        "club": evening.club,
        "evening": evening,
        "form": form,
        "stamp": stamp.text,
        "entering": entering_of(evening),
        "closed": _why_closed(evening),
        "by_mail": mail_goes_out(),
        "keep_days": entry_list_of(evening).keep_days,
    }
    return render(request, "tournaments/entries/enter.html", context, status=status)


def _why_closed(evening: Evening) -> str:
    try:
        require_open(evening, entry_list_of(evening))
    except DomainError as error:
        return error.message
    return ""


@require_safe
@evening_view
def entry_sent(request: HttpRequest, evening: Evening) -> HttpResponse:
    """That a link was mailed: the same page for everybody, whatever was typed."""
    context = {"club": evening.club, "evening": evening}
    return render(request, "tournaments/entries/sent.html", context)


def own_entry(
    view: Callable[[HttpRequest, Entry, str], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page for whoever holds the link of an entry: gets the entry, and what the link is for."""

    def shown(request: HttpRequest, evening: Evening, entry_uuid: UUID, code: str) -> HttpResponse:
        entry = get_object_or_404(evening.entries, uuid=entry_uuid)
        entry.evening = evening
        purpose = entry_purpose(entry, code)
        if not purpose:
            raise Http404
        return view(request, entry, purpose)

    return update_wrapper(evening_view(shown), view)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@own_entry
def entry_own(request: HttpRequest, entry: Entry, purpose: str) -> HttpResponse:
    """Somebody's own entry: how it stands; confirm it, withdraw it, or come after all. A page that
    is only looked at changes nothing: mail programs open links by themselves."""
    fault = ""
    if request.method == "POST":
        try:
            _act(entry, purpose, request.POST.get("do", ""))
        except DomainError as error:
            fault = error.message
        else:
            if not entry.evening.entries.filter(pk=entry.pk).exists():
                return redirect("evening_page", entry.evening.club.slug, entry.evening.slug)
            return redirect(entry_path(entry, purpose))
    (row,) = entry_rows(entry.evening, [entry])
    path = entry_path(entry, purpose)
    context = {
        "club": entry.evening.club,
        "evening": entry.evening,
        "entry": entry,
        "row": row,
        "words": state_words(entry, turn_of(entry)),
        "fault": fault,
        "may_confirm": purpose == MAILED and entry.state == Entry.State.ASKED,
        "by_desk": purpose == KEPT and entry.state == Entry.State.ASKED,
        "may_withdraw": entry.state != Entry.State.WITHDRAWN and entry.evening.is_open,
        "asks": "withdraw" in request.GET and entry.state != Entry.State.WITHDRAWN,
        "may_return": entry.state == Entry.State.WITHDRAWN and not _why_closed(entry.evening),
        "link": absolute_url(entry.evening.club, path) if purpose == KEPT else "",
        "path": path,
    }
    template = "tournaments/entries/own.html"
    return render(request, template, context, status=409 if fault else 200)


def _act(entry: Entry, purpose: str, do: str) -> None:
    if do == "withdraw":
        entry_withdraw(entry=entry, actor=ANYBODY)
    elif do == "confirm" and purpose == MAILED:
        entry_confirm(entry=entry, actor=ANYBODY)
    elif do == "return":
        require_open(entry.evening, entry_list_of(entry.evening))
        entry_restore(entry=entry, actor=ANYBODY)


# The check-in at the door.


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
        if known.evening.club.suspended_at is not None:
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
