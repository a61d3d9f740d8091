"""Texts of the trail that are erased: which ones stands in the trail itself."""

from collections.abc import Iterable
from functools import cache

from django.db.models import QuerySet

from clubs.models import AuditEvent, AuditText

Erased = dict[int, dict[str, dict[str, list[int]]]]
"""By club, chain and field, the numbers of the events whose texts went."""
ERASING = "member_erased", "login_erased"
"""The events whose data has the erased texts of their club."""


def texts_erase(texts: QuerySet[AuditText], erased: Erased) -> None:
    """Delete these texts and add them to `erased`."""
    places = texts.order_by("event__chain", "event__number").values_list(
        "event__club", "event__chain", "field", "event__number"
    )
    for club_id, chain, field, number in places:
        of_chain = erased.setdefault(club_id, {}).setdefault(chain, {})
        of_chain.setdefault(field, []).append(number)
    texts.delete()


class ErasedTexts:
    """The texts that were erased according to the trail; each club is read once, when needed."""

    def __init__(self) -> None:
        self._of_club = cache(_erased_at)

    def has(self, event: AuditEvent, field: str) -> bool:
        """Whether this text of the event was erased."""
        return (event.chain, field, event.number) in self._of_club(event.club_id)

    def missing(self, event: AuditEvent, fields: Iterable[str]) -> list[str]:
        """The texts of the event that are neither among `fields` nor erased."""
        gone = sorted(event.commitments.keys() - set(fields))
        return [field for field in gone if not self.has(event, field)]


def _erased_at(club_id: int) -> set[tuple[str, str, int]]:
    erasures = AuditEvent.objects.filter(
        club=club_id, chain__startswith="club:", action__in=ERASING
    )
    return {
        (chain, field, number)
        for data in erasures.values_list("data", flat=True)
        for chain, fields in data.get("texts", {}).items()
        for field, numbers in fields.items()
        for number in numbers
    }
