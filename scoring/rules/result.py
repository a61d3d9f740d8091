"""What a deal comes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scoring.rules.deal import Deal
from scoring.rules.faults import Fault
from scoring.rules.messages import Language, fault_json
from scoring.rules.regulation import Regulation
from scoring.rules.seats import Seat, Side
from scoring.rules.tricks import Played

Verdict = Literal[
    "void",
    "reneged",
    "unproven",
    "nil_made",
    "nil_failed",
    "counter_pit",
    "pit",
    "nat",
    "made",
    "failed",
]
"""What decided the deal; `failed` is not enough points where nat is not played."""

TermKind = Literal["points", "roem", "pit", "shutout", "nil"]


class Term(NamedTuple):
    """One thing a side's score is made of: `points` of cards, `roem`, or a bonus."""

    kind: TermKind
    points: int


Terms = Mapping[Side, tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal worked out under a regulation.

    `points` (None where nobody counted or the deal does not stand) and `roem` are what each side
    took, before nat; `score` is what goes on the sheet per side; `players` adds fines and
    corrections for everyone who sat at the table. `terms` add up to the score before corrections.
    `played` is there for a deal card by card.
    """

    nat: bool
    pit: Side | None
    points: Mapping[Side, int | None]
    roem: Mapping[Side, int]
    score: Mapping[Side, int]
    players: Mapping[Seat, int]
    warnings: tuple[Fault, ...]
    verdict: Verdict
    terms: Terms
    deal: Deal
    regulation: Regulation
    played: Played | None = None

    def as_json(self, language: Language = "en") -> dict[str, object]:
        """The answer as the contract writes it; `warnings` only where there are any."""
        answer: dict[str, object] = {
            "valid": True,
            "nat": self.nat,
            "pit": self.pit,
            "points": dict(self.points),
            "roem": dict(self.roem),
            "score": dict(self.score),
            "players": dict(self.players),
        }
        if self.played:
            answer |= self.played.as_json()
        if self.warnings:
            answer["warnings"] = [fault_json(fault, language) for fault in self.warnings]
        return answer
