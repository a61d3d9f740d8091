"""A club's members in the API."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import MANAGE_MEMBERS, READ_MEMBERS, of_club
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
from clubs.http.problems import query_problem
from clubs.members.forms import MemberSearchForm
from clubs.members.services import member_activate, member_change, member_create
from clubs.models import Member
from clubs.models.member import WITHIN_REACH

DETAILS = (
    "number",
    "name",
    "kind",
    "email",
    "phone",
    "addition",
    "street",
    "postcode",
    "town",
    "birthday",
    "member_since",
    "public_as",
    "public_name",
    "keeps_table",
)


class MemberSerializer(serializers.ModelSerializer[Member]):
    """Somebody who plays at the club, as the club knows them."""

    desk_name = serializers.CharField(
        read_only=True, help_text="The name, told apart from others at the club who have it too."
    )
    shown_name = serializers.CharField(read_only=True, help_text="What the public reads.")
    erased = serializers.SerializerMethodField(help_text="Whether their details were erased.")

    class Meta:
        model = Member
        fields = ["id", *DETAILS, "desk_name", "shown_name", "is_active", "erased", "version"]

    def get_erased(self, member: Member) -> bool:
        return member.erased_at is not None


class MemberDetailsSerializer(StrictSerializer):
    """What is known of somebody."""

    name = serializers.CharField(max_length=100)
    number = serializers.IntegerField(
        min_value=1, max_value=999_999_999, required=False, allow_null=True
    )
    kind = serializers.ChoiceField(Member.Kind.choices, required=False)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True)
    phone = serializers.CharField(max_length=30, required=False, allow_blank=True)
    addition = serializers.CharField(max_length=30, required=False, allow_blank=True)
    street = serializers.CharField(max_length=100, required=False, allow_blank=True)
    postcode = serializers.CharField(max_length=12, required=False, allow_blank=True)
    town = serializers.CharField(max_length=60, required=False, allow_blank=True)
    birthday = serializers.DateField(required=False, allow_null=True, validators=WITHIN_REACH)
    member_since = serializers.DateField(required=False, allow_null=True, validators=WITHIN_REACH)
    public_as = serializers.ChoiceField(Member.PublicAs.choices, required=False)
    public_name = serializers.CharField(max_length=100, required=False, allow_blank=True)
    keeps_table = serializers.BooleanField(required=False)


class MemberChangeSerializer(MemberDetailsSerializer):
    """What is to be another; what is left out stays."""

    name = serializers.CharField(max_length=100, required=False)
    is_active = serializers.BooleanField(
        required=False, help_text="False takes them off the list; their results stay."
    )
    version = serializers.IntegerField(required=False, help_text="The version that you saw.")


MEMBER: Mapping[str, object] = {
    "id": 7,
    "number": 12,
    "name": "Mia van der Meer",
    "kind": "member",
    "email": "mia@example.org",
    "phone": "",
    "addition": "",
    "street": "Dorpsstraat 12",
    "postcode": "1441 AB",
    "town": "Purmerend",
    "birthday": "1951-04-30",
    "member_since": None,
    "public_as": "name",
    "public_name": "",
    "keeps_table": False,
    "desk_name": "Mia van der Meer",
    "shown_name": "Mia van der Meer",
    "is_active": True,
    "erased": False,
    "version": 3,
}
AS_ANSWERED = OpenApiExample("member", value=MEMBER, response_only=True)


class MemberList(ClubResource):
    """The people of a club."""

    tag = "members"
    needs: ClassVar[Needs] = {"get": READ_MEMBERS, "post": MANAGE_MEMBERS}

    @extend_schema(
        operation_id="member_list",
        summary="The members and guests of a club",
        parameters=[
            OpenApiParameter("q", description="Part of a name, or a number."),
            OpenApiParameter(
                "show",
                enum=MemberSearchForm.Shown.values,
                description="Active people by itself; else guests, inactive ones, or all.",
            ),
            *Pages.parameters(),
        ],
        responses=Pages.answer(MemberSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """In order of surname."""
        form = MemberSearchForm(request.query_params)
        if not form.is_valid():
            raise query_problem(form)
        return Pages.of(self, form.matching(Member.objects.of(self.club)), MemberSerializer)

    @extend_schema(
        operation_id="member_add",
        summary="Add somebody",
        parameters=[key_parameter(required=False)],
        request=MemberDetailsSerializer,
        responses={201: MemberSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """A new member, or a guest."""
        given = MemberDetailsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about="members", act=lambda: self._add(given))

    def _add(self, given: MemberDetailsSerializer) -> Response:
        member = member_create(club=self.club, actor=self.actor, **given.validated_data)
        return Response(MemberSerializer(member).data, 201)


class MemberDetail(ClubResource):
    """Somebody of a club."""

    tag = "members"
    needs: ClassVar[Needs] = {"get": READ_MEMBERS, "patch": MANAGE_MEMBERS}

    @extend_schema(
        operation_id="member_read",
        summary="Somebody's details",
        parameters=[known_parameter()],
        responses={200: MemberSerializer, 304: None},
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """Everything that the club knows of them."""
        member = of_club(self.club, Member, pk=pk)
        shown = MemberSerializer(member).data
        return tagged(request, etag(member.version), lambda: Response(shown))

    @extend_schema(
        operation_id="member_change",
        summary="Change somebody's details",
        parameters=[version_parameter()],
        request=MemberChangeSerializer,
        responses=MemberSerializer,
        examples=[AS_ANSWERED],
    )
    def patch(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """Change what is known of them, or take them off the list (`is_active`)."""
        member = of_club(self.club, Member, pk=pk)
        given = MemberChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        changed = self._change(member, seen_version(request), given.validated_data)
        return with_tag(Response(MemberSerializer(changed).data), etag(changed.version))

    def show_current(self, member: Member) -> object:
        """The member as it stands now, for a version conflict."""
        return MemberSerializer(member).data

    @transaction.atomic
    def _change(self, member: Member, seen: str, wanted: dict[str, Any]) -> Member:
        details = {name: wanted.get(name, getattr(member, name)) for name in DETAILS}
        member = member_change(
            member=member, seen_version=_number(seen), actor=self.actor, **details
        )
        active = wanted.get("is_active", member.is_active)
        if active != member.is_active:
            member = member_activate(member=member, active=active, actor=self.actor)
        return member


def _number(version: str) -> int:
    """A version as a number; 0, which no row has, for anything else."""
    return int(version) if version.isdecimal() and len(version) < 10 else 0
