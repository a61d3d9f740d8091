"""What the director gives a pair for a folder instead of what it made there, and which results the
cards of a folder cannot give."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.models import Deal, Scoresheet
from scoring.rules import evaluate
from scoring.rules.hands import find_hand_faults
from tournaments.duplicate.core.scoring import AVERAGE
from tournaments.duplicate.services import decided, folders_lock, summary_follow
from tournaments.evenings.locking import evening_touch, require_state
from tournaments.models import DuplicateEvening, Evening, FolderPlay

RUNNING, CLOSED = Evening.State.RUNNING, Evening.State.CLOSED


@transaction.atomic
def ruling_give(
    *, evening_id: int, play_id: int, percent: int, reason: str, fouled: bool, actor: Actor
) -> FolderPlay:
    """Give a pair so many percent of a folder instead of what it made there, with a reason. Where
    the cards were `fouled` at that table, what is written there is no longer held against them.

    Raises DomainError `evening_state`, `no_folders`, `play_unknown`, `round_not_started`,
    `ruling_percent` or `reason_needed`.
    """
    evening = folders_lock(evening_id)
    require_state(evening, RUNNING, CLOSED)
    duplicate, play = decided(evening), _play(evening, play_id)
    if play.deal.sheet.state == Scoresheet.State.PLANNED:
        raise DomainError(
            "round_not_started",
            _("This folder is played in a round that has not started. Give the ruling then."),
        )
    if not 0 <= percent <= 100:
        raise DomainError("ruling_percent", _("Give a percentage from 0 to 100."))
    if percent != AVERAGE and duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS:
        raise DomainError(
            "ruling_percent",
            _("Compared by differences a pair can only be given the average: 50 percent."),
        )
    reason = reason.strip()
    if not reason or len(reason) > FolderPlay.LONGEST_REASON:
        raise DomainError("reason_needed", _("Say why, in at most 200 characters."))
    play.percent, play.reason = percent, reason
    play.save(update_fields=["percent", "reason"])
    if fouled:
        Deal.objects.filter(pk=play.deal_id).update(folder=None)
    _ruled(evening, play, actor, "folder_ruled")
    return play


@transaction.atomic
def ruling_take_back(*, evening_id: int, play_id: int, actor: Actor) -> FolderPlay:
    """What the pair made of the folder counts again. Raises DomainError like `ruling_give`."""
    evening = folders_lock(evening_id)
    require_state(evening, RUNNING, CLOSED)
    play = _play(evening, play_id)
    if play.percent is None:
        return play
    play.percent, play.reason = None, ""
    play.save(update_fields=["percent", "reason"])
    if not FolderPlay.objects.filter(deal=play.deal, percent__isnull=False).exists():
        Deal.objects.filter(pk=play.deal_id).update(folder=play.folder)
    _ruled(evening, play, actor, "folder_ruling_removed")
    return play


def deals_in_doubt(deals: Iterable[int]) -> set[int]:
    """Those of these deals of which the cards of their folder cannot give what is written: it was
    written before the table had the folder, or the cards were typed in later. One query."""
    known = Deal.objects.filter(pk__in=deals, folder__isnull=False, current__written__isnull=False)
    return {
        deal.pk
        for deal in known.select_related("folder", "current", "sheet__regulation")
        if _is_in_doubt(deal)
    }


def _is_in_doubt(deal: Deal) -> bool:
    hands = deal.folder.hands if deal.folder else ""
    written = deal.current.written if deal.current else None
    if not hands or written is None:
        return False
    rules = deal.sheet.regulation.rules
    return bool(find_hand_faults(evaluate(written, rules).deal, hands, rules))


def _play(evening: Evening, play_id: int) -> FolderPlay:
    plays = FolderPlay.objects.select_related("folder", "deal__sheet")
    play = plays.filter(pk=play_id, folder__pack=evening.uuid).first()
    if play is None:
        raise DomainError("play_unknown", _("No pair of this evening plays that."))
    return play


def _ruled(evening: Evening, play: FolderPlay, actor: Actor, action: str) -> None:
    evening_touch(
        evening,
        actor=actor,
        action=action,
        data={"folder": play.folder.number, "pair": play.pair, "percent": play.percent},
        texts={"reason": play.reason},
    )
    summary_follow(evening)
