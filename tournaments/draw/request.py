"""The question as a draw method gets it: checked, and in an order that cannot matter."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tournaments.draw.models import Couple, Leftover, PastEvening, Player, RoundDraw

Apart = Mapping[Player, frozenset[Player]]


@dataclass(frozen=True)
class Request:
    """What a method draws from.

    `players` are in order of id, so that the order in which people were ticked plays no part;
    `standing` is the order in which they were given, which only a draw by standing looks at.
    `fixed` and `apart` are couples of which both are here. A search tries at most `most_steps`
    exchanges; with None as many as do any good.
    """

    players: tuple[Player, ...]
    rounds: int
    seed: int
    first_round: int
    history: tuple[PastEvening, ...]
    already_out: tuple[Player, ...]
    played: tuple[RoundDraw, ...]
    leftover: Leftover = "sit_out"
    fixed: tuple[Couple, ...] = ()
    apart: tuple[Couple, ...] = ()
    standing: tuple[Player, ...] = ()
    most_steps: int | None = None

    @property
    def numbers(self) -> range:
        """The numbers that the drawn rounds have in the evening."""
        return range(self.first_round, self.first_round + self.rounds)

    @cached_property
    def mates(self) -> Mapping[Player, Player]:
        """Whose partner everybody in a fixed couple is."""
        return {one: other for couple in self.fixed for one, other in (couple, couple[::-1])}

    @cached_property
    def kept_apart(self) -> Apart:
        """With whom somebody must not share a table; only those for whom there is such a one."""
        found: dict[Player, set[Player]] = {}
        for one, other in self.apart:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
        return {player: frozenset(others) for player, others in found.items()}

    def chance(self, round_number: int) -> Random:
        """The chance of one round, its own stream for each seed and round.

        Thus the later rounds come out the same whether they are drawn with the earlier ones or
        by themselves.
        """
        return Random(f"{self.seed}:{round_number}")  # noqa: S311 - a draw must be repeatable
