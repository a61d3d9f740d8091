"""A club's list of members, read from a file."""

from dataclasses import asdict, dataclass

from django.db import transaction

from clubs.audit import Actor
from clubs.files import Source
from clubs.models import Club, Member, Upload
from clubs.services._members_plan import members_plan
from clubs.services.clubs import club_lock
from clubs.services.members import member_change, member_create
from clubs.services.uploads import require_as_seen, upload_done


@dataclass(frozen=True, slots=True)
class MembersImported:
    """How many people of the file were new, different and the same."""

    added: int
    changed: int
    unchanged: int


@transaction.atomic
def members_import(
    *,
    club: Club,
    source: Source,
    actor: Actor,
    seen: str | None = None,
    upload: Upload | None = None,
) -> MembersImported:
    """Add and change the people in a file with columns number, name, email and phone.

    A number says who somebody is, else the name does, without regard to case and spaces. Empty
    cells change nothing, a guest in the list becomes a member, and the same file again changes
    nothing. `seen` is the fingerprint of the plan that somebody said yes to, and `upload` the file
    he looked at.

    Raises FileFaults with everything that is wrong; then nothing is written. Raises
    VersionConflict when the file would do something else by now than was `seen`, and DomainError
    `upload_gone` when the upload has been read in already.
    """
    plan = members_plan(club=club_lock(club.pk), source=source)
    if seen is not None:
        require_as_seen(plan, seen)
    for details in plan.new:
        member_create(club=club, actor=actor, **details)
    for member, details in plan.different:
        member_change(
            member=member,
            seen_version=member.version,
            actor=actor,
            kind=Member.Kind.MEMBER,
            public_as=member.public_as,
            public_name=member.public_name,
            keeps_table=member.keeps_table,
            **details,
        )
    done = MembersImported(len(plan.new), len(plan.different), plan.unchanged)
    if upload is not None:
        upload_done(upload=upload, outcome=asdict(done))
    return done
