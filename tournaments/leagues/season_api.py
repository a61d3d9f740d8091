"""The API of what leaders do around a season: who leads with them, match points off, a club that
leaves, the next season, results from the host's evening, and where events come from."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import idempotent
from clubs.api.resource import ANYBODY, Needs, Pages, StrictSerializer, key_parameter
from clubs.http.problems import Problem
from clubs.text.errors import VersionConflict
from tournaments.evenings.api_base import LARGEST
from tournaments.leagues.api import Json, LeagueResource, LeagueSeasonSerializer, WhySerializer
from tournaments.leagues.core.fixtures import MOST_TEAMS
from tournaments.leagues.division_api import LeagueTeamSerializer, NewTeamSerializer
from tournaments.leagues.match_api import MatchDaySerializer, MatchResource
from tournaments.leagues.permissions import (
    RUN_LEAGUE,
    find_leader,
    find_league_season,
    find_league_team,
    find_match_day,
    find_penalty,
    find_source,
)
from tournaments.leagues.pulling import source_add, source_remove
from tournaments.leagues.results import match_day_take_over
from tournaments.leagues.season_end import (
    NextPlan,
    NextTeam,
    NextWishes,
    club_leave,
    next_plan,
    penalty_give,
    penalty_take_back,
    roll_over_undo,
    season_roll_over,
    usual_wishes,
)
from tournaments.leagues.services import leader_add, leader_remove
from tournaments.leagues.teams import TeamLine
from tournaments.leagues.texts import move_words
from tournaments.models import LeagueSeason, LeagueTeam

MOST_LISTED = 500


class LeaderSerializer(serializers.Serializer[Any]):
    """Somebody who leads the league."""

    id = serializers.IntegerField()
    email = serializers.EmailField(source="user.email")


class LeaderAddSerializer(StrictSerializer):
    """Who leads the league too."""

    email = serializers.EmailField(max_length=254)


class PenaltySerializer(serializers.Serializer[Any]):
    """Match points that were taken off a team."""

    id = serializers.IntegerField()
    points = serializers.DecimalField(max_digits=5, decimal_places=2)
    reason = serializers.CharField()


class PenaltyGiveSerializer(StrictSerializer):
    """How many match points are taken off a team, and why."""

    points = serializers.DecimalField(max_digits=5, decimal_places=2, min_value=0, max_value=100)
    reason = serializers.CharField(max_length=200)


class ClubLeavesSerializer(WhySerializer):
    """Which club leaves, why, and whether what its teams played counts."""

    club = serializers.CharField(max_length=100)
    results_stand = serializers.BooleanField()


class SourceSerializer(serializers.Serializer[Any]):
    """A club from which the league gets events; its address is a secret, and is not shown."""

    id = serializers.IntegerField()
    club = serializers.CharField(help_text="Empty until it brought something.")
    host = serializers.CharField(help_text="The server in its address; empty: by file.")
    pulled_at = serializers.DateTimeField(allow_null=True)
    fault = serializers.CharField(help_text="What went wrong the last time.")


class SourceAddSerializer(StrictSerializer):
    """The address of a link that a club made."""

    address = serializers.CharField(max_length=300)


class TakenOverSerializer(serializers.Serializer[Any]):
    """What came of taking results over."""

    taken = serializers.IntegerField(help_text="How many became another.")
    seated_otherwise = serializers.ListField(
        child=serializers.IntegerField(), help_text="Matches at whose tables others sat."
    )
    day = MatchDaySerializer()


class NextTeamSerializer(serializers.Serializer[Any]):
    """A team of the next season."""

    name = serializers.CharField()
    team = serializers.IntegerField(
        source="before.pk", default=None, allow_null=True, help_text="Its id now; null: it is new."
    )
    why = serializers.SerializerMethodField()

    def get_why(self, team: NextTeam) -> str:
        return move_words(team.move, self.context["names"])


class NextDivisionSerializer(serializers.Serializer[Any]):
    """A division of the next season."""

    division = serializers.IntegerField(help_text="Its id now.")
    name = serializers.CharField()
    teams = NextTeamSerializer(many=True)


class NextPlanSerializer(serializers.Serializer[Any]):
    """The next season as it would be made."""

    divisions = NextDivisionSerializer(many=True)
    stop = serializers.ListField(child=serializers.IntegerField(), help_text="Ids of teams.")
    open_matches = serializers.IntegerField(help_text="Matches that have no result yet.")
    seen = serializers.CharField(help_text="Sent along to make just this.")


class EnteringSerializer(NewTeamSerializer):
    """A team that is new in a division."""

    division = serializers.IntegerField(min_value=1, max_value=LARGEST)


class SizeSerializer(StrictSerializer):
    """How many teams a division is to have."""

    division = serializers.IntegerField(min_value=1, max_value=LARGEST)
    teams = serializers.IntegerField(min_value=0, max_value=MOST_TEAMS)


class NextWishesSerializer(StrictSerializer):
    """Who stops, who is new, and how large divisions are; what is left out is as usual."""

    stop = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_LISTED,
        required=False,
    )
    enter = serializers.ListField(
        child=EnteringSerializer(), max_length=MOST_LISTED, required=False
    )
    sizes = serializers.ListField(child=SizeSerializer(), max_length=MOST_LISTED, required=False)


class NextSeasonSerializer(NextWishesSerializer):
    """The next season to make."""

    name = serializers.CharField(max_length=60)
    seen = serializers.CharField(max_length=64, help_text="Of the plan that you saw.")
    although_open = serializers.BooleanField(default=False)


class LeaderListing(LeagueResource):
    """Who leads the league."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_leader_list",
        summary="Who leads the league",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeaderSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """With the address they log in with."""
        return Pages.of(self, self.league.leaders.select_related("user"), LeaderSerializer)

    @extend_schema(
        operation_id="league_leader_add",
        summary="Somebody else leads too",
        request=LeaderAddSerializer,
        responses={201: LeaderSerializer},
    )
    def post(self, request: Request, league: str) -> Response:
        """They get a login where there is none; the same again changes nothing."""
        given = self.given(LeaderAddSerializer)
        leader = leader_add(league=self.league, actor=self.actor, **given)
        return Response(LeaderSerializer(leader).data, 201)


class LeaderDetail(LeagueResource):
    """Somebody who leads the league."""

    needs: ClassVar[Needs] = {"delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_leader_remove",
        summary="Somebody leads no longer",
        responses={204: None},
    )
    def delete(self, request: Request, league: str, leader: int) -> Response:
        """One of them stays."""
        leader_remove(leader=find_leader(self.league, leader), actor=self.actor)
        return Response(status=204)


class PenaltyListing(LeagueResource):
    """The match points that were taken off a team."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_penalty_list",
        summary="Match points that were taken off a team",
        parameters=Pages.parameters(),
        responses=Pages.answer(PenaltySerializer),
    )
    def get(self, request: Request, league: str, team: int) -> Response:
        """Each with its reason, as below the table."""
        penalties = find_league_team(self.league, team).penalties.all()
        return Pages.of(self, penalties, PenaltySerializer)

    @extend_schema(
        operation_id="league_penalty_give",
        summary="Take match points off a team",
        parameters=[key_parameter(required=False)],
        request=PenaltyGiveSerializer,
        responses={201: PenaltySerializer},
    )
    def post(self, request: Request, league: str, team: int) -> HttpResponse:
        """Everybody reads the reason."""
        found, given = find_league_team(self.league, team), self.given(PenaltyGiveSerializer)

        def act() -> Response:
            penalty = penalty_give(team=found, actor=self.actor, **given)
            return Response(PenaltySerializer(penalty).data, 201)

        return idempotent(request, about=f"penalties {found.pk}", act=act)


class PenaltyDetail(LeagueResource):
    """Match points that were taken off a team."""

    needs: ClassVar[Needs] = {"delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_penalty_take_back",
        summary="Give match points back",
        request=WhySerializer,
        responses={204: None},
    )
    def delete(self, request: Request, league: str, penalty: int) -> Response:
        """For a reason; the log keeps both."""
        found, given = find_penalty(self.league, penalty), self.given(WhySerializer)
        penalty_take_back(penalty=found, actor=self.actor, **given)
        return Response(status=204)


class ClubLeaving(LeagueResource):
    """A club that leaves in mid-season."""

    needs: ClassVar[Needs] = {"post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_club_leave",
        summary="A club leaves: all its teams withdraw",
        request=ClubLeavesSerializer,
        responses=LeagueTeamSerializer(many=True),
    )
    def post(self, request: Request, league: str, league_season: str) -> Response:
        """Each team can be reinstated. The same again is refused: none of them plays then."""
        season, given = find_league_season(self.league, league_season), ClubLeavesSerializer
        gone = club_leave(season=season, actor=self.actor, **self.given(given))
        teams = LeagueTeam.objects.filter(pk__in=[team.pk for team in gone])
        return Response(LeagueTeamSerializer(teams, many=True).data)


class MatchDayTakingOver(MatchResource):
    """The results of a day from the evening at its host."""

    needs: ClassVar[Needs] = {"post": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_day_take_over",
        summary="Take the results over from the evening at the host",
        request=None,
        responses=TakenOverSerializer,
    )
    def post(self, request: Request, league: str, day: int) -> Response:
        """What is binding stays; the same again changes nothing."""
        found = find_match_day(self.league, day)
        taken, otherwise = match_day_take_over(day=found, actor=self.actor)
        matches = [match.pk for match in otherwise]
        return Response({"taken": taken, "seated_otherwise": matches, "day": self.day_now(day)})


class SourceListing(LeagueResource):
    """The clubs from which the league gets events."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_source_list",
        summary="The clubs from which events come",
        parameters=Pages.parameters(),
        responses=Pages.answer(SourceSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """By link, or by file."""
        return Pages.of(self, self.league.sources.all(), SourceSerializer)

    @extend_schema(
        operation_id="league_source_add",
        summary="Read the events of a club by its link",
        request=SourceAddSerializer,
        responses={201: SourceSerializer},
    )
    def post(self, request: Request, league: str) -> Response:
        """At the next turn, and from then on; the same again changes nothing."""
        given = self.given(SourceAddSerializer)
        source = source_add(league=self.league, actor=self.actor, **given)
        return Response(SourceSerializer(source).data, 201)


class SourceDetail(LeagueResource):
    """A club from which the league gets events."""

    needs: ClassVar[Needs] = {"delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_source_remove",
        summary="Read no more of a club",
        responses={204: None},
    )
    def delete(self, request: Request, league: str, source: int) -> Response:
        """What came from there stays."""
        source_remove(source=find_source(self.league, source), actor=self.actor)
        return Response(status=204)


class NextSeason(LeagueResource):
    """The next season, made of the final tables of this one."""

    read_is_refused = True
    needs: ClassVar[Needs] = {
        "get": RUN_LEAGUE,
        "post": RUN_LEAGUE,
        "put": RUN_LEAGUE,
        "delete": RUN_LEAGUE,
    }

    @extend_schema(
        operation_id="next_season_plan",
        summary="The next season as it would be",
        responses=NextPlanSerializer,
    )
    def get(self, request: Request, league: str, league_season: str) -> Response:
        """As usual: who withdrew stops, and divisions keep their size."""
        season = find_league_season(self.league, league_season)
        return Response(plan_json(next_plan(season, usual_wishes(season))))

    @extend_schema(
        operation_id="next_season_try",
        summary="The next season as it would be with other wishes",
        request=NextWishesSerializer,
        responses=NextPlanSerializer,
    )
    def post(self, request: Request, league: str, league_season: str) -> Response:
        """Nothing is written."""
        season = find_league_season(self.league, league_season)
        given = self.given(NextWishesSerializer)
        return Response(plan_json(next_plan(season, wishes_of(season, given))))

    @extend_schema(
        operation_id="next_season_make",
        summary="Make the next season",
        request=NextSeasonSerializer,
        responses=LeagueSeasonSerializer,
    )
    def put(self, request: Request, league: str, league_season: str) -> Response:
        """As the plan showed it (`seen`); 409 with the plan where it is another by now. Done again
        it follows results that were corrected since."""
        season = find_league_season(self.league, league_season)
        given = self.given(NextSeasonSerializer)
        wishes = wishes_of(season, given)
        try:
            made = season_roll_over(
                season=season,
                name=given["name"],
                wishes=wishes,
                seen=given["seen"],
                although_open=given["although_open"],
                actor=self.actor,
            )
        except VersionConflict as error:
            current = plan_json(next_plan(season, wishes))
            raise Problem(409, error.code, error.message, current=current) from error
        return Response(LeagueSeasonSerializer(find_league_season(self.league, made.slug)).data)

    @extend_schema(
        operation_id="next_season_undo",
        summary="Take the next season away again",
        responses={204: None},
    )
    def delete(self, request: Request, league: str, league_season: str) -> Response:
        """As long as nothing of it was played."""
        season = find_league_season(self.league, league_season)
        roll_over_undo(season=season, actor=self.actor)
        return Response(status=204)


def wishes_of(season: LeagueSeason, given: Json) -> NextWishes:
    """What was sent, and the usual for what was left out.

    Raises Problem 422 for a division or a team of another season.
    """
    usual = usual_wishes(season)
    known = usual.sizes.keys()
    named = [each["division"] for each in (*given.get("enter", ()), *given.get("sizes", ()))]
    if set(named) - known:
        raise Problem(422, "not_found", "This season has no such division.")
    stop = frozenset(given["stop"]) if "stop" in given else usual.stop
    if stop - set(LeagueTeam.objects.filter(division__season=season).values_list("pk", flat=True)):
        raise Problem(422, "not_found", "This season has no such team.")
    enter: dict[int, list[TeamLine]] = {pk: [] for pk in known}
    for each in given.get("enter", ()):
        enter[each["division"]].append(TeamLine(each["name"], each["club"]))
    sizes = {each["division"]: each["teams"] for each in given.get("sizes", ())}
    return NextWishes(stop, enter if "enter" in given else usual.enter, {**usual.sizes, **sizes})


def plan_json(plan: NextPlan) -> Json:
    """A plan as it is read."""
    names = {str(division.pk): division.name for division, _teams in plan.divisions}
    data = {
        "divisions": [
            {"division": division.pk, "name": division.name, "teams": teams}
            for division, teams in plan.divisions
        ],
        "stop": [int(move.team) for move in plan.stop],
        "open_matches": plan.open_matches,
        "seen": plan.seen,
    }
    return dict(NextPlanSerializer(data, context={"names": names}).data)
