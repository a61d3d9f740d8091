"""Table links: a capability to write at one table for one evening, stored hashed."""

import hashlib

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.audit import Actor
from tournaments.models import Evening, TableToken
from tournaments.services._evening import evening_lock, evening_touch


@transaction.atomic
def tokens_ensure(*, evening: Evening, tables: int) -> None:
    """Give each of the tables 1 … `tables` a link, where it has no valid one."""
    evening = evening_lock(evening.pk)
    valid = set(
        TableToken.objects.filter(evening=evening, revoked_at=None).values_list(
            "table_number", flat=True
        )
    )
    TableToken.objects.bulk_create(
        _token(evening, number, _next_generation(evening, number))
        for number in range(1, tables + 1)
        if number not in valid
    )


@transaction.atomic
def token_renew(*, evening_id: int, table_number: int, actor: Actor) -> TableToken:
    """Make the table's present link worthless and give it a new one."""
    evening = evening_lock(evening_id)
    TableToken.objects.filter(evening=evening, table_number=table_number, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    token = _token(evening, table_number, _next_generation(evening, table_number))
    token.save(force_insert=True)
    evening_touch(evening, actor=actor, action="link_renewed", data={"table": table_number})
    return token


def token_secret(token: TableToken) -> str:
    """The secret part of the link: 160 bits that only the server's SECRET_KEY can make again."""
    return _secret(token.evening, token.table_number, token.generation)


def token_find(secret: str) -> TableToken | None:
    """The link this secret belongs to, valid or revoked; None when there never was one."""
    tokens = TableToken.objects.select_related("evening__club", "evening__regulation")
    return tokens.filter(digest=_digest(secret)).first()


def _token(evening: Evening, number: int, generation: int) -> TableToken:
    return TableToken(
        evening=evening,
        table_number=number,
        generation=generation,
        digest=_digest(_secret(evening, number, generation)),
    )


def _next_generation(evening: Evening, number: int) -> int:
    made = TableToken.objects.filter(evening=evening, table_number=number)
    return (made.aggregate(last=Max("generation"))["last"] or 0) + 1


def _secret(evening: Evening, number: int, generation: int) -> str:
    value = f"{evening.uuid}:{number}:{generation}"
    return salted_hmac("tournaments.table_token", value, algorithm="sha256").hexdigest()[:40]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
