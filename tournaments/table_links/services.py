"""Table links: a capability to write at one table for one evening, stored hashed; and PINs.

A PIN replaces the link for people who cannot scan it; guessing is slowed down.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.rules import SIDES
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, EveningQuerySet, PinGuard, Round, Table, TableToken
from tournaments.models.signals import writing_changed

WRONG_IN_A_ROW = 5
FIRST_WAIT = timedelta(minutes=5)
DOUBLINGS = 6


@transaction.atomic
def tokens_ensure(*, evening: Evening, tables: int) -> None:
    """Give each of the tables 1 … `tables` its missing links: one, or one for each side on an
    evening where both sides write. Valid links of the other kind are revoked.
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

    Raises DomainError `evening_state` if the evening is over.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    TableToken.objects.filter(
        evening=evening, table_number=table_number, side=side, revoked_at=None
    ).update(revoked_at=timezone.now())
    generation = _last_generations(evening)[table_number] + 1
    token = _token(evening, table_number, side, generation)
    token.save(force_insert=True)
    # A new PIN starts with a clean slate: earlier guesses were about the old one.
    guards = PinGuard.objects.filter(evening=evening, table_number=table_number)
    guards.update(failures=0, blocked_until=None)
    data = {"table": table_number} | ({"side": side} if side else {})
    evening_touch(evening, actor=actor, action="link_renewed", data=data)
    return token


def link_sides(evening: Evening) -> Sequence[str]:
    """The sides that have their own link on this evening; `("",)` for one link for the table."""
    return SIDES if evening.writing == Evening.Writing.BOTH else ("",)


def token_secret(token: TableToken) -> str:
    """The secret part of the link: 160 bits derived with the server's SECRET_KEY."""
    return _secret(token.evening, token.table_number, token.generation)


def token_pin(token: TableToken) -> str:
    """Five digits that open the table together with its number, for people who cannot scan.

    The PINs of two sides differ in their last digit: even for we, odd for they.
    """
    value = f"{token.evening.uuid}:{token.table_number}:{token.generation}"
    made = salted_hmac("tournaments.table_pin", value, algorithm="sha256").hexdigest()
    pin = int(made, 16) % 100_000
    if token.side:
        pin += SIDES.index(token.side) - pin % 2
    return f"{pin:05d}"


def token_find(secret: str) -> TableToken | None:
    """The link with this secret, valid or revoked; None if there is none."""
    tokens = TableToken.objects.select_related("evening__club", "evening__regulation")
    return tokens.filter(digest=_digest(secret)).first()


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
    """Make missing links, for a new table or for both sides, if this evening has links already."""
    made = evening.tokens.filter(revoked_at=None).aggregate(last=Max("table_number"))["last"]
    if made is not None:
        drawn = Table.objects.filter(round__evening=evening).aggregate(last=Max("number"))["last"]
        tokens_ensure(evening=evening, tables=max(made, drawn or 0))


def pin_evenings() -> EveningQuerySet:
    """The evenings on which a table can be opened with its PIN now."""
    playable = [Evening.State.PLANNED, Evening.State.RUNNING]
    valid = TableToken.objects.filter(revoked_at=None).values("evening")
    return Evening.objects.filter(state__in=playable, phones=True, pk__in=valid)


def pin_try(*, club: Club, table_number: int, pin: str) -> TableToken:
    """The link of this table of the club's evening, if the PIN is right.

    After five wrong PINs in a row a table accepts none for five minutes, after five more for ten,
    and so on, doubling. Raises DomainError `pin_wrong`, or `pin_blocked` (params: minutes).
    """
    # Raised outside the transaction, which would otherwise roll the counted guess back.
    outcome = _try(pin_evenings().of(club), table_number, pin)
    if isinstance(outcome, TableToken):
        return outcome
    raise _blocked(outcome, table_number) if outcome else _wrong()


def _token(evening: Evening, number: int, side: str, generation: int) -> TableToken:
    return TableToken(
        evening=evening,
        table_number=number,
        side=side,
        generation=generation,
        digest=_digest(_secret(evening, number, generation)),
    )


def _last_generations(evening: Evening) -> Counter[int]:
    """How many links each table has had, for either side."""
    made = TableToken.objects.filter(evening=evening).values_list("table_number")
    return Counter(dict(made.annotate(last=Max("generation"))))


def _secret(evening: Evening, number: int, generation: int) -> str:
    value = f"{evening.uuid}:{number}:{generation}"
    return salted_hmac("tournaments.table_token", value, algorithm="sha256").hexdigest()[:40]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


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


@transaction.atomic
def _try(evenings: EveningQuerySet, table_number: int, pin: str) -> TableToken | datetime | None:
    """The link; None for a wrong PIN; or the time until which this table accepts none.

    A PIN that is right for one evening of the club does not count as wrong for another.
    """
    tokens = TableToken.objects.filter(evening__in=evenings, revoked_at=None)
    links = list(tokens.filter(table_number=table_number).select_related("evening"))
    guards = _guards_lock({link.evening_id for link in links}, table_number)
    now = timezone.now()
    accepting = {guard.evening_id: guard for guard in guards if not _is_blocked(guard, now)}
    for link in links:
        # Compared in constant time: the time taken must not reveal how many digits were right.
        if link.evening_id in accepting and constant_time_compare(token_pin(link), pin):
            _forget(accepting[link.evening_id])
            return link
    for guard in accepting.values():
        _count(guard, now)
    return min((guard.blocked_until for guard in guards if guard.blocked_until), default=None)


def _guards_lock(evening_ids: Collection[int], table_number: int) -> list[PinGuard]:
    """The guards of this table on these evenings, locked in a fixed order."""
    for evening_id in sorted(evening_ids):
        PinGuard.objects.get_or_create(evening_id=evening_id, table_number=table_number)
    guards = PinGuard.objects.filter(evening__in=evening_ids, table_number=table_number)
    return list(guards.select_for_update(no_key=True).order_by("evening"))


def _is_blocked(guard: PinGuard, now: datetime) -> bool:
    return guard.blocked_until is not None and guard.blocked_until > now


def _forget(guard: PinGuard) -> None:
    guard.failures, guard.blocked_until = 0, None
    guard.save(update_fields=["failures", "blocked_until"])


def _count(guard: PinGuard, now: datetime) -> None:
    """Count a wrong PIN, and block the table after every fifth."""
    guard.failures += 1
    times, rest = divmod(guard.failures, WRONG_IN_A_ROW)
    guard.blocked_until = None if rest else now + FIRST_WAIT * 2 ** min(times - 1, DOUBLINGS)
    guard.save(update_fields=["failures", "blocked_until"])


def _wrong() -> DomainError:
    return DomainError(
        "pin_wrong",
        _(
            "This PIN is not the one of this table. Look again at the card or the score sheet "
            "of your table."
        ),
    )


def _blocked(until: datetime, table_number: int) -> DomainError:
    minutes = max(1, -((timezone.now() - until) // timedelta(minutes=1)))
    return DomainError(
        "pin_blocked",
        ngettext(
            "There were too many wrong PINs for table %(table)s. Try again in %(minutes)s minute,"
            " scan the code, or ask the director.",
            "There were too many wrong PINs for table %(table)s. Try again in %(minutes)s minutes,"
            " scan the code, or ask the director.",
            minutes,
        )
        % {"table": table_number, "minutes": minutes},
        minutes=minutes,
    )
