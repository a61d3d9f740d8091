"""The partners a player scores best with."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import cast

from django.db.models import F, QuerySet

from scoring.models import Seat, full_sheets
from scoring.rules import Seat as SeatName
from scoring.rules import partner
from tournaments.models import Evening
from tournaments.standings.core import whole_mean

TOGETHER_FROM = 2


@dataclass(frozen=True, slots=True)
class WithPartner:
    """A player's mean score per round with this partner, and the number of rounds."""

    member_id: int
    rounds: int
    mean: int


@dataclass(frozen=True, slots=True)
class Partners:
    """The partners of at least two rounds, best first, and the mean per round with any partner,
    None if no round was played to the end."""

    best: list[WithPartner]
    rounds: int
    mean: int | None


def partners_of(member_id: int, evenings: Collection[Evening]) -> Partners:
    """A player's scores with each partner, in the rounds of these evenings that both played from
    beginning to end. One query."""
    scores: dict[int, list[int]] = defaultdict(list)
    for partner_id, score in _rounds(member_id, evenings):
        scores[partner_id].append(score)
    every = [score for together in scores.values() for score in together]
    best = [
        WithPartner(partner_id, len(together), whole_mean(together))
        for partner_id, together in scores.items()
        if len(together) >= TOGETHER_FROM
    ]
    best.sort(key=lambda line: (-line.mean, -line.rounds, line.member_id))
    return Partners(best, len(every), whole_mean(every) if every else None)


def _rounds(member_id: int, evenings: Collection[Evening]) -> Iterator[tuple[int, int]]:
    """The partner's id and the score of each round."""
    own = Seat.objects.filter(member=member_id).values("sheet")
    seats = _whole_rounds(evenings).filter(sheet__in=own).order_by("sheet", "seat")
    for _sheet, held in groupby(seats, key=attrgetter("sheet_id")):
        people = {cast("SeatName", seat.seat): seat for seat in held}
        for name, seat in people.items():
            beside = people.get(partner(name))
            if seat.member_id == member_id and beside and beside.member_id is not None:
                yield beside.member_id, seat.score


def _whole_rounds(evenings: Collection[Evening]) -> QuerySet[Seat]:
    """The seats of full sheets that one person had from the first deal to the last."""
    return Seat.objects.filter(
        full_sheets("sheet__"),
        sheet__table__round__evening__in=evenings,
        sheet__three_handed=False,
        deals=F("sheet__deals_entered"),
        deals__gt=0,
    )
