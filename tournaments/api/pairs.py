"""The fixed pairs of an evening: made, taken apart, taken over from last time."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter
from clubs.api.strict import StrictSerializer
from tournaments.api.base import LARGEST, EveningResource
from tournaments.api.people import PersonSerializer, person
from tournaments.pairs import pairing
from tournaments.permissions import SEE_EVENING, SET_PRESENCE
from tournaments.services.pairs import pair_break, pair_make, pairs_as_before


class PairSerializer(serializers.Serializer[Any]):
    """A pair by its number; `gone` are those of it who are not here."""

    pair = serializers.IntegerField()
    people = PersonSerializer(many=True)
    gone = PersonSerializer(many=True)


class PairingSerializer(serializers.Serializer[Any]):
    """The pairs of an evening, and who is here without a partner."""

    pairs = PairSerializer(many=True)
    alone = PersonSerializer(many=True)


class PairMakeSerializer(StrictSerializer):
    """Two people, by id."""

    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    two = serializers.IntegerField(min_value=1, max_value=LARGEST)


_JAN, _MIA = {"member": 1, "name": "Jan Bakker"}, {"member": 2, "name": "Mia van der Meer"}
AS_ANSWERED = OpenApiExample(
    "pairs",
    value={"pairs": [{"pair": 1, "people": [_JAN, _MIA], "gone": []}], "alone": []},
    response_only=True,
)


class PairsResource(EveningResource):
    """Something about the pairs of an evening."""

    tag = "registrations"

    def answer(self, status: int = 200) -> Response:
        """The pairs as they are now."""
        found = pairing(self.evening)
        told = {
            "pairs": [
                {
                    "pair": pair.number,
                    "people": [person(member, full=True) for member in pair.people],
                    "gone": [person(member, full=True) for member in pair.gone],
                }
                for pair in found.pairs
            ],
            "alone": [person(member, full=True) for member in found.alone],
        }
        return Response(told, status)


class PairList(PairsResource):
    """The pairs of an evening."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": SET_PRESENCE}

    @extend_schema(
        operation_id="pair_list",
        summary="The pairs of an evening",
        responses=PairingSerializer,
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Who plays with whom all evening, and who has no partner."""
        return self.answer()

    @extend_schema(
        operation_id="pair_make",
        summary="Make a pair",
        parameters=[key_parameter(required=False)],
        request=PairMakeSerializer,
        responses={201: PairingSerializer},
        examples=[
            OpenApiExample("pair", value={"one": 1, "two": 2}, request_only=True),
            AS_ANSWERED,
        ],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Of two people who are here and have no partner."""
        given = PairMakeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        people = self.people(given.validated_data)
        return idempotent(request, about=self.about, act=lambda: self._make(people))

    def _make(self, people: Any) -> Response:
        pair_make(evening_id=self.evening.pk, actor=self.actor, **people)
        return self.answer(201)


class PairDetail(PairsResource):
    """A pair."""

    needs: ClassVar[Needs] = {"delete": SET_PRESENCE}

    @extend_schema(
        operation_id="pair_break",
        summary="Take a pair apart",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=PairingSerializer,
        examples=[AS_ANSWERED],
    )
    def delete(self, request: Request, *, number: int, **names: Any) -> Response:
        """Both are without a partner then; a pair that is not there is apart already."""
        return idempotent(request, about=self.about, act=lambda: self._break(number))

    def _break(self, number: int) -> Response:
        pair_break(evening_id=self.evening.pk, number=min(number, LARGEST), actor=self.actor)
        return self.answer()


class PairsAsBefore(PairsResource):
    """The pairs that are known already."""

    needs: ClassVar[Needs] = {"post": SET_PRESENCE}

    @extend_schema(
        operation_id="pairs_as_before",
        summary="Make the pairs that are known already",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=PairingSerializer,
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Of those who always play together, and of who were a pair last time."""
        return idempotent(request, about=self.about, act=self._make)

    def _make(self) -> Response:
        pairs_as_before(evening_id=self.evening.pk, actor=self.actor)
        return self.answer()
