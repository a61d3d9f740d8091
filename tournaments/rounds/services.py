"""A round: started, closed under a seal, reopened; and a substitute who takes over a seat."""

from itertools import takewhile
from typing import cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.deals.entries import reason_checked, sheets_lock
from scoring.models import Scoresheet, Seat
from scoring.sheets.services import seat_take_over, sheets_close, sheets_open
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Placement, Registration, Round, Table
from tournaments.releases.services import sheets_sealed
from tournaments.seating.store import WAITING
from tournaments.table_links.services import tokens_ensure

RUNNING = Evening.State.RUNNING


@transaction.atomic
def round_start(*, round_id: int, actor: Actor) -> Round:
    """Let the tables of a drawn round write deals.

    In a rotation the round before may still be running, since each table goes on by itself.
    Raises DomainError `evening_state`, `round_gone`, `round_state` or `round_before_running`.
    """
    round_ = _round_lock(round_id)
    require_state(round_.evening, Evening.State.PLANNED, RUNNING)
    _require(round_, Round.State.DRAWN)
    earlier = round_.evening.rounds.filter(number__lt=round_.number)
    if round_.evening.method != Evening.Method.ROTATION:
        earlier = earlier.exclude(state=Round.State.CLOSED)
    else:
        earlier = earlier.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN])
    if earlier.exists():
        raise DomainError("round_before_running", _("Close the round before this one first."))
    if round_.evening.state != RUNNING:
        round_.evening.state = RUNNING
        round_.evening.save(update_fields=["state"])
    sheets_open(Scoresheet.objects.filter(table__round=round_))
    numbers = round_.tables.values_list("number", flat=True)
    tokens_ensure(evening=round_.evening, tables=max(numbers, default=0))
    return _state_set(round_, Round.State.RUNNING, actor, "round_started")


@transaction.atomic
def round_close(*, round_id: int, actor: Actor, unfinished_reason: str = "") -> Round:
    """Close a round and seal its sheets.

    Refused if a table has not written every deal, unless a reason is given. A deal that is written
    at the same moment is either in the seal or refused.
    Raises DomainError `evening_state`, `round_gone`, `round_state`, `reason_too_long`, or
    `tables_unfinished` (params: tables).
    """
    round_ = _round_lock(round_id)
    require_state(round_.evening, RUNNING)
    _require(round_, Round.State.RUNNING)
    reason = reason_checked(unfinished_reason, needed=False)
    numbers = dict(round_.tables.values_list("sheet_id", "number"))
    # Deals lock their sheet, so with these locks held no deal can slip in behind the seal.
    sheets = sheets_lock(*numbers)
    unfinished = sorted(numbers[sheet.pk] for sheet in sheets if not sheet.is_full)
    if unfinished and not reason:
        raise DomainError(
            "tables_unfinished",
            _("Not finished yet: table %(tables)s.") % {"tables": ", ".join(map(str, unfinished))},
            tables=unfinished,
        )
    sheets_close(Scoresheet.objects.filter(pk__in=numbers))
    sealed = sheets_sealed(round_.tables.select_related("round", "sheet"))
    round_.seal = sealed["seal"]
    return _state_set(
        round_,
        Round.State.CLOSED,
        actor,
        "round_closed",
        data={**sealed, "unfinished": unfinished},
        texts={"reason": reason},
    )


@transaction.atomic
def round_reopen(*, round_id: int, actor: Actor) -> Round:
    """Open a closed round again, so that its tables can write.

    Raises DomainError `evening_state`, `round_gone` or `round_state`.
    """
    round_ = _round_lock(round_id)
    require_state(round_.evening, RUNNING)
    _require(round_, Round.State.CLOSED)
    sheets_open(Scoresheet.objects.filter(table__round=round_))
    round_.seal = ""
    return _state_set(round_, Round.State.RUNNING, actor, "round_reopened")


@transaction.atomic
def table_substitute(
    *,
    table_id: int,
    seat: str,
    member: Member,
    from_deal: int,
    for_himself: bool,
    actor: Actor,
    stays: bool = False,
) -> Placement:
    """Let `member` take over a seat from deal `from_deal`; the points of those deals go to them
    (`for_himself`) or stay with the person who left.

    A substitute plays this round, and with a table that stays together, or a fixed pair, also the
    rounds in which it does; one who `stays` all rounds to come. In those that are drawn and have
    not started they take that person's seats, unless they have one. Who is not needed after a round
    that runs is not listed as here. Somebody who plays this round at another table can only play
    here for the person who left. An extra seat counts for nobody, unless they play for themselves.

    Raises DomainError `evening_state`, `round_gone`, `member_of_another_club`, `already_seated`,
    `seat_empty`, `round_waits` (until then the draw fills an extra seat), `deal_unknown` or
    `sheet_closed`.
    """
    evening, table = _table_lock(table_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    leaving = _placement(table, seat)
    _require_free(table, member, seat, for_himself=for_himself)
    later_rounds = _later_rounds(leaving, member, evening, stays=stays)
    seats = [(leaving, from_deal), *((later, 1) for later in later_rounds)]
    sheets_lock(*(placed.table.sheet_id for placed, _deal in seats if placed.table))
    # The person who stops need not be the one of the draw: a substitute can be replaced as well.
    gone = _holder(leaving, from_deal)[0]
    placement, *_later = [
        _take_seat(placed, member, first_deal, for_himself=for_himself, actor=actor)
        for placed, first_deal in seats
    ]
    for later, _deal in seats[1:]:
        later.round.save_changes()
    comes_back, in_pairs = member == leaving.member, evening.method == Evening.Method.PAIRS
    has_to_wait = bool(later_rounds) or table.round.state in WAITING
    plays_on = stays or in_pairs or comes_back or has_to_wait
    Registration.objects.update_or_create(
        evening=evening,
        member=member,
        defaults={"absence": ""} | ({"present": True} if plays_on else {}),
        create_defaults={"absence": "", "present": plays_on},
    )
    # Somebody who also plays at another table has only left this one.
    if not _seats_besides(table, gone, seat).exists():
        Registration.objects.filter(evening=evening, member=gone).update(present=False)
    evening_touch(
        evening,
        actor=actor,
        action="substitute",
        data={
            "round": table.round.number,
            "table": table.number,
            "seat": seat,
            "from_deal": from_deal,
            "member": str(member.uuid),
            "leaving": str(leaving.member.uuid),
        },
    )
    return placement


def _round_lock(round_id: int) -> Round:
    """The round, with its evening locked. Its draw may have been undone a moment ago."""
    evening_id = Round.objects.filter(pk=round_id).values_list("evening_id", flat=True).first()
    evening = evening_lock(evening_id) if evening_id else None
    round_ = Round.objects.filter(pk=round_id).first()
    if evening is None or round_ is None:
        raise DomainError("round_gone", _("This round no longer exists: the draw was undone."))
    round_.evening = evening
    return round_


def _require(round_: Round, state: Round.State) -> None:
    if round_.state != state:
        raise DomainError(
            "round_state",
            _("That cannot be done now: round %(n)s is %(state)s.")
            % {"n": round_.number, "state": round_.get_state_display()},
        )


def _state_set(
    round_: Round,
    state: Round.State,
    actor: Actor,
    action: str,
    *,
    data: dict[str, object] | None = None,
    texts: dict[str, str] | None = None,
) -> Round:
    round_.state = state
    round_.save(update_fields=["state", "seal"])
    evening_touch(
        round_.evening,
        actor=actor,
        action=action,
        data={"round": round_.number, **(data or {})},
        texts=texts,
    )
    return round_


def _table_lock(table_id: int) -> tuple[Evening, Table]:
    """The table, with its evening locked. Its draw may have been undone a moment ago."""
    tables = Table.objects.select_related("round")
    unlocked = tables.filter(pk=table_id).first()
    evening = evening_lock(unlocked.round.evening_id) if unlocked else None
    table = tables.filter(pk=table_id).first()
    if evening is None or table is None:
        raise DomainError("round_gone", _("This round no longer exists: the draw was undone."))
    return evening, table


def _placement(table: Table, seat: str) -> Placement:
    """The first placement in this seat: by the draw, or as an extra player."""
    placements = Placement.objects.select_related("round", "table", "member")
    placement = placements.filter(table=table, seat=seat).order_by("substitute", "pk").first()
    if placement is None:
        raise DomainError("seat_empty", _("Nobody sits there."))
    if placement.substitute and table.round.state in WAITING:
        raise DomainError(
            "round_waits",
            _(
                "This round has not started: choose the people who play twice on the page of the"
                " draw."
            ),
        )
    return placement


def _require_free(table: Table, member: Member, seat: str, *, for_himself: bool) -> None:
    names = {"name": member.desk_name}
    besides = _seats_besides(table, member, seat)
    if besides.filter(table=table).exists():
        raise DomainError("already_seated", _("%(name)s already sits at this table.") % names)
    if for_himself and (other := besides.select_related("table").first()):
        number = other.table.number if other.table else 0
        raise DomainError(
            "already_seated",
            _(
                "%(name)s already plays this round at table %(n)s, so the points here can "
                "only go to the person who stops."
            )
            % {**names, "n": number},
        )


def _seats_besides(table: Table, member: Member, seat: str) -> QuerySet[Placement]:
    """The other seats of somebody in the round of this table."""
    seated = Placement.objects.filter(round=table.round, member=member, table__isnull=False)
    return seated.exclude(table=table, seat=seat)


def _take_seat(
    leaving: Placement, member: Member, from_deal: int, *, for_himself: bool, actor: Actor
) -> Placement:
    table = cast("Table", leaving.table)
    back = member == leaving.member
    stays = not (for_himself or back or leaving.substitute)
    stays_with = _holder(leaving, from_deal)[1] if stays else None
    held = seat_take_over(
        sheet_id=table.sheet_id,
        seat=leaving.seat,
        member=member,
        from_deal=from_deal,
        counts_for=stays_with,
        actor=actor,
    )
    held.extra = leaving.substitute and not for_himself
    held.save(update_fields=["extra"])
    if back:
        return leaving
    placement, _made = Placement.objects.get_or_create(
        round=leaving.round, member=member, table=table, seat=leaving.seat, substitute=True
    )
    return placement


def _holder(leaving: Placement, from_deal: int) -> tuple[Member, Member]:
    """Who played there until `from_deal`, and who gets the points of those deals."""
    before = Seat.objects.filter(
        sheet__table=leaving.table, seat=leaving.seat, from_deal__lt=from_deal
    ).order_by("-from_deal")
    holder = before.select_related("member", "counts_for").first()
    if holder is None or holder.member is None:
        return leaving.member, leaving.member
    return holder.member, holder.counts_for or holder.member


def _later_rounds(
    leaving: Placement, member: Member, evening: Evening, *, stays: bool
) -> list[Placement]:
    """The seats of the person who leaves in drawn rounds, except rounds in which `member` plays.
    Unless they stay, only as long as the table does, or where fixed pairs play."""
    if leaving.substitute:
        return []
    seats = _seats_to_come(leaving, member)
    if stays or evening.method == Evening.Method.PAIRS:
        return seats
    if evening.method != Evening.Method.ROTATION:
        return []
    table = _people_at(leaving)
    return list(takewhile(lambda later: _people_at(later) == table, seats))


def _people_at(placement: Placement) -> set[int]:
    """The people that were drawn for this table."""
    drawn = Placement.objects.filter(table=placement.table, substitute=False)
    return set(drawn.values_list("member_id", flat=True))


def _seats_to_come(leaving: Placement, member: Member) -> list[Placement]:
    own = Placement.objects.filter(member=member, table__isnull=False).values("round")
    later = Placement.objects.filter(
        round__evening_id=leaving.round.evening_id,
        round__number__gt=leaving.round.number,
        round__state__in=[Round.State.DRAFT, Round.State.DRAWN],
        member=leaving.member,
        table__isnull=False,
        substitute=False,
    ).exclude(round__in=own)
    return list(later.select_related("round", "table", "member").order_by("round__number"))
