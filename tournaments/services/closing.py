"""The end of an evening: closed with its standings published, called off, and both undone."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from tournaments.models import Evening, Release, Round
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.services._rounds import rounds_remove
from tournaments.services.releases import release_publish

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED, CANCELLED = Evening.State.CLOSED, Evening.State.CANCELLED


@transaction.atomic
def evening_close(*, evening_id: int, actor: Actor, reason: str = "") -> Release:
    """Close the evening: rounds that never started are deleted, and the standings published.

    Raises DomainError `evening_state`, `round_running` or `nothing_played`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, RUNNING)
    if evening.rounds.filter(state=Round.State.RUNNING).exists():
        raise DomainError("round_running", _("Close the round first."))
    if not evening.rounds.filter(state=Round.State.CLOSED).exists():
        raise DomainError("nothing_played", _("No round has been played yet."))
    rounds_remove(evening, evening.rounds.exclude(state=Round.State.CLOSED))
    evening.frozen = False
    _state_set(evening, CLOSED, actor, "evening_closed")
    return release_publish(evening=evening, actor=actor, reason=reason)


@transaction.atomic
def evening_reopen(*, evening_id: int, actor: Actor) -> Evening:
    """Open a closed evening again; published standings stay as they are."""
    evening = evening_lock(evening_id)
    require_state(evening, CLOSED)
    if evening.is_history:
        raise DomainError("evening_imported", _("Import this evening again to change it."))
    return _state_set(evening, RUNNING, actor, "evening_reopened")


@transaction.atomic
def evening_cancel(*, evening_id: int, actor: Actor) -> Evening:
    """Call the evening off. Its draw is deleted; nothing that was played can be lost.

    Raises DomainError `evening_state`, or `deals_written` when there are deals.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    rounds_remove(evening, evening.rounds.all())
    return _state_set(evening, CANCELLED, actor, "evening_cancelled")


@transaction.atomic
def evening_restore(*, evening_id: int, actor: Actor) -> Evening:
    """Plan a cancelled evening again."""
    evening = evening_lock(evening_id)
    require_state(evening, CANCELLED)
    return _state_set(evening, PLANNED, actor, "evening_restored")


def _state_set(evening: Evening, state: Evening.State, actor: Actor, action: str) -> Evening:
    evening.state = state
    evening.save(update_fields=["state", "frozen"])
    evening_touch(evening, actor=actor, action=action)
    return evening
