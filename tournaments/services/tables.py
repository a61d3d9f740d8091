"""What a director does at one table: a substitute takes over."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from scoring.services import seat_take_over
from tournaments.models import Evening, Placement, Registration, Round, Table
from tournaments.services._evening import evening_lock, evening_touch, require_state


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
    """Let `member` take over a seat from deal `from_deal`; the points of those deals go to him
    (`for_himself`) or stay with the one who left. In a rotation he also takes the later rounds
    of that seat's player that have not started.

    Raises DomainError `evening_state`, `already_seated` or `deal_unknown`.
    """
    table = Table.objects.select_related("round").get(pk=table_id)
    evening = evening_lock(table.round.evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    leaving = Placement.objects.select_related("member").get(
        table=table, seat=seat, substitute=False
    )
    if Placement.objects.filter(round=table.round, member=member, table__isnull=False).exists():
        raise DomainError(
            "already_seated", _("%(name)s already plays this round.") % {"name": member.name}
        )
    placement = _take_seat(leaving, member, from_deal, for_himself, actor)
    for later in _later_rounds(leaving):
        _take_seat(later, member, 1, for_himself, actor)
    Registration.objects.update_or_create(evening=evening, member=member)
    Registration.objects.filter(evening=evening, member=leaving.member).update(present=False)
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


def _take_seat(
    leaving: Placement, member: Member, from_deal: int, for_himself: bool, actor: Actor
) -> Placement:
    if leaving.table is None:
        raise DomainError("sits_out", _("This person sits out in that round."))
    seat_take_over(
        sheet_id=leaving.table.sheet_id,
        seat=leaving.seat,
        member=member,
        from_deal=from_deal,
        counts_for=None if for_himself else leaving.member,
        actor=actor,
    )
    return Placement.objects.create(
        round=leaving.round, member=member, table=leaving.table, seat=leaving.seat, substitute=True
    )


def _later_rounds(leaving: Placement) -> list[Placement]:
    later = Placement.objects.filter(
        round__evening_id=leaving.round.evening_id,
        round__number__gt=leaving.round.number,
        round__state__in=[Round.State.DRAFT, Round.State.DRAWN],
        member=leaving.member,
        table__isnull=False,
        substitute=False,
    )
    return list(later.select_related("round", "table", "member"))
