"""A club's own wording of what it sends out after an evening."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.services import club_lock
from tournaments.models import ClubText
from tournaments.standard_wordings import STANDARD, club_wording
from tournaments.wording import WordingFault, wording_faults

LONGEST = 4_000


def fault_words(fault: WordingFault) -> str:
    """What is wrong in a wording, where, and what may have been meant."""
    if fault.is_brace:
        sentence = _("Line %(line)s: a brace stands alone. A field looks like {club}.")
        return sentence % {"line": fault.line}
    if fault.nearest:
        sentence = _("Line %(line)s: there is no field %(field)s. Did you mean %(nearest)s?")
    else:
        sentence = _("Line %(line)s: there is no field %(field)s.")
    return sentence % {"line": fault.line, "field": fault.field, "nearest": fault.nearest}


@transaction.atomic
def wording_save(
    *, club: Club, kind: str, language: str, wording: str, seen_version: int, actor: Actor
) -> None:
    """Send this out from now on, in place of the `club_wording` with version `seen_version`.

    The standard wording is stored as an empty one, so that the club follows it when it changes.
    Nothing is written where nothing changes.
    Raises VersionConflict `wording_changed` with what stands now, or DomainError `bad_wording`
    (params: faults, in words): empty, longer than 4,000 characters, an unknown field or a brace
    without its other half.
    """
    club = club_lock(club.pk)
    standing = club_wording(club, kind, language)
    wanted = "\n".join(line.rstrip() for line in wording.strip().splitlines()) + "\n"
    if wanted == standing.text:
        return
    if standing.version != seen_version:
        message = _("Somebody else changed this wording meanwhile.")
        raise VersionConflict("wording_changed", message, current=standing)
    faults = _faults(wanted)
    if faults:
        raise DomainError("bad_wording", " ".join(faults), faults=faults)
    own = ClubText(club=club, kind=kind, language=language, version=0)
    own = ClubText.objects.filter(club=club, kind=kind, language=language).first() or own
    own.wording = "" if wanted == STANDARD[kind, language] else wanted
    own.version += 1
    own.save()
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="wording_saved",
        object_ref=f"club:{club.uuid}",
        data={"text": kind, "language": language},
        texts={"wording": wanted},
    )


def _faults(wording: str) -> list[str]:
    faults = [fault_words(fault) for fault in wording_faults(wording)]
    if not wording.strip():
        faults.append(_("Write a text, or take the standard wording back."))
    if len(wording) > LONGEST:
        faults.append(_("Write at most %(n)s characters.") % {"n": LONGEST})
    return faults
