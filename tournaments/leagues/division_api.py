"""The API of the divisions of a league: their tables and their teams."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import idempotent
from clubs.api.resource import (
    ANYBODY,
    Needs,
    Pages,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from tournaments.leagues.api import (
    DivisionSerializer,
    Json,
    LeagueResource,
    NamedSerializer,
    VersionedSerializer,
)
from tournaments.leagues.core.table import points_text
from tournaments.leagues.lineup_queries import player_names
from tournaments.leagues.lineups import listed_for_others
from tournaments.leagues.permissions import (
    RUN_LEAGUE,
    find_division,
    find_league_season,
    find_league_team,
)
from tournaments.leagues.queries import TableLine, division_table
from tournaments.leagues.services import division_add, division_remove, division_rename
from tournaments.leagues.teams import (
    TeamLine,
    team_change,
    team_reinstate,
    team_remove,
    team_withdraw,
    teams_add,
)
from tournaments.leagues.texts import place_words
from tournaments.models import LeagueTeam

SAW = "The version you saw."


class NameChangeSerializer(NamedSerializer):
    """Another name."""

    version = serializers.CharField(required=False, help_text="The version you saw.")


class TableRowSerializer(serializers.Serializer[Any]):
    """A line of the table of a division, as `manage.py league` has it."""

    place = serializers.IntegerField(source="row.place")
    team = serializers.IntegerField(source="team.pk", help_text="Its id.")
    name = serializers.CharField(source="row.team")
    played = serializers.IntegerField(source="row.played")
    won = serializers.IntegerField(source="row.won")
    drawn = serializers.IntegerField(source="row.drawn")
    lost = serializers.IntegerField(source="row.lost")
    points = serializers.SerializerMethodField(help_text="Match points.")
    scored = serializers.IntegerField(source="row.scored")
    conceded = serializers.IntegerField(source="row.conceded")
    difference = serializers.IntegerField(source="row.difference")
    form = serializers.ListField(
        child=serializers.CharField(), help_text="`won`, `drawn` or `lost`, the newest last."
    )
    zone = serializers.CharField(help_text="`up`, `down`, or empty.")
    why = serializers.SerializerMethodField(help_text="Why it has this place.")

    def get_points(self, line: TableLine) -> str:
        return points_text(line.row.points, self.context["table"].rule.match)

    def get_why(self, line: TableLine) -> str:
        return place_words(self.context["table"], line)


class LeagueTableSerializer(serializers.Serializer[Any]):
    """The table of a division."""

    division = serializers.IntegerField(source="division.pk")
    played = serializers.IntegerField(help_text="How many matches count by now.")
    of = serializers.IntegerField()
    rows = TableRowSerializer(many=True, source="lines")


class LeagueTeamSerializer(VersionedSerializer):
    """A team of a division."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()
    withdrawn_on = serializers.DateField(allow_null=True)
    results_stand = serializers.BooleanField(
        help_text="Of a team that withdrew: whether what it played counts."
    )


class TeamPlayersSerializer(LeagueTeamSerializer):
    """A team with its players: their leaders read the names as typed, others as their club shows
    them."""

    players = serializers.SerializerMethodField()
    reserves = serializers.SerializerMethodField()
    also_for = serializers.SerializerMethodField(
        help_text="For leaders: players who are on the list of a team of another club too."
    )

    def get_players(self, team: LeagueTeam) -> list[str]:
        return self._names(team, reserve=False)

    def get_reserves(self, team: LeagueTeam) -> list[str]:
        return self._names(team, reserve=True)

    def get_also_for(self, team: LeagueTeam) -> list[dict[str, str]]:
        found: list[tuple[str, str]] = self.context["also_for"]
        return [{"name": name, "team": other} for name, other in found]

    def _names(self, team: LeagueTeam, *, reserve: bool) -> list[str]:
        names: list[tuple[str, bool]] = self.context["names"]
        return [name for name, is_reserve in names if is_reserve == reserve]


class NewTeamSerializer(StrictSerializer):
    """A team; without a club the one that its name begins with, if there is one."""

    name = serializers.CharField(max_length=60)
    club = serializers.CharField(max_length=100, default="", allow_blank=True)


class LeagueTeamChangeSerializer(StrictSerializer):
    """What to change of a team; what is left out stays."""

    name = serializers.CharField(max_length=60, required=False)
    club = serializers.CharField(max_length=100, required=False, allow_blank=True)
    players = serializers.ListField(
        child=serializers.CharField(max_length=100), max_length=30, required=False
    )
    reserves = serializers.ListField(
        child=serializers.CharField(max_length=100), max_length=30, required=False
    )
    version = serializers.CharField(required=False, help_text=SAW)


class WithdrawalSerializer(StrictSerializer):
    """Why a team withdraws, and whether what it played counts."""

    reason = serializers.CharField(max_length=200)
    results_stand = serializers.BooleanField()
    version = serializers.CharField(required=False, help_text=SAW)


class DivisionListing(LeagueResource):
    """A new division of a season; those that are there stand with the season."""

    needs: ClassVar[Needs] = {"post": RUN_LEAGUE}

    @extend_schema(
        operation_id="division_add",
        summary="Add a division",
        parameters=[key_parameter(required=False)],
        request=NamedSerializer,
        responses={201: DivisionSerializer},
    )
    def post(self, request: Request, league: str, league_season: str) -> HttpResponse:
        """Below the others."""
        season, given = find_league_season(self.league, league_season), self.given(NamedSerializer)

        def act() -> Response:
            made = division_add(season=season, actor=self.actor, **given)
            return Response(DivisionSerializer(made).data, 201)

        return idempotent(request, about=f"divisions {season.pk}", act=act)


class DivisionDetail(LeagueResource):
    """A division."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="division_read",
        summary="A division",
        parameters=[known_parameter()],
        responses={200: DivisionSerializer, 304: None},
    )
    def get(self, request: Request, league: str, division: int) -> HttpResponse:
        """Its teams and days have addresses of their own below it."""
        return self.shown(self._json(division))

    @extend_schema(
        operation_id="division_rename",
        summary="Give a division another name",
        parameters=[version_parameter()],
        request=NameChangeSerializer,
        responses=DivisionSerializer,
    )
    def patch(self, request: Request, league: str, division: int) -> HttpResponse:
        """Its place among the others stays."""
        found, given = find_division(self.league, division), self.given(NameChangeSerializer)
        return self.written(
            lambda version: division_rename(
                division=found, version=version, actor=self.actor, **given
            ),
            lambda: self._json(division),
        )

    @extend_schema(
        operation_id="division_remove", summary="Remove a division", responses={204: None}
    )
    def delete(self, request: Request, league: str, division: int) -> Response:
        """With its teams; as long as there are no fixtures."""
        division_remove(division=find_division(self.league, division), actor=self.actor)
        return Response(status=204)

    def _json(self, pk: int) -> Json:
        return dict(DivisionSerializer(find_division(self.league, pk)).data)


class LeagueTable(LeagueResource):
    """The table of a division."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="league_table_read",
        summary="The table of a division",
        parameters=[known_parameter()],
        responses={200: LeagueTableSerializer, 304: None},
    )
    def get(self, request: Request, league: str, division: int) -> HttpResponse:
        """As it stands now, with why each team has its place."""
        table = division_table(find_division(self.league, division))
        return self.shown(dict(LeagueTableSerializer(table, context={"table": table}).data))


class TeamResource(LeagueResource):
    """An address of a team."""

    def team_now(self, pk: int) -> Json:
        """The team as it stands, as this caller may read it."""
        team = find_league_team(self.league, pk)
        players = list(team.players.all())
        names = (
            [(player.name, player.is_reserve) for player in players]
            if self.leads
            else player_names(players)
        )
        also_for = listed_for_others(team) if self.leads else []
        context = {"names": names, "also_for": also_for}
        return dict(TeamPlayersSerializer(team, context=context).data)


class LeagueTeamListing(TeamResource):
    """The teams of a division."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_team_list",
        summary="The teams of a division",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueTeamSerializer),
    )
    def get(self, request: Request, league: str, division: int) -> Response:
        """By name."""
        return Pages.of(
            self, find_division(self.league, division).teams.all(), LeagueTeamSerializer
        )

    @extend_schema(
        operation_id="league_team_add",
        summary="Add a team",
        parameters=[key_parameter(required=False)],
        request=NewTeamSerializer,
        responses={201: LeagueTeamSerializer},
    )
    def post(self, request: Request, league: str, division: int) -> HttpResponse:
        """As long as there are no fixtures."""
        found, given = find_division(self.league, division), self.given(NewTeamSerializer)

        def act() -> Response:
            (team,) = teams_add(division=found, lines=[TeamLine(**given)], actor=self.actor)
            return Response(LeagueTeamSerializer(team).data, 201)

        return idempotent(request, about=f"teams {found.pk}", act=act)


class LeagueTeamDetail(TeamResource):
    """A team."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_team_read",
        summary="A team with its players",
        parameters=[known_parameter()],
        responses={200: TeamPlayersSerializer, 304: None},
    )
    def get(self, request: Request, league: str, team: int) -> HttpResponse:
        """Leaders read names as they typed them, others as their club shows them."""
        return self.shown(self.team_now(team))

    @extend_schema(
        operation_id="league_team_change",
        summary="Change a team",
        parameters=[version_parameter()],
        request=LeagueTeamChangeSerializer,
        responses=TeamPlayersSerializer,
    )
    def patch(self, request: Request, league: str, team: int) -> HttpResponse:
        """Its name, club and players; a list replaces the one that is there."""
        found, given = find_league_team(self.league, team), self.given(LeagueTeamChangeSerializer)
        players = list(found.players.all())
        stands = {
            "name": found.name,
            "club": found.club,
            "players": [player.name for player in players if not player.is_reserve],
            "reserves": [player.name for player in players if player.is_reserve],
        }
        return self.written(
            lambda version: team_change(
                team=found, version=version, actor=self.actor, **{**stands, **given}
            ),
            lambda: self.team_now(team),
        )

    @extend_schema(
        operation_id="league_team_remove", summary="Remove a team", responses={204: None}
    )
    def delete(self, request: Request, league: str, team: int) -> Response:
        """As long as there are no fixtures; afterwards it withdraws."""
        team_remove(team=find_league_team(self.league, team), actor=self.actor)
        return Response(status=204)


class LeagueTeamWithdrawal(TeamResource):
    """A team that withdraws in mid-season."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_team_withdraw",
        summary="A team withdraws",
        parameters=[version_parameter()],
        request=WithdrawalSerializer,
        responses=TeamPlayersSerializer,
    )
    def put(self, request: Request, league: str, team: int) -> HttpResponse:
        """What it played counts and the rest is a walkover for the others, or all of it goes."""
        found, given = find_league_team(self.league, team), self.given(WithdrawalSerializer)
        return self.written(
            lambda version: team_withdraw(team=found, version=version, actor=self.actor, **given),
            lambda: self.team_now(team),
        )

    @extend_schema(
        operation_id="league_team_reinstate",
        summary="A team plays on after all",
        responses=TeamPlayersSerializer,
    )
    def delete(self, request: Request, league: str, team: int) -> Response:
        """Everything counts as before."""
        team_reinstate(team=find_league_team(self.league, team), actor=self.actor)
        return Response(self.team_now(team))
