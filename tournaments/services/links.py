"""The links of an evening's tables, from the moment its draw is final."""

from django.db import transaction
from django.db.models import Max

from tournaments.models import Evening, Round, TableToken
from tournaments.services._evening import evening_lock
from tournaments.services.tokens import tokens_ensure

PLAYABLE = (Evening.State.PLANNED, Evening.State.RUNNING)


def links_ensure(*, evening: Evening) -> dict[int, TableToken]:
    """The valid link of each table, by its number; what is missing is made.

    Empty for an evening without phones, without a final draw, or over.
    """
    final = evening.rounds.exclude(state=Round.State.DRAFT)
    tables = final.aggregate(last=Max("tables__number"))["last"] or 0
    if not evening.phones or evening.state not in PLAYABLE:
        return {}
    links = _valid(evening, tables)
    if len(links) < tables:
        _make(evening, tables)
        links = _valid(evening, tables)
    return links


@transaction.atomic
def _make(evening: Evening, tables: int) -> None:
    tokens_ensure(evening=evening_lock(evening.pk), tables=tables)


def _valid(evening: Evening, tables: int) -> dict[int, TableToken]:
    tokens = TableToken.objects.filter(
        evening=evening, revoked_at=None, table_number__lte=tables
    ).order_by("table_number")
    for token in tokens:
        token.evening = evening
    return {token.table_number: token for token in tokens}
