"""The standing of one evening."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.ranking.order import name_order, shared_places


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a player took home from one round, in points with the roem and bonuses in them.

    `roem` is the part of it that is roem; `pits` counts pits and tegenpits of his side, `nats`
    the deals in which his side went nat.
    """

    round: int
    score: int
    pits: int = 0
    roem: int = 0
    nats: int = 0


@dataclass(frozen=True, slots=True)
class EveningEntry:
    """A player's evening: round by round, or only as a whole.

    Where `whole` is given it is the total; `pits` are those known for the whole evening and come
    on top of those of the rounds.
    """

    player_id: str
    name: str
    rounds: Sequence[RoundScore] = ()
    whole: int | None = None
    pits: int = 0

    @property
    def total(self) -> int:
        """The points of the evening; 0 for who has none yet."""
        if self.whole is not None:
            return self.whole
        return sum(played.score for played in self.rounds)


@dataclass(frozen=True, slots=True)
class EveningRow:
    """A line of the standing. `rounds` gives the points by round number."""

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int


def rank_evening(entries: Iterable[EveningEntry]) -> tuple[EveningRow, ...]:
    """The standing, highest total first; equal totals share a place and stand by name."""
    ordered = sorted(entries, key=lambda entry: (-entry.total, name_order(entry)))
    equals = (list(group) for _, group in groupby(ordered, key=lambda entry: entry.total))
    return tuple(_row(place, entry) for place, group in shared_places(equals) for entry in group)


def _row(place: int, entry: EveningEntry) -> EveningRow:
    rounds: Counter[int] = Counter()
    for played in entry.rounds:
        rounds[played.round] += played.score
    return EveningRow(
        rank=place,
        player_id=entry.player_id,
        name=entry.name,
        total=entry.total,
        rounds=dict(sorted(rounds.items())),
        pits=entry.pits + sum(played.pits for played in entry.rounds),
    )
