"""Whether two people wrote the same deal, and the claims that a write decides."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.audit.services import Actor
from scoring.models import OPEN_CLAIM, DealClaim, DealEntry
from scoring.rules import SEATS, side_of

EvaluatedLine = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What is written of a deal, and the result of evaluating it."""

SAME_FACTS = "reneged", "accused_wrongly_by", "nil", "replayed", "corrections"
SAME_FIGURES = "score", "players", "roem", "pit", "nat"


def same_deal(line: EvaluatedLine, other: EvaluatedLine) -> bool:
    """Whether two lines describe the same deal: the same facts and the same scores.

    How it was filled in does not matter: either side's points, roem as 70 or as 20 and 50, nat
    ticked or counted. A detail that only one of them gives (trump, the bid, the points of a nat
    deal) is no difference, and neither is naming the declarer by side or by seat.
    """
    (written, result), (other_written, other_result) = line, other
    return (
        all((written.get(key) or None) == (other_written.get(key) or None) for key in SAME_FACTS)
        and all(result.get(key) == other_result.get(key) for key in SAME_FIGURES)
        and all(
            _agree(result["points"][side], other_result["points"][side]) for side in ("NS", "EW")
        )
        and _agree(written.get("trump"), other_written.get("trump"))
        and _agree(written.get("bid"), other_written.get("bid"))
        and _same_declarer(str(written["declarer"]), str(other_written["declarer"]))
    )


def line_of(source: DealEntry | DealClaim | None) -> EvaluatedLine | None:
    """The line of an entry or a claim; None where it is blank."""
    if source is None or source.written is None or source.result is None:
        return None
    return source.written, source.result


def with_corrections(written: Mapping[str, Any], standing: DealEntry | None) -> dict[str, Any]:
    """The line with the director's corrections as they stand now: a phone only has those it saw."""
    line = {key: value for key, value in written.items() if key != "corrections"}
    stay = ((standing and standing.written) or {}).get("corrections")
    return line | {"corrections": stay} if stay else line


def claims_taken(entries: Sequence[DealEntry], actor: Actor) -> list[DealClaim]:
    """Mark the open claims that these new entries agree with as taken, and return them."""
    lines = {entry.deal_id: line for entry in entries if (line := line_of(entry))}
    waiting = DealClaim.objects.filter(OPEN_CLAIM, deal__in=lines)
    taken = [c for c in waiting if same_deal((c.written, c.result), lines[c.deal_id])]
    claims_close(DealClaim.objects.filter(pk__in=[c.pk for c in taken]), taken=True, actor=actor)
    return taken


def claims_withdrawn(*, deal_id: int, actor: Actor, device: str, side: str = "") -> list[DealClaim]:
    """Close the open claims of this phone, or this side, on a deal: it has sent something newer.
    Returns those claims."""
    mine = Q(actor=actor.ref, device=device[:60]) | (Q(side=side) if side else Q())
    waiting = list(DealClaim.objects.filter(OPEN_CLAIM, mine, deal=deal_id))
    ids = [claim.pk for claim in waiting]
    claims_close(DealClaim.objects.filter(pk__in=ids), taken=False, actor=actor)
    return waiting


def claims_close(claims: QuerySet[DealClaim], *, taken: bool, actor: Actor) -> None:
    """Close these claims, those that are still open."""
    decided = {"decided_at": timezone.now(), "decided_by": actor.ref, "taken": taken}
    claims.filter(OPEN_CLAIM).update(**decided)


def _agree(value: object, other: object) -> bool:
    return value is None or other is None or value == other


def _same_declarer(declarer: str, other: str) -> bool:
    # A seat and a side can be compared; two seats of one side are two different declarers.
    by_side = len(declarer) != len(other)
    return declarer == other or (by_side and _side(declarer) == _side(other))


def _side(declarer: str) -> str:
    return side_of(declarer) if declarer in SEATS else declarer
