"""The upcoming rounds with everything needed to judge a change, storing a changed round, and
exchanging two people in a draft."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Scoresheet, Seat
from tournaments.draw.core.amend import SwapCost, swap_costs, swapped
from tournaments.draw.core.models import BLOCK_LENGTH, Couple, PastEvening, Player, RoundDraw
from tournaments.draw.core.models import Seat as SeatName
from tournaments.draw.core.problem import DrawError
from tournaments.draw.problem import (
    against_themselves,
    couples,
    pairs_made,
    staying,
    teams_of,
)
from tournaments.draw.services import require_seen
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import CoupleRule, Evening, Placement, Round, Table
from tournaments.seating.store import (
    UpcomingRound,
    past_evenings,
    rounds_as_drawn,
    sheets_planned,
    upcoming_rounds,
)

SeatAt = tuple[int, SeatName]
Seats = dict[SeatAt, int]
"""The ids of the people by table number and seat."""
Four = dict[SeatName, int]
"""The ids of the people at one table."""


@dataclass(frozen=True, slots=True)
class DrawWaiting:
    """Rounds that are drawn and have not started, by number, in order; at least one.

    `played` are those before them, `block` is how many rounds at one table are one meeting, `teams`
    the team of everybody in one that may not play against itself, where people change places.
    """

    rounds: Mapping[int, UpcomingRound]
    played: Sequence[RoundDraw]
    history: Sequence[PastEvening]
    fixed: Sequence[Couple]
    apart: Sequence[Couple]
    stays: Sequence[Player]
    block: int
    teams: Mapping[Player, str] = field(default_factory=dict)

    @property
    def drawn(self) -> list[RoundDraw]:
        """The rounds as the draw gives them."""
        return [round_.drawn for round_ in self.rounds.values()]

    def blocks(self) -> list[list[int]]:
        """The numbers of the rounds, grouped by the rounds in which the tables stay together."""
        blocks: list[list[int]] = []
        for number, round_ in self.rounds.items():
            before = blocks[-1][-1] if blocks else None
            if before and self.block > 1 and _people(self.rounds[before]) == _people(round_):
                blocks[-1].append(number)
            else:
                blocks.append([number])
        return blocks

    def block_of(self, number: int) -> list[int]:
        """The numbers of the rounds in which the tables stay as in that one. Raises KeyError if
        that round has started or is not drawn."""
        return {each: block for block in self.blocks() for each in block}[number]


def draw_waiting(evening: Evening) -> DrawWaiting | None:
    """The draw of the upcoming rounds of this evening; None if there is none."""
    rounds = upcoming_rounds(evening)
    if not rounds:
        return None
    pairs = evening.method == Evening.Method.PAIRS
    return DrawWaiting(
        rounds=rounds,
        played=rounds_as_drawn(evening, before=min(rounds)),
        history=past_evenings(evening),
        fixed=pairs_made(evening) if pairs else couples(evening, CoupleRule.Kind.FIXED),
        apart=couples(evening, CoupleRule.Kind.APART),
        stays=staying(evening),
        block=BLOCK_LENGTH if evening.method == Evening.Method.ROTATION else 1,
    )


def round_rewrite(
    evening: Evening, round_: Round, before: UpcomingRound, after: UpcomingRound
) -> None:
    """Turn the stored round, which is as in `before`, into `after`.

    Tables that are the same in both are left alone, with everything that belongs to them. A table
    that is new or of another size gets a new blank sheet; substitutes keep playing for the same
    person. Raises DomainError `twice_at_a_table` when somebody would sit at one table twice.
    """
    _require_nobody_twice(after)
    _Rewriting(evening, round_).write(before, after)


def _people(round_: UpcomingRound) -> dict[int, frozenset[Player]]:
    return {table.number: table.people() for table in round_.drawn.tables}


class _Rewriting:
    def __init__(self, evening: Evening, round_: Round) -> None:
        self._evening = evening
        self._round = round_
        self._tables = {table.number: table for table in round_.tables.select_related("sheet")}

    def write(self, before: UpcomingRound, after: UpcomingRound) -> None:
        old, new = _seats(before.with_extra_players()), _seats(after.with_extra_players())
        changed = {place for place in {*old, *new} if old.get(place) != new.get(place)}
        moved = _moved(before.drawn, after.drawn)
        credited = self._credited()
        # Placements go first: the constraint "once a round" would refuse somebody at two tables.
        self._clear(changed, moved)
        for number in sorted({table for table, _seat in changed}):
            self._table_follow(number, _at(number, old), _at(number, new))
        self._place(moved, after.drawn)
        extra = {place: player for place, player in after.extra.items() if place in changed}
        self._place_extra(extra)
        # New sheets and seats start without credits, so put those of the substitutes back.
        for member_id, counts_for in credited.items():
            self._held().filter(member_id=member_id).update(counts_for_id=counts_for)
        self._round.save_changes()

    def _credited(self) -> dict[int, int]:
        """For each substitute, the person they play for, wherever they sit."""
        rows = self._held().filter(counts_for__isnull=False)
        return dict(rows.values_list("member_id", "counts_for_id"))

    def _held(self) -> QuerySet[Seat]:
        return Seat.objects.filter(sheet__table__round=self._round)

    def _clear(self, changed: Collection[SeatAt], moved: Collection[int]) -> None:
        taken = [Q(table__number=table, seat=seat) for table, seat in changed]
        own = Q(member__in=moved, substitute=False)
        self._round.placements.filter(reduce(or_, taken, own)).delete()

    def _table_follow(self, number: int, old: Four, new: Four) -> None:
        table = self._tables.get(number)
        if table is None:
            self._tables[number] = Table.objects.create(
                round=self._round, number=number, sheet=self._blank(new)
            )
        elif not new:
            table.delete()
            table.sheet.delete()
        elif len(old) != len(new):
            # A sheet of three people has another shape than one of four.
            gone, table.sheet = table.sheet, self._blank(new)
            table.save(update_fields=["sheet"])
            gone.delete()
        else:
            _seats_change(
                table.sheet,
                {seat: member_id for seat, member_id in new.items() if old.get(seat) != member_id},
            )

    def _blank(self, seats: Four) -> Scoresheet:
        people = Member.objects.in_bulk(seats.values())
        seating = {seat: people[member_id] for seat, member_id in seats.items()}
        (sheet,) = sheets_planned(self._evening, self._round.number, [seating])
        return sheet

    def _place(self, moved: Collection[int], drawn: RoundDraw) -> None:
        seated = {pk: place for place, pk in _seats(drawn).items() if pk in moved}
        out = [int(player) for player in drawn.sit_out if int(player) in moved]
        Placement.objects.bulk_create(
            [
                Placement(round=self._round, member_id=pk, table=self._tables[table], seat=seat)
                for pk, (table, seat) in seated.items()
            ]
            + [Placement(round=self._round, member_id=pk) for pk in out]
        )

    def _place_extra(self, extra: Mapping[SeatAt, Player]) -> None:
        for (table, seat), player in extra.items():
            Placement.objects.create(
                round=self._round,
                member_id=int(player),
                table=self._tables[table],
                seat=seat,
                substitute=True,
            )
            self._tables[table].sheet.seats.filter(seat=seat).update(extra=True)


def _seats_change(sheet: Scoresheet, seats: Four) -> None:
    """Give these seats to other people, from the first deal on."""
    for seat, member_id in seats.items():
        held = sheet.seats.filter(seat=seat)
        held.filter(from_deal__gt=1).delete()
        held.update(member_id=member_id, counts_for=None, extra=False)


def _seats(drawn: RoundDraw) -> Seats:
    return {
        (table.number, seat): int(player)
        for table in drawn.tables
        for seat, player in table.seats.items()
    }


def _at(number: int, seats: Seats) -> Four:
    return {seat: member_id for (table, seat), member_id in seats.items() if table == number}


def _moved(before: RoundDraw, after: RoundDraw) -> set[int]:
    """The ids of everybody whose place differs, or who has one in only one of the two."""
    old, new = (
        {(member_id, place) for place, member_id in _seats(drawn).items()}
        | {(int(player), None) for player in drawn.sit_out}
        for drawn in (before, after)
    )
    return {member_id for member_id, _place in old ^ new}


def _require_nobody_twice(after: UpcomingRound) -> None:
    for table in after.with_extra_players().tables:
        player, times = Counter(table.seats.values()).most_common(1)[0]
        if times > 1:
            raise DomainError(
                "twice_at_a_table",
                _("%(name)s would sit twice at table %(n)s.")
                % {"name": Member.objects.get(pk=player).name, "n": table.number},
            )


@transaction.atomic
def draw_swap(
    *,
    evening_id: int,
    round_number: int,
    one: Member,
    other: Member,
    actor: Actor,
    seen: str | None = None,
) -> list[int]:
    """Exchange two people in a round of the draft, at tables or out.

    A swap that makes the draw worse is made as well, unless a team then plays against itself where
    it did not; the last swap can always be undone. Raises DomainError as `require_swappable`,
    `draw_moved_on` if the draft is no longer at the version `seen`, `not_in_round` or
    `team_against_itself`.
    """
    evening = evening_lock(evening_id)
    waiting = require_swappable(evening, round_number)
    require_seen(evening, seen)
    numbers = waiting.block_of(round_number)
    drafts = {round_.number: round_ for round_ in evening.rounds.filter(number__in=numbers)}
    for number in numbers:
        before, round_ = waiting.rounds[number], drafts[number]
        after = _swapped(before, one, other)
        if round_.swaps[-1:] != [_swap(one, other)]:
            _require_no_more_clashes(waiting.teams, before, after)
        round_rewrite(evening, round_, before, after)
        _note_swap(round_, one, other)
    evening_touch(
        evening,
        actor=actor,
        action="draw_swapped",
        data={"rounds": numbers, "members": [str(one.uuid), str(other.uuid)]},
    )
    return numbers


def require_swappable(evening: Evening, round_number: int) -> DrawWaiting:
    """The draw of which this round may be changed by hand.

    Raises DomainError `evening_state`, `pairs_stay_together` on an evening of pairs,
    `draw_final` if players already see that round, or `no_draft` if it has no draw or has begun.
    """
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.method == Evening.Method.PAIRS:
        raise DomainError(
            "pairs_stay_together",
            _("Pairs play together all evening, so nobody changes places alone."),
        )
    waiting = draw_waiting(evening)
    if waiting is None or round_number not in waiting.rounds:
        raise DomainError("no_draft", _("This round is not a draft any more."))
    if evening.rounds.get(number=round_number).state != Round.State.DRAFT:
        raise DomainError(
            "draw_final", _("The draw is final, so nobody changes places. Undo it first for that.")
        )
    return replace(waiting, teams=teams_of(evening))


def draw_swap_costs(waiting: DrawWaiting, number: int, player: Player) -> dict[Player, SwapCost]:
    """The cost of this player taking each other person's place in that round.

    Summed over all rounds in which the tables stay together. Raises DomainError `not_in_round`.
    """
    block = waiting.block_of(number)
    try:
        costs = [_costs_in(waiting, block, each, player) for each in block]
    except DrawError as error:
        raise _not_in_round() from error
    against: set[Player] = set()
    for round_ in [waiting.rounds[each] for each in block] if waiting.teams else []:
        old = team_clashes(round_.with_extra_players(), waiting.teams)
        against |= {
            other
            for other in costs[0]
            if any(more_clashes(waiting.teams, old, _exchanged(round_, player, other)))
        }
    total = {other: _over_block([in_round[other] for in_round in costs]) for other in costs[0]}
    return {
        other: replace(cost, faults=(*cost.faults, "team")) if other in against else cost
        for other, cost in total.items()
    }


def _note_swap(round_: Round, one: Member, other: Member) -> None:
    """Add the swap to those of the round, or remove the last one if this undoes it."""
    swap = _swap(one, other)
    round_.swaps = round_.swaps[:-1] if round_.swaps[-1:] == [swap] else [*round_.swaps, swap]
    round_.save(update_fields=["swaps"])


def _swap(one: Member, other: Member) -> list[str]:
    return sorted([str(one.uuid), str(other.uuid)])


def more_clashes(
    teams: Mapping[Player, str], old: Mapping[str, set[int]], after: UpcomingRound
) -> Iterator[tuple[str, int]]:
    """The teams that play against themselves at more tables after a change than the `old` ones,
    each with such a table where it did not."""
    for team, tables in team_clashes(after.with_extra_players(), teams).items():
        there = old.get(team, set())
        if len(tables) > len(there):
            yield team, min(tables - there)


def team_clashes(drawn: RoundDraw, teams: Mapping[Player, str]) -> dict[str, set[int]]:
    """The teams that play against themselves, and at which tables."""
    clashes: dict[str, set[int]] = {}
    for table in drawn.tables:
        for team in against_themselves(table.seats, teams):
            clashes.setdefault(team, set()).add(table.number)
    return clashes


def _require_no_more_clashes(
    teams: Mapping[Player, str], before: UpcomingRound, after: UpcomingRound
) -> None:
    if not teams:
        return
    old = team_clashes(before.with_extra_players(), teams)
    for team, number in more_clashes(teams, old, after):
        message = _(
            "After this %(team)s would play against itself at table %(n)s. Is that how you"
            " play? Then tick “People of one team may sit at one table” where you change the"
            " evening."
        )
        raise DomainError("team_against_itself", message % {"n": number, "team": team})


def _exchanged(before: UpcomingRound, player: Player, other: Player) -> UpcomingRound:
    (drawn,) = swapped([before.drawn], 0, player, other)
    return replace(before, drawn=drawn)


def _swapped(before: UpcomingRound, member: Member, other: Member) -> UpcomingRound:
    try:
        after = _exchanged(before, str(member.pk), str(other.pk))
    except DrawError as error:
        raise _not_in_round() from error
    if after.drawn == before.drawn:
        raise _not_in_round()
    return after


def _costs_in(
    waiting: DrawWaiting, block: Sequence[int], number: int, player: Player
) -> dict[Player, SwapCost]:
    """The costs in one round of the block, as if it were the whole block.

    Someone who plays twice in that round is counted at their own table only.
    """
    # The other rounds of the block are left out: they have the same tables, so each meeting there
    # would count again.
    others = [each for each in waiting.rounds if each == number or each not in block]
    return swap_costs(
        [
            round_.drawn if each == number else round_.with_extra_players()
            for each, round_ in waiting.rounds.items()
            if each in others
        ],
        others.index(number),
        player,
        played=waiting.played,
        history=waiting.history,
        fixed=waiting.fixed,
        apart=waiting.apart,
        stays=waiting.stays,
        block=waiting.block,
    )


def _over_block(costs: Sequence[SwapCost]) -> SwapCost:
    """The costs over a block, where partners change each round and tables only once."""
    first = costs[0]
    more = len(costs) - 1
    turn = first.turn and replace(
        first.turn,
        rounds=first.turn.rounds + more,
        instead_of=first.turn.instead_of + more,
    )
    return replace(
        first,
        turn=turn,
        partners=sum(cost.partners for cost in costs),
        season_partners=sum(cost.season_partners for cost in costs),
        faults=tuple(sorted({fault for cost in costs for fault in cost.faults})),
    )


def _not_in_round() -> DomainError:
    return DomainError("not_in_round", _("Choose two people of this round."))
