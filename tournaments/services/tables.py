"""What a director does at one table: a substitute takes over."""

from typing import cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from scoring.models import Seat
from scoring.services import seat_take_over, sheets_lock
from tournaments.models import Evening, Placement, Registration, Round, Table
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.to_come import WAITING


@transaction.atomic
def table_substitute(
    *,
    table_id: int,
    seat: str,
    member: Member,
    from_deal: int,
    for_himself: bool,
    actor: Actor,
) -> Placement:
    """Let `member` take over a seat from deal `from_deal`; the points of those deals go to them
    (`for_himself`) or stay with the person who left. In later rounds that are drawn and have not
    started they take that person's seats too, unless they have one. Somebody who plays this round
    at another table can only play here for the person who left. An extra seat counts for nobody,
    unless they play there for themselves.

    Raises DomainError `evening_state`, `round_gone`, `member_of_another_club`, `already_seated`,
    `seat_empty`, `round_waits` (until then the draw fills an extra seat), `deal_unknown` or
    `sheet_closed`.
    """
    evening, table = _lock(table_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    leaving = _placement(table, seat)
    _require_free(table, member, seat, for_himself=for_himself)
    seats = [(leaving, from_deal), *((later, 1) for later in _later_rounds(leaving, member))]
    sheets_lock(*(placed.table.sheet_id for placed, _deal in seats if placed.table))
    gone = _holder(leaving, from_deal)[0]
    placement, *_later = [
        _take_seat(placed, member, first_deal, for_himself=for_himself, actor=actor)
        for placed, first_deal in seats
    ]
    for later, _deal in seats[1:]:
        later.round.save_changes()
    Registration.objects.update_or_create(
        evening=evening, member=member, defaults={"present": True, "absence": ""}
    )
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


def _lock(table_id: int) -> tuple[Evening, Table]:
    """The table with its evening locked; somebody may just have undone its draw."""
    tables = Table.objects.select_related("round")
    unlocked = tables.filter(pk=table_id).first()
    evening = evening_lock(unlocked.round.evening_id) if unlocked else None
    table = tables.filter(pk=table_id).first()
    if evening is None or table is None:
        raise DomainError("round_gone", _("This round is no longer there: the draw was undone."))
    return evening, table


def _placement(table: Table, seat: str) -> Placement:
    """Who was placed there first: by the draw, or in an extra seat."""
    placements = Placement.objects.select_related("round", "table", "member")
    placement = placements.filter(table=table, seat=seat).order_by("substitute", "pk").first()
    if placement is None:
        raise DomainError("seat_empty", _("Nobody sits there."))
    if placement.substitute and table.round.state in WAITING:
        raise DomainError(
            "round_waits", _("This round has not started: choose at the draw who plays twice.")
        )
    return placement


def _require_free(table: Table, member: Member, seat: str, *, for_himself: bool) -> None:
    names = {"name": member.name}
    besides = _seats_besides(table, member, seat)
    if besides.filter(table=table).exists():
        raise DomainError("already_seated", _("%(name)s already sits at this table.") % names)
    if for_himself and (other := besides.select_related("table").first()):
        number = other.table.number if other.table else 0
        raise DomainError(
            "already_seated",
            _(
                "%(name)s already plays this round at table %(n)s, so the points here can only be "
                "for who stops."
            )
            % {**names, "n": number},
        )


def _seats_besides(table: Table, member: Member, seat: str) -> QuerySet[Placement]:
    """Where else somebody plays in the round of this table than in this seat."""
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
    """Who played there until `from_deal`, and who has the points of that."""
    before = Seat.objects.filter(
        sheet__table=leaving.table, seat=leaving.seat, from_deal__lt=from_deal
    ).order_by("-from_deal")
    holder = before.select_related("member", "counts_for").first()
    if holder is None or holder.member is None:
        return leaving.member, leaving.member
    return holder.member, holder.counts_for or holder.member


def _later_rounds(leaving: Placement, member: Member) -> list[Placement]:
    """Where the person who leaves sits in drawn rounds, except those in which `member` plays."""
    if leaving.substitute:
        return []
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
