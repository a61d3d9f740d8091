"""The API of what clubs do in leagues: the match days they host, the evenings that count for
rankings, and what they give leagues on other servers: the links by which those read its evenings,
one evening as a document, and the league numbers that go along."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import of_club, owned
from clubs.api.requests import idempotent
from clubs.api.resource import ClubResource, Needs, Pages, StrictSerializer, key_parameter
from clubs.http.network import absolute_url
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from tournaments.evenings.api_base import LARGEST
from tournaments.evenings.permissions import PLAN_EVENING
from tournaments.leagues.api import InLeague, WhySerializer
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat, team_absent
from tournaments.leagues.event_documents import event_document
from tournaments.leagues.match_api import MatchDaySerializer
from tournaments.leagues.matches import teams_of
from tournaments.leagues.people import (
    league_name,
    number_elsewhere_remove,
    number_elsewhere_write,
    person_link_end,
    require_plays,
)
from tournaments.leagues.permissions import GIVE_EVENTS, MAKE_LEAGUE, find_hosted_day
from tournaments.leagues.pulling import pull_link_make, pull_link_withdraw
from tournaments.leagues.queries import evening_of, hosted_days, shown_days
from tournaments.leagues.rankings import (
    entered_evenings,
    ranked_evening_enter,
    ranked_evening_take_back,
)
from tournaments.models import Evening, LeagueTeam, MatchDay, NumberElsewhere, PullLink


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


class PullLinkSerializer(serializers.Serializer[Any]):
    """A link by which a league reads the club's evenings. Its address is shown once."""

    id = serializers.IntegerField()
    league = serializers.CharField(help_text="The web name of the league.")
    made_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When it was read last.")


class PullLinkMadeSerializer(PullLinkSerializer):
    """A new link, with its address."""

    address = serializers.CharField(help_text="For the leader of the league, and nobody else.")


class PullLinkMakeSerializer(StrictSerializer):
    """For which league a link is made."""

    league = serializers.CharField(max_length=50)


class NumberElsewhereSerializer(serializers.Serializer[Any]):
    """The number that somebody of the club has in a league on another server."""

    id = serializers.IntegerField()
    league = serializers.CharField()
    member = serializers.IntegerField(source="member_id")
    number = serializers.IntegerField()


class NumberElsewhereWriteSerializer(StrictSerializer):
    """Whose number it is, with the code that the league gave with it."""

    league = serializers.CharField(max_length=50)
    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    number = serializers.IntegerField(min_value=1, max_value=999_999)
    code = serializers.CharField(max_length=20)


class PullLinkListing(ClubResource):
    """The links by which leagues on other servers read a club's evenings."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS, "post": GIVE_EVENTS}

    @extend_schema(
        operation_id="pull_link_list",
        summary="The links by which leagues read the club's evenings",
        parameters=Pages.parameters(),
        responses=Pages.answer(PullLinkSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Without their addresses, of which only a hash is stored."""
        links = self.club.pull_links.filter(withdrawn_at=None)
        return Pages.of(self, links, PullLinkSerializer)

    @extend_schema(
        operation_id="pull_link_make",
        summary="Make a link for a league",
        request=PullLinkMakeSerializer,
        responses={201: PullLinkMadeSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """The address is in this answer only, so it takes no key."""
        given = self.given(PullLinkMakeSerializer)
        made = pull_link_make(club=self.club, actor=self.actor, **given)
        address = absolute_url(self.club, made.path)
        return Response({**PullLinkSerializer(made.link).data, "address": address}, 201)


class PullLinkDetail(ClubResource):
    """A link by which a league reads a club's evenings."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"delete": GIVE_EVENTS}

    @extend_schema(
        operation_id="pull_link_withdraw", summary="Withdraw a link", responses={204: None}
    )
    def delete(self, request: Request, slug: str, link: int) -> Response:
        """From then on it opens nothing."""
        pull_link_withdraw(link=of_club(self.club, PullLink, pk=link), actor=self.actor)
        return Response(status=204)


class EventDocument(ClubResource):
    """A published evening as a document for a league."""

    tag = "leagues"
    read_is_refused = True
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS}

    @extend_schema(
        operation_id="event_document_read",
        summary="A published evening as a signed document for a league",
        parameters=[
            OpenApiParameter("league", required=True, description="The web name of the league.")
        ],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> Response:
        """As `docs/event.schema.json` has it; 422 while it, or a correction, is not published."""
        evening = get_object_or_404(Evening.objects.of(self.club).by_slug(evening_slug))
        asked = request.query_params.get("league", "")
        if not asked.strip():
            message = "Say for which league: its web name."
            raise Problem(
                400, "required", message, errors=[FieldError("league", "required", message)]
            )
        return Response(event_document(evening, league_name(asked)))


class NumberElsewhereListing(ClubResource):
    """The numbers of a club's people in leagues on other servers."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": GIVE_EVENTS, "put": GIVE_EVENTS}

    @extend_schema(
        operation_id="number_elsewhere_list",
        summary="Numbers of the club's people in leagues on other servers",
        parameters=Pages.parameters(),
        responses=Pages.answer(NumberElsewhereSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """They go along with each evening; their codes are not shown."""
        return Pages.of(self, owned(self.club, NumberElsewhere), NumberElsewhereSerializer)

    @extend_schema(
        operation_id="number_elsewhere_write",
        summary="Note a number",
        request=NumberElsewhereWriteSerializer,
        responses=NumberElsewhereSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        """In place of what was noted of this member in this league."""
        given = self.given(NumberElsewhereWriteSerializer)
        member = of_club(self.club, Member, pk=given.pop("member"))
        row = number_elsewhere_write(member=member, actor=self.actor, **given)
        return Response(NumberElsewhereSerializer(row).data)


class NumberElsewhereDetail(ClubResource):
    """A number of somebody of a club in a league on another server."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"delete": GIVE_EVENTS}

    @extend_schema(
        operation_id="number_elsewhere_remove", summary="Remove a number", responses={204: None}
    )
    def delete(self, request: Request, slug: str, number_pk: int) -> Response:
        """It goes along no more."""
        found = of_club(self.club, NumberElsewhere, pk=number_pk)
        number_elsewhere_remove(row=found, actor=self.actor)
        return Response(status=204)
