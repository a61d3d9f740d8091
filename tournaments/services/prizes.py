"""The prizes of an evening and of a season, and the stakes people pay."""

from collections.abc import Collection
from dataclasses import fields

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Member
from clubs.services import club_lock
from tournaments.models import Evening, PrizesAndStakes, Registration, Season, Stakes
from tournaments.prizes.core import PrizeScheme
from tournaments.services._evening import (
    answers_apply,
    evening_lock,
    evening_note,
    require_state,
)
from tournaments.stakes import stake_due

NOT_CANCELLED = (Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CLOSED)


def prizes_and_stakes_of(evening: Evening) -> PrizesAndStakes:
    """The prizes and stakes of this evening, for a new one."""
    values = {field.name: getattr(evening, field.name) for field in fields(PrizesAndStakes)}
    return PrizesAndStakes(**values)


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


@transaction.atomic
def season_prizes_choose(*, season: Season, scheme: PrizeScheme, actor: Actor) -> Season:
    """Choose which prizes there are in a season. The same choice again changes nothing."""
    club = club_lock(season.club_id)
    wanted = scheme.as_json()
    if season.prizes == wanted:
        return season
    season.prizes = wanted
    season.save(update_fields=["prizes"])
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="season_prizes_chosen",
        object_ref=f"season:{season.pk}",
        data={"prizes": wanted},
    )
    return season


@transaction.atomic
def stakes_set(*, evening_id: int, stakes: Stakes, actor: Actor) -> Evening:
    """Set the stakes; what was paid already stays.

    Raises DomainError `evening_state` for a cancelled evening, or `bad_evening` (params: faults by
    field).
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    before = [evening.stake_member, evening.stake_guest]
    answers_apply(evening, stakes)
    after = [evening.stake_member, evening.stake_guest]
    if before == after:
        return evening
    evening.save(update_fields=["stake_member", "stake_guest"])
    evening_note(evening, actor=actor, action="stakes_set", data={"stakes": [before, after]})
    return evening


@transaction.atomic
def stake_pay(*, evening_id: int, member: Member, cents: int | None, actor: Actor) -> Registration:
    """Record what somebody paid; None takes it back. The same again changes nothing.

    Raises DomainError `evening_state` for a cancelled evening, or `not_on_the_list` for somebody
    who was never ticked.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    registration = evening.registrations.filter(member=member).first()
    if registration is None:
        raise DomainError(
            "not_on_the_list",
            _("%(name)s is not on the list of this evening.") % {"name": member.name},
        )
    before, registration.paid = registration.paid, cents
    if before == cents:
        return registration
    registration.save(update_fields=["paid"])
    evening_note(
        evening,
        actor=actor,
        action="stake_taken_back" if cents is None else "stake_paid",
        data={"member": str(member.uuid), "cents": [before, cents]},
    )
    return registration


@transaction.atomic
def stakes_tick(
    *, evening_id: int, paid: Collection[Member], taken_back: Collection[Member], actor: Actor
) -> None:
    """Record for several people at once that they paid the stake, or took it back. Somebody who has
    paid something already is left as they are, and nothing changes for anybody else.

    Raises DomainError as `stake_pay` does; then nothing is written.
    """
    evening = evening_lock(evening_id)
    done = set(evening.registrations.exclude(paid=None).values_list("member", flat=True))
    for member in paid:
        if member.pk not in done:
            cents = stake_due(evening, member) or 0
            stake_pay(evening_id=evening_id, member=member, cents=cents, actor=actor)
    for member in taken_back:
        stake_pay(evening_id=evening_id, member=member, cents=None, actor=actor)
