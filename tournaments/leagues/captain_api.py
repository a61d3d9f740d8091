"""The API of captains: what they do by their link, and what hosts and leaders do about it."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import Target
from clubs.api.resource import (
    ClubResource,
    Needs,
    Resource,
    StrictSerializer,
    known_parameter,
    version_parameter,
)
from clubs.http.middleware import network_of
from clubs.http.problems import Problem
from clubs.limits.table import CAPTAINS
from clubs.text.errors import VersionConflict
from clubs.text.numbers import whole_number
from tournaments.evenings.permissions import PLAN_EVENING
from tournaments.leagues.api import Json, LeagueResource, by_link, content_shown
from tournaments.leagues.lineup_queries import (
    answer_due,
    line_ups_of,
    side_of_team,
    visitors_of,
)
from tournaments.leagues.lineups import (
    captain_actor,
    captain_find,
    line_up_judge,
    line_up_write,
)
from tournaments.leagues.match_api import MatchSerializer
from tournaments.leagues.permissions import (
    ACT_AS_CAPTAIN,
    MATCHES,
    RUN_LEAGUE,
    find_hosted_match,
    find_line_up,
    find_match_of,
)
from tournaments.leagues.results import result_answer
from tournaments.models import (
    SIDES,
    CaptainLink,
    LeagueMatch,
    LeagueTeam,
    LineUp,
    MatchAnswer,
)

SAW = "The version you saw."


class MarkedSerializer(serializers.Serializer[Any]):
    """Somebody in a line-up about whom the rules of eligibility say something."""

    name = serializers.CharField()
    marks = serializers.ListField(
        child=serializers.CharField(),
        help_text="`other_club`, `higher_team`, `fixed_higher`, `too_often`.",
    )


class LineUpSerializer(serializers.Serializer[Any]):
    """Who plays for a team in a match."""

    id = serializers.IntegerField()
    match = serializers.IntegerField()
    team = serializers.IntegerField()
    people = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="Table 1, its two partners, table 2, …; empty where nobody plays.",
    )
    marked = MarkedSerializer(many=True)
    verdict = serializers.CharField(allow_blank=True, help_text="`allowed` or `not_allowed`.")
    verdict_why = serializers.CharField(allow_blank=True)
    version = serializers.CharField(help_text="Sent along with a change.")


class AnswerSerializer(serializers.Serializer[Any]):
    """What visitors say of a result."""

    agrees = serializers.BooleanField()
    words = serializers.CharField(allow_blank=True)


class CaptainMatchSerializer(MatchSerializer):
    """A match as its captain sees it."""

    number = serializers.IntegerField(help_text="Of the match day.")
    date = serializers.DateField(allow_null=True)
    line_up = LineUpSerializer(allow_null=True)
    answers = serializers.BooleanField(help_text="Whether they are asked about the result.")
    answer = AnswerSerializer(allow_null=True)
    answer_until = serializers.DateTimeField(allow_null=True)


class CaptainSerializer(serializers.Serializer[Any]):
    """What a captain can do."""

    team = serializers.IntegerField()
    name = serializers.CharField()
    league = serializers.CharField(help_text="Its slug.")
    season = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    reserves = serializers.ListField(child=serializers.CharField())
    matches = CaptainMatchSerializer(many=True)


class LineUpWriteSerializer(StrictSerializer):
    """Who plays: a name for each place, empty where nobody does. Whoever is not on the team's list
    is a substitute."""

    people = serializers.ListField(
        child=serializers.CharField(max_length=100, allow_blank=True), max_length=16
    )
    version = serializers.CharField(help_text="Of the line-up you saw; 0 of none.")


class AnswerWriteSerializer(StrictSerializer):
    """Whether a result is right, and if not, what is wrong with it."""

    agrees = serializers.BooleanField()
    words = serializers.CharField(max_length=500, default="", allow_blank=True)
    version = serializers.CharField(help_text="Of the match.")


class VerdictSerializer(StrictSerializer):
    """Whether somebody in a line-up was allowed to play, and why."""

    verdict = serializers.ChoiceField(LineUp.Verdict.choices)
    reason = serializers.CharField(max_length=200)
    version = serializers.CharField(required=False, help_text=SAW)


def line_up_json(line_up: LineUp) -> Json:
    """A line-up as it is read."""
    season, seats = line_up.match.day.division.season, list(line_up.seats.all())
    at = {(seat.table, seat.partner): seat.name for seat in seats}
    places = [(table, partner) for table in range(1, season.tables + 1) for partner in (1, 2)]
    return {
        "id": line_up.pk,
        "match": line_up.match_id,
        "team": line_up.match.team_id_of(line_up.side),
        "people": [at.get(place, "") for place in places],
        "marked": [{"name": seat.name, "marks": seat.marks} for seat in seats if seat.marks],
        "verdict": line_up.verdict,
        "verdict_why": line_up.verdict_why,
        "version": str(line_up.version),
    }


def captain_matches_json(team: LeagueTeam, matches: Sequence[LeagueMatch]) -> list[Json]:
    """These matches as the captain of a team sees them. Three queries."""
    season = team.division.season
    line_ups = line_ups_of(matches)
    answers = {
        (answer.match_id, answer.side): answer
        for answer in MatchAnswer.objects.filter(match__in=matches)
    }
    shown = []
    for match in matches:
        side = side_of_team(match, team.pk)
        line_up, answer = line_ups.get((match.pk, side)), answers.get((match.pk, side))
        shown.append(
            {
                **MatchSerializer(match).data,
                "number": match.day.number,
                "date": match.day.date,
                "line_up": line_up and line_up_json(line_up),
                "answers": side in visitors_of(match, match.day.host_id),
                "answer": answer and {"agrees": answer.agrees, "words": answer.words},
                "answer_until": answer_due(match, season),
            }
        )
    return shown


def line_up_put(
    given: Json, match: LeagueMatch, team: LeagueTeam, write: Callable[..., LineUp]
) -> Response:
    """Write a line-up; what stands, where somebody else was first."""
    side = side_of_team(match, team.pk)
    version = whole_number(given["version"], otherwise=-1)
    try:
        line_up = write(match=match, side=side, people=given["people"], version=version)
    except VersionConflict as error:
        stands = line_ups_of([match]).get((match.pk, side))
        current = stands and line_up_json(stands)
        raise Problem(409, "version_conflict", error.message, current=current) from error
    line_up.match = match
    return Response(line_up_json(line_up))


class CaptainResource(Resource):
    """An address behind the link of a captain."""

    tag = "leagues"
    link: CaptainLink

    def target(self) -> Target:
        """The team. Http404 for a link that is none, or was ended."""
        link = captain_find(self.kwargs["captain"])
        if link is None or link.revoked_at is not None:
            raise Http404
        self.link = link
        by_link(self.request, link)
        return link.team  # type: ignore[return-value]

    def check_throttles(self, request: Request) -> None:
        """What is sent by a link is limited as on its page."""
        super().check_throttles(request)
        network = network_of(request.META.get("REMOTE_ADDR", ""))
        if request.method == "PUT" and not CAPTAINS.allows_from(f"captain {self.link.pk}", network):
            raise Problem(429, "throttled", "That was too often within a minute.")


class CaptainDetail(CaptainResource):
    """What a captain can do."""

    needs: ClassVar[Needs] = {"get": ACT_AS_CAPTAIN}

    @extend_schema(
        operation_id="captain_read",
        summary="The matches of a captain's team",
        parameters=[known_parameter()],
        responses={200: CaptainSerializer, 304: None},
    )
    def get(self, request: Request, captain: str) -> HttpResponse:
        """With who plays in each, and what was said of its result."""
        team, season = self.link.team, self.link.team.division.season
        matches = MATCHES.filter(home=team) | MATCHES.filter(away=team)
        players = list(team.players.all())
        data = {
            "team": team.pk,
            "name": team.name,
            "league": season.league.slug,
            "season": season.name,
            "players": [player.name for player in players if not player.is_reserve],
            "reserves": [player.name for player in players if player.is_reserve],
            "matches": captain_matches_json(team, list(matches.order_by("day__number", "round"))),
        }
        return content_shown(request, data)


class CaptainLineUp(CaptainResource):
    """Who plays in a match, as its captain says."""

    needs: ClassVar[Needs] = {"put": ACT_AS_CAPTAIN}

    @extend_schema(
        operation_id="captain_line_up_write",
        summary="Say who plays",
        request=LineUpWriteSerializer,
        responses=LineUpSerializer,
    )
    def put(self, request: Request, captain: str, match: int) -> Response:
        """Until the round begins; the seats of the evening follow. What the rules of eligibility
        say of somebody is marked, not refused."""
        team, actor = self.link.team, captain_actor(self.link)
        given, found = self.given(LineUpWriteSerializer), find_match_of(team, match)
        return line_up_put(
            given, found, team, lambda **line_up: line_up_write(**line_up, actor=actor)
        )


class CaptainAnswer(CaptainResource):
    """What visitors say of a result."""

    needs: ClassVar[Needs] = {"put": ACT_AS_CAPTAIN}

    @extend_schema(
        operation_id="captain_answer",
        summary="Confirm a result, or object to it",
        request=AnswerWriteSerializer,
        responses=CaptainMatchSerializer,
    )
    def put(self, request: Request, captain: str, match: int) -> Response:
        """Within the hours of the season's rule. An objection is in words, and makes the match
        another version, so that nobody makes it binding unread."""
        team = self.link.team
        given, found = self.given(AnswerWriteSerializer), find_match_of(team, match)
        try:
            result_answer(
                match=found,
                side=side_of_team(found, team.pk),
                agrees=given["agrees"],
                words="" if given["agrees"] else given["words"],
                version=whole_number(given["version"], otherwise=-1),
                actor=captain_actor(self.link),
            )
        except VersionConflict as error:
            current = self._json(match)
            raise Problem(409, "version_conflict", error.message, current=current) from error
        return Response(self._json(match))

    def _json(self, pk: int) -> Json:
        team = self.link.team
        (shown,) = captain_matches_json(team, [find_match_of(team, pk)])
        return shown


# Hosts and leaders.


class HostLineUp(ClubResource):
    """A line-up that the host types, as a captain says it."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"put": PLAN_EVENING}

    @extend_schema(
        operation_id="host_line_up_write",
        summary="Say for a team who plays, as its host",
        request=LineUpWriteSerializer,
        responses=LineUpSerializer,
    )
    def put(self, request: Request, slug: str, match: int, team: int) -> Response:
        """Of a match day that a team of the club hosts."""
        found, whose = find_hosted_match(self.club, match, team)
        given = self.given(LineUpWriteSerializer)
        actor = self.actor
        return line_up_put(
            given,
            found,
            whose,
            lambda **line_up: line_up_write(**line_up, actor=actor),
        )


class MatchDayLineUps(LeagueResource):
    """The line-ups of a match day."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_day_line_ups",
        summary="The line-ups of a match day",
        responses=LineUpSerializer(many=True),
    )
    def get(self, request: Request, league: str, day: int) -> Response:
        """By round, the home team first."""
        matches = MATCHES.filter(day=day, day__division__season__league=self.league)
        found = list(matches.order_by("round", "pk"))
        if not found:
            raise Http404
        line_ups = line_ups_of(found)
        keys = [(match.pk, side) for match in found for side in SIDES]
        return Response([line_up_json(line_ups[key]) for key in keys if key in line_ups])


class LineUpVerdict(LeagueResource):
    """What the leader decides about a line-up."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE}

    @extend_schema(
        operation_id="line_up_judge",
        summary="Decide whether a line-up is allowed",
        parameters=[version_parameter()],
        request=VerdictSerializer,
        responses=LineUpSerializer,
    )
    def put(self, request: Request, league: str, line_up: int) -> HttpResponse:
        """What follows from it is written apart: a correction, or that the team did not appear."""
        found, given = find_line_up(self.league, line_up), self.given(VerdictSerializer)
        return self.written(
            lambda version: line_up_judge(
                line_up=found, version=version, actor=self.actor, **given
            ),
            lambda: line_up_json(find_line_up(self.league, line_up)),
        )
