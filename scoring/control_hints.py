"""Where a difference between the paper and what was typed could come from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rules import DealResult, Side, other_side

MOST_DEALS: Final = 4
"""More deals than this are no help to who looks for one."""
PIT_OR_FOUR: Final = 100


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A line that counts, with what it came to."""

    number: int
    result: DealResult

    def points(self, side: Side) -> int:
        """The card points that stand in the side's column, after nat."""
        return self._sum(side, "points")

    def roem(self, side: Side) -> int:
        """The roem that stands in the side's column, after nat."""
        return self._sum(side, "roem")

    def bonus(self, side: Side) -> int:
        return sum(t.points for t in self.result.terms[side] if t.kind not in ("points", "roem"))

    def taken(self, side: Side) -> int | None:
        """The card points that the side took, before nat."""
        return self.result.points[side]

    def looks_like_pit(self, side: Side) -> bool:
        """Whether the side has all the points without a pit."""
        return self.result.pit is None and self.taken(other_side(side)) == 0

    def _sum(self, side: Side, kind: str) -> int:
        return sum(term.points for term in self.result.terms[side] if term.kind == kind)


def points_hints(deals: Sequence[CountedDeal], side: Side, missed: int) -> Iterator[str]:
    """The deals that would explain that the paper has `missed` points more for this side."""
    for deal in deals:
        if hint := _points_hint(deal, side, missed):
            yield hint


def roem_hints(
    deals: Sequence[CountedDeal], side: Side, missed: int, *, elsewhere: int, pit: str
) -> Iterator[str]:
    """The deals that would explain that the paper has `missed` roem more for this side, and
    `elsewhere` more for the other one."""
    if missed == -elsewhere:
        wrong = _with_roem(deals, other_side(side) if missed > 0 else side, abs(missed))
        if wrong:
            yield _("Does the roem stand with the wrong side? See %(deals)s.") % {
                "deals": deals_named(wrong)
            }
    if missed == PIT_OR_FOUR:
        yield _missed_pit(deals, side, pit)
    elif missed > 0:
        yield _("Is roem forgotten?")
    elif extra := _with_roem(deals, side, -missed):
        yield _("This much roem was typed in %(deals)s.") % {"deals": deals_named(extra)}


def deals_named(numbers: Iterable[int]) -> str:
    """`deal 3`, `deals 3 and 9`, in the reader's language; of many the first few."""
    numbers = list(numbers)
    shown = [str(number) for number in numbers[:MOST_DEALS]]
    if len(numbers) > MOST_DEALS:
        shown.append("…")
    words = ngettext("deal %(numbers)s", "deals %(numbers)s", len(numbers))
    return words % {"numbers": get_text_list(shown, _("and"))}


def _points_hint(deal: CountedDeal, side: Side, missed: int) -> str:
    taken, rest = deal.taken(side), deal.taken(other_side(side))
    if taken is None or rest is None:
        return ""
    if deal.result.nat:
        return _nat_hint(deal, missed, taken if deal.points(side) == 0 else -rest)
    for typed, meant in ((taken, taken + missed), (rest, rest - missed)):
        if _transposed(typed, meant):
            words = _("Deal %(n)s: does it say %(typed)s or %(other)s?")
            return words % {"n": deal.number, "typed": typed, "other": meant}
    if missed == rest - taken:
        return _("Deal %(n)s: are the points of we and they swapped?") % {"n": deal.number}
    if missed == (-taken if deal.result.deal.declarers == side else rest):
        return _("Deal %(n)s: does the paper say nat?") % {"n": deal.number}
    return ""


def _nat_hint(deal: CountedDeal, missed: int, otherwise: int) -> str:
    """Whether the deal would explain what is missed if it were not nat: `otherwise` is what that
    would make for this side."""
    if missed != otherwise:
        return ""
    words = _("Deal %(n)s is nat here and would not be if the other side played.")
    return words % {"n": deal.number}


def _transposed(typed: int, meant: int) -> bool:
    """Whether two digits changed places."""
    return 0 <= meant != typed and sorted(str(typed)) == sorted(str(meant))


def _with_roem(deals: Iterable[CountedDeal], side: Side, roem: int) -> list[int]:
    return [deal.number for deal in deals if deal.roem(side) == roem > 0]


def _missed_pit(deals: Iterable[CountedDeal], side: Side, pit: str) -> str:
    full = [deal.number for deal in deals if deal.looks_like_pit(side)]
    if full:
        words = _("Is a %(pit)s forgotten? All the points stand in %(deals)s.")
        return words % {"pit": pit, "deals": deals_named(full)}
    return _("Is a %(pit)s forgotten, or four of a kind?") % {"pit": pit}
