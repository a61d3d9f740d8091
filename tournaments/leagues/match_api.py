"""The API of the match days of a league, their results, and the events of clubs."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
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
from clubs.http.problems import FieldError, Problem
from clubs.text.numbers import whole_number
from tournaments.evenings.api_base import LARGEST
from tournaments.leagues.api import Json, LeagueResource
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.exchange import event_import
from tournaments.leagues.matches import (
    MOST_POINTS,
    MOST_SEED,
    fixtures_draw,
    fixtures_take_back,
    match_day_move,
    result_take_away,
    results_write,
    walkover_write,
)
from tournaments.leagues.permissions import (
    RUN_LEAGUE,
    find_division,
    find_league_team,
    find_match,
    find_match_day,
)
from tournaments.leagues.queries import ShownDay, shown_days
from tournaments.leagues.results import match_day_bind
from tournaments.models import (
    Division,
    LeagueEvent,
    MatchDay,
)

SAW = "The version you saw."
MOST_RESULTS = 64
"""In one request: more than a day has matches."""


def _version() -> serializers.CharField:
    return serializers.CharField(required=False, help_text=SAW)


def _reason(*, required: bool = True) -> serializers.CharField:
    return serializers.CharField(max_length=200, required=required, allow_blank=not required)


class MatchSerializer(serializers.Serializer[Any]):
    """A match of a day."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    home = serializers.IntegerField(source="home_id", help_text="The id of the team named first.")
    away = serializers.IntegerField(source="away_id")
    scores = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="The points of each table, the home team's first; empty: not played.",
    )
    walkover = serializers.IntegerField(
        source="walkover_id",
        allow_null=True,
        help_text="The team that did not appear, if one did not.",
    )
    binding = serializers.BooleanField()
    reason = serializers.CharField()
    version = serializers.CharField(help_text="Sent along with a change.")


class MatchDaySerializer(serializers.Serializer[Any]):
    """Teams that meet at one place on a day, with their matches."""

    id = serializers.IntegerField(source="day.pk")
    division = serializers.IntegerField(source="day.division_id")
    number = serializers.IntegerField(source="day.number")
    group = serializers.IntegerField(source="day.group")
    host = serializers.IntegerField(
        source="day.host_id", allow_null=True, help_text="Null on a central day."
    )
    place = serializers.CharField(source="day.place")
    date = serializers.DateField(source="day.date", allow_null=True)
    starts_at = serializers.TimeField(source="day.starts_at", allow_null=True)
    moved_why = serializers.CharField(source="day.moved_why")
    teams = serializers.SerializerMethodField()
    matches = MatchSerializer(many=True)
    version = serializers.CharField(source="day.version", help_text="Sent along with a change.")

    def get_teams(self, shown: ShownDay) -> list[int]:
        return [team.pk for team in shown.teams]


class FixturesSerializer(StrictSerializer):
    """How the fixtures are drawn, and when they are."""

    seed = serializers.IntegerField(min_value=0, max_value=MOST_SEED, default=0)
    first = serializers.DateField(required=False, allow_null=True)
    weeks = serializers.IntegerField(min_value=1, max_value=52, default=2)
    starts_at = serializers.TimeField(required=False, allow_null=True)


class MoveSerializer(StrictSerializer):
    """Another date, time, host or place; what is left out stays."""

    date = serializers.DateField(required=False, allow_null=True)
    starts_at = serializers.TimeField(required=False, allow_null=True)
    host = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False, allow_null=True)
    place = serializers.CharField(max_length=100, required=False, allow_blank=True)
    reason = _reason(required=False)
    version = _version()


class ResultSerializer(StrictSerializer):
    """The result of a match: the points of each table, or one total for the whole match."""

    match = serializers.IntegerField(min_value=1, max_value=LARGEST)
    version = serializers.CharField(help_text=SAW)
    scores = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS),
            min_length=2,
            max_length=2,
        ),
        max_length=8,
    )


class ResultsSerializer(StrictSerializer):
    """Results of matches of one day."""

    results = serializers.ListField(child=ResultSerializer(), max_length=MOST_RESULTS)
    reason = _reason(required=False)


class SeenResultSerializer(StrictSerializer):
    """A match whose result is to be binding, as it was read."""

    match = serializers.IntegerField(min_value=1, max_value=LARGEST)
    version = serializers.CharField(help_text=SAW)


class BindingSerializer(StrictSerializer):
    """The matches of one day whose results are to be binding."""

    results = serializers.ListField(child=SeenResultSerializer(), max_length=MOST_RESULTS)


class WalkoverSerializer(StrictSerializer):
    """Which team did not appear, and why."""

    team = serializers.IntegerField(min_value=1, max_value=LARGEST)
    reason = _reason()
    version = _version()


class ReasonSerializer(StrictSerializer):
    """Why."""

    reason = _reason()
    version = _version()


class LeagueEventSerializer(serializers.Serializer[Any]):
    """An event of a club as it came in."""

    id = serializers.UUIDField(source="event_uuid")
    club = serializers.CharField()
    number = serializers.IntegerField(help_text="Which publication.")
    name = serializers.CharField()
    date = serializers.DateField()
    day = serializers.IntegerField(source="day_id", allow_null=True)
    received_at = serializers.DateTimeField()
    notes = serializers.SerializerMethodField(help_text="What could not be used of it.")

    def get_notes(self, event: LeagueEvent) -> list[str]:
        return notes_in_words(event.notes)


class ImportedSerializer(serializers.Serializer[Any]):
    """What became of a document."""

    event = LeagueEventSerializer()
    changed = serializers.BooleanField(help_text="False: it was here already.")
    results = serializers.IntegerField(help_text="How many results of matches it brought.")


class MatchResource(LeagueResource):
    """An address of a day or a match."""

    def day_now(self, pk: int) -> Json:
        """The day as it stands."""
        (shown,) = shown_days(MatchDay.objects.filter(pk=pk))
        return dict(MatchDaySerializer(shown).data)

    def match_now(self, pk: int) -> Json:
        """The match as it stands."""
        return dict(MatchSerializer(find_match(self.league, pk)).data)


class MatchDayListing(MatchResource):
    """The match days of a division: its fixtures and results."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_day_list",
        summary="The match days of a division",
        parameters=Pages.parameters(),
        responses=Pages.answer(MatchDaySerializer),
    )
    def get(self, request: Request, league: str, division: int) -> Response:
        """In order, each with its matches."""
        return Pages.of(self, self._days(find_division(self.league, division)), MatchDaySerializer)

    @extend_schema(
        operation_id="fixtures_draw",
        summary="Draw the fixtures",
        parameters=[key_parameter(required=False)],
        request=FixturesSerializer,
        responses={201: MatchDaySerializer(many=True)},
    )
    def post(self, request: Request, league: str, division: int) -> HttpResponse:
        """The same seed draws the same for the same teams."""
        found, given = find_division(self.league, division), self.given(FixturesSerializer)

        def act() -> Response:
            fixtures_draw(division=found, actor=self.actor, **given)
            return Response(MatchDaySerializer(self._days(found), many=True).data, 201)

        return idempotent(request, about=f"fixtures {found.pk}", act=act)

    @extend_schema(
        operation_id="fixtures_take_back", summary="Take the fixtures back", responses={204: None}
    )
    def delete(self, request: Request, league: str, division: int) -> Response:
        """As long as there is no result."""
        fixtures_take_back(division=find_division(self.league, division), actor=self.actor)
        return Response(status=204)

    def _days(self, division: Division) -> list[ShownDay]:
        return shown_days(MatchDay.objects.filter(division=division))


class MatchDayDetail(MatchResource):
    """A match day."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_day_read",
        summary="A match day with its matches",
        parameters=[known_parameter()],
        responses={200: MatchDaySerializer, 304: None},
    )
    def get(self, request: Request, league: str, day: int) -> HttpResponse:
        """When and where, who meets, and the results."""
        return self.shown(self.day_now(find_match_day(self.league, day).pk))

    @extend_schema(
        operation_id="match_day_move",
        summary="Move a match day",
        parameters=[version_parameter()],
        request=MoveSerializer,
        responses=MatchDaySerializer,
    )
    def patch(self, request: Request, league: str, day: int) -> HttpResponse:
        """To another date, time, host or place; with a reason where it had a date."""
        found, given = find_match_day(self.league, day), self.given(MoveSerializer)
        stands = {name: getattr(found, name) for name in ("date", "starts_at", "host", "place")}
        if given.get("host") is not None:
            given["host"] = find_league_team(self.league, given["host"])
        wanted = {"reason": "", **stands, **given}
        return self.written(
            lambda version: match_day_move(day=found, version=version, actor=self.actor, **wanted),
            lambda: self.day_now(day),
        )


class MatchDayResults(MatchResource):
    """The results of a match day."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_results_write",
        summary="Write results",
        request=ResultsSerializer,
        responses=MatchDaySerializer,
    )
    def put(self, request: Request, league: str, day: int) -> HttpResponse:
        """Of one match or more, all or none; a result that was there is corrected for a reason.
        What a leader writes is binding at once."""
        found, given = find_match_day(self.league, day), self.given(ResultsSerializer)
        versions = _versions(found, given["results"])
        scores = {
            each["match"]: [(one, two) for one, two in each["scores"]] for each in given["results"]
        }
        return self.written_at(
            lambda: results_write(
                day=found,
                results=scores,
                versions=versions,
                actor=self.actor,
                reason=given.get("reason", ""),
            ),
            lambda: self.day_now(day),
        )


def _versions(day: MatchDay, results: Sequence[Json]) -> dict[int, int]:
    """The versions that were seen, by match; -1 for what is none.

    Raises Problem 422 that names every match of another day.
    """
    known = set(day.matches.values_list("pk", flat=True))
    strangers = [
        FieldError(f"results.{place}.match", "not_found", "This day has no such match.")
        for place, each in enumerate(results)
        if each["match"] not in known
    ]
    if strangers:
        raise Problem(422, "not_found", "This day has no such match.", errors=strangers)
    return {each["match"]: whole_number(each["version"], otherwise=-1) for each in results}


class MatchDayBinding(MatchResource):
    """Making the results of a day binding."""

    needs: ClassVar[Needs] = {"post": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_day_bind",
        summary="Make the results of a day binding",
        request=BindingSerializer,
        responses=MatchDaySerializer,
    )
    def post(self, request: Request, league: str, day: int) -> HttpResponse:
        """From then on one is corrected with a reason only. 409 where a result became another, or
        somebody objected, meanwhile."""
        found, given = find_match_day(self.league, day), self.given(BindingSerializer)
        versions = _versions(found, given["results"])
        return self.written_at(
            lambda: match_day_bind(day=found, versions=versions, actor=self.actor),
            lambda: self.day_now(day),
        )


class MatchDetail(MatchResource):
    """A match."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "delete": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_match_read",
        summary="A match",
        parameters=[known_parameter()],
        responses={200: MatchSerializer, 304: None},
    )
    def get(self, request: Request, league: str, match: int) -> HttpResponse:
        """Its teams and its result."""
        return self.shown(self.match_now(match))

    @extend_schema(
        operation_id="match_result_take_away",
        summary="Take a result away",
        parameters=[version_parameter()],
        request=ReasonSerializer,
        responses=MatchSerializer,
    )
    def delete(self, request: Request, league: str, match: int) -> HttpResponse:
        """The match is to be played again; the log keeps what it was."""
        found, given = find_match(self.league, match), self.given(ReasonSerializer)
        return self.written(
            lambda version: result_take_away(
                match=found, version=version, actor=self.actor, **given
            ),
            lambda: self.match_now(match),
        )


class MatchWalkover(MatchResource):
    """A team that did not appear."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE}

    @extend_schema(
        operation_id="match_walkover_write",
        summary="A team did not appear",
        parameters=[version_parameter()],
        request=WalkoverSerializer,
        responses=MatchSerializer,
    )
    def put(self, request: Request, league: str, match: int) -> HttpResponse:
        """They score 0; the other team gets the mean of its own matches."""
        found, given = find_match(self.league, match), self.given(WalkoverSerializer)
        team = find_league_team(self.league, given["team"])
        return self.written(
            lambda version: walkover_write(
                match=found, team=team, reason=given["reason"], version=version, actor=self.actor
            ),
            lambda: self.match_now(match),
        )


class LeagueEventListing(MatchResource):
    """The events of clubs that came in."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_event_list",
        summary="The events of clubs that came in",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueEventSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """The latest first."""
        events = LeagueEvent.objects.filter(league=self.league).defer("document")
        return Pages.of(self, events, LeagueEventSerializer)

    @extend_schema(
        operation_id="league_event_import",
        summary="Take in an event of a club",
        request=OpenApiTypes.OBJECT,
        responses={200: ImportedSerializer, 201: ImportedSerializer},
    )
    def post(self, request: Request, league: str) -> Response:
        """As `docs/event.schema.json` has it; the same one again changes nothing (200)."""
        document: Mapping[str, Any] = request.data if isinstance(request.data, dict) else {}
        imported = event_import(league=self.league, document=dict(document), actor=self.actor)
        status = 201 if imported.changed else 200
        return Response(ImportedSerializer(imported).data, status)
