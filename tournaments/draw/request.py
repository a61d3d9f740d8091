"""The question as a draw method gets it: checked, and in an order that cannot matter."""

from dataclasses import dataclass
from random import Random

from tournaments.draw.models import PastEvening, Player, RoundDraw


@dataclass(frozen=True)
class Request:
    """What a method draws from.

    `players` are in order of id, so that the order in which people were ticked plays no part.
    """

    players: tuple[Player, ...]
    rounds: int
    seed: int
    first_round: int
    history: tuple[PastEvening, ...]
    already_out: tuple[Player, ...]
    played: tuple[RoundDraw, ...]

    @property
    def numbers(self) -> range:
        """The numbers that the drawn rounds have in the evening."""
        return range(self.first_round, self.first_round + self.rounds)

    def chance(self, round_number: int) -> Random:
        """The chance of one round, its own stream for each seed and round.

        Thus the later rounds come out the same whether they are drawn with the earlier ones or
        by themselves.
        """
        return Random(f"{self.seed}:{round_number}")  # noqa: S311 - a draw must be repeatable
