"""The trail of a score sheet in words: a sentence for each event, and what it changed. And whose
seats they are once a guest was merged into a member."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.trail import describe, uuids
from clubs.merges.services import MergeHook, MergeLog, register
from clubs.models import AuditEvent, Club
from clubs.text.numbers import number, side_name
from scoring.display.history import device_words, has_travelled, line_words, when_words
from scoring.models import DealClaim, DealEntry, Scoresheet
from scoring.models import Seat as SeatRow
from scoring.models.sheet import SIDES_AND_SEATS
from scoring.rules import InvalidDeal, Seat

describe(
    {
        "deal_written": _("Deal %(number)s was written"),
        "deal_written+reason": _("Deal %(number)s was changed"),
        "deal_laid_down": _("Deal %(number)s was replayed card by card and written"),
        "deal_undone": _("Deal %(number)s was taken back"),
        "deal_restored": _("Deal %(number)s was put back as it was before"),
        "deal_confirmed": _("%(side)s confirmed deal %(number)s"),
        "deal_claimed": _(
            "Deal %(number)s was received with other figures, stored beside the first"
        ),
        "deal_repeated": _("Deal %(number)s was received again with the same figures"),
        "claim_taken": _("Of the two values of deal %(number)s the new one was taken"),
        "claim_left": _("Of the two values of deal %(number)s the first was kept"),
        "sides_swapped": _("We and they of the whole sheet were swapped"),
        "sheet_moved": _("The deals of this sheet were moved to another one"),
        "first_dealer_set": _("Drawn: %(seat)s deals the first deal"),
        "sheet_filled": _("The sheet was filled from a file"),
        "seat_taken_over": _("%(member)s took over the seat %(seat)s from deal %(from_deal)s on"),
        "totals_written": _("Only totals were handed in"),
        "totals_cleared": _("The totals handed in were taken off"),
        "match_played_off": _("After an equal match four more deals were written: %(NS)s–%(EW)s"),
        "match_play_off_cleared": _("The four deals after an equal match were taken off"),
        "control_typed": _("The totals of the paper sheet were typed"),
        "control_accepted": _("The sheet was accepted though the paper adds up to something else"),
        "sheet_agreed": _("%(side)s agreed with the sheet"),
        "sheet_disputed": _("%(side)s said that the sheet is wrong"),
        "dispute_settled": _("What a side found wrong was settled"),
        "rule_notes_saved": _("The club's own rules were changed"),
        "regulation_saved": _("The regulation %(name)s was saved"),
    }
)


EventData = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The rows that the events of one page are about, read with one query for each kind."""

    sheets: Mapping[str, Scoresheet]
    entries: Mapping[str, DealEntry]
    claims: Mapping[str, DealClaim]

    def lines(self, event: AuditEvent) -> Iterator[str]:
        sheet = self.sheets.get(event.chain)
        if sheet is None:
            return
        lines = event.data.get("entries", [])
        for line in lines:
            yield from _changed(line, sheet, several=len(lines) > 1)
        if event.action in ("deal_claimed", "deal_repeated"):
            yield _line_text(event.data["new"], sheet, event.data["deal"])
        elif claim := self.claims.get(str(event.data.get("claim"))):
            yield _line_text(claim.written, sheet, claim.deal.number)
        yield from _handed_in(event.data)
        yield from filter(None, [self._where_and_when(lines[0] if lines else event.data)])

    def _where_and_when(self, line: EventData) -> str:
        """The phone, and both times where typing and receiving differ."""
        entry = self.entries.get(str(line.get("entry")))
        when = ""
        if entry and has_travelled(entry.made_at, entry.received_at):
            when = when_words(entry.made_at, entry.received_at)
        return ", ".join(filter(None, [device_words(str(line.get("device", ""))), when]))


def _details(_club: Club, events: Sequence[AuditEvent]) -> Mapping[int, Sequence[str]]:
    chains = uuids({event.chain for event in events}, "sheet")
    sheets = Scoresheet.objects.filter(uuid__in=chains).select_related("regulation", "club")
    claims = {str(event.data.get("claim", "")) for event in events} - {""}
    lookup = _Lookup(
        sheets={sheet.chain_name: sheet for sheet in sheets.prefetch_related("seats__member")},
        entries=_by_id(DealEntry.objects.in_bulk(_entries(events))),
        claims=_by_id(DealClaim.objects.select_related("deal").in_bulk(claims)),
    )
    return {event.pk: list(lookup.lines(event)) for event in events}


def _entries(events: Iterable[AuditEvent]) -> list[str]:
    """The first entry of each event; all of one event were made at the same moment."""
    return [event.data["entries"][0]["entry"] for event in events if event.data.get("entries")]


def _by_id(rows: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(pk): row for pk, row in rows.items()}


def _changed(line: EventData, sheet: Scoresheet, *, several: bool) -> list[str]:
    """The line of a deal before and after; one sentence for each of several deals."""
    words = {key: _line_text(line[key], sheet, line["deal"]) for key in ("old", "new")}
    words["n"] = line["deal"]
    if several and line["old"] is None:
        return [gettext("Deal %(n)s: %(new)s") % words]
    if several:
        return [gettext("Deal %(n)s: %(old)s became %(new)s") % words]
    if line["old"] is None:
        return [words["new"]]
    return [gettext("was: %(old)s") % words, gettext("became: %(new)s") % words]


def _line_text(written: EventData | None, sheet: Scoresheet, deal: int) -> str:
    try:
        return line_words(written, sheet, lambda seat: _name(sheet, seat, deal))
    except InvalidDeal:
        return "…"


def _name(sheet: Scoresheet, seat: Seat, deal: int) -> str:
    """The name of the person in this seat in that deal."""
    sat = [held for held in sheet.seats.all() if held.seat == seat and held.from_deal <= deal]
    last = max(sat, key=lambda held: held.from_deal, default=None)
    return last.member.desk_name if last and last.member else gettext("dummy")


def _handed_in(data: EventData) -> Iterator[str]:
    """The totals of each side or person, where those were handed in."""
    for side in SIDES_AND_SEATS:
        total = data.get(side)
        if not isinstance(total, Mapping) or "points" not in total:
            continue
        words = {"who": side_name(side), "total": number(total.get("total"))}
        if total.get("total") is not None:
            yield gettext("%(who)s: %(total)s in all") % words
        if total["points"] is not None:
            yield gettext("%(who)s: %(points)s points, roem %(roem)s") % {
                **words,
                "points": number(total["points"]),
                "roem": number(total.get("roem") or 0),
            }


describe({}, teller=_details)


class SeatsFollow(MergeHook):
    """The guest's seats become the member's."""

    def merge(self, log: MergeLog) -> None:
        log.move(SeatRow, "member")
        log.move(SeatRow, "counts_for")


register(SeatsFollow())
