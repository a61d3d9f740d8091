"""The evenings of a club: listed, planned, changed."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import django_filters
from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.etags import etag, require_version, tagged, with_tag
from clubs.api.idempotency import idempotent
from clubs.api.pagination import Pages
from clubs.api.problems import FieldError, Problem, query_problem
from clubs.api.resource import ANYBODY, ClubResource, Needs
from clubs.api.schema import key_parameter, known_parameter, version_parameter
from clubs.audit import Actor
from clubs.models import Club
from clubs.services import club_lock
from scoring.models import Regulation
from scoring.services import regulation_from_preset
from tournaments.api.base import EveningResource
from tournaments.api.evening_shown import (
    DETAILS,
    EVENING,
    PLAN,
    RULES,
    EveningChangeSerializer,
    EveningPlanSerializer,
    EveningSerializer,
)
from tournaments.models import Evening, Season
from tournaments.permissions import CHANGE_EVENING, PLAN_EVENING
from tournaments.services import (
    EveningDetails,
    EveningPlan,
    EveningRules,
    evening_change,
    evening_create,
    evening_details_change,
    evening_rules_change,
    rules_of,
)

AS_ANSWERED = OpenApiExample("evening", value=EVENING, response_only=True)
AS_ASKED = OpenApiExample(
    "evening",
    value={"date": "2026-11-21", "preset": "rotterdam", "season": "2026-2027"},
    request_only=True,
)


class EveningFilter(django_filters.FilterSet):
    """Which evenings."""

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
        evenings = Evening.objects.of(self.club).select_related("season", "regulation")
        asked = EveningFilter(request.query_params, evenings)
        if not asked.is_valid():
            raise query_problem(asked.form)
        return Pages.of(self, asked.qs.order_by("-date", "-sequence"), EveningSerializer)

    @extend_schema(
        operation_id="evening_plan",
        summary="Plan an evening",
        parameters=[key_parameter(required=False)],
        request=EveningPlanSerializer,
        responses={201: EveningSerializer},
        examples=[AS_ASKED, AS_ANSWERED],
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """A second one on the same day gets `-2` behind its date."""
        given = EveningPlanSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about="evenings", act=lambda: self._plan(given.validated_data))

    def _plan(self, said: dict[str, Any]) -> Response:
        answers = _answers(self.club, said, self.actor)
        if "regulation" not in answers:
            raise _fault("regulation", "missing", "Give a preset, or the id of a regulation.")
        evening = evening_create(
            club=self.club,
            plan=EveningPlan(**answers),
            rules=EveningRules(**_of(said, RULES)),
            actor=self.actor,
        )
        return Response(EveningSerializer(evening).data, 201)


class EveningDetail(EveningResource):
    """An evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": CHANGE_EVENING}

    @extend_schema(
        operation_id="evening_read",
        summary="An evening",
        parameters=[known_parameter()],
        responses={200: EveningSerializer, 304: None},
        examples=[AS_ANSWERED],
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
        examples=[AS_ANSWERED],
    )
    def patch(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """Date, rounds and draw can be changed as long as there is no draw (else 422,
        `evening_drawn`); the rest whatever was played, until it is cancelled."""
        given = EveningChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with transaction.atomic():
            club_lock(self.club.pk)
            self.find(**self.kwargs)
            require_version(request, self.evening.version, lambda: self._shown(self.evening))
            self._change(given.validated_data)
        self.find(slug=slug, evening_slug=self.evening.slug)
        return with_tag(Response(self._shown(self.evening)), _tag(self.evening))

    def _change(self, said: dict[str, Any]) -> None:
        pk, actor = self.evening.pk, self.actor
        answers = _answers(self.club, said, actor)
        if answers.keys() & {*PLAN, "regulation"}:
            now = {name: getattr(self.evening, name) for name in (*PLAN, *DETAILS)}
            now |= {"season": self.evening.season, "regulation": self.evening.regulation}
            plan = EveningPlan(**{**now, **answers})
            self.evening = evening_change(evening_id=pk, plan=plan, actor=actor)
        elif answers:
            now = {name: getattr(self.evening, name) for name in (*DETAILS, "season")}
            details = EveningDetails(**{**now, **answers})
            evening_details_change(evening_id=pk, details=details, actor=actor)
        if rules := _of(said, RULES):
            changed = replace(rules_of(self.evening), **rules)
            evening_rules_change(evening_id=pk, rules=changed, actor=actor)

    def _shown(self, evening: Evening) -> Any:
        return EveningSerializer(evening).data


def _tag(evening: Evening) -> str:
    return etag(evening.version, evening.revision, evening.state, evening.frozen)


def _answers(club: Club, said: Mapping[str, Any], actor: Actor) -> dict[str, Any]:
    """What was said of the plan, with the season and the regulation themselves.

    Raises Problem 422 where the club has none such.
    """
    answers = _of(said, (*PLAN, *DETAILS))
    if "season" in said:
        answers["season"] = said["season"] and _season(club, said["season"])
    if "preset" in said and "regulation" in said:
        raise _fault("preset", "bad_value", "Give a preset or a regulation, not both.")
    if "preset" in said:
        preset = said["preset"]
        answers["regulation"] = regulation_from_preset(club=club, preset=preset, actor=actor)
    if "regulation" in said:
        answers["regulation"] = _regulation(club, said["regulation"])
    return answers


def _of(said: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: said[name] for name in names if name in said}


def _season(club: Club, slug: str) -> Season:
    found = Season.objects.filter(club=club, slug=slug).first()
    if found is None:
        raise _fault("season", "unknown_season", "The club has no season of this slug.")
    return found


def _regulation(club: Club, pk: int) -> Regulation:
    found = Regulation.objects.filter(club=club, pk=pk).first()
    if found is None:
        raise _fault("regulation", "unknown_regulation", "The club has no regulation of this id.")
    return found


def _fault(field: str, code: str, message: str) -> Problem:
    return Problem(422, code, message, errors=[FieldError(field, code, message)])
