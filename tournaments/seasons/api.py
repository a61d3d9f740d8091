"""The API of a club's seasons and of their standings."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import MANAGE_CLUB, may, of_club
from clubs.api.requests import content_hash, etag, idempotent, require_version, tagged, with_tag
from clubs.api.resource import (
    ANYBODY,
    ClubResource,
    Needs,
    Pages,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from clubs.profile.services import club_lock
from clubs.text.numbers import MOST_CENTS
from tournaments.evenings.pages import competitors_version
from tournaments.models import Season, SeasonRule
from tournaments.seasons.services import season_change, season_create
from tournaments.seasons.shown import SeasonStanding, chosen_standing
from tournaments.standings.competitors import competitor_id_of
from tournaments.standings.core.results import RANKS, SeasonRow
from tournaments.standings.texts import season_json

Json = dict[str, Any]


CHANGED = "name", "starts", "ends", "fee", "live"


class SeasonRuleSerializer(serializers.ModelSerializer[SeasonRule]):
    """One of the standings of a season; `settings` are those of `manage.py standings --rule`."""

    number = serializers.IntegerField(source="position", help_text="For `?standing=`.")

    class Meta:
        model = SeasonRule
        fields = ["number", "name", "settings", "changed_on", "reason"]


class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A season; `fee`, in cents, is only shown to those who may change it."""

    standings = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField(help_text="What a write names.")

    class Meta:
        model = Season
        fields = ["slug", *CHANGED, "standings", "version"]
        extra_kwargs: ClassVar[dict[str, Any]] = {"fee": {"required": False}}

    def get_standings(self, season: Season) -> Any:
        """Numbered from 1, as `?standing=` has it."""
        rules = sorted(season.rules.all(), key=lambda rule: rule.position)
        return SeasonRuleSerializer(rules, many=True).data

    def get_version(self, season: Season) -> str:
        return str(season.version)

    def to_representation(self, instance: Season) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not self.context.get("fees"):
            del shown["fee"]
        return shown


class SeasonChangeSerializer(StrictSerializer):
    """The fields to change; the others stay as they are."""

    name = serializers.CharField(max_length=60, required=False)
    starts = serializers.DateField(required=False, allow_null=True)
    ends = serializers.DateField(required=False, allow_null=True)
    fee = serializers.IntegerField(
        min_value=0, max_value=MOST_CENTS, required=False, allow_null=True, help_text="In cents."
    )
    live = serializers.BooleanField(
        required=False, help_text="Whether the evening that is being played counts already."
    )
    version = serializers.CharField(required=False, help_text="The version that you saw.")


class NewSeasonSerializer(SeasonChangeSerializer):
    """A new season; every evening counts in it until it has standings of its own."""

    name = serializers.CharField(max_length=60)
    version = None  # type: ignore[assignment]


SEASON: Mapping[str, object] = {
    "slug": "2026-2027",
    "name": "2026-2027",
    "starts": "2026-09-01",
    "ends": "2027-06-30",
    "fee": 1750,
    "live": False,
    "standings": [{"number": 1, "name": "Season standing", "settings": {"best_per_period": 10}}],
    "version": "3",
}
AS_ANSWERED = OpenApiExample("season", value=SEASON, response_only=True)


class SeasonResource(ClubResource):
    """An address below `seasons/`."""

    tag = "seasons"

    def shown(self, season: Season) -> Any:
        """The season as this caller may see it."""
        fees = may(self.request, MANAGE_CLUB, self.club)
        return SeasonSerializer(season, context={"fees": fees}).data


class SeasonList(SeasonResource):
    """The seasons of a club."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": MANAGE_CLUB}

    @extend_schema(
        operation_id="season_list",
        summary="The seasons of a club",
        parameters=Pages.parameters(),
        responses=Pages.answer(SeasonSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Newest first."""
        seasons = Season.objects.filter(club=self.club).prefetch_related("rules")
        fees = may(request, MANAGE_CLUB, self.club)
        return Pages.of(self, seasons, SeasonSerializer, fees=fees)

    @extend_schema(
        operation_id="season_add",
        summary="Add a season",
        parameters=[key_parameter(required=False)],
        request=NewSeasonSerializer,
        responses={201: SeasonSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Its slug is made from its name."""
        given = NewSeasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about="seasons", act=lambda: self._add(given.validated_data))

    def _add(self, values: dict[str, Any]) -> Response:
        season = season_create(club=self.club, actor=self.actor, **values)
        return Response(self.shown(season), 201)


class SeasonDetail(SeasonResource):
    """A season."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": MANAGE_CLUB}

    @extend_schema(
        operation_id="season_read",
        summary="A season",
        parameters=[known_parameter()],
        responses={200: SeasonSerializer, 304: None},
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, slug: str, season_slug: str) -> HttpResponse:
        """Its days, and which standings it has."""
        shown = self.shown(self._season(season_slug))
        return tagged(request, _tag(shown), lambda: Response(shown))

    @extend_schema(
        operation_id="season_change",
        summary="Change a season",
        parameters=[version_parameter()],
        request=SeasonChangeSerializer,
        responses=SeasonSerializer,
        examples=[AS_ANSWERED],
    )
    def patch(self, request: Request, slug: str, season_slug: str) -> HttpResponse:
        """Change its name, its days or its fee; its slug stays."""
        given = SeasonChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        with transaction.atomic():
            club_lock(self.club.pk)
            season = self._season(season_slug)
            require_version(request, season.version, lambda: self.shown(season))
            wanted = {field: values.get(field, getattr(season, field)) for field in CHANGED}
            season_change(season=season, actor=self.actor, **wanted)
        shown = self.shown(season)
        return with_tag(Response(shown), _tag(shown))

    def _season(self, slug: str) -> Season:
        return of_club(self.club, Season, slug=slug)


def _tag(shown: Mapping[str, Any]) -> str:
    return etag(shown["version"], content_hash(shown))


class SeasonEveningSerializer(serializers.Serializer[Any]):
    """Somebody's score of an evening."""

    score = serializers.IntegerField()
    dropped = serializers.BooleanField(help_text="Whether it does not count.")


class SeasonRowSerializer(serializers.Serializer[Any]):
    """A line of a season's standing, as `manage.py standings` has it."""

    rank = serializers.IntegerField(allow_null=True, help_text="Null: too few evenings to rank.")
    member = serializers.IntegerField(
        allow_null=True, help_text="Null for people without a public page."
    )
    player = serializers.CharField(help_text="The name of the person, pair or team.")
    competitor = serializers.IntegerField(
        allow_null=True, help_text="The pair or team; null for a person."
    )
    total = serializers.IntegerField(help_text="The plain sum.")
    counted = serializers.IntegerField(help_text="The sum of what counts.")
    evenings = serializers.IntegerField(help_text="How many they attended.")
    average = serializers.FloatField()
    pits = serializers.IntegerField()
    by_date = serializers.DictField(child=SeasonEveningSerializer())


class SeasonStandings(ClubResource):
    """A standing of a season."""

    tag = "seasons"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="season_standing_read",
        summary="A season's standing",
        parameters=[
            OpenApiParameter(
                "standing",
                {"type": "integer", "minimum": 1, "default": 1},
                description="Which of its standings; 1 is the main one.",
            ),
            OpenApiParameter(
                "by",
                {"type": "string", "enum": [*RANKS]},
                description="Who is ranked; by default whom the standing ranks.",
            ),
            known_parameter(),
            *Pages.parameters(),
        ],
        responses={200: Pages.answer(SeasonRowSerializer), 304: None},
    )
    def get(self, request: Request, slug: str, season_slug: str) -> HttpResponse:
        """Over the closed evenings, with public names."""
        season = of_club(self.club, Season, slug=season_slug)
        return tagged(request, self._tag(season), lambda: self._page(season_slug))

    def _page(self, season_slug: str) -> Response:
        chosen = chosen_standing(cast("HttpRequest", self.request), self.club, season_slug)
        return Pages.of(self, _season_rows(chosen), SeasonRowSerializer)

    def _tag(self, season: Season) -> str:
        """Changes whenever anything does that the standing depends on."""
        evenings = list(season.evenings.order_by("pk").values_list("pk", "revision", "state"))
        rules = list(season.rules.order_by("position").values_list("settings", flat=True))
        corrected, names = season.corrected, competitors_version(self.club)
        people = self.club.members.fingerprint()
        return etag(content_hash([evenings, rules, corrected, people, *names]))


def _season_rows(chosen: SeasonStanding) -> list[Json]:
    rows = chosen.table.rows
    shown = season_json(chosen.table)
    return [
        {**figures, **_whose(row, has_page=bool(chosen.people[row.player_id].url))}
        for figures, row in zip(shown, rows, strict=True)
    ]


def _whose(row: SeasonRow, *, has_page: bool) -> Json:
    competitor = competitor_id_of(row.player_id)
    member = int(row.player_id) if competitor is None and has_page else None
    return {"player": row.name, "member": member, "competitor": competitor}
