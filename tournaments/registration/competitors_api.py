"""The API of the fixed pairs and teams of a club, with their people over time, and of whom people
play for on an evening."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK, of_club
from clubs.api.requests import etag, idempotent, seen_version, tagged, with_tag
from clubs.api.resource import (
    ClubResource,
    Needs,
    Pages,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from clubs.http.problems import FieldError, Problem, query_problem
from clubs.models import Member
from clubs.text.numbers import whole_number
from tournaments.evenings.api_base import LARGEST, EveningResource
from tournaments.evenings.permissions import KEEP_COUPLES, SEE_EVENING, SET_PRESENCE
from tournaments.models import Competitor, CompetitorMember
from tournaments.registration.competitors import (
    competitor_create,
    competitor_person_add,
    competitor_person_back,
    competitor_person_end,
    competitor_remove,
    competitor_rename,
    teams_choose,
)

Json = dict[str, Any]
MOST_PEOPLE = 100
MOST_LISTED = 2_000
COMPETITOR: Mapping[str, object] = {
    "id": 3,
    "kind": "pair",
    "name": "De Buren",
    "people": [
        {
            "id": 5,
            "member": 12,
            "name": "Jan Bakker",
            "since": "2026-09-01",
            "until": None,
            "reserve": False,
        }
    ],
    "version": 2,
}
AS_ANSWERED = OpenApiExample("competitor", value=COMPETITOR, response_only=True)
TEAMS = OpenApiExample(
    "teams",
    value={"teams": [{"member": 12, "name": "Jan Bakker", "team": 4}]},
    response_only=True,
)


class CompetitorPersonSerializer(serializers.ModelSerializer[CompetitorMember]):
    """Somebody of a pair or team, from one day to another."""

    name = serializers.CharField(source="member.desk_name", read_only=True)

    class Meta:
        model = CompetitorMember
        fields = ["id", "member", "name", "since", "until", "reserve"]


class CompetitorSerializer(serializers.ModelSerializer[Competitor]):
    """A fixed pair or a team, with everybody who is or was of it."""

    people = CompetitorPersonSerializer(many=True)

    class Meta:
        model = Competitor
        fields = ["id", "kind", "name", "people", "version"]


class CompetitorAddSerializer(StrictSerializer):
    """A new pair or team. A pair of two people without a name is called after them."""

    kind = serializers.ChoiceField(Competitor.Kind.choices)
    name = serializers.CharField(max_length=Competitor.LONGEST_NAME, default="", allow_blank=True)
    people = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
        help_text="By id; of a pair at most two.",
    )
    since = serializers.DateField(required=False, help_text="Of these people; today by itself.")


class CompetitorChangeSerializer(StrictSerializer):
    """Another name."""

    name = serializers.CharField(max_length=Competitor.LONGEST_NAME)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class JoinSerializer(StrictSerializer):
    """Who joins, and from when."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    since = serializers.DateField(required=False, help_text="Today by itself.")
    reserve = serializers.BooleanField(default=False)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class LeaveSerializer(StrictSerializer):
    """The last day of somebody, or null to undo that."""

    until = serializers.DateField(allow_null=True)
    version = serializers.CharField(required=False, help_text="The version you saw.")


class CompetitorFilter(forms.Form):
    """Only pairs, or only teams."""

    kind = forms.ChoiceField(choices=Competitor.Kind.choices, required=False)


class CompetitorResource(ClubResource):
    """An address below `competitors/`."""

    tag = "members"

    def competitor(self, pk: int) -> Competitor:
        """This one of the club. Http404."""
        found = of_club(self.club, Competitor, pk=pk)
        found.club = self.club
        return found

    def shown(self, pk: int, status: int = 200) -> Response:
        """It as it is now."""
        known = self.competitor(pk)
        answer = Response(competitor_json(known), status)
        with_tag(answer, etag(known.version))
        return answer

    def show_current(self, competitor: Competitor) -> object:
        """It as it stands now, for a version conflict."""
        return competitor_json(competitor)

    def member(self, pk: int, field: str) -> Member:
        """Somebody of the club. Raises Problem 422 naming the field."""
        found = Member.objects.of(self.club).filter(pk=pk).first()
        if found is None:
            message = "Nobody of this club has this id."
            errors = [FieldError(field, "unknown_member", message)]
            raise Problem(422, "unknown_member", message, errors=errors)
        return found


def competitor_json(competitor: Competitor) -> Json:
    """A pair or team as the API shows it."""
    people = competitor.people.select_related("member").order_by("since", "pk")
    return {
        **{name: getattr(competitor, name) for name in ("kind", "name", "version")},
        "id": competitor.pk,
        "people": CompetitorPersonSerializer(people, many=True).data,
    }


class CompetitorList(CompetitorResource):
    """The fixed pairs and teams of a club."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "post": KEEP_COUPLES}

    @extend_schema(
        operation_id="competitor_list",
        summary="The fixed pairs and teams of a club",
        parameters=[
            OpenApiParameter("kind", enum=Competitor.Kind.values, description="Only these."),
            *Pages.parameters(),
        ],
        responses=Pages.answer(CompetitorSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """By name."""
        query = CompetitorFilter(request.query_params)
        if not query.is_valid():
            raise query_problem(query)
        kind = query.cleaned_data["kind"]
        found = self.club.competitors.filter(kind=kind) if kind else self.club.competitors.all()
        return Pages.of(self, found.prefetch_related("people__member"), CompetitorSerializer)

    @extend_schema(
        operation_id="competitor_add",
        summary="Make a pair or a team",
        parameters=[key_parameter(required=False)],
        request=CompetitorAddSerializer,
        responses={201: CompetitorSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Two pairs, or two teams, never have one name."""
        given = CompetitorAddSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        answers = given.validated_data
        people = [self.member(pk, f"people.{place}") for place, pk in enumerate(answers["people"])]
        since = answers.get("since") or timezone.localdate()
        return idempotent(
            request,
            about="competitors",
            act=lambda: self._add(answers["kind"], answers["name"], people, since),
        )

    def _add(self, kind: str, name: str, people: list[Member], since: dt.date) -> Response:
        made = competitor_create(
            club=self.club, kind=kind, name=name, people=people, since=since, actor=self.actor
        )
        return self.shown(made.pk, 201)


class CompetitorDetail(CompetitorResource):
    """A pair or a team."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "patch": KEEP_COUPLES, "delete": KEEP_COUPLES}

    @extend_schema(
        operation_id="competitor_read",
        summary="A pair or a team",
        parameters=[known_parameter()],
        responses={200: CompetitorSerializer, 304: None},
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """With everybody who is or was of it."""
        known = self.competitor(pk)
        return tagged(request, etag(known.version), lambda: Response(competitor_json(known)))

    @extend_schema(
        operation_id="competitor_change",
        summary="Rename a pair or a team",
        parameters=[version_parameter()],
        request=CompetitorChangeSerializer,
        responses=CompetitorSerializer,
        examples=[AS_ANSWERED],
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Everything it played goes along."""
        known = self.competitor(pk)
        given = CompetitorChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        competitor_rename(
            competitor=known,
            name=given.validated_data["name"],
            seen_version=whole_number(seen_version(request)),
            actor=self.actor,
        )
        return self.shown(pk)

    @extend_schema(
        operation_id="competitor_remove",
        summary="Remove a pair or a team that has played nothing",
        parameters=[key_parameter(required=False)],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """One that has results stays (422): let its people leave."""
        known = self.competitor(pk)
        return idempotent(request, about=f"competitor {pk}", act=lambda: self._remove(known))

    def _remove(self, known: Competitor) -> Response:
        competitor_remove(competitor=known, actor=self.actor)
        return Response(status=204)


class CompetitorPeople(CompetitorResource):
    """Who join a pair or a team."""

    needs: ClassVar[Needs] = {"post": KEEP_COUPLES}

    @extend_schema(
        operation_id="competitor_join",
        summary="Somebody joins a pair or a team",
        parameters=[key_parameter(required=False), version_parameter()],
        request=JoinSerializer,
        responses={201: CompetitorSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A pair is two people at a time; more can be a `reserve`."""
        known = self.competitor(pk)
        given = JoinSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        answers = given.validated_data
        member = self.member(answers["member"], "member")
        seen = whole_number(seen_version(request))

        def act() -> Response:
            competitor_person_add(
                competitor=known,
                member=member,
                since=answers.get("since") or timezone.localdate(),
                reserve=answers["reserve"],
                seen_version=seen,
                actor=self.actor,
            )
            return self.shown(pk, 201)

        return idempotent(request, about=f"competitor {pk}", act=act)


class CompetitorPerson(CompetitorResource):
    """Somebody of a pair or a team."""

    needs: ClassVar[Needs] = {"patch": KEEP_COUPLES}

    @extend_schema(
        operation_id="competitor_leave",
        summary="Somebody leaves a pair or a team, or does not after all",
        parameters=[version_parameter()],
        request=LeaveSerializer,
        responses=CompetitorSerializer,
        examples=[AS_ANSWERED],
    )
    def patch(self, request: Request, slug: str, pk: int, person: int) -> Response:
        """What they played for it stays."""
        known = self.competitor(pk)
        if not known.people.filter(pk=person).exists():
            raise Http404
        given = LeaveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        self._end(known, person, whole_number(seen_version(request)), given.validated_data["until"])
        return self.shown(pk)

    @transaction.atomic
    def _end(self, known: Competitor, person: int, seen: int, until: dt.date | None) -> None:
        if until is None:
            competitor_person_back(
                competitor=known, person_id=person, seen_version=seen, actor=self.actor
            )
        else:
            competitor_person_end(
                competitor=known,
                person_id=person,
                until=until,
                seen_version=seen,
                actor=self.actor,
            )


# On an evening.


class PlaysForSerializer(serializers.Serializer[Any]):
    """Somebody on the list of an evening, and the id of the team they play for."""

    member = serializers.IntegerField(source="member_id")
    name = serializers.CharField(source="member.desk_name")
    team = serializers.IntegerField(source="team_id", allow_null=True)


class TeamsSerializer(serializers.Serializer[Any]):
    """Who plays for which team."""

    teams = PlaysForSerializer(many=True)


class TeamChoiceSerializer(StrictSerializer):
    """Somebody on the list, and the team they play for; null for none."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    team = serializers.IntegerField(min_value=1, max_value=LARGEST, allow_null=True)


class TeamsChangeSerializer(StrictSerializer):
    """Who plays for which team; nothing changes for anybody else."""

    teams = serializers.ListField(child=TeamChoiceSerializer(), max_length=MOST_LISTED)


class EveningTeams(EveningResource):
    """Whom people play for on an evening."""

    tag = "registrations"
    needs: ClassVar[Needs] = {"get": SEE_EVENING, "patch": SET_PRESENCE}

    def answer(self) -> Response:
        """Everybody who is here or has a team, by surname."""
        listed = self.evening.registrations.select_related("member")
        shown = listed.exclude(present=False, team=None).order_by("member__sort_name", "pk")
        return Response({"teams": PlaysForSerializer(list(shown), many=True).data})

    @extend_schema(
        operation_id="evening_teams",
        summary="Who plays for which team",
        responses=TeamsSerializer,
        examples=[TEAMS],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Everybody on the list of the evening."""
        return self.answer()

    @extend_schema(
        operation_id="evening_teams_choose",
        summary="Let people play for a team",
        parameters=[key_parameter(required=False)],
        request=TeamsChangeSerializer,
        responses=TeamsSerializer,
        examples=[TEAMS],
    )
    def patch(self, request: Request, **names: Any) -> Response:
        """All of it or nothing; somebody who is named must be on the list."""
        given = TeamsChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wanted = self._wanted(given.validated_data["teams"])
        return idempotent(request, about=self.about, act=lambda: self._choose(wanted))

    def _wanted(self, choices: list[Json]) -> dict[int, Competitor | None]:
        kind = Competitor.Kind.TEAM
        teams = self.club.competitors.filter(kind=kind).in_bulk(
            [each["team"] for each in choices if each["team"] is not None]
        )
        listed = set(self.evening.registrations.values_list("member", flat=True))
        errors = []
        seen: set[int] = set()
        for place, each in enumerate(choices):
            at = f"teams.{place}"
            if each["member"] not in listed:
                words = "Nobody on this list has this id."
                errors.append(FieldError(f"{at}.member", "unknown_member", words))
            elif each["member"] in seen:
                words = "Somebody plays for one team on an evening."
                errors.append(FieldError(f"{at}.member", "member_twice", words))
            seen.add(each["member"])
            if each["team"] is not None and each["team"] not in teams:
                words = "No team of this club has this id."
                errors.append(FieldError(f"{at}.team", "no_such_team", words))
        if errors:
            raise Problem(422, errors[0].code, errors[0].message, errors=errors)
        return {
            each["member"]: teams[each["team"]] if each["team"] is not None else None
            for each in choices
        }

    def _choose(self, wanted: dict[int, Competitor | None]) -> Response:
        teams_choose(evening_id=self.evening.pk, wanted=wanted, actor=self.actor)
        return self.answer()
