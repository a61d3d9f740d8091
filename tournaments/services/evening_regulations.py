"""Planned evenings take over a change of the regulation they are planned with."""

from collections.abc import Collection

from django.db import transaction

from clubs.audit import Actor
from clubs.services import club_lock
from scoring.models import Regulation
from tournaments.models import Evening
from tournaments.regulation_use import evenings_to_come
from tournaments.services._evening import evening_touch


@transaction.atomic
def evenings_take_regulation(
    *, regulation: Regulation, evening_ids: Collection[int], actor: Actor
) -> list[Evening]:
    """Play by this version on those of these evenings that can still choose; gives those back.

    That are planned evenings without a draw that have another version of the same regulation.
    """
    club_lock(regulation.club_id)
    taken = list(evenings_to_come(regulation).filter(pk__in=evening_ids))
    for evening in taken:
        if evening.regulation_id != regulation.pk:
            _take(evening, regulation, actor)
    return taken


def _take(evening: Evening, regulation: Regulation, actor: Actor) -> None:
    change = [evening.regulation_id, regulation.pk]
    evening.regulation = regulation
    evening.save(update_fields=["regulation"])
    evening_touch(
        evening,
        actor=actor,
        action="evening_changed",
        data={"date": str(evening.date), "regulation": change},
    )
