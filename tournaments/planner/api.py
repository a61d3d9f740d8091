"""The API of a club's kinds of evening: read only."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK
from clubs.api.resource import ClubResource, Needs, Pages
from tournaments.evenings.api import EveningRegulationSerializer
from tournaments.models import EveningKind


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
