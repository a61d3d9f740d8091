"""What pages about evenings share. At the desk: finding an evening, showing a page, asking to
confirm or for a reason; and the lists of evenings and seasons, sorted and paged by django-tables2.
For everybody: finding the evening, the address of a player, a number asked for."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from typing import Any, Concatenate, ParamSpec

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubs.access.permissions import of_club, opens_for, speak_clubs_language
from clubs.databases.replica import read_for
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member, MemberName
from clubs.templatetags.ui import status
from clubs.text.errors import DomainError
from clubs.text.names import PREFIXES, name_key, sort_key
from clubs.text.numbers import whole_number
from tournaments.evenings.workflow import EveningProgress, evening_progress, evening_steps
from tournaments.models import (
    Competitor,
    Evening,
    EveningQuerySet,
    LeagueMatch,
    MatchDay,
    Round,
    Season,
)
from tournaments.standings.competitors import competitor_id_of, competitor_key

P = ParamSpec("P")
EveningView = Callable[Concatenate[HttpRequest, Evening, P], HttpResponse]


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


def evening_view(view: EveningView[P]) -> Callable[..., HttpResponse]:
    """A page of an evening that anybody may read: gets the evening in place of the two slugs.

    One query for the evening, its club, season and regulation; Http404 when there is none.
    """

    @wraps(view)
    def shown(
        request: HttpRequest, slug: str, evening_slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        def read() -> HttpResponse:
            evenings = Evening.objects.by_slug(evening_slug).filter(
                club__slug=slug, club__suspended_at=None
            )
            evening = get_object_or_404(evenings.select_related("club", "season", "regulation"))
            request.club = evening.club  # type: ignore[attr-defined]
            speak_clubs_language(request, evening.club)
            return view(request, evening, *args, **kwargs)

        return read_for(request, read)

    return opens_for(None, shown)


@dataclass(frozen=True, slots=True)
class PublicPerson:
    """Somebody's public name, and their public page; empty if they have none."""

    name: str
    url: str


def player_url(club: Club, member_id: int) -> str:
    """The page of a player who has one."""
    return _player_urls(club.slug) % member_id


@lru_cache(maxsize=256)
def _player_urls(club_slug: str) -> str:
    """The address of a player with `%d` for their id: working out one takes as long as making the
    rest of their line in a standing."""
    return reverse("player_page", args=[club_slug, 0]).replace("/0/", "/%d/")


def member_url(club: Club, member: Member | MemberName) -> str:
    """The page of this person; empty if they have none."""
    return player_url(club, member.pk) if member.has_page else ""


def asked_number(request: HttpRequest, name: str) -> int | None:
    """The number in the address as `?name=3`, or None. Http404 if it is not a number."""
    value = request.GET.get(name, "")
    if not value:
        return None
    number = whole_number(value, otherwise=-1)
    if number < 0:
        raise Http404
    return number


def shown_people(club: Club, player_ids: Iterable[str]) -> dict[str, PublicPerson]:
    """The players with these ids in the ranking, by their public names. One query."""
    wanted = [int(player_id) for player_id in player_ids]
    members = Member.objects.of(club).filter(pk__in=wanted).names()
    return {
        str(pk): PublicPerson(member.shown_name, member_url(club, member))
        for pk, member in members.items()
    }


def competitor_url(club: Club, competitor_id: int) -> str:
    """The page of a pair or team."""
    return reverse("competitor_page", args=[club.slug, competitor_id])


def shown_competitors(club: Club, keys: Iterable[str]) -> dict[str, PublicPerson]:
    """The pairs and teams with these keys in a ranking, as the public reads them. Two queries."""
    ids = {pk for key in keys if (pk := competitor_id_of(key)) is not None}
    competitors = club.competitors.filter(pk__in=ids).prefetch_related("people__member")
    return {
        competitor_key(competitor.pk): PublicPerson(
            public_name(competitor), competitor_url(club, competitor.pk)
        )
        for competitor in competitors
    }


def competitors_version(club: Club) -> tuple[tuple[int, int], ...]:
    """Differs after any change of a pair or team of this club. One query."""
    return tuple(club.competitors.order_by("pk").values_list("pk", "version"))


def public_name(competitor: Competitor) -> str:
    """The name of a pair or team; where it says who somebody is that the public may not read, the
    public names of its people. `people` is loaded with its members."""
    people = [person.member for person in competitor.people.all()]
    words = set(name_key(competitor.name).replace("&", " ").split())
    covered = [member for member in people if member.shown_name != member.name]
    if not any(words & _telling(member.name) for member in covered):
        return competitor.name
    today = [person.member for person in competitor.people.all() if person.until is None]
    return " & ".join(member.shown_name for member in dict.fromkeys(today or people))


def _telling(name: str) -> set[str]:
    """The words of a name that say who it is."""
    return {word for word in name_key(name).split() if word not in PREFIXES and len(word) > 1}


def people_by_name(club: Club, ids: Iterable[int]) -> list[Member]:
    """These members by their public names, in Dutch order. One query."""
    members = Member.objects.of(club).in_bulk(list(ids)).values()
    return sorted(members, key=lambda member: (sort_key(member.shown_name), member.pk))


def evening_page_url(club: Club, evening_slug: str) -> str:
    """The public page of an evening."""
    return reverse("evening_page", args=[club.slug, evening_slug])


def evening_date(evening_slug: str) -> datetime.date:
    """The day of the evening with this key in the ranking."""
    return datetime.date.fromisoformat(evening_slug[:10])


@dataclass(frozen=True, slots=True)
class ClubMatchDay:
    """A match day of a league on which a club plays, with the names of the teams that meet, the
    host first."""

    match_day: MatchDay
    teams: list[str]

    @property
    def url(self) -> str:
        """The public page on which the day is."""
        division = self.match_day.division
        season = division.season
        return reverse("league_division", args=[season.league.slug, season.slug, division.position])


def match_days_of(
    club: Club, *, since: datetime.date | None = None, most: int | None = None
) -> list[ClubMatchDay]:
    """The dated match days on which teams of this club play, soonest first, at most so many; not
    those of which the club made an evening. One query."""
    own = Q(home__club_uuid=club.uuid, home__withdrawn_on=None)
    own |= Q(away__club_uuid=club.uuid, away__withdrawn_on=None)
    evenings = club.evenings.values("uuid")
    matches = (
        LeagueMatch.objects.filter(own, day__date__isnull=False)
        .exclude(day__evening_uuid__in=evenings)
        .select_related("home", "away", "day__division__season__league", "day__host")
        .order_by("day__date", "day", "round", "pk")
    )
    if since is not None:
        matches = matches.filter(day__date__gte=since)
    days: dict[int, ClubMatchDay] = {}
    for match in matches:
        day = match.day
        if day.pk not in days:
            if most is not None and len(days) == most:
                break
            days[day.pk] = ClubMatchDay(day, [day.host.name] if day.host else [])
        names = days[day.pk].teams
        names += [team.name for team in (match.home, match.away) if team.name not in names]
    return list(days.values())
