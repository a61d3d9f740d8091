"""The API of registration: who is here on an evening, and its fixed pairs."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import of_club
from clubs.api.requests import idempotent
from clubs.api.resource import Needs, Pages, StrictSerializer, key_parameter
from clubs.http.problems import FieldError, Problem, query_problem
from clubs.models import Member
from tournaments.evenings.api_base import LARGEST, EveningResource, PersonSerializer, person
from tournaments.evenings.permissions import SEE_EVENING, SET_PRESENCE
from tournaments.models import Competitor, Registration
from tournaments.registration.check_in import (
    CheckInRow,
    check_in_rows,
    guest_add,
    member_called,
    presence_set,
    presence_update,
)
from tournaments.registration.competitors import pair_plays_for
from tournaments.registration.pairs import (
    MOST_NUMBER,
    pair_break,
    pair_make,
    pairs_as_before,
    pairs_number,
    pairs_number_by_lot,
    pairs_of,
)

MOST_PEOPLE = 2_000
REGISTRATION: Mapping[str, object] = {
    "member": 7,
    "name": "Mia van der Meer",
    "number": 12,
    "kind": "member",
    "present": True,
    "absence": "",
    "has_paid": False,
}
REGISTRATIONS_EXAMPLE = OpenApiExample("registration", value=REGISTRATION, response_only=True)


class RegistrationSerializer(serializers.Serializer[CheckInRow]):
    """Somebody who may play tonight, and whether they are here."""

    member = serializers.IntegerField(source="member.pk")
    name = serializers.CharField(source="member.desk_name")
    number = serializers.IntegerField(source="member.number", allow_null=True)
    kind = serializers.ChoiceField(Member.Kind.choices, source="member.kind")
    present = serializers.BooleanField()
    absence = serializers.ChoiceField(
        Registration.Absence.choices, allow_blank=True, help_text="With notice, or none."
    )
    has_paid = serializers.BooleanField(help_text="Whether their entry fee is paid.")


class PresenceSerializer(StrictSerializer):
    """Whether somebody is here."""

    present = serializers.BooleanField()
    absence = serializers.ChoiceField(
        Registration.Absence.choices,
        allow_blank=True,
        default="",
        help_text="If they do not come: with notice, or none.",
    )


class PresenceChangesSerializer(StrictSerializer):
    """The people who came and those who left, by id."""

    arrived = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )
    left = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )


class HereSerializer(serializers.Serializer[Any]):
    """How many people are here."""

    present = serializers.IntegerField()


class GuestSerializer(StrictSerializer):
    """The name of a guest."""

    name = serializers.CharField(max_length=100)


class CheckInFilter(forms.Form):
    """Whether to show only the people who are here, or only the others."""

    present = forms.ChoiceField(choices=[("true", ""), ("false", "")], required=False)


class RegistrationList(EveningResource):
    """The list of an evening."""

    tag = "registrations"
    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": SET_PRESENCE, "patch": SET_PRESENCE}

    @extend_schema(
        operation_id="registration_list",
        summary="Who is here, and who may come",
        parameters=[
            OpenApiParameter(
                "present", enum=["true", "false"], description="Only who is here, or is not."
            ),
            *Pages.parameters(),
        ],
        responses=Pages.answer(RegistrationSerializer),
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Every active member and everybody else on this evening's list, by surname."""
        query = CheckInFilter(request.query_params)
        if not query.is_valid():
            raise query_problem(query)
        wanted = {"": (True, False), "true": (True,), "false": (False,)}
        shown = wanted[query.cleaned_data["present"]]
        rows = [row for row in check_in_rows(self.evening) if row.present in shown]
        return Pages.of(self, rows, RegistrationSerializer)

    @extend_schema(
        operation_id="guest_add",
        summary="A guest walks in",
        parameters=[key_parameter(required=False)],
        request=GuestSerializer,
        responses={200: RegistrationSerializer, 201: RegistrationSerializer},
        examples=[REGISTRATIONS_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Adds a new guest, who is present (201); or ticks the person with that name (200)."""
        given = GuestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        name = given.validated_data["name"]
        return idempotent(request, about=self.about, act=lambda: self._welcome(name))

    @extend_schema(
        operation_id="registration_update",
        summary="Who came and who left",
        parameters=[key_parameter(required=False)],
        request=PresenceChangesSerializer,
        responses=HereSerializer,
        examples=[OpenApiExample("here", value={"present": 12}, response_only=True)],
    )
    def patch(self, request: Request, **names: Any) -> Response:
        """Ticks and unticks several people at once; nothing changes for anybody else."""
        given = PresenceChangesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        changes = given.validated_data
        come, gone = (self.listed_people(key, changes[key]) for key in ("arrived", "left"))
        return idempotent(request, about=self.about, act=lambda: self._update(come, gone))

    def _update(self, come: list[Member], gone: list[Member]) -> Response:
        here = presence_update(
            evening_id=self.evening.pk, arrived=come, left=gone, actor=self.actor
        )
        return Response({"present": here})

    def _welcome(self, name: str) -> Response:
        known = member_called(self.evening, name)
        evening_id, actor = self.evening.pk, self.actor
        if known is None:
            registration = guest_add(evening_id=evening_id, name=name, actor=actor)
        else:
            registration = presence_set(
                evening_id=evening_id, member=known, present=True, actor=actor
            )
        return Response(registration_json(registration), 200 if known else 201)


class RegistrationDetail(EveningResource):
    """Whether somebody is here."""

    tag = "registrations"
    needs: ClassVar[Needs] = {"put": SET_PRESENCE}

    @extend_schema(
        operation_id="registration_set",
        summary="Set whether somebody is here",
        parameters=[key_parameter(required=False)],
        request=PresenceSerializer,
        responses=RegistrationSerializer,
        examples=[REGISTRATIONS_EXAMPLE],
    )
    def put(self, request: Request, *, pk: int, **names: Any) -> Response:
        """Counts from the next draw on; a round that is already drawn stays as it is."""
        member = of_club(self.club, Member, pk=pk)
        given = PresenceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return idempotent(request, about=self.about, act=lambda: self._set(member, given))

    def _set(self, member: Member, given: PresenceSerializer) -> Response:
        return Response(
            registration_json(
                presence_set(
                    evening_id=self.evening.pk,
                    member=member,
                    actor=self.actor,
                    **given.validated_data,
                )
            )
        )


def registration_json(registration: Registration) -> Mapping[str, Any]:
    """A person as the list of an evening shows them."""
    row = CheckInRow(
        registration.member,
        registration.present,
        registration.absence,
        has_paid=registration.paid is not None,
    )
    payload: Mapping[str, Any] = RegistrationSerializer(row).data
    return payload


class PairSerializer(serializers.Serializer[Any]):
    """A pair by its number; `gone` are the people in it who are not here."""

    pair = serializers.IntegerField()
    competitor = serializers.IntegerField(
        allow_null=True, help_text="The id of the pair of the club that they play for."
    )
    people = PersonSerializer(many=True)
    gone = PersonSerializer(many=True)


class PairingSerializer(serializers.Serializer[Any]):
    """The pairs of an evening, and the people here without a partner."""

    pairs = PairSerializer(many=True)
    alone = PersonSerializer(many=True)


class PairMakeSerializer(StrictSerializer):
    """Two people, by id."""

    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    two = serializers.IntegerField(min_value=1, max_value=LARGEST)


class PlaysForPairSerializer(StrictSerializer):
    """The id of the pair of the club that a number plays for; null for their own."""

    competitor = serializers.IntegerField(min_value=1, max_value=LARGEST, allow_null=True)


class PairNumbersSerializer(StrictSerializer):
    """By the number of a pair its new one, or a lot for all."""

    numbers = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_NUMBER), required=False
    )
    by_lot = serializers.BooleanField(default=False, help_text="Let a lot number all pairs from 1.")

    def validate(self, attrs: Any) -> Any:
        if attrs["by_lot"] == ("numbers" in attrs):
            raise serializers.ValidationError("Give the numbers, or by_lot.")
        if not all(number.isdecimal() for number in attrs.get("numbers", ())):
            raise serializers.ValidationError({"numbers": ["The keys are numbers of pairs."]})
        return attrs


_JAN, _MIA = {"member": 1, "name": "Jan Bakker"}, {"member": 2, "name": "Mia van der Meer"}
PAIRS_EXAMPLE = OpenApiExample(
    "pairs",
    value={
        "pairs": [{"pair": 1, "competitor": 3, "people": [_JAN, _MIA], "gone": []}],
        "alone": [],
    },
    response_only=True,
)


class PairsResource(EveningResource):
    """An address about the pairs of an evening."""

    tag = "registrations"

    def answer(self, status: int = 200) -> Response:
        """The pairs as they are now."""
        paired = pairs_of(self.evening)
        payload = {
            "pairs": [
                {
                    "pair": pair.number,
                    "competitor": pair.plays_for and pair.plays_for.pk,
                    "people": [person(member, full=True) for member in pair.people],
                    "gone": [person(member, full=True) for member in pair.gone],
                }
                for pair in paired.pairs
            ],
            "alone": [person(member, full=True) for member in paired.alone],
        }
        return Response(payload, status)


class PairList(PairsResource):
    """The pairs of an evening."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": SET_PRESENCE}

    @extend_schema(
        operation_id="pair_list",
        summary="The pairs of an evening",
        responses=PairingSerializer,
        examples=[PAIRS_EXAMPLE],
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
            PAIRS_EXAMPLE,
        ],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Both must be here and have no partner."""
        given = PairMakeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        people = self.people(given.validated_data)
        return idempotent(request, about=self.about, act=lambda: self._make(people))

    def _make(self, people: Any) -> Response:
        pair_make(evening_id=self.evening.pk, actor=self.actor, **people)
        return self.answer(201)


class PairNumbers(PairsResource):
    """The numbers of the pairs."""

    needs: ClassVar[Needs] = {"put": SET_PRESENCE}

    @extend_schema(
        operation_id="pair_numbers",
        summary="Number the pairs",
        request=PairNumbersSerializer,
        responses=PairingSerializer,
        examples=[
            OpenApiExample("numbers", value={"numbers": {"1": 7, "2": 3}}, request_only=True),
            PAIRS_EXAMPLE,
        ],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """As drawn at the door, or by lot. Pairs that are not named keep their number; two pairs
        never have one number."""
        given = PairNumbersSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if given.validated_data["by_lot"]:
            pairs_number_by_lot(evening_id=self.evening.pk, actor=self.actor)
        else:
            numbers = {int(old): new for old, new in given.validated_data["numbers"].items()}
            pairs_number(evening_id=self.evening.pk, numbers=numbers, actor=self.actor)
        return self.answer()


class PairDetail(PairsResource):
    """A pair."""

    needs: ClassVar[Needs] = {"put": SET_PRESENCE, "delete": SET_PRESENCE}

    @extend_schema(
        operation_id="pair_plays_for",
        summary="Say which pair of the club a pair is this evening",
        parameters=[key_parameter(required=False)],
        request=PlaysForPairSerializer,
        responses=PairingSerializer,
        examples=[PAIRS_EXAMPLE],
    )
    def put(self, request: Request, *, number: int, **names: Any) -> Response:
        """Whoever sits there, such as a substitute: the points are of that pair."""
        given = PlaysForPairSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        pk = given.validated_data["competitor"]
        competitor = None if pk is None else self.club.competitors.filter(pk=pk).first()
        if pk is not None and competitor is None:
            message = "No pair of this club has this id."
            errors = [FieldError("competitor", "no_such_pair", message)]
            raise Problem(422, "no_such_pair", message, errors=errors)
        number = min(number, LARGEST)
        return idempotent(
            request, about=self.about, act=lambda: self._plays_for(number, competitor)
        )

    def _plays_for(self, number: int, competitor: Competitor | None) -> Response:
        pair_plays_for(
            evening_id=self.evening.pk, number=number, competitor=competitor, actor=self.actor
        )
        return self.answer()

    @extend_schema(
        operation_id="pair_break",
        summary="Take a pair apart",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=PairingSerializer,
        examples=[PAIRS_EXAMPLE],
    )
    def delete(self, request: Request, *, number: int, **names: Any) -> Response:
        """After this both have no partner; nothing happens if the pair does not exist."""
        return idempotent(request, about=self.about, act=lambda: self._break(number))

    def _break(self, number: int) -> Response:
        pair_break(evening_id=self.evening.pk, number=min(number, LARGEST), actor=self.actor)
        return self.answer()


class PairsAsBefore(PairsResource):
    """The pairs of last time and those who always play together."""

    needs: ClassVar[Needs] = {"post": SET_PRESENCE}

    @extend_schema(
        operation_id="pairs_as_before",
        summary="Make the pairs that are known already",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=PairingSerializer,
        examples=[PAIRS_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Of people who always play together and people who were a pair last time."""
        return idempotent(request, about=self.about, act=self._make)

    def _make(self) -> Response:
        pairs_as_before(evening_id=self.evening.pk, actor=self.actor)
        return self.answer()
