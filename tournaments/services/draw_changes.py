"""Adapting the draw to someone who comes or leaves, changing as few tables as possible."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from tournaments.models import Evening
from tournaments.services._changing import DrawChanges, PersonChange, adapt_preview
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.services._rewriting import round_rewrite
from tournaments.services.links import links_follow


@transaction.atomic
def draw_adapt(
    *, evening_id: int, actor: Actor, members: Collection[Member] = (), seen: str = ""
) -> DrawChanges:
    """Add those who came since the draw to the rounds to come, and remove those who left.

    Only these `members`, or everyone. Returns the changes: at most two tables a round for each of
    them; sheets on other tables stay. A table that is new or changes size gets a blank sheet.
    Raises DomainError as `adapt_preview` does, `evening_state`, or `draw_moved_on` if the changes
    are no longer those of the version `seen`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    changes = adapt_preview(evening, members)
    if seen not in ("", changes.version):
        raise DomainError("draw_moved_on", _("Meanwhile the draw or who is here has changed."))
    before, after = changes.steps[0].before, changes.steps[-1].after
    for round_ in evening.rounds.filter(number__in=after).order_by("number"):
        round_rewrite(evening, round_, before[round_.number], after[round_.number])
    links_follow(evening=evening)
    for step in changes.steps:
        _record(evening, step, actor)
    return changes


def _record(evening: Evening, step: PersonChange, actor: Actor) -> None:
    _record_member(evening, step, step.member, actor, comes=step.comes)
    if step.leaver:
        _record_member(evening, step, step.leaver, actor, comes=False)


def _record_member(
    evening: Evening, step: PersonChange, member: Member, actor: Actor, *, comes: bool
) -> None:
    tables = step.changed_tables()
    evening_touch(
        evening,
        actor=actor,
        action="draw_latecomer" if comes else "draw_leaver",
        data={
            "member": str(member.uuid),
            "round": min(tables),
            "tables": [[number, changed] for number, changed in tables.items()],
        },
    )
