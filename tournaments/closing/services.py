"""The end of an evening: close and publish, with who stayed away; call off, undo both, and play off
a tie. And points that the director gives somebody, or takes off, for an evening or a season."""

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.dispatch import Signal
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from scoring.deals.entries import reason_checked
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import (
    Competitor,
    CompetitorCorrection,
    Evening,
    PersonCorrection,
    Placement,
    PlayOffScore,
    Registration,
    Release,
    Round,
    Season,
)
from tournaments.releases.services import release_publish
from tournaments.seating.store import rounds_remove
from tournaments.standings.queries import play_off_rows
from tournaments.standings.summaries import summary_store

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED, CANCELLED = Evening.State.CLOSED, Evening.State.CANCELLED
MOST_POINTS = 5_000
"""More than four extra deals can give."""
evening_closed: Final = Signal()
"""An evening was closed and published: sent with the `evening` and the `actor`."""


def members_not_seen(evening: Evening) -> list[Member]:
    """The members who are neither present nor signed off, by surname; of an evening that takes them
    to have stayed away without notice, else nobody. One query."""
    if not evening.absence_found:
        return []
    here = [group.pk for group in evening.groups] or [evening.pk]
    listed = Registration.objects.filter(evening__in=here)
    listed = listed.filter(Q(present=True) | ~Q(absence=""))
    joined = Q(member_since=None) | Q(member_since__lte=evening.date)
    members = Member.objects.filter(
        joined, club=evening.club_id, kind=Member.Kind.MEMBER, is_active=True, erased_at=None
    )
    placed = Placement.objects.filter(round__evening__in=here)
    unseen = members.exclude(pk__in=listed.values("member")).exclude(pk__in=placed.values("member"))
    return list(unseen.by_surname())


@transaction.atomic
def evening_close(
    *,
    evening_id: int,
    actor: Actor,
    reason: str = "",
    absences: Mapping[int, str] | None = None,
) -> Release:
    """Close the evening: rounds that never started are deleted, and the standings published.

    Where the evening takes members who were not seen to have stayed away without notice, that is
    recorded; `absences` says otherwise for some, by member id: `notice`, or nothing at all.

    Raises DomainError `evening_state`, `round_running` or `nothing_played`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, RUNNING)
    if evening.rounds.filter(state=Round.State.RUNNING).exists():
        raise DomainError("round_running", _("Close the round first."))
    if not evening.rounds.filter(state=Round.State.CLOSED).exists():
        raise DomainError("nothing_played", _("No round has been played yet."))
    rounds_remove(evening, evening.rounds.exclude(state=Round.State.CLOSED))
    _absences_record(evening, absences or {}, actor)
    evening.frozen = False
    _state_set(evening, CLOSED, actor, "evening_closed")
    release = release_publish(evening=evening, actor=actor, reason=reason)
    evening_closed.send(sender=Evening, evening=evening, actor=actor)
    return release


def _absences_record(evening: Evening, said: Mapping[int, str], actor: Actor) -> None:
    without_notice = Registration.Absence.NONE
    found = {
        member: said.get(member.pk, without_notice)
        for member in members_not_seen(evening)
        if said.get(member.pk, without_notice)
    }
    for member, absence in found.items():
        Registration.objects.update_or_create(
            evening=evening, member=member, defaults={"present": False, "absence": absence}
        )
    if found:
        people = {str(member.uuid): absence for member, absence in found.items()}
        data = {"members": people, "count": len(found)}
        evening_touch(evening, actor=actor, action="absences_found", data=data)


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
def play_off_write(
    *, evening_id: int, scores: Mapping[int, int], actor: Actor, reason: str = ""
) -> Evening:
    """Write the extra-deal `scores` (points by member's id) of everybody tied for first place.

    Replaces earlier scores; the same again changes nothing. Raises DomainError `evening_state`,
    `bad_score` (four deals cannot give that many), `tie_moved_on` if others, or nobody, are tied
    now, or `reason_needed` after a result was published.
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
    was_published = evening.releases.exists()
    reason = _reason(reason) if was_published else reason_checked(reason, needed=False)
    evening.play_off_scores.all().delete()
    PlayOffScore.objects.bulk_create(
        PlayOffScore(evening=evening, member_id=member_id, score=score)
        for member_id, score in scores.items()
    )
    written = {str(member_id): score for member_id, score in sorted(scores.items())}
    evening_touch(
        evening,
        actor=actor,
        action="play_off_written",
        data={"scores": written},
        texts={"reason": reason},
    )
    return evening


@transaction.atomic
def person_correct(
    *, about: Evening | Season, member: Member, points: int, reason: str, actor: Actor
) -> PersonCorrection:
    """Give somebody points for the evening or the season as a whole, or take them off. It counts at
    once in the current standings; published standings of an evening stay as they are.

    Raises DomainError `evening_state`, `member_of_another_club`, `bad_points` or `reason_needed`.
    """
    about = _corrected(about)
    if member.club_id != about.club_id:
        raise DomainError("member_of_another_club", _("This person is not in this club."))
    _require_points(points)
    correction = PersonCorrection.objects.create(
        evening=about if isinstance(about, Evening) else None,
        season=about if isinstance(about, Season) else None,
        member=member,
        points=points,
        reason=_reason(reason),
        user=actor.user,
    )
    _correction_note(about, actor, "person_corrected", correction, _of_person(correction))
    return correction


@transaction.atomic
def person_correction_remove(
    *, about: Evening | Season, correction_id: int, actor: Actor
) -> PersonCorrection | None:
    """Take a correction back, as if it had never been made. Returns it, or None if it is gone.

    Raises DomainError `evening_state`.
    """
    about = _corrected(about)
    correction = about.person_corrections.filter(pk=correction_id).first()
    if correction is not None:
        PersonCorrection.objects.filter(pk=correction.pk).delete()
        action = "person_correction_removed"
        _correction_note(about, actor, action, correction, _of_person(correction))
    return correction


def _of_person(correction: PersonCorrection) -> dict[str, str]:
    return {"member": str(correction.member.uuid)}


@transaction.atomic
def competitor_correct(
    *, season: Season, competitor: Competitor, points: int, reason: str, actor: Actor
) -> CompetitorCorrection:
    """The same for a fixed pair or a team, for a season as a whole.

    Raises DomainError `competitor_of_another_club`, `bad_points` or `reason_needed`.
    """
    about = _corrected(season)
    if competitor.club_id != about.club_id:
        message = _("This pair or team is not one of the club.")
        raise DomainError("competitor_of_another_club", message)
    _require_points(points)
    correction = CompetitorCorrection.objects.create(
        season_id=about.pk,
        competitor=competitor,
        points=points,
        reason=_reason(reason),
        user=actor.user,
    )
    _correction_note(about, actor, "competitor_corrected", correction, _of_competitor(correction))
    return correction


@transaction.atomic
def competitor_correction_remove(
    *, season: Season, correction_id: int, actor: Actor
) -> CompetitorCorrection | None:
    """Take a correction of a pair or team back. Returns it, or None if it is gone."""
    about = _corrected(season)
    made = CompetitorCorrection.objects.filter(season=season).select_related("competitor")
    correction = made.filter(pk=correction_id).first()
    if correction is not None:
        CompetitorCorrection.objects.filter(pk=correction.pk).delete()
        action = "competitor_correction_removed"
        _correction_note(about, actor, action, correction, _of_competitor(correction))
    return correction


def _of_competitor(correction: CompetitorCorrection) -> dict[str, str]:
    return {"of": str(correction.competitor.uuid)}


def _require_points(points: int) -> None:
    if not points or abs(points) > PersonCorrection.MOST_POINTS:
        most = PersonCorrection.MOST_POINTS
        message = _("Write how many points, from -%(most)s to %(most)s and not 0.") % {"most": most}
        raise DomainError("bad_points", message)


def _reason(reason: str) -> str:
    if not reason.strip():
        raise DomainError("reason_needed", _("Give the reason in a few words."))
    return reason_checked(reason)


def _corrected(about: Evening | Season) -> Evening | Season:
    """The evening or season as it is now, locked."""
    if isinstance(about, Season):
        club = club_lock(about.club_id)
        about = Season.objects.get(pk=about.pk)
        about.club = club
        return about
    evening = evening_lock(about.pk)
    require_state(evening, RUNNING, CLOSED)
    return evening


def _correction_note(
    about: Evening | Season,
    actor: Actor,
    action: str,
    correction: PersonCorrection | CompetitorCorrection,
    whose: Mapping[str, str],
) -> None:
    """Count the correction, write it down, and renew what follows from it."""
    data = {**whose, "points": correction.points}
    texts = {"reason": correction.reason}
    if isinstance(correction, CompetitorCorrection):
        texts["competitor"] = correction.competitor.name
    type(about).objects.filter(pk=about.pk).update(corrected=F("corrected") + 1)
    if isinstance(about, Season):
        event_append(
            chain=about.club,
            club=about.club,
            actor=actor,
            action=action,
            object_ref=f"season:{about.pk}",
            data=data,
            texts={**texts, "name": about.name},
        )
        return
    evening_touch(about, actor=actor, action=action, data=data, texts=texts)
    if about.state == CLOSED:
        summary_store(about.pk)
