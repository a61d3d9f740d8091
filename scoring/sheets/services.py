"""A whole score sheet: created, opened, closed, swapped, moved, its seats taken over."""

import uuid as uuids
from collections.abc import Mapping, Sequence

from django.db import connection, transaction
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from scoring.deals.entries import (
    MOST_DEALS,
    PLAY_OFF,
    entry_append,
    entry_make,
    reason_checked,
    require_open,
    sheet_lock,
    sheet_touch,
    sheets_lock,
)
from scoring.deals.evaluation import Written
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused
from scoring.disputes.services import claims_lift, claims_put
from scoring.models import Deal, DealEntry, Regulation, Scoresheet, Seat
from scoring.paper_check.services import paper_totals_exchange, paper_totals_mirror
from scoring.rules import NO_TRUMP_DEAL_POINTS, SEATS, THREE, TRUMP_DEAL_POINTS, TWO
from scoring.rules import Seat as SeatName
from scoring.sheets.side_totals import totals_exchange, totals_mirror

MIRRORED = {"N": "E", "E": "N", "S": "W", "W": "S", "NS": "EW", "EW": "NS"}
OPEN, CLOSED = Scoresheet.State.OPEN, Scoresheet.State.CLOSED
Kind = DealEntry.Kind


@transaction.atomic
def sheets_create(
    *,
    club: Club,
    regulation: Regulation,
    deals: int,
    seatings: Sequence[Mapping[SeatName, Member]],
    first_dealer: str = "E",
    target: int | None = None,
    first_trump: str = "",
    first_reneging_replayed: bool = False,
    state: str = OPEN,
) -> list[Scoresheet]:
    """One sheet per seating (seat → member), all lines blank. A seating without West is a table of
    three, who leave that seat to the dummy; one of North and East alone is a table of two.

    With a `target` a sheet has as many lines as it can need, whatever `deals` says. The other
    settings are what `Scoresheet` says of them.
    """
    sheets = Scoresheet.objects.bulk_create(
        Scoresheet(
            club=club,
            regulation=regulation,
            three_handed=set(seating) == set(THREE),
            two_handed=set(seating) == set(TWO),
            deals_planned=lines_needed(target, regulation, len(seating)) if target else deals,
            first_dealer=first_dealer,
            target=target,
            first_trump=first_trump,
            first_reneging_replayed=first_reneging_replayed,
            state=state,
        )
        for seating in seatings
    )
    _lines_create(sheets)
    # By ids: setting the objects takes a third of the time for a hall of 400.
    Seat.objects.bulk_create(
        Seat(sheet_id=sheet.pk, seat=seat, member_id=seating[seat].pk if seat in seating else None)
        for sheet, seating in zip(sheets, seatings, strict=True)
        for seat in SEATS
    )
    return sheets


# Written out: three rounds of a hundred tables are 4,800 lines, and as many objects would take
# most of the time of a draw.
BLANK_LINES = (
    "WITH RECURSIVE line(number) AS ("
    "SELECT 1 UNION ALL SELECT number + 1 FROM line WHERE number < %s)"
    " INSERT INTO scoring_deal (sheet_id, number, version)"
    " SELECT sheet.id, line.number, 0 FROM scoring_scoresheet AS sheet"
    " JOIN line ON line.number <= sheet.deals_planned WHERE sheet.id IN ({ids})"
    " ORDER BY sheet.id, line.number"
)


def _lines_create(sheets: Sequence[Scoresheet]) -> None:
    if not sheets:
        return
    most = max(sheet.deals_planned for sheet in sheets)
    ids = ", ".join(["%s"] * len(sheets))
    with connection.cursor() as cursor:
        cursor.execute(BLANK_LINES.format(ids=ids), [most, *(sheet.pk for sheet in sheets)])


def lines_needed(target: int, regulation: Regulation, people: int = 4) -> int:
    """The number of deals after which a side, or one of three `people`, must have the target.

    Until then each has less than the target, and each deal brings them at least 162 together (130
    in no-trump). A nil can bring less and a correction can take points away; then the sheet gets
    another line when it is full.
    """
    scores = 3 if people == 3 else 2
    least = NO_TRUMP_DEAL_POINTS if regulation.rules.no_trump else TRUMP_DEAL_POINTS
    return min(MOST_DEALS, scores * (target - 1) // least + 1)


@transaction.atomic
def sheet_first_dealer(
    *, sheet_id: int, seat: SeatName, seen_version: int, actor: Actor
) -> Scoresheet:
    """Set who deals first, where that is drawn at the table.

    It can be changed until a deal is written; a repeat changes nothing. Raises
    DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`, `deals_written`, or
    `sheet_moved_on` when the sheet changed since `seen_version`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.first_dealer == seat:
        return sheet
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Please check it again."))
    if sheet.first_dealer and _is_begun(sheet):
        raise DomainError(
            "deals_written", _("A deal is written, so who deals first can no longer be changed.")
        )
    before, sheet.first_dealer = sheet.first_dealer, seat
    data: dict[str, object] = {"old": before, "seat": seat}
    sheet_touch(sheet, actor=actor, action="first_dealer_set", data=data)
    return sheet


def sheets_prepare(
    sheets: QuerySet[Scoresheet],
    *,
    first_dealer: str,
    first_trump: str,
    first_reneging_replayed: bool,
) -> int:
    """Change how these sheets are played, those still planned and so blank. Returns how many. Who
    deals a folder follows from its number."""
    planned = sheets.filter(state=Scoresheet.State.PLANNED)
    planned.exclude(deals__folder__isnull=False).update(first_dealer=first_dealer)
    return planned.update(first_trump=first_trump, first_reneging_replayed=first_reneging_replayed)


def sheets_close(sheets: QuerySet[Scoresheet]) -> int:
    """Close these sheets; after that only a director can change a deal. Returns how many."""
    return sheets.update(state=CLOSED)


def sheets_open(sheets: QuerySet[Scoresheet]) -> int:
    """Open these sheets, planned or closed until now, for deals. Returns how many."""
    return sheets.update(state=OPEN)


@transaction.atomic
def sheet_swap_sides(*, sheet_id: int, actor: Actor, reason: str) -> Scoresheet:
    """Swap *wij* and *zij* in everything written on the sheet; each deal gets a new revision.

    Where the regulation says who declares, the declarer stays and only the figures swap. Raises
    DealRefused (params: number) when a deal is impossible the other way round, and DomainError
    `sheet_closed`, `sheet_not_started`, `three_handed` (no sides to swap), `reason_needed` or
    `reason_too_long`.
    """
    reason = reason_checked(reason)
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.three_handed:
        raise DomainError("three_handed", _("At a table of three everybody plays for themselves."))
    forced = sheet.regulation.rules.bidding in ("forehand_must", "dealer_must")
    entries = []
    for deal in _deals(sheet):
        if (written := _content(deal)) is not None:
            swapped = mirrored(written, keep_declarer=forced)
            entries += _replace(sheet, deal, swapped, kind=Kind.SWAPPED, actor=actor, reason=reason)
    totals_mirror(sheet)
    paper_totals_mirror(sheet)
    sheet.play_off_ns, sheet.play_off_ew = sheet.play_off_ew, sheet.play_off_ns
    texts = {"reason": reason}
    sheet_touch(sheet, actor=actor, action="sides_swapped", entries=entries, texts=texts)
    return sheet


@transaction.atomic
def sheet_move(*, from_id: int, to_id: int, actor: Actor, reason: str) -> None:
    """Exchange what is written on two sheets, when a table wrote on the wrong one.

    The players stay where they sit; the first dealer and the open claims go with the deals, but for
    the dealer of folders, which stay at their table. Raises
    DomainError `sheets_differ` when the sheets differ in length, regulation or number of people,
    `sheet_gone`, `sheet_closed`, `sheet_not_started`, `reason_needed` or `reason_too_long`.
    """
    reason = reason_checked(reason)
    first, *rest = sheets_lock(from_id, to_id)
    if [_kind_of_sheet(sheet) for sheet in rest] != [_kind_of_sheet(first)]:
        raise DomainError("sheets_differ", _("These two sheets cannot change places."))
    second = rest[0]
    require_open(first)
    require_open(second)
    lifted = claims_lift(first, second, actor=actor)
    entries = _deals_exchange(first, second, actor=actor, reason=reason)
    totals_exchange(first, second)
    paper_totals_exchange(first, second)
    folders = Deal.objects.filter(sheet__in=(first, second), folder__isnull=False).exists()
    for column in PLAY_OFF if folders else ("first_dealer", *PLAY_OFF):
        contents = getattr(first, column), getattr(second, column)
        setattr(second, column, contents[0])
        setattr(first, column, contents[1])
    for sheet, other_sheet in ((first, second), (second, first)):
        sheet_touch(
            sheet,
            actor=actor,
            action="sheet_moved",
            entries=entries[sheet],
            data={"other": str(other_sheet.uuid)},
            texts={"reason": reason},
        )
        come = [claim for claim in lifted if claim.deal.sheet_id == other_sheet.pk]
        claims_put(come, sheet=sheet, actor=actor)


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
    """Let `member` play on at `seat` from deal `from_deal`; the points go to `counts_for`, or
    to the substitute when that is None.

    A second call for the same deal replaces the first. Raises DomainError
    `sheet_gone`, `sheet_closed`, `deal_unknown` or `already_seated`.
    """
    sheet = sheet_lock(sheet_id)
    if sheet.state == CLOSED:
        require_open(sheet)
    if not 1 <= from_deal <= sheet.deals_planned:
        raise DomainError("deal_unknown", _("This sheet has no deal %(n)s.") % {"n": from_deal})
    if _sits_already(sheet, seat, member, from_deal):
        raise DomainError(
            "already_seated", _("%(name)s already sits at this table.") % {"name": member.desk_name}
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
        data={
            "seat": seat,
            "from_deal": from_deal,
            "member": str(member.uuid),
            "counts_for": str((counts_for or member).uuid),
        },
    )
    return held


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


def _deals_exchange(
    first: Scoresheet, second: Scoresheet, *, actor: Actor, reason: str
) -> dict[Scoresheet, list[DealEntry]]:
    """Write on each sheet what the other had; returns the new entries of both."""
    entries: dict[Scoresheet, list[DealEntry]] = {first: [], second: []}
    for deal, other in zip(_deals(first), _deals(second), strict=True):
        # Read both before either is replaced.
        content, other_content = _content(deal), _content(other)
        entries[first] += _replace(
            first, deal, other_content, kind=Kind.MOVED, actor=actor, reason=reason
        )
        entries[second] += _replace(
            second, other, content, kind=Kind.MOVED, actor=actor, reason=reason
        )
    return entries


def _deals(sheet: Scoresheet) -> list[Deal]:
    return list(sheet.deals.select_related("current").order_by("number"))


def _content(deal: Deal) -> dict[str, object] | None:
    return deal.current.written if deal.current else None


def _kind_of_sheet(sheet: Scoresheet) -> tuple[int | None, ...]:
    return sheet.deals_planned, sheet.target, sheet.regulation_id, len(sheet.people)


def _is_begun(sheet: Scoresheet) -> bool:
    written = sheet.deals.filter(current__written__isnull=False).exists()
    return written or sheet.side_totals.exists()


def _replace(
    sheet: Scoresheet,
    deal: Deal,
    written: Written | None,
    *,
    kind: str,
    actor: Actor,
    reason: str,
) -> list[DealEntry]:
    """Append a revision to a deal; returns no entry when nothing changes."""
    if written == _content(deal):
        return []
    try:
        made = entry_make(
            deal=deal,
            uuid=uuids.uuid4(),
            written=written,
            kind=kind,
            sheet=sheet,
            actor=actor,
            reason=reason,
        )
    except DealRefused as refused:
        raise refused.of_deal(deal.number) from refused
    return [entry_append(made, seen_version=deal.version)]


def _sits_already(sheet: Scoresheet, seat: str, member: Member, from_deal: int) -> bool:
    """Whether somebody holds another seat of this sheet at `from_deal` or later, or this one
    since before it."""
    return any(
        holder.member_id == member.pk
        for other in SEATS
        for holder in _holders_from(sheet, other, from_deal)
        if other != seat or holder.from_deal < from_deal
    )


def _holders_from(sheet: Scoresheet, seat: str, from_deal: int) -> list[Seat]:
    holders = list(sheet.seats.filter(seat=seat).order_by("from_deal"))
    earlier = [holder for holder in holders if holder.from_deal <= from_deal]
    return earlier[-1:] + [holder for holder in holders if holder.from_deal > from_deal]


# Many score sheets read at once.


def sheet_views(sheets: Sequence[Scoresheet]) -> list[SheetView]:
    """A view of each sheet, in the same order: four queries, however many there are.

    Give them with their `regulation` and `club` selected, as for SheetView.
    """
    holders = Seat.objects.select_related("member", "counts_for").order_by("from_deal")
    deals = Deal.objects.select_related("current").order_by("number")
    prefetch_related_objects(
        sheets,
        Prefetch("seats", queryset=holders),
        Prefetch("deals", queryset=deals),
        "side_totals",
        "confirmations",
    )
    return [_view(sheet) for sheet in sheets]


def _view(sheet: Scoresheet) -> SheetView:
    view = SheetView(sheet)
    view.holders = list(sheet.seats.all())
    view.deals = list(sheet.deals.all())
    return view


# The code on a printed sheet that names it: only digits, so that it stays small.

_SHEET, _SPARE, _COMPACT, _SEAL = "7", "8", "9", 13


def sheet_code(sheet: Scoresheet, page: int, *, compact: bool = False) -> str:
    """What the QR code of a page of this sheet says: which sheet it is, whether this is the compact
    form of it, the page, and a seal that only this server can set."""
    return _sealed(f"{_COMPACT if compact else _SHEET}{sheet.uuid.int:039d}{page}")


def spare_code(sheet: Scoresheet, page: int, *, occasion: uuids.UUID, compact: bool) -> str:
    """The same of a page of a spare sheet, which says all that its form depends on; `occasion` is
    when it is played."""
    form = sheet.regulation.rules.no_trump + 2 * sheet.three_handed + 4 * compact
    return _sealed(f"{_SPARE}{occasion.int:039d}{page}{sheet.deals_planned:02d}{form}")


def sheet_of_code(code: str) -> tuple[uuids.UUID, int] | None:
    """The sheet and the page that a code names; None for one that this server did not make."""
    named = _unsealed(code, _COMPACT if code[:1] == _COMPACT else _SHEET, 41)
    return None if named is None else (named, int(code[40]))


def occasion_of_code(code: str) -> uuids.UUID | None:
    """When the spare sheet is played that a code names; None for another code, and for one that
    this server did not make."""
    return _unsealed(code, _SPARE, 44)


def _sealed(named: str) -> str:
    return f"{named}{_seal(named)}"


def _unsealed(code: str, kind: str, length: int) -> uuids.UUID | None:
    named, seal = code[:-_SEAL], code[-_SEAL:]
    if not (code.isascii() and code.isdigit() and code[0] == kind and len(named) == length):
        return None
    if not constant_time_compare(seal, _seal(named)) or int(named[1:40]) >= 1 << 128:
        return None
    return uuids.UUID(int=int(named[1:40]))


def _seal(named: str) -> str:
    digest = salted_hmac("scoring.sheets.code", named, algorithm="sha256").hexdigest()
    return f"{int(digest, 16) % 10**_SEAL:0{_SEAL}d}"
