"""The API of nights on which several clubs play the same cards: at the league, and at a club."""

import json
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
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
from clubs.http.problems import Problem
from clubs.text.errors import VersionConflict
from tournaments.duplicate.core.scoring import LINES
from tournaments.duplicate.night_results import (
    clubs_in,
    night_is_stale,
    night_last,
    night_publish,
    night_results,
)
from tournaments.duplicate.nights import (
    night_file,
    night_make,
    night_open,
    night_take,
    night_unlock,
    seed_pull,
)
from tournaments.duplicate.queries import duplicate_of
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.permissions import DRAW
from tournaments.leagues.api import Json, LeagueResource, VersionedSerializer
from tournaments.leagues.permissions import RUN_LEAGUE, find_night, find_night_release
from tournaments.models import DuplicateEvening, NightRelease, SharedNight
from tournaments.models.duplicate import MOST_CLUBS, MOST_FOLDERS


class NightSerializer(VersionedSerializer):
    """A night on which several clubs play the same cards."""

    id = serializers.IntegerField()
    uuid = serializers.UUIDField(help_text="What its commitment is made with, beside the seed.")
    name = serializers.CharField()
    date = serializers.DateField()
    compare = serializers.ChoiceField(DuplicateEvening.Comparison.choices)
    net = serializers.BooleanField(
        help_text="Whether pairs are compared by what they have more than their opponents."
    )
    folders = serializers.IntegerField()
    clubs = serializers.IntegerField(help_text="How many clubs play.")
    commitment = serializers.CharField()
    seed = serializers.SerializerMethodField(help_text="Null until the night is open.")
    opened_at = serializers.DateTimeField(allow_null=True)

    def get_seed(self, night: SharedNight) -> str | None:
        return night.seed if night.opened_at else None


class NightNowSerializer(NightSerializer):
    """A night as it stands."""

    clubs_in = serializers.ListField(
        child=serializers.CharField(), help_text="The clubs whose evening came in, by name."
    )
    stale = serializers.BooleanField(
        help_text="Whether something came in since its ranking was published."
    )


class NightMakeSerializer(StrictSerializer):
    """A night to make."""

    name = serializers.CharField(max_length=60)
    date = serializers.DateField()
    clubs = serializers.IntegerField(min_value=1, max_value=MOST_CLUBS)
    folders = serializers.IntegerField(min_value=1, max_value=MOST_FOLDERS, default=24)
    compare = serializers.ChoiceField(
        DuplicateEvening.Comparison.choices, default=DuplicateEvening.Comparison.MATCHPOINTS
    )
    net = serializers.BooleanField(default=False)


class NightOpenSerializer(StrictSerializer):
    """That a night is opened."""

    anyway = serializers.BooleanField(
        default=False, help_text="Without the clubs that have not sent their evening."
    )
    version = serializers.CharField(required=False, help_text="The version you saw.")


class NightPublishSerializer(StrictSerializer):
    """That the ranking is published anew."""

    version = serializers.CharField(required=False, help_text="The version you saw.")


class NightClubSerializer(serializers.Serializer[Any]):
    """A club among the clubs."""

    place = serializers.IntegerField()
    club = serializers.CharField()
    number = serializers.IntegerField(help_text="Which release of its evening was compared.")
    value = serializers.CharField(help_text="A percentage, or points; two decimals.")
    pairs = serializers.IntegerField()


class NightPairSerializer(serializers.Serializer[Any]):
    """A pair among the pairs of all clubs."""

    place = serializers.IntegerField()
    club = serializers.CharField()
    pair = serializers.IntegerField(help_text="Its number at its club.")
    names = serializers.CharField(help_text="As its club shows its people.")
    line = serializers.ChoiceField(
        [*LINES], allow_null=True, help_text="Null for a pair that sat both ways."
    )
    value = serializers.CharField(help_text="A percentage, or points; two decimals.")
    folders = serializers.IntegerField(help_text="How many folders were compared.")


class NightReleaseSerializer(serializers.Serializer[Any]):
    """A release of the common ranking, which never changes."""

    number = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    seal = serializers.CharField()


class NightRankingSerializer(NightReleaseSerializer):
    """A release with its ranking, best first."""

    clubs = NightClubSerializer(many=True)
    pairs = NightPairSerializer(many=True)


NIGHT_EXAMPLE = OpenApiExample(
    "night",
    value={
        "version": "1",
        "id": 1,
        "uuid": "6cf56be4-0c5d-4b92-a36a-e8b7f5a8d3f1",
        "name": "Samen spelen",
        "date": "2026-11-21",
        "compare": "matchpoints",
        "net": False,
        "folders": 24,
        "clubs": 2,
        "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "seed": None,
        "opened_at": None,
        "clubs_in": ["De Vier Azen"],
        "stale": False,
    },
    response_only=True,
)


class NightResource(LeagueResource):
    """An address of the nights of a league."""

    def night_now(self, pk: int) -> Json:
        """A night as it stands."""
        night = find_night(self.league, pk)
        stale = bool(night.opened_at) and night_is_stale(night, night_last(night))
        return dict(NightSerializer(night).data) | {"clubs_in": clubs_in(night), "stale": stale}


class NightListing(NightResource):
    """The nights of a league."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="night_list",
        summary="The nights on which clubs play the same cards",
        parameters=Pages.parameters(),
        responses=Pages.answer(NightSerializer),
    )
    def get(self, request: Request, league: str) -> Response:
        """The latest first."""
        return Pages.of(self, self.league.nights.all(), NightSerializer)

    @extend_schema(
        operation_id="night_make",
        summary="Make a night and deal its cards",
        parameters=[key_parameter(required=False)],
        request=NightMakeSerializer,
        responses={201: NightNowSerializer},
        examples=[NIGHT_EXAMPLE],
    )
    def post(self, request: Request, league: str) -> HttpResponse:
        """From a seed drawn by lot, of which everybody reads the commitment at once."""
        given = self.given(NightMakeSerializer)

        def act() -> Response:
            night = night_make(league=self.league, actor=self.actor, **given)
            return Response(self.night_now(night.pk), 201)

        return idempotent(request, about="nights", act=act)


class NightDetail(NightResource):
    """A night on which several clubs play the same cards."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="night_read",
        summary="A night, and which clubs have finished",
        parameters=[known_parameter()],
        responses={200: NightNowSerializer, 304: None},
        examples=[NIGHT_EXAMPLE],
    )
    def get(self, request: Request, league: str, night: int) -> HttpResponse:
        """With the seed once it is open."""
        return self.shown(self.night_now(night))


class NightCards(NightResource):
    """The cards of a night."""

    needs: ClassVar[Needs] = {"post": RUN_LEAGUE}

    @extend_schema(
        operation_id="night_cards",
        summary="Take the file with the cards for the clubs",
        request=None,
        responses=OpenApiTypes.OBJECT,
    )
    def post(self, request: Request, league: str, night: int) -> Response:
        """Without the seed. That it was taken is in the log: who reads it should not play."""
        found = find_night(self.league, night)
        return Response(json.loads(night_file(night=found, actor=self.actor)))


class NightOpening(NightResource):
    """The opening of a night."""

    needs: ClassVar[Needs] = {"put": RUN_LEAGUE}

    @extend_schema(
        operation_id="night_open",
        summary="Open a night",
        parameters=[version_parameter()],
        request=NightOpenSerializer,
        responses=NightNowSerializer,
    )
    def put(self, request: Request, league: str, night: int) -> HttpResponse:
        """Everybody can read seed, cards and results from then on, and the common ranking is
        published. The same again changes nothing."""
        found, given = find_night(self.league, night), self.given(NightOpenSerializer)
        return self.written(
            lambda version: night_open(night=found, seen=version, actor=self.actor, **given),
            lambda: self.night_now(night),
        )


class NightReleaseListing(NightResource):
    """The releases of a night's common ranking."""

    needs: ClassVar[Needs] = {"get": ANYBODY, "post": RUN_LEAGUE}

    @extend_schema(
        operation_id="night_release_list",
        summary="The releases of a night's ranking",
        parameters=Pages.parameters(),
        responses=Pages.answer(NightReleaseSerializer),
    )
    def get(self, request: Request, league: str, night: int) -> Response:
        """The newest first, without the rankings."""
        releases = find_night(self.league, night).releases.defer("clubs", "pairs")
        return Pages.of(self, releases, NightReleaseSerializer)

    @extend_schema(
        operation_id="night_publish",
        summary="Publish the ranking of a night anew",
        parameters=[version_parameter()],
        request=NightPublishSerializer,
        responses=NightRankingSerializer,
    )
    def post(self, request: Request, league: str, night: int) -> HttpResponse:
        """With what came in since; 422 where nothing did."""
        found = find_night(self.league, night)
        self.given(NightPublishSerializer)
        try:
            release = night_publish(night=found, seen=self.saw(), actor=self.actor)
        except VersionConflict as error:
            now = self.night_now(night)
            raise Problem(409, "version_conflict", error.message, current=now) from error
        return Response(ranking_json(release))


class NightReleaseDetail(NightResource):
    """A release of a night's common ranking."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="night_release_read",
        summary="A release of a night's ranking",
        parameters=[known_parameter()],
        responses={200: NightRankingSerializer, 304: None},
    )
    def get(self, request: Request, league: str, night: int, number: int) -> HttpResponse:
        """All clubs and all pairs, under the names that clubs show now."""
        release = find_night_release(find_night(self.league, night), number)
        return self.shown(ranking_json(release))


def ranking_json(release: NightRelease) -> Json:
    """A release as it is read."""
    results = night_results(release)
    data = {name: getattr(release, name) for name in ("number", "published_at", "seal")}
    clubs = [
        {
            "place": club.place,
            "club": club.name,
            "number": club.row["number"],
            "value": f"{club.value:.2f}",
            "pairs": club.pairs,
        }
        for club in results.clubs()
    ]
    pairs = [
        {
            "place": pair.place,
            "club": pair.club,
            "pair": pair.row["pair"],
            "names": pair.names,
            "line": pair.row["line"],
            "value": f"{pair.value:.2f}",
            "folders": pair.folders,
        }
        for pair in results.pairs()
    ]
    return dict(NightRankingSerializer({**data, "clubs": clubs, "pairs": pairs}).data)


# At a club.


class EveningNightSerializer(serializers.Serializer[Any]):
    """The night of several clubs on which an evening's folders are played."""

    night = serializers.UUIDField(allow_null=True, help_text="Null for cards of its own.")
    folders = serializers.IntegerField()
    commitment = serializers.CharField(allow_blank=True)
    locked = serializers.BooleanField(
        help_text="Whether cards and results wait until the league opens the night."
    )


class SeedSerializer(StrictSerializer):
    """The seed of the night; left out, it is read at the league."""

    seed = serializers.CharField(max_length=80, required=False)


class EveningNightResource(EveningResource):
    """An address of the night that an evening belongs to."""

    tag = "evenings"

    def require_folders(self) -> None:
        """Http404 of an evening without."""
        if not self.evening.plays_folders:
            raise Http404

    def night_now(self) -> Response:
        """What the evening has of the night."""
        duplicate = duplicate_of(self.evening)
        data = {
            "night": duplicate.night,
            "folders": duplicate.folders,
            "commitment": duplicate.commitment,
            "locked": duplicate.is_locked,
        }
        return Response(EveningNightSerializer(data).data)


class EveningNight(EveningNightResource):
    """The night that an evening belongs to."""

    needs: ClassVar[Needs] = {"get": DRAW, "put": DRAW}

    @extend_schema(
        operation_id="evening_night_read",
        summary="The night of several clubs that an evening belongs to",
        responses=EveningNightSerializer,
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> Response:
        """`night` is null where the folders have cards of their own."""
        self.require_folders()
        return self.night_now()

    @extend_schema(
        operation_id="evening_night_take",
        summary="Play the cards of a night",
        request=OpenApiTypes.OBJECT,
        responses=EveningNightSerializer,
    )
    def put(self, request: Request, slug: str, evening_slug: str) -> Response:
        """What is sent is the file of the league; 422 names every fault of it."""
        self.require_folders()
        text = json.dumps(request.data)
        night_take(evening_id=self.evening.pk, text=text, actor=self.actor)
        return self.night_now()


class EveningNightSeed(EveningNightResource):
    """The seed of the night that an evening belongs to."""

    needs: ClassVar[Needs] = {"put": DRAW}

    @extend_schema(
        operation_id="evening_night_unlock",
        summary="Let everybody read the cards of a night",
        request=SeedSerializer,
        responses=EveningNightSerializer,
    )
    def put(self, request: Request, slug: str, evening_slug: str) -> Response:
        """With this seed, or with the one that is read at the league: 422 while that has not opened
        the night."""
        self.require_folders()
        given = self.given(SeedSerializer)
        if "seed" in given:
            night_unlock(evening_id=self.evening.pk, seed=given["seed"], actor=self.actor)
        else:
            seed_pull(evening=self.evening, actor=self.actor)
        return self.night_now()
