"""What a season's standing is made from."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

Absence = Literal["notice", "none"]


@dataclass(frozen=True, slots=True)
class Encounter:
    """The points of a player and of one opponent in the rounds of an evening that they sat
    against each other; needed only where head to head is to break ties."""

    opponent_id: str
    scored: int
    conceded: int


@dataclass(slots=True)
class EveningResult:
    """What one player took home from one evening, or how he was absent.

    `evening` is the key by which standings and rules name the evening: the `date`, which is also
    the default, or `2026-09-05-2` for the second one that day; keys sort in order of time.
    `boompjes` counts the rounds played, 1 for an evening known only as a whole. `best_round` is
    the highest round and `last_round` the one the evening ended with, `None` where he did not play
    it or rounds are not known. `absence` (with `notice`, or `none`) is
    looked at only where there is no score; with neither, there is nothing to tell yet.

    Never changed; not frozen, because a large season has 12,000 and freezing takes longer than all
    else that is done with them.

    Raises `ValueError` for less than one boompje.
    """

    player_id: str
    name: str
    date: date
    score: int | None
    evening: str = ""
    boompjes: int = 1
    pits: int = 0
    roem: int = 0
    nats: int = 0
    best_round: int | None = None
    last_round: int | None = None
    absence: Absence | None = None
    encounters: tuple[Encounter, ...] = ()

    def __post_init__(self) -> None:
        if self.boompjes < 1:
            raise ValueError(f"an evening has at least one boompje, not {self.boompjes}")
        if not self.evening:
            self.evening = self.date.isoformat()


def points_ahead(encounters: Iterable[Encounter]) -> Counter[str]:
    """By how many points somebody was ahead of each opponent in these encounters."""
    ahead: Counter[str] = Counter()
    for met in encounters:
        ahead[met.opponent_id] += met.scored - met.conceded
    return ahead
