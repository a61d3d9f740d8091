"""Taking over a draw done by hand as a draft."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from tournaments.draw.core import RoundDraw, Seat, TableDraw
from tournaments.models import Evening, Round
from tournaments.services._drafts import require_seen
from tournaments.services._evening import evening_lock, evening_touch
from tournaments.services._rounds import rounds_create, rounds_remove
from tournaments.services.draws import next_round, require_drawable

Seating = Mapping[Seat, Member] | Mapping[str, Member]


@transaction.atomic
def draw_type_in(
    *,
    evening_id: int,
    tables: Sequence[Seating],
    sit_out: Sequence[Member],
    actor: Actor,
    seen: str | None = None,
) -> Round:
    """Take over a draw done by hand for the next round, replacing the draft marked `seen`.

    Raises DomainError `evening_state`, `draw_final`, `all_drawn`, `draw_by_program` if the method
    leaves nothing to draw by hand, `draw_moved_on` if there is another draft than the one marked
    `seen`, or `draw_faults` with every fault (params: faults): someone placed twice, not placed or
    absent; a table without four people, or on an evening with tables of three, three people with
    West among them, or two not at North and East.
    """
    evening = evening_lock(evening_id)
    require_drawable(evening)
    _require_by_hand(evening)
    require_seen(evening, seen)
    rounds_remove(evening, evening.rounds.filter(state=Round.State.DRAFT))
    first = next_round(evening)
    if faults := _typed_faults(evening, tables, sit_out):
        raise DomainError("draw_faults", _("The draw is not right yet."), faults=faults)
    typed = RoundDraw(
        tables=tuple(
            TableDraw(
                number=number,
                seats={cast("Seat", seat): str(member.pk) for seat, member in seating.items()},
            )
            for number, seating in enumerate(tables, start=1)
        ),
        sit_out=tuple(str(member.pk) for member in sit_out),
    )
    [made] = rounds_create(evening, first, [typed], drawn_by=Round.DrawnBy.HAND)
    evening_touch(evening, actor=actor, action="draw_typed_in", data={"round": first})
    return made


def _require_by_hand(evening: Evening) -> None:
    if not evening.may_be_typed_in:
        raise DomainError(
            "draw_by_program",
            _("This evening the tables follow from each other: let the program draw them."),
        )


def _typed_faults(
    evening: Evening, tables: Sequence[Seating], sit_out: Sequence[Member]
) -> list[str]:
    faults = []
    placed: list[Member] = [member for seating in tables for member in seating.values()] + list(
        sit_out
    )
    if not tables:
        faults.append(_("There is no table yet."))
    for number, seating in enumerate(tables, start=1):
        if set(seating) not in _full_tables(evening):
            faults.append(_("Table %(n)s needs four people.") % {"n": number})
    here = set(Member.objects.filter(registrations__evening=evening, registrations__present=True))
    times = Counter(placed)
    for member in sorted(here.union(placed), key=lambda member: (member.sort_name, member.pk)):
        if times[member] > 1:
            faults.append(_("%(name)s is placed twice.") % {"name": member.name})
        if not times[member]:
            faults.append(_("%(name)s is not placed yet.") % {"name": member.name})
        if member not in here:
            faults.append(_("%(name)s is not on the list of who is here.") % {"name": member.name})
    return faults


def _full_tables(evening: Evening) -> list[set[str]]:
    """The sets of seats that may be filled at a table."""
    threes = evening.leftover == Evening.Leftover.THREE_HANDED
    return [{*"NESW"}, {*"NES"}, {*"NE"}] if threes else [{*"NESW"}]
