"""The API of the evenings of a club: listed, planned, read, changed and deleted."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import django_filters
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import etag, idempotent, require_version, tagged, with_tag
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
from clubs.audit.services import Actor
from clubs.http.problems import FieldError, Problem, query_problem
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from scoring.models import Regulation
from scoring.models.sheet import HIGHEST_TARGET, LOWEST_TARGET
from scoring.regulations.services import regulation_from_preset
from scoring.rules import PRESETS
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.kinds import evening_delete
from tournaments.evenings.permissions import CHANGE_EVENING, DELETE_EVENING, PLAN_EVENING
from tournaments.evenings.services import (
    EveningDetails,
    EveningPlan,
    EveningRules,
    evening_change,
    evening_create,
    evening_details_change,
    evening_rules_change,
    rules_of,
)
from tournaments.models import Evening, EveningKind, Season
from tournaments.models.evening import MOST_PITS, MOST_ROUNDS
from tournaments.standings.core.metrics import EVENING_TIE_BREAKS

PLAYABLE = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]
PLAN = (
    "date",
    "rounds_planned",
    "deals_per_round",
    "target",
    "method",
    "leftover",
    "last_ranked",
    "pair_movement",
    "teammates_may_meet",
)
DETAILS = "name", "starts_at", "sit_out_score", "missed_score", "phones", "writing"
RULES = (
    "first_dealer",
    "first_trump_clubs",
    "maker_holds_trump",
    "roem_by",
    "reneging_until",
    "reneging_escalates",
    "tie",
    "tie_breaks",
    "match_play_off",
    "twice_replaces",
    "interim",
    "sit_out_as",
    "sit_out_pits",
    "leaving",
    "absence_found",
    "ranks",
    "team_best",
)


class EveningRegulationSerializer(serializers.ModelSerializer[Regulation]):
    """The regulation of an evening."""

    class Meta:
        model = Regulation
        fields = ["id", "name", "version"]


class EveningKindSerializer(serializers.ModelSerializer[EveningKind]):
    """The kind of an evening."""

    class Meta:
        model = EveningKind
        fields = ["id", "name"]


class EveningSerializer(serializers.ModelSerializer[Evening]):
    """An evening: its plan, its rules, and how far it is."""

    slug = serializers.CharField(read_only=True, help_text="Its part in addresses.")
    season = serializers.SlugRelatedField[Any](
        "slug", read_only=True, allow_null=True, help_text="The slug of its season."
    )
    regulation = EveningRegulationSerializer(read_only=True, allow_null=True)
    kind = EveningKindSerializer(read_only=True, allow_null=True)
    version = serializers.SerializerMethodField(help_text="Sent along with a change.")

    class Meta:
        model = Evening
        fields = [
            "slug",
            "state",
            "frozen",
            "is_history",
            "season",
            "regulation",
            "kind",
            *PLAN,
            *DETAILS,
            *RULES,
            "revision",
            "version",
        ]

    def get_version(self, evening: Evening) -> str:
        return str(evening.version)


class EveningChangeSerializer(StrictSerializer):
    """The fields to change; the others stay as they are."""

    date = serializers.DateField(validators=PLAYABLE, required=False)
    season = serializers.CharField(
        max_length=60, required=False, allow_null=True, help_text="The slug of a season."
    )
    preset = serializers.ChoiceField(
        list(PRESETS),
        required=False,
        help_text="The regulation, by the name of a preset; else give `regulation`.",
    )
    regulation = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, help_text="The id of one of the club's."
    )
    rounds_planned = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS, required=False)
    deals_per_round = serializers.IntegerField(min_value=1, max_value=99, required=False)
    target = serializers.IntegerField(
        min_value=LOWEST_TARGET,
        max_value=HIGHEST_TARGET,
        required=False,
        allow_null=True,
        help_text="The points that end a round, instead of a number of deals.",
    )
    method = serializers.ChoiceField(Evening.Method.choices, required=False)
    leftover = serializers.ChoiceField(Evening.Leftover.choices, required=False)
    last_ranked = serializers.BooleanField(
        required=False, help_text="Whether the last round is drawn by standing."
    )
    pair_movement = serializers.ChoiceField(
        Evening.PairMovement.choices,
        required=False,
        help_text="How fixed pairs meet; only with the method `pairs`.",
    )
    teammates_may_meet = serializers.BooleanField(
        required=False, help_text="Whether people of one team may sit at one table."
    )
    kind = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        allow_null=True,
        help_text="The id of a kind of the club; its settings are not taken over.",
    )
    name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    starts_at = serializers.TimeField(required=False, allow_null=True)
    sit_out_score = serializers.IntegerField(min_value=0, max_value=99_999, required=False)
    missed_score = serializers.IntegerField(min_value=0, max_value=99_999, required=False)
    phones = serializers.BooleanField(required=False)
    writing = serializers.ChoiceField(Evening.Writing.choices, required=False)
    first_dealer = serializers.ChoiceField(Evening.FirstDealer.choices, required=False)
    first_trump_clubs = serializers.BooleanField(required=False)
    maker_holds_trump = serializers.BooleanField(required=False)
    roem_by = serializers.ChoiceField(Evening.RoemBy.choices, required=False)
    reneging_until = serializers.ChoiceField(Evening.RenegingUntil.choices, required=False)
    reneging_escalates = serializers.BooleanField(required=False)
    tie = serializers.ChoiceField(Evening.Tie.choices, required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(EVENING_TIE_BREAKS)), required=False, max_length=20
    )
    match_play_off = serializers.BooleanField(
        required=False, help_text="Whether a match at a table that ends equal is played off."
    )
    twice_replaces = serializers.BooleanField(required=False)
    interim = serializers.ChoiceField(
        Evening.Interim.choices,
        required=False,
        help_text="What places go by while the evening is played.",
    )
    sit_out_as = serializers.ChoiceField(
        Evening.SitOutAs.choices,
        required=False,
        help_text="What sitting out a round is worth; `sit_out_score` if it is fixed.",
    )
    sit_out_pits = serializers.IntegerField(min_value=0, max_value=MOST_PITS, required=False)
    leaving = serializers.ChoiceField(
        Evening.Leaving.choices,
        required=False,
        help_text="What somebody gets who leaves halfway.",
    )
    absence_found = serializers.BooleanField(
        required=False,
        help_text="Whether members who are neither present nor signed off stay away without "
        "notice once the evening is closed.",
    )
    ranks = serializers.ChoiceField(
        Evening.Ranks.choices, required=False, help_text="Who is ranked first."
    )
    team_best = serializers.IntegerField(
        min_value=1,
        max_value=99,
        required=False,
        allow_null=True,
        help_text="How many members of a team count; null for the sum of its pairs.",
    )
    version = serializers.CharField(required=False, help_text="The version that you saw.")


class EveningPlanSerializer(EveningChangeSerializer):
    """A new evening; the defaults are what most clubs have."""

    date = serializers.DateField(validators=PLAYABLE)
    version = None  # type: ignore[assignment]


EVENING: Mapping[str, object] = {
    "slug": "2026-11-21",
    "state": "planned",
    "frozen": False,
    "is_history": False,
    "season": "2026-2027",
    "regulation": {"id": 3, "name": "Rotterdams", "version": 1},
    "kind": None,
    "date": "2026-11-21",
    "rounds_planned": 3,
    "deals_per_round": 16,
    "target": None,
    "method": "rotation",
    "leftover": "sit_out",
    "last_ranked": False,
    "pair_movement": "by_program",
    "teammates_may_meet": False,
    "name": "",
    "starts_at": "19:30:00",
    "sit_out_score": 1600,
    "missed_score": 0,
    "phones": True,
    "writing": "one",
    "first_dealer": "left",
    "first_trump_clubs": False,
    "maker_holds_trump": False,
    "roem_by": "winner",
    "reneging_until": "count",
    "reneging_escalates": False,
    "tie": "shared",
    "tie_breaks": ["pits", "best_round", "fewest_nats"],
    "match_play_off": False,
    "twice_replaces": False,
    "interim": "rounds",
    "sit_out_as": "fixed",
    "sit_out_pits": 0,
    "leaving": "missed",
    "absence_found": False,
    "ranks": "player",
    "team_best": None,
    "revision": 1,
    "version": "3",
}
EVENING_EXAMPLE = OpenApiExample("evening", value=EVENING, response_only=True)
EVENING_PLAN_EXAMPLE = OpenApiExample(
    "evening",
    value={"date": "2026-11-21", "preset": "rotterdam", "season": "2026-2027"},
    request_only=True,
)


class EveningFilter(django_filters.FilterSet):
    """The evenings to list."""

    state = django_filters.ChoiceFilter(choices=Evening.State.choices)
    season = django_filters.CharFilter("season__slug")
    since = django_filters.DateFilter("date", "gte")
    until = django_filters.DateFilter("date", "lte")

    class Meta:
        model = Evening
        fields: ClassVar[list[str]] = []


class EveningList(ClubResource):
    """The evenings of a club."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY, "post": PLAN_EVENING}

    @extend_schema(
        operation_id="evening_list",
        summary="The evenings of a club",
        parameters=[
            OpenApiParameter("state", enum=Evening.State.values, description="In this state."),
            OpenApiParameter("season", description="Of the season with this slug."),
            OpenApiParameter("since", {"type": "string", "format": "date"}, description="From."),
            OpenApiParameter("until", {"type": "string", "format": "date"}, description="Up to."),
            *Pages.parameters(),
        ],
        responses=Pages.answer(EveningSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Newest first."""
        evenings = Evening.objects.of(self.club).select_related("season", "regulation", "kind")
        filtered = EveningFilter(request.query_params, evenings)
        if not filtered.is_valid():
            raise query_problem(filtered.form)
        return Pages.of(self, filtered.qs.order_by("-date", "-sequence"), EveningSerializer)

    @extend_schema(
        operation_id="evening_plan",
        summary="Plan an evening",
        parameters=[key_parameter(required=False)],
        request=EveningPlanSerializer,
        responses={201: EveningSerializer},
        examples=[EVENING_PLAN_EXAMPLE, EVENING_EXAMPLE],
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """A second evening on the same day gets `-2` after its date."""
        given = EveningPlanSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about="evenings", act=lambda: self._plan(given.validated_data))

    def _plan(self, given: dict[str, Any]) -> Response:
        answers = _answers(self.club, given, self.actor)
        if "regulation" not in answers:
            raise _fault("regulation", "missing", "Give a preset, or the id of a regulation.")
        evening = evening_create(
            club=self.club,
            plan=EveningPlan(**answers),
            rules=EveningRules(**_subset(given, RULES)),
            actor=self.actor,
        )
        return Response(EveningSerializer(evening).data, 201)


class EveningDetail(EveningResource):
    """An evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {
        "get": ANYBODY,
        "patch": CHANGE_EVENING,
        "delete": DELETE_EVENING,
    }

    @extend_schema(
        operation_id="evening_read",
        summary="An evening",
        parameters=[known_parameter()],
        responses={200: EveningSerializer, 304: None},
        examples=[EVENING_EXAMPLE],
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """Its plan, its rules and how far it is."""
        return tagged(request, _tag(self.evening), lambda: Response(self._shown(self.evening)))

    @extend_schema(
        operation_id="evening_change",
        summary="Change an evening",
        parameters=[version_parameter()],
        request=EveningChangeSerializer,
        responses=EveningSerializer,
        examples=[EVENING_EXAMPLE],
    )
    def patch(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """Date, rounds and method can be changed until there is a draw (then 422,
        `evening_drawn`); the rest can always be changed, unless the evening is cancelled."""
        given = EveningChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with transaction.atomic():
            # Read again under the lock: the evening may have changed since the request came in.
            club_lock(self.club.pk)
            self.find(**self.kwargs)
            require_version(request, self.evening.version, lambda: self._shown(self.evening))
            self._change(given.validated_data)
        # Under its new slug, as a change of date changes that.
        self.find(slug=slug, evening_slug=self.evening.slug)
        return with_tag(Response(self._shown(self.evening)), _tag(self.evening))

    @extend_schema(
        operation_id="evening_delete",
        summary="Delete an evening on which nothing was played",
        parameters=[key_parameter(required=False)],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, **names: Any) -> HttpResponse:
        """With its draw and its list of who is here. Where there are deals, results, money that was
        paid or a cup, or where it is closed, 409."""
        return idempotent(request, about=self.about, act=self._delete)

    def _delete(self) -> Response:
        try:
            evening_delete(evening_id=self.evening.pk, actor=self.actor)
        except DomainError as error:
            raise Problem(409, error.code, error.message) from error
        return Response(status=204)

    def _change(self, given: dict[str, Any]) -> None:
        pk, actor = self.evening.pk, self.actor
        answers = _answers(self.club, given, actor)
        if answers.keys() & {*PLAN, "regulation"}:
            now = {name: getattr(self.evening, name) for name in (*PLAN, *DETAILS)}
            now |= {"season": self.evening.season, "regulation": self.evening.regulation}
            now |= {"kind": self.evening.kind}
            plan = EveningPlan(**{**now, **answers})
            self.evening = evening_change(evening_id=pk, plan=plan, actor=actor)
        elif answers:
            now = {name: getattr(self.evening, name) for name in (*DETAILS, "season", "kind")}
            details = EveningDetails(**{**now, **answers})
            evening_details_change(evening_id=pk, details=details, actor=actor)
        if rules := _subset(given, RULES):
            changed = replace(rules_of(self.evening), **rules)
            evening_rules_change(evening_id=pk, rules=changed, actor=actor)

    def _shown(self, evening: Evening) -> Any:
        return EveningSerializer(evening).data


def _tag(evening: Evening) -> str:
    return etag(evening.version, evening.revision, evening.state, evening.frozen)


def _answers(club: Club, given: Mapping[str, Any], actor: Actor) -> dict[str, Any]:
    """The given fields of the plan, with the season, the regulation and the kind as objects.

    Raises Problem 422 if the club does not have them.
    """
    answers = _subset(given, (*PLAN, *DETAILS))
    if "season" in given:
        answers["season"] = given["season"] and _season(club, given["season"])
    if "kind" in given:
        answers["kind"] = given["kind"] and _kind(club, given["kind"])
    if "preset" in given and "regulation" in given:
        raise _fault("preset", "bad_value", "Give a preset or a regulation, not both.")
    if "preset" in given:
        preset = given["preset"]
        answers["regulation"] = regulation_from_preset(club=club, preset=preset, actor=actor)
    if "regulation" in given:
        answers["regulation"] = _regulation(club, given["regulation"])
    return answers


def _subset(given: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: given[name] for name in names if name in given}


def _season(club: Club, slug: str) -> Season:
    season = Season.objects.filter(club=club, slug=slug).first()
    if season is None:
        raise _fault("season", "unknown_season", "The club has no season with this slug.")
    return season


def _regulation(club: Club, pk: int) -> Regulation:
    regulation = Regulation.objects.filter(club=club, pk=pk).first()
    if regulation is None:
        raise _fault("regulation", "unknown_regulation", "The club has no regulation with this id.")
    return regulation


def _kind(club: Club, pk: int) -> EveningKind:
    kind = EveningKind.objects.filter(club=club, pk=pk).first()
    if kind is None:
        raise _fault("kind", "unknown_kind", "The club has no kind of evening with this id.")
    return kind


def _fault(field: str, code: str, message: str) -> Problem:
    return Problem(422, code, message, errors=[FieldError(field, code, message)])
