"""Undoing the import of an evening."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Club, Member, Upload
from clubs.services import club_lock
from scoring.models import Scoresheet
from scoring.services import sheets_lock
from tournaments.models import Evening
from tournaments.services._evening import evening_touch
from tournaments.services._guests import guest_away
from tournaments.services.ratings import ratings_follow


@transaction.atomic
def evening_import_undo(*, upload: Upload, actor: Actor) -> None:
    """Delete the evening that a file brought, and the guests that came with it and to whom nothing
    else belongs.

    Raises DomainError `upload_undone` when that was done already, and `evening_changed` when
    anything was done with the evening since.
    """
    club = club_lock(upload.club_id)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    undo = upload.outcome.pop("undo", None)
    if undo is None:
        raise DomainError("upload_undone", _("This has been taken back already."))
    upload.outcome["undone"] = True
    upload.save(update_fields=["outcome"])
    _evening_away(club, undo["evening"], undo["revision"], actor)
    for guest in Member.objects.of(club).filter(pk__in=upload.outcome["guests"], kind="guest"):
        guest_away(guest=guest, actor=actor)


def _evening_away(club: Club, evening_id: int, revision: int, actor: Actor) -> None:
    of_evening = Scoresheet.objects.filter(table__round__evening=evening_id)
    sheets = [sheet.pk for sheet in sheets_lock(*of_evening.values_list("pk", flat=True))]
    evening = Evening.objects.of(club).filter(pk=evening_id, revision=revision).first()
    if evening is None or _has_money_or_cup(evening):
        message = _("This evening was changed since it was read in, so that it stays.")
        raise DomainError("evening_changed", message)
    evening_touch(evening, actor=actor, action="evening_taken_back", data={"evening": evening.slug})
    following = club.evenings.filter(rounds__isnull=False, date__gte=evening.date)
    later = following.exclude(pk=evening.pk).order_by("date", "sequence").first()
    evening.rounds.all().delete()
    Scoresheet.objects.filter(pk__in=sheets).delete()
    evening.delete()
    if later is not None:
        ratings_follow(later)


def _has_money_or_cup(evening: Evening) -> bool:
    """Whether something was recorded that does not raise the evening's revision."""
    paid = evening.registrations.filter(paid__isnull=False)
    return paid.exists() or evening.cupwin_set.exists()
