"""The page that ticks who comes to an evening by a list, after showing who that is."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view
from clubs.files.reading import FileFaults
from clubs.lists.core.sheet import Sheet
from clubs.lists.reading import list_read
from clubs.members.forms import ListForm
from clubs.members.people import LONGEST_NAME
from clubs.models import Club, Member, PublicAs
from clubs.text.names import tidy_name
from tournaments.evenings.desk_pages import (
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import SET_PRESENCE
from tournaments.imports.entries import MOST_ENTRIES, entries_read, entries_tick
from tournaments.imports.forms import EntriesForm
from tournaments.models import Evening
from tournaments.registration.check_in import member_called
from tournaments.registration.forms import ticked


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def present_list(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A list of who comes: chosen or pasted, shown, and only then ticked."""
    evening = find_evening(club, evening_slug)
    if not evening.is_open:
        return to_evening("evening_present", evening)
    if request.POST.get("do") == "tick":
        return _tick(request, evening)
    posted = request.POST if request.method == "POST" else None
    form = EntriesForm(posted, request.FILES or None)
    if form.is_valid():
        try:
            sheets = list_read(form.content()[1]).sheets
        except FileFaults as error:
            form.add_error("file", error.faults[0].message)
        else:
            return _show_entries(request, evening, sheets)
    template, status = "imports/present_list.html", 422 if form.errors else 200
    return show_evening(request, template, evening, form=form, status=status)


def _show_entries(
    request: HttpRequest, evening: Evening, sheets: tuple[Sheet, ...]
) -> HttpResponse:
    present = evening.registrations.filter(present=True)
    return show_evening(
        request,
        "imports/present_list_preview.html",
        evening,
        entries=entries_read(evening.club, evening.date, sheets),
        form=ListForm(club=evening.club),
        here=set(present.values_list("member", flat=True)),
        most=MOST_ENTRIES,
    )


def _tick(request: HttpRequest, evening: Evening) -> HttpResponse:
    """Tick exactly who was left ticked on the page."""
    answers = [request.POST.get(f"who-{at}", "") for at in range(MOST_ENTRIES)]
    ids = ticked([*request.POST.getlist("here"), *filter(str.isdecimal, answers)])
    members = {member.pk: member for member in Member.objects.of(evening.club).filter(pk__in=ids)}
    guests: list[str] = []
    new = [answer.removeprefix("guest:") for answer in answers if answer.startswith("guest:")]
    for text in [*request.POST.getlist("guest"), *new]:
        name = tidy_name(text)[:LONGEST_NAME]
        if text in request.POST.getlist("guest") and (known := member_called(evening, name)):
            members[known.pk] = known
        elif name:
            guests.append(name)
    form = ListForm(request.POST, club=evening.club)
    with refusals_shown(request):
        count = entries_tick(
            evening=evening,
            members=list(members.values()),
            guests=guests[:MOST_ENTRIES],
            public_as=form.cleaned_data["public_as"] if form.is_valid() else PublicAs.INITIALS,
            actor=actor_of(request),
        )
        words = ngettext(
            "%(n)s person of the list is ticked.", "%(n)s people of the list are ticked.", count
        )
        messages.success(request, words % {"n": count})
    return to_evening("evening_present", evening)
