"""The rounds that are drawn and not started, with everything needed to judge them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.draw.core import Couple, PastEvening, Player, RoundDraw
from tournaments.draw.core.models import BLOCK_LENGTH
from tournaments.drawn import past_evenings, rounds_as_drawn
from tournaments.models import CoupleRule, Evening
from tournaments.services._question import couples, pairs_made, staying
from tournaments.to_come import RoundToCome, rounds_to_come


@dataclass(frozen=True, slots=True)
class DrawWaiting:
    """Rounds that are drawn and have not started, by number, in order; at least one.

    `played` are those before them, `block` is how many rounds at one table are one meeting.
    """

    rounds: Mapping[int, RoundToCome]
    played: Sequence[RoundDraw]
    history: Sequence[PastEvening]
    fixed: Sequence[Couple]
    apart: Sequence[Couple]
    stays: Sequence[Player]
    block: int

    @property
    def drawn(self) -> list[RoundDraw]:
        """The rounds that wait, as the draw gives them."""
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
        """The numbers of the rounds in which the tables stay as in that one. Raises KeyError when
        that round does not wait."""
        return {each: block for block in self.blocks() for each in block}[number]


def draw_waiting(evening: Evening) -> DrawWaiting | None:
    """What waits to be played on this evening; None when nothing does."""
    rounds = rounds_to_come(evening)
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


def _people(round_: RoundToCome) -> dict[int, frozenset[Player]]:
    return {table.number: table.people() for table in round_.drawn.tables}
