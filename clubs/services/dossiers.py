"""What is kept about somebody, taken out to be handed over."""

from django.db import transaction

from clubs.audit import Actor, event_append
from clubs.dossier import Section, dossier_of
from clubs.models import Member
from clubs.services.clubs import club_lock


@transaction.atomic
def dossier_take(*, member: Member, actor: Actor) -> list[Section]:
    """Everything that is kept about somebody, and a note in the trail that it was taken out."""
    club = club_lock(member.club_id)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="member_data_taken",
        object_ref=f"member:{member.uuid}",
        texts={"name": member.name},
    )
    return dossier_of(member)
