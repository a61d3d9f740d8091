"""Fixed pairs on an evening: their scores with places, finished and while a round is played."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple, cast

from scoring.models import Seat
from scoring.rules import side_of
from tournaments.models import Evening, Placement
from tournaments.standings.core.places import InterimBy, rank_evening, rank_interim
from tournaments.standings.core.results import EveningEntry, Points, RoundScore, Running, together
from tournaments.standings.scores import (
    CLOSED,
    CORRECTION,
    STARTED,
    add_corrections,
    corrections_of,
    give_missed,
    give_sit_outs,
    known_sum,
)

Rounds = dict[int, RoundScore]


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair's line in the standings of an evening. `rounds` maps a round's number to its score;
    `tie_breaks` has the figures that were compared because of a tie, in order."""

    number: int
    rank: int | None
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LivePair:
    """A pair's line while an evening is played: `pair` with the rounds that are over, and what is
    in `InterimRow` besides."""

    pair: PairScore
    deals: int
    average: Decimal | None
    running: Mapping[int, Running]


def pair_scores(
    evening: Evening, tie_breaks: tuple[str, ...], play_off: Mapping[str, int]
) -> dict[int, PairScore]:
    """The current score of each member's pair, by member id; members without a pair are left out.

    A pair has the score of its side and the corrections of both its people, also when a substitute
    played for them. For sitting out and for a missed round it has the evening's score once.
    `play_off` has people's scores in extra deals. At most four queries.
    """
    pair_of = pairs_of_members(evening)
    scores = pair_rounds(evening, pair_of)
    rows = rank_evening(
        _pair_entries(scores),
        tie_breaks=tie_breaks,
        play_off=pair_extra(pair_of, play_off),
        lot=evening.slug,
    )
    ranked = {
        int(row.player_id): PairScore(
            int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def pair_rounds(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, Rounds]:
    """The score of each pair in each round, by number, as in `pair_scores`. Three queries."""
    scores = {
        number: {side.score.round: side.score for side in sides}
        for number, sides in _at_tables(evening, pair_of).items()
    }
    closed = evening.rounds.filter(state=CLOSED).values_list("number", flat=True)
    _add_fixed_scores(evening, pair_of, scores, list(closed))
    return scores


def live_pairs(
    evening: Evening,
    over: Collection[int],
    by: InterimBy,
    tie_breaks: tuple[str, ...],
    play_off: Mapping[str, int],
) -> dict[int, LivePair]:
    """As `pair_scores` while the evening is played, with these rounds `over` as in `live_scores`.
    At most as many queries."""
    pair_of = pairs_of_members(evening)
    scores: dict[int, Rounds] = defaultdict(dict)
    running: dict[int, dict[int, Running]] = defaultdict(dict)
    for number, sides in _at_tables(evening, pair_of).items():
        scores[number] = {}
        for side in sides:
            at = side.score.round
            if at in over:
                scores[number][at] = side.score
            else:
                running[number][at] = Running(
                    side.score.score, side.deals, side.of, side.score.pits or 0
                )
    _add_fixed_scores(evening, pair_of, scores, sorted(over), running)
    rows = rank_interim(
        _pair_entries(scores),
        {str(number): _all(by_round) for number, by_round in running.items()},
        over=len(over),
        deals=evening.deals_per_round,
        by=by,
        tie_breaks=tie_breaks,
        play_off=pair_extra(pair_of, play_off),
        lot=evening.slug,
    )
    ranked = {
        int(row.player_id): LivePair(
            PairScore(
                int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
            ),
            row.deals,
            row.average,
            running.get(int(row.player_id), {}),
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def _all(by_round: Mapping[int, Running]) -> Running:
    return cast("Running", together(by_round.values()))


def pairs_of_members(evening: Evening) -> dict[int, int]:
    """The number of each member's pair."""
    paired = evening.registrations.values_list("member_id", "pair")
    return {member: pair for member, pair in paired if pair is not None}


def _pair_entries(scores: Mapping[int, Rounds]) -> list[EveningEntry]:
    return [
        EveningEntry(
            str(number),
            f"{number:04}",
            tuple(score for at, score in by_round.items() if at != CORRECTION),
            correction=by_round[CORRECTION].score if CORRECTION in by_round else 0,
        )
        for number, by_round in scores.items()
    ]


def pair_extra(pair_of: Mapping[int, int], play_off: Mapping[str, int]) -> dict[str, int]:
    return {
        str(pair_of[int(member_id)]): score
        for member_id, score in play_off.items()
        if int(member_id) in pair_of
    }


def pair_from_json(line: Mapping[str, Any] | None) -> PairScore | None:
    """A pair's line as a release stores it; `None` if it stores none."""
    if line is None:
        return None
    rounds = {int(number): score for number, score in line["rounds"].items()}
    return PairScore(**{**line, "rounds": rounds})


class SideLine(NamedTuple):
    """A side's figures in a round; `of` as in `SeatLine`."""

    score: RoundScore
    deals: int
    of: int | None


class SideHeld(NamedTuple):
    """A side of a sheet, or one person at a table of three: who held it, first those who belong
    there, and its figures; `more` of deals that decided a match that ended equal."""

    sheet: int
    side: str
    people: tuple[int, ...]
    line: SideLine
    more: int = 0


def sides_held(evening: Evening) -> list[SideHeld]:
    """The sides of every table of the rounds that have started. One query."""
    sides: dict[tuple[int, int, str], list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state__in=STARTED
    ).select_related("sheet__table__round")
    for seat in seats.order_by("from_deal"):
        number = seat.sheet.table.round.number
        side = seat.seat if seat.sheet.three_handed else side_of(seat.seat)  # type: ignore[arg-type]
        sides[number, seat.sheet_id, side].append(seat)
    return [
        SideHeld(sheet, side, _people(held), _side_line(number, side, held), _more(side, held))
        for (number, sheet, side), held in sides.items()
    ]


def _more(side: str, held: Sequence[Seat]) -> int:
    sheet = held[0].sheet
    if not sheet.is_full or sheet.score_ns != sheet.score_ew:
        return 0
    return {"NS": sheet.play_off_ns, "EW": sheet.play_off_ew}.get(side) or 0


def _people(held: Sequence[Seat]) -> tuple[int, ...]:
    """Whose side it is; somebody who plays at two tables belongs to their own."""
    in_order = sorted(held, key=lambda seat: seat.extra)
    people = [seat.counts_for_id or seat.member_id for seat in in_order]
    return tuple(dict.fromkeys(person for person in people if person))


def _at_tables(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, list[SideLine]]:
    """Each pair's rounds at a table. A side of a sheet belongs to the pair that sits there."""
    lines: dict[int, dict[int, SideLine]] = defaultdict(dict)
    for side in sides_held(evening):
        pairs = [pair_of.get(person) for person in side.people]
        pair = next((candidate for candidate in pairs if candidate is not None), None)
        if pair is not None:
            lines[pair][side.line.score.round] = side.line
    return {pair: list(by_round.values()) for pair, by_round in lines.items()}


def _side_line(number: int, side: str, held: Sequence[Seat]) -> SideLine:
    """The side's score plus the corrections of each of its people."""
    by_seat: dict[str, list[Seat]] = defaultdict(list)
    for seat in held:
        by_seat[seat.seat].append(seat)
    sides = {"NS": held[0].sheet.score_ns, "EW": held[0].sheet.score_ew}
    written = sides.get(side, 0)
    holders = next(iter(by_seat.values()))
    corrections = sum(sum(seat.score for seat in seats) - written for seats in by_seat.values())
    score = RoundScore(
        number,
        written + corrections,
        known_sum(*(seat.pits for seat in holders)),
        known_sum(*(seat.roem for seat in holders)),
        sum(seat.nats for seat in holders),
    )
    sheet = held[0].sheet
    of = sheet.deals_planned if sheet.target is None else None
    return SideLine(score, sum(seat.deals for seat in holders), of)


def _add_fixed_scores(
    evening: Evening,
    pair_of: Mapping[int, int],
    scores: dict[int, Rounds],
    over: Sequence[int],
    here: Collection[int] = (),
) -> None:
    """For sitting out, and for missing a round but not the evening, once the round is over; and
    what the director gave one of the two, or took off."""
    out = Placement.objects.filter(
        round__evening=evening, round__number__in=over, table__isnull=True, member__in=pair_of
    )
    resting = [(pair_of[member], at) for member, at in out.values_list("member", "round__number")]
    give_sit_outs(evening, scores, resting)
    give_missed(evening, scores, over, here)
    corrected: dict[int, int] = defaultdict(int)
    for member, points in corrections_of([evening]).get(evening.pk, {}).items():
        if member in pair_of:
            corrected[pair_of[member]] += points
    add_corrections(scores, corrected)
