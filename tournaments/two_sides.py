"""What the table page asks of both sides: is this deal right, and which of two values is."""

from dataclasses import dataclass
from typing import Any

from scoring.models import DealConfirmation, DealEntry, Scoresheet
from scoring.sheet_view import SheetView
from scoring.two_sides import SideView, Told, disputes, told, unconfirmed
from tournaments.models import Evening
from tournaments.table_page import signatory_name

Writing = Evening.Writing


@dataclass(frozen=True, slots=True)
class Signatory:
    """Somebody who confirms a deal: a side, or one of three people."""

    side: str
    who: str


@dataclass(frozen=True, slots=True)
class Question:
    """Is deal `number` right as it stands? `first` is asked; `others` could answer as well, where
    one phone is passed round. After this one `more` deals wait."""

    number: int
    entry: DealEntry
    told: Told
    first: tuple[Signatory, ...]
    others: tuple[Signatory, ...]
    more: int


def sides_context(evening: Evening, view: SheetView) -> dict[str, Any]:
    """What the page of a sheet asks, and what its phone may answer."""
    side = view.side if isinstance(view, SideView) else ""
    is_open = view.sheet.state == Scoresheet.State.OPEN and not view.handed_in
    return {
        "side": side,
        "question": _question(evening, view, side) if is_open else None,
        "disputes": disputes(view, at_table=True) if is_open else [],
        "already_theirs": _already_theirs(view),
        "answering": [side] if side else list(view.sheet.signatories),
        "asks_the_other": evening.writing in (Writing.DEAL, Writing.ROUND),
    }


def _question(evening: Evening, view: SheetView, side: str) -> Question | None:
    if not side and evening.writing != Writing.DEAL:
        return None
    waiting = unconfirmed(view, side)
    if not waiting or waiting[0].current is None:
        return None
    deal, entry = waiting[0], waiting[0].current
    first, others = _signatories(view, entry, side)
    return Question(
        number=deal.number,
        entry=entry,
        told=told(entry, view, deal.number),
        first=first,
        others=others,
        more=len(waiting) - 1,
    )


def _signatories(
    view: SheetView, entry: DealEntry, side: str
) -> tuple[tuple[Signatory, ...], tuple[Signatory, ...]]:
    """Who is asked first, and who else: on one phone whoever confirmed last at this table."""
    signatories = [
        Signatory(one, signatory_name(view, one))
        for one in ([side] if side else view.sheet.signatories)
    ]
    last = DealConfirmation.objects.filter(entry__deal__sheet=view.sheet).order_by("at").last()
    first = [
        signatory for signatory in signatories if last is None or signatory.side == last.side
    ] or signatories
    return tuple(first), tuple(signatory for signatory in signatories if signatory not in first)


def _already_theirs(view: SheetView) -> bool:
    """Whether the other side wrote the deal that this phone is about to write."""
    return isinstance(view, SideView) and view.next_number in view.unspoken
