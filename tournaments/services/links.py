"""The links of an evening's tables, from the moment its draw is final."""

from django.db import transaction
from django.db.models import Max
from django.dispatch import receiver

from tournaments.models import Evening, Round, Table, TableToken
from tournaments.services.tokens import link_sides, tokens_ensure
from tournaments.signals import writing_changed


def links_ensure(*, evening: Evening) -> list[TableToken]:
    """The valid links of the tables in order, North-South first; missing ones are made.

    Empty for an evening without phones, without a final draw, or that is over.
    """
    if not evening.phones or not evening.is_open:
        return []
    final = evening.rounds.exclude(state=Round.State.DRAFT)
    tables = final.aggregate(last=Max("tables__number"))["last"] or 0
    links = _valid(evening, tables)
    if len(links) < tables * len(link_sides(evening)):
        tokens_ensure(evening=evening, tables=tables)
        links = _valid(evening, tables)
    return links


@receiver(writing_changed)
@transaction.atomic
def links_follow(evening: Evening, **_kwargs: object) -> None:
    """Make the links that are missing, for a new table or for both sides, on an evening for whose
    tables links were made before."""
    made = evening.tokens.filter(revoked_at=None).aggregate(last=Max("table_number"))["last"]
    if made is not None:
        drawn = Table.objects.filter(round__evening=evening).aggregate(last=Max("number"))["last"]
        tokens_ensure(evening=evening, tables=max(made, drawn or 0))


def _valid(evening: Evening, tables: int) -> list[TableToken]:
    tokens = TableToken.objects.filter(
        evening=evening,
        revoked_at=None,
        table_number__lte=tables,
        side__in=link_sides(evening),
    ).order_by("table_number", "-side")
    for token in tokens:
        token.evening = evening
    return list(tokens)
