"""Clubs in the API: the list, and each club's settings."""

from collections.abc import Mapping
from typing import ClassVar

import django_filters
from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import MANAGE_CLUB
from clubs.api.requests import etag, require_version, tagged, with_tag
from clubs.api.resource import (
    ANYBODY,
    ClubResource,
    Needs,
    Pages,
    Resource,
    StrictSerializer,
    known_parameter,
    version_parameter,
)
from clubs.http.problems import query_problem
from clubs.models import Club, Language
from clubs.profile.services import club_change, club_lock
from clubs.text.numbers import roem_letters_valid

CHANGED = "name", "language", "pit_word", "sit_out_word", "roem_letters"


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club and the words that it uses."""

    version = serializers.SerializerMethodField(help_text="What a write names.")

    class Meta:
        model = Club
        fields = ["slug", *CHANGED, "version"]

    def get_version(self, club: Club) -> str:
        return str(club.version)


class ClubChangeSerializer(StrictSerializer):
    """What is to be another; what is left out stays."""

    name = serializers.CharField(max_length=100, required=False)
    language = serializers.ChoiceField(Language.choices, required=False)
    pit_word = serializers.CharField(max_length=20, required=False)
    sit_out_word = serializers.CharField(max_length=20, required=False)
    roem_letters = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        validators=[roem_letters_valid],
        help_text="What scorekeepers write on paper, such as `D=20 V=50`.",
    )
    version = serializers.CharField(required=False, help_text="The version that you saw.")


CLUB: Mapping[str, object] = {
    "slug": "de-vier-azen",
    "name": "De Vier Azen",
    "language": "nl",
    "pit_word": "pit",
    "sit_out_word": "sit_out",
    "roem_letters": "",
    "version": "3",
}


class ClubFilter(django_filters.FilterSet):
    """Which clubs."""

    q = django_filters.CharFilter("name", "icontains")

    class Meta:
        model = Club
        fields: ClassVar[list[str]] = []


class ClubList(Resource):
    """All clubs of this server."""

    tag = "clubs"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="club_list",
        summary="The clubs",
        parameters=[
            OpenApiParameter("q", description="Those whose name holds this."),
            *Pages.parameters(),
        ],
        responses=Pages.answer(ClubSerializer),
    )
    def get(self, request: Request) -> Response:
        """In order of name."""
        matching = ClubFilter(request.query_params, Club.objects.shown().order_by("name", "pk"))
        if not matching.is_valid():
            raise query_problem(matching.form)
        return Pages.of(self, matching.qs, ClubSerializer)


class ClubDetail(ClubResource):
    """A club."""

    tag = "clubs"
    needs: ClassVar[Needs] = {"get": ANYBODY, "patch": MANAGE_CLUB}

    @extend_schema(
        operation_id="club_read",
        summary="A club",
        parameters=[known_parameter()],
        responses={200: ClubSerializer, 304: None},
        examples=[OpenApiExample("club", value=CLUB, response_only=True)],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Its name and the words that it uses."""
        return tagged(
            request, etag(self.club.version), lambda: Response(ClubSerializer(self.club).data)
        )

    @extend_schema(
        operation_id="club_change",
        summary="Change a club",
        parameters=[version_parameter()],
        request=ClubChangeSerializer,
        responses=ClubSerializer,
    )
    def patch(self, request: Request, slug: str) -> HttpResponse:
        """Change its name, its language or the words that it uses."""
        given = ClubChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with transaction.atomic():
            club = club_lock(self.club.pk)
            require_version(request, club.version, lambda: ClubSerializer(club).data)
            wanted = {field: getattr(club, field) for field in CHANGED}
            wanted |= {field: given.validated_data.get(field, wanted[field]) for field in CHANGED}
            club_change(club=club, actor=self.actor, **wanted)
        return with_tag(Response(ClubSerializer(club).data), etag(club.version))
