"""The evenings on which a club plays by its regulations; and changing a regulation."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from clubs.audit.services import Actor
from clubs.models import Club
from scoring.models import Regulation
from scoring.regulations.services import regulation_save
from tournaments.evenings.services import evening_touch
from tournaments.models import Evening, Round

PLAYED = [Evening.State.RUNNING, Evening.State.CLOSED]


@dataclass(frozen=True, slots=True)
class VersionUse:
    """A version, the number of evenings it was played, and when last."""

    regulation: Regulation
    evenings: int
    last: dt.date | None


@dataclass(frozen=True, slots=True)
class RegulationUse:
    """A regulation: its newest version, the older ones, newest first, and the evenings planned
    with any of them."""

    newest: VersionUse
    older: Sequence[VersionUse]
    planned: Sequence[Evening]

    @property
    def evenings(self) -> int:
        """The number of evenings it was played, in any version."""
        return sum(version.evenings for version in (self.newest, *self.older))

    @property
    def last(self) -> dt.date | None:
        """When it was last played, in any version."""
        dates = [version.last for version in (self.newest, *self.older) if version.last]
        return max(dates, default=None)


def regulations_in_use(club: Club) -> list[RegulationUse]:
    """The club's regulations by name, in three queries."""
    of_club = Regulation.objects.filter(club=club)
    played_on = Q(evenings__state__in=PLAYED)
    counted = of_club.annotate(
        played=Count("evenings", filter=played_on), last=Max("evenings__date", filter=played_on)
    )
    played = {pk: use for pk, *use in counted.values_list("pk", "played", "last")}
    versions = [VersionUse(version, *played[version.pk]) for version in of_club]
    planned = list(_planned(club).select_related("regulation"))
    return [_use(list(same), planned) for _name, same in groupby(versions, _name_of)]


def evenings_played(regulation: Regulation) -> int:
    """The number of evenings this version was played, including tonight."""
    return Evening.objects.filter(regulation=regulation, state__in=PLAYED).count()


def upcoming_evenings(regulation: Regulation, *, drawn: bool = False) -> QuerySet[Evening]:
    """Planned evenings with any version of a regulation, by date: those without a draw, which can
    still take another version, or those already `drawn`, which keep theirs."""
    of_name = _planned(regulation.club).filter(regulation__name=regulation.name)
    rounds = Exists(Round.objects.filter(evening=OuterRef("pk")))
    return of_name.filter(rounds) if drawn else of_name.exclude(rounds)


@transaction.atomic
def regulation_change(
    *,
    regulation: Regulation,
    settings: Mapping[str, object],
    seen: Mapping[str, object],
    evening_ids: Collection[int],
    actor: Actor,
) -> tuple[Regulation, list[Evening]]:
    """Save a regulation, and use it on those of these evenings that can still change: planned,
    without a draw, with another version of the same regulation.

    Returns the saved regulation and those evenings. Raises what `regulation_save` raises.
    """
    saved = regulation_save(
        club=regulation.club, name=regulation.name, settings=settings, seen=seen, actor=actor
    )
    taken = list(upcoming_evenings(saved).filter(pk__in=evening_ids))
    for evening in taken:
        if evening.regulation_id != saved.pk:
            _take(evening, saved, actor)
    return saved, taken


def _planned(club: Club) -> QuerySet[Evening]:
    planned = Evening.objects.of(club).filter(state=Evening.State.PLANNED)
    return planned.order_by("date", "sequence")


def _use(versions: Sequence[VersionUse], planned: Iterable[Evening]) -> RegulationUse:
    newest, *older = versions
    name = newest.regulation.name
    own = [evening for evening in planned if evening.regulation and evening.regulation.name == name]
    return RegulationUse(newest, older, own)


def _name_of(version: VersionUse) -> str:
    return version.regulation.name


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
