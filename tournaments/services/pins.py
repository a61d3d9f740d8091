"""A table's number and PIN in place of its link, for who cannot scan; guessing is slowed down."""

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

    After five wrong ones in a row a table hears none for five minutes, after five more for ten,
    and so on doubling. Raises DomainError `pin_wrong`, or `pin_blocked` (params: minutes).
    """
    blocked: list[datetime] = []
    for evening in pin_evenings().of(club):
        found = _try(evening, table_number, pin)
        if isinstance(found, TableToken):
            return found
        if found is not None:
            blocked.append(found)
    raise _blocked(min(blocked), table_number) if blocked else _wrong()


@transaction.atomic
def _try(evening: Evening, table_number: int, pin: str) -> TableToken | datetime | None:
    """The link, None for a wrong PIN, or until when this table hears none."""
    tokens = evening.tokens.filter(table_number=table_number, revoked_at=None)
    links = list(tokens.select_related("evening"))
    if not links:
        return None
    guard, _made = PinGuard.objects.get_or_create(evening=evening, table_number=table_number)
    guard = PinGuard.objects.select_for_update(no_key=True).get(pk=guard.pk)
    now = timezone.now()
    if guard.blocked_until and guard.blocked_until > now:
        return guard.blocked_until
    for token in links:
        if constant_time_compare(token_pin(token), pin):
            PinGuard.objects.filter(pk=guard.pk).update(failures=0, blocked_until=None)
            return token
    return _count(guard, now)


def _count(guard: PinGuard, now: datetime) -> datetime | None:
    """Take down a wrong PIN; until when the table hears none from now on, None while it does."""
    guard.failures += 1
    times, rest = divmod(guard.failures, WRONG_IN_A_ROW)
    guard.blocked_until = None if rest else now + FIRST_WAIT * 2 ** min(times - 1, DOUBLINGS)
    guard.save(update_fields=["failures", "blocked_until"])
    return guard.blocked_until


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
