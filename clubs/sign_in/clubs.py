"""Whether a club asks its organisers for a second factor."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, has_second_factor
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError


@transaction.atomic
def second_factor_ask(*, club: Club, asks: bool, actor: Actor) -> None:
    """Ask organisers for a second factor, or no longer. A repeat changes nothing.

    Raises DomainError `no_second_factor` where whoever asks for it has none: they would shut
    themselves out.
    """
    if asks and (actor.user is None or not has_second_factor(actor.user)):
        raise DomainError("no_second_factor", _("Set up codes or a passkey for yourself first."))
    locked = club_lock(club.pk)
    if locked.asks_second_factor == asks:
        return
    locked.asks_second_factor = asks
    locked.save(update_fields=["asks_second_factor"])
    event_append(
        chain=locked,
        club=locked,
        actor=actor,
        action="second_factor_asked" if asks else "second_factor_not_asked",
        object_ref=f"club:{locked.uuid}",
    )
