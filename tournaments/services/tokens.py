"""Table links: a capability to write at one table for one evening, stored hashed."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.audit import Actor
from scoring.rules import SIDES
from tournaments.models import Evening, PinGuard, TableToken
from tournaments.services._evening import evening_lock, evening_touch, require_state


@transaction.atomic
def tokens_ensure(*, evening: Evening, tables: int) -> None:
    """Give each of the tables 1 … `tables` the links it needs, where it has no valid ones: one, or
    one for each side on an evening where both write. Valid links of the other kind are withdrawn.
    """
    evening = evening_lock(evening.pk)
    sides = link_sides(evening)
    valid = TableToken.objects.filter(evening=evening, revoked_at=None)
    valid.exclude(side__in=sides).update(revoked_at=timezone.now())
    existing = set(valid.values_list("table_number", "side"))
    last = _last_generations(evening)
    missing = [
        (number, side)
        for number in range(1, tables + 1)
        for side in sides
        if (number, side) not in existing
    ]
    made = []
    for number, side in missing:
        last[number] += 1
        made.append(_token(evening, number, side, last[number]))
    TableToken.objects.bulk_create(made)


@transaction.atomic
def token_renew(*, evening_id: int, table_number: int, actor: Actor, side: str = "") -> TableToken:
    """Revoke the table's link and give it a new one, with another PIN.

    Raises DomainError `evening_state` when the evening is over.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    TableToken.objects.filter(
        evening=evening, table_number=table_number, side=side, revoked_at=None
    ).update(revoked_at=timezone.now())
    generation = _last_generations(evening)[table_number] + 1
    token = _token(evening, table_number, side, generation)
    token.save(force_insert=True)
    guards = PinGuard.objects.filter(evening=evening, table_number=table_number)
    guards.update(failures=0, blocked_until=None)
    data = {"table": table_number} | ({"side": side} if side else {})
    evening_touch(evening, actor=actor, action="link_renewed", data=data)
    return token


def link_sides(evening: Evening) -> Sequence[str]:
    """The sides that have a link of their own on this evening, or one for the whole table."""
    return SIDES if evening.writing == Evening.Writing.BOTH else ("",)


def token_secret(token: TableToken) -> str:
    """The secret part of the link: 160 bits that only the server's SECRET_KEY can make again."""
    return _secret(token.evening, token.table_number, token.generation)


def token_pin(token: TableToken) -> str:
    """Five digits that replace the link, with the number of its table, where nobody can scan it.

    Those of two sides differ in their last digit: even for we, odd for they.
    """
    value = f"{token.evening.uuid}:{token.table_number}:{token.generation}"
    made = salted_hmac("tournaments.table_pin", value, algorithm="sha256").hexdigest()
    pin = int(made, 16) % 100_000
    if token.side:
        pin += SIDES.index(token.side) - pin % 2
    return f"{pin:05d}"


def token_find(secret: str) -> TableToken | None:
    """The link this secret belongs to, valid or revoked; None when there never was one."""
    tokens = TableToken.objects.select_related("evening__club", "evening__regulation")
    return tokens.filter(digest=_digest(secret)).first()


def _token(evening: Evening, number: int, side: str, generation: int) -> TableToken:
    return TableToken(
        evening=evening,
        table_number=number,
        side=side,
        generation=generation,
        digest=_digest(_secret(evening, number, generation)),
    )


def _last_generations(evening: Evening) -> Counter[int]:
    """How many links each table was given, for either side."""
    made = TableToken.objects.filter(evening=evening).values_list("table_number")
    return Counter(dict(made.annotate(last=Max("generation"))))


def _secret(evening: Evening, number: int, generation: int) -> str:
    value = f"{evening.uuid}:{number}:{generation}"
    return salted_hmac("tournaments.table_token", value, algorithm="sha256").hexdigest()[:40]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
