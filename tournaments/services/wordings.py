"""A club's own wording of what it sends out after an evening."""

import hashlib

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.services import club_lock
from tournaments.models import ClubText
from tournaments.standard_wordings import STANDARD
from tournaments.wording import WordingFault, wording_faults

LONGEST = 4_000


def wording_mark(wording: str) -> str:
    """Another mark (16 hex digits) for every other wording, to tell what somebody saw."""
    return hashlib.sha256(wording.encode()).hexdigest()[:16]


def fault_words(fault: WordingFault) -> str:
    """What is wrong in a wording, where, and what may have been meant."""
    if fault.is_brace:
        told = _("Line %(line)s: a brace stands alone. A field looks like {club}.")
        return told % {"line": fault.line}
    if fault.nearest:
        told = _("Line %(line)s: there is no field %(field)s. Did you mean %(nearest)s?")
    else:
        told = _("Line %(line)s: there is no field %(field)s.")
    return told % {"line": fault.line, "field": fault.field, "nearest": fault.nearest}


@transaction.atomic
def wording_save(
    *, club: Club, kind: str, language: str, wording: str, seen: str, actor: Actor
) -> None:
    """Send this out from now on, in place of the wording whose mark (`wording_mark`) is `seen`.

    The standard wording is kept as nothing of one's own. Nothing is written where nothing changes.
    Raises VersionConflict `wording_changed` with what stands now, or DomainError `bad_wording`
    (params: faults, in words): empty, longer than 4,000 characters, an unknown field or a brace
    without its other half.
    """
    club = club_lock(club.pk)
    own = ClubText.objects.filter(club=club, kind=kind, language=language).first()
    standing = own.wording if own else STANDARD[kind, language]
    wanted = "\n".join(line.rstrip() for line in wording.strip().splitlines()) + "\n"
    if wanted == standing:
        return
    if wording_mark(standing) != seen:
        raise VersionConflict(
            "wording_changed", _("Somebody else changed this wording meanwhile."), current=standing
        )
    faults = _faults(wanted)
    if faults:
        raise DomainError("bad_wording", " ".join(faults), faults=faults)
    ClubText.objects.filter(club=club, kind=kind, language=language).delete()
    if wanted != STANDARD[kind, language]:
        ClubText.objects.create(club=club, kind=kind, language=language, wording=wanted)
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
