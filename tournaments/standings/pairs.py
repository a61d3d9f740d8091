"""The scores and places of the fixed pairs of an evening."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.models import Seat
from scoring.rules import side_of
from tournaments.models import Evening, Placement, Round
from tournaments.standings.core import EveningEntry, Points, RoundScore, rank_evening
from tournaments.standings.scores import STARTED

Rounds = dict[int, RoundScore]


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair's line in the standings of an evening. `rounds` maps a round's number to its score;
    `tie_breaks` has the figures that were compared because of a tie, in order."""

    number: int
    rank: int
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = field(default_factory=dict)


def pair_scores(
    evening: Evening, tie_breaks: tuple[str, ...], play_off: Mapping[str, int]
) -> dict[int, PairScore]:
    """The current score of each member's pair, by member id; members without a pair are left out.

    A pair has the score of its side and the corrections of both its people, also when a substitute
    played for them. For sitting out and for a missed round it has the evening's score once.
    `play_off` has people's scores in extra deals. At most four queries.
    """
    paired = evening.registrations.values_list("member_id", "pair")
    pair_of = {member: pair for member, pair in paired if pair is not None}
    scores = _at_tables(evening, pair_of)
    _add_fixed_scores(evening, pair_of, scores)
    extra = {
        str(pair_of[int(member_id)]): score
        for member_id, score in play_off.items()
        if int(member_id) in pair_of
    }
    entries = [
        EveningEntry(str(number), f"{number:04}", tuple(by_round.values()))
        for number, by_round in scores.items()
    ]
    rows = rank_evening(entries, tie_breaks=tie_breaks, play_off=extra, lot=evening.slug)
    ranked = {
        int(row.player_id): PairScore(
            int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def pair_from_json(line: Mapping[str, Any] | None) -> PairScore | None:
    """A pair's line as a release stores it; `None` if it stores none."""
    if line is None:
        return None
    rounds = {int(number): score for number, score in line["rounds"].items()}
    return PairScore(**{**line, "rounds": rounds})


def _at_tables(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, Rounds]:
    """Each pair's rounds at a table. A side of a sheet belongs to the pair that sits there."""
    sides: dict[tuple[int, int, str], list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state__in=STARTED
    ).select_related("sheet__table__round")
    for seat in seats.order_by("from_deal"):
        number = seat.sheet.table.round.number
        sides[number, seat.sheet_id, side_of(seat.seat)].append(seat)  # type: ignore[arg-type]
    scores: dict[int, Rounds] = defaultdict(dict)
    for (number, _sheet, side), held in sides.items():
        pairs = [pair_of.get(seat.counts_for_id or seat.member_id or 0) for seat in held]
        pair = next((candidate for candidate in pairs if candidate is not None), None)
        if pair is not None:
            scores[pair][number] = _side_score(number, side, held)
    return scores


def _side_score(number: int, side: str, held: Iterable[Seat]) -> RoundScore:
    """The side's score plus the corrections of each of its people."""
    by_seat: dict[str, Counter[str]] = defaultdict(Counter)
    for seat in held:
        written = seat.sheet.score_ns if side == "NS" else seat.sheet.score_ew
        by_seat[seat.seat].update(score=seat.score, pits=seat.pits, roem=seat.roem, nats=seat.nats)
    figures_of_side = next(iter(by_seat.values()))
    corrections = sum(figures["score"] - written for figures in by_seat.values())
    return RoundScore(
        number,
        written + corrections,
        figures_of_side["pits"],
        figures_of_side["roem"],
        figures_of_side["nats"],
    )


def _add_fixed_scores(
    evening: Evening, pair_of: Mapping[int, int], scores: dict[int, Rounds]
) -> None:
    """For sitting out, and for missing a round but not the evening, once the round is closed."""
    over = evening.rounds.filter(state=Round.State.CLOSED)
    out = Placement.objects.filter(round__in=over, table__isnull=True, member__in=pair_of)
    for member, number in out.values_list("member", "round__number"):
        given = RoundScore(number, evening.sit_out_score, played=False)
        scores.setdefault(pair_of[member], {}).setdefault(number, given)
    if evening.missed_score:
        for number in over.values_list("number", flat=True):
            for by_round in scores.values():
                by_round.setdefault(number, RoundScore(number, evening.missed_score, played=False))
