"""The draft of a draw: its version, and how it came about."""

from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from tournaments.models import Evening, Round

DRAFT, DRAWN = Round.State.DRAFT, Round.State.DRAWN


def draft_version(evening: Evening) -> str:
    """The version of the draft; empty without one.

    A draft is drawn as new rounds and thrown away whole, so the last of its rounds says which
    draft it is, and the sum of their versions how often it was changed. One query.
    """
    last, changes = (
        evening.rounds.filter(state=DRAFT)
        .aggregate(last=Max("pk"), changes=Sum("version"))
        .values()
    )
    return f"{last}-{changes}" if last else ""


def draft_was_swapped(evening: Evening) -> bool:
    """Whether people in the draft changed places and did not change back: drawing the same number
    again then does not give the same draft."""
    return evening.rounds.filter(state=DRAFT).exclude(swaps=[]).exists()


def require_seen(evening: Evening, seen: str | None) -> None:
    """Raises DomainError `draw_moved_on` when the draft is no longer at the version `seen`; a
    program that saw none (None) takes it as it is."""
    if seen is not None and seen != draft_version(evening):
        raise DomainError(
            "draw_moved_on",
            _("The draw has changed in the meantime. This is how it is now."),
        )
