"""Putting an earlier revision of a deal back: the service, and the form behind its button."""

import uuid as uuids
from typing import TypedDict

from django import forms
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.deals.entries import (
    entry_append,
    entry_make,
    key_reused,
    reason_checked,
    require_open,
    sheet_lock,
    sheet_touch,
    writes_entry,
)
from scoring.deals.services import require_no_totals, sheet_deal
from scoring.models import Deal, DealEntry, Scoresheet

RESTORED, CLOSED = DealEntry.Kind.RESTORED, Scoresheet.State.CLOSED


@writes_entry
def deal_restore(
    *,
    sheet_id: int,
    number: int,
    revision: int,
    seen_version: int,
    uuid: uuids.UUID,
    actor: Actor,
    device: str = "",
    reason: str = "",
    closed_too: bool = False,
) -> DealEntry:
    """Put revision `revision` of a deal back as a new entry; 0 is the empty line before the first.

    Without a `reason` the entry says which revision it is; a closed sheet needs one. A table
    cannot change the director's corrections in this way.

    The same `uuid` again returns the first entry and writes nothing. Raises VersionConflict,
    KeyReused, DealRefused, and DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`,
    `totals_handed_in`, `deal_unknown`, `revision_unknown`, `already_stands`, `directors_own`,
    `reason_needed` or `reason_too_long`.
    """
    sheet = sheet_lock(sheet_id)
    deal = sheet_deal(sheet, number)
    old = _revision(deal, revision)
    known = DealEntry.objects.filter(pk=uuid).first()
    if known is not None:
        return _repeated(known, deal, old, seen_version)
    if not (closed_too and sheet.state == CLOSED):
        require_open(sheet)
    require_no_totals(sheet)
    if deal.version == seen_version == revision:
        raise DomainError("already_stands", _("This is on the sheet already."))
    if actor.user is None and _corrections(deal.current) != _corrections(old):
        own = _("The director put a correction in this deal: ask the director to change it.")
        raise DomainError("directors_own", own)
    why = reason_checked(reason, needed=sheet.state == CLOSED)
    made = entry_make(
        deal=deal,
        uuid=uuid,
        written=old.written if old else None,
        record=old.record if old else None,
        kind=RESTORED,
        sheet=sheet,
        actor=actor,
        device=device,
        reason=why or _restored(revision),
    )
    entry = entry_append(made, seen_version=seen_version)
    sheet_touch(
        sheet,
        actor=actor,
        action="deal_restored",
        entries=[entry],
        data={"restored": revision},
    )
    return entry


def _revision(deal: Deal, revision: int) -> DealEntry | None:
    """That entry of the deal; None for revision 0."""
    if revision == 0:
        return None
    entry = deal.entries.filter(revision=revision).first()
    if entry is None:
        unknown = _("This deal has no version %(n)s to put back.") % {"n": revision}
        raise DomainError("revision_unknown", unknown)
    return entry


def _corrections(entry: DealEntry | None) -> object:
    return ((entry and entry.written) or {}).get("corrections")


def _repeated(known: DealEntry, deal: Deal, old: DealEntry | None, seen_version: int) -> DealEntry:
    same_line = (known.deal_id, known.revision, known.kind) == (deal.pk, seen_version + 1, RESTORED)
    if not same_line or known.written != (old.written if old else None):
        raise key_reused()
    return known


def _restored(revision: int) -> str:
    if revision == 0:
        return _("The line was made empty again.")
    return _("What was written as number %(n)s was put back.") % {"n": revision}


class RestoreArguments(TypedDict):
    """The arguments of `deal_restore` that a form sends."""

    revision: int
    seen_version: int
    uuid: uuids.UUID


class RestoreForm(forms.Form):
    """What the button beside a revision sends."""

    revision = forms.IntegerField(min_value=0)
    seen_version = forms.IntegerField(min_value=0)
    uuid = forms.UUIDField()

    @property
    def arguments(self) -> RestoreArguments:
        """The arguments for `deal_restore`; the form must be valid."""
        return RestoreArguments(
            revision=self.cleaned_data["revision"],
            seen_version=self.cleaned_data["seen_version"],
            uuid=self.cleaned_data["uuid"],
        )
