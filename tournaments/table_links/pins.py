"""PINs: a table's number and five digits, for people who cannot scan its code.

Guessing is slowed down for the client that guesses: by its network and, of IPv6, by the site (the
/48) that holds it, stored as keyed hashes. Only wrong PINs by the hundred, which no network and no
site comes to in an evening, close a table for everybody.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.http.middleware import site_of
from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.rules import SIDES
from tournaments.models import Evening, EveningQuerySet, PinGuard, TableToken

FIRST_WAIT = timedelta(minutes=5)
DOUBLINGS = 6
AT_A_TABLE: Final = 5
"""Wrong PINs in a row of one client at one table; then that table accepts none from there."""
AT_ALL_TABLES: Final = 20
"""Wrong PINs of one client on an evening; then no table accepts one from there."""
OF_EVERYBODY: Final = 100
"""Wrong PINs for one table; then it accepts none at all."""
SITE_TIMES: Final = 4
SITE_WAIT: Final = timedelta(hours=1)
"""A site may be wrong four times as often as one network, then waits for an hour: in an evening one
line with all its networks does not come to the hundred that would close a table for everybody."""
EVERY_TABLE: Final = 0
ANYBODY: Final = ""


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


def pin_evenings() -> EveningQuerySet:
    """The evenings on which a table can be opened with its PIN now."""
    playable = [Evening.State.PLANNED, Evening.State.RUNNING]
    valid = TableToken.objects.filter(revoked_at=None).values("evening")
    return Evening.objects.filter(state__in=playable, phones=True, pk__in=valid)


def pin_try(*, club: Club, table_number: int, pin: str, client: str) -> TableToken:
    """The link of this table of the club's evening, if the PIN is right.

    After five wrong PINs in a row a table accepts none from this client (the network it is in) for
    five minutes, after five more for ten, and so on, doubling; after twenty wrong ones no table of
    the evening does, and after a hundred wrong ones from anywhere this table accepts none at all.
    Of IPv6 the site that the client is in counts too.
    Raises DomainError `pin_wrong`, or `pin_blocked` (params: minutes).
    """
    # Raised outside the transaction, which would otherwise roll the counted guess back.
    outcome = _try(pin_evenings().of(club), table_number, pin, _Client.of(client))
    if isinstance(outcome, TableToken):
        return outcome
    raise _blocked(outcome, table_number) if outcome else _wrong()


@dataclass(frozen=True, slots=True)
class _Client:
    """Who guesses: the keyed hashes of their network and of its site, where it has one."""

    network: str
    site: str | None

    @classmethod
    def of(cls, network: str) -> "_Client":
        site = site_of(network)
        return cls(_hashed(network), _hashed(f"site {site}") if site else None)

    @property
    def hashes(self) -> list[str]:
        return [hashed for hashed in (self.network, self.site) if hashed]


def _hashed(client: str) -> str:
    return salted_hmac("tournaments.pin_guard", client, algorithm="sha256").hexdigest()


@transaction.atomic
def _try(
    evenings: EveningQuerySet, table_number: int, pin: str, client: _Client
) -> TableToken | datetime | None:
    """The link; None for a wrong PIN; or the time until which none is accepted.

    A PIN that is right for one evening of the club does not count as wrong for another.
    """
    tokens = TableToken.objects.filter(evening__in=evenings, revoked_at=None)
    links = list(tokens.filter(table_number=table_number).select_related("evening"))
    guards = _guards_lock({link.evening_id for link in links}, table_number, client)
    now = timezone.now()
    blocked = {guard.evening_id for guard in guards if _is_blocked(guard, now)}
    for link in links:
        # Compared in constant time: the time taken must not reveal how many digits were right.
        if link.evening_id not in blocked and constant_time_compare(token_pin(link), pin):
            _forget([guard for guard in guards if guard.evening_id == link.evening_id])
            return link
    for guard in guards:
        if guard.evening_id not in blocked:
            _count(guard, now, is_site=guard.client == client.site)
    waits = [guard.blocked_until for guard in guards if guard.blocked_until]
    return max((until for until in waits if until > now), default=None)


def _guards_lock(
    evening_ids: Collection[int], table_number: int, client: _Client
) -> list[PinGuard]:
    """The guards of this table and this client on these evenings, locked in a fixed order."""
    tables = EVERY_TABLE, table_number
    kinds = [(table_number, ANYBODY), *product(tables, client.hashes)]
    for evening_id in sorted(evening_ids):
        for number, counted in kinds:
            PinGuard.objects.get_or_create(
                evening_id=evening_id, table_number=number, client=counted
            )
    guards = PinGuard.objects.filter(
        evening__in=evening_ids, table_number__in=tables, client__in=(ANYBODY, *client.hashes)
    )
    return list(guards.select_for_update(no_key=True).order_by("evening", "table_number", "client"))


def _is_blocked(guard: PinGuard, now: datetime) -> bool:
    return guard.blocked_until is not None and guard.blocked_until > now


def _forget(guards: Collection[PinGuard]) -> None:
    """A right PIN ends the row of wrong ones at this table. What else the client got wrong counts
    on, since it may know the PIN of one table and guess at the others."""
    for guard in guards:
        if guard.client != ANYBODY and guard.table_number != EVERY_TABLE:
            guard.failures, guard.blocked_until = 0, None
            guard.save(update_fields=["failures", "blocked_until"])


def _count(guard: PinGuard, now: datetime, *, is_site: bool) -> None:
    """Count a wrong PIN, and block after as many as this guard lets pass."""
    guard.failures += 1
    more, wait = (SITE_TIMES, SITE_WAIT) if is_site else (1, FIRST_WAIT)
    times, rest = divmod(guard.failures, _limit(guard) * more)
    guard.blocked_until = None if rest else now + wait * 2 ** min(times - 1, DOUBLINGS)
    guard.save(update_fields=["failures", "blocked_until"])


def _limit(guard: PinGuard) -> int:
    if guard.client == ANYBODY:
        return OF_EVERYBODY
    return AT_ALL_TABLES if guard.table_number == EVERY_TABLE else AT_A_TABLE


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
