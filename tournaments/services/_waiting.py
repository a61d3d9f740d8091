"""The rounds that wait to be played, with all that says what is good and wrong about them."""

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
        return [one.drawn for one in self.rounds.values()]

    def blocks(self) -> list[list[int]]:
        """The numbers of the rounds, those of which the tables stay together in one list."""
        found: list[list[int]] = []
        for number, one in self.rounds.items():
            before = found[-1][-1] if found else None
            if before and self.block > 1 and _people(self.rounds[before]) == _people(one):
                found[-1].append(number)
            else:
                found.append([number])
        return found

    def block_of(self, number: int) -> list[int]:
        """The numbers of the rounds that stay together with that one; KeyError when it does not
        wait."""
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


def _people(one: RoundToCome) -> dict[int, frozenset[Player]]:
    return {table.number: table.people() for table in one.drawn.tables}
