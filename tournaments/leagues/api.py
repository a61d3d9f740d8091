"""The API of leagues: what everybody reads of them, and all that their leaders do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import Target, caller_of, may
from clubs.api.requests import content_hash, etag, idempotent, seen_version, tagged
from clubs.api.resource import (
    ANYBODY,
    ClubResource,
    Needs,
    Pages,
    Resource,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from clubs.audit.trail import trail_lines, trail_ordered
from clubs.http.problems import Problem
from clubs.models import AuditEvent, Language
from clubs.text.errors import VersionConflict
from tournaments.leagues.core.table import TIES
from tournaments.leagues.permissions import MAKE_LEAGUE, RUN_LEAGUE, find_league_season
from tournaments.leagues.queries import league_events
from tournaments.leagues.services import (
    RULE,
    league_change,
    league_create,
    league_rule_change,
    league_season_create,
)
from tournaments.models import League, LeagueSeason

Json = dict[str, Any]
VERSION = "Sent along with a change."


class VersionedSerializer(serializers.Serializer[Any]):
    """Something that can be changed."""

    version = serializers.SerializerMethodField(help_text=VERSION)

    def get_version(self, row: Any) -> str:
        return str(row.version)


class LeagueSerializer(VersionedSerializer):
    """A league."""

    slug = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(Language.choices)


class NewLeagueSerializer(StrictSerializer):
    """A league to make."""

    name = serializers.CharField(max_length=100)
    language = serializers.ChoiceField(Language.choices, default="nl")


class LeagueChangeSerializer(StrictSerializer):
    """What to change of a league; what is left out stays."""

    name = serializers.CharField(max_length=100, required=False)
    language = serializers.ChoiceField(Language.choices, required=False)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class NamedSerializer(StrictSerializer):
    """A name."""

    name = serializers.CharField(max_length=60)


class WhySerializer(StrictSerializer):
    """Why."""

    reason = serializers.CharField(max_length=200)


def _whole(least: int, most: int, **more: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=least, max_value=most, **more)


def _worth(**more: Any) -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, **more
    )


class LeagueRuleSerializer(StrictSerializer):
    """How a season is played and counted; what is left out stays."""

    meeting = serializers.ChoiceField(LeagueSeason.Meeting.choices, required=False)
    cycles = _whole(1, 10, required=False)
    tables = _whole(1, 8, required=False)
    deals = _whole(1, 99, required=False)
    points = serializers.ChoiceField(LeagueSeason.Points.choices, required=False)
    win = _worth(required=False)
    draw = _worth(required=False)
    loss = _worth(required=False)
    ties = serializers.ListField(
        child=serializers.ChoiceField([*TIES]), max_length=len(TIES), required=False
    )
    exchange = _whole(0, 10, required=False)
    deadline_hours = _whole(1, 999, required=False)
    answer_hours = _whole(1, 999, required=False)
    higher_turns = _whole(0, 99, required=False, allow_null=True)
    played_by = serializers.ChoiceField(LeagueSeason.Rules.choices, required=False)
    regulation = serializers.CharField(max_length=10_000, allow_blank=True, required=False)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class DivisionSerializer(VersionedSerializer):
    """A division; the one at position 1 is the highest."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    position = serializers.IntegerField()
    seed = serializers.IntegerField(
        allow_null=True, help_text="Of its fixtures; null while there are none."
    )


class LeagueSeasonSerializer(serializers.ModelSerializer[LeagueSeason]):
    """A season with its rule and its divisions, the highest first."""

    divisions = DivisionSerializer(many=True)
    version = serializers.SerializerMethodField(help_text=VERSION)
    ties = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = LeagueSeason
        fields = ["slug", "name", *RULE, "divisions", "version"]

    def get_version(self, season: LeagueSeason) -> str:
        return str(season.version)


LEAGUE_EXAMPLE = OpenApiExample(
    "league",
    value={
        "version": "1",
        "slug": "competitie-noord",
        "name": "Competitie Noord",
        "language": "nl",
    },
    response_only=True,
)


def content_shown(request: Request, data: Json) -> HttpResponse:
    """The data with its own ETag; 304 for a reader who has it already."""
    tag = etag(data.get("version", "1"), content_hash(data))
    return tagged(request, tag, lambda: Response(data))


def by_link(request: Request, link: object) -> None:
    """From now on the caller is whoever holds this link."""
    request.caller = replace(caller_of(request), link=link)  # type: ignore[attr-defined]


class LeagueResource(Resource):
    """An address below `leagues/LEAGUE/`: has the `league`."""

    tag = "leagues"
    league: League

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.league = get_object_or_404(League, slug=kwargs["league"])
        super().initial(request, *args, **kwargs)

    def target(self) -> Target:
        """What the caller must be allowed to do it to."""
        return self.league  # type: ignore[return-value]

    @property
    def key_space(self) -> str:
        """What the Idempotency-Keys of writes here are apart by."""
        return f"league {self.league.pk}"

    @property
    def leads(self) -> bool:
        """Whether the caller leads the league."""
        return may(self.request, RUN_LEAGUE, self.target())

    def given(self, serializer: type[StrictSerializer]) -> Json:
        """What was sent but for the version, which `saw` reads."""
        given = super().given(serializer)
        given.pop("version", None)
        return given

    def saw(self) -> int:
        """The version that the write names; one that is no number is that of nothing. Raises
        Problem 422 where it names none."""
        version = seen_version(self.request)
        return int(version) if version.isdecimal() and len(version) < 10 else -1

    def written(self, act: Callable[[int], object], show: Callable[[], Json]) -> HttpResponse:
        """Write with the version that was seen; what stands then, or stands now where somebody else
        was first."""
        version = self.saw()
        return self.written_at(lambda: act(version), show)

    def written_at(self, act: Callable[[], object], show: Callable[[], Json]) -> HttpResponse:
        """The same where the versions are among what was sent."""
        try:
            act()
        except VersionConflict as error:
            raise Problem(409, "version_conflict", error.message, current=show()) from error
        return Response(show())

    def shown(self, data: Json) -> HttpResponse:
        """The data with its own ETag; 304 for a reader who has it already."""
        return content_shown(self.request, data)


class InLeague(ClubResource):
    """An address of a club in a league: has the `club` and the `league`."""

    tag = "leagues"
    league: League

    def find(self, **names: Any) -> None:
        super().find(**names)
        self.league = get_object_or_404(League, slug=names["league"])


class LeagueListing(Resource):
    """The leagues of the server."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="league_list",
        summary="The leagues of the server",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueSerializer),
    )
    def get(self, request: Request) -> Response:
        """By name."""
        return Pages.of(self, League.objects.all(), LeagueSerializer)


class LeagueMaking(ClubResource):
    """Making a league from a club."""

    tag = "leagues"
    needs: ClassVar[Needs] = {"post": MAKE_LEAGUE}

    @extend_schema(
        operation_id="league_make",
        summary="Make a league",
        parameters=[key_parameter(required=False)],
        request=NewLeagueSerializer,
        responses={201: LeagueSerializer},
        examples=[LEAGUE_EXAMPLE],
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """The caller leads it from then on."""
        given = self.given(NewLeagueSerializer)

        def act() -> Response:
            user = self.actor.user
            if user is None:
                raise Problem(403, "not_allowed", "This is not your task.")
            league = league_create(leader=user, actor=self.actor, **given)
            return Response(LeagueSerializer(league).data, 201)

        return idempotent(request, about="leagues", act=act)


class LeagueDetail(LeagueResource):
    """A league."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_read",
        summary="A league",
        parameters=[known_parameter()],
        responses={200: LeagueSerializer, 304: None},
        examples=[LEAGUE_EXAMPLE],
    )
    def get(self, request: Request, league: str) -> HttpResponse:
        """Its name and language."""
        return self.shown(self._json())

    @extend_schema(
        operation_id="league_change",
        summary="Change a league",
        parameters=[version_parameter()],
        request=LeagueChangeSerializer,
        responses=LeagueSerializer,
    )
    def patch(self, request: Request, league: str) -> HttpResponse:
        """Its slug stays."""
        stands = {"name": self.league.name, "language": self.league.language}
        given = {**stands, **self.given(LeagueChangeSerializer)}
        return self.written(
            lambda version: league_change(
                league=self.league, version=version, actor=self.actor, **given
            ),
            self._json,
        )

    def _json(self) -> Json:
        return dict(LeagueSerializer(League.objects.get(pk=self.league.pk)).data)


class TrailSerializer(serializers.Serializer[Any]):
    """Something that was done in the league."""

    at = serializers.DateTimeField()
    author = serializers.CharField()
    action = serializers.CharField(help_text="For programs.")
    what = serializers.CharField(help_text="The same in a sentence.")
    about = serializers.CharField(help_text="What it was done to, such as `leagueteam:12`.")
    reason = serializers.CharField(help_text="Empty where none was given.")

    def to_representation(self, event: AuditEvent) -> Json:
        (line,) = trail_lines([event])
        read = {"action": event.action, "about": event.object_ref}
        for name in ("at", "author", "what", "reason"):
            read[name] = getattr(line, name)
        return super().to_representation(read)


class LeagueTrail(LeagueResource):
    """The log of the league."""

    needs: ClassVar[Needs] = {"get": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_trail_list",
        summary="What was done in the league, and by whom",
        parameters=Pages.parameters(),
        responses=Pages.answer(TrailSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """The newest first; nobody can change it."""
        return Pages.of(self, trail_ordered(league_events(self.league)), TrailSerializer)


class LeagueSeasonListing(LeagueResource):
    """The seasons of a league."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_season_list",
        summary="The seasons of a league",
        parameters=Pages.parameters(),
        responses=Pages.answer(LeagueSeasonSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """The newest first."""
        seasons = self.league.seasons.prefetch_related("divisions")
        return Pages.of(self, seasons, LeagueSeasonSerializer)

    @extend_schema(
        operation_id="league_season_add",
        summary="Add a season",
        parameters=[key_parameter(required=False)],
        request=NamedSerializer,
        responses={201: LeagueSeasonSerializer},
    )
    def post(self, request: Request, league: str) -> HttpResponse:
        """By the rule of the latest one, with its divisions but no teams."""
        given = self.given(NamedSerializer)

        def act() -> Response:
            made = league_season_create(league=self.league, actor=self.actor, **given)
            return Response(
                LeagueSeasonSerializer(find_league_season(self.league, made.slug)).data, 201
            )

        return idempotent(request, about="seasons", act=act)


class LeagueSeasonDetail(LeagueResource):
    """A season of a league."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": RUN_LEAGUE}

    @extend_schema(
        operation_id="league_season_read",
        summary="A season with its rule and its divisions",
        parameters=[known_parameter()],
        responses={200: LeagueSeasonSerializer, 304: None},
    )
    def get(self, request: Request, league: str, league_season: str) -> HttpResponse:
        """How it is played and counted."""
        return self.shown(self._json(league_season))

    @extend_schema(
        operation_id="league_rule_change",
        summary="Change the rule of a season",
        parameters=[version_parameter()],
        request=LeagueRuleSerializer,
        responses=LeagueSeasonSerializer,
    )
    def patch(self, request: Request, league: str, league_season: str) -> HttpResponse:
        """Who meets stays once fixtures are drawn, and the tables once there are results."""
        season = find_league_season(self.league, league_season)
        stands = {name: getattr(season, name) for name in RULE}
        rule = {**stands, **self.given(LeagueRuleSerializer)}
        return self.written(
            lambda version: league_rule_change(
                season=season, rule=rule, version=version, actor=self.actor
            ),
            lambda: self._json(league_season),
        )

    def _json(self, slug: str) -> Json:
        return dict(LeagueSeasonSerializer(find_league_season(self.league, slug)).data)
