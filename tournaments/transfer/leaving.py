"""Clubs that whoever operates the server let go: everything of them is deleted on their day."""

import logging

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from clubs.audit.guards import guards_lifted
from clubs.models import Club, User
from clubs.profile.services import club_lock
from tournaments.models import Copy
from tournaments.transfer.replacing import club_delete

logger = logging.getLogger(__name__)


def clubs_gone_sweep() -> None:
    """Delete the clubs whose day has come, with the logins that have no other task here; while
    there are none, it only reads."""
    for club in Club.objects.filter(goes_on__lte=timezone.localdate()).order_by("pk"):
        with transaction.atomic():
            _remove(club_lock(club.pk))


def _remove(club: Club) -> None:
    if club.goes_on is None or club.goes_on > timezone.localdate():
        return
    team = list(User.objects.filter(roles__club=club).values_list("pk", flat=True))
    Copy.objects.filter(club=club).delete()
    with guards_lifted():
        club_delete(club)
    for user in User.objects.filter(pk__in=team, roles=None, leagues_led=None):
        if user.email.casefold() not in settings.OPERATORS:
            user.delete()
    logger.info("A club that was let go is deleted")
