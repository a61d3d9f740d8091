"""Compares the totals of a paper sheet with what was typed of its lines, and stores them.

Where they differ, hints name the deals in which the mistake could be.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Final

from django.db import transaction
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from clubs.text.numbers import number, side_name
from scoring import rules
from scoring.deals.entries import reason_checked, require_open, sheet_lock, sheet_tell
from scoring.display.sheet_view import SheetView, is_written
from scoring.display.words import pit_word
from scoring.models import ControlTotal, Deal, Scoresheet
from scoring.rules import SIDES, DealResult, Side, other_side

MOST_DEALS: Final = 4
"""Naming more deals than this does not help to find the mistake."""

PIT_OR_FOUR: Final = 100


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A line that counts, with its result."""

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
        """Whether the side has all the points, and no pit is written."""
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
            yield _("Is the roem on the wrong side? See %(deals)s.") % {"deals": deals_named(wrong)}
    if missed == PIT_OR_FOUR:
        yield _missed_pit(deals, side, pit)
    elif missed > 0:
        yield _("Was some roem forgotten?")
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
    """The hint where the difference would be explained if the deal were not nat; `otherwise` is the
    difference that would make for this side."""
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
        words = _("Was a %(pit)s forgotten? One side has all the points in %(deals)s.")
        return words % {"pit": pit, "deals": deals_named(full)}
    return _("Was a %(pit)s forgotten, or four of a kind?") % {"pit": pit}


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that differs between the paper and the sheet: a sentence, and where to look."""

    words: str
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of what was typed for one side, in the columns of the paper, bonuses separate."""

    points: int = 0
    roem: int = 0
    pits: int = 0
    bonus: int = 0


class PaperCheck:
    """The paper check of one sheet as it stands. It takes one query besides those of the view."""

    def __init__(self, view: SheetView) -> None:
        self.view = view

    @cached_property
    def differences(self) -> list[Difference]:
        """The figures that differ; each hint once."""
        given: set[str] = set()
        differences = []
        for difference in self._all_differences():
            hints = tuple(hint for hint in difference.hints if hint not in given)
            differences.append(Difference(difference.words, hints))
            given |= set(hints)
        return differences

    @property
    def differs(self) -> bool:
        """Whether any figure differs; cheaper than `differences`."""
        if self.view.sheet.three_handed:
            scores = self.view.seat_scores
            return any(
                row.total not in (None, scores[seat])  # type: ignore[index]
                for seat, row in self.rows.items()
            )
        return any(not _agrees(self.rows[s], self.sums(s)) for s in SIDES if s in self.rows)

    @cached_property
    def rows(self) -> dict[str, ControlTotal]:
        """The paper totals, by side or seat."""
        return {row.side: row for row in self.view.sheet.control_totals.all()}

    @property
    def is_accepted(self) -> bool:
        """Whether somebody accepted the sheet as it stands now."""
        version = self.view.sheet.version
        return bool(self.rows) and all(r.accepted_version == version for r in self.rows.values())

    @property
    def agrees(self) -> bool:
        """Whether the sheet is full and everything typed of the paper agrees."""
        return bool(self.rows) and not self.differs and self.view.sheet.is_full

    @property
    def is_open(self) -> bool:
        """Whether there is a difference that nobody accepted."""
        return self.differs and not self.is_accepted

    @cached_property
    def missing(self) -> list[int]:
        """The lines still to be written."""
        sheet: Scoresheet = self.view.sheet
        if sheet.target is not None and sheet.is_full:
            return []
        return [deal.number for deal in self.view.deals if not is_written(deal)]

    @cached_property
    def counted(self) -> list[CountedDeal]:
        regulation = self.view.sheet.regulation.rules
        return [
            CountedDeal(deal.number, rules.evaluate(deal.current.written, regulation))
            for deal in self.view.deals
            if is_written(deal) and deal.current is not None and deal.current.written is not None
        ]

    def sums(self, side: Side) -> Sums:
        """The sums of what was typed for a side."""
        return Sums(
            points=sum(deal.points(side) for deal in self.counted),
            roem=sum(deal.roem(side) for deal in self.counted),
            pits=sum(deal.result.pit == side for deal in self.counted),
            bonus=sum(deal.bonus(side) for deal in self.counted),
        )

    def _all_differences(self) -> Iterator[Difference]:
        if self.view.sheet.three_handed:
            yield from self._of_people()
            return
        for side in SIDES:
            if side in self.rows:
                yield from self._of_side(side, self.rows[side])
        yield from self._of_both_sides()

    def _of_people(self) -> Iterator[Difference]:
        names, scores = self.view.names(self.view.sheet.deals_planned), self.view.seat_scores
        for seat in self.view.sheet.people:
            paper = self.rows[seat].total if seat in self.rows else None
            if paper is not None and paper != scores[seat]:
                words = _("Total of %(who)s") % {"who": names[seat]}
                yield Difference(_other(words, paper, scores[seat]), self._unwritten())

    def _of_side(self, side: Side, paper: ControlTotal) -> Iterator[Difference]:
        here, name = self.sums(side), side_name(side).lower()
        if paper.points not in (None, here.points):
            words = _other(_("Points, %(who)s") % {"who": name}, paper.points, here.points)
            hints = points_hints(self.counted, side, (paper.points or 0) - here.points)
            yield Difference(words, (*self._unwritten(), *hints))
        if not _same_roem(paper, here):
            words = _other(_("Roem, %(who)s") % {"who": name}, paper.roem, here.roem)
            yield Difference(words, (*self._unwritten(), *self._roem(side, paper, here)))
        if paper.pits not in (None, here.pits):
            pit = pit_word(self.view.sheet.club)
            words = _("%(pit)s, %(who)s, how many") % {"pit": pit.capitalize(), "who": name}
            yield Difference(_other(words, paper.pits, here.pits), self._all_tricks(side))

    def _unwritten(self) -> tuple[str, ...]:
        if not self.missing:
            return ()
        return (_("Not written yet: %(deals)s.") % {"deals": deals_named(self.missing)},)

    def _of_both_sides(self) -> Iterator[Difference]:
        points = [self.rows[side].points for side in SIDES if side in self.rows]
        known = [figure for figure in points if figure is not None]
        here = sum(self.sums(side).points for side in SIDES)
        if len(known) < len(SIDES) or self.missing or sum(known) == here:
            return
        words = _(
            "On the paper both sides together have %(paper)s points; it should be "
            "%(here)s. Add up the column on the paper once more."
        )
        yield Difference(words % {"paper": number(sum(known)), "here": number(here)})

    def _roem(self, side: Side, paper: ControlTotal, here: Sums) -> Iterator[str]:
        other = self.rows.get(other_side(side))
        there = self.sums(other_side(side)).roem
        elsewhere = other.roem - there if other is not None and other.roem is not None else 0
        missed = (paper.roem or 0) - here.roem
        pit = pit_word(self.view.sheet.club)
        yield from roem_hints(self.counted, side, missed, elsewhere=elsewhere, pit=pit)

    def _all_tricks(self, side: Side) -> tuple[str, ...]:
        full = [deal.number for deal in self.counted if deal.looks_like_pit(side)]
        if not full:
            return ()
        words = _("All the points and no %(pit)s: %(deals)s.")
        return (words % {"pit": pit_word(self.view.sheet.club), "deals": deals_named(full)},)


def papers_differing(sheets: Iterable[Scoresheet]) -> set[int]:
    """The ids of those sheets whose paper differs and was not accepted. Pass them with regulation,
    seats and control totals loaded; then it takes one query, or none."""
    typed = [
        sheet
        for sheet in sheets
        if any(row.accepted_version != sheet.version for row in sheet.control_totals.all())
    ]
    deals: dict[int, list[Deal]] = {sheet.pk: [] for sheet in typed}
    if typed:
        lines = Deal.objects.filter(sheet__in=typed).select_related("current")
        for deal in lines.order_by("number"):
            deals[deal.sheet_id].append(deal)
    return {sheet.pk for sheet in typed if _differs(sheet, deals[sheet.pk])}


def _differs(sheet: Scoresheet, deals: list[Deal]) -> bool:
    view = SheetView(sheet)
    view.deals, view.holders = deals, list(sheet.seats.all())
    return PaperCheck(view).differs


def _agrees(paper: ControlTotal, here: Sums) -> bool:
    return (
        paper.points in (None, here.points)
        and _same_roem(paper, here)
        and paper.pits in (None, here.pits)
    )


def _same_roem(paper: ControlTotal, here: Sums) -> bool:
    """Whether the roem agrees; on a paper without a count of pits it may include their bonus."""
    if paper.roem in (None, here.roem):
        return True
    return paper.pits is None and paper.roem == here.roem + here.bonus


def _other(what: str, paper: int | None, here: int) -> str:
    more = (paper or 0) - here
    shown = {"what": what, "paper": number(paper), "here": number(here), "n": number(abs(more))}
    if more > 0:
        return _("%(what)s: %(paper)s on the paper and %(here)s here, %(n)s fewer.") % shown
    return _("%(what)s: %(paper)s on the paper and %(here)s here, %(n)s more.") % shown


# Storing the totals of the paper.


@dataclass(frozen=True, slots=True)
class PaperTotals:
    """What the paper has for one side: card points after nat, roem, number of pits; for one of
    three people their total. None is a figure that was not typed."""

    points: int | None = None
    roem: int | None = None
    pits: int | None = None
    total: int | None = None

    @property
    def is_blank(self) -> bool:
        return all(figure is None for figure in asdict(self).values())


@transaction.atomic
def paper_totals_write(
    *, sheet_id: int, on_paper: Mapping[str, PaperTotals], actor: Actor
) -> Scoresheet:
    """Replace the paper totals of each side, or of each of three people by seat; blanks remove
    them. The sheet itself does not change.

    Raises DomainError `sheet_gone`, `sheet_closed` or `sheet_not_started`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    _put(sheet, [(side, asdict(paper)) for side, paper in on_paper.items() if not paper.is_blank])
    data = {side: asdict(paper) for side, paper in on_paper.items()}
    sheet_tell(sheet, actor=actor, action="control_typed", data=data)
    return sheet


@transaction.atomic
def paper_check_accept(
    *, sheet_id: int, seen_version: int, actor: Actor, reason: str = ""
) -> Scoresheet:
    """Accept the sheet as it is, though the paper adds up to something else.

    Raises DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`, `reason_too_long`, or
    `sheet_moved_on` when the sheet changed since `seen_version`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    reason = reason_checked(reason, needed=False)
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Please check it again."))
    sheet.control_totals.update(accepted_version=sheet.version)
    sheet_tell(
        sheet,
        actor=actor,
        action="control_accepted",
        data={"version": sheet.version},
        texts={"reason": reason},
    )
    return sheet


def paper_totals_mirror(sheet: Scoresheet) -> None:
    """Swap the paper totals of the two sides; the sheet must be locked."""
    _put(sheet, [(other_side(side), figures) for side, figures in _typed(sheet)])  # type: ignore[arg-type]


def paper_totals_exchange(first: Scoresheet, second: Scoresheet) -> None:
    """Exchange the paper totals of two sheets; both must be locked."""
    contents = _typed(first), _typed(second)
    _put(first, contents[1])
    _put(second, contents[0])


Figures = dict[str, int | None]


def _typed(sheet: Scoresheet) -> list[tuple[str, Figures]]:
    names = PaperTotals.__dataclass_fields__
    return [
        (row.side, {name: getattr(row, name) for name in names})
        for row in sheet.control_totals.order_by("pk")
    ]


def _put(sheet: Scoresheet, rows: list[tuple[str, Figures]]) -> None:
    sheet.control_totals.all().delete()
    ControlTotal.objects.bulk_create(
        ControlTotal(sheet=sheet, side=side, **figures) for side, figures in rows
    )
