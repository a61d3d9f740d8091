"""The standing of one evening."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.ranking.order import name_order, shared_places
from tournaments.ranking.rule import TieBreak


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a player took home from one round, in points with the roem and bonuses in them.

    `roem` is the part of it that is roem; `pits` counts pits and tegenpits of his side, `nats`
    the deals in which his side went nat. `played` is false where the points are what the club
    gives for sitting out or missing a round: such a round is nobody's best one.
    """

    round: int
    score: int
    pits: int = 0
    roem: int = 0
    nats: int = 0
    played: bool = True


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

    @property
    def all_pits(self) -> int:
        """The pits of the rounds and those known for the whole evening."""
        return self.pits + sum(played.pits for played in self.rounds)


@dataclass(frozen=True, slots=True)
class EveningRow:
    """A line of the standing. `rounds` gives the points by round number."""

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int


MEASURES: Mapping[TieBreak, Callable[[EveningEntry], int]] = {
    "pits": lambda entry: entry.all_pits,
    "best_round": lambda entry: max((one.score for one in entry.rounds if one.played), default=0),
    "fewest_nats": lambda entry: -sum(played.nats for played in entry.rounds),
}
"""For each tie-break that an evening can have its figure, the higher the better."""


def rank_evening(
    entries: Iterable[EveningEntry],
    *,
    tie_breaks: Sequence[TieBreak] = (),
    play_off: Mapping[str, int] | None = None,
) -> tuple[EveningRow, ...]:
    """The standing, highest total first; equal totals share a place and stand by name.

    Of equal totals the `tie_breaks` decide, in their order. `play_off` has what people scored in
    extra deals for the first place, by player; it decides only when everybody who shares the
    highest total is in it.
    """
    everybody = list(entries)
    extra = _first_place(everybody, play_off or {})

    def standing(entry: EveningEntry) -> tuple[int, ...]:
        broken = (MEASURES[name](entry) for name in tie_breaks)
        return (-entry.total, -extra.get(entry.player_id, 0), *(-figure for figure in broken))

    ordered = sorted(everybody, key=lambda entry: (standing(entry), name_order(entry)))
    equals = (list(group) for _, group in groupby(ordered, key=standing))
    return tuple(_row(place, entry) for place, group in shared_places(equals) for entry in group)


def _first_place(entries: Sequence[EveningEntry], play_off: Mapping[str, int]) -> dict[str, int]:
    """The extra points of those who share the highest total; nobody's when one has none."""
    highest = max((entry.total for entry in entries), default=0)
    first = [entry.player_id for entry in entries if entry.total == highest]
    return {who: play_off[who] for who in first} if play_off.keys() >= set(first) else {}


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
        pits=entry.all_pits,
    )
