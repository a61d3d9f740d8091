"""What the desk's pages about an evening share: finding it, showing a page, asking to confirm or
for a reason; and the lists of evenings and seasons, sorted and paged by django-tables2."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubs.access.permissions import of_club
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.templatetags.ui import status
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.evenings.workflow import EveningProgress, evening_progress, evening_steps
from tournaments.models import Evening, EveningQuerySet, Round, Season


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


class ReasonForm(forms.Form):
    """Asks why; `required=False` makes it a remark that may be left out."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give the reason in a few words.")},
    )

    def __init__(self, *args: Any, required: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = required

    @property
    def given(self) -> str:
        """The reason; the form must be valid."""
        reason: str = self.cleaned_data["reason"]
        return reason


NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
STATUS_OF = {"running": "live", "closed": "closed", "cancelled": "cancelled"}


class EveningListTable(tables.Table):
    """A club's evenings; needs `players` annotated."""

    date = tables.Column(verbose_name=_("Date"))
    name = tables.Column(verbose_name=_("Name"), orderable=False)
    season = tables.Column(verbose_name=_("Season"), order_by=("season__name",))
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER)
    state = tables.Column(verbose_name=_("State"))

    class Meta:
        template_name = "components/table.html"
        order_by = "-date"
        empty_text = _("No evenings yet.")

    def render_date(self, record: Evening) -> SafeString:
        url = reverse("evening_desk", args=[record.club.slug, record.slug])
        day = date_format(record.date, "D j b Y")
        return format_html('<a class="nowrap" href="{}">{}</a>', url, day)

    def render_state(self, record: Evening) -> SafeString | str:
        known = STATUS_OF.get(record.state)
        return status(known) if known else record.get_state_display()

    def order_date(
        self, queryset: EveningQuerySet, is_descending: bool
    ) -> tuple[EveningQuerySet, bool]:
        sign = "-" if is_descending else ""
        return queryset.order_by(f"{sign}date", f"{sign}sequence"), True


class SeasonListTable(tables.Table):
    """A club's seasons; needs `evening_count` annotated."""

    name = tables.Column(verbose_name=_("Season"))
    starts = tables.DateColumn(verbose_name=_("First day"), format="j F Y")
    ends = tables.DateColumn(verbose_name=_("Last day"), format="j F Y")
    evening_count = tables.Column(verbose_name=_("Evenings"), attrs=NUMBER)

    class Meta:
        template_name = "components/table.html"
        order_by = "-starts"
        empty_text = _("No seasons yet.")

    def render_name(self, record: Season) -> SafeString:
        url = reverse("season_edit", args=[record.club.slug, record.slug])
        return format_html('<a href="{}">{}</a>', url, record.name)
