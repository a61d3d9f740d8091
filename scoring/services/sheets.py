"""A whole score sheet: made, closed, opened again, put right, agreed upon."""

import uuid as uuids
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club, Member
from scoring.models import Confirmation, Deal, Regulation, Scoresheet, Seat
from scoring.rules import Side
from scoring.services.deals import (
    Written,
    entry_append,
    require_open,
    sheet_lock,
    sheet_touch,
)
from scoring.signals import sheet_changed

MIRRORED = {"N": "E", "E": "N", "S": "W", "W": "S", "NS": "EW", "EW": "NS"}


@transaction.atomic
def sheets_create(
    *,
    club: Club,
    regulation: Regulation,
    deals: int,
    seatings: Sequence[Mapping[str, Member]],
    first_dealer: str = "E",
) -> list[Scoresheet]:
    """One open sheet per seating (seat → member; a seat left out is the dummy's), all lines blank."""
    sheets = Scoresheet.objects.bulk_create(
        Scoresheet(club=club, regulation=regulation, deals_planned=deals, first_dealer=first_dealer)
        for _seating in seatings
    )
    Deal.objects.bulk_create(
        Deal(sheet=sheet, number=number) for sheet in sheets for number in range(1, deals + 1)
    )
    Seat.objects.bulk_create(
        Seat(sheet=sheet, seat=seat, member=seating.get(seat))
        for sheet, seating in zip(sheets, seatings, strict=True)
        for seat in "NESW"
    )
    return sheets


def sheets_close(sheets: QuerySet[Scoresheet]) -> int:
    """Close these sheets: only a director can still change a deal. Returns how many."""
    return sheets.update(state=Scoresheet.State.CLOSED)


def sheets_reopen(sheets: QuerySet[Scoresheet]) -> int:
    """Open these sheets again. Returns how many."""
    return sheets.update(state=Scoresheet.State.OPEN)


@transaction.atomic
def sheet_swap_sides(*, sheet_id: int, actor: Actor, reason: str) -> Scoresheet:
    """Swap *wij* and *zij* in every deal written on the sheet; each gets a new revision.

    Where the regulation says who declares, the declarer stays and only the figures swap.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    forced = sheet.regulation.rules.bidding in ("forehand_must", "dealer_must")
    for deal in _deals(sheet):
        if (written := _content(deal)) is not None:
            swapped = mirrored(written, keep_declarer=forced)
            _replace(sheet, deal, swapped, actor=actor, reason=reason)
    sheet_touch(sheet, actor=actor, action="sides_swapped", texts={"reason": reason})
    return sheet


@transaction.atomic
def sheet_move(*, from_id: int, to_id: int, actor: Actor, reason: str) -> None:
    """Move what is written on one sheet to the sheet it belongs to; the two change contents.

    The players stay where they sit. Raises DomainError `sheets_differ` when the sheets have
    another number of deals or another regulation.
    """
    first, second = (sheet_lock(pk) for pk in sorted((from_id, to_id)))
    require_open(first)
    require_open(second)
    alike = (first.deals_planned, first.regulation_id) == (
        second.deals_planned,
        second.regulation_id,
    )
    if first.pk == second.pk or not alike:
        raise DomainError("sheets_differ", _("These two sheets cannot change places."))
    for one, other in zip(_deals(first), _deals(second), strict=True):
        contents = _content(one), _content(other)
        _replace(first, one, contents[1], actor=actor, reason=reason)
        _replace(second, other, contents[0], actor=actor, reason=reason)
    for sheet, other_sheet in ((first, second), (second, first)):
        sheet_touch(
            sheet,
            actor=actor,
            action="sheet_moved",
            data={"other": str(other_sheet.uuid)},
            texts={"reason": reason},
        )


@transaction.atomic
def seat_take_over(
    *,
    sheet_id: int,
    seat: str,
    member: Member,
    from_deal: int,
    counts_for: Member | None,
    actor: Actor,
) -> Seat:
    """Let `member` play on at `seat` from deal `from_deal`; the points go to `counts_for`,
    or to the substitute himself when that is None.

    Raises DomainError `deal_unknown` or `already_seated`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if not 1 <= from_deal <= sheet.deals_planned:
        raise DomainError("deal_unknown", _("This sheet has no deal %(n)s.") % {"n": from_deal})
    if _sits_elsewhere(sheet, seat, member, from_deal):
        raise DomainError(
            "already_seated", _("%(name)s already sits at this table.") % {"name": member.name}
        )
    held, _made = Seat.objects.update_or_create(
        sheet=sheet,
        seat=seat,
        from_deal=from_deal,
        defaults={"member": member, "counts_for": counts_for},
    )
    sheet_touch(
        sheet,
        actor=actor,
        action="seat_taken_over",
        data={"seat": seat, "from_deal": from_deal, "member": str(member.uuid)},
    )
    return held


@transaction.atomic
def sheet_answer(
    *, sheet_id: int, side: Side, seen_version: int, agrees: bool, actor: Actor, note: str = ""
) -> Confirmation:
    """One side says that the finished sheet is right, or that it isn't (a dispute).

    Raises DomainError `sheet_not_full`, and `sheet_moved_on` when the sheet has changed since.
    """
    sheet = sheet_lock(sheet_id)
    if not sheet.is_full:
        raise DomainError("sheet_not_full", _("Write all deals first."))
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Look at it once more."))
    answer, _made = Confirmation.objects.update_or_create(
        sheet=sheet,
        side=side,
        sheet_version=sheet.version,
        defaults={"agrees": agrees, "note": note.strip(), "by": actor.ref, "settled_at": None},
    )
    _answer_announce(sheet, answer, actor, "sheet_agreed" if agrees else "sheet_disputed")
    return answer


@transaction.atomic
def dispute_settle(*, confirmation_id: int, actor: Actor) -> Confirmation:
    """The director has dealt with a dispute."""
    answer = Confirmation.objects.select_for_update().get(pk=confirmation_id)
    answer.settled_at = timezone.now()
    answer.save(update_fields=["settled_at"])
    _answer_announce(sheet_lock(answer.sheet_id), answer, actor, "dispute_settled")
    return answer


def mirrored(written: Written, *, keep_declarer: bool = False) -> dict[str, object]:
    """The same deal with the sides swapped, in every key that names a side or a seat."""
    swapped: dict[str, object] = {}
    for key, value in written.items():
        if key == "declarer" and keep_declarer:
            swapped[key] = value
        elif key == "corrections" and isinstance(value, list):
            swapped[key] = [
                {k: MIRRORED.get(v, v) if k in ("seat", "side") else v for k, v in line.items()}
                for line in value
            ]
        elif isinstance(value, dict):
            swapped[key] = {MIRRORED[side]: content for side, content in value.items()}
        elif key in ("declarer", "pit", "reneged", "accused_wrongly_by"):
            swapped[key] = MIRRORED.get(str(value), value)
        else:
            swapped[key] = value
    return swapped


def _deals(sheet: Scoresheet) -> list[Deal]:
    return list(sheet.deals.select_related("current").order_by("number"))


def _content(deal: Deal) -> dict[str, object] | None:
    return deal.current.written if deal.current else None


def _replace(
    sheet: Scoresheet, deal: Deal, written: Written | None, *, actor: Actor, reason: str
) -> None:
    if written == _content(deal):
        return
    entry_append(
        deal=deal,
        seen_version=deal.version,
        uuid=uuids.uuid4(),
        written=written,
        sheet=sheet,
        actor=actor,
        reason=reason,
    )


def _sits_elsewhere(sheet: Scoresheet, seat: str, member: Member, from_deal: int) -> bool:
    """Whether somebody holds another seat of this sheet at `from_deal` or later."""
    return any(
        holder.member_id == member.pk
        for other in "NESW"
        if other != seat
        for holder in _holders_from(sheet, other, from_deal)
    )


def _holders_from(sheet: Scoresheet, seat: str, from_deal: int) -> list[Seat]:
    holders = list(sheet.seats.filter(seat=seat).order_by("from_deal"))
    earlier = [holder for holder in holders if holder.from_deal <= from_deal]
    return earlier[-1:] + [holder for holder in holders if holder.from_deal > from_deal]


def _answer_announce(sheet: Scoresheet, answer: Confirmation, actor: Actor, action: str) -> None:
    event_append(
        chain=sheet,
        club=sheet.club,
        actor=actor,
        action=action,
        object_ref="sheet",
        data={"side": answer.side, "version": answer.sheet_version},
        texts={"note": answer.note},
    )
    sheet_changed.send(sender=Scoresheet, sheet=sheet)
