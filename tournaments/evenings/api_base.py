"""What the API below an evening shares: finding it, who may see what, and people."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK, Target, may
from clubs.api.requests import content_hash, etag, tagged
from clubs.api.resource import ClubResource
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from scoring.rules import SEATS
from tournaments.evenings.permissions import SEE_STANDING
from tournaments.models import Evening, Round

Json = dict[str, Any]
LARGEST = 2**31 - 1
"""The largest number that fits in the columns that store what is sent."""


class EveningResource(ClubResource):
    """An address below `evenings/DATE/`: has the `evening`."""

    evening: Evening

    def find(self, **names: Any) -> None:
        super().find(**names)
        evenings = Evening.objects.of(self.club).by_slug(names["evening_slug"])
        self.evening = get_object_or_404(evenings.select_related("season", "regulation", "kind"))
        self.evening.club = self.club

    def target(self) -> Target:
        return self.evening

    @property
    def about(self) -> str:
        """The object that an Idempotency-Key of a write here belongs to."""
        return f"evening {self.evening.uuid}"

    @property
    def knows_names(self) -> bool:
        """Whether the reader belongs to the club, and so may read full names and remarks."""
        return may(self.request, READ_DESK, self.club)

    @property
    def sees_points(self) -> bool:
        """Whether the reader may see points now; the public may not while they are hidden."""
        return may(self.request, SEE_STANDING, self.evening)

    @property
    def sees_deals(self) -> bool:
        """Whether the reader may see what was written of each deal; the public may not while other
        clubs may still be playing the same cards."""
        return self.sees_points and (self.knows_names or self.evening.shows_sheets)

    def shown(self, version: object, data: Any) -> HttpResponse:
        """The data with its own ETag; 304 for a reader who has it already."""
        tag = etag(version, content_hash(data))
        return tagged(self.request, tag, lambda: Response(data))

    def people(self, ids: Mapping[str, int]) -> dict[str, Member]:
        """The people of the club with these ids, by the field that has the id.

        Raises Problem 422 naming each field with an unknown id.
        """
        members = Member.objects.of(self.club).in_bulk(ids.values())
        message = "Nobody of this club has this id."
        missing = [field for field, pk in ids.items() if pk not in members]
        if missing:
            errors = [FieldError(field, "unknown_member", message) for field in missing]
            raise Problem(422, "unknown_member", message, errors=errors)
        return {field: members[pk] for field, pk in ids.items()}

    def listed_people(self, field: str, ids: Sequence[int]) -> list[Member]:
        """The people of a list of ids, in its order. Raises as `people` does."""
        by_field = {f"{field}.{place}": pk for place, pk in enumerate(ids)}
        return list(self.people(by_field).values())


class RoundResource(EveningResource):
    """An address below `rounds/N/`: has the `round`, whose draw is final."""

    round: Round

    def find(self, **names: Any) -> None:
        super().find(**names)
        final = self.evening.rounds.exclude(state=Round.State.DRAFT)
        self.round = get_object_or_404(final, number=names["round_number"])
        self.round.evening = self.evening


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody; `member` is null if they have no public page."""

    member = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class SeatedSerializer(PersonSerializer):
    """Somebody in a seat."""

    seat = serializers.ChoiceField(SEATS)


def person(member: Member, *, full: bool) -> Json:
    """This person by the name the club uses (`full`), else by the public one."""
    if full:
        return {"member": member.pk, "name": member.desk_name}
    return {"member": member.pk if member.has_page else None, "name": member.shown_name}
