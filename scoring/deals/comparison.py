"""Whether two people wrote the same deal, and the claims that a write decides."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.audit.services import Actor
from scoring.models import OPEN_CLAIM, DealClaim, DealEntry
from scoring.rules import SEATS, side_of

Line = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What is written of a deal, and what that comes to."""

SAME_TOLD = "reneged", "accused_wrongly_by", "nil", "replayed", "corrections"
SAME_FIGURES = "score", "players", "roem", "pit", "nat"


def same_deal(one: Line, other: Line) -> bool:
    """Whether two lines tell of the same deal: everybody gets the same from it, by the same facts.

    How it was filled in does not matter: either side's points, roem as 70 or as 20 and 50, nat
    ticked or counted. What one leaves out and the other tells, trump or the points of a nat deal,
    is no difference, and neither is the side or the seat of who declared.
    """
    (written, result), (others, comes_to) = one, other
    return (
        all((written.get(key) or None) == (others.get(key) or None) for key in SAME_TOLD)
        and all(result.get(key) == comes_to.get(key) for key in SAME_FIGURES)
        and all(_agree(result["points"][side], comes_to["points"][side]) for side in ("NS", "EW"))
        and _agree(written.get("trump"), others.get("trump"))
        and _same_declarer(str(written["declarer"]), str(others["declarer"]))
    )


def line_of(kept: DealEntry | DealClaim | None) -> Line | None:
    """What an entry or a claim says; None for a blank line."""
    if kept is None or kept.written is None or kept.result is None:
        return None
    return kept.written, kept.result


def with_corrections(written: Mapping[str, Any], standing: DealEntry | None) -> dict[str, Any]:
    """The line with the director's corrections of what stands: a phone only copied those it saw."""
    line = {key: value for key, value in written.items() if key != "corrections"}
    stay = ((standing and standing.written) or {}).get("corrections")
    return line | {"corrections": stay} if stay else line


def claims_taken(entries: Sequence[DealEntry], actor: Actor) -> list[DealClaim]:
    """Decide the open claims that these new entries write as taken, and return them."""
    lines = {entry.deal_id: line for entry in entries if (line := line_of(entry))}
    waiting = DealClaim.objects.filter(OPEN_CLAIM, deal__in=lines)
    taken = [c for c in waiting if same_deal((c.written, c.result), lines[c.deal_id])]
    claims_close(DealClaim.objects.filter(pk__in=[c.pk for c in taken]), taken=True, actor=actor)
    return taken


def claims_withdrawn(*, deal_id: int, actor: Actor, device: str, side: str = "") -> list[DealClaim]:
    """Decide as left what this phone, or this side, still claimed of a deal; it said something
    newer. Returns those claims."""
    mine = Q(actor=actor.ref, device=device[:60]) | (Q(side=side) if side else Q())
    waiting = list(DealClaim.objects.filter(OPEN_CLAIM, mine, deal=deal_id))
    ids = [claim.pk for claim in waiting]
    claims_close(DealClaim.objects.filter(pk__in=ids), taken=False, actor=actor)
    return waiting


def claims_close(claims: QuerySet[DealClaim], *, taken: bool, actor: Actor) -> None:
    """Decide these claims if they are still open."""
    decided = {"decided_at": timezone.now(), "decided_by": actor.ref, "taken": taken}
    claims.filter(OPEN_CLAIM).update(**decided)


def _agree(one: object, other: object) -> bool:
    return one is None or other is None or one == other


def _same_declarer(one: str, other: str) -> bool:
    return one == other or (len(one) != len(other) and _side(one) == _side(other))


def _side(declarer: str) -> str:
    return side_of(declarer) if declarer in SEATS else declarer
