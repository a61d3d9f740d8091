"""What fixed pairs scored on an evening, and their places."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.models import Seat
from scoring.rules import side_of
from tournaments.models import Evening, Placement, Round
from tournaments.scores import STARTED
from tournaments.standings.core import EveningEntry, Points, RoundScore, rank_evening

Rounds = dict[int, RoundScore]


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair's line in the standings of an evening; `rounds` maps a round's number to its score,
    and `tie_breaks` are the figures that were looked at because of a tie, in order."""

    number: int
    rank: int
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = field(default_factory=dict)


def pair_scores(
    evening: Evening, tie_breaks: tuple[str, ...], play_off: Mapping[str, int]
) -> dict[int, PairScore]:
    """Per member (id) the score of the pair he is in, as it is now; who is in none is not there.

    A pair has what its side wrote and all that was taken off or given to one of its people, whoever
    sat there for them. For sitting out and for a missed round it has the evening's score once.
    `play_off` is what people scored in extra deals. At most four queries.
    """
    paired = evening.registrations.values_list("member_id", "pair")
    pair_of = {member: pair for member, pair in paired if pair is not None}
    scores = _at_tables(evening, pair_of)
    _add_fixed_scores(evening, pair_of, scores)
    extra = {
        str(pair_of[int(who)]): score for who, score in play_off.items() if int(who) in pair_of
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


def pair_from_json(kept: Mapping[str, Any] | None) -> PairScore | None:
    """What a release has kept of a pair; `None` where it kept nothing."""
    if kept is None:
        return None
    rounds = {int(number): score for number, score in kept["rounds"].items()}
    return PairScore(**{**kept, "rounds": rounds})


def _at_tables(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, Rounds]:
    """Per pair its rounds at a table: of each sheet the two sides, found by who sits there."""
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
        pair = next((one for one in pairs if one is not None), None)
        if pair is not None:
            scores[pair][number] = _side_score(number, side, held)
    return scores


def _side_score(number: int, side: str, held: Iterable[Seat]) -> RoundScore:
    """What the side has: its people have that and their own corrections, each of them."""
    by_seat: dict[str, Counter[str]] = defaultdict(Counter)
    for seat in held:
        written = seat.sheet.score_ns if side == "NS" else seat.sheet.score_ew
        by_seat[seat.seat].update(score=seat.score, pits=seat.pits, roem=seat.roem, nats=seat.nats)
    of_one = next(iter(by_seat.values()))
    own = sum(figures["score"] - written for figures in by_seat.values())
    return RoundScore(number, written + own, of_one["pits"], of_one["roem"], of_one["nats"])


def _add_fixed_scores(
    evening: Evening, pair_of: Mapping[int, int], scores: dict[int, Rounds]
) -> None:
    """For sitting out, and for a round missed by who played another, once the round is closed."""
    over = evening.rounds.filter(state=Round.State.CLOSED)
    out = Placement.objects.filter(round__in=over, table__isnull=True, member__in=pair_of)
    for member, number in out.values_list("member", "round__number"):
        given = RoundScore(number, evening.sit_out_score, played=False)
        scores.setdefault(pair_of[member], {}).setdefault(number, given)
    if evening.missed_score:
        for number in over.values_list("number", flat=True):
            for by_round in scores.values():
                by_round.setdefault(number, RoundScore(number, evening.missed_score, played=False))
