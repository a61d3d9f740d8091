"""People as the reader of the API may know them."""

from typing import Any

from rest_framework import serializers

from clubs.models import Member
from scoring.rules import SEATS

Json = dict[str, Any]


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody; `member` is null for who is not to be read about."""

    member = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class SeatedSerializer(PersonSerializer):
    """Somebody in a seat."""

    seat = serializers.ChoiceField(SEATS)


def person(member: Member, *, full: bool) -> Json:
    """This person: with `full` as the club calls him, else as the public does."""
    if full:
        return {"member": member.pk, "name": member.name}
    return {"member": member.pk if member.has_page else None, "name": member.shown_name}
