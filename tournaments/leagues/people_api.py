"""The API of people's own ways into a league: numbers, what its leaders, clubs and people
themselves do, and somebody's results over the clubs; and the links of captains, what leaders and
clubs do about them."""

from typing import Any, ClassVar
from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import Target, of_club
from clubs.api.resource import (
    ANYBODY,
    ClubResource,
    Needs,
    Pages,
    StrictSerializer,
    known_parameter,
)
from clubs.http.network import absolute_url, server_url
from clubs.models import Member
from tournaments.leagues.api import InLeague, Json, LeagueResource, by_link
from tournaments.leagues.division_api import LeagueTeamSerializer
from tournaments.leagues.lineups import (
    captain_link_make,
    captain_link_withdraw,
    captain_links_renew,
    captain_path,
    teams_to_link_again,
)
from tournaments.leagues.people import (
    HOLDER,
    ClubPerson,
    PersonElsewhere,
    club_people,
    link_find,
    nobody,
    people_elsewhere,
    people_shown,
    person_code,
    person_confirm,
    person_link_end,
    person_link_make,
    person_number_give,
    person_number_take_back,
    require_plays,
)
from tournaments.leagues.permissions import (
    CONFIRM_NUMBER,
    MAKE_LEAGUE,
    RUN_LEAGUE,
    find_league_season,
    find_league_team,
    find_person,
    find_team_of,
)
from tournaments.leagues.ranked_results import person_results
from tournaments.leagues.ranking_api import CountedSerializer, RankedSerializer, ranked_json
from tournaments.leagues.rankings import latest_lists, places_of
from tournaments.models import CaptainLink, PersonLink


class PersonResultSerializer(CountedSerializer):
    """A result of somebody; its value is the percentage of the field that was beaten."""

    discipline = serializers.CharField()


class PersonPlaceSerializer(RankedSerializer):
    """A place of somebody in the newest official list of a ranking."""

    ranking = serializers.CharField(help_text="Its slug.")
    list = serializers.IntegerField()
    on = serializers.DateField()


class LeaguePersonSerializer(serializers.Serializer[Any]):
    """Somebody over the clubs of a league."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    places = PersonPlaceSerializer(many=True)
    results = PersonResultSerializer(many=True)


class NumberSerializer(serializers.Serializer[Any]):
    """A number that was given to somebody of clubs on other servers."""

    number = serializers.IntegerField()
    code = serializers.CharField(help_text="Their club needs it with the number.")
    name = serializers.CharField(allow_blank=True, help_text="As their club shows them.")
    clubs = serializers.ListField(child=serializers.CharField())


class OwnNumberSerializer(serializers.Serializer[Any]):
    """What somebody's own link leads to."""

    number = serializers.IntegerField(allow_null=True, help_text="Null until they say yes.")
    code = serializers.CharField(allow_blank=True, help_text="For another club, with the number.")
    shown = serializers.CharField(allow_blank=True, help_text="How everybody reads them.")


class ConfirmNumberSerializer(StrictSerializer):
    """Yes to a new number, or to the one that somebody has already, with its code."""

    number = serializers.IntegerField(min_value=1, max_value=999_999, required=False)
    code = serializers.CharField(max_length=20, required=False)


class ClubPersonSerializer(serializers.Serializer[Any]):
    """A member of a club in a league."""

    member = serializers.IntegerField(help_text="The id of the member.")
    name = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    link = serializers.CharField(allow_null=True, help_text="Theirs alone: hand it out to them.")


class LinkForSerializer(StrictSerializer):
    """For whom a link is made."""

    member = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class LeaguePeople(LeagueResource):
    """The people of clubs on other servers that the league gave a number."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_number_list",
        summary="The numbers of people of clubs on other servers",
        parameters=Pages.parameters(),
        responses=Pages.answer(NumberSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """People of clubs on this server confirm by a link of their club."""
        people = [_number_json(each) for each in people_elsewhere(self.league)]
        return Pages.of(self, people, NumberSerializer)

    @extend_schema(
        operation_id="league_number_give",
        summary="Give a number",
        request=None,
        responses={201: NumberSerializer},
    )
    def post(self, request: Request, league: str) -> HttpResponse:
        """Somebody tells it to their club with its code; the events of that club then have it. No
        key: an answer with a code is not kept."""
        person = person_number_give(league=self.league, actor=self.actor)
        return Response(_number_json(PersonElsewhere(person, [], "")), 201)


def _number_json(each: PersonElsewhere) -> Json:
    columns = {"number": each.person.number, "code": each.code, "name": each.name}
    return {**columns, "clubs": list(each.clubs)}


class LeaguePersonDetail(LeagueResource):
    """Somebody whom the league knows by a number."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_person_read",
        summary="Somebody over the clubs, each value explained",
        parameters=[known_parameter()],
        responses={200: LeaguePersonSerializer, 304: None},
    )
    def get(self, request: Request, league: str, person: int) -> HttpResponse:
        """Their results, newest first, and their place in each newest official list. Who is hidden
        at one of their clubs is not found."""
        found = find_person(self.league, person)
        uuid = str(found.uuid)
        seen = people_shown(self.league, [uuid]).get(uuid, nobody())
        if seen.number is None:
            raise Http404
        listed = places_of(uuid, latest_lists(self.league))
        shown = ranked_json(self.league, [place.row for place in listed])
        places = [
            {**row, "ranking": made.ranking.slug, "list": made.number, "on": made.on}
            for row, made in zip(shown, [place.made for place in listed], strict=True)
        ]
        results = [
            {**CountedSerializer(result).data, "discipline": str(discipline)}
            for result, discipline in person_results(self.league, uuid)
        ]
        data = {"number": seen.number, "name": seen.name, "places": places, "results": results}
        return self.shown(dict(LeaguePersonSerializer(data).data))

    @extend_schema(
        operation_id="league_number_take_back", summary="Take a number back", responses={204: None}
    )
    def delete(self, request: Request, league: str, person: int) -> Response:
        """Of somebody of clubs on other servers; others end it by their own link."""
        found = find_person(self.league, person)
        person_number_take_back(person=found, actor=self.actor)
        return Response(status=204)


class OwnNumber(LeagueResource):
    """What somebody's own link leads to, which their club gave them."""

    needs: ClassVar[Needs] = {
        "get": CONFIRM_NUMBER,
        "put": CONFIRM_NUMBER,
        "delete": CONFIRM_NUMBER,
    }
    link: PersonLink

    def target(self) -> Target:
        """The link itself. Http404 for none."""
        link = link_find(self.league, self.kwargs["uuid"], self.kwargs["code"])
        if link is None:
            raise Http404
        self.link = link
        by_link(self.request, link)
        return link  # type: ignore[return-value]

    @extend_schema(
        operation_id="own_number_read", summary="Your number", responses=OwnNumberSerializer
    )
    def get(self, request: Request, league: str, uuid: UUID, code: str) -> Response:
        """Reading it says nothing yet."""
        return Response(self._json())

    @extend_schema(
        operation_id="own_number_confirm",
        summary="Say yes",
        request=ConfirmNumberSerializer,
        responses=OwnNumberSerializer,
    )
    def put(self, request: Request, league: str, uuid: UUID, code: str) -> Response:
        """To a new number, or with `number` and `code` to your own. The same again changes
        nothing."""
        person_confirm(link=self.link, actor=HOLDER, **self.given(ConfirmNumberSerializer))
        self.link.refresh_from_db()
        return Response(self._json())

    @extend_schema(
        operation_id="own_number_end", summary="No longer be known", responses={204: None}
    )
    def delete(self, request: Request, league: str, uuid: UUID, code: str) -> Response:
        """The results at this club count no more; the link is gone with it."""
        person_link_end(link=self.link, actor=HOLDER)
        return Response(status=204)

    def _json(self) -> Json:
        person = self.link.person
        seen = people_shown(self.league, [str(person.uuid)]) if person else {}
        return {
            "number": person.number if person else None,
            "code": person_code(person) if person else "",
            "shown": seen[str(person.uuid)].name if person else "",
        }


class ClubPeople(InLeague):
    """The members of a club in a league, with their links."""

    read_is_refused = True
    needs: ClassVar[Needs] = {"get": MAKE_LEAGUE, "post": MAKE_LEAGUE}

    @extend_schema(
        operation_id="club_league_people_list",
        summary="The members of a club in a league",
        parameters=Pages.parameters(),
        responses=Pages.answer(ClubPersonSerializer),
    )
    def get(self, request: Request, slug: str, league: str) -> Response:
        """Who plays for its teams there, or has a link."""
        require_plays(self.league, self.club)
        people = [self._json(each) for each in club_people(self.league, self.club)]
        return Pages.of(self, people, ClubPersonSerializer)

    @extend_schema(
        operation_id="club_league_person_link",
        summary="Make a link for a member",
        request=LinkForSerializer,
        responses={201: ClubPersonSerializer},
    )
    def post(self, request: Request, slug: str, league: str) -> HttpResponse:
        """The one there is, if there is: the same again changes nothing and needs no key, under
        which the link would be kept."""
        member = of_club(self.club, Member, pk=self.given(LinkForSerializer)["member"])
        link = person_link_make(league=self.league, member=member, actor=self.actor)
        return Response(self._json(ClubPerson(member, link)), 201)

    def _json(self, each: ClubPerson) -> Json:
        person = each.link.person if each.link else None
        return {
            "member": each.member.pk,
            "name": each.member.desk_name,
            "number": person.number if person else None,
            "link": absolute_url(self.club, each.address) if each.link else None,
        }


class CaptainLinkWriteSerializer(StrictSerializer):
    """A link for a captain: the one there is, unless it is to be another."""

    renew = serializers.BooleanField(default=False)


class CaptainLinkSerializer(serializers.Serializer[Any]):
    """The link of a team's captain. Whoever has it acts for the team."""

    team = serializers.IntegerField()
    link = serializers.CharField(help_text="The page of the captain.")
    captain = serializers.CharField(help_text="Its secret: `captain/CAPTAIN/` in this API.")


class TeamCaptain(LeagueResource):
    """The link of a team's captain, as the league's leader makes it."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="captain_link_make",
        summary="The link of a team's captain",
        request=CaptainLinkWriteSerializer,
        responses=CaptainLinkSerializer,
    )
    def put(self, request: Request, league: str, team: int) -> Response:
        """The one there is, or with `renew` another: the one before ends at once."""
        given = self.given(CaptainLinkWriteSerializer)
        found = find_league_team(self.league, team)
        link = captain_link_make(team=found, actor=self.actor, keep=not given["renew"])
        return Response(captain_link_json(link))

    @extend_schema(
        operation_id="captain_link_withdraw", summary="End a captain's link", responses={204: None}
    )
    def delete(self, request: Request, league: str, team: int) -> Response:
        """From then on it opens nothing."""
        captain_link_withdraw(team=find_league_team(self.league, team), actor=self.actor)
        return Response(status=204)


class SeasonCaptains(LeagueResource):
    """The links of the captains of a season that had one in the season before."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="captain_links_due",
        summary="The teams whose captain has a link of the season before",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueTeamSerializer),
    )
    def get(self, request: Request, league: str, league_season: str) -> Response:
        """And none of this season yet."""
        season = find_league_season(self.league, league_season)
        return Pages.of(self, teams_to_link_again(season), LeagueTeamSerializer)

    @extend_schema(
        operation_id="captain_links_renew",
        summary="Give all these captains a link of this season",
        request=None,
        responses=CaptainLinkSerializer(many=True),
    )
    def post(self, request: Request, league: str, league_season: str) -> Response:
        """Those of the season before end at once. The same again makes none, so it needs no key,
        under which the links would be kept; those that are there are read from each team."""
        season = find_league_season(self.league, league_season)
        links = captain_links_renew(season=season, actor=self.actor)
        return Response([captain_link_json(link) for link in links])


class ClubTeamCaptain(ClubResource):
    """The link of the captain of a club's own team."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"put": MAKE_LEAGUE, "delete": MAKE_LEAGUE}

    @extend_schema(
        operation_id="club_captain_link_make",
        summary="The link of the captain of a team of the club",
        request=CaptainLinkWriteSerializer,
        responses=CaptainLinkSerializer,
    )
    def put(self, request: Request, slug: str, team: int) -> Response:
        """The one there is, or with `renew` another: the one before ends at once."""
        keep = not self.given(CaptainLinkWriteSerializer)["renew"]
        link = captain_link_make(team=find_team_of(self.club, team), actor=self.actor, keep=keep)
        return Response(captain_link_json(link))

    @extend_schema(
        operation_id="club_captain_link_withdraw",
        summary="End the link of a captain of the club",
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, team: int) -> Response:
        """From then on it opens nothing."""
        captain_link_withdraw(team=find_team_of(self.club, team), actor=self.actor)
        return Response(status=204)


def captain_link_json(link: CaptainLink) -> Json:
    """A captain's link as it is read."""
    path = captain_path(link)
    return {
        "team": link.team_id,
        "link": server_url() + path,
        "captain": path.strip("/").rpartition("/")[2],
    }
