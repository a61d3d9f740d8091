"""Table links: a capability to write at one table for one evening, stored hashed; the addresses
behind their QR codes; and PINs, a table's number and five digits, for people who cannot scan.

Guessing a PIN is slowed down for the client that guesses: by its network and, of IPv6, by the site
(the /48) that holds it, stored as keyed hashes. Only wrong PINs by the hundred, which no network
and no site comes to in an evening, close a table for everybody.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.http.middleware import site_of
from clubs.http.network import base_url
from clubs.limits.table import DEAD_LINK_WRITES, Limit
from clubs.models import Club
from clubs.models.rows import Given, Prepared
from clubs.models.user import secret_hash
from clubs.text.errors import DomainError
from clubs.text.numbers import SIDE_COLOURS
from scoring.rules import SIDES
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening, EveningQuerySet, PinGuard, Round, Table, TableToken
from tournaments.models.table import writing_changed

ENDS_AFTER = timedelta(days=7)
"""A phone that was forgotten in a coat comes to the next evening, and brings what it kept."""


@transaction.atomic
def tokens_ensure(*, evening: Evening, tables: int) -> None:
    """Give each of the tables up to number `tables` its missing links: one, or one for each side
    on an evening where both sides write. Valid links of the other kind are revoked.
    """
    evening = evening_lock(evening.pk)
    sides = link_sides(evening)
    valid = TableToken.objects.filter(evening=evening, revoked_at=None)
    valid.exclude(side__in=sides).update(revoked_at=timezone.now())
    existing = set(valid.values_list("table_number", "side"))
    last = _last_generations(evening)
    missing = [
        (number, side)
        for number in range(evening.first_table, tables + 1)
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


def token_of_side(token: TableToken, side: str) -> TableToken | None:
    """The valid link of a side of the same table; None where the sides have none of their own."""
    same = TableToken.objects.filter(
        evening=token.evening, table_number=token.table_number, side=side, revoked_at=None
    )
    return same.select_related("evening").first()


_by_digest = Prepared(
    lambda: TableToken.objects.select_related("evening__club", "evening__regulation").filter(
        digest=Given(TableToken, "digest")
    )
)


def token_find(secret: str) -> TableToken | None:
    """The link with this secret, valid or revoked; None if there is none."""
    return _by_digest.first(digest=secret_hash(secret))


def links_ensure(*, evening: Evening) -> list[TableToken]:
    """The valid links of the tables in order, North-South first; missing ones are made.

    Empty for an evening without phones, without a final draw, or that is over.
    """
    if not evening.phones or not evening.is_open:
        return []
    final = evening.rounds.exclude(state=Round.State.DRAFT)
    tables = final.aggregate(last=Max("tables__number"))["last"] or 0
    links = _valid(evening, tables)
    if len(links) < (tables - evening.first_table + 1) * len(link_sides(evening)):
        tokens_ensure(evening=evening, tables=tables)
        links = _valid(evening, tables)
    return links


def link_has_ended(token: TableToken) -> bool:
    """Whether not even what waited on a phone is taken over this link any more: a week after it was
    replaced, or after its evening was closed."""
    evening, last = token.evening, token.revoked_at
    if evening.state == Evening.State.CLOSED:
        closed = evening.releases.aggregate(at=Max("published_at"))["at"]
        last = min(filter(None, (last, closed)), default=None)
    return last is not None and timezone.now() > last + ENDS_AFTER


def link_writes_count(*, token: TableToken, client: str) -> int:
    """Count something that a phone sends over this link from a client's network. Returns for how
    many seconds to wait instead, when it was too often; else 0."""
    over = token.revoked_at is not None or not token.evening.is_open
    of_link = DEAD_LINK_WRITES if over else Limit(settings.TABLE_WRITES["link"])
    of_address = Limit(settings.TABLE_WRITES["address"])
    link, address = f"writes of link {token.pk} {over}", "writes of address"
    if of_link.is_spent(link):
        return of_link.wait
    if of_address.is_spent_from(address, client):
        return of_address.wait
    of_link.spend(link, 1)
    of_address.spend_from(address, client, 1)
    return 0


@receiver(writing_changed)
@transaction.atomic
def links_follow(evening: Evening, **_kwargs: object) -> None:
    """Make missing links, for a new table or for both sides, if this evening has links already."""
    made = evening.tokens.filter(revoked_at=None).aggregate(last=Max("table_number"))["last"]
    if made is not None:
        drawn = Table.objects.filter(round__evening=evening).aggregate(last=Max("number"))["last"]
        tokens_ensure(evening=evening, tables=max(made, drawn or 0))


def _token(evening: Evening, number: int, side: str, generation: int) -> TableToken:
    return TableToken(
        evening=evening,
        table_number=number,
        side=side,
        generation=generation,
        digest=secret_hash(_secret(evening, number, generation)),
    )


def _last_generations(evening: Evening) -> Counter[int]:
    """How many links each table has had, for either side."""
    made = TableToken.objects.filter(evening=evening).values_list("table_number")
    return Counter(dict(made.annotate(last=Max("generation"))))


def _secret(evening: Evening, number: int, generation: int) -> str:
    value = f"{evening.uuid}:{number}:{generation}"
    return salted_hmac("tournaments.table_token", value, algorithm="sha256").hexdigest()[:40]


def _valid(evening: Evening, tables: int) -> list[TableToken]:
    tokens = TableToken.objects.filter(
        evening=evening,
        revoked_at=None,
        table_number__gte=evening.first_table,
        table_number__lte=tables,
        side__in=link_sides(evening),
    ).order_by("table_number", "-side")
    for token in tokens:
        token.evening = evening
    return list(tokens)


@dataclass(frozen=True, slots=True)
class TableLink:
    """The link that opens a table on a phone; `side` is empty unless each side has its own."""

    number: int
    side: str
    url: str
    pin: str

    @property
    def colour(self) -> str:
        """The colour of its side on paper, green or brown; empty for the whole table. On a phone
        both sides are *we*."""
        return str(SIDE_COLOURS[self.side]) if self.side else ""


def table_links(evening: Evening) -> list[TableLink]:
    """The links of the tables in order; see `links_ensure`."""
    base = base_url(evening.club)
    return [
        TableLink(
            token.table_number,
            token.side,
            base + reverse("table_page", args=[token_secret(token)]),
            token_pin(token),
        )
        for token in links_ensure(evening=evening)
    ]


def pin_address(club: Club) -> str:
    """The address to type instead of scanning: without `http://`, which a browser adds."""
    return base_url(club).partition("://")[2] + reverse("pin").rstrip("/")


# PINs.


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
