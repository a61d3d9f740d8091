"""A club's regulations: added and changed, but never under a sheet that uses them."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.services import club_lock
from scoring import rules
from scoring.models import Regulation
from scoring.words import reader_language

Settings = Mapping[str, object]


@transaction.atomic
def regulation_add(*, club: Club, name: str, preset: str, actor: Actor) -> Regulation:
    """A new regulation of the club that starts as the preset.

    Raises DomainError `bad_regulation` when there is no such preset, `name_taken` when the club has
    a regulation of that name (capitals do not matter), `name_missing` or `name_too_long` (60).
    """
    name = _checked_name(name)
    if Regulation.objects.filter(club=club_lock(club.pk), name__iexact=name).exists():
        raise DomainError("name_taken", _("There is already a regulation of that name."))
    return regulation_save(club=club, name=name, settings={"preset": preset}, actor=actor)


@transaction.atomic
def regulation_save(
    *, club: Club, name: str, settings: Settings, actor: Actor, seen: Settings | None = None
) -> Regulation:
    """The club's regulation `name`, with these settings from now on.

    That is the newest version as it stands where it says the same already, and the newest version
    changed where no sheet uses it; else a new version. `seen` are the settings that whoever
    changes them saw; without it whatever stands is replaced.

    Raises VersionConflict `regulation_changed` (params: current) when others stand now, DomainError
    `bad_regulation` with everything that is wrong with the settings, `name_missing` or
    `name_too_long` (60).
    """
    name = _checked_name(name)
    wanted = _complete(settings)
    club = club_lock(club.pk)
    newest = Regulation.objects.filter(club=club, name=name).order_by("-version").first()
    stands = _complete(newest.settings) if newest else None
    if newest and seen is not None and stands != _complete(seen):
        raise VersionConflict(
            "regulation_changed",
            _("Somebody else has changed this regulation meanwhile."),
            current=newest,
        )
    if newest and stands == wanted:
        return newest
    regulation = _written(club, name, newest, wanted)
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
    name = rules.preset_name(preset, "nl")
    same_name = list(Regulation.objects.filter(club=club, name=name).order_by("-version"))
    alike = [one for one in same_name if _complete(one.settings) == wanted]
    if alike:
        return alike[0]
    if same_name:
        name = f"{name} ({preset})"
    return regulation_save(club=club, name=name, settings=wanted, actor=actor)


def _written(
    club: Club, name: str, newest: Regulation | None, settings: dict[str, object]
) -> Regulation:
    """The version that holds these settings now: the newest one, unless a sheet uses that."""
    if newest is None or newest.is_used:
        version = newest.version + 1 if newest else 1
        return Regulation.objects.create(club=club, name=name, version=version, settings=settings)
    newest.settings = settings
    newest.save(update_fields=["settings"])
    return newest


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    return name


def _complete(settings: Settings) -> dict[str, object]:
    """Every setting, those that were not named as in their preset."""
    try:
        return dict(rules.parse_regulation(dict(settings)).as_settings())
    except rules.InvalidDeal as invalid:
        language = reader_language()
        raise DomainError(
            "bad_regulation",
            _("These settings do not go together."),
            faults=[rules.fault_message(fault, language) for fault in invalid.faults],
        ) from invalid
