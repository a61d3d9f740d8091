"""The likeliest deals for what was read: what the rules of the game allow, and what adds up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoring import rules
from scoring.reading.digits import BLANK, SIGNS
from scoring.rules import NO_TRUMP_DEAL_POINTS, SIDES, TRUMP_DEAL_POINTS, RuleSet, Side

Chances = NDArray[np.float64]
"""The boxes of a number from left to right, with the probability of each sign and of none."""
Line = dict[str, Any]

SURE: Final = 0.995
"""A line that is less likely than this is shown to somebody."""
BELIEVABLE: Final = log(2e-4)
"""How much less likely than what the boxes say by themselves a line may be."""
CLEAR: Final = 0.9
"""How likely the best sign of a box is from which on a line with another sign there is shown."""
MOST_CHOICES: Final = 5

DASH, SPOILED = SIGNS.index("-"), SIGNS.index("?")
NEVER: Final = 1e-9
_ROEM_CHANCES: Final = {0: 0.62, 20: 0.2, 40: 0.03, 50: 0.06, 70: 0.02, 100: 0.02}


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
    """A line that can be, how likely it is beside the others, and what it comes to. It `fits` when
    it denies nothing that is clearly written."""

    line: Line | None
    chance: float
    score: tuple[int, int] = (0, 0)
    fits: bool = True


@dataclass(slots=True)
class Deal:
    """The likeliest line of a deal. It is `sure` when nobody has to look at it; `doubts` say in a
    word each why somebody should."""

    line: Line | None
    sure: bool
    doubts: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)


@dataclass(slots=True)
class SheetRead:
    """All deals, the totals as they were written, and whether those agree with the deals."""

    deals: list[Deal]
    totals: dict[str, int | None]
    agree: bool | None


def read_deal(boxes: Boxes, regulation: RuleSet, *, three: bool = False) -> Deal:
    """What was written of one deal."""
    if _is_blank(boxes):
        return Deal(None, sure=True, choices=[Choice(None, 1.0)])
    doubts = list(_seen_doubts(boxes))
    found: list[tuple[float, Line, tuple[int, int]]] = []
    for weight, line in _lines(boxes, regulation):
        if found and weight < found[0][0] - 12:
            break
        score = _score_of(line, regulation, three=three)
        if score is not None and not any(_alike(line, other) for _weight, other, _score in found):
            found.append((weight, line, score))
        if len(found) >= MOST_CHOICES:
            break
    if not found:
        return Deal(None, sure=False, doubts=[*doubts, "no_line_fits"])
    whole = sum(exp(weight - found[0][0]) for weight, _line, _score in found)
    choices = [
        Choice(line, exp(weight - found[0][0]) / whole, score, fits=_fits(boxes, line))
        for weight, line, score in found
    ]
    deal = Deal(None, sure=False, doubts=doubts, choices=choices)
    _decide(deal)
    return deal


def _decide(deal: Deal) -> None:
    """Take the likeliest of the choices, and say whether somebody must look at it."""
    chosen = deal.choices[0]
    doubts = [doubt for doubt in deal.doubts if doubt not in ("unclear", "does_not_add_up")]
    if chosen.chance < SURE:
        doubts.append("unclear")
    if not chosen.fits:
        doubts.append("does_not_add_up")
    deal.line, deal.doubts, deal.sure = chosen.line, doubts, not doubts


def read_sheet(
    deals: Sequence[Deal],
    totals: Mapping[str, Chances],
    *,
    three: bool = False,
    is_whole: bool = True,
) -> SheetRead:
    """The deals together, of which the totals choose those that add up; unless these are the deals
    of one page and the totals those of all."""
    written = {who: _number_written(chances) for who, chances in totals.items()}
    is_summed = is_whole and not three
    if is_summed and all(deal.choices for deal in deals):
        _choose_by_totals(deals, [totals[side] for side in SIDES if side in totals])
    sums = _sums(deals) if is_summed else None
    agree = None
    if sums is not None and all(written.get(side) is not None for side in SIDES):
        agree = all(written[side] == total for side, total in zip(SIDES, sums, strict=True))
    return SheetRead(list(deals), written, agree)


def _sums(deals: Sequence[Deal]) -> tuple[int, int] | None:
    if not all(deal.choices for deal in deals):
        return None
    first = [deal.choices[0].score for deal in deals]
    return sum(ns for ns, _ew in first), sum(ew for _ns, ew in first)


def _choose_by_totals(deals: Sequence[Deal], totals: Sequence[Chances]) -> None:
    """Take the lines that come to the totals, where these are legible and others do not."""
    open_deals = [deal for deal in deals if len(deal.choices) > 1]
    if len(totals) < len(SIDES) or not open_deals:
        return
    fixed = [deal.choices[0].score for deal in deals if len(deal.choices) == 1]
    start = (sum(ns for ns, _ew in fixed), sum(ew for _ns, ew in fixed))
    paths: list[tuple[float, tuple[int, int], tuple[int, ...]]] = [(1.0, start, ())]
    for deal in open_deals:
        longer = [
            (chance * choice.chance, (at[0] + choice.score[0], at[1] + choice.score[1]), (*way, n))
            for chance, at, way in paths
            for n, choice in enumerate(deal.choices)
            if choice.chance > 1e-5
        ]
        paths = sorted(longer, reverse=True)[:400]
    weighed = [
        (chance * _total_chance(totals[0], at[0]) * _total_chance(totals[1], at[1]), way)
        for chance, at, way in paths
    ]
    whole = sum(chance for chance, _way in weighed)
    if whole <= 0:
        return
    for place, deal in enumerate(open_deals):
        shares = [0.0] * len(deal.choices)
        for chance, way in weighed:
            shares[way[place]] += chance / whole
        for choice, share in zip(deal.choices, shares, strict=True):
            choice.chance = share
        deal.choices.sort(key=lambda choice: -choice.chance)
        _decide(deal)


def _total_chance(chances: Chances, total: int) -> float:
    """How likely a total is that should stand there; people err in adding up too."""
    return 0.92 * (exp(_written_as(chances, total)) if total >= 0 else 0.0) + 0.08 * 1e-4


# Numbers in boxes.


def _written_as(chances: Chances, number: int | None) -> float:
    """The logarithm of how likely these boxes look so if somebody wrote this number in them; of
    None, if they left them empty."""
    if number is None:
        return log(max(float(np.prod(chances[:, BLANK] + 0.5 * chances[:, DASH])), NEVER))
    digits = str(number)
    count, size = len(chances), len(digits)
    if size > count:
        return log(NEVER)
    ways = 0.0
    for start in range(count - size + 1):
        written = float(np.prod([chances[start + n, int(sign)] for n, sign in enumerate(digits)]))
        around = [chances[n] for n in range(count) if not start <= n < start + size]
        before = around[:start]
        empty = float(np.prod([box[BLANK] for box in around])) if around else 1.0
        share = 0.8 if start == count - size else 0.2 / max(1, count - size)
        ways += share * written * empty
        if before and start == count - size:
            zeros = float(np.prod([box[0] for box in before]))
            ways += 0.04 * written * zeros
    return log(max(ways, NEVER**2))


def _number_written(chances: Chances) -> int | None:
    """The number in these boxes by themselves; None where there is none."""
    signs = [int(np.argmax(box)) for box in chances]
    digits = [SIGNS[sign] for sign in signs if sign < DASH]
    if not digits or SPOILED in signs:
        return None
    return int("".join(digits))


def _is_blank(boxes: Boxes) -> bool:
    figures = [*boxes.points.values(), *boxes.roem.values()]
    empty = all(float(chances[:, BLANK].min()) > 0.5 for chances in figures)
    ticks = [*boxes.declarer.values(), *boxes.trump.values(), boxes.nat, boxes.pit, boxes.other]
    return empty and not boxes.blotted and max(ticks) < 0.5


def _seen_doubts(boxes: Boxes) -> Iterator[str]:
    figures = [*boxes.points.values(), *boxes.roem.values()]
    if boxes.blotted or any(float(chances[:, SPOILED].max()) > 0.3 for chances in figures):
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


def _alike(line: Line, other: Line) -> bool:
    """Whether two lines differ at most in that nat is ticked, which the points say as well."""
    return {**line, "nat": True} == {**other, "nat": True}


def _fits(boxes: Boxes, line: Line) -> bool:
    """Whether the digits look as they do if this is the line, and no clear one is denied."""
    if _likeness(boxes, line) - _plain(boxes) < BELIEVABLE:
        return False
    for side in SIDES:
        points, roem = line["points"][side], sum(line["roem"][side])
        if not _agrees(boxes.points[side], points, or_empty=True):
            return False
        if not _agrees(boxes.roem[side], roem, or_empty=roem == 0):
            return False
    return True


def _agrees(chances: Chances, number: int, *, or_empty: bool) -> bool:
    """Whether the boxes of which the sign is clear have those of some way to write a number."""
    clear = [(place, int(box.argmax())) for place, box in enumerate(chances) if box.max() > CLEAR]
    if or_empty and all(sign in (BLANK, DASH) for _place, sign in clear):
        return True
    ways = _ways(number, len(chances))
    return any(all(way[place] == sign for place, sign in clear) for way in ways)


def _ways(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """How a number may be written in so many boxes: to the right, further to the left, or with
    zeros before it."""
    signs = tuple(int(sign) for sign in str(number))
    spare = count - len(signs)
    for start in range(spare + 1):
        yield (BLANK,) * start + signs + (BLANK,) * (spare - start)
    yield (0,) * spare + signs


def _likeness(boxes: Boxes, line: Line) -> float:
    """How likely the digits look so if this is the line."""
    likeness = 0.0
    for side in SIDES:
        points, roem = line["points"][side], sum(line["roem"][side])
        none = _written_as(boxes.points[side], None)
        likeness += max(_written_as(boxes.points[side], points), none)
        likeness += _written_as(boxes.roem[side], roem or None)
    return likeness


def _plain(boxes: Boxes) -> float:
    """How likely the likeliest reading of each box is, whatever the rules say."""
    figures = [*boxes.points.values(), *boxes.roem.values()]
    return float(sum(np.log(np.maximum(chances.max(axis=1), NEVER)).sum() for chances in figures))


# Lines that can be.

Ranked = list[tuple[float, Any]]


def _lines(boxes: Boxes, regulation: RuleSet) -> Iterator[tuple[float, Line]]:
    """Lines by how likely they are, the likeliest first; not all of them are allowed."""
    declarers = _one_of(boxes.declarer)[:3]
    trumps = _one_of(boxes.trump)[:2]
    marks: Ranked = [
        (weight, (nat, pit))
        for nat in (False, True)
        for pit in (False, True)
        if (
            weight := _log(boxes.nat if nat else 1 - boxes.nat)
            + _log(boxes.pit if pit else 1 - boxes.pit)
        )
        > -9
    ]
    roem = [_roem_of(boxes.roem[side], regulation) for side in SIDES]
    totals = {suit: _total_of(suit) for _weight, suit in trumps}
    points = {total: _points_of(boxes, total) for total in {*totals.values()}}
    ranked: list[Any] = [
        (
            sum(part[0] for part in parts) + _fits_marks(pair[1], totals[suit[1]], pit=mark[1][1]),
            *parts,
        )
        for suit in trumps
        for parts in product(declarers, [suit], marks, points[totals[suit[1]]], *roem)
        for mark, pair in [(parts[2], parts[3])]
    ]
    ranked.sort(key=lambda item: -item[0])
    for weight, *parts in ranked[:60]:
        declarer, suit, (nat, pit), pair, own, theirs = (part[1] for part in parts)
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
        yield weight, line


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


def _points_of(boxes: Boxes, total: int) -> Ranked:
    """The points of both sides, of which one may be left out."""
    ns, ew = ([_written_as(boxes.points[side], n) for n in range(total + 1)] for side in SIDES)
    none = [_written_as(boxes.points[side], None) for side in SIDES]
    zero = [min(0.0, none[place] + log(0.6)) for place in range(2)]
    ranked: Ranked = []
    for own in range(total + 1):
        theirs = total - own
        left, right = ns[own], ew[theirs]
        # A side without points may leave its boxes empty too.
        if own == 0:
            left = max(left, zero[0])
        if theirs == 0:
            right = max(right, zero[1])
        both = left + right + log(0.8)
        one = max(left + none[1], none[0] + right) + log(0.1)
        ranked.append((max(both, one), (own, theirs)))
    return sorted(ranked, key=lambda item: -item[0])[:6]


def _fits_marks(pair: tuple[int, int], total: int, *, pit: bool) -> float:
    """All points without pit are rare, and pit without all points is impossible."""
    if pit:
        return 0.0 if total in pair else -50.0
    return log(0.15) if total in pair else 0.0


def _roem_of(chances: Chances, regulation: RuleSet) -> Ranked:
    ranked: Ranked = []
    for amount in _roem_sums(frozenset(regulation.roem_values)):
        seen = _written_as(chances, amount)
        if amount == 0:
            seen = float(np.logaddexp(seen + log(0.1), _written_as(chances, None) + log(0.9)))
        ranked.append((seen + log(_ROEM_CHANCES.get(amount, 0.004)), amount))
    return sorted(ranked, key=lambda item: -item[0])[:4]


@lru_cache(maxsize=32)
def _roem_sums(values: frozenset[int]) -> tuple[int, ...]:
    """What a side's roem can come to in one deal, in three boxes."""
    most = 4
    sums = {
        sum(items)
        for count in range(most + 1)
        for items in combinations_with_replacement(sorted(values - {0}), count)
    }
    return tuple(sorted(amount for amount in sums if amount < 1000))


@lru_cache(maxsize=256)
def _announcements(amount: int, values: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """The ways to announce roem that comes to this, those of few announcements first."""
    if amount == 0:
        return ((),)
    return tuple(
        items
        for count in range(1, 5)
        for items in combinations_with_replacement(sorted(values - {0}, reverse=True), count)
        if sum(items) == amount
    )


def _score_of(line: Line, regulation: RuleSet, *, three: bool) -> tuple[int, int] | None:
    """What a line comes to, with its roem as announcements from then on; None where the rules do
    not allow it."""
    values = frozenset(regulation.roem_values)
    amounts = line["roem"]
    if any(not isinstance(amount, int) for amount in amounts.values()):
        return None
    for ns in _announcements(amounts["NS"], values)[:6]:
        for ew in _announcements(amounts["EW"], values)[:6]:
            tried = {**line, "roem": {"NS": list(ns), "EW": list(ew)}}
            try:
                result = rules.evaluate(rules.line_of_three(tried) if three else tried, regulation)
            except rules.InvalidDeal:
                continue
            line["roem"] = tried["roem"]
            return result.score["NS"], result.score["EW"]
    return None


def _log(chance: float) -> float:
    return log(max(chance, NEVER))
