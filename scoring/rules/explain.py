"""Says in words what a deal comes to and why, as a person at the table would."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from scoring.rules.deal import SIDES, Correction, Seat, Side, needed_bid, other_side, strengths
from scoring.rules.score import DealResult, Term
from scoring.rules.texts import Language, english, seat_names, translate_all

_TERMS: Final[Mapping[str, str]] = {"roem": english("roem"), "shutout": english("extra")}
_PHRASES: Final[Mapping[str, str]] = {
    "made": english("{score}: made"),
    "made_bid": english("{score}: bid {bid}, made"),
    "made_bid_on_points": english("{score}: bid {bid}, made on card points"),
    "failed_bid": english("{score}: bid {bid}, not made, each side keeps its points"),
    "made_on_points": english("{score}: made on card points"),
    "failed": english("{score}: not made, each side keeps its points"),
    "nat": english("{taken}: nat"),
    "nat_bid": english("{taken}: bid {bid}, so nat"),
    "nat_bid_on_points": english("{taken}: bid {bid}, so nat on card points"),
    "nat_on_points": english("{taken}: nat on card points"),
    "equal": english("{taken}: equal, so nat"),
    "equal_on_points": english("{taken}: card points equal, so nat"),
    "nat_uncounted": english("nat without counting"),
    "roem_lost": english("{score}; the declarers’ roem is lost"),
    "pit": english("{pit}: {score}"),
    "counter_pit": english("counter-{pit}: {score}"),
    "nil_made": english("nil made: {score}"),
    "nil_failed": english("nil not made: {score}"),
    "void": english("this deal is played again and does not count"),
    "void_reneged": english("{seat} reneged: this deal is played again and does not count"),
    "reneged": english("{seat} reneged: {score}"),
    "unproven": english("{seat} could not prove that anybody reneged: {score}"),
    "reneged_unpunished": english("{seat} reneged: no penalty"),
    "unproven_unpunished": english("{seat} could not prove that anybody reneged: no penalty"),
    "fined": english("{seat} reneged: −{points} for {seat} alone"),
    "correction": english("{who}: correction {points}"),
    "correction_because": english("{who}: correction {points} ({reason})"),
    "written": english("on the sheet: {score}"),
}
_SIDE_CODES: Final[Mapping[Side, str]] = {"NS": "NS", "EW": "EW"}


@cache
def phrases(language: Language) -> Mapping[str, str]:
    """The sentences of an explanation, by their keys."""
    return translate_all(_PHRASES, language)


@cache
def term_words(language: Language) -> Mapping[str, str]:
    """What is said behind the points of each term; pit has the club's own word."""
    return {"points": "", "nil": "", **translate_all(_TERMS, language)}


def explain(
    result: DealResult,
    language: Language = "en",
    labels: Mapping[Side, str] = _SIDE_CODES,
    *,
    seats: Mapping[Seat, str] | None = None,
    pit: str = "pit",
) -> tuple[str, ...]:
    """The lines a person would say: what was taken and decided, then fines and corrections.

    `labels` are the names of the sides, such as wij and zij, `seats` those of the people (default
    North, East …), `pit` the club's word for it. The declarers come first; in a deal that one side
    gets as a whole, that side.
    """
    speaker = _Speaker(result, language, labels, seats or seat_names(language), pit)
    lines = (*speaker.deal(), *speaker.accusations(), *speaker.corrections())
    return tuple(line[:1].upper() + line[1:] for line in lines)


@dataclass(frozen=True, slots=True)
class _Speaker:
    result: DealResult
    language: Language
    labels: Mapping[Side, str]
    seats: Mapping[Seat, str] | Mapping[str, str]
    pit: str

    def deal(self) -> list[str]:
        verdict, deal = self.result.verdict, self.result.deal
        if verdict == "void":
            return [self.accused("void_reneged", deal.reneged) or self.say("void")]
        if verdict == "nat":
            return self.nat()
        if verdict in ("made", "failed"):
            score = self.score(deal.declarers)
            phrase = self.with_bid(verdict)
            phrase = self.on_points(phrase) if verdict == "made" else phrase
            return [self.say(phrase, score=score, bid=deal.bid)]
        winner = max(SIDES, key=lambda side: sum(term.points for term in self.result.terms[side]))
        culprit = deal.accused_wrongly_by if verdict == "unproven" else deal.reneged
        words = {"score": self.score(winner), "seat": culprit and self.seat(culprit)}
        return [self.say(verdict, **words)]

    def nat(self) -> list[str]:
        """What was taken, where that was counted, and what is written for it."""
        result, declarers = self.result, self.result.deal.declarers
        score = self.score(other_side(declarers))
        if result.regulation.nat_roem == "lost" and result.roem[declarers]:
            score = self.say("roem_lost", score=score)
        return [self.why_nat(), score]

    def why_nat(self) -> str:
        result = self.result
        if result.taken is None:
            return self.say("nat_uncounted")
        ns, ew = strengths(result.taken, result.announced, result.regulation)
        ours, theirs = (ns, ew) if result.deal.declarers == "NS" else (ew, ns)
        phrase = self.with_bid("nat") if ours > theirs else "equal" if ns == ew else "nat"
        return self.say(self.on_points(phrase), taken=self.taken(), bid=result.deal.bid)

    def with_bid(self, phrase: str) -> str:
        """The phrase that names the bid, where one was written."""
        deal, regulation = self.result.deal, self.result.regulation
        return f"{phrase}_bid" if needed_bid(deal, regulation) else phrase

    def on_points(self, phrase: str) -> str:
        """The phrase that says so where there is roem and card points alone decided."""
        regulation = self.result.regulation
        alone = regulation.nat and not regulation.nat_counts_roem
        return f"{phrase}_on_points" if alone and any(self.result.roem.values()) else phrase

    def accusations(self) -> list[str]:
        """What reneging, or an accusation, cost in a deal that was not lost by it."""
        result, deal, regulation = self.result, self.result.deal, self.result.regulation
        if result.verdict == "void":
            return []
        lines = []
        if deal.fined_seat(regulation):
            lines.append(self.accused("fined", deal.reneged, points=regulation.reneging_fine))
        if regulation.reneging == "none":
            lines.append(self.accused("reneged_unpunished", deal.reneged))
        if regulation.unproven_reneging == "none":
            lines.append(self.accused("unproven_unpunished", deal.accused_wrongly_by))
        return [line for line in lines if line]

    def corrections(self) -> list[str]:
        corrections = self.result.deal.corrections
        lines = [self.correction(correction) for correction in corrections]
        if any(correction.side for correction in corrections):
            scores = self.result.score.items()
            written = ", ".join(f"{self.labels[side]} {_minus(score)}" for side, score in scores)
            lines.append(self.say("written", score=written))
        return lines

    def correction(self, correction: Correction) -> str:
        seat, side = correction.seat, correction.side
        who = self.seat(seat) if seat else side and self.labels[side]
        phrase = "correction_because" if correction.reason else "correction"
        sign = "+" if correction.points >= 0 else ""
        points = f"{sign}{_minus(correction.points)}"
        return self.say(phrase, who=who, points=points, reason=correction.reason)

    def score(self, first: Side) -> str:
        """What both sides get: NS 162 + 20 roem + 100 pit = 282, EW 0."""
        terms = self.result.terms
        return ", ".join(self.sum(side, terms[side]) for side in (first, other_side(first)))

    def taken(self) -> str:
        """What both sides took before nat, the declarers first."""
        declarers = self.result.deal.declarers
        points, roem = self.result.points, self.result.roem
        return ", ".join(
            self.sum(side, (Term("points", points[side] or 0), Term("roem", roem[side])))
            for side in (declarers, other_side(declarers))
        )

    def sum(self, side: Side, terms: Iterable[Term]) -> str:
        """A side and what it has: NS 97 + 70 roem = 167."""
        words = {**term_words(self.language), "pit": self.pit}
        some = [term for term in terms if term.points]
        written = " + ".join(f"{term.points} {words[term.kind]}".strip() for term in some)
        if len(some) > 1:
            written += f" = {sum(term.points for term in some)}"
        return f"{self.labels[side]} {written or 0}"

    def accused(self, phrase: str, seat: Seat | None, **words: object) -> str:
        """The phrase about a seat; empty where there is nobody to say it of."""
        return self.say(phrase, seat=self.seat(seat), **words) if seat else ""

    def seat(self, seat: Seat) -> str:
        return self.seats[seat]

    def say(self, phrase: str, **words: object) -> str:
        return phrases(self.language)[phrase].format_map({"pit": self.pit, **words})


def _minus(points: int) -> str:
    return str(points).replace("-", "−")
