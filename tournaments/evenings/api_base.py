"""What addresses of the API below an evening share: finding it, and what its reader may see."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK
from clubs.access.roles import Target, may
from clubs.api.etags import content_hash, etag, tagged
from clubs.api.resource import ClubResource
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from scoring.rules import SEATS
from tournaments.evenings.permissions import SEE_STANDING
from tournaments.models import Evening, Round

Json = dict[str, Any]
LARGEST = 2**31 - 1
"""No number that is sent is kept in a wider column."""


class EveningResource(ClubResource):
    """An address below `evenings/DATE/`: has the `evening`."""

    evening: Evening

    def find(self, **names: Any) -> None:
        super().find(**names)
        found = Evening.objects.of(self.club).by_slug(names["evening_slug"])
        self.evening = get_object_or_404(found.select_related("season", "regulation"))
        self.evening.club = self.club

    def target(self) -> Target:
        return self.evening

    @property
    def about(self) -> str:
        """What an Idempotency-Key of a write here counts for."""
        return f"evening {self.evening.uuid}"

    @property
    def knows_names(self) -> bool:
        """Whether the reader is of the club, so that he reads full names and remarks."""
        return may(self.request, READ_DESK, self.club)

    @property
    def sees_points(self) -> bool:
        """Whether the reader may see points now: the hall not while they are hidden."""
        return may(self.request, SEE_STANDING, self.evening)

    def shown(self, version: object, data: Any) -> HttpResponse:
        """This, under a tag of its own; 304 for who has it already."""
        tag = etag(version, content_hash(data))
        return tagged(self.request, tag, lambda: Response(data))

    def people(self, asked: Mapping[str, int]) -> dict[str, Member]:
        """The people of the club who are asked for by id, each under the field he is asked in.

        Raises Problem 422 naming each field where there is nobody.
        """
        found = Member.objects.of(self.club).in_bulk(asked.values())
        message = "Nobody of this club has this id."
        missing = [field for field, pk in asked.items() if pk not in found]
        if missing:
            errors = [FieldError(field, "unknown_member", message) for field in missing]
            raise Problem(422, "unknown_member", message, errors=errors)
        return {field: found[pk] for field, pk in asked.items()}

    def listed_people(self, field: str, ids: Sequence[int]) -> list[Member]:
        """Likewise those of a list, in its order."""
        asked = {f"{field}.{place}": pk for place, pk in enumerate(ids)}
        return list(self.people(asked).values())


class RoundResource(EveningResource):
    """An address below `rounds/N/`: has the `round`, of which the draw is final."""

    round: Round

    def find(self, **names: Any) -> None:
        super().find(**names)
        final = self.evening.rounds.exclude(state=Round.State.DRAFT)
        self.round = get_object_or_404(final, number=names["round_number"])
        self.round.evening = self.evening


# People as the reader of the API may know them.


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
