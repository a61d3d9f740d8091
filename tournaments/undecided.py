"""What the people of an evening do not agree on yet."""

from django.db.models import Exists, OuterRef, QuerySet

from scoring.models import OPEN_CLAIM, Deal, DealClaim
from tournaments.models import Evening, Round
from tournaments.queries import board_tables

Writing = Evening.Writing


def open_claims(evening: Evening) -> QuerySet[DealClaim]:
    """Deals that were written in two ways and nobody has decided yet, by round, table and deal."""
    claims = DealClaim.objects.filter(OPEN_CLAIM, deal__sheet__table__round__evening=evening)
    return claims.select_related("deal__sheet__regulation", "deal__sheet__table__round").order_by(
        "deal__sheet__table__round__number",
        "deal__sheet__table__number",
        "deal__number",
        "received_at",
    )


def unconfirmed_tables(round_: Round) -> list[int]:
    """The tables of a round where the other side still has to confirm what was written on a phone:
    each deal or the finished sheet, as the evening has it. What came from paper needs nobody."""
    writing = round_.evening.writing
    if writing == Writing.ONE:
        return []
    on_phone = Deal.objects.filter(
        sheet=OuterRef("sheet"), current__written__isnull=False, current__user=None
    )
    if writing == Writing.ROUND:
        tables = board_tables(round_).filter(Exists(on_phone))
        return [t.number for t in tables if t.agreed < len(t.sheet.signatories)]  # type: ignore[attr-defined]
    waiting = on_phone.filter(current__confirmations=None).exclude(current__claims__taken=False)
    if writing == Writing.BOTH:
        waiting = waiting.exclude(current__side="")
    tables = board_tables(round_).filter(Exists(waiting))
    return [table.number for table in tables]
