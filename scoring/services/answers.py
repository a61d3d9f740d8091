"""What the sides say of a finished sheet: it is right, or it isn't; and the director's word."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from scoring.models import Confirmation, Scoresheet
from scoring.services.entries import reason_checked, sheet_lock, sheet_tell


@transaction.atomic
def sheet_answer(
    *, sheet_id: int, side: str, seen_version: int, agrees: bool, actor: Actor, note: str = ""
) -> Confirmation:
    """One side (at a table of three: one person, by his seat) says that the finished sheet is
    right, or that it isn't (a dispute).

    Raises DomainError `sheet_gone`, `not_at_this_table` (no such side), `sheet_not_full`,
    `reason_too_long` (the note), and `sheet_moved_on` when the sheet has changed since.
    """
    sheet = sheet_lock(sheet_id)
    if side not in sheet.signatories:
        raise DomainError("not_at_this_table", _("Nobody at this table can say that."))
    if not sheet.is_full:
        raise DomainError("sheet_not_full", _("Write all deals first."))
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Look at it once more."))
    answer, _made = Confirmation.objects.update_or_create(
        sheet=sheet,
        side=side,
        sheet_version=sheet.version,
        defaults={
            "agrees": agrees,
            "note": reason_checked(note, needed=False),
            "by": actor.ref,
            "settled_at": None,
        },
    )
    _announce(sheet, answer, actor, "sheet_agreed" if agrees else "sheet_disputed")
    return answer


@transaction.atomic
def dispute_settle(*, confirmation_id: int, actor: Actor) -> Confirmation:
    """The director has dealt with a dispute; once is enough."""
    confirmation = Confirmation.objects.get(pk=confirmation_id)
    sheet = sheet_lock(confirmation.sheet_id)
    confirmation.refresh_from_db()
    if confirmation.settled_at is None:
        confirmation.settled_at = timezone.now()
        confirmation.save(update_fields=["settled_at"])
        _announce(sheet, confirmation, actor, "dispute_settled")
    return confirmation


def _announce(sheet: Scoresheet, answer: Confirmation, actor: Actor, action: str) -> None:
    sheet_tell(
        sheet,
        actor=actor,
        action=action,
        data={"side": answer.side, "version": answer.sheet_version},
        texts={"note": answer.note},
    )
