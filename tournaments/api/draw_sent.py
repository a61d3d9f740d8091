"""What a program says of a draw."""

from rest_framework import serializers

from clubs.api.strict import StrictSerializer
from tournaments.api.base import LARGEST

MOST_PEOPLE = 2_000
VERSION = serializers.CharField(
    required=False, max_length=32, help_text="The version of the draft that you saw."
)


class DrawMakeSerializer(StrictSerializer):
    """How it is drawn."""

    seed = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The same seed draws the same people alike; by itself another one each time.",
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
    """Which draft is meant."""

    version = VERSION


class DrawSwapSerializer(StrictSerializer):
    """Who change places in which round, by id."""

    round = serializers.IntegerField(min_value=1, max_value=99)
    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    other = serializers.IntegerField(min_value=1, max_value=LARGEST)
    version = VERSION


class DrawAdaptSerializer(StrictSerializer):
    """Whom the draw is adapted to; nobody means everybody who came or left."""

    members = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )
