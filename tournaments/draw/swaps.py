"""Exchanging two people in a draft."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.draw.core import DrawError, Player
from tournaments.draw.core.swaps import SwapCost, swap_costs, swapped
from tournaments.draw.rewriting import DrawWaiting, draw_waiting, round_rewrite
from tournaments.draw.services import require_seen
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Round
from tournaments.seating.store import UpcomingRound


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

    A swap that makes the draw worse is made as well. Raises DomainError as `require_swappable`,
    `draw_moved_on` if the draft is no longer at the version `seen`, or `not_in_round`.
    """
    evening = evening_lock(evening_id)
    waiting = require_swappable(evening, round_number)
    require_seen(evening, seen)
    numbers = waiting.block_of(round_number)
    drafts = {round_.number: round_ for round_ in evening.rounds.filter(number__in=numbers)}
    for number in numbers:
        before, round_ = waiting.rounds[number], drafts[number]
        round_rewrite(evening, round_, before, _swapped(before, one, other))
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
    return waiting


def draw_swap_costs(waiting: DrawWaiting, number: int, player: Player) -> dict[Player, SwapCost]:
    """The cost of this player taking each other person's place in that round.

    Summed over all rounds in which the tables stay together. Raises DomainError `not_in_round`.
    """
    block = waiting.block_of(number)
    try:
        costs = [_costs_in(waiting, block, each, player) for each in block]
    except DrawError as error:
        raise _not_in_round() from error
    return {other: _over_block([in_round[other] for in_round in costs]) for other in costs[0]}


def _note_swap(round_: Round, one: Member, other: Member) -> None:
    """Add the swap to those of the round, or remove the last one if this undoes it."""
    swap = sorted([str(one.uuid), str(other.uuid)])
    round_.swaps = round_.swaps[:-1] if round_.swaps[-1:] == [swap] else [*round_.swaps, swap]
    round_.save(update_fields=["swaps"])


def _swapped(before: UpcomingRound, member: Member, other: Member) -> UpcomingRound:
    try:
        [drawn] = swapped([before.drawn], 0, str(member.pk), str(other.pk))
    except DrawError as error:
        raise _not_in_round() from error
    if drawn == before.drawn:
        raise _not_in_round()
    return replace(before, drawn=drawn)


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
