"""The list of entries at the desk: add, change, confirm, tick who paid and who is here, and the
settings and the door's address."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import READ_MEMBERS, actor_of, desk_view, may, of_club
from clubs.files.reading import FileFaults
from clubs.http.network import absolute_url, qr_svg
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from tournaments.entries.arrivals import (
    door_end,
    door_make,
    entered_arrive,
    entry_paid_set,
    person_arrive,
    person_leave,
)
from tournaments.entries.forms import (
    EntryEditForm,
    EntrySettingsForm,
    EntryUploadForm,
    ListedWish,
    WishForm,
    known_apart,
    wishes_read,
)
from tournaments.entries.queries import (
    FILTERS,
    ON_A_PAGE,
    entries_found,
    entry_counts,
    entry_list_of,
    entry_rows,
    last_arrivals,
)
from tournaments.entries.services import (
    entries_add,
    entries_close,
    entries_confirm,
    entries_throw_away,
    entry_change,
    entry_confirm,
    entry_list_change,
    entry_restore,
    entry_withdraw,
)
from tournaments.entries.texts import (
    KEPT,
    TABS,
    counted,
    deadline_words,
    door_path,
    entry_path,
    entry_words,
)
from tournaments.evenings.pages import (
    confirm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import SET_PRESENCE
from tournaments.evenings.texts import forecast
from tournaments.models import Entry, EntryList, EntryPerson, Evening
from tournaments.models.entry import Wish

LINES = "lines"
MOST_PASTED = 200_000


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def evening_entries(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The list: `?show=` narrows it, `?q=` finds a name or a number. Without a script a press on
    the button saves the ticks."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_shown(request):
            _ticks_save(request, evening)
        return redirect(f"{evening_url('evening_entries', evening)}?{request.GET.urlencode()}")
    return _list(request, evening)


def _list(request: HttpRequest, evening: Evening) -> HttpResponse:
    show = request.GET.get("show", "all")
    show = show if show in FILTERS else "all"
    text = request.GET.get("q", "").strip()[:100]
    found = entries_found(evening, show, text)
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    known = entry_list_of(evening)
    return show_evening(
        request,
        "entries/list.html",
        evening,
        entries=known,
        rows=entry_rows(evening, page.object_list),
        page=page,
        tabs=[(key, label, key == show) for key, label in TABS.items()],
        show=show,
        q=text,
        asked_for=urlencode({"show": show, "q": text}),
        sees_contacts=may(request, READ_MEMBERS, evening.club),
        deadline=deadline_words(known),
        **_counters(evening, known),
    )


def _counters(evening: Evening, known: EntryList) -> dict[str, Any]:
    counts = entry_counts(evening)
    present = evening.registrations.filter(present=True).count()
    return {
        "counts": counts,
        "on_list": counted(known.kind, counts.entered),
        "maximum": known.maximum,
        "present": present,
        "forecast": forecast(evening, present),
        "expected": forecast(evening, counts.expected) if counts.expected else "",
        "open": evening.is_open,
    }


@require_safe
@desk_view(SET_PRESENCE)
def entries_live(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """How many are here and what the draw makes of them, asked for while people come in."""
    return _live(request, find_evening(club, evening_slug))


def _live(request: HttpRequest, evening: Evening) -> HttpResponse:
    context = {"club": evening.club, **_counters(evening, entry_list_of(evening))}
    template = "tournaments/entries/counters.html"
    return render(request, template, {"evening": evening, **context})


@desk_view(SET_PRESENCE)
@require_POST
def entries_tick(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """One tick, saved at once: a `person` is here or not, or an `entry` is paid or not. Answers
    with the counters."""
    evening = find_evening(club, evening_slug)
    person, entry = (whole_number(request.POST.get(name, "")) for name in ("person", "entry"))
    try:
        if person:
            is_here = str(person) in request.POST.getlist("here")
            _person_set(request, evening, person, is_here=is_here)
        else:
            is_paid = str(entry) in request.POST.getlist("paid")
            row = _entry(evening, entry)
            entry_paid_set(entry=row, paid=is_paid, actor=actor_of(request))
    except DomainError as error:
        return HttpResponse(error.message, status=409, content_type="text/plain")
    return _live(request, evening)


def _person_set(request: HttpRequest, evening: Evening, person: int, *, is_here: bool) -> None:
    of_club(evening.club, EntryPerson, pk=person, evening=evening)
    act = person_arrive if is_here else person_leave
    act(evening_id=evening.pk, person_id=person, actor=actor_of(request))


def _ticks_save(request: HttpRequest, evening: Evening) -> None:
    """Only the difference with what the page showed, so that other ticks stay."""
    for name, shown in (("here", "here_shown"), ("paid", "paid_shown")):
        now = {number for text in request.POST.getlist(name) if (number := whole_number(text))}
        before = {number for text in request.POST.getlist(shown) if (number := whole_number(text))}
        for number in sorted(now ^ before):
            if name == "here":
                _person_set(request, evening, number, is_here=number in now)
            else:
                row = _entry(evening, number)
                entry_paid_set(entry=row, paid=number in now, actor=actor_of(request))


@desk_view(SET_PRESENCE)
@require_POST
def entries_do(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """`do` for the whole list: confirm who waits for that, or close it at once."""
    evening = find_evening(club, evening_slug)
    actor = actor_of(request)
    with refusals_shown(request):
        if request.POST.get("do") == "confirm":
            count = entries_confirm(evening_id=evening.pk, actor=actor)
            words = ngettext("%(n)s is confirmed.", "%(n)s are confirmed.", count) % {"n": count}
            messages.success(request, words)
        elif request.POST.get("do") == "close":
            entries_close(evening_id=evening.pk, actor=actor)
            messages.success(request, _("Nobody can enter on the page of this evening any more."))
    return to_evening("evening_entries", evening)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_throw_away_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Throw away everything that nobody confirmed, after a question."""
    evening = find_evening(club, evening_slug)

    def act() -> str:
        count = entries_throw_away(evening_id=evening.pk, actor=actor_of(request))
        return ngettext("%(n)s is thrown away.", "%(n)s are thrown away.", count) % {"n": count}

    asked = entry_counts(evening).asked
    question = ConfirmedAction(
        title=_("Throw away what is not confirmed?"),
        text=ngettext(
            "%(n)s entry was confirmed by nobody. It goes for good.",
            "%(n)s entries were confirmed by nobody. They go for good.",
            asked,
        )
        % {"n": asked},
        yes=_("Yes, throw them away"),
        back_url=evening_url("evening_entries", evening),
        next_url=evening_url("evening_entries", evening),
        act=act,
    )
    return confirm(request, evening, question)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_arrive_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Everybody who is entered is here, after a question."""
    evening = find_evening(club, evening_slug)

    def act() -> str:
        count = entered_arrive(evening_id=evening.pk, actor=actor_of(request))
        words = ngettext("%(n)s is ticked as here.", "%(n)s are ticked as here.", count)
        return words % {"n": count}

    question = ConfirmedAction(
        title=_("Is everybody who entered here?"),
        text=_(
            "Then %(n)s people are ticked as present, and untick who is not here. Those on the"
            " waiting list stay off."
        )
        % {"n": entry_counts(evening).expected},
        yes=_("Yes, tick them all"),
        back_url=evening_url("evening_entries", evening),
        next_url=evening_url("evening_entries", evening),
        act=act,
        safe=True,
    )
    return confirm(request, evening, question)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_settings(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Whether and how people can enter."""
    evening = find_evening(club, evening_slug)
    known = entry_list_of(evening)
    posted = request.POST if request.method == "POST" else None
    form = EntrySettingsForm(posted, instance=known)
    if form.is_valid():
        try:
            changed = entry_list_change(
                evening_id=evening.pk,
                wanted=form.settings(),
                seen_version=form.cleaned_data["version"] or 0,
                actor=actor_of(request),
            )
        except DomainError as error:
            faults = list(error.field_errors())
            for field, _code, message in faults:
                form.add_error(field if field in form.fields else None, message)
            if not faults:
                form.add_error(None, error.message)
        else:
            is_open = _("Saved. People can enter on the page of this evening.")
            messages.success(request, is_open if changed.is_open else _("Saved."))
            return to_evening("evening_entries", evening)
    status = 422 if form.errors else 200
    return show_evening(request, "entries/settings.html", evening, form=form, status=status)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_add_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Somebody enters by telephone, or on paper."""
    evening = find_evening(club, evening_slug)
    known = entry_list_of(evening)
    posted = request.POST if request.method == "POST" else None
    form = WishForm(posted, kind=known.kind, by_desk=True)
    if form.is_valid():
        try:
            (entry,) = entries_add(
                evening_id=evening.pk, wishes=[form.wish()], actor=actor_of(request)
            )
        except DomainError as error:
            form.refuse(error)
        else:
            words = (
                _("%(name)s is on the waiting list.")
                if entry.state == Entry.State.WAITING
                else _("%(name)s is on the list.")
            )
            messages.success(request, words % {"name": entry_words(entry)})
            return to_evening("entry_add", evening)
    status = 422 if form.errors else 200
    return show_evening(request, "entries/add.html", evening, form=form, status=status)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_list(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A list, from a file or pasted: shown, and only then entered."""
    evening = find_evening(club, evening_slug)
    kind = entry_list_of(evening).kind
    posted = request.POST if request.method == "POST" else None
    if posted is not None and LINES in posted:
        return _list_enter(request, evening, posted[LINES][:MOST_PASTED])
    form = EntryUploadForm(posted, request.FILES or None)
    if form.is_valid():
        content = form.content()[1]
        try:
            listed = wishes_read(content, kind)
        except FileFaults as error:
            form.add_error("file", error.faults[0].message)
        else:
            return _list_preview(request, evening, listed)
    status = 422 if form.errors else 200
    return show_evening(request, "entries/upload.html", evening, form=form, status=status)


def _list_preview(
    request: HttpRequest, evening: Evening, listed: Sequence[ListedWish]
) -> HttpResponse:
    shown = known_apart(evening, listed)
    good = [line for line in shown if line.wish is not None]
    wishes = [asdict(line.wish) for line in good if line.wish is not None]
    return show_evening(
        request,
        "entries/preview.html",
        evening,
        good=good,
        bad=[line for line in shown if line.wish is None],
        lines=json.dumps(wishes),
    )


def _list_enter(request: HttpRequest, evening: Evening, lines: str) -> HttpResponse:
    """Enter exactly what the page showed."""
    try:
        wishes = [Wish(**wish) for wish in json.loads(lines)]
    except (TypeError, ValueError):
        return HttpResponseBadRequest()
    with refusals_shown(request):
        added = entries_add(evening_id=evening.pk, wishes=wishes, actor=actor_of(request))
        words = ngettext("%(n)s is entered.", "%(n)s are entered.", len(added))
        messages.success(request, words % {"n": len(added)})
    return to_evening("evening_entries", evening)


def _entry(evening: Evening, pk: int) -> Entry:
    entry = of_club(evening.club, Entry, pk=pk, evening=evening)
    entry.evening = evening
    return entry


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_edit(request: HttpRequest, club: Club, evening_slug: str, pk: int) -> HttpResponse:
    """Change an entry: its names, and who of the club they are. Only organisers see how people can
    be reached."""
    evening = find_evening(club, evening_slug)
    entry = _entry(evening, pk)
    sees_contacts = may(request, READ_MEMBERS, club)
    form = EntryEditForm(
        request.POST if request.method == "POST" else None,
        entry=entry,
        people=list(Member.objects.of(club).active().by_surname()),
        contact=sees_contacts,
    )
    status = 200
    if form.is_valid():
        try:
            entry_change(
                entry=entry,
                wish=form.wish(),
                members=form.chosen(),
                seen_version=whole_number(request.POST.get("version", "")),
                actor=actor_of(request),
            )
        except VersionConflict as error:
            form.add_error(None, error.message)
            status = 409
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Saved."))
            return to_evening("evening_entries", evening)
    (row,) = entry_rows(evening, [entry])
    status = 422 if form.errors and status == 200 else status
    return show_evening(
        request,
        "entries/edit.html",
        evening,
        form=form,
        row=row,
        entry=entry,
        status=status,
        own_link=_own_link(entry) if sees_contacts and entry.state != Entry.State.ASKED else "",
    )


def _own_link(entry: Entry) -> str:
    return absolute_url(entry.evening.club, entry_path(entry, KEPT))


@desk_view(SET_PRESENCE)
@require_POST
def entry_do(request: HttpRequest, club: Club, evening_slug: str, pk: int) -> HttpResponse:
    """`do` for one entry: confirm it, or put back one that was withdrawn."""
    evening = find_evening(club, evening_slug)
    entry = _entry(evening, pk)
    acts = {"confirm": entry_confirm, "restore": entry_restore}
    act = acts.get(request.POST.get("do", ""))
    with refusals_shown(request):
        if act is not None:
            after = act(entry=entry, actor=actor_of(request))
            words = (
                _("%(name)s is on the waiting list.")
                if after.state == Entry.State.WAITING
                else _("%(name)s is on the list.")
            )
            messages.success(request, words % {"name": entry_words(after)})
    return to_evening("evening_entries", evening)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_withdraw_page(
    request: HttpRequest, club: Club, evening_slug: str, pk: int
) -> HttpResponse:
    """Take an entry off the list, after a question."""
    evening = find_evening(club, evening_slug)
    entry = _entry(evening, pk)
    name = entry_words(entry)

    def act() -> str:
        entry_withdraw(entry=entry, actor=actor_of(request))
        return _("%(name)s is off the list.") % {"name": name}

    question = ConfirmedAction(
        title=_("Is %(name)s not coming?") % {"name": name},
        text=_(
            "The first of the waiting list gets the place. It can be undone: then this entry comes"
            " behind everybody who entered meanwhile."
        ),
        yes=_("Yes, take it off the list"),
        back_url=evening_url("evening_entries", evening),
        next_url=evening_url("evening_entries", evening),
        act=act,
    )
    return confirm(request, evening, question)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_door(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The address of the check-in at the door, as a QR code: make one, or end it."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_shown(request):
            if request.POST.get("do") == "end":
                door_end(evening_id=evening.pk, actor=actor_of(request))
                messages.success(request, _("The address of the door opens nothing any more."))
            else:
                door_make(evening_id=evening.pk, actor=actor_of(request))
        return to_evening("entries_door", evening)
    known = entry_list_of(evening)
    path = door_path(known)
    url = absolute_url(club, path) if path else ""
    return show_evening(
        request,
        "entries/door_desk.html",
        evening,
        entries=known,
        url=url,
        svg=qr_svg(url) if url else "",
        late=last_arrivals(evening),
    )
