"""A club's regulations: added and changed, but never under a sheet that uses them."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club
from scoring import rules
from scoring.models import Regulation


@transaction.atomic
def regulation_save(
    *, club: Club, name: str, settings: Mapping[str, object], actor: Actor
) -> Regulation:
    """The club's regulation `name` with these settings: the newest version where that is the same
    already, else a new version.

    Raises DomainError `bad_regulation` with everything that is wrong with the settings.
    """
    try:
        wanted = rules.parse_regulation(dict(settings)).as_settings()
    except rules.InvalidDeal as invalid:
        raise DomainError(
            "bad_regulation",
            _("These settings do not go together."),
            faults=[rules.fault_message(fault) for fault in invalid.faults],
        ) from invalid
    newest = Regulation.objects.filter(club=club, name=name).order_by("-version").first()
    if newest is not None and newest.rules.as_settings() == wanted:
        return newest
    regulation = Regulation.objects.create(
        club=club, name=name, version=newest.version + 1 if newest else 1, settings=wanted
    )
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="regulation_saved",
        object_ref=f"regulation:{regulation.pk}",
        data={"version": regulation.version, "settings": wanted},
        texts={"name": name},
    )
    return regulation


def regulation_from_preset(*, club: Club, preset: str, actor: Actor) -> Regulation:
    """The club's regulation that is exactly the preset, made when the club has none."""
    name = rules.PRESET_NAMES[preset]["nl"] if preset in rules.PRESET_NAMES else preset
    return regulation_save(club=club, name=name, settings={"preset": preset}, actor=actor)
