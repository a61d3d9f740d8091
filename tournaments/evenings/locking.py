"""What services of an evening share: its lock, revision and trail, and what makes it count up."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import F
from django.dispatch import receiver
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Member
from clubs.namesakes.services import member_changed
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name
from scoring.deals.entries import sheet_changed
from scoring.models import Scoresheet
from tournaments.models import Evening
from tournaments.standings.summaries import summary_store

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def evening_lock(evening_id: int) -> Evening:
    """The evening as it is now, held until the end of the transaction.

    The club is what is locked, as in every write except of a deal. The evening's own row is left
    to the sheets, which count its revision up while they hold their own lock.
    """
    club_id = Evening.objects.values_list("club_id", flat=True).get(pk=evening_id)
    club = club_lock(club_id)
    evening = Evening.objects.select_related("regulation", "season", "kind").get(pk=evening_id)
    evening.club = club
    return evening


def evening_touch(
    evening: Evening,
    *,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Increment the evening's revision and record what happened in the club's trail."""
    evening_note(evening, actor=actor, action=action, data=data, texts=texts)
    revision_bump(evening.pk)


def evening_note(
    evening: Evening,
    *,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Record something in the club's trail that changes nothing for the public."""
    event_append(
        chain=evening.club,
        club=evening.club,
        actor=actor,
        action=action,
        object_ref=f"evening:{evening.uuid}",
        data=data,
        texts=texts,
    )


def revision_bump(evening_id: int) -> None:
    """Tell every page that shows this evening that it changed."""
    Evening.objects.filter(pk=evening_id).update(revision=F("revision") + 1)


def require_state(evening: Evening, *states: Evening.State) -> None:
    """Raises DomainError `evening_state` unless the evening is in one of `states`."""
    if evening.state not in states:
        raise DomainError(
            "evening_state",
            _("That cannot be done now: the evening is %(state)s.")
            % {"state": evening.get_state_display()},
            state=evening.state,
        )


def answers_apply(evening: Evening, answers: "DataclassInstance") -> None:
    """Set these answers on a locked evening, without saving it.

    Raises DomainError `bad_evening` (params: faults by field).
    """
    for field in fields(answers):
        setattr(evening, field.name, getattr(answers, field.name))
    evening.name = tidy_name(evening.name)
    try:
        evening.clean_fields()
    except ValidationError as error:
        raise DomainError(
            "bad_evening", " ".join(error.messages), faults=error.message_dict
        ) from error
    # Foreign keys do not know clubs: somebody could post the id of another club's regulation.
    owners = {
        owned.club_id for owned in (evening.regulation, evening.season, evening.kind) if owned
    }
    if owners - {evening.club_id}:
        raise DomainError(
            "bad_evening",
            _("Choose a regulation and a season of this club."),
            faults={},
        )


# Signal receivers: evenings follow changes of their score sheets and people.


# Written out: with each deal that is saved, building it took longer than running it.
COUNT_UP = (
    "UPDATE tournaments_evening SET revision = revision + 1 WHERE id IN ("
    "SELECT played.evening_id FROM tournaments_table AS sat"
    " JOIN tournaments_round AS played ON played.id = sat.round_id WHERE sat.sheet_id = %s)"
)


@receiver(sheet_changed)
def evening_follows_its_sheets(sheet: Scoresheet, **_kwargs: object) -> None:
    """An evening's revision rises with each change of a sheet; a closed evening's summary is
    stored again."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_UP, [sheet.pk])
    if sheet.state == Scoresheet.State.CLOSED:
        over = Evening.objects.filter(rounds__tables__sheet=sheet, state=Evening.State.CLOSED)
        for evening_id in over.values_list("pk", flat=True):
            summary_store(evening_id)


@receiver(member_changed)
def evenings_follow_the_name(member: Member, **_kwargs: object) -> None:
    """Pages of planned and running evenings show a member's new name at once."""
    open_to_all = Evening.objects.filter(
        registrations__member=member, state__in=[Evening.State.PLANNED, Evening.State.RUNNING]
    )
    for evening_id in sorted(open_to_all.values_list("pk", flat=True)):
        revision_bump(evening_id)
