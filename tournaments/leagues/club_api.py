"""The API of what clubs do in leagues: the match days they host, and the evenings that count for
rankings."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import of_club
from clubs.api.requests import idempotent
from clubs.api.resource import ClubResource, Needs, Pages, key_parameter
from clubs.models import Member
from tournaments.evenings.permissions import PLAN_EVENING
from tournaments.leagues.api import InLeague, WhySerializer
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat, team_absent
from tournaments.leagues.match_api import MatchDaySerializer
from tournaments.leagues.matches import teams_of
from tournaments.leagues.people import person_link_end, require_plays
from tournaments.leagues.permissions import MAKE_LEAGUE, find_hosted_day
from tournaments.leagues.queries import evening_of, hosted_days, shown_days
from tournaments.leagues.rankings import (
    entered_evenings,
    ranked_evening_enter,
    ranked_evening_take_back,
)
from tournaments.models import Evening, LeagueTeam, MatchDay


class HostedDaySerializer(serializers.Serializer[Any]):
    """A match day that a team of the club hosts."""

    league = serializers.CharField(help_text="Its slug.")
    evening = serializers.CharField(
        allow_null=True, help_text="The slug of its evening, once there is one."
    )
    day = MatchDaySerializer()


class SeatedRoundSerializer(serializers.Serializer[Any]):
    """The round of a match day that was seated."""

    evening = serializers.CharField(help_text="The slug of its evening.")
    round = serializers.IntegerField()


class RankableSerializer(serializers.Serializer[Any]):
    """An evening of the club that may count for the rankings of a league."""

    evening = serializers.CharField(help_text="Its slug.")
    name = serializers.CharField()
    counts = serializers.BooleanField()


class HostedDayListing(ClubResource):
    """The match days that teams of a club host."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": PLAN_EVENING}

    @extend_schema(
        operation_id="hosted_day_list",
        summary="The match days that the club hosts",
        parameters=Pages.parameters(),
        responses=Pages.answer(HostedDaySerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those that are not over, at two tables a match."""
        days = [
            {
                "league": shown.day.division.season.league.slug,
                "evening": evening and evening.slug,
                "day": shown,
            }
            for shown, evening in hosted_days(self.club)
        ]
        return Pages.of(self, days, HostedDaySerializer)


class HostedDaySeating(ClubResource):
    """The evening of a match day, and its rounds."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"post": PLAN_EVENING}

    @extend_schema(
        operation_id="hosted_day_seat",
        summary="Make the evening of a match day, or seat its next round",
        parameters=[key_parameter(required=False)],
        request=None,
        responses={201: SeatedRoundSerializer},
    )
    def post(self, request: Request, slug: str, day: int) -> HttpResponse:
        """As captains say who plays; without a line-up the first fixed players."""
        found = find_hosted_day(self.club, day)
        return idempotent(request, about=f"match day {day}", act=lambda: self._seat(found))

    def _seat(self, day: MatchDay) -> Response:
        evening, number = evening_of(day), 1
        if evening is None:
            evening = match_day_evening_make(day=day, club=self.club, actor=self.actor)
        else:
            number = match_day_seat(day=day, evening=evening, actor=self.actor)
        return Response({"evening": evening.slug, "round": number}, 201)


class HostedDayAbsence(ClubResource):
    """A team that did not appear at the host's."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"put": PLAN_EVENING}

    @extend_schema(
        operation_id="hosted_day_absent",
        summary="A team did not appear, as the host says",
        request=WhySerializer,
        responses=MatchDaySerializer,
    )
    def put(self, request: Request, slug: str, day: int, team: int) -> Response:
        """In all its matches of the day without a result; the leader makes it binding."""
        found = find_hosted_day(self.club, day)
        teams = LeagueTeam.objects.filter(pk__in=[each.pk for each in teams_of(found)])
        whose = get_object_or_404(teams, pk=team)
        team_absent(day=found, team=whose, actor=self.actor, **self.given(WhySerializer))
        return Response(self.show_current())

    def show_current(self, _seen: object = None) -> object:
        """The day as it stands now, for a version conflict too."""
        (shown,) = shown_days(MatchDay.objects.filter(pk=self.kwargs["day"]))
        return MatchDaySerializer(shown).data


class ClubPersonDetail(InLeague):
    """A member of a club in a league."""

    needs: ClassVar[Needs] = {"delete": MAKE_LEAGUE}

    @extend_schema(
        operation_id="club_league_person_end",
        summary="End the link of a member",
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, league: str, person: int) -> Response:
        """The league knows them no more at this club; doing it twice is harmless."""
        member = of_club(self.club, Member, pk=person)
        link = self.league.person_links.filter(member_uuid=member.uuid).first()
        if link is not None:
            person_link_end(link=link, actor=self.actor)
        return Response(status=204)


class RankableListing(InLeague):
    """The evenings of a club that may count for the rankings of a league."""

    read_is_refused = True
    needs: ClassVar[Needs] = {"get": MAKE_LEAGUE}

    @extend_schema(
        operation_id="ranked_evening_list",
        summary="The evenings of a club that may count for rankings",
        parameters=Pages.parameters(),
        responses=Pages.answer(RankableSerializer),
    )
    def get(self, request: Request, slug: str, league: str) -> Response:
        """Of the last two years, newest first; match days count by themselves."""
        require_plays(self.league, self.club)
        evenings = [
            {"evening": evening.slug, "name": evening.name, "counts": counts}
            for evening, counts in entered_evenings(self.league, self.club)
        ]
        return Pages.of(self, evenings, RankableSerializer)


class RankableDetail(InLeague):
    """Whether an evening of a club counts for the rankings of a league."""

    needs: ClassVar[Needs] = {"put": MAKE_LEAGUE, "delete": MAKE_LEAGUE}

    @extend_schema(
        operation_id="ranked_evening_enter",
        summary="Have an evening count for the rankings",
        request=None,
        responses={204: None},
    )
    def put(self, request: Request, slug: str, league: str, evening_slug: str) -> Response:
        """The same again changes nothing."""
        evening = self._evening(evening_slug)
        ranked_evening_enter(league=self.league, evening=evening, actor=self.actor)
        return Response(status=204)

    @extend_schema(
        operation_id="ranked_evening_take_back",
        summary="Have an evening count no more",
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, league: str, evening_slug: str) -> Response:
        """Lists that were published stay."""
        evening = self._evening(evening_slug)
        ranked_evening_take_back(league=self.league, evening=evening, actor=self.actor)
        return Response(status=204)

    def _evening(self, evening_slug: str) -> Evening:
        evenings = Evening.objects.of(self.club).by_slug(evening_slug)
        return get_object_or_404(evenings, state=Evening.State.CLOSED)
