"""The API of what is done to an evening as a whole: freeze, close, reopen, cancel, play off; and
corrections of people, for an evening or a season."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import MANAGE_CLUB, READ_DESK, of_club
from clubs.api.requests import idempotent
from clubs.api.resource import ClubResource, Needs, StrictSerializer, key_parameter
from clubs.models import Member
from tournaments.closing.services import (
    competitor_correct,
    competitor_correction_remove,
    evening_cancel,
    evening_close,
    evening_reopen,
    evening_restore,
    person_correct,
    person_correction_remove,
    play_off_write,
)
from tournaments.evenings.api import EVENING, EveningSerializer
from tournaments.evenings.api_base import LARGEST, EveningResource, Json, PersonSerializer
from tournaments.evenings.permissions import (
    CANCEL,
    CLOSE,
    CORRECT_PERSON,
    FREEZE,
    PLAY_OFF,
    REOPEN,
    RESTORE,
)
from tournaments.evenings.services import evening_freeze
from tournaments.models import (
    Competitor,
    CompetitorCorrection,
    Evening,
    PersonCorrection,
    Season,
)
from tournaments.standings.queries import play_off_rows


class RivalSerializer(PersonSerializer):
    """Somebody who shares first place, and their score in the extra deals."""

    score = serializers.IntegerField(allow_null=True)


class PlayOffSerializer(serializers.Serializer[Any]):
    """The people who share first place."""

    rivals = RivalSerializer(many=True)


class RivalScoreSerializer(StrictSerializer):
    """Somebody's score in the extra deals."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    score = serializers.IntegerField(min_value=-LARGEST, max_value=LARGEST)


class PlayOffWriteSerializer(StrictSerializer):
    """The score of each of them, and why: needed once a result of this evening was published."""

    rivals = serializers.ListField(child=RivalScoreSerializer(), max_length=500)
    reason = serializers.CharField(max_length=200, allow_blank=True, default="")


PLAY_OFF_EXAMPLE = OpenApiExample(
    "play-off",
    value={
        "rivals": [
            {"member": 1, "name": "Jan Bakker", "score": 384},
            {"member": 2, "name": "Mia van der Meer", "score": 264},
        ]
    },
    response_only=True,
)


class PlayOff(EveningResource):
    """The extra deals of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": READ_DESK, "put": PLAY_OFF}

    @extend_schema(
        operation_id="play_off_read",
        summary="Who shares first place",
        responses=PlayOffSerializer,
        examples=[PLAY_OFF_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Only of an evening that is played out and settles a tie by extra deals; else nobody."""
        return self._answer()

    @extend_schema(
        operation_id="play_off_write",
        summary="Write the scores of the extra deals",
        parameters=[key_parameter(required=False)],
        request=PlayOffWriteSerializer,
        responses=PlayOffSerializer,
        examples=[PLAY_OFF_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """For everybody who shares first place."""
        given = PlayOffWriteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(
            request, about=self.about, act=lambda: self._write(**given.validated_data)
        )

    def _write(self, rivals: list[Json], reason: str) -> Response:
        scores = {rival["member"]: rival["score"] for rival in rivals}
        play_off_write(evening_id=self.evening.pk, scores=scores, reason=reason, actor=self.actor)
        return self._answer()

    def _answer(self) -> Response:
        scores = dict(self.evening.play_off_scores.values_list("member_id", "score"))
        rivals = [
            {"member": row.member_id, "name": row.name, "score": scores.get(row.member_id)}
            for row in play_off_rows(self.evening)
        ]
        return Response({"rivals": rivals})


EVENING_EXAMPLE = OpenApiExample("evening", value=EVENING, response_only=True)


def act_schema(operation_id: str, summary: str) -> Callable[..., Any]:
    """The schema of an action on an evening: a POST without a body."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        parameters=[key_parameter(required=False)],
        request=None,
        responses=EveningSerializer,
        examples=[EVENING_EXAMPLE],
    )


class EveningAct(EveningResource):
    """An action on an evening as a whole."""

    tag = "evenings"

    def done(self, act: Callable[[], object]) -> HttpResponse:
        """The evening after `act`, or the earlier response to the same request."""
        return idempotent(self.request, about=self.about, act=lambda: self._after(act))

    def _after(self, act: Callable[[], object]) -> Response:
        act()
        self.find(**self.kwargs)
        return Response(EveningSerializer(self.evening).data)


class EveningFreeze(EveningAct):
    """The standings are hidden."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_freeze", "Hide the standings from the hall")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Until the prizes: nobody but the desk sees points."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=True, actor=self.actor)
        )


class EveningUnfreeze(EveningAct):
    """The standings are shown again."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_unfreeze", "Show the standings again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Everybody sees points again."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=False, actor=self.actor)
        )


class EveningClose(EveningAct):
    """The evening ends."""

    needs: ClassVar[Needs] = {"post": CLOSE}

    @act_schema("evening_close", "Close the evening")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Ends it and publishes its result; rounds that never started are deleted. If the evening
        has `absence_found`, members who are neither present nor signed off stayed away."""
        return self.done(lambda: evening_close(evening_id=self.evening.pk, actor=self.actor))


class EveningReopen(EveningAct):
    """A closed evening is opened again."""

    needs: ClassVar[Needs] = {"post": REOPEN}

    @act_schema("evening_reopen", "Open a closed evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Its releases stay as they were published."""
        return self.done(lambda: evening_reopen(evening_id=self.evening.pk, actor=self.actor))


class EveningCancel(EveningAct):
    """The evening is called off."""

    needs: ClassVar[Needs] = {"post": CANCEL}

    @act_schema("evening_cancel", "Call the evening off")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Deletes its draw; once deals are written it can no longer be called off."""
        return self.done(lambda: evening_cancel(evening_id=self.evening.pk, actor=self.actor))


class EveningRestore(EveningAct):
    """A cancelled evening is planned again."""

    needs: ClassVar[Needs] = {"post": RESTORE}

    @act_schema("evening_restore", "Plan a cancelled evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """As it was planned; people stay checked in."""
        return self.done(lambda: evening_restore(evening_id=self.evening.pk, actor=self.actor))


class PersonCorrectionSerializer(serializers.ModelSerializer[PersonCorrection]):
    """Points that somebody was given, or that were taken off, and why."""

    name = serializers.CharField(source="member.desk_name")

    class Meta:
        model = PersonCorrection
        fields = ["id", "member", "name", "points", "reason"]


class NewCorrectionSerializer(StrictSerializer):
    """How many points, and why."""

    points = serializers.IntegerField(
        min_value=-PersonCorrection.MOST_POINTS, max_value=PersonCorrection.MOST_POINTS
    )
    reason = serializers.CharField(max_length=200)


class NewPersonCorrectionSerializer(NewCorrectionSerializer):
    """Who, how many points, and why."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)


class CompetitorCorrectionSerializer(serializers.ModelSerializer[CompetitorCorrection]):
    """Points that a pair or a team was given, or that were taken off, and why."""

    name = serializers.CharField(source="competitor.name")

    class Meta:
        model = CompetitorCorrection
        fields = ["id", "competitor", "name", "points", "reason"]


class CompetitorCorrectionsSerializer(serializers.Serializer[Any]):
    """The corrections of pairs and teams."""

    corrections = CompetitorCorrectionSerializer(many=True)


class NewCompetitorCorrectionSerializer(NewCorrectionSerializer):
    """Which pair or team, how many points, and why."""

    competitor = serializers.IntegerField(min_value=1, max_value=LARGEST)


class PersonCorrectionsSerializer(serializers.Serializer[Any]):
    """The corrections of people."""

    corrections = PersonCorrectionSerializer(many=True)


CORRECTIONS_EXAMPLE = OpenApiExample(
    "corrections",
    value={
        "corrections": [
            {"id": 1, "member": 12, "name": "Jan Bakker", "points": -100, "reason": "te laat"}
        ]
    },
    response_only=True,
)


def corrections_schema(operation_id: str, summary: str, **more: Any) -> Callable[..., Any]:
    """The schema of reading or writing corrections."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        responses=PersonCorrectionsSerializer,
        examples=[CORRECTIONS_EXAMPLE],
        **more,
    )


class Corrections(ClubResource):
    """The corrections of people, of an evening or a season."""

    def corrected(self) -> Evening | Season:
        """What they are for."""
        raise NotImplementedError

    def answer(self) -> Response:
        """All of them, in order of time."""
        made = self.corrected().person_corrections.select_related("member")
        return Response({"corrections": PersonCorrectionSerializer(made, many=True).data})

    def add(self, request: Request, about: str) -> HttpResponse:
        """One more, as it was sent."""
        given = NewPersonCorrectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        return idempotent(request, about=about, act=lambda: self._add(**values))

    def _add(self, member: int, points: int, reason: str) -> Response:
        person = Member.objects.of(self.club).filter(pk=member).first()
        if person is None:
            raise Http404
        person_correct(
            about=self.corrected(), member=person, points=points, reason=reason, actor=self.actor
        )
        return self.answer()

    def take_back(self, pk: int) -> Response:
        """Without this one."""
        about = self.corrected()
        if not about.person_corrections.filter(pk=pk).exists():
            raise Http404
        person_correction_remove(about=about, correction_id=pk, actor=self.actor)
        return self.answer()


class EveningCorrections(Corrections, EveningResource):
    """The corrections of people of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": READ_DESK, "post": CORRECT_PERSON}

    def corrected(self) -> Evening:
        return self.evening

    @corrections_schema("evening_correction_list", "Corrections of people for an evening")
    def get(self, request: Request, **names: Any) -> Response:
        """They are part of the total."""
        return self.answer()

    @corrections_schema(
        "evening_correction_add",
        "Give somebody points for an evening, or take them off",
        parameters=[key_parameter(required=False)],
        request=NewPersonCorrectionSerializer,
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """It counts at once; what was published stays until it is published again."""
        return self.add(request, self.about)


class EveningCorrectionDetail(Corrections, EveningResource):
    """A correction of somebody's evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"delete": CORRECT_PERSON}

    def corrected(self) -> Evening:
        return self.evening

    @corrections_schema("evening_correction_remove", "Take a correction of an evening back")
    def delete(self, request: Request, pk: int, **names: Any) -> Response:
        """As if it had never been made; the trail keeps both."""
        return self.take_back(pk)


class OfSeason(Corrections):
    """Corrections of people of a season."""

    tag = "seasons"

    def corrected(self) -> Season:
        season = of_club(self.club, Season, slug=self.kwargs["season_slug"])
        season.club = self.club
        return season


class SeasonCorrections(OfSeason):
    """The corrections of people of a season."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "post": MANAGE_CLUB}

    @corrections_schema("season_correction_list", "Corrections of people for a season")
    def get(self, request: Request, **names: Any) -> Response:
        """They are part of the plain sum and of what counts."""
        return self.answer()

    @corrections_schema(
        "season_correction_add",
        "Give somebody points for a season, or take them off",
        parameters=[key_parameter(required=False)],
        request=NewPersonCorrectionSerializer,
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """It counts at once in every standing of the season."""
        return self.add(request, f"season {self.corrected().pk}")


class SeasonCorrectionDetail(OfSeason):
    """A correction of somebody's season."""

    needs: ClassVar[Needs] = {"delete": MANAGE_CLUB}

    @corrections_schema("season_correction_remove", "Take a correction of a season back")
    def delete(self, request: Request, pk: int, **names: Any) -> Response:
        """As if it had never been made; the trail keeps both."""
        return self.take_back(pk)


_OF_PAIR = {"id": 1, "competitor": 3, "name": "De Buren", "points": -100, "reason": "te laat"}
PAIRS_CORRECTED = OpenApiExample(
    "corrections", value={"corrections": [_OF_PAIR]}, response_only=True
)


def pairs_corrected(season: Season) -> Response:
    """All of a season, in order of time."""
    made = season.competitor_corrections.select_related("competitor")
    return Response({"corrections": CompetitorCorrectionSerializer(made, many=True).data})


class CompetitorCorrections(OfSeason):
    """The corrections of pairs and teams of a season."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "post": MANAGE_CLUB}

    @extend_schema(
        operation_id="competitor_correction_list",
        summary="Corrections of pairs and teams for a season",
        responses=CompetitorCorrectionsSerializer,
        examples=[PAIRS_CORRECTED],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """They are part of the plain sum and of what counts, in standings of pairs or teams."""
        return pairs_corrected(self.corrected())

    @extend_schema(
        operation_id="competitor_correction_add",
        summary="Give a pair or a team points for a season, or take them off",
        parameters=[key_parameter(required=False)],
        request=NewCompetitorCorrectionSerializer,
        responses=CompetitorCorrectionsSerializer,
        examples=[PAIRS_CORRECTED],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """It counts at once; its people keep what they have themselves."""
        season = self.corrected()
        given = NewCompetitorCorrectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        competitor = of_club(self.club, Competitor, pk=values.pop("competitor"))

        def act() -> Response:
            competitor_correct(season=season, competitor=competitor, actor=self.actor, **values)
            return pairs_corrected(season)

        return idempotent(request, about=f"season {season.pk} pairs", act=act)


class CompetitorCorrectionDetail(OfSeason):
    """A correction of a pair's or a team's season."""

    needs: ClassVar[Needs] = {"delete": MANAGE_CLUB}

    @extend_schema(
        operation_id="competitor_correction_remove",
        summary="Take a correction of a pair or a team back",
        responses=CompetitorCorrectionsSerializer,
        examples=[PAIRS_CORRECTED],
    )
    def delete(self, request: Request, pk: int, **names: Any) -> Response:
        """As if it had never been made; the trail keeps both."""
        season = self.corrected()
        if not season.competitor_corrections.filter(pk=pk).exists():
            raise Http404
        competitor_correction_remove(season=season, correction_id=pk, actor=self.actor)
        return pairs_corrected(season)
