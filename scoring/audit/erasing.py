"""Erasing a person: the remarks on their sheets go, the figures stay."""

from collections.abc import Collection

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q
from django.db.models.sql import DeleteQuery
from django.dispatch import receiver
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from clubs.audit.services import Erased, texts_erase
from clubs.models import AuditText
from clubs.privacy.erasing import Identifiers, member_erasing, own_texts_searched
from scoring.deals.entries import sheets_lock, without_remarks
from scoring.models import Confirmation, DealClaim, DealEntry, Scoresheet, Seat

WITH_REMARKS = ~Q(reason="") | Q(written__has_key="corrections")


@receiver(own_texts_searched)
def own_texts_naming(identifiers: Identifiers, **_kwargs: object) -> list[str]:
    """The club's own rules and the names of its regulations, that name them."""
    club = identifiers.member.club
    named = [
        *((_("own rules"), f"{note.text} {note.text_en}") for note in club.rule_notes.all()),
        *((_("name of a regulation"), rules.name) for rules in club.regulations.current()),
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
    seats = Seat.objects.filter(Q(member=member) | Q(counts_for=member))
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
