"""What somebody does with their own login, in the trail of every club where they have a task."""

from collections.abc import Mapping

from clubs.audit import Actor, event_append
from clubs.models import Club, User


def audit_at_own_clubs(
    *,
    user: User,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str],
) -> None:
    """One event at each of the user's clubs, locked in order of id so that nobody waits in a ring.

    Must run inside a transaction. A login with no task anywhere leaves no trail: nobody would
    read it.
    """
    clubs = Club.objects.filter(roles__user=user).order_by("pk")
    for club in clubs.select_for_update(no_key=True, of=("self",)):
        event_append(
            chain=club,
            club=club,
            actor=actor,
            action=action,
            object_ref=f"user:{user.uuid}",
            data=data,
            texts=texts,
        )
