"""What the rules catch of the slips that scorekeepers make: `make slips`.

Plays deals as people do, writes each as a scorekeeper would, makes one slip of each kind in it and
puts that to the rules. Prints per kind how often the slip was stopped, was asked about, changed
nothing in the score, or slipped through; first with the points of one side written, then of both.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from scoring.rules import (
    PRESETS,
    SIDES,
    InvalidDeal,
    RuleSet,
    Side,
    evaluate,
    other_side,
    partner,
    side_of,
)
from tests.scoring.rules.lifelike import Deal, deal_and_play

DEALS = 20_000
SEED = 20_261_121
FORGOTTEN = 0.03
"""The share of roem that nobody announces."""

APART = 0.3
"""The share of stuks that are written apart from their run."""

Line = dict[str, Any]
Counted = Counter[str]
"""How often each outcome came of a kind of slip."""

Slip = Callable[[Random, Line], bool]
"""Spoils a line; whether there was anything to spoil."""

STOPPED, ASKED, SAME, THROUGH = "stopped", "asked", "same score", "through"
OUTCOMES = (STOPPED, ASKED, SAME, THROUGH)


def main(deals: int = DEALS) -> None:
    """Print the tables, and how often a line without a slip is asked about."""
    regulation = PRESETS["amsterdam"]
    for both in (False, True):
        counts, asked = count_slips(deals, regulation, both=both)
        _write("", f"{'both sides' if both else 'one side'} written")
        _write("slip", *OUTCOMES, "times")
        for kind, outcomes in counts.items():
            times = sum(outcomes.values())
            _write(kind, *(f"{outcomes[outcome] / times:.1%}" for outcome in OUTCOMES), str(times))
        _write("no slip at all", "", f"{asked / deals:.2%}", "", "", str(deals))


def count_slips(
    deals: int, regulation: RuleSet, *, both: bool
) -> tuple[Mapping[str, Counted], int]:
    """What becomes of each kind of slip, and the number of lines without one that are asked about.

    A line without a slip that is refused raises `InvalidDeal`.
    """
    random = Random(SEED)
    counts = {kind: Counted() for kind in SLIPS}
    asked = 0
    for _ in range(deals):
        line = write(random, deal_and_play(random, regulation), regulation, both=both)
        right = evaluate(line, regulation)
        asked += bool(right.warnings)
        for kind, slip in SLIPS.items():
            wrong = deepcopy(line)
            if slip(random, wrong) and wrong != line:
                counts[kind][_outcome(wrong, right.score, regulation)] += 1
    return counts, asked


def write(random: Random, deal: Deal, regulation: RuleSet, *, both: bool) -> Line:
    """The line of a deal as the side writes it that counted: who did not play; or as both do."""
    declarers = side_of(deal.declarer)
    roem = {side: _announced(random, deal.roem[side]) for side in SIDES}
    line: Line = {"declarer": deal.declarer, "trump": deal.trump, "roem": roem}
    if both:
        line["points"] = dict(deal.points)
    elif not deal.pit:
        line["points"] = {other_side(declarers): deal.points[other_side(declarers)]}
    if deal.pit:
        line["pit"] = deal.pit
    if evaluate({**line, "points": deal.points}, regulation).nat:
        line["nat"] = True
    return line


def _announced(random: Random, items: list[int]) -> list[int]:
    written: list[int] = []
    for item in items:
        if random.random() >= FORGOTTEN:
            apart = item in (40, 70) and random.random() < APART
            written += [item - 20, 20] if apart else [item]
    return written


def _outcome(line: Line, right: Mapping[Side, int], regulation: RuleSet) -> str:
    try:
        result = evaluate(line, regulation)
    except InvalidDeal:
        return STOPPED
    if result.warnings:
        return ASKED
    return SAME if result.score == right else THROUGH


def _wrong_digit(random: Random, digits: str) -> str:
    place = random.randrange(len(digits))
    other = random.choice([digit for digit in "0123456789" if digit != digits[place]])
    return digits[:place] + other + digits[place + 1 :]


def _lost_digit(random: Random, digits: str) -> str:
    place = random.randrange(len(digits))
    return digits[:place] + digits[place + 1 :]


def _doubled_digit(random: Random, digits: str) -> str:
    place = random.randrange(len(digits))
    return digits[: place + 1] + digits[place:]


def _swapped_digits(random: Random, digits: str) -> str:
    place = random.randrange(max(1, len(digits) - 1))
    return digits[:place] + digits[place : place + 2][::-1] + digits[place + 2 :]


def _in_points(spoil: Callable[[Random, str], str]) -> Slip:
    def slip(random: Random, line: Line) -> bool:
        points = line.get("points")
        if not points:
            return False
        side = random.choice(sorted(points))
        digits = spoil(random, str(points[side]))
        if digits:
            points[side] = int(digits)
        return bool(digits)

    return slip


def _in_roem(spoil: Callable[[Random, str], str]) -> Slip:
    def slip(random: Random, line: Line) -> bool:
        items = _some_items(random, line)
        if not items:
            return False
        place = random.randrange(len(items))
        items[place] = int(spoil(random, str(items[place])))
        return True

    return slip


def _some_items(random: Random, line: Line) -> list[int]:
    """The roem of a side that has any, to be changed in place."""
    return random.choice([items for items in line["roem"].values() if items] or [[]])


def _points_of_the_other_side(_random: Random, line: Line) -> bool:
    line["points"] = {other_side(side): taken for side, taken in line.get("points", {}).items()}
    return bool(line["points"])


def _roem_of_the_other_side(random: Random, line: Line) -> bool:
    items = _some_items(random, line)
    if not items:
        return False
    other = next(own for own in line["roem"].values() if own is not items)
    other.append(items.pop(random.randrange(len(items))))
    return True


def _roem_forgotten(random: Random, line: Line) -> bool:
    items = _some_items(random, line)
    if not items:
        return False
    items.pop(random.randrange(len(items)))
    return True


def _roem_twice(random: Random, line: Line) -> bool:
    items = _some_items(random, line)
    if not items:
        return False
    items.append(random.choice(items))
    return True


def _pit_mark_too_many(random: Random, line: Line) -> bool:
    if "pit" in line:
        return False
    line["pit"] = random.choice(SIDES)
    return True


def _pit_mark_forgotten(_random: Random, line: Line) -> bool:
    return line.pop("pit", None) is not None


def _pit_mark_of_the_other_side(_random: Random, line: Line) -> bool:
    if "pit" not in line:
        return False
    line["pit"] = other_side(line["pit"])
    return True


def _nat_mark_too_many(_random: Random, line: Line) -> bool:
    if "nat" in line:
        return False
    line["nat"] = True
    return True


def _nat_mark_forgotten(_random: Random, line: Line) -> bool:
    return line.pop("nat", None) is not None


def _wrong_declarer(random: Random, line: Line) -> bool:
    declarers = side_of(line["declarer"])
    line["declarer"] = random.choice("EW" if declarers == "NS" else "NS")
    return True


def _partner_declared(_random: Random, line: Line) -> bool:
    line["declarer"] = partner(line["declarer"])
    return True


SLIPS: Mapping[str, Slip] = {
    "points: wrong digit": _in_points(_wrong_digit),
    "points: lost digit": _in_points(_lost_digit),
    "points: doubled digit": _in_points(_doubled_digit),
    "points: swapped digits": _in_points(_swapped_digits),
    "points of the other side": _points_of_the_other_side,
    "roem: wrong digit": _in_roem(_wrong_digit),
    "roem: lost digit": _in_roem(_lost_digit),
    "roem: doubled digit": _in_roem(_doubled_digit),
    "roem: swapped digits": _in_roem(_swapped_digits),
    "roem to the other side": _roem_of_the_other_side,
    "roem forgotten": _roem_forgotten,
    "roem written twice": _roem_twice,
    "pit mark too many": _pit_mark_too_many,
    "pit mark forgotten": _pit_mark_forgotten,
    "pit mark of the other side": _pit_mark_of_the_other_side,
    "nat mark too many": _nat_mark_too_many,
    "nat mark forgotten": _nat_mark_forgotten,
    "other side declared": _wrong_declarer,
    "partner declared": _partner_declared,
}


def _write(first: str, *cells: str) -> None:
    sys.stdout.write(f"{first:28}" + "".join(f"{cell:>20}" for cell in cells) + "\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
