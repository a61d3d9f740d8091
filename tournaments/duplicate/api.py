"""The API of an evening of folders: the places, and what was made of each folder; and of the
percentages of a season."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK, may
from clubs.api.resource import ANYBODY, ClubResource, Needs, Pages, known_parameter
from scoring.rules import SEATS
from scoring.rules.hands import hands_of
from tournaments.duplicate.core.dealing import dealer_of_folder
from tournaments.duplicate.core.scoring import LINES, Line, decimal_text
from tournaments.duplicate.published import results_shown, season_percentages
from tournaments.duplicate.queries import DuplicateResults, Ranked, TableResult
from tournaments.evenings.api_base import EveningResource, Json, PersonSerializer, person
from tournaments.models import DuplicateEvening, Evening, Season
from tournaments.releases.folders import NamedPair

LINE_NAMES = [*LINES]


class FolderPairSerializer(serializers.Serializer[Any]):
    """A pair of the evening."""

    pair = serializers.IntegerField(help_text="Its number on the evening.")
    team = serializers.CharField(help_text="The team it plays for; empty for none.")
    people = PersonSerializer(many=True)


class FolderPlaceSerializer(serializers.Serializer[Any]):
    """A pair, or a team, with its place in its line."""

    place = serializers.IntegerField()
    pairs = FolderPairSerializer(many=True, help_text="One pair, or the two of a team.")
    points = serializers.CharField(help_text="A decimal number.")
    percentage = serializers.DecimalField(
        6,
        2,
        allow_null=True,
        coerce_to_string=True,
        help_text="Null where the evening is not compared by matchpoints.",
    )
    folders = serializers.IntegerField(help_text="How many folders were compared.")


class FolderLineSerializer(serializers.Serializer[Any]):
    """The places of all who sat the same way."""

    line = serializers.ChoiceField(
        LINE_NAMES, allow_null=True, help_text="Null for pairs that sat both ways."
    )
    places = FolderPlaceSerializer(many=True)


class FoldersSerializer(serializers.Serializer[Any]):
    """How an evening of folders is played, and the places."""

    kind = serializers.ChoiceField(DuplicateEvening.Kind.choices)
    compare = serializers.ChoiceField(DuplicateEvening.Comparison.choices)
    net = serializers.BooleanField(
        help_text="Whether pairs are compared by what they have more than their opponents."
    )
    folders = serializers.IntegerField()
    commitment = serializers.CharField(
        help_text="The hash of the seed that the cards come from; empty where people shuffled."
    )
    seed = serializers.CharField(allow_null=True, help_text="Null until the evening is closed.")
    hidden = serializers.BooleanField(help_text="Whether the places are hidden from the hall now.")
    lines = FolderLineSerializer(many=True)


class FolderTableSerializer(serializers.Serializer[Any]):
    """What a table made of a folder; what is by line has the keys `NS` and `EW`."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    deal = serializers.IntegerField(help_text="Its line on the sheet of the table.")
    pairs = serializers.DictField(child=serializers.IntegerField(), help_text="Who sat there.")
    declarer = serializers.CharField(
        allow_null=True, help_text="A seat or a side, as far as the sheet says."
    )
    trump = serializers.CharField(allow_null=True)
    points = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Null while nothing is written.",
    )
    worth = serializers.DictField(
        child=serializers.CharField(), help_text="Decimal numbers; empty before they are known."
    )
    rulings = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="The percentage that the director gave instead.",
    )


class FolderSerializer(serializers.Serializer[Any]):
    """A folder after the evening: its cards and what every table made of it."""

    folder = serializers.IntegerField()
    dealer = serializers.ChoiceField(SEATS)
    hands = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        allow_null=True,
        help_text="The cards of each seat as rank and suit; null where nobody wrote them down.",
    )
    tables = FolderTableSerializer(many=True)


PAIR: Mapping[str, object] = {
    "pair": 4,
    "team": "",
    "people": [{"member": 1, "name": "Jan Bakker"}, {"member": 2, "name": "Mia van der Meer"}],
}
FOLDERS_EXAMPLE = OpenApiExample(
    "folders",
    value={
        "kind": "mitchell",
        "compare": "matchpoints",
        "net": False,
        "folders": 24,
        "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "seed": None,
        "hidden": False,
        "lines": [
            {
                "line": "NS",
                "places": [
                    {
                        "place": 1,
                        "pairs": [PAIR],
                        "points": "131",
                        "percentage": "54.58",
                        "folders": 24,
                    }
                ],
            }
        ],
    },
    response_only=True,
)
FOLDER_EXAMPLE = OpenApiExample(
    "folder",
    value={
        "folder": 1,
        "dealer": "N",
        "hands": None,
        "tables": [
            {
                "round": 1,
                "table": 1,
                "deal": 1,
                "pairs": {"NS": 1, "EW": 7},
                "declarer": "E",
                "trump": "H",
                "points": {"NS": 60, "EW": 102},
                "worth": {"NS": "2", "EW": "4"},
                "rulings": {},
            }
        ],
    },
    response_only=True,
)


class SeasonPercentageSerializer(serializers.Serializer[Any]):
    """Somebody in the standing of percentages."""

    place = serializers.IntegerField()
    person = PersonSerializer()
    percentage = serializers.CharField(help_text="The mean of their evenings; two decimals.")
    evenings = serializers.DictField(
        child=serializers.CharField(), help_text="Their percentage on each evening, by its slug."
    )


class FoldersResource(EveningResource):
    """An address below the folders of an evening."""

    tag = "evenings"

    def results(self) -> DuplicateResults:
        """What was made of the folders, as published last once the evening is closed; Http404 of
        an evening without."""
        if not self.evening.plays_folders:
            raise Http404
        return results_shown(self.evening)

    def is_open(self, results: DuplicateResults) -> bool:
        """Whether cards may be read: everybody has played every folder, at all clubs that have
        them."""
        return self.evening.state == Evening.State.CLOSED and not results.duplicate.is_locked


class FolderPlaces(FoldersResource):
    """An evening of folders as a whole."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="folders_read",
        summary="The places of an evening of folders",
        parameters=[known_parameter()],
        responses={200: FoldersSerializer, 304: None},
        examples=[FOLDERS_EXAMPLE],
    )
    def get(self, request: Request, slug: str, evening_slug: str) -> HttpResponse:
        """By line, live while people play. The club's staff also see them while they are hidden,
        and see full names."""
        results = self.results()
        duplicate = results.duplicate
        lines = results.ranking if self.sees_points else []
        data = {
            "kind": duplicate.kind,
            "compare": duplicate.compare,
            "net": duplicate.net,
            "folders": duplicate.folders,
            "commitment": duplicate.commitment,
            "seed": duplicate.seed if self.is_open(results) else None,
            "hidden": not self.sees_points,
            "lines": [
                {"line": line.line, "places": [self._place(row) for row in line.rows]}
                for line in lines
            ],
        }
        return self.shown(self.evening.revision, data)

    def _place(self, row: Ranked) -> Json:
        percentage = row.worth.percentage
        return {
            "place": row.place,
            "pairs": [self._pair(pair) for pair in row.pairs],
            "points": decimal_text(row.worth.points),
            "percentage": None if percentage is None else f"{percentage:.2f}",
            "folders": row.played,
        }

    def _pair(self, pair: NamedPair) -> Json:
        full = self.knows_names
        return {
            "pair": pair.number,
            "team": pair.team if full else pair.public_team,
            "people": [person(member, full=full) for member in pair.people],
        }


class FolderDetail(FoldersResource):
    """A folder of an evening."""

    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="folder_read",
        summary="A folder after the evening",
        parameters=[known_parameter()],
        responses={200: FolderSerializer, 304: None},
        examples=[FOLDER_EXAMPLE],
    )
    def get(self, request: Request, slug: str, evening_slug: str, number: int) -> HttpResponse:
        """404 until the evening is closed: before that somebody may still have to play it."""
        results = self.results()
        if not self.is_open(results) or number not in results.folders:
            raise Http404
        return self.shown(self.evening.revision, folder_json(results, number))


class SeasonPercentages(ClubResource):
    """The percentages of a season."""

    tag = "seasons"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="season_folders_read",
        summary="The percentages of a season's evenings of folders",
        parameters=Pages.parameters(),
        responses=Pages.answer(SeasonPercentageSerializer),
    )
    def get(self, request: Request, slug: str, season_slug: str) -> Response:
        """Best first, over the closed evenings that are compared by matchpoints, as published last.
        The club's staff see full names."""
        season = get_object_or_404(Season, club=self.club, slug=season_slug)
        full = may(request, READ_DESK, self.club)
        rows = [
            {
                "place": row.place,
                "person": person(row.member, full=full),
                "percentage": f"{row.mean:.2f}",
                "evenings": {slug: f"{each:.2f}" for slug, each in row.by_evening.items()},
            }
            for row in season_percentages(season)
        ]
        return Pages.of(self, rows, SeasonPercentageSerializer)


def folder_json(results: DuplicateResults, number: int) -> Json:
    """A folder with its cards and what every table made of it."""
    hands = results.folders[number].hands
    return {
        "folder": number,
        "dealer": dealer_of_folder(number),
        "hands": {seat: [*cards] for seat, cards in hands_of(hands).items()} if hands else None,
        "tables": [_table_json(result) for result in results.of_folder.get(number, ())],
    }


def _table_json(result: TableResult) -> Json:
    written = result.written or {}
    by_line: Mapping[Line, int] = dict(zip(LINES, result.score or (), strict=False))
    return {
        "round": result.round,
        "table": result.table,
        "deal": result.number,
        "pairs": dict(result.sides),
        "declarer": written.get("declarer"),
        "trump": written.get("trump"),
        "points": dict(by_line) if result.score else None,
        "worth": {line: decimal_text(points) for line, points in result.worth.items()},
        "rulings": {line: percent for line, (percent, _reason) in result.ruled.items()},
    }
