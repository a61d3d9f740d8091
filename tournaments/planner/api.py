"""The API of a club's kinds of evening, which is read only, and of groups in one hall."""

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK
from clubs.api.requests import idempotent
from clubs.api.resource import ClubResource, Needs, Pages, StrictSerializer, key_parameter
from tournaments.evenings.api import EveningRegulationSerializer
from tournaments.evenings.api_base import LARGEST, EveningResource, Json, PersonSerializer, person
from tournaments.evenings.permissions import PLAN_EVENING, SEE_EVENING
from tournaments.models import Evening, EveningKind, Registration, Round
from tournaments.planner.groups import (
    FEWEST_GROUPS,
    LETTERS,
    groups_choose,
    groups_join,
    groups_make,
    lettered,
)

MOST_MOVES = 2_000


class KindSerializer(serializers.ModelSerializer[EveningKind]):
    """A kind of evening, with what its first evening begins with."""

    regulation = EveningRegulationSerializer(read_only=True)
    settings = serializers.DictField(read_only=True, help_text="As the fields of an evening.")
    version = serializers.SerializerMethodField(help_text="Counts its changes.")

    class Meta:
        model = EveningKind
        fields = ["id", "name", "regulation", "settings", "version"]

    def get_version(self, kind: EveningKind) -> str:
        return str(kind.version)


class KindList(ClubResource):
    """The kinds of evening of a club."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": READ_DESK}

    @extend_schema(
        operation_id="kind_list",
        summary="The kinds of evening of a club",
        parameters=Pages.parameters(),
        responses=Pages.answer(KindSerializer),
    )
    def get(self, request: Request, slug: str, **names: Any) -> Response:
        """By name. A later evening of a kind begins as the last one of that kind."""
        kinds = EveningKind.objects.filter(club=self.club).select_related("regulation")
        return Pages.of(self, kinds, KindSerializer)


class GroupPersonSerializer(PersonSerializer):
    """Somebody present, and the team they play for."""

    team = serializers.CharField(allow_null=True)


class GroupSerializer(serializers.Serializer[Any]):
    """A group: an evening of its own."""

    letter = serializers.ChoiceField([*LETTERS])
    evening = serializers.CharField(help_text="As in addresses: DATE, or DATE-2.")
    name = serializers.CharField()
    drawn = serializers.BooleanField(help_text="Then nobody comes into it or leaves it.")
    people = GroupPersonSerializer(many=True, help_text="Who is present.")


class GroupsSerializer(serializers.Serializer[Any]):
    """The groups that play at once, A first; none where the evening is not split."""

    groups = GroupSerializer(many=True)


class GroupsMakeSerializer(StrictSerializer):
    """Into how many groups, and who is in which."""

    count = serializers.IntegerField(min_value=FEWEST_GROUPS, max_value=len(LETTERS))
    by_strength = serializers.BooleanField(
        default=True,
        help_text="The strongest in A, by the standing they bring or their rating; else all in A.",
    )


class GroupMoveSerializer(StrictSerializer):
    """Somebody goes to a group from the one they were seen in."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    seen_in = serializers.ChoiceField([*LETTERS])
    to = serializers.ChoiceField([*LETTERS])


class GroupsChooseSerializer(StrictSerializer):
    """Who goes to which group."""

    moves = serializers.ListField(child=GroupMoveSerializer(), max_length=MOST_MOVES)


GROUPS_EXAMPLE = OpenApiExample(
    "groups",
    value={
        "groups": [
            {
                "letter": letter,
                "evening": slug,
                "name": f"Kerstdrive, group {letter}",
                "drawn": False,
                "people": [{"member": member, "name": name, "team": None}],
            }
            for letter, slug, member, name in (
                ("A", "2026-11-21", 1, "Jan Bakker"),
                ("B", "2026-11-21-2", 2, "Mia van der Meer"),
            )
        ]
    },
    response_only=True,
)


class GroupList(EveningResource):
    """The groups of an evening, by the address of any of them."""

    tag = "evenings"
    needs: ClassVar[Needs] = {
        "get": SEE_EVENING,
        "post": PLAN_EVENING,
        "patch": PLAN_EVENING,
        "delete": PLAN_EVENING,
    }

    def find(self, **names: Any) -> None:
        super().find(**names)
        if self.evening.is_history:
            raise Http404

    @extend_schema(
        operation_id="group_list",
        summary="The groups that play at once in one hall",
        responses=GroupsSerializer,
        examples=[GROUPS_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Each is an evening of its own. Empty where the evening is not split."""
        return self._answer()

    @extend_schema(
        operation_id="groups_make",
        summary="Split an evening into groups",
        parameters=[key_parameter(required=False)],
        request=GroupsMakeSerializer,
        responses={201: GroupsSerializer},
        examples=[GROUPS_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Before its draw. Each has whole tables of four; pairs and teams stay together."""
        given = GroupsMakeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about=self.about, act=lambda: self._make(given.validated_data))

    @extend_schema(
        operation_id="groups_choose",
        summary="Say who plays in which group",
        parameters=[key_parameter(required=False)],
        request=GroupsChooseSerializer,
        responses=GroupsSerializer,
        examples=[GROUPS_EXAMPLE],
    )
    def patch(self, request: Request, **names: Any) -> Response:
        """As long as neither group is drawn. Who is no longer present in the group they were seen
        in stays where they are; fixed partners and teams go along."""
        given = GroupsChooseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        moves = given.validated_data["moves"]
        self.listed_people("moves", [move["member"] for move in moves])
        return idempotent(request, about=self.about, act=lambda: self._choose(moves))

    @extend_schema(
        operation_id="groups_join",
        summary="Make one evening of the groups again",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=GroupsSerializer,
        examples=[OpenApiExample("joined", value={"groups": []}, response_only=True)],
    )
    def delete(self, request: Request, **names: Any) -> Response:
        """As long as nothing is drawn. It is the evening of group A, with everybody on its list;
        the other evenings are gone."""
        return idempotent(request, about=self.about, act=self._join)

    def _make(self, asked: Json) -> Response:
        groups_make(evening_id=self.evening.pk, actor=self.actor, **asked)
        return self._answer(201)

    def _choose(self, moves: list[Json]) -> Response:
        wanted = {(move["member"], move["seen_in"]): move["to"] for move in moves}
        groups_choose(evening_id=self.evening.pk, wanted=wanted, actor=self.actor)
        return self._answer()

    def _join(self) -> Response:
        groups_join(evening_id=self.evening.pk, actor=self.actor)
        return Response({"groups": []})

    def _answer(self, status: int = 200) -> Response:
        groups = Evening.objects.get(pk=self.evening.pk).groups
        drawn = set(Round.objects.filter(evening__in=groups).values_list("evening", flat=True))
        people: dict[int, list[Json]] = {group.pk: [] for group in groups}
        listed = Registration.objects.filter(evening__in=groups, present=True)
        in_order = listed.order_by("member__sort_name", "pk").select_related("member", "team")
        for row in in_order:
            team = row.team.name if row.team else None
            people[row.evening_id].append({**person(row.member, full=True), "team": team})
        payload = [
            {
                "letter": letter,
                "evening": group.slug,
                "name": str(group),
                "drawn": group.pk in drawn,
                "people": people[group.pk],
            }
            for group, letter in lettered(groups)
        ]
        return Response({"groups": payload}, status)
