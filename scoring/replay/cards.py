"""A deal that is laid down again card by card, and what can be written of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from scoring import rules
from scoring.rules import SEATS, Seat, Side

PACK = 32
KEPT = ("dealer", "seats", "corrections")
"""What a line may say beside its cards and whoever lays the deal down keeps."""
BESIDE = (*KEPT, "reneged", "accused_wrongly_by", "replayed", "replays")
COUNTED = ("points", "roem", "pit", "nat")

MARKS = {"reneged": "reneged", "accused": "accused_wrongly_by"}

RulingKind = Literal["as_played", "reneged", "accused"]


@dataclass(frozen=True)
class LaidDeal:
    """None to 32 cards in the order in which they fell, and what they are judged by.

    `announced` says of each complete trick how much of its roem was announced: all of it (True),
    or so many points.
    """

    trump: rules.Trump
    leader: Seat
    cards: tuple[str, ...]
    regulation: rules.Regulation
    declarer: Seat | Side | None = None
    announced: tuple[bool | int, ...] = ()

    @classmethod
    def of_record(cls, record: Mapping[str, Any], regulation: rules.Regulation) -> Self:
        """The deal that was kept with an entry."""
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
        """Who played each card."""
        seats: list[Seat] = []
        for trick in self.trace.tricks:
            seats += _clockwise(trick.leader, 4)
        leader = self.trace.tricks[-1].winner if self.trace.tricks else self.leader
        return (*seats, *_clockwise(leader, len(self.trace.open)))

    def parts(self, place: int) -> tuple[int, ...]:
        """What can have been announced of the roem of the complete trick at `place` (from 0), short
        of all of it and of nothing."""
        return rules.announceable(self.trace.tricks[place], self.regulation)[1:-1]

    def roem(self, place: int) -> int:
        """What counts of the roem of the complete trick at `place`: all where what was announced
        is not in it."""
        trick = self.trace.tricks[place]
        announced = self.announced[place] if place < len(self.announced) else True
        is_part = announced is not True and announced in rules.announceable(trick, self.regulation)
        return int(announced) if is_part else trick.roem

    def roem_by_side(self) -> dict[Side, list[int]]:
        """The roem of each side that made any, trick by trick."""
        made: dict[Side, list[int]] = {}
        for place, trick in enumerate(self.trace.tricks):
            if roem := self.roem(place):
                made.setdefault(rules.side_of(trick.winner), []).append(roem)
        return made

    def points(self, place: int) -> int:
        """The card points of the complete trick at `place`, with the 10 for the last one."""
        return self.trace.tricks[place].points + (10 if place == 7 else 0)

    def record(self) -> dict[str, object]:
        """What is kept with the entry: the contract's deal card by card, as far as it was laid."""
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
    """One of the things a director may decide: about whom, where it is about one of the four."""

    kind: RulingKind
    seat: Seat | None = None

    @property
    def key(self) -> str:
        """Names the ruling in a form: `as_played`, `reneged:W`."""
        return f"{self.kind}:{self.seat}" if self.seat else self.kind

    def line(self, laid: LaidDeal, before: Mapping[str, Any]) -> dict[str, object]:
        """What is written for it. `before` is the line as it stands, empty where none does: its
        corrections stay, and where cards are missing its points are what the deal is worth, or
        without a line the roem of the tricks that lie there.

        Raises InvalidDeal where the cards contradict what else is known of the deal.
        """
        mark = {} if self.kind == "as_played" else {MARKS[self.kind]: self.seat}
        kept = {key: before[key] for key in KEPT if key in before}
        if laid.is_complete:
            return line_of_record(laid.record(), {**kept, **mark}, laid.regulation)
        counted = before or {"roem": laid.roem_by_side()}
        stood = {key: counted[key] for key in COUNTED if key in counted}
        return {"declarer": laid.declarer, "trump": laid.trump, **stood, **kept, **mark}


def line_of_record(
    record: Mapping[str, Any], beside: Mapping[str, Any], regulation: rules.Regulation
) -> dict[str, object]:
    """The line of all 32 cards, with what `beside` says that cards do not: who reneged, who dealt,
    corrections. Raises InvalidDeal."""
    extra = {key: beside[key] for key in BESIDE if beside.get(key)}
    return rules.sheet_line(rules.evaluate({**record, **extra}, regulation))


def rulings(laid: LaidDeal) -> list[Ruling]:
    """What can be decided of a laid deal.

    Who played a card that was not allowed may be found to have reneged, a deal that lies there
    whole may be written as it was played, and each of the four may have accused without proof.
    """
    culprits = dict.fromkeys(renege.seat for renege in laid.trace.reneges)
    as_played = [Ruling("as_played")] if laid.is_complete else []
    unproved = [Ruling("accused", seat) for seat in SEATS]
    return [*(Ruling("reneged", seat) for seat in culprits), *as_played, *unproved]


def _clockwise(first: Seat, count: int) -> Sequence[Seat]:
    start = SEATS.index(first)
    return [SEATS[(start + turn) % 4] for turn in range(count)]
