"""What the standing of an evening is made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.standings.core.results import Encounter


@dataclass(slots=True)
class RoundScore:
    """What a player took home from one round, in points with the roem and bonuses in them.

    `roem` is the part of it that is roem; `pits` counts pits and tegenpits of his side, `nats`
    the deals in which his side went nat. `played` is false for the fixed score of a round that he
    sat out or missed. Never changed, and not frozen for the same reason as `EveningResult`.
    """

    round: int
    score: int
    pits: int = 0
    roem: int = 0
    nats: int = 0
    played: bool = True


class EveningEntry(NamedTuple):
    """A player's evening: round by round, or only as a whole.

    Where `whole` is given it is the total; `pits` and `roem` are those known for the whole evening
    and come on top of those of the rounds. `last_round` is what he scored in the evening's last
    round, `None` when he did not play it. `encounters` are needed only for head to head. `lot` is
    whose lot he shares, by default his own: partners that stay together have one.
    """

    player_id: str
    name: str
    rounds: Sequence[RoundScore] = ()
    whole: int | None = None
    pits: int = 0
    roem: int = 0
    last_round: int | None = None
    encounters: Sequence[Encounter] = ()
    lot: str = ""

    @property
    def total(self) -> int:
        """The points of the evening; 0 for who has none yet."""
        if self.whole is not None:
            return self.whole
        return sum(played.score for played in self.rounds)

    @property
    def all_pits(self) -> int:
        """The pits of the rounds and those known for the whole evening."""
        return self.pits + sum(played.pits for played in self.rounds)

    @property
    def all_roem(self) -> int:
        """The roem of the rounds and what is known for the whole evening."""
        return self.roem + sum(played.roem for played in self.rounds)

    @property
    def nats(self) -> int:
        """How often his side went nat."""
        return sum(played.nats for played in self.rounds)

    @property
    def best_round(self) -> int | None:
        """The highest round he played; `None` where no round is known."""
        return max((one.score for one in self.rounds if one.played), default=None)
