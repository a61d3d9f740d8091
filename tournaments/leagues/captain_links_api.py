"""The API of the links of captains: what leaders and clubs do about them."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.resource import ClubResource, Needs, Pages, StrictSerializer
from clubs.http.network import server_url
from tournaments.leagues.api import Json, LeagueResource
from tournaments.leagues.division_api import LeagueTeamSerializer
from tournaments.leagues.lineups import (
    captain_link_make,
    captain_link_withdraw,
    captain_links_renew,
    captain_path,
    teams_to_link_again,
)
from tournaments.leagues.permissions import (
    MAKE_LEAGUE,
    RUN_LEAGUE,
    find_league_season,
    find_league_team,
    find_team_of,
)
from tournaments.models import CaptainLink


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
