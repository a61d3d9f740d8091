"""With whom somebody scores best."""

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
    """What somebody scored a round, in so many rounds with this partner."""

    member_id: int
    rounds: int
    mean: int


@dataclass(frozen=True, slots=True)
class Partners:
    """The partners of at least two rounds, best first, and what he scored a round with anybody;
    `mean` is None where no round was played to the end."""

    best: list[WithPartner]
    rounds: int
    mean: int | None


def partners_of(member_id: int, evenings: Collection[Evening]) -> Partners:
    """How somebody did with each partner, in the rounds of these evenings that he played from
    beginning to end, with one and the same. One query."""
    scores: dict[int, list[int]] = defaultdict(list)
    for partner_id, score in _rounds(member_id, evenings):
        scores[partner_id].append(score)
    every = [score for found in scores.values() for score in found]
    best = [
        WithPartner(partner_id, len(found), whole_mean(found))
        for partner_id, found in scores.items()
        if len(found) >= TOGETHER_FROM
    ]
    best.sort(key=lambda found: (-found.mean, -found.rounds, found.member_id))
    return Partners(best, len(every), whole_mean(every) if every else None)


def _rounds(member_id: int, evenings: Collection[Evening]) -> Iterator[tuple[int, int]]:
    """For each round the partner, by id, and the score."""
    own = Seat.objects.filter(member=member_id).values("sheet")
    seats = _whole_rounds(evenings).filter(sheet__in=own).order_by("sheet", "seat")
    for _sheet, held in groupby(seats, key=attrgetter("sheet_id")):
        people = {cast("SeatName", seat.seat): seat for seat in held}
        for name, seat in people.items():
            beside = people.get(partner(name))
            if seat.member_id == member_id and beside and beside.member_id is not None:
                yield beside.member_id, seat.score


def _whole_rounds(evenings: Collection[Evening]) -> QuerySet[Seat]:
    """The seats that one person had from the first deal to the last, of a sheet that is full."""
    return Seat.objects.filter(
        full_sheets("sheet__"),
        sheet__table__round__evening__in=evenings,
        sheet__three_handed=False,
        deals=F("sheet__deals_entered"),
        deals__gt=0,
    )
