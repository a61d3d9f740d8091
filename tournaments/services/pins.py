"""A table's number and PIN instead of its link, for people who cannot scan; guessing is slowed."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.errors import DomainError
from clubs.models import Club
from tournaments.models import Evening, EveningQuerySet, PinGuard, TableToken
from tournaments.services.tokens import token_pin

WRONG_IN_A_ROW = 5
FIRST_WAIT = timedelta(minutes=5)
DOUBLINGS = 6


def pin_evenings() -> EveningQuerySet:
    """The evenings on which a table can be opened with its PIN now."""
    playable = [Evening.State.PLANNED, Evening.State.RUNNING]
    valid = TableToken.objects.filter(revoked_at=None).values("evening")
    return Evening.objects.filter(state__in=playable, phones=True, pk__in=valid)


def pin_try(*, club: Club, table_number: int, pin: str) -> TableToken:
    """The link that this PIN stands for at this table of the club's evening.

    After five wrong PINs in a row a table accepts none for five minutes, after five more for ten,
    and so on, doubling. Raises DomainError `pin_wrong`, or `pin_blocked` (params: minutes).
    """
    outcome = _try(pin_evenings().of(club), table_number, pin)
    if isinstance(outcome, TableToken):
        return outcome
    raise _blocked(outcome, table_number) if outcome else _wrong()


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
            "This table and this PIN do not belong together. Look once more on the card or the"
            " score sheet of your table."
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
