"""What the public pages share: finding the evening, the address of a player, a number asked for."""

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.access.permissions import opens_for, speak_clubs_language
from clubs.databases.replica import read_for
from clubs.models import Club, Member, MemberName
from clubs.text.names import PREFIXES, name_key, sort_key
from clubs.text.numbers import whole_number
from tournaments.models import Competitor, Evening, LeagueMatch, MatchDay
from tournaments.standings.competitors import competitor_id_of, competitor_key

P = ParamSpec("P")
EveningView = Callable[Concatenate[HttpRequest, Evening, P], HttpResponse]


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


def evening_url(club: Club, evening_slug: str) -> str:
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
