"""What every service of an evening shares: the lock, the count, the trail."""

from collections.abc import Mapping

from django.db.models import F
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from tournaments.models import Evening


def evening_lock(evening_id: int) -> Evening:
    """The evening, held until the end of the transaction."""
    locked = Evening.objects.select_for_update(of=("self",))
    return locked.select_related("club", "regulation", "season").get(pk=evening_id)


def evening_touch(
    evening: Evening,
    *,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Count the evening's revision up and put what happened in the club's trail."""
    revision_bump(evening.pk)
    event_append(
        chain=evening.club,
        club=evening.club,
        actor=actor,
        action=action,
        object_ref=f"evening:{evening.uuid}",
        data=data,
        texts=texts,
    )


def revision_bump(evening_id: int) -> None:
    """Tell everybody who looks at this evening that there is something new."""
    Evening.objects.filter(pk=evening_id).update(revision=F("revision") + 1)


def require_state(evening: Evening, *states: Evening.State) -> None:
    """Raises DomainError `evening_state` when the evening is in none of `states`."""
    if evening.state not in states:
        raise DomainError(
            "evening_state",
            _("That cannot be done now: the evening is %(state)s.")
            % {"state": evening.get_state_display()},
            state=evening.state,
        )
