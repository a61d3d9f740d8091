"""Evenings that are planned in one go, and taken back in one go."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.evenings.kinds import EveningStart
from tournaments.evenings.services import EveningPlan, evening_create, evening_delete
from tournaments.models import Evening, Season
from tournaments.planner.core.days import MOST
from tournaments.seasons.services import season_on


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEvening:
    """A day on which there is to be an evening, when it begins and what it is like."""

    date: dt.date
    starts_at: dt.time | None
    start: EveningStart


@transaction.atomic
def evenings_plan(*, club: Club, evenings: Sequence[PlannedEvening], actor: Actor) -> uuid.UUID:
    """Make all these evenings or none, each in the season of its date. Returns what they have in
    common, by which they can be taken back.

    Raises DomainError `nothing_planned`, `too_many`, `evening_exists` if there is an evening on one
    of the days, and those of `evening_create`.
    """
    club = club_lock(club.pk)
    if not evenings:
        raise DomainError("nothing_planned", _("Tick at least one day."))
    if len(evenings) > MOST:
        raise DomainError("too_many", _("Make at most %(n)s evenings at a time.") % {"n": MOST})
    taken = days_taken(club, [planned.date for planned in evenings])
    if taken:
        days = ", ".join(date_format(day, "j F Y") for day in sorted(taken))
        message = _("There is already an evening on: %(days)s. Nothing was made.") % {"days": days}
        raise DomainError("evening_exists", message)
    series = uuid.uuid4()
    made = [_create(club, planned, actor).pk for planned in evenings]
    Evening.objects.filter(pk__in=made).update(series=series)
    _note(club, actor, "evenings_planned", evenings, series)
    return series


def days_taken(club: Club, days: Sequence[dt.date]) -> set[dt.date]:
    """On which of these days the club has an evening that was not called off."""
    evenings = Evening.objects.of(club).filter(date__in=days)
    return set(evenings.exclude(state=Evening.State.CANCELLED).values_list("date", flat=True))


def season_of(club: Club, planned: PlannedEvening) -> Season | None:
    """The season of the day; without one, the earlier evening's if that has no days."""
    before = planned.start.season
    if before is not None and not (before.starts or before.ends):
        return before
    return season_on(club, planned.date)


def _create(club: Club, planned: PlannedEvening, actor: Actor) -> Evening:
    start = planned.start
    if start.regulation is None:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    answers: dict[str, Any] = {**start.plan, "starts_at": planned.starts_at, "kind": start.kind}
    plan = EveningPlan(
        date=planned.date,
        season=season_of(club, planned),
        regulation=start.regulation,
        **answers,
    )
    return evening_create(club=club, plan=plan, rules=start.rules, prizes=start.prizes, actor=actor)


def _note(
    club: Club, actor: Actor, action: str, evenings: Sequence[PlannedEvening], series: uuid.UUID
) -> None:
    days = [str(planned.date) for planned in evenings]
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action=action,
        object_ref=f"series:{series}",
        data={"count": len(days), "days": days},
    )


def untouched(evenings: "QuerySet[Evening]") -> "QuerySet[Evening]":
    """Those of these evenings of which nothing is known yet: not drawn, nobody on the list."""
    states = Evening.State.PLANNED, Evening.State.CANCELLED
    waiting = evenings.filter(state__in=states, rounds=None, registrations=None)
    return waiting.filter(releases=None, cupwin=None)


@transaction.atomic
def series_take_back(*, club: Club, series: uuid.UUID, actor: Actor) -> int:
    """Delete the evenings of a series of which nothing is known yet. Returns how many."""
    club_lock(club.pk)
    evenings = untouched(Evening.objects.of(club).filter(series=series))
    ids = list(evenings.values_list("pk", flat=True))
    for evening_id in ids:
        evening_delete(evening_id=evening_id, actor=actor)
    return len(ids)
