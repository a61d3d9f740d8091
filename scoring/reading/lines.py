"""The likeliest deal for what was read in the boxes of one line.

Every line that the rules allow is weighed by how likely the boxes look so if somebody wrote it; and
against all of them, that somebody wrote what cannot be.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring import rules
from scoring.reading.digits import BLANK, SIGNS
from scoring.rules import NO_TRUMP_DEAL_POINTS, SIDES, THREE, TRUMP_DEAL_POINTS, RuleSet, Side

Chances = NDArray[np.float64]
"""The boxes of a number from left to right, with the probability of each sign and of none."""
Line = dict[str, Any]
Sums = tuple[int, ...]
"""What both sides have, or each of three people."""
Weights = NDArray[np.float64]
"""Logarithms of likelihoods, one for each number from 0 on."""

SURE: Final = 0.99
"""A line that is less likely than this is shown to somebody."""
SLIP: Final = log(1e-3)
"""How likely one certain slip of the pen is beside one certain line: points that do not add up,
roem that nobody can have."""
REFUSED: Final = log(0.02)
"""How likely a line is that the rules refuse, ticks and all."""
UNLIKE: Final = 2.0
"""A line this much less likely than what is written, whatever the rules say, denies it."""
SPOILED_FROM: Final = 0.2
"""How likely it is that a sign was crossed out from which on its deal is shown."""
SPOILED_SEVEN: Final = 0.8
"""The same for a 7, whose bar looks like it."""
MOST_CHOICES: Final = 5
"""How many lines are offered; the totals choose among more."""
MOST_WEIGHED: Final = 12

DASH, SPOILED = SIGNS.index("-"), SIGNS.index("?")
NEVER: Final = 1e-9
_ROEM_CHANCES: Final = {0: 0.62, 20: 0.2, 40: 0.03, 50: 0.06, 70: 0.02, 100: 0.02}
_OTHER_ROEM, _MUCH_ROEM = 0.004, 0.0004
"""How likely another sum is of at most four announcements, and of more."""
TRICKS: Final = 8
MOST_READINGS: Final = 200
"""How many ways to announce the roem of both sides are tried."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """What was seen in the boxes of one deal: digits, and of each box to tick how likely it is that
    somebody did."""

    points: Mapping[Side, Chances]
    roem: Mapping[Side, Chances]
    declarer: Mapping[str, float]
    trump: Mapping[str, float]
    nat: float
    pit: float
    other: float
    blotted: bool = False


@dataclass(slots=True)
class Choice:
    """A line that can be, how likely it is beside the others, and what it comes to: for each side,
    or for each of three people. It `fits` when it denies nothing that is clearly written."""

    line: Line | None
    chance: float
    score: Sums
    fits: bool = True


@dataclass(slots=True)
class Deal:
    """The likeliest line of a deal. It is `sure` when nobody has to look at it; `doubts` say in a
    word each why somebody should. `lost` is how likely it is that none of the choices was
    written."""

    line: Line | None
    sure: bool
    doubts: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    lost: float = 0.0


def read_deal(boxes: Boxes, regulation: RuleSet, *, three: bool = False) -> Deal:
    """What was written of one deal."""
    if _is_blank(boxes):
        none = (0,) * len(THREE if three else SIDES)
        return Deal(None, sure=True, choices=[Choice(None, 1.0, none)])
    doubts = list(_seen_doubts(boxes))
    found: list[tuple[float, Line, Sums, bool]] = []
    parts = _Parts(boxes, regulation)
    lost = [parts.slip]
    for weight, line, fits in parts.lines():
        if found and weight < found[0][0] - 14:
            break
        score = _score_of(line, regulation, three=three)
        if score is None:
            # Of those less likely than a line that is allowed, a tick or a digit was misread.
            lost += [] if found else [weight + REFUSED]
        elif not any(_alike(line, other) for _weight, other, _score, _fits in found):
            found.append((weight, line, score, fits))
        if len(found) >= MOST_WEIGHED:
            break
    if not found:
        return Deal(None, sure=False, doubts=[*doubts, "no_line_fits"], lost=1.0)
    whole = float(np.logaddexp.reduce([weight for weight, *_rest in found] + lost))
    choices = [
        Choice(line, exp(weight - whole), score, fits=fits) for weight, line, score, fits in found
    ]
    deal = Deal(None, sure=False, doubts=doubts, choices=choices)
    deal.lost = max(0.0, 1 - sum(choice.chance for choice in choices))
    decide(deal)
    return deal


def decide(deal: Deal) -> None:
    """Take the likeliest of the choices, and say whether somebody must look at it."""
    chosen = deal.choices[0]
    doubts = [doubt for doubt in deal.doubts if doubt not in ("unclear", "does_not_add_up")]
    if chosen.chance < SURE:
        doubts.append("unclear" if chosen.fits else "does_not_add_up")
    deal.line, deal.doubts, deal.sure = chosen.line, doubts, not doubts


# Numbers in boxes.


@lru_cache(maxsize=4)
def _ways(count: int) -> tuple[NDArray[np.intp], Weights, NDArray[np.intp]]:
    """How each number that goes into so many boxes may be written, with what is in each box and how
    usual that is: to the right, further to the left, or with zeros before it; and where the ways of
    each number begin."""
    signs: list[tuple[int, ...]] = []
    usual: list[float] = []
    starts: list[int] = []
    for number in range(10**count):
        starts.append(len(signs))
        own = tuple(int(sign) for sign in str(number))
        spare = count - len(own)
        for start in range(spare + 1):
            signs.append((BLANK,) * start + own + (BLANK,) * (spare - start))
            at_right = 0.8 if spare else 1.0
            usual.append(at_right if start == spare else 0.16 / spare)
        if spare:
            signs.append((0,) * spare + own)
            usual.append(0.04)
    return np.array(signs), np.log(usual), np.array(starts)


def weights_of(chances: Chances) -> Weights:
    """How likely the boxes look so for each number that somebody may have written in them."""
    signs, usual, starts = _ways(len(chances))
    logs = np.log(np.maximum(chances, NEVER))
    each = usual + logs[np.arange(len(chances)), signs].sum(axis=1)
    return np.asarray(np.logaddexp.reduceat(each, starts))


def _nothing(chances: Chances) -> float:
    """How likely the boxes look so if they were left empty, or got a dash."""
    shares = chances[:, BLANK] + 0.5 * chances[:, DASH]
    return float(np.log(np.maximum(shares, NEVER)).sum())


def _is_blank(boxes: Boxes) -> bool:
    figures = [*boxes.points.values(), *boxes.roem.values()]
    empty = all(float(chances[:, BLANK].min()) > 0.5 for chances in figures)
    ticks = [*boxes.declarer.values(), *boxes.trump.values(), boxes.nat, boxes.pit, boxes.other]
    return empty and not boxes.blotted and max(ticks) < 0.5


def _seen_doubts(boxes: Boxes) -> Iterator[str]:
    figures = [*boxes.points.values(), *boxes.roem.values()]
    if boxes.blotted or any(is_spoiled(box) for chances in figures for box in chances):
        yield "crossed_out"
    if boxes.other > 0.3:
        yield "something_else"
    if sum(boxes.declarer.values()) < 0.7:
        yield "no_declarer"
    if sum(share > 0.3 for share in boxes.declarer.values()) > 1:
        yield "two_declarers"
    if sum(boxes.trump.values()) < 0.7:
        yield "no_trump_suit"
    if sum(share > 0.3 for share in boxes.trump.values()) > 1:
        yield "two_trumps"
    if all(float(chances[:, BLANK].min()) > 0.5 for chances in boxes.points.values()):
        yield "no_points"


def is_spoiled(box: Chances) -> bool:
    """Whether what is in a box looks crossed out."""
    is_seven = int(box[:DASH].argmax()) == 7
    return float(box[SPOILED]) > (SPOILED_SEVEN if is_seven else SPOILED_FROM)


def _alike(line: Line, other: Line) -> bool:
    """Whether two lines differ at most in that nat is ticked, which the points say as well."""
    return {**line, "nat": True} == {**other, "nat": True}


# Lines that can be.

Ranked = list[tuple[float, Any]]


class _Parts:
    """What each part of a line may be and how likely that is, the likeliest first."""

    def __init__(self, boxes: Boxes, regulation: RuleSet) -> None:
        self.declarers = _one_of(boxes.declarer)[:3]
        self.trumps = _one_of(boxes.trump)[:3]
        self.marks: Ranked = [
            (
                _log(boxes.nat if nat else 1 - boxes.nat)
                + _log(boxes.pit if pit else 1 - boxes.pit),
                (nat, pit),
            )
            for nat in (False, True)
            for pit in (False, True)
        ]
        weights = {side: weights_of(boxes.points[side]) for side in SIDES}
        empty = {side: _nothing(boxes.points[side]) for side in SIDES}
        totals = {_total_of(suit) for _weight, suit in self.trumps}
        self.points = {total: _points_of(weights, empty, total) for total in totals}
        self.roem = [_roem_of(boxes.roem[side], regulation) for side in SIDES]
        # The likeliest points if they need not add up, and if they must not.
        self.free, self.slip_of_points = _unruled(weights, totals)
        allowed = list(_roem_sums(frozenset(regulation.roem_values)))
        self.slip_of_roem = [
            float(np.delete(weights_of(boxes.roem[side]), allowed).max()) + log(0.1)
            for side in SIDES
        ]

    @property
    def slip(self) -> float:
        """How likely it is that points or roem were written that cannot be."""
        ticks = sum(max(part)[0] for part in (self.declarers, self.trumps, self.marks))
        points = max(ranked[0][0] for ranked in self.points.values())
        own, theirs = (ranked[0][0] for ranked in self.roem)
        slips = [
            self.slip_of_points + own + theirs,
            points + self.slip_of_roem[0] + theirs,
            points + own + self.slip_of_roem[1],
        ]
        return SLIP + ticks + float(np.logaddexp.reduce(slips))

    def lines(self) -> Iterator[tuple[float, Line, bool]]:
        """Lines by how likely they are, and whether each denies nothing that is clearly written;
        not all of them are allowed."""
        ranked: list[Any] = []
        for suit in _near(self.trumps):
            total = _total_of(suit[1])
            parts = (self.declarers, [suit], self.marks, self.points[total], *self.roem)
            for chosen in product(*(_near(part) for part in parts)):
                rare = _fits_marks(chosen[3][1], total, pit=chosen[2][1][1])
                ranked.append((sum(part[0] for part in chosen) + rare, *chosen))
        ranked.sort(key=lambda item: -item[0])
        for weight, *parts in ranked[:80]:
            fits = parts[3][0] > self.free - UNLIKE and all(
                part[0] > slip - UNLIKE
                for part, slip in zip(parts[4:], self.slip_of_roem, strict=True)
            )
            yield weight, _line_of([part[1] for part in parts]), fits


def _unruled(weights: Mapping[Side, Weights], totals: Iterable[int]) -> tuple[float, float]:
    """How likely the likeliest points of both sides are, and the likeliest that do not add up."""
    best = {side: np.argsort(-weights[side])[:4] for side in SIDES}
    pairs = [
        (float(weights["NS"][own] + weights["EW"][theirs]) + log(0.8), int(own + theirs))
        for own in best["NS"]
        for theirs in best["EW"]
    ]
    return max(pairs)[0], max(weight for weight, total in pairs if total not in totals)


def _line_of(parts: Sequence[Any]) -> Line:
    declarer, suit, (nat, pit), pair, own, theirs = parts
    line: Line = {
        "declarer": declarer,
        "trump": suit,
        "points": dict(zip(SIDES, pair, strict=True)),
        "roem": dict(zip(SIDES, (own, theirs), strict=True)),
    }
    if nat:
        line["nat"] = True
    if pit:
        line["pit"] = SIDES[0] if pair[0] else SIDES[1]
    return line


def _near(ranked: Ranked) -> Ranked:
    """Those that are not out of the question beside the likeliest."""
    most = max(weight for weight, _what in ranked)
    return [part for part in ranked if part[0] > most - 14]


def _one_of(ticked: Mapping[str, float]) -> Ranked:
    """Who or what is likely to be the one that is ticked."""
    ranked: Ranked = [
        (
            _log(share) + sum(_log(1 - other) for key, other in ticked.items() if key != name),
            name,
        )
        for name, share in ticked.items()
    ]
    return sorted(ranked, key=lambda item: -item[0])


def _total_of(suit: str) -> int:
    return NO_TRUMP_DEAL_POINTS if suit == "NT" else TRUMP_DEAL_POINTS


def _points_of(weights: Mapping[Side, Weights], empty: Mapping[Side, float], total: int) -> Ranked:
    """The points of both sides, of which one may be left out."""
    ns, ew = weights["NS"][: total + 1].copy(), weights["EW"][: total + 1].copy()
    # A side without points may leave its boxes empty too.
    ns[0] = max(ns[0], empty["NS"] + log(0.6))
    ew[0] = max(ew[0], empty["EW"] + log(0.6))
    theirs = ew[::-1]
    both = ns + theirs + log(0.8)
    one = np.maximum(ns + empty["EW"], empty["NS"] + theirs) + log(0.1)
    pairs = np.maximum(both, one)
    likeliest = np.argsort(-pairs)[:10]
    return [(float(pairs[own]), (int(own), total - int(own))) for own in likeliest]


def _fits_marks(pair: tuple[int, int], total: int, *, pit: bool) -> float:
    """All points without pit are rare, and pit without all points is impossible."""
    if pit:
        return 0.0 if total in pair else -50.0
    return log(0.15) if total in pair else 0.0


def _roem_of(chances: Chances, regulation: RuleSet) -> Ranked:
    ranked: Ranked = []
    weights, none = weights_of(chances), _nothing(chances)
    for amount, announcements in _roem_sums(frozenset(regulation.roem_values)).items():
        seen = float(weights[amount])
        if amount == 0:
            seen = float(np.logaddexp(seen + log(0.1), none + log(0.9)))
        other = _OTHER_ROEM if announcements <= 4 else _MUCH_ROEM
        ranked.append((seen + log(_ROEM_CHANCES.get(amount, other)), amount))
    return sorted(ranked, key=lambda item: -item[0])[:6]


@lru_cache(maxsize=32)
def _roem_sums(values: frozenset[int]) -> Mapping[int, int]:
    """What a side's roem can come to in one deal, in three boxes, and of how few announcements."""
    fewest: dict[int, int] = {}
    for count in range(TRICKS + 1):
        for items in combinations_with_replacement(sorted(values - {0}), count):
            if sum(items) < 1000:
                fewest.setdefault(sum(items), count)
    return fewest


def _score_of(line: Line, regulation: RuleSet, *, three: bool) -> Sums | None:
    """What a line comes to, with its roem as announcements from then on; None where the rules do
    not allow it, however it was announced."""
    sums = {side: [amount] if amount else [] for side, amount in line["roem"].items()}
    announced, result = rules.announced_line({**line, "roem": sums}, regulation, three=three)
    if result is None:
        return None
    line["roem"] = announced["roem"]
    if three:
        return tuple(rules.shares_of_three(line["declarer"], result.score).values())
    return tuple(result.score[side] for side in SIDES)


def _log(chance: float) -> float:
    return log(max(chance, NEVER))
