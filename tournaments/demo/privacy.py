"""Who of the demo's club does not want his name read by everybody, and who asked to be erased."""

from typing import Any

from clubs.audit import Actor
from clubs.models import Club
from clubs.services import member_change, member_erase

KEPT = "name", "number", "kind", "public_name", "email", "phone", "keeps_table"


def privacy_respect(club: Club, told: dict[str, Any], actor: Actor) -> None:
    """Show members, by number, as they asked; erase the guest of this name."""
    for number, how in told["public_as"].items():
        member = club.members.get(number=number)
        member_change(
            member=member,
            seen_version=member.version,
            public_as=how,
            actor=actor,
            **{field: getattr(member, field) for field in KEPT},
        )
    member_erase(member=club.members.get(name=told["erased"]["name"]), actor=actor)
