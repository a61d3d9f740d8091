"""A round of an evening: started, closed under a seal, opened again."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, seal
from clubs.errors import DomainError
from scoring.models import Scoresheet
from scoring.services import reason_checked, sheets_close, sheets_lock, sheets_open
from tournaments.models import Evening, Round
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.services.tokens import tokens_ensure

RUNNING = Evening.State.RUNNING


@transaction.atomic
def round_start(*, round_id: int, actor: Actor) -> Round:
    """Let the tables of a drawn round write deals.

    In a rotation the round before may still be running, since each table goes on by itself.
    Raises DomainError `evening_state`, `round_gone`, `round_state` or `round_before_running`.
    """
    round_ = _lock(round_id)
    require_state(round_.evening, Evening.State.PLANNED, RUNNING)
    _require(round_, Round.State.DRAWN)
    earlier = round_.evening.rounds.filter(number__lt=round_.number)
    if round_.evening.method != Evening.Method.ROTATION:
        earlier = earlier.exclude(state=Round.State.CLOSED)
    else:
        earlier = earlier.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN])
    if earlier.exists():
        raise DomainError("round_before_running", _("Close the round before this one first."))
    if round_.evening.state != RUNNING:
        round_.evening.state = RUNNING
        round_.evening.save(update_fields=["state"])
    sheets_open(Scoresheet.objects.filter(table__round=round_))
    numbers = round_.tables.values_list("number", flat=True)
    tokens_ensure(evening=round_.evening, tables=max(numbers, default=0))
    return _state_set(round_, Round.State.RUNNING, actor, "round_started")


@transaction.atomic
def round_close(*, round_id: int, actor: Actor, unfinished_reason: str = "") -> Round:
    """Close a round and seal its sheets.

    Refused when a table has not written every deal, unless a reason is given. A deal that is being
    written at this moment is either included in the seal, or refused.
    Raises DomainError `evening_state`, `round_gone`, `round_state`, `reason_too_long`, or
    `tables_unfinished` (params: tables).
    """
    round_ = _lock(round_id)
    require_state(round_.evening, RUNNING)
    _require(round_, Round.State.RUNNING)
    reason = reason_checked(unfinished_reason, needed=False)
    numbers = dict(round_.tables.values_list("sheet_id", "number"))
    sheets = sheets_lock(*numbers)
    unfinished = sorted(numbers[sheet.pk] for sheet in sheets if not sheet.is_full)
    if unfinished and not reason:
        raise DomainError(
            "tables_unfinished",
            _("Not finished yet: table %(tables)s.") % {"tables": ", ".join(map(str, unfinished))},
            tables=unfinished,
        )
    sheets_close(Scoresheet.objects.filter(pk__in=numbers))
    round_.seal = seal(sheets)
    return _state_set(
        round_,
        Round.State.CLOSED,
        actor,
        "round_closed",
        data={"seal": round_.seal, "unfinished": unfinished},
        texts={"reason": reason},
    )


@transaction.atomic
def round_reopen(*, round_id: int, actor: Actor) -> Round:
    """Open a closed round again, so that its tables can write.

    Raises DomainError `evening_state`, `round_gone` or `round_state`.
    """
    round_ = _lock(round_id)
    require_state(round_.evening, RUNNING)
    _require(round_, Round.State.CLOSED)
    sheets_open(Scoresheet.objects.filter(table__round=round_))
    round_.seal = ""
    return _state_set(round_, Round.State.RUNNING, actor, "round_reopened")


def _lock(round_id: int) -> Round:
    """The round with its evening locked; somebody may just have undone its draw."""
    evening_id = Round.objects.filter(pk=round_id).values_list("evening_id", flat=True).first()
    evening = evening_lock(evening_id) if evening_id else None
    round_ = Round.objects.filter(pk=round_id).first()
    if evening is None or round_ is None:
        raise DomainError("round_gone", _("This round is no longer there: the draw was undone."))
    round_.evening = evening
    return round_


def _require(round_: Round, state: Round.State) -> None:
    if round_.state != state:
        raise DomainError(
            "round_state",
            _("That cannot be done now: round %(n)s is %(state)s.")
            % {"n": round_.number, "state": round_.get_state_display()},
        )


def _state_set(
    round_: Round,
    state: Round.State,
    actor: Actor,
    action: str,
    *,
    data: dict[str, object] | None = None,
    texts: dict[str, str] | None = None,
) -> Round:
    round_.state = state
    round_.save(update_fields=["state", "seal"])
    evening_touch(
        round_.evening,
        actor=actor,
        action=action,
        data={"round": round_.number, **(data or {})},
        texts=texts,
    )
    return round_
