"""The draft of a draw as someone saw it, so that they change that version and no other."""

from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.models import AuditEvent
from tournaments.models import Evening, Placement, Round

Swap = tuple[tuple[int, ...], frozenset[str]]
DRAFT, DRAWN = Round.State.DRAFT, Round.State.DRAWN


def draft_mark(evening: Evening) -> str:
    """A hash of the draft, which changes with it; empty without a draft."""
    placed = Placement.objects.filter(round__evening=evening, round__state=DRAFT)
    rows = placed.order_by("round", "member").values_list("round", "member", "table", "seat")
    drawn = [*rows]
    return sha256(repr(drawn).encode()).hexdigest()[:16] if drawn else ""


def draft_was_swapped(evening: Evening) -> bool:
    """Whether the draft differs from the drawing because people changed places.

    If so, the number of the drawing alone does not reproduce it.
    """
    swaps: list[Swap] = []
    for action, data in _events(evening, "drawn", "draw_typed_in", "draw_swapped"):
        if action != "draw_swapped":
            break
        swap = (tuple(data["rounds"]), frozenset(data["members"]))
        if swaps[-1:] == [swap]:
            swaps.pop()
        else:
            swaps.append(swap)
    return bool(swaps)


def draw_was_typed(evening: Evening) -> bool:
    """Whether the last draw of the evening was typed in."""
    last = _events(evening, "drawn", "draw_typed_in").first()
    return last is not None and last[0] == "draw_typed_in"


def require_seen(evening: Evening, seen: str | None) -> None:
    """Raises DomainError `draw_moved_on` if the draft is no longer the one marked `seen`.

    A program that has seen none passes None.
    """
    if seen is not None and seen != draft_mark(evening):
        raise DomainError(
            "draw_moved_on",
            _("The draw has changed in the meantime. This is how it is now."),
        )


def _events(evening: Evening, *actions: str) -> QuerySet[AuditEvent, tuple[str, dict[str, Any]]]:
    events = AuditEvent.objects.filter(club=evening.club_id, object_ref=f"evening:{evening.uuid}")
    wanted = events.filter(action__in=actions).order_by("-at", "-number")
    return wanted.values_list("action", "data")
