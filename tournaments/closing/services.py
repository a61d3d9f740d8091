"""The end of an evening: close and publish, call off, undo both, and play off a tie."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, PlayOffScore, Release, Round
from tournaments.releases.services import release_publish
from tournaments.seating.store import rounds_remove
from tournaments.standings.queries import play_off_rows

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED, CANCELLED = Evening.State.CLOSED, Evening.State.CANCELLED
MOST_POINTS = 5_000
"""More than four extra deals can give."""


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


@transaction.atomic
def play_off_write(*, evening_id: int, scores: Mapping[int, int], actor: Actor) -> Evening:
    """Write the extra-deal `scores` (points by member's id) of everybody tied for first place.

    Replaces earlier scores; the same again changes nothing. Raises DomainError `evening_state`,
    `bad_score` (four deals cannot give that many), or `tie_moved_on` if others, or nobody, are tied
    now.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.RUNNING, Evening.State.CLOSED)
    if {row.member_id for row in play_off_rows(evening)} != set(scores) or not scores:
        raise DomainError(
            "tie_moved_on",
            _("The standings have changed: check again who shares first place."),
        )
    if any(abs(score) > MOST_POINTS for score in scores.values()):
        raise DomainError("bad_score", _("Four deals cannot give that many points."))
    before = dict(evening.play_off_scores.values_list("member_id", "score"))
    if before == dict(scores):
        return evening
    evening.play_off_scores.all().delete()
    PlayOffScore.objects.bulk_create(
        PlayOffScore(evening=evening, member_id=member_id, score=score)
        for member_id, score in scores.items()
    )
    written = {str(member_id): score for member_id, score in sorted(scores.items())}
    evening_touch(evening, actor=actor, action="play_off_written", data={"scores": written})
    return evening
