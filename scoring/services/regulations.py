"""A club's regulations: added and changed, but never under a sheet that uses them."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club
from clubs.services import club_lock
from scoring import rules
from scoring.models import Regulation


@transaction.atomic
def regulation_save(
    *, club: Club, name: str, settings: Mapping[str, object], actor: Actor
) -> Regulation:
    """The club's regulation `name` with these settings: the newest version where that is the same
    already, else a new version.

    Raises DomainError `bad_regulation` with everything that is wrong with the settings, or
    `name_missing` or `name_too_long` (60).
    """
    name = _checked_name(name)
    wanted = _complete(settings)
    club = club_lock(club.pk)
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
    """The club's regulation that is exactly the preset, made when the club has none.

    A regulation of the club that has the preset's name but other settings is left as it is.
    Raises DomainError `bad_regulation` when there is no such preset.
    """
    wanted = _complete({"preset": preset})
    name = rules.PRESET_NAMES[preset]["nl"]
    same_name = list(Regulation.objects.filter(club=club, name=name).order_by("-version"))
    alike = [one for one in same_name if one.settings == wanted]
    if alike:
        return alike[0]
    if same_name:
        name = f"{name} ({preset})"
    return regulation_save(club=club, name=name, settings=wanted, actor=actor)


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    return name


def _complete(settings: Mapping[str, object]) -> dict[str, object]:
    """Every setting, those that were not named as in their preset."""
    try:
        return dict(rules.parse_regulation(dict(settings)).as_settings())
    except rules.InvalidDeal as invalid:
        language: rules.Language = "en" if get_language() == "en" else "nl"
        raise DomainError(
            "bad_regulation",
            _("These settings do not go together."),
            faults=[rules.fault_message(fault, language) for fault in invalid.faults],
        ) from invalid
