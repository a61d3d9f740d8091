"""The API of an evening's standing and of its releases, which are numbered and never change."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import etag, idempotent, tagged
from clubs.api.resource import (
    ANYBODY,
    Needs,
    Pages,
    StrictSerializer,
    key_parameter,
    known_parameter,
)
from clubs.models import Club, Member
from scoring.deals.entries import LONGEST_REASON
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.pages import competitors_version
from tournaments.evenings.permissions import PUBLISH
from tournaments.models import Evening, Release
from tournaments.releases.folders import FolderLine, folder_lines
from tournaments.releases.lines import competitors_now, competitors_published
from tournaments.releases.queries import (
    Move,
    PublicRow,
    live_rows,
    public_standings,
    release_moves,
    release_rows,
    running_rounds,
    written_by_round,
    written_so_far,
)
from tournaments.releases.services import correction_publish
from tournaments.standings.competitors import PAIR, TEAM
from tournaments.standings.core.results import RANKS, together
from tournaments.standings.queries import interim_by

Json = dict[str, Any]


class RunningSerializer(serializers.Serializer[Any]):
    """What somebody has in rounds that not every table has finished."""

    points = serializers.IntegerField()
    deals = serializers.IntegerField(help_text="How many deals that is from.")
    of = serializers.IntegerField(
        allow_null=True, help_text="How many there are; null where points end a round."
    )


class EveningRowSerializer(serializers.Serializer[Any]):
    """A line of an evening's standing."""

    rank = serializers.IntegerField(
        allow_null=True,
        help_text="The place, by what `ranked_by` says; null before the first round is over.",
    )
    member = serializers.IntegerField(
        allow_null=True, help_text="Null for people without a public page."
    )
    player = serializers.CharField()
    total = serializers.IntegerField(help_text="Everything that is written so far.")
    rounds = serializers.DictField(
        child=serializers.IntegerField(), help_text="The score of each round, by its number."
    )
    pits = serializers.IntegerField()
    pair = serializers.IntegerField(
        allow_null=True, help_text="The number of their pair, if the evening has fixed pairs."
    )
    counted = serializers.IntegerField(
        help_text="The points that the place goes by: those of rounds that are over for everybody, "
        "or by the average all."
    )
    average = serializers.DecimalField(
        8,
        2,
        allow_null=True,
        coerce_to_string=True,
        help_text="Points per deal so far, in `ranked_by` `average`.",
    )
    running = RunningSerializer(
        allow_null=True, help_text="What they have in rounds that are being played."
    )
    competitor = serializers.IntegerField(
        allow_null=True, help_text="The pair or team of the club, where those are ranked."
    )


class EveningStandingSerializer(serializers.Serializer[Any]):
    """The standing of an evening: as published if it is closed, else as it is now."""

    state = serializers.ChoiceField(Evening.State.choices)
    revision = serializers.IntegerField()
    hidden = serializers.BooleanField(help_text="Whether points are hidden from the hall now.")
    ranked_by = serializers.ChoiceField(
        ["total", "rounds", "average"],
        help_text="What places go by: `total` once no round stands apart; until then the rounds "
        "that are over, or the average per deal.",
    )
    rows = EveningRowSerializer(many=True)


EVENING_STANDING: Mapping[str, object] = {
    "state": "closed",
    "revision": 214,
    "hidden": False,
    "ranked_by": "total",
    "rows": [
        {
            "rank": 1,
            "member": 7,
            "player": "Mia van der Meer",
            "total": 5210,
            "rounds": {"1": 1702, "2": 1688, "3": 1820},
            "pits": 2,
            "pair": None,
            "counted": 5210,
            "average": None,
            "running": None,
            "competitor": None,
        }
    ],
}


class EveningStanding(EveningResource):
    """The standing of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="evening_standing_read",
        summary="An evening's standing",
        parameters=[
            OpenApiParameter(
                "by",
                {"type": "string", "enum": [*RANKS], "default": "player"},
                description="Who is ranked.",
            ),
            known_parameter(),
        ],
        responses={200: EveningStandingSerializer, 304: None},
        examples=[OpenApiExample("standing", value=EVENING_STANDING, response_only=True)],
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """As the public may see it. The club's staff also see it while it is hidden, and see full
        names."""
        evening = self.evening
        reader = self.sees_points, self.knows_names
        by = request.query_params.get("by", "player")
        if by not in RANKS:
            raise NotFound
        names = () if by == "player" else competitors_version(self.club)
        version = (*reader, self.club.members.fingerprint(), *names)
        tag = etag(evening.revision, evening.state, *version)
        make = self._standing if by == "player" else lambda: self._standing_by(by)
        return tagged(request, tag, lambda: Response(make()))

    def _standing_by(self, by: str) -> Json:
        """The standing of pairs or teams: as published, or by the rounds that are over."""
        evening = self.evening
        closed = evening.state == Evening.State.CLOSED
        release = evening.releases.first() if closed else None
        if release is not None:
            rows = competitors_published(release, by, release_rows(release))
        else:
            rows = competitors_now(evening, by) if self.sees_points else []
        return {
            "state": evening.state,
            "revision": evening.revision,
            "hidden": not self.sees_points,
            "ranked_by": "rounds" if evening.state == Evening.State.RUNNING else "total",
            "rows": competitors_json(rows),
        }

    def _standing(self) -> Json:
        rows = public_standings(self.evening)
        if self.evening.frozen and self.sees_points:
            rows = live_rows(self.evening)
        ranked_by = interim_by(self.evening) if running_rounds(rows) else "total"
        if ranked_by == "total":
            rows = [row._replace(average=None) for row in rows]
        return {
            "state": self.evening.state,
            "revision": self.evening.revision,
            "hidden": not self.sees_points,
            "ranked_by": ranked_by,
            "rows": standing_json(self.club, rows, full=self.knows_names),
        }


def standing_json(club: Club, rows: Sequence[PublicRow], *, full: bool) -> list[Json]:
    """The lines in the API's form; `full` names take one query."""
    members = Member.objects.of(club).in_bulk([row.member_id for row in rows]) if full else {}
    return [_evening_row(row, members.get(row.member_id)) for row in rows]


def _evening_row(row: PublicRow, known: Member | None) -> Json:
    running = together(row.running.values())
    return {
        "rank": row.rank,
        "member": row.member_id if row.has_page or known else None,
        "player": known.desk_name if known else row.name,
        "total": written_so_far(row),
        "rounds": {str(number): score for number, score in written_by_round(row).items()},
        "pits": row.pits,
        "pair": row.pair.number if row.pair else None,
        "counted": row.total,
        "average": row.average and str(row.average),
        "running": running and {"points": running.points, "deals": running.deals, "of": running.of},
        "competitor": None,
    }


def competitors_json(rows: Sequence[PublicRow]) -> list[Json]:
    """The lines of pairs or teams of the club in the API's form."""
    return [
        _evening_row(row, None) | {"member": None, "pair": None, "competitor": row.competitor}
        for row in rows
        if row.competitor is not None
    ]


class MoveSerializer(serializers.Serializer[Any]):
    """A person whose place or total changed since the release before; null where they were not in
    one of the two."""

    player = serializers.CharField(source="name")
    old_rank = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    old_total = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)


class ReleasedFolderSerializer(serializers.Serializer[Any]):
    """A place on an evening of folders as it was published: in which line, whose, and by what."""

    line = serializers.ChoiceField(
        ["NS", "EW"], allow_null=True, help_text="Null for pairs that sat both ways."
    )
    place = serializers.IntegerField()
    pairs = serializers.ListField(
        child=serializers.IntegerField(), help_text="The number of the pair, or those of a team."
    )
    name = serializers.CharField()
    percentage = serializers.CharField(
        allow_null=True, help_text="Null where results are compared by differences."
    )
    points = serializers.CharField(allow_null=True, help_text="Null where there is a percentage.")


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A publication; `seal` is printed under it."""

    class Meta:
        model = Release
        fields = ["number", "published_at", "reason", "seal"]


class ReleaseStandingSerializer(ReleaseSerializer):
    """What was published, and who moved."""

    rows = EveningRowSerializer(many=True)
    moves = MoveSerializer(many=True)
    pairs = EveningRowSerializer(many=True, help_text="The pairs of the club that played.")
    teams = EveningRowSerializer(many=True, help_text="The teams that played.")
    folders = ReleasedFolderSerializer(many=True, help_text="The places of an evening of folders.")

    class Meta(ReleaseSerializer.Meta):
        fields = [*ReleaseSerializer.Meta.fields, "rows", "moves", "pairs", "teams", "folders"]


class ReleaseReasonSerializer(StrictSerializer):
    """Why a result is published again."""

    reason = serializers.CharField(
        max_length=LONGEST_REASON, help_text="What was corrected: everybody reads it."
    )


RELEASE: Mapping[str, object] = {
    "number": 1,
    "published_at": "2026-11-21T23:04:11.120000+01:00",
    "reason": "",
    "seal": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "rows": EVENING_STANDING["rows"],
    "moves": [],
    "pairs": [],
    "teams": [],
    "folders": [],
}

AS_ANSWERED = OpenApiExample("release", value=RELEASE, response_only=True)


class ReleaseList(EveningResource):
    """What was published of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY, "post": PUBLISH}

    @extend_schema(
        operation_id="release_list",
        summary="What was published of an evening",
        parameters=Pages.parameters(),
        responses=Pages.answer(ReleaseSerializer),
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> Response:
        """Newest first."""
        return Pages.of(self, self.evening.releases.order_by("-number"), ReleaseSerializer)

    @extend_schema(
        operation_id="release_publish",
        summary="Publish a corrected result",
        parameters=[key_parameter(required=False)],
        request=ReleaseReasonSerializer,
        responses={201: ReleaseStandingSerializer},
        examples=[AS_ANSWERED],
    )
    def post(self, request: Request, slug: str, evening_slug: str) -> Response:
        """Publishes the standing as it is now, with who moved since. Closing an evening publishes
        its first result by itself; a result without corrections is not published again (422)."""
        given = ReleaseReasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason = given.validated_data["reason"]
        return idempotent(request, about=self.about, act=lambda: self._publish(reason))

    def _publish(self, reason: str) -> Response:
        release = correction_publish(evening=self.evening, actor=self.actor, reason=reason)
        return Response(release_json(release, full=self.knows_names), 201)


class ReleaseDetail(EveningResource):
    """A release."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="release_read",
        summary="A release",
        parameters=[known_parameter()],
        responses={200: ReleaseStandingSerializer, 304: None},
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, slug: str, evening_slug: str, number: int) -> HttpResponse:
        """Its standing, under the names that people want the public to read today."""
        release = get_object_or_404(self.evening.releases, number=number)
        return self.shown(number, release_json(release, full=self.knows_names))


def release_json(release: Release, *, full: bool) -> Json:
    """A release with its standing; `full` gives full names."""
    moves: Sequence[Move] = release_moves(release)
    rows = release_rows(release)
    return {
        **ReleaseSerializer(release).data,
        "rows": standing_json(release.evening.club, rows, full=full),
        "moves": MoveSerializer(moves, many=True).data,
        "pairs": competitors_json(competitors_published(release, PAIR, rows)),
        "teams": competitors_json(competitors_published(release, TEAM, rows)),
        "folders": [_folder_line(line, full=full) for line in folder_lines(release)],
    }


def _folder_line(line: FolderLine, *, full: bool) -> Json:
    return {
        "line": line.line,
        "place": line.place,
        "pairs": [pair.number for pair in line.pairs],
        "name": line.full if full else line.public,
        "percentage": str(line.figure) if line.is_percentage else None,
        "points": None if line.is_percentage else str(line.figure),
    }
