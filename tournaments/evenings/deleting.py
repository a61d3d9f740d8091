"""Deleting an evening on which nothing was played, and putting it back."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.evenings.kinds import parse_entries, parse_kind, start_of
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.evenings.services import entries_begin, next_sequence
from tournaments.models import DeletedEvening, Evening
from tournaments.seating.store import rounds_remove

PLANNED, RUNNING, CANCELLED = Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CANCELLED
NOT_EMPTY = gettext_lazy(
    "Something was written of this evening: deals, a result, money that was paid or a cup. So it"
    " stays. You can call off an evening on which no deals were written."
)


@transaction.atomic
def evening_delete(*, evening_id: int, actor: Actor) -> Evening:
    """Delete an evening on which nothing was played, with its draw and its list of who is here. For
    thirty days `evenings_put_back` can make it again without those two.

    Raises DomainError `evening_state` when it is closed, and `evening_played` when something of it
    must stay: deals, results, money that was paid, a cup that was won.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING, CANCELLED)
    if _holds_something(evening):
        raise DomainError("evening_played", str(NOT_EMPTY))
    try:
        rounds_remove(evening, evening.rounds.all())
    except DomainError as error:
        raise DomainError("evening_played", str(NOT_EMPTY)) from error
    data = {"evening": evening.slug, "date": str(evening.date), "state": evening.state}
    evening_note(
        evening, actor=actor, action="evening_deleted", data=data, texts={"name": evening.name}
    )
    _keep(evening)
    Evening.objects.filter(pk=evening.pk).delete()
    return evening


def _keep(evening: Evening) -> None:
    gone = timezone.now() - DeletedEvening.STAYS
    DeletedEvening.objects.filter(club=evening.club, deleted_at__lt=gone).delete()
    alike = "club", "uuid", "season", "kind", "regulation", "series", "date", "name"
    DeletedEvening.objects.create(
        **{field: getattr(evening, field) for field in (*alike, "version", "revision")},
        settings=start_of(evening).settings,
        was_cancelled=evening.state == CANCELLED,
    )


def deleted_evenings(club: Club) -> QuerySet[DeletedEvening]:
    """The evenings that can be put back, the last deleted first."""
    since = timezone.now() - DeletedEvening.STAYS
    return DeletedEvening.objects.filter(club=club, deleted_at__gte=since)


@transaction.atomic
def evenings_put_back(*, club: Club, ids: Collection[int], actor: Actor) -> list[Evening]:
    """Make these deleted evenings again as they were decided on, at the addresses that their days
    have left. Those that were put back already are passed over."""
    club = club_lock(club.pk)
    kept = deleted_evenings(club).filter(pk__in=ids).order_by("date", "pk")
    evenings = [_put_back(club, deleted, actor) for deleted in kept]
    kept.delete()
    return evenings


def _put_back(club: Club, deleted: DeletedEvening, actor: Actor) -> Evening:
    evening = parse_kind(deleted.settings)
    for name in ("uuid", "season", "kind", "regulation", "series", "date", "name"):
        setattr(evening, name, getattr(deleted, name))
    evening.club, evening.sequence = club, next_sequence(club, deleted.date)
    evening.state = CANCELLED if deleted.was_cancelled else PLANNED
    evening.version, evening.revision = deleted.version + 1, deleted.revision + 1
    evening.save()
    if entries := parse_entries(deleted.settings):
        entries_begin(evening, entries)
    data = {"evening": evening.slug, "date": str(evening.date), "state": evening.state}
    evening_note(
        evening, actor=actor, action="evening_put_back", data=data, texts={"name": evening.name}
    )
    return evening


def _holds_something(evening: Evening) -> bool:
    """Whether there is something other than deals that deleting the evening would lose."""
    paid = evening.registrations.filter(paid__isnull=False)
    results = evening.past_results, evening.competitor_results, evening.play_off_scores
    kept = paid, evening.releases, evening.cupwin_set, *results
    return any(rows.exists() for rows in kept)
