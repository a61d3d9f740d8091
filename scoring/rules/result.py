"""What a deal comes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from scoring.rules.counting import Pair
from scoring.rules.deal import Deal
from scoring.rules.faults import Fault
from scoring.rules.messages import Language, fault_json
from scoring.rules.regulation import Regulation
from scoring.rules.seats import SEATS, Seat, Side
from scoring.rules.tricks import Played
from scoring.rules.unlikely import unlikely

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

Share = tuple[int, int, int, int]
"""What a side gets: the points of cards, what comes on top for reneging, roem, a bonus."""

TermKind = Literal["points", "roem", "pit", "shutout", "nil"]

_BONUS: Final[Mapping[Verdict, TermKind]] = {"pit": "pit", "counter_pit": "pit", "nil_made": "nil"}


class Term(NamedTuple):
    """One thing a side's score is made of: `points` of cards, `roem`, or a bonus."""

    kind: TermKind
    points: int


@dataclass(slots=True)
class DealResult:
    """A deal worked out under a regulation.

    `taken` (None where nobody counted or the deal does not stand) and `announced` are the card
    points and the roem of NS and of EW before nat; `shares` is what each then gets. Everything that
    follows from these is worked out when it is asked for.
    """

    verdict: Verdict
    nat: bool
    pit: Side | None
    taken: Pair | None
    announced: Pair
    shares: tuple[Share, Share]
    deal: Deal
    regulation: Regulation
    played: Played | None = None

    @property
    def points(self) -> dict[Side, int | None]:
        """The card points each side took; None where nobody counted or the deal does not stand."""
        ns, ew = self.taken or (None, None)
        return {"NS": ns, "EW": ew}

    @property
    def roem(self) -> dict[Side, int]:
        """The roem each side made."""
        return {"NS": self.announced[0], "EW": self.announced[1]}

    @property
    def score(self) -> dict[Side, int]:
        """What goes on the sheet per side: its share and the director's corrections."""
        score: dict[Side, int] = {"NS": sum(self.shares[0]), "EW": sum(self.shares[1])}
        for correction in self.deal.corrections:
            if correction.side:
                score[correction.side] += correction.points
        return score

    @property
    def players(self) -> dict[Seat, int]:
        """What everyone who sits at the table gets: his side's score, fines and corrections."""
        return self._players_of(self.score)

    @property
    def terms(self) -> dict[Side, tuple[Term, ...]]:
        """What makes up the score of each side before corrections, by name; nothing of 0."""
        kinds: tuple[TermKind, ...] = "points", "roem", "roem", _BONUS.get(self.verdict, "shutout")
        ns, ew = (
            tuple(Term(kind, points) for kind, points in zip(kinds, share, strict=True) if points)
            for share in self.shares
        )
        return {"NS": ns, "EW": ew}

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """What is legal but unlikely, and every card that was not allowed."""
        doubts = unlikely(self.deal, self.points, self.roem)
        if self.played is None:
            return tuple(doubts)
        # The cards leave no doubt about what was counted.
        doubts = [fault for fault in doubts if fault.root not in ("points", "roem", "pit")]
        return (*doubts, *self.played.warnings())

    def as_json(self, language: Language = "en") -> dict[str, object]:
        """The answer as the contract writes it; `warnings` only where there are any."""
        score = self.score
        answer: dict[str, object] = {
            "valid": True,
            "nat": self.nat,
            "pit": self.pit,
            "points": self.points,
            "roem": self.roem,
            "score": score,
            "players": self._players_of(score),
        }
        if warnings := self.warnings:
            answer["warnings"] = [fault_json(fault, language) for fault in warnings]
        return answer if self.played is None else answer | self.played.as_json()

    def _players_of(self, score: Mapping[Side, int]) -> dict[Seat, int]:
        deal = self.deal
        ns, ew = score["NS"], score["EW"]
        players: dict[Seat, int] = {"N": ns, "E": ew, "S": ns, "W": ew}
        if len(deal.seats) < 4:
            players = {seat: players[seat] for seat in SEATS if seat in deal.seats}
        culprit = deal.fined_seat(self.regulation)
        if culprit in players:
            players[culprit] -= self.regulation.reneging_fine
        for correction in deal.corrections:
            if correction.seat:
                players[correction.seat] += correction.points
        return players
