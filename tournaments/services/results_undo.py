"""Results that were read in from the wrong file are taken away again."""

from typing import Any

from django.db import transaction
from django.db.models import Q, RestrictedError
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club, Member, Upload
from clubs.services import club_lock
from tournaments.models import CoupleRule, Evening, PastResult, Season
from tournaments.services._evening import evening_touch
from tournaments.services.releases import release_publish


@transaction.atomic
def results_import_undo(*, upload: Upload, actor: Actor) -> None:
    """Take away what a file of results brought, and put back what it took the place of.

    What was changed since stays as it is now. An evening, guest or season that the file brought
    goes where there is nothing else of it; other evenings are published anew. Raises DomainError
    `upload_undone` when it was done already, or cannot be.
    """
    club = club_lock(upload.club_id)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    undo = upload.outcome.pop("undo", None)
    if undo is None:
        raise DomainError("upload_undone", _("This has been taken back already."))
    _results_back(undo)
    upload.outcome["undone"] = True
    upload.save(update_fields=["outcome"])
    for evening in Evening.objects.of(club).filter(pk__in=upload.outcome["evenings"]):
        _evening_back(evening, upload.outcome["made"], undo["seasons"], actor)
    for guest in Member.objects.of(club).filter(pk__in=upload.outcome["guests"], kind="guest"):
        _guest_away(club, guest, actor)
    if undo["made_season"]:
        empty = Season.objects.filter(club=club, pk=upload.outcome["season"], evenings=None)
        empty.filter(cupwin=None).delete()


def _results_back(undo: dict[str, Any]) -> None:
    PastResult.objects.filter(pk__in=undo["added"]).delete()
    for columns in undo["changed"]:
        PastResult.objects.filter(pk=columns.pop("id")).update(**columns)
    for columns in undo["removed"]:
        again = PastResult(**columns)
        taken = PastResult.objects.filter(evening=again.evening_id, member=again.member_id)
        alive = Evening.objects.filter(pk=again.evening_id).exists()
        if alive and Member.objects.filter(pk=again.member_id).exists() and not taken.exists():
            again.save(force_insert=True)


def _evening_back(
    evening: Evening, made: list[int], seasons: dict[str, int | None], actor: Actor
) -> None:
    evening_touch(evening, actor=actor, action="results_taken_back", data={"evening": evening.slug})
    if evening.pk in made:
        empty = Evening.objects.filter(pk=evening.pk, past_results=None, registrations=None)
        if empty.filter(rounds=None).exists():
            evening.delete()
            return
    elif (season_id := seasons.get(str(evening.pk))) != evening.season_id:
        evening.season = Season.objects.filter(pk=season_id or 0).first()
        evening.save(update_fields=["season"])
    release_publish(evening=evening, actor=actor)


def _guest_away(club: Club, guest: Member, actor: Actor) -> None:
    """Take a guest off the list who has nothing but what the file brought."""
    if guest.merges.exists() or CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).exists():
        return
    try:
        with transaction.atomic():
            Member.objects.filter(pk=guest.pk).delete()
    except RestrictedError:
        return
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="guest_taken_back",
        object_ref=f"member:{guest.uuid}",
        texts={"name": guest.name},
    )
