"""The trail of a score sheet in words: a sentence for each event, and what it changed. And what
merging or erasing somebody does to their sheets: seats follow, remarks go, figures stay."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q
from django.db.models.sql import DeleteQuery
from django.dispatch import receiver
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.services import Erased, texts_erase
from clubs.audit.trail import describe, uuids
from clubs.merges.services import MergeHook, MergeLog
from clubs.models import AuditEvent, AuditText, Club
from clubs.privacy.erasing import Identifiers, member_erasing, own_texts_searched
from clubs.text.numbers import number, side_name
from scoring.deals.entries import sheets_lock, without_remarks
from scoring.display.history import device_words, has_travelled, line_words, when_words
from scoring.models import Confirmation, DealClaim, DealEntry, Scoresheet
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


WITH_REMARKS = ~Q(reason="") | Q(written__has_key="corrections")


@receiver(own_texts_searched)
def own_texts_naming(identifiers: Identifiers, **_kwargs: object) -> list[str]:
    """The club's own rules and the names of its regulations, that name them."""
    club = identifiers.member.club
    named = [
        *((gettext("own rules"), f"{note.text} {note.text_en}") for note in club.rule_notes.all()),
        *((gettext("name of a regulation"), rules.name) for rules in club.regulations.current()),
    ]
    return [
        f"{what}: “{Truncator(text.strip()).chars(80)}”"
        for what, text in named
        if identifiers.are_meant_in(text)
    ]


@receiver(member_erasing)
def sheets_forget(identifiers: Identifiers, **_kwargs: object) -> None:
    """Delete the remarks on every sheet the person was at, and on others that name the person."""
    member = identifiers.member
    seats = SeatRow.objects.filter(Q(member=member) | Q(counts_for=member))
    sheet_ids = {*seats.values_list("sheet_id", flat=True)} | _sheets_naming(identifiers)
    remarks_erase(sheet_ids, identifiers.erased)


def remarks_erase(sheet_ids: Collection[int], erased: Erased) -> None:
    """Delete every reason, note and remark on these sheets and in their trails. What goes from the
    trail is added to `erased`."""
    entries = DealEntry.objects.filter(WITH_REMARKS, deal__sheet__in=sheet_ids)
    sheets_lock(*entries.values_list("deal__sheet", flat=True))
    for entry in entries.select_related("deal").order_by("pk"):
        _rewrite(entry)
    for claim in DealClaim.objects.filter(WITH_REMARKS, deal__sheet__in=sheet_ids):
        claim.reason, claim.written = "", without_remarks(claim.written)
        claim.save(update_fields=["reason", "written"])
    Confirmation.objects.filter(sheet__in=sheet_ids).exclude(note="").update(note="")
    sheets = Scoresheet.objects.filter(pk__in=sheet_ids)
    texts = AuditText.objects.filter(event__chain__in=[sheet.chain_name for sheet in sheets])
    texts_erase(texts.exclude(field="actor"), erased)


def _sheets_naming(identifiers: Identifiers) -> set[int]:
    """The sheets of the club with a remark that names the person."""
    club = identifiers.member.club
    remarks: set[tuple[int, str]] = set()
    for model in (DealEntry, DealClaim):
        rows = model._default_manager.filter(WITH_REMARKS, deal__sheet__club=club)
        for sheet_id, reason, written in rows.values_list("deal__sheet", "reason", "written"):
            remarks.add((sheet_id, reason))
            corrections = (written or {}).get("corrections") or ()
            remarks |= {(sheet_id, str(line.get("reason", ""))) for line in corrections}
    notes = Confirmation.objects.filter(sheet__club=club).exclude(note="")
    remarks |= set(notes.values_list("sheet", "note"))
    return {sheet_id for sheet_id, text in remarks if identifiers.are_meant_in(text)}


def _rewrite(entry: DealEntry) -> None:
    # A trigger refuses to update an entry: delete it and insert it again without its remarks.
    DeleteQuery(DealEntry).delete_batch([str(entry.pk)], using=DEFAULT_DB_ALIAS)
    entry.reason, entry.written = "", without_remarks(entry.written)
    entry.save_base(raw=True, force_insert=True)
