"""The draft of a draw as somebody saw it: what he does with it is for that one and no other."""

from typing import Any

from django.db.models import Max, QuerySet, Sum
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.models import AuditEvent
from tournaments.models import Evening, Round

Swap = tuple[tuple[int, ...], frozenset[str]]
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
    """Whether people sit elsewhere than they were drawn, since two changed places and did not
    change back: the number of the drawing alone then does not bring the draft back."""
    swaps: list[Swap] = []
    for action, data in _told(evening, "drawn", "draw_typed_in", "draw_swapped"):
        if action != "draw_swapped":
            break
        swap = (tuple(data["rounds"]), frozenset(data["members"]))
        if swaps[-1:] == [swap]:
            swaps.pop()
        else:
            swaps.append(swap)
    return bool(swaps)


def draw_was_typed(evening: Evening) -> bool:
    """Whether the last draw of the evening was typed in and not drawn by the program."""
    last = _told(evening, "drawn", "draw_typed_in").first()
    return last is not None and last[0] == "draw_typed_in"


def require_seen(evening: Evening, seen: str | None) -> None:
    """Raises DomainError `draw_moved_on` when the draft is no longer at the version `seen`; a
    program that saw none (None) takes it as it is."""
    if seen is not None and seen != draft_version(evening):
        raise DomainError(
            "draw_moved_on",
            _("The draw has changed in the meantime. This is how it is now."),
        )


def _told(evening: Evening, *actions: str) -> QuerySet[AuditEvent, tuple[str, dict[str, Any]]]:
    events = AuditEvent.objects.filter(club=evening.club_id, object_ref=f"evening:{evening.uuid}")
    told = events.filter(action__in=actions).order_by("-at", "-number")
    return told.values_list("action", "data")
