"""Changing a regulation, also for planned evenings."""

from collections.abc import Collection, Mapping

from django.db import transaction

from clubs.audit import Actor
from scoring.models import Regulation
from scoring.services import regulation_save
from tournaments.models import Evening
from tournaments.regulation_use import evenings_to_come
from tournaments.services._evening import evening_touch


@transaction.atomic
def regulation_change(
    *,
    regulation: Regulation,
    settings: Mapping[str, object],
    seen: Mapping[str, object],
    evening_ids: Collection[int],
    actor: Actor,
) -> tuple[Regulation, list[Evening]]:
    """Save a regulation as `regulation_save` does, raising what that raises, and use it on those of
    these evenings that can still change: planned, without a draw, with another version of the same
    regulation.

    Returns the regulation as saved, and those evenings.
    """
    saved = regulation_save(
        club=regulation.club, name=regulation.name, settings=settings, seen=seen, actor=actor
    )
    taken = list(evenings_to_come(saved).filter(pk__in=evening_ids))
    for evening in taken:
        if evening.regulation_id != saved.pk:
            _take(evening, saved, actor)
    return saved, taken


def _take(evening: Evening, regulation: Regulation, actor: Actor) -> None:
    change = [evening.regulation_id, regulation.pk]
    evening.regulation = regulation
    evening.save_changes("regulation")
    evening_touch(
        evening,
        actor=actor,
        action="evening_changed",
        data={"date": str(evening.date), "regulation": change},
    )
