"""What the desk's pages about an evening share: finding it, showing a page, asking to confirm."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from clubs.access.permissions import of_club
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.evenings.workflow import EveningProgress, evening_progress, evening_steps
from tournaments.models import Evening, Round, Season


def find_evening(club: Club, evening_slug: str) -> Evening:
    """The club's evening in the address; Http404 if there is none."""
    evenings = Evening.objects.of(club).by_slug(evening_slug)
    evening = get_object_or_404(evenings.select_related("season", "regulation", "kind"))
    evening.club = club
    return evening


def find_round(club: Club, evening_slug: str, round_number: int) -> Round:
    """A round of the club's evening; Http404 if there is none."""
    evening = find_evening(club, evening_slug)
    round_ = get_object_or_404(evening.rounds, number=round_number)
    round_.evening = evening
    return round_


def find_season(club: Club, season_slug: str) -> Season:
    """The club's season in the address; Http404 if there is none."""
    season = of_club(club, Season, slug=season_slug)
    season.club = club
    return season


def posted_member(request: HttpRequest, club: Club) -> Member:
    """The person of the club posted as `member`; Http404 if there is none."""
    number = whole_number(request.POST.get("member", ""))
    return get_object_or_404(Member.objects.of(club), pk=number)


def show_evening(
    request: HttpRequest,
    template: str,
    evening: Evening,
    *,
    progress: EveningProgress | None = None,
    status: int = 200,
    at_draw: bool = False,
    **context: object,
) -> HttpResponse:
    """A page of the evening under its line of steps; `at_draw` for the pages of the draw. The
    template is named without `tournaments/`."""
    progress = progress or evening_progress(evening)
    shared = {
        "club": evening.club,
        "section": "evenings",
        "evening": evening,
        "progress": progress,
        "steps": evening_steps(progress, at_draw=at_draw),
    }
    return render(request, f"tournaments/{template}", {**shared, **context}, status=status)


def confirm(request: HttpRequest, evening: Evening, confirmation: ConfirmedAction) -> HttpResponse:
    """Ask on a page of the evening, and act on a yes."""
    return confirmation.respond(
        request, partial(show_evening, request, "evenings/confirm.html", evening)
    )


@contextmanager
def refusals_shown(request: HttpRequest) -> Iterator[None]:
    """Show a DomainError raised inside as a message on the next page."""
    try:
        yield
    except DomainError as error:
        messages.error(request, error.message)


def to_evening(name: str, evening: Evening, *args: object) -> HttpResponse:
    """Redirect to the page `name` of this evening."""
    return redirect(evening_url(name, evening, *args))


def evening_url(name: str, evening: Evening, *args: object) -> str:
    """The address of the page `name` of this evening."""
    return reverse(name, args=[evening.club.slug, evening.slug, *args])
