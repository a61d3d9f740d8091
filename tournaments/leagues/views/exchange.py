"""Events between servers: the page of a club, what its links open, and the page of a league, with
their forms."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view, of_club, opens_for, owned
from clubs.api.requests import content_hash
from clubs.http.network import absolute_url, is_private
from clubs.http.pages import ConfirmedAction, form_saved, typed
from clubs.limits.table import allowed
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tournaments.leagues.event_documents import (
    MOST_BYTES,
    document_read,
    document_text,
    event_document,
)
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.exchange import Imported, event_import
from tournaments.leagues.forms import TYPED
from tournaments.leagues.people import number_elsewhere_remove, number_elsewhere_write
from tournaments.leagues.permissions import GIVE_EVENTS, find_source, leader_view
from tournaments.leagues.pulling import (
    LinkMade,
    event_list,
    published_evenings,
    pull_link_find,
    pull_link_make,
    pull_link_withdraw,
    source_add,
    source_remove,
)
from tournaments.leagues.views.league import asked, read_or_write, saved, shown
from tournaments.models import (
    Evening,
    League,
    NumberElsewhere,
    PullLink,
)

PER_MINUTE = 600
"""How often one link is read: a league reads a list, and what is new in it."""
MOST_SHOWN = 200


class PullLinkForm(forms.Form):
    """For which league a club makes a link."""

    league = forms.CharField(
        label=gettext_lazy("Web name of the league"),
        max_length=50,
        help_text=gettext_lazy("The leader of the league sees it on the page “Events of clubs”."),
        widget=forms.TextInput(attrs=TYPED),
    )


class NumberElsewhereForm(forms.Form):
    """The number of somebody of the club in a league on another server, with its code."""

    in_league = forms.CharField(
        label=gettext_lazy("Web name of the league"),
        max_length=50,
        widget=forms.TextInput(attrs=TYPED),
    )
    member = forms.ModelChoiceField(label=gettext_lazy("Who?"), queryset=Member.objects.none())
    number = forms.IntegerField(
        label=gettext_lazy("Their league number"), min_value=1, max_value=999_999
    )
    code = forms.CharField(
        label=gettext_lazy("Its code"),
        max_length=20,
        help_text=gettext_lazy("Ten letters and digits; they have it from the league."),
        widget=forms.TextInput(attrs=TYPED),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, members: "QuerySet[Member]"
    ) -> None:
        super().__init__(data)
        self.fields["member"].queryset = members  # type: ignore[attr-defined]
        self.fields["member"].label_from_instance = _desk_name  # type: ignore[attr-defined]

    def given(self) -> dict[str, Any]:
        """What the service is to note."""
        given = dict(self.cleaned_data)
        return {"league": given.pop("in_league"), **given}


def _desk_name(member: Member) -> str:
    return member.desk_name


class EventFileForm(forms.Form):
    """Which evening is downloaded, and for which league."""

    evening = forms.ChoiceField(label=gettext_lazy("Evening"))
    for_league = forms.CharField(
        label=gettext_lazy("Web name of the league"),
        max_length=50,
        widget=forms.TextInput(attrs=TYPED),
    )

    def __init__(self, *args: Any, evenings: Iterable[Evening], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["evening"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [
                (evening.slug, f"{date_format(evening.date, 'j F Y')} {evening.name}".strip())
                for evening in evenings
            ]


class EventSourceForm(forms.Form):
    """The address at which the events of a club are read."""

    address = forms.CharField(
        label=gettext_lazy("Address of the link"),
        max_length=300,
        help_text=gettext_lazy("The club makes it: Settings, Leagues, Results for other servers."),
        widget=forms.TextInput(attrs={**TYPED, "inputmode": "url"}),
    )


class EventUploadForm(forms.Form):
    """The file of an event."""

    file = forms.FileField(
        label=gettext_lazy("File of an evening"),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        allow_empty_file=True,
        error_messages={"required": gettext_lazy("Choose a file.")},
    )


# A club.


@desk_view(GIVE_EVENTS)
@read_or_write
def club_exchange(request: HttpRequest, club: Club) -> HttpResponse:
    """The links by which leagues on other servers read the club's evenings; and one as a file."""
    is_number = "member" in request.POST
    form = PullLinkForm(None if is_number else typed(request))
    members = Member.objects.of(club).active().filter(erased_at=None).by_surname()
    number_form = NumberElsewhereForm(typed(request) if is_number else None, members=members)
    note = partial(number_elsewhere_write, actor=actor_of(request))
    if is_number and form_saved(number_form, lambda: note(**number_form.given())):
        messages.success(request, _("The number is noted; it goes along with each evening."))
        return redirect(f"{reverse('club_exchange', args=[club.slug])}#numbers")
    made: list[LinkMade] = []
    if not is_number and form_saved(
        form,
        lambda: made.append(
            pull_link_make(club=club, actor=actor_of(request), **form.cleaned_data)
        ),
    ):
        address = absolute_url(club, made[0].path)
        context = {
            "club": club,
            "section": "settings",
            "link": made[0].link,
            "address": address,
            "is_inside": is_private(address),
        }
        return render(request, "tournaments/leagues/pull_link.html", context)
    context = {
        "club": club,
        "section": "settings",
        "form": form,
        "file_form": EventFileForm(evenings=published_evenings(club)[:MOST_SHOWN]),
        "links": club.pull_links.filter(withdrawn_at=None),
        "number_form": number_form,
        "numbers": owned(club, NumberElsewhere).select_related("member"),
    }
    status = 422 if form.errors or number_form.errors else 200
    return render(request, "tournaments/leagues/club_exchange.html", context, status=status)


@desk_view(GIVE_EVENTS)
@require_POST
def pull_link_end(request: HttpRequest, club: Club, link: int) -> HttpResponse:
    """Withdraw a link: the league reads nothing more by it."""
    found = of_club(club, PullLink, pk=link)
    pull_link_withdraw(link=found, actor=actor_of(request))
    messages.success(request, _("The link for “%s” opens nothing any more.") % found.league)
    return redirect("club_exchange", club.slug)


@desk_view(GIVE_EVENTS)
@require_POST
def number_elsewhere_end(request: HttpRequest, club: Club, number_pk: int) -> HttpResponse:
    """A number goes with no evening any more."""
    found = of_club(club, NumberElsewhere, pk=number_pk)
    number_elsewhere_remove(row=found, actor=actor_of(request))
    messages.success(request, _("The number of %s goes along no more.") % found.member.desk_name)
    return redirect(f"{reverse('club_exchange', args=[club.slug])}#numbers")


@desk_view(GIVE_EVENTS)
@require_safe
def event_file(request: HttpRequest, club: Club) -> HttpResponse:
    """A published evening as a file for a league."""
    form = EventFileForm(request.GET, evenings=published_evenings(club)[:MOST_SHOWN])
    try:
        if not form.is_valid():
            raise DomainError("invalid", _("Choose an evening, and fill in the league."))
        slug, league = form.cleaned_data["evening"], form.cleaned_data["for_league"]
        evening = Evening.objects.of(club).by_slug(slug).get()
        document = event_document(evening, league.strip().lower())
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("club_exchange", club.slug)
    name = f"{club.slug}-{slug}.json"
    return HttpResponse(
        document_text(document),
        content_type="application/json",
        headers={"Content-Disposition": content_disposition_header(True, name) or ""},
    )


# What a link opens.


def _link(pull: str) -> PullLink:
    link = pull_link_find(pull)
    if link is None:
        raise Http404
    return link


def _too_often(link: PullLink) -> HttpResponse | None:
    if allowed(f"pull {link.pk}", PER_MINUTE):
        return None
    return JsonResponse({"code": "throttled"}, status=429, headers={"Retry-After": "60"})


def event_feed(request: HttpRequest, pull: str) -> HttpResponse:
    """The published evenings of a club, for the league that has this link."""
    link = _link(pull)
    if refused := _too_often(link):
        return refused
    content = event_list(link, reverse("event_feed", args=[pull]))
    tag = f'"{content_hash(content)}"'
    answer = get_conditional_response(request, etag=tag) or JsonResponse(content)
    return _kept_private(answer, tag)


def event_feed_document(request: HttpRequest, pull: str, event: str) -> HttpResponse:
    """One of them, signed; 409 while a correction waits to be published."""
    link = _link(pull)
    if refused := _too_often(link):
        return refused
    evening = get_object_or_404(published_evenings(link.club), uuid=event)
    tag = f'"{content_hash([evening.revision, link.league, link.club.chain_head])}"'
    answer = get_conditional_response(request, etag=tag)
    if answer is None:
        try:
            answer = JsonResponse(event_document(evening, link.league))
        except DomainError as error:
            return JsonResponse({"code": error.code, "detail": error.message}, status=409)
    return _kept_private(answer, tag)


def _kept_private(answer: HttpResponse, tag: str) -> HttpResponse:
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


event_feed = opens_for(None, require_safe(event_feed))
event_feed_document = opens_for(None, require_safe(event_feed_document))


# A league.


@leader_view
@read_or_write
def league_exchange(request: HttpRequest, league: League) -> HttpResponse:
    """Where the league gets events, one more address or a file, and what came."""
    by_file = bool(request.FILES) or "upload" in request.POST
    form = EventSourceForm(None if by_file else typed(request))
    upload = EventUploadForm(request.POST, request.FILES) if by_file else EventUploadForm()
    add = partial(source_add, league=league, actor=actor_of(request))
    if not by_file and saved(form, lambda: add(**form.cleaned_data)):
        messages.success(request, _("The club is on the list; its events come by themselves."))
        return redirect("league_exchange", league.slug)
    if by_file and _taken_in(request, league, upload):
        return redirect("league_exchange", league.slug)
    events = league.events.select_related("day__division").defer("document")[:MOST_SHOWN]
    return shown(
        request,
        "exchange.html",
        league,
        form=form,
        upload_form=upload,
        sources=league.sources.all(),
        events=[(event, notes_in_words(event.notes)) for event in events],
        status=422 if form.errors or upload.errors else 200,
    )


def _taken_in(request: HttpRequest, league: League, form: EventUploadForm) -> bool:
    """Whether the file was good; each fault is an error of the form."""
    if not form.is_valid():
        return False
    try:
        document = document_read(form.cleaned_data["file"].read(MOST_BYTES + 1))
        imported = event_import(league=league, document=document, actor=actor_of(request))
    except DomainError as error:
        lines = error.params.get("lines")
        form.add_error("file", lines if isinstance(lines, list) else [error.message])
        return False
    _say(request, imported)
    return True


def _say(request: HttpRequest, imported: Imported) -> None:
    if not imported.changed:
        messages.info(request, _("This event was here already; nothing has changed."))
        return
    said = ngettext(
        "The event is in, with %(n)s result of a match.",
        "The event is in, with %(n)s results of matches.",
        imported.results,
    )
    messages.success(request, said % {"n": imported.results})
    for note in imported.notes:
        messages.warning(request, note)


@leader_view
@read_or_write
def event_source_remove(request: HttpRequest, league: League, source: int) -> HttpResponse:
    """Ask, then read no more from there."""
    found = find_source(league, source)

    def act() -> str:
        source_remove(source=found, actor=actor_of(request))
        return _("%s is off the list.") % (found.club or found.host)

    back = reverse("league_exchange", args=[league.slug])
    name = found.club or found.host
    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Read no more of %s?") % name,
            text=_("%s goes from the list. What came from there stays.")
            % (found.club or found.host),
            yes=_("Yes, off the list"),
            back_url=back,
            act=act,
            next_url=back,
        ),
    )
