"""Who is here on an evening, as the API shows it and is told it."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from clubs.api.strict import StrictSerializer
from clubs.models import Member
from tournaments.api.base import LARGEST
from tournaments.models import Registration
from tournaments.present import PresentRow

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
AS_ANSWERED = OpenApiExample("registration", value=REGISTRATION, response_only=True)


class RegistrationSerializer(serializers.Serializer[PresentRow]):
    """Somebody who may play tonight, and whether he is here."""

    member = serializers.IntegerField(source="member.pk")
    name = serializers.CharField(source="member.name")
    number = serializers.IntegerField(source="member.number", allow_null=True)
    kind = serializers.ChoiceField(Member.Kind.choices, source="member.kind")
    present = serializers.BooleanField()
    absence = serializers.ChoiceField(
        Registration.Absence.choices, allow_blank=True, help_text="With notice, or none."
    )
    has_paid = serializers.BooleanField(help_text="Whether his stake is in.")


class PresenceSerializer(StrictSerializer):
    """Whether somebody is here."""

    present = serializers.BooleanField()
    absence = serializers.ChoiceField(
        Registration.Absence.choices,
        allow_blank=True,
        default="",
        help_text="For who does not come: with notice, or none.",
    )


class PresenceChangesSerializer(StrictSerializer):
    """Who came and who left, by id."""

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
    """Somebody by name."""

    name = serializers.CharField(max_length=100)


def registration_json(registration: Registration) -> Mapping[str, Any]:
    """Whether this person is here, as the list has it."""
    row = PresentRow(
        registration.member,
        registration.present,
        registration.absence,
        has_paid=registration.paid is not None,
    )
    told: Mapping[str, Any] = RegistrationSerializer(row).data
    return told
