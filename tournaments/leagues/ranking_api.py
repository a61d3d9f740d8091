"""The API of the rankings over the clubs of a league, and of their official lists."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
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
from tournaments.leagues.api import Json, LeagueResource
from tournaments.leagues.people import nobody, people_shown
from tournaments.leagues.permissions import RUN_LEAGUE, find_list, find_ranking
from tournaments.leagues.ranked_results import RankingRow, ranking_on
from tournaments.leagues.rankings import (
    RULE,
    list_rows,
    ranking_publish,
    ranking_seen,
    ranking_write,
)
from tournaments.models import League, LeagueRanking, RankingList

SAW = "The version you saw."


class CountedSerializer(serializers.Serializer[Any]):
    """A result, and what it is worth in a ranking."""

    date = serializers.DateField()
    club = serializers.CharField()
    rounds = serializers.IntegerField()
    players = serializers.IntegerField(help_text="How many were there.")
    total = serializers.IntegerField()
    value = serializers.CharField(
        help_text="The total, the percentage of the field that was beaten, or the strength after."
    )
    share = serializers.FloatField(help_text="Counts for so many percent.")


class RankedSerializer(serializers.Serializer[Any]):
    """Somebody in a ranking, with the results that their value is made of."""

    place = serializers.IntegerField(allow_null=True, help_text="Null with too few rounds.")
    name = serializers.CharField(help_text="As the strictest of their clubs shows them.")
    number = serializers.IntegerField(allow_null=True, help_text="Null of who is hidden.")
    value = serializers.CharField(allow_blank=True)
    rounds = serializers.IntegerField()
    low = serializers.IntegerField(allow_null=True, help_text="A strength lies between these.")
    high = serializers.IntegerField(allow_null=True)
    results = CountedSerializer(many=True, help_text="None of who is hidden.")


def ranked_json(league: League, rows: Sequence[RankingRow]) -> list[Json]:
    """The rows with the names that their clubs show."""
    people = people_shown(league, [row.person for row in rows])
    names = "place", "value", "rounds", "low", "high"
    return [
        {
            **{name: getattr(row, name) for name in names},
            "name": person.name,
            "number": person.number,
            "results": row.results if person.number is not None else [],
        }
        for row in rows
        for person in [people.get(row.person, nobody())]
    ]


class LeagueRankingSerializer(serializers.ModelSerializer[LeagueRanking]):
    """A ranking with its rule."""

    weights = serializers.ListField(child=serializers.IntegerField())
    version = serializers.SerializerMethodField(help_text="Sent along with a change.")

    class Meta:
        model = LeagueRanking
        fields = ["slug", "name", *RULE, "version"]

    def get_version(self, ranking: LeagueRanking) -> str:
        return str(ranking.version)


class LeagueRankingWriteSerializer(StrictSerializer):
    """A ranking to make, or what to change of one; what is left out is as usual, or stays."""

    name = serializers.CharField(max_length=60, required=False)
    system = serializers.ChoiceField(LeagueRanking.System.choices, required=False)
    ranks = serializers.ChoiceField(LeagueRanking.Discipline.choices, required=False)
    family = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="Such as `rotterdam-16`."
    )
    months = serializers.IntegerField(min_value=1, max_value=120, required=False)
    minimum_rounds = serializers.IntegerField(min_value=0, max_value=999, required=False)
    event_players = serializers.IntegerField(min_value=0, max_value=999, required=False)
    event_rounds = serializers.IntegerField(min_value=0, max_value=40, required=False)
    full = serializers.IntegerField(min_value=1, max_value=99, required=False)
    half = serializers.IntegerField(min_value=0, max_value=99, required=False)
    weights = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100), max_length=10, required=False
    )
    version = serializers.CharField(required=False, help_text=SAW)


class OfficialListSerializer(serializers.Serializer[Any]):
    """An official list, which never changes."""

    number = serializers.IntegerField()
    on = serializers.DateField(help_text="As it stood on this day.")
    published_at = serializers.DateTimeField()
    seal = serializers.CharField()


class OfficialListRowsSerializer(OfficialListSerializer):
    """An official list with the rule it was made by, and everybody in it."""

    rule = serializers.DictField()
    rows = RankedSerializer(many=True)


class ListPreviewSerializer(serializers.Serializer[Any]):
    """A ranking as it would be published."""

    on = serializers.DateField()
    seen = serializers.CharField(help_text="Sent along to publish just this.")
    rows = RankedSerializer(many=True)


class PublishSerializer(StrictSerializer):
    """Which day, and what was seen of it."""

    on = serializers.DateField()
    seen = serializers.CharField(max_length=64)


class RankingResource(LeagueResource):
    """An address of a ranking."""

    def written_ranking(self, ranking: LeagueRanking | None, version: int = 0) -> Json:
        """The ranking with what was sent, made or changed."""
        given = self.given(LeagueRankingWriteSerializer)
        stands = ranking or LeagueRanking()
        rule = {name: given.get(name, getattr(stands, name)) for name in RULE}
        made = ranking_write(
            league=self.league,
            name=given.get("name", stands.name),
            rule=rule,
            ranking=ranking,
            version=version,
            actor=self.actor,
        )
        return dict(LeagueRankingSerializer(made).data)


class LeagueRankingListing(RankingResource):
    """The rankings of a league."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_ranking_list",
        summary="The rankings of a league",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueRankingSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """Each with its rule."""
        return Pages.of(self, self.league.rankings.all(), LeagueRankingSerializer)

    @extend_schema(
        operation_id="league_ranking_add",
        summary="Add a ranking",
        parameters=[key_parameter(required=False)],
        request=LeagueRankingWriteSerializer,
        responses={201: LeagueRankingSerializer},
    )
    def post(self, request: Request, league: str) -> HttpResponse:
        """A mean of points is of one `family` of rules."""
        self.given(LeagueRankingWriteSerializer)
        return idempotent(
            request, about="rankings", act=lambda: Response(self.written_ranking(None), 201)
        )


class LeagueRankingDetail(RankingResource):
    """A ranking."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_ranking_read",
        summary="A ranking with its rule",
        parameters=[known_parameter()],
        responses={200: LeagueRankingSerializer, 304: None},
    )
    def get(self, request: Request, league: str, ranking: str) -> HttpResponse:
        """Who stands where is in its lists."""
        return self.shown(self._json(ranking))

    @extend_schema(
        operation_id="league_ranking_change",
        summary="Change a ranking",
        parameters=[version_parameter()],
        request=LeagueRankingWriteSerializer,
        responses=LeagueRankingSerializer,
    )
    def patch(self, request: Request, league: str, ranking: str) -> HttpResponse:
        """Its lists stay as they were published."""
        found = find_ranking(self.league, ranking)
        return self.written(
            lambda version: self.written_ranking(found, version), lambda: self._json(ranking)
        )

    def _json(self, slug: str) -> Json:
        return dict(LeagueRankingSerializer(find_ranking(self.league, slug)).data)


class LeagueRankingPreview(RankingResource):
    """A ranking as it would be published."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_ranking_preview",
        summary="The ranking as it would be published",
        parameters=[OpenApiParameter("on", OpenApiTypes.DATE, description="Today by itself.")],
        responses=ListPreviewSerializer,
    )
    def get(self, request: Request, league: str, ranking: str) -> Response:
        """Nothing is published by looking."""
        found = find_ranking(self.league, ranking)
        on = _day(request.query_params.get("on", ""))
        rows = ranking_on(found, on)
        data = {"on": on, "seen": ranking_seen(found, on, rows)}
        return Response(
            ListPreviewSerializer({**data, "rows": ranked_json(self.league, rows)}).data
        )


def _day(asked: str) -> dt.date:
    """The day that was asked for, or today. Raises Problem 400."""
    try:
        return dt.date.fromisoformat(asked) if asked else timezone.localdate()
    except ValueError as error:
        message = "This is no day."
        faults = [FieldError("on", "invalid", message)]
        raise Problem(400, "invalid", message, errors=faults) from error


class OfficialListListing(RankingResource):
    """The official lists of a ranking."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="official_list_list",
        summary="The official lists of a ranking",
        parameters=Pages.parameters(),
        responses=Pages.answer(OfficialListSerializer),
    )
    def get(self, request: Request, league: str, ranking: str) -> Response:
        """The newest first, without their rows."""
        lists = find_ranking(self.league, ranking).lists.defer("rows", "rule")
        return Pages.of(self, lists, OfficialListSerializer)

    @extend_schema(
        operation_id="official_list_publish",
        summary="Publish the ranking of a day",
        parameters=[key_parameter(required=False)],
        request=PublishSerializer,
        responses={201: OfficialListRowsSerializer},
    )
    def post(self, request: Request, league: str, ranking: str) -> HttpResponse:
        """As the preview showed it (`seen`); 409 where it is another by now."""
        found, given = find_ranking(self.league, ranking), self.given(PublishSerializer)

        def act() -> Response:
            made = ranking_publish(ranking=found, actor=self.actor, **given)
            return Response(official_list_json(self.league, made), 201)

        return idempotent(request, about=f"lists {found.pk}", act=act)


class OfficialListDetail(RankingResource):
    """An official list of a ranking."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="official_list_read",
        summary="An official list, each value explained result by result",
        parameters=[known_parameter()],
        responses={200: OfficialListRowsSerializer, 304: None},
    )
    def get(self, request: Request, league: str, ranking: str, number: int) -> HttpResponse:
        """Best first, then who has too few rounds."""
        made = find_list(find_ranking(self.league, ranking), number)
        return self.shown(official_list_json(self.league, made))


def official_list_json(league: League, made: RankingList) -> Json:
    """A list as it is read, under the names that clubs show now."""
    names = "number", "on", "published_at", "seal", "rule"
    data = {name: getattr(made, name) for name in names}
    return dict(
        OfficialListRowsSerializer({**data, "rows": ranked_json(league, list_rows(made))}).data
    )
