"""A club's regulations in the API."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.resource import ANYBODY, ClubResource, Needs, Pages
from scoring.models import Regulation


class RegulationSerializer(serializers.ModelSerializer[Regulation]):
    """One version of a regulation; `settings` are those of `POST /api/v1/score/`."""

    class Meta:
        model = Regulation
        fields = ["id", "name", "version", "settings"]


class RegulationList(ClubResource):
    """The regulations of a club."""

    tag = "clubs"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="regulation_list",
        summary="The regulations of a club",
        parameters=[
            OpenApiParameter(
                "old", bool, description="Older versions too; evenings may still go by them."
            ),
            *Pages.parameters(),
        ],
        responses=Pages.answer(RegulationSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest version of each, in order of name."""
        own = Regulation.objects.filter(club=self.club)
        wanted = own if request.query_params.get("old") == "true" else own.current()
        return Pages.of(self, wanted.order_by("name", "-version"), RegulationSerializer)
