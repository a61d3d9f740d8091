"""The phones at a table: each has the right to write there for one round."""

import hashlib
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from tournaments.models import Evening, Placement, TableDevice, TableToken
from tournaments.services._evening import evening_lock, evening_touch, require_state

SEEN_AGAIN_AFTER = timedelta(minutes=1)
MOST_PHONES = 99
"""No table sees this many phones in an evening; more are invented, and do not count."""


def device_go_on(
    *, device: TableDevice, token: TableToken, key: str, round_number: int, name: str = ""
) -> TableDevice:
    """A phone that is known at the table of this link, as it may write there in a round.

    In a later round it is paired anew where its people stayed at the table. Where others sit there
    now it is given as it was: its right ended with its round.
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

    It keeps the number it had at this table; cut off there, it stays so. None for a new one where
    there were 99: it may write as one that keeps no cookie may.
    """
    table = TableToken.objects.filter(evening=token.evening, table_number=token.table_number)
    list(table.select_for_update(no_key=True).order_by("pk"))
    before = _known(token, key).last()
    last = _at_table(token).aggregate(last=Max("number"))["last"] or 0
    if before is None and last >= MOST_PHONES:
        return None
    now = timezone.now()
    device, _made = TableDevice.objects.get_or_create(
        evening=token.evening,
        table_number=token.table_number,
        round_number=round_number,
        digest=_digest(key),
        defaults={
            "number": before.number if before else last + 1,
            "side": token.side,
            "name": name[:60],
            "last_at": now,
            "cut_off_at": before.cut_off_at if before else None,
        },
    )
    return device


def device_find(*, token: TableToken, key: str, round_number: int) -> TableDevice | None:
    """The phone that keeps `key`, if it was ever paired with the table of this link: as it was in
    this round, else in the nearest one after it, else in the last one before."""
    known = list(_known(token, key))
    at_least = [device for device in known if device.round_number >= round_number]
    return next(iter(at_least or known[-1:]), None)


@transaction.atomic
def device_cut_off(*, evening_id: int, table_number: int, number: int, actor: Actor) -> None:
    """Stop a phone from writing at a table for the whole evening. Entries it still sends are kept
    beside the sheet and write nothing.

    Raises DomainError `evening_state`, or `phone_unknown`.
    """
    _cut_off_set(evening_id, table_number, number, timezone.now(), actor)


@transaction.atomic
def device_let_in(*, evening_id: int, table_number: int, number: int, actor: Actor) -> None:
    """Let a phone that was cut off write again.

    Raises DomainError `evening_state`, or `phone_unknown`.
    """
    _cut_off_set(evening_id, table_number, number, None, actor)


def _cut_off_set(
    evening_id: int, table_number: int, number: int, at: datetime | None, actor: Actor
) -> None:
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    phones = evening.devices.filter(table_number=table_number, number=number)
    if not phones.exists():
        raise DomainError("phone_unknown", _("There is no such phone at this table."))
    if phones.filter(cut_off_at__isnull=at is not None).update(cut_off_at=at):
        data = {"table": table_number, "phone": number}
        action = "phone_cut_off" if at else "phone_let_in"
        evening_touch(evening, actor=actor, action=action, data=data)


def _seen(device: TableDevice, token: TableToken) -> TableDevice:
    now = timezone.now()
    if device.side != token.side or now - device.last_at > SEEN_AGAIN_AFTER:
        device.side, device.last_at = token.side, now
        TableDevice.objects.filter(pk=device.pk).update(side=token.side, last_at=now)
    return device


def _at_table(token: TableToken) -> QuerySet[TableDevice]:
    return TableDevice.objects.filter(evening=token.evening, table_number=token.table_number)


def _known(token: TableToken, key: str) -> QuerySet[TableDevice]:
    return _at_table(token).filter(digest=_digest(key)).order_by("round_number")


def _people_stayed(token: TableToken, before: int, now: int) -> bool:
    """Whether the same people sit at the table in both rounds; before the first draw (0) nobody
    did."""
    return before == 0 or _people(token.evening, token.table_number, before) == _people(
        token.evening, token.table_number, now
    )


def _people(evening: Evening, table_number: int, round_number: int) -> set[int]:
    seated = Placement.objects.filter(
        round__evening=evening, round__number=round_number, table__number=table_number
    )
    return set(seated.values_list("member_id", flat=True))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
