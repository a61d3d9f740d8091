"""The extra deals of those who share the first place after the last round."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from tournaments.models import Evening, PlayOffScore
from tournaments.queries import play_off_rows
from tournaments.services._evening import evening_lock, evening_touch, require_state

MOST_POINTS = 5_000


@transaction.atomic
def play_off_write(*, evening_id: int, scores: Mapping[int, int], actor: Actor) -> Evening:
    """Write what everybody who ties for the first place scored in the extra deals (member's id to
    points), over what was written of them before. The same again changes nothing.

    Raises DomainError `evening_state`, `bad_score` (no four deals give that), or `tie_moved_on`
    when it is others who tie now, or nobody.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.RUNNING, Evening.State.CLOSED)
    if {row.member_id for row in play_off_rows(evening)} != set(scores) or not scores:
        raise DomainError(
            "tie_moved_on",
            _("The standings have changed: look once more who shares the first place."),
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
