"""An evening as the API shows it, and what a program may say of it."""

from collections.abc import Mapping
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from rest_framework import serializers

from clubs.api.strict import StrictSerializer
from scoring.models import Regulation
from scoring.models.sheet import HIGHEST_TARGET, LOWEST_TARGET
from scoring.rules import PRESETS
from tournaments.models import Evening
from tournaments.slugs import FIRST_DAY, LAST_DAY
from tournaments.standings.core import EVENING_TIE_BREAKS

PLAYABLE = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]
PLAN = (
    "date",
    "rounds_planned",
    "deals_per_round",
    "target",
    "method",
    "leftover",
    "last_ranked",
)
DETAILS = "name", "starts_at", "sit_out_score", "missed_score", "phones", "writing"
RULES = (
    "first_dealer",
    "first_trump_clubs",
    "maker_holds_trump",
    "roem_by",
    "reneging_until",
    "reneging_escalates",
    "tie",
    "tie_breaks",
    "twice_replaces",
)


class EveningRegulationSerializer(serializers.ModelSerializer[Regulation]):
    """What deals are counted by."""

    class Meta:
        model = Regulation
        fields = ["id", "name", "version"]


class EveningSerializer(serializers.ModelSerializer[Evening]):
    """An evening: its plan, its rules, and how far it is."""

    slug = serializers.CharField(read_only=True, help_text="Its place in addresses.")
    season = serializers.SlugRelatedField[Any](
        "slug", read_only=True, allow_null=True, help_text="The slug of its season."
    )
    regulation = EveningRegulationSerializer(read_only=True, allow_null=True)
    version = serializers.SerializerMethodField(help_text="What a write of the plan names.")

    class Meta:
        model = Evening
        fields = [
            "slug",
            "state",
            "frozen",
            "is_history",
            "season",
            "regulation",
            *PLAN,
            *DETAILS,
            *RULES,
            "revision",
            "version",
        ]

    def get_version(self, evening: Evening) -> str:
        return str(evening.version)


class EveningChangeSerializer(StrictSerializer):
    """What an evening is to be; what is left out stays, or is as most clubs have it."""

    date = serializers.DateField(validators=PLAYABLE, required=False)
    season = serializers.CharField(
        max_length=60, required=False, allow_null=True, help_text="The slug of a season."
    )
    preset = serializers.ChoiceField(
        list(PRESETS),
        required=False,
        help_text="The regulation, by the name of a preset; else give `regulation`.",
    )
    regulation = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, help_text="The id of one of the club's."
    )
    rounds_planned = serializers.IntegerField(min_value=1, max_value=20, required=False)
    deals_per_round = serializers.IntegerField(min_value=1, max_value=99, required=False)
    target = serializers.IntegerField(
        min_value=LOWEST_TARGET,
        max_value=HIGHEST_TARGET,
        required=False,
        allow_null=True,
        help_text="The points that end a round, in place of a number of deals.",
    )
    method = serializers.ChoiceField(Evening.Method.choices, required=False)
    leftover = serializers.ChoiceField(Evening.Leftover.choices, required=False)
    last_ranked = serializers.BooleanField(
        required=False, help_text="Whether the last round is drawn by standing."
    )
    name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    starts_at = serializers.TimeField(required=False, allow_null=True)
    sit_out_score = serializers.IntegerField(min_value=0, max_value=99_999, required=False)
    missed_score = serializers.IntegerField(min_value=0, max_value=99_999, required=False)
    phones = serializers.BooleanField(required=False)
    writing = serializers.ChoiceField(Evening.Writing.choices, required=False)
    first_dealer = serializers.ChoiceField(Evening.FirstDealer.choices, required=False)
    first_trump_clubs = serializers.BooleanField(required=False)
    maker_holds_trump = serializers.BooleanField(required=False)
    roem_by = serializers.ChoiceField(Evening.RoemBy.choices, required=False)
    reneging_until = serializers.ChoiceField(Evening.RenegingUntil.choices, required=False)
    reneging_escalates = serializers.BooleanField(required=False)
    tie = serializers.ChoiceField(Evening.Tie.choices, required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(list(EVENING_TIE_BREAKS)), required=False, max_length=20
    )
    twice_replaces = serializers.BooleanField(required=False)
    version = serializers.CharField(required=False, help_text="The version that you saw.")


class EveningPlanSerializer(EveningChangeSerializer):
    """A new evening; what is left out is as most clubs have it."""

    date = serializers.DateField(validators=PLAYABLE)
    version = None  # type: ignore[assignment]


EVENING: Mapping[str, object] = {
    "slug": "2026-11-21",
    "state": "planned",
    "frozen": False,
    "is_history": False,
    "season": "2026-2027",
    "regulation": {"id": 3, "name": "Rotterdams", "version": 1},
    "date": "2026-11-21",
    "rounds_planned": 3,
    "deals_per_round": 16,
    "target": None,
    "method": "rotation",
    "leftover": "sit_out",
    "last_ranked": False,
    "name": "",
    "starts_at": "19:30:00",
    "sit_out_score": 1600,
    "missed_score": 0,
    "phones": True,
    "writing": "one",
    "first_dealer": "left",
    "first_trump_clubs": False,
    "maker_holds_trump": False,
    "roem_by": "winner",
    "reneging_until": "count",
    "reneging_escalates": False,
    "tie": "shared",
    "tie_breaks": ["pits", "best_round", "fewest_nats"],
    "twice_replaces": False,
    "revision": 1,
    "version": "3",
}
