"""Standings: of a season over its closed evenings, and of an evening."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.etags import content_hash, etag, tagged
from clubs.api.pagination import Pages
from clubs.api.resource import ANYBODY, ClubResource, Needs
from clubs.api.schema import known_parameter
from clubs.models import Club, Member
from clubs.scoping import of_club
from tournaments.api.base import EveningResource
from tournaments.exports import season_json
from tournaments.models import Evening, Season
from tournaments.published import PublicRow, live_rows, public_standings
from tournaments.views.public.season_parts import SeasonStanding, asked_standing

Json = dict[str, Any]


class SeasonEveningSerializer(serializers.Serializer[Any]):
    """What somebody has of an evening."""

    score = serializers.IntegerField()
    dropped = serializers.BooleanField(help_text="Whether it does not count.")


class SeasonRowSerializer(serializers.Serializer[Any]):
    """A line of a season's standing, as `manage.py standings` has it."""

    rank = serializers.IntegerField(allow_null=True, help_text="Null: came too seldom for a place.")
    member = serializers.IntegerField(
        allow_null=True, help_text="Null for who is not to be read about."
    )
    player = serializers.CharField()
    total = serializers.IntegerField(help_text="The plain sum.")
    counted = serializers.IntegerField(help_text="The sum of what counts.")
    evenings = serializers.IntegerField(help_text="How many he attended.")
    average = serializers.FloatField()
    pits = serializers.IntegerField()
    by_date = serializers.DictField(child=SeasonEveningSerializer())


class EveningRowSerializer(serializers.Serializer[Any]):
    """A line of an evening's standing."""

    rank = serializers.IntegerField()
    member = serializers.IntegerField(
        allow_null=True, help_text="Null for who is not to be read about."
    )
    player = serializers.CharField()
    total = serializers.IntegerField()
    rounds = serializers.DictField(
        child=serializers.IntegerField(), help_text="The score of each round, by its number."
    )
    pits = serializers.IntegerField()
    pair = serializers.IntegerField(
        allow_null=True, help_text="The number of his pair, where the evening has fixed pairs."
    )


class EveningStandingSerializer(serializers.Serializer[Any]):
    """Who stands where on an evening: published once it is closed, before that as it is now."""

    state = serializers.ChoiceField(Evening.State.choices)
    revision = serializers.IntegerField()
    hidden = serializers.BooleanField(help_text="Whether points are kept from the hall now.")
    rows = EveningRowSerializer(many=True)


EVENING_STANDING: Mapping[str, object] = {
    "state": "closed",
    "revision": 214,
    "hidden": False,
    "rows": [
        {
            "rank": 1,
            "member": 7,
            "player": "Mia van der Meer",
            "total": 5210,
            "rounds": {"1": 1702, "2": 1688, "3": 1820},
            "pits": 2,
            "pair": None,
        }
    ],
}


class SeasonStandings(ClubResource):
    """A standing of a season."""

    tag = "seasons"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="season_standing_read",
        summary="A season's standing",
        parameters=[
            OpenApiParameter(
                "standing",
                {"type": "integer", "minimum": 1, "default": 1},
                description="Which of its standings; 1 is the main one.",
            ),
            known_parameter(),
            *Pages.parameters(),
        ],
        responses={200: Pages.answer(SeasonRowSerializer), 304: None},
    )
    def get(self, request: Request, slug: str, season_slug: str) -> HttpResponse:
        """Over the closed evenings, under the names that people want the public to read."""
        season = of_club(self.club, Season, slug=season_slug)
        return tagged(request, self._tag(season), lambda: self._page(season_slug))

    def _page(self, season_slug: str) -> Response:
        asked = asked_standing(cast("HttpRequest", self.request), self.club, season_slug)
        return Pages.of(self, _season_rows(asked), SeasonRowSerializer)

    def _tag(self, season: Season) -> str:
        """Another one whenever anything that the standing is made of is."""
        evenings = list(season.evenings.order_by("pk").values_list("pk", "revision", "state"))
        rules = list(season.rules.order_by("position").values_list("settings", flat=True))
        return etag(content_hash([evenings, rules, self.club.members.fingerprint()]))


class EveningStanding(EveningResource):
    """The standing of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="evening_standing_read",
        summary="An evening's standing",
        parameters=[known_parameter()],
        responses={200: EveningStandingSerializer, 304: None},
        examples=[OpenApiExample("standing", value=EVENING_STANDING, response_only=True)],
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """As the public may see it; who works for the club reads it while it is hidden too, and
        full names."""
        evening = self.evening
        reader = self.sees_points, self.knows_names
        tag = etag(evening.revision, evening.state, *reader, self.club.members.fingerprint())
        return tagged(request, tag, lambda: Response(self._standing()))

    def _standing(self) -> Json:
        rows = public_standings(self.evening)
        if self.evening.frozen and self.sees_points:
            rows = live_rows(self.evening)
        return {
            "state": self.evening.state,
            "revision": self.evening.revision,
            "hidden": not self.sees_points,
            "rows": evening_rows(self.club, rows, full=self.knows_names),
        }


def evening_rows(club: Club, rows: Sequence[PublicRow], *, full: bool) -> list[Json]:
    """These lines as the API has them, under full names where `full`. One query for those."""
    members = Member.objects.of(club).in_bulk([row.member_id for row in rows]) if full else {}
    return [_evening_row(row, members.get(row.member_id)) for row in rows]


def _evening_row(row: PublicRow, known: Member | None) -> Json:
    return {
        "rank": row.rank,
        "member": row.member_id if row.has_page or known else None,
        "player": known.name if known else row.name,
        "total": row.total,
        "rounds": {str(number): score for number, score in sorted(row.rounds.items())},
        "pits": row.pits,
        "pair": row.pair.number if row.pair else None,
    }


def _season_rows(asked: SeasonStanding) -> list[Json]:
    ids = [
        int(row.player_id) if asked.people[row.player_id].url else None for row in asked.table.rows
    ]
    shown = season_json(asked.table)
    return [{**row, "member": pk} for row, pk in zip(shown, ids, strict=True)]
