"""What the lines of a score sheet alone do not tell: who took over, penalties, changes, answers."""

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clubs.words import SIDE_NAMES
from scoring import rules
from scoring.models import Confirmation, DealEntry, Scoresheet
from scoring.sheet_view import SheetView, is_written, line_in_words

Kind = DealEntry.Kind


def remarks(view: SheetView) -> list[str]:
    """One sentence for each thing that happened on this sheet, in order of deals."""
    only_totals = [_("This table handed in totals only.")] if view.handed_in else []
    answers = [_disagreement(one, view) for one in _answers(view) if not one.agrees]
    return [*only_totals, *_take_overs(view), *_penalties(view), *_changes(view), *answers]


def signatory(view: SheetView, side: str) -> str:
    """What a side is called in the middle of a sentence, or one of three people by his seat."""
    if side in SIDE_NAMES:
        return str(SIDE_NAMES[side]).lower()
    return view.short_names(view.sheet.deals_planned)[side]  # type: ignore[index]


def agreement(view: SheetView, side: str) -> str:
    """That this side, or person, agreed with the sheet as it stands, and when; else empty."""
    for answer in _answers(view):
        if answer.side == side and answer.agrees and answer.sheet_version == view.sheet.version:
            return _("agreed, %(time)s") % {"time": _clock(answer)}
    return ""


def _answers(view: SheetView) -> list[Confirmation]:
    return sorted(view.sheet.confirmations.all(), key=lambda answer: answer.at)


def _disagreement(answer: Confirmation, view: SheetView) -> str:
    words = {"time": _clock(answer), "note": answer.note}
    if view.sheet.three_handed:
        words["who"] = signatory(view, answer.side)
        if answer.settled_at:
            return _("%(who)s did not agree at %(time)s; the director settled it. %(note)s") % words
        return _("%(who)s does not agree (%(time)s). %(note)s") % words
    words["side"] = str(SIDE_NAMES[answer.side])
    if answer.settled_at:
        return _("%(side)s did not agree at %(time)s; the director settled it. %(note)s") % words
    return _("%(side)s do not agree (%(time)s). %(note)s") % words


def _clock(answer: Confirmation) -> str:
    return time_format(timezone.localtime(answer.at), "H:i")


def _take_overs(view: SheetView) -> list[str]:
    return [
        _("From deal %(n)s %(name)s plays for %(before)s.")
        % {
            "n": holder.from_deal,
            "name": holder.member or _("dummy"),
            "before": view.names(holder.from_deal - 1)[holder.seat],  # type: ignore[index]
        }
        for holder in view.holders
        if holder.from_deal > 1
    ]


def _penalties(view: SheetView) -> list[str]:
    """Every deal with reneging, an accusation or a correction, in full."""
    told = []
    for deal in view.deals:
        if deal.current is None or not is_written(deal):
            continue
        result = rules.evaluate(deal.current.written or {}, view.sheet.regulation.rules)
        if result.deal.reneged or result.deal.accused_wrongly_by or result.deal.corrections:
            lines = view.deal_in_words(result, view.names(deal.number))
            told.append(_deal(deal.number, " · ".join(lines)))
    return told


def _changes(view: SheetView) -> list[str]:
    """What was done to the sheet as a whole, and lines that stood there otherwise before."""
    entries = _entries(view)
    kinds = {entry.kind for entry in entries}
    whole = {
        Kind.SWAPPED: _("We and they were swapped on the whole sheet."),
        Kind.MOVED: _("This sheet was written at another table and moved here."),
    }
    moves = [words for kind, words in whole.items() if kind in kinds]
    return [*moves, *(_change(entry, view.sheet) for entry in entries if _is_correction(entry))]


def _entries(view: SheetView) -> list[DealEntry]:
    """Every entry of the sheet in order of deals; no query for a sheet without corrections."""
    if all(deal.version <= 1 for deal in view.deals):
        return [deal.current for deal in view.deals if deal.current]
    entries = DealEntry.objects.filter(deal__sheet=view.sheet)
    return list(entries.select_related("deal", "replaces").order_by("deal__number", "revision"))


def _is_correction(entry: DealEntry) -> bool:
    before = entry.replaces
    return (
        entry.kind == Kind.WRITTEN
        and before is not None
        and before.written is not None
        and not before.replayed
    )


def _change(entry: DealEntry, sheet: Scoresheet) -> str:
    words = {
        "before": line_in_words(entry.replaces, sheet) if entry.replaces else "",
        "after": line_in_words(entry, sheet),
        "reason": entry.reason,
    }
    sentence = (
        _("%(before)s became %(after)s: %(reason)s")
        if entry.reason
        else _("%(before)s became %(after)s")
    )
    return _deal(entry.deal.number, sentence % words)


def _deal(number: int, words: str) -> str:
    return _("Deal %(n)s: %(words)s") % {"n": number, "words": words}
