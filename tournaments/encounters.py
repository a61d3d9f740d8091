"""What people scored against each other: only head to head asks for it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import permutations
from typing import cast

from django.db.models import Q
from django.db.models.functions import Coalesce

from scoring.models import Seat
from scoring.rules import Seat as SeatName
from scoring.rules import side_of
from tournaments.models import Evening
from tournaments.standings.core import Encounter

HEAD_TO_HEAD = "head_to_head"


def evening_encounters(
    evenings: Iterable[Evening], people: Collection[str] | None = None
) -> dict[tuple[int, str], list[Encounter]]:
    """Per evening and person (ids): at each table, his points and those of each opponent.

    Only between these `people`, where they are given. One query.
    """
    sheets: dict[tuple[int, int], list[tuple[str, str, int]]] = defaultdict(list)
    seats = Seat.objects.filter(sheet__table__round__evening__in=evenings, extra=False).annotate(
        who=Coalesce("counts_for", "member")
    )
    wanted = Q(who__isnull=False) if people is None else Q(who__in=people)
    for evening_id, sheet_id, who, seat, score in seats.filter(wanted).values_list(
        "sheet__table__round__evening", "sheet", "who", "seat", "score"
    ):
        side = side_of(cast("SeatName", seat))
        sheets[evening_id, sheet_id].append((str(who), side, score))
    met: dict[tuple[int, str], list[Encounter]] = defaultdict(list)
    for (evening_id, _sheet), there in sheets.items():
        for (who, own_side, scored), (other, other_side, conceded) in permutations(there, 2):
            if own_side != other_side:
                met[evening_id, who].append(Encounter(other, scored, conceded))
    return met
