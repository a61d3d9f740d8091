"""The draw as the API takes and shows it."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from clubs.api.resource import StrictSerializer
from clubs.models import Member
from scoring.rules import SEATS
from tournaments.draw.core import TableDraw
from tournaments.draw.report import draw_report
from tournaments.draw.services import draft_version, drawing_of
from tournaments.evenings.api_base import LARGEST, PersonSerializer, SeatedSerializer, person
from tournaments.models import Evening, Round
from tournaments.registration.check_in import drawn_without
from tournaments.seating.store import UpcomingRound, upcoming_rounds

MOST_PEOPLE = 2_000
STATES = ("none", "draft", "final")
VERSION = serializers.CharField(
    required=False, max_length=32, help_text="The version of the draft that you saw."
)
Json = dict[str, Any]


class DrawMakeSerializer(StrictSerializer):
    """The seed of a draw."""

    seed = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The same seed and people give the same draw. By default it is new each time.",
    )
    version = VERSION


class SeatingSerializer(StrictSerializer):
    """Who sits at a table, by id."""

    N = serializers.IntegerField(min_value=1, max_value=LARGEST)
    E = serializers.IntegerField(min_value=1, max_value=LARGEST)
    S = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)
    W = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)


class DrawTypedSerializer(StrictSerializer):
    """A draw that was done by hand, table 1 first."""

    tables = serializers.ListField(child=SeatingSerializer(), max_length=500)
    sit_out = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )
    version = VERSION


class DrawSeenSerializer(StrictSerializer):
    """The draft that the caller saw."""

    version = VERSION


class DrawSwapSerializer(StrictSerializer):
    """Two people who change places in a round, by id."""

    round = serializers.IntegerField(min_value=1, max_value=99)
    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    other = serializers.IntegerField(min_value=1, max_value=LARGEST)
    version = VERSION


class DrawAdaptSerializer(StrictSerializer):
    """The people to add or remove; none means everybody who came or left."""

    members = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )


class DrawnTableSerializer(serializers.Serializer[Any]):
    """A table and its people; three sit at N, E and S, two at N and E."""

    table = serializers.IntegerField()
    seats = SeatedSerializer(many=True)


class SitOutSerializer(PersonSerializer):
    """Somebody who sits out, and why it is their turn."""

    why = serializers.CharField(allow_blank=True)


class DrawnRoundSerializer(serializers.Serializer[Any]):
    """A round that has not started."""

    round = serializers.IntegerField()
    tables = DrawnTableSerializer(many=True)
    sit_out = SitOutSerializer(many=True)


class DrawSerializer(serializers.Serializer[Any]):
    """The rounds that are drawn and have not started."""

    state = serializers.ChoiceField(
        STATES, help_text="Only the desk sees a draft; everybody sees a final draw."
    )
    version = serializers.CharField(
        allow_blank=True, help_text="Sent along with a change, so that it only changes this draft."
    )
    by_hand = serializers.BooleanField(help_text="Typed in rather than drawn by the program.")
    seed = serializers.IntegerField(help_text="The same seed and people give the same draw.")
    drawing = serializers.IntegerField(
        allow_null=True, help_text="The number that the desk shows for this seed."
    )
    rounds = DrawnRoundSerializer(many=True)
    sentences = serializers.ListField(
        child=serializers.CharField(), help_text="How fair it is: who meets whom again."
    )
    warnings = serializers.ListField(child=serializers.CharField())
    newcomers = PersonSerializer(many=True, help_text="Here, but not in this draw.")
    leavers = PersonSerializer(many=True, help_text="In this draw, but not here.")


_JAN, _MIA = ({"member": 1, "name": "Jan Bakker"}, {"member": 2, "name": "Mia van der Meer"})
DRAW_EXAMPLE = OpenApiExample(
    "draw",
    value={
        "state": "draft",
        "version": "3d1f5a0c9e8b7a61",
        "by_hand": False,
        "seed": 202609051,
        "drawing": 1,
        "rounds": [
            {
                "round": 1,
                "tables": [
                    {"table": 1, "seats": [{"seat": "N", **_JAN}, {"seat": "E", **_MIA}]},
                ],
                "sit_out": [],
            }
        ],
        "sentences": ["Nobody plays with the same partner twice."],
        "warnings": [],
        "newcomers": [],
        "leavers": [],
    },
    response_only=True,
)


def draw_json(evening: Evening) -> Json:
    """The draw of the rounds that have not started."""
    waiting, version = upcoming_rounds(evening), draft_version(evening)
    report = draw_report(evening)
    members = _members(evening, waiting)
    why = {
        (number, int(out.person.id)): out.why
        for block in report.blocks
        for number in block.numbers
        for out in block.out
    }
    newcomers, leavers = drawn_without(evening)
    by_program = bool(waiting) and not report.by_hand
    return {
        "state": _state(evening, waiting),
        "version": version,
        "by_hand": bool(waiting) and report.by_hand,
        "seed": evening.seed,
        "drawing": drawing_of(evening) if by_program else None,
        "rounds": [_round(number, round_, members, why) for number, round_ in waiting.items()],
        "sentences": list(report.sentences),
        "warnings": list(report.warnings),
        "newcomers": [person(member, full=True) for member in newcomers],
        "leavers": [person(member, full=True) for member in leavers],
    }


def _state(evening: Evening, waiting: Mapping[int, UpcomingRound]) -> str:
    if not waiting:
        return "none"
    drafts = evening.rounds.filter(number__in=waiting, state=Round.State.DRAFT)
    return "draft" if drafts.exists() else "final"


def _members(evening: Evening, waiting: Mapping[int, UpcomingRound]) -> dict[int, Member]:
    ids = {
        int(player)
        for round_ in waiting.values()
        for player in (*round_.people, *round_.extra.values())
    }
    return Member.objects.of(evening.club).in_bulk(ids)


def _round(
    number: int,
    round_: UpcomingRound,
    members: Mapping[int, Member],
    why: Mapping[tuple[int, int], str],
) -> Json:
    drawn = round_.with_extra_players()
    out = [members[int(player)] for player in drawn.sit_out]
    return {
        "round": number,
        "tables": [_table(table, members) for table in drawn.tables],
        "sit_out": [
            {**person(member, full=True), "why": why.get((number, member.pk), "")} for member in out
        ],
    }


def _table(table: TableDraw, members: Mapping[int, Member]) -> Json:
    return {
        "table": table.number,
        "seats": [
            {"seat": seat, **person(members[int(table.seats[seat])], full=True)}
            for seat in SEATS
            if seat in table.seats
        ],
    }
