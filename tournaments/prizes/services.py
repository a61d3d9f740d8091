"""Choosing the prizes of an evening."""

from dataclasses import fields

from django.db import transaction

from clubs.audit.services import Actor
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.models import Evening, PrizesAndFees
from tournaments.prizes.core import PrizeScheme
from tournaments.registration.entry_fees import NOT_CANCELLED


def prizes_and_fees_of(evening: Evening) -> PrizesAndFees:
    """The prizes and entry fees of this evening, as the start of a new one."""
    values = {field.name: getattr(evening, field.name) for field in fields(PrizesAndFees)}
    return PrizesAndFees(**values)


@transaction.atomic
def evening_prizes_choose(*, evening_id: int, scheme: PrizeScheme, actor: Actor) -> Evening:
    """Choose which prizes there are on an evening. The same choice again changes nothing.

    Raises DomainError `evening_state` for a cancelled evening.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    wanted = scheme.as_json()
    if evening.prizes == wanted:
        return evening
    evening.prizes = wanted
    evening.save(update_fields=["prizes"])
    evening_note(evening, actor=actor, action="prizes_chosen", data={"prizes": wanted})
    return evening
