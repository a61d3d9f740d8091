"""A deal replayed card by card, and the rulings that can be written for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from scoring import rules
from scoring.rules import SEATS, Seat, Side

PACK = 32
UNCHANGED = ("dealer", "seats", "corrections", "bid")
"""Keys of a line that a replay leaves as they are."""
NOT_IN_CARDS = (*UNCHANGED, "reneged", "accused_wrongly_by", "replayed", "replays")
COUNTED = ("points", "roem", "pit", "nat")

MARKS = {"reneged": "reneged", "accused": "accused_wrongly_by"}

RulingKind = Literal["as_played", "reneged", "accused"]


@dataclass(frozen=True)
class DealReplay:
    """Up to 32 cards in the order of play, and what they are judged by.

    `announced` has for each complete trick how much of its roem was announced: all of it (True) or
    a number of points.
    """

    trump: rules.Trump
    leader: Seat
    cards: tuple[str, ...]
    regulation: rules.RuleSet
    declarer: Seat | Side | None = None
    announced: tuple[bool | int, ...] = ()

    @classmethod
    def of_record(cls, record: Mapping[str, Any], regulation: rules.RuleSet) -> Self:
        """The replay stored with an entry."""
        return cls(
            trump=record["trump"],
            leader=record["leader"],
            cards=tuple(record["cards"]),
            regulation=regulation,
            declarer=record["declarer"],
            announced=tuple(record.get("announced", ())),
        )

    @cached_property
    def trace(self) -> rules.Trace:
        return rules.trace(self.cards, self.leader, self.trump, self.regulation)

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == PACK

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seat that played each card."""
        seats: list[Seat] = []
        for trick in self.trace.tricks:
            seats += _clockwise(trick.leader, 4)
        leader = self.trace.tricks[-1].winner if self.trace.tricks else self.leader
        return (*seats, *_clockwise(leader, len(self.trace.open)))

    def parts(self, place: int) -> tuple[int, ...]:
        """The parts of its roem that can have been announced in the complete trick at `place` (from
        0), without all and nothing."""
        return rules.announceable(self.trace.tricks[place], self.regulation)[1:-1]

    def roem(self, place: int) -> int:
        """The roem that counts in the complete trick at `place`: what was announced, or all of it
        where the trick does not contain that."""
        trick = self.trace.tricks[place]
        announced = self.announced[place] if place < len(self.announced) else True
        is_part = announced is not True and announced in rules.announceable(trick, self.regulation)
        return int(announced) if is_part else trick.roem

    def roem_by_side(self) -> dict[Side, list[int]]:
        """The roem of each side that has any, trick by trick."""
        made: dict[Side, list[int]] = {}
        for place, trick in enumerate(self.trace.tricks):
            for side, roem in rules.roem_announced(trick, self.roem(place), self.regulation):
                made.setdefault(side, []).append(roem)
        return made

    def points(self, place: int) -> int:
        """The card points of the complete trick at `place`, with the 10 for the last one."""
        return self.trace.tricks[place].points + (10 if place == 7 else 0)

    def record(self) -> dict[str, object]:
        """What is stored with the entry: the contract's deal card by card, as far as it goes."""
        record: dict[str, object] = {
            "declarer": self.declarer,
            "trump": self.trump,
            "leader": self.leader,
            "cards": list(self.cards),
        }
        counted = [self.roem(place) for place in range(len(self.trace.tricks))]
        whole = [trick.roem for trick in self.trace.tricks]
        if counted != whole:
            record["announced"] = [c == w or c for c, w in zip(counted, whole, strict=True)]
        return record


@dataclass(frozen=True, slots=True)
class Ruling:
    """One of the things a director may decide, with the seat where it is about one person."""

    kind: RulingKind
    seat: Seat | None = None

    @property
    def key(self) -> str:
        """The ruling as the value of a form field: `as_played`, `reneged:W`."""
        return f"{self.kind}:{self.seat}" if self.seat else self.kind

    def line(self, replay: DealReplay, before: Mapping[str, Any]) -> dict[str, object]:
        """The line that is written for it. `before` is the line as it stands, or empty: its
        corrections stay. Where cards are missing its points count, or without a line the roem of
        the tricks so far.

        Raises InvalidDeal where the cards contradict the rest of the line.
        """
        mark = {} if self.kind == "as_played" else {MARKS[self.kind]: self.seat}
        unchanged = {key: before[key] for key in UNCHANGED if key in before}
        if replay.is_complete:
            return line_of_record(replay.record(), {**unchanged, **mark}, replay.regulation)
        counted = before or {"roem": replay.roem_by_side()}
        stood = {key: counted[key] for key in COUNTED if key in counted}
        return {"declarer": replay.declarer, "trump": replay.trump, **stood, **unchanged, **mark}


def line_of_record(
    record: Mapping[str, Any], beside: Mapping[str, Any], regulation: rules.RuleSet
) -> dict[str, object]:
    """The line for all 32 cards, with what the cards do not show taken from `beside`: who reneged,
    who dealt, corrections. Raises InvalidDeal."""
    extra = {key: beside[key] for key in NOT_IN_CARDS if beside.get(key)}
    return rules.sheet_line(rules.evaluate({**record, **extra}, regulation))


def rulings(replay: DealReplay) -> list[Ruling]:
    """The rulings that are possible for a replay.

    Whoever played an illegal card may have reneged, a complete deal may be written as it was
    played, and each of the four may have accused without proof.
    """
    culprits = dict.fromkeys(renege.seat for renege in replay.trace.reneges)
    as_played = [Ruling("as_played")] if replay.is_complete else []
    unproved = [Ruling("accused", seat) for seat in SEATS]
    return [*(Ruling("reneged", seat) for seat in culprits), *as_played, *unproved]


def _clockwise(first: Seat, count: int) -> Sequence[Seat]:
    start = SEATS.index(first)
    return [SEATS[(start + turn) % 4] for turn in range(count)]
