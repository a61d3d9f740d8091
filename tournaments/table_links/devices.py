"""The phones of an evening's tables: each has the right to write at one table for one round."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models.rows import Given, Prepared
from clubs.models.user import secret_hash
from clubs.text.errors import DomainError
from clubs.text.numbers import side_name
from scoring.models import DealClaim, DealEntry
from scoring.rules import SEATS, side_of
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Placement, Round, TableDevice, TableToken

SEEN_AGAIN_AFTER = timedelta(minutes=1)
MOST_PHONES = 99
"""Limit per table and evening: more phones than this is abuse."""


@dataclass(frozen=True, slots=True)
class TablePhone:
    """A phone at a table: when it was seen first and last, how often it wrote, and the `rounds` in
    which it had the right to."""

    number: int
    kind: str
    side: str
    rounds: Sequence[int]
    first_at: datetime
    last_at: datetime
    is_cut_off: bool
    entries: int

    @property
    def side_name(self) -> str:
        return side_name(self.side) if self.side else ""


@dataclass(frozen=True, slots=True)
class TablePhones:
    """The phones of one table: those of the current round, and earlier ones."""

    number: int
    here: Sequence[TablePhone]
    earlier: Sequence[TablePhone]


def device_go_on(
    *, device: TableDevice, token: TableToken, key: str, round_number: int, name: str = ""
) -> TableDevice:
    """A phone known at the table of this link, with its right to write there in a round.

    In a later round it is paired again if the same people still sit there. Otherwise it is returned
    unchanged: its right ended with its round.
    """
    if device.round_number >= round_number:
        return _seen(device, token)
    if not _people_stayed(token, device.round_number, round_number):
        return device
    return device_pair(token=token, key=key, round_number=round_number, name=name) or device


@transaction.atomic
def device_pair(
    *, token: TableToken, key: str, round_number: int, name: str = ""
) -> TableDevice | None:
    """Give the phone that keeps `key` the right to write at the table of this link in a round.

    It keeps its number at this table, and stays cut off if it was. Where its two people are still
    partners it goes on for their side, else nobody has said yet who holds it. Returns None for a
    new phone beyond the limit, which is then treated as one without cookies.
    """
    table = TableToken.objects.filter(evening=token.evening, table_number=token.table_number)
    # Locking the table's links serialises phones that pair at once, so that numbers stay unique.
    list(table.select_for_update(no_key=True).order_by("pk"))
    before = next(iter(_known_rows(token, key)[-1:]), None)
    last = _at_table(token).aggregate(last=Max("number"))["last"] or 0
    if before is None and last >= MOST_PHONES:
        return None
    now = timezone.now()
    device, _made = TableDevice.objects.get_or_create(
        evening=token.evening,
        table_number=token.table_number,
        round_number=round_number,
        digest=secret_hash(key),
        defaults={
            "number": before.number if before else last + 1,
            "side": _side_now(token, before, round_number),
            "name": name[:60],
            "last_at": now,
            "cut_off_at": before.cut_off_at if before else None,
        },
    )
    return device


def device_find(*, token: TableToken, key: str, round_number: int) -> TableDevice | None:
    """The phone that keeps `key`, if it was ever paired with the table of this link: its row of
    this round, else of the next round it has one in, else of the last one before."""
    known = _known_rows(token, key)
    at_least = [device for device in known if device.round_number >= round_number]
    return next(iter(at_least or known[-1:]), None)


@transaction.atomic
def device_hold(*, device: TableDevice, side: str) -> None:
    """Remember which side holds this phone in its round."""
    TableDevice.objects.filter(pk=device.pk).update(side=side)


def phone_sides(evening: Evening, table_number: int, round_number: int) -> dict[str, str]:
    """By its ref, the side that holds each phone of a table in a round; empty where nobody has
    said. Phones that were cut off are left out."""
    here = TableDevice.objects.filter(
        evening=evening, table_number=table_number, round_number=round_number, cut_off_at=None
    )
    return {device.ref: device.side for device in here}


@transaction.atomic
def device_cut_off(*, evening_id: int, table_number: int, number: int, actor: Actor) -> None:
    """Stop a phone from writing at a table for the whole evening. Deals it still sends are only
    kept as claims.

    Raises DomainError `evening_state`, or `phone_unknown`.
    """
    _cut_off_set(evening_id, table_number, number, timezone.now(), actor)


@transaction.atomic
def device_let_in(*, evening_id: int, table_number: int, number: int, actor: Actor) -> None:
    """Let a phone that was cut off write again.

    Raises DomainError `evening_state`, or `phone_unknown`.
    """
    _cut_off_set(evening_id, table_number, number, None, actor)


def phones_at_tables(evening: Evening) -> list[TablePhones]:
    """Every table of the evening in order, even without phones."""
    rounds = evening.rounds.exclude(state=Round.State.DRAFT)
    last = rounds.aggregate(last=Max("tables__number"))["last"] or 0
    now = rounds.exclude(state=Round.State.DRAWN).aggregate(last=Max("number"))["last"] or 0
    phones = _phones(evening)
    return [
        TablePhones(
            number,
            here=[phone for phone in phones[number] if phone.rounds[-1] >= now],
            earlier=[phone for phone in phones[number] if phone.rounds[-1] < now],
        )
        for number in range(1, max([last, *phones], default=0) + 1)
    ]


def _cut_off_set(
    evening_id: int, table_number: int, number: int, at: datetime | None, actor: Actor
) -> None:
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    phones = evening.devices.filter(table_number=table_number, number=number)
    if not phones.exists():
        raise DomainError("phone_unknown", _("There is no such phone at this table."))
    # Only rows that change, so that a second press leaves no second event in the trail.
    if phones.filter(cut_off_at__isnull=at is not None).update(cut_off_at=at):
        data = {"table": table_number, "phone": number}
        action = "phone_cut_off" if at else "phone_let_in"
        evening_touch(evening, actor=actor, action=action, data=data)


def _seen(device: TableDevice, token: TableToken) -> TableDevice:
    now = timezone.now()
    # Who scans the code of the other side holds the phone now.
    is_others = bool(token.side and device.side) and device.side != token.side
    # At most one write a minute, since an open page keeps asking for news.
    if is_others or now - device.last_at > SEEN_AGAIN_AFTER:
        device.side, device.last_at = token.side if is_others else device.side, now
        TableDevice.objects.filter(pk=device.pk).update(side=device.side, last_at=now)
    return device


def _side_now(token: TableToken, before: TableDevice | None, round_number: int) -> str:
    """The side that holds a phone in a new round: as its link says, or the side of its two people
    where they are partners again; empty where somebody has to say."""
    if before is None or before.round_number == 0:
        return token.side
    if token.side and before.side and token.side != before.side:
        return token.side
    then, now = (_pairs(token, number) for number in (before.round_number, round_number))
    if sum(map(len, now.values())) != len(SEATS):
        return token.side
    people = then.get(before.side)
    followed = next((side for side, pair in now.items() if pair == people), "")
    # Another link is another code: it is not followed to the other side.
    return followed if token.side in ("", followed) else ""


def _pairs(token: TableToken, round_number: int) -> dict[str, set[int]]:
    """The people of each side of a table in a round."""
    seated = Placement.objects.filter(
        round__evening=token.evening,
        round__number=round_number,
        table__number=token.table_number,
    )
    pairs: dict[str, set[int]] = defaultdict(set)
    for seat, member in seated.values_list("seat", "member_id"):
        pairs[side_of(seat)].add(member)  # type: ignore[arg-type]
    return pairs


def _at_table(token: TableToken) -> QuerySet[TableDevice]:
    return TableDevice.objects.filter(evening=token.evening, table_number=token.table_number)


_known = Prepared(
    lambda: TableDevice.objects.filter(
        evening=Given(TableDevice, "evening"),
        table_number=Given(TableDevice, "table_number"),
        digest=Given(TableDevice, "digest"),
    ).order_by("round_number")
)


def _known_rows(token: TableToken, key: str) -> list[TableDevice]:
    """What this phone has at the table of this link, a row for each round it was here."""
    return _known.rows(
        evening=token.evening_id, table_number=token.table_number, digest=secret_hash(key)
    )


def _people_stayed(token: TableToken, before: int, now: int) -> bool:
    """Whether the same people sit at the table in both rounds, or `before` is 0: no round yet."""
    return before == 0 or _people(token.evening, token.table_number, before) == _people(
        token.evening, token.table_number, now
    )


def _people(evening: Evening, table_number: int, round_number: int) -> set[int]:
    seated = Placement.objects.filter(
        round__evening=evening, round__number=round_number, table__number=table_number
    )
    return set(seated.values_list("member_id", flat=True))


def _phones(evening: Evening) -> dict[int, list[TablePhone]]:
    rows: dict[tuple[int, int], list[TableDevice]] = defaultdict(list)
    for row in evening.devices.order_by("table_number", "number", "round_number"):
        rows[row.table_number, row.number].append(row)
    written = _written(evening)
    phones: dict[int, list[TablePhone]] = defaultdict(list)
    for (table, _number), of_phone in rows.items():
        phones[table].append(_phone(of_phone, written[table, of_phone[0].ref]))
    return phones


def _phone(rows: Sequence[TableDevice], entries: int) -> TablePhone:
    last = rows[-1]
    return TablePhone(
        number=last.number,
        kind=last.name,
        side=last.side,
        rounds=[row.round_number for row in rows],
        first_at=rows[0].first_at,
        last_at=max(row.last_at for row in rows),
        is_cut_off=last.cut_off_at is not None,
        entries=entries,
    )


def _written(evening: Evening) -> Counter[tuple[int, str]]:
    """How often each phone wrote a deal or made a claim, by its table number and its ref."""
    written: Counter[tuple[int, str]] = Counter()
    for model in (DealEntry, DealClaim):
        here = model.objects.filter(
            deal__sheet__table__round__evening=evening, device__startswith="phone:"
        )
        counted = here.values_list("deal__sheet__table__number", "device").annotate(n=Count("pk"))
        written.update({(table, ref): n for table, ref, n in counted.order_by()})
    return written


COOKIE = "table_phone"
KEPT_FOR = timedelta(days=1)
"""A whole evening, but not until the next one a week later."""
KINDS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
"""Words in a User-Agent and the name shown to the director. The order matters: an Android's has
"Linux" in it as well."""


@dataclass(frozen=True, slots=True)
class UnknownPhone:
    """A phone without a number: on its first visit, or because it keeps no cookies.

    `ref` tells it from the others by what its page calls itself, if it does.
    """

    ref: str = ""
    number: None = None
    round_number: int = 0
    side: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> "UnknownPhone":
        own = request.POST.get("device", "").replace("\0", "")
        return cls(ref=f"phone:?{own}"[:60] if own else "")


UNKNOWN = UnknownPhone()


def phone_key(request: HttpRequest) -> str:
    """The key in this phone's cookie; empty on its first visit."""
    return request.COOKIES.get(COOKIE, "")


def phone_kind(request: HttpRequest) -> str:
    """The kind of phone, from its User-Agent; empty if unknown."""
    agent = request.headers.get("User-Agent", "")
    return next((kind for word, kind in KINDS.items() if word in agent), "")


def phone_remember(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie with a new key on a phone that has none."""
    if phone_key(request):
        return
    response.set_cookie(
        COOKIE,
        secrets.token_urlsafe(32),
        max_age=KEPT_FOR,
        path="/t/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def wants_json(request: HttpRequest) -> bool:
    """Whether the page's own script asks, rather than a browser for a page."""
    try:
        return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    except ValueError:
        return False
