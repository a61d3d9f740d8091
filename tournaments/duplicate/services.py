"""Portefeuille: what is played, the cards in the folders, and what all services of it share; and
what the director gives a pair for a folder instead of what it made there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.models import Deal, Folder, Scoresheet
from scoring.rules import evaluate
from scoring.rules.hands import find_hand_faults
from tournaments.duplicate.core.dealing import (
    CardMoved,
    HandFault,
    cards_moved,
    commitment_of,
    dealt,
    seed_draw,
)
from tournaments.duplicate.core.scoring import AVERAGE
from tournaments.duplicate.queries import duplicate_of
from tournaments.duplicate.texts import listed
from tournaments.evenings.services import evening_lock, evening_note, evening_touch, require_state
from tournaments.models import DuplicateEvening, Evening, FolderPlay
from tournaments.standings.summaries import summary_store

NO_NIGHT: Mapping[str, object] = {"night": None, "night_address": "", "night_key": ""}
PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED = Evening.State.CLOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePlan:
    """What is decided about the folders of an evening before it."""

    kind: str = DuplicateEvening.Kind.MITCHELL
    compare: str = DuplicateEvening.Comparison.MATCHPOINTS
    net: bool = False
    folders: int = 24


def version_seen(duplicate: DuplicateEvening) -> int:
    """What names the decision that somebody saw: its version, and 0 where nothing was decided."""
    return duplicate.version if duplicate.pk else 0


@transaction.atomic
def duplicate_plan(
    *,
    evening_id: int,
    plan: DuplicatePlan,
    actor: Actor,
    seen: int | None = None,
    drop_typed: bool = False,
) -> DuplicateEvening:
    """Decide how the folders are played and compared; an evening has at most one such decision.

    It can change until there is a movement. With another number of folders those that stay keep
    their cards, and new ones are dealt from the same seed. Raises DomainError `evening_state`,
    `no_folders`, `folders_drawn`, `duplicate_moved_on` if another version than `seen` was decided
    since, `night_decides`, or `folders_typed` for cards that somebody typed in and that would go,
    without `drop_typed`.
    """
    evening = folders_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    if evening.rounds.exists():
        raise DomainError("folders_drawn", _("Undo the draw first, then change this."))
    known = duplicate_of(evening)
    if known.night and not _is_of_the_night(known, plan):
        raise DomainError(
            "night_decides",
            _(
                "Other clubs play the same cards on this night: the league decides how many folders"
                " there are and how they are compared. Deal the folders yourself to leave it."
            ),
        )
    if known.pk:
        decide(known, seen, **asdict(plan))
    elif seen:
        raise _moved_on()
    else:
        known = DuplicateEvening.objects.create(evening=evening, **asdict(plan))
    beyond = Folder.objects.filter(pack=evening.uuid, number__gt=known.folders)
    typed_drop(evening, beyond, actor, meant=drop_typed)
    folders_ensure(evening, known)
    evening_touch(
        evening,
        actor=actor,
        action="folders_planned",
        data={"count": known.folders, "kind": known.kind, "compare": known.compare},
    )
    return known


@transaction.atomic
def folders_deal(
    *,
    evening_id: int,
    actor: Actor,
    seed: str | None = None,
    seen: int | None = None,
    drop_typed: bool = False,
) -> DuplicateEvening:
    """Deal all folders from a new seed, whose commitment can be read from now on; or from this
    `seed`, which somebody else drew.

    Raises DomainError `evening_state` once the evening runs, `no_folders`, `duplicate_moved_on`
    if somebody else dealt or decided something since the version `seen`, or `folders_typed` for
    cards that somebody typed in, without `drop_typed`.
    """
    evening = folders_lock(evening_id)
    require_state(evening, PLANNED)
    duplicate = decided(evening, seen)
    pack = Folder.objects.filter(pack=evening.uuid)
    typed_drop(evening, pack, actor, meant=drop_typed)
    drawn = seed or seed_draw()
    commitment = commitment_of(drawn, str(evening.uuid))
    decide(duplicate, None, seed=drawn, commitment=commitment, **NO_NIGHT)
    for folder in folders_ensure(evening, duplicate):
        folder.hands, folder.typed = dealt(drawn, folder.number), False
        folder.save(update_fields=["hands", "typed"])
    evening_touch(
        evening,
        actor=actor,
        action="folders_dealt",
        data={"count": duplicate.folders, "commitment": commitment},
    )
    return duplicate


@transaction.atomic
def folders_type_in(
    *,
    evening_id: int,
    hands: Mapping[int, str],
    actor: Actor,
    instead: bool = False,
    reason: str = "",
) -> int:
    """Take over the cards of these folders, as typed or read from a file; whose each card is, by
    folder. Returns how many changed.

    Hands that the program dealt are only replaced where that is meant (`instead`), with a reason:
    other cards lay in the folder. Raises DomainError `evening_state`, `no_folders`,
    `reason_needed`, or with every fault (params: faults) `folder_unknown`, or `hands_differ` from
    what was dealt: card by card once the evening is over, before that only in which folders, since
    whoever types something has not read the cards yet.
    """
    evening = folders_lock(evening_id)
    require_state(evening, PLANNED, RUNNING, CLOSED)
    duplicate = decided(evening)
    folders = {folder.number: folder for folder in folders_ensure(evening, duplicate)}
    unknown = [HandFault("folder", number) for number in sorted(hands.keys() - folders.keys())]
    if unknown:
        raise DomainError(
            "folder_unknown", _("These are not folders of this evening."), faults=unknown
        )
    changed = [
        folders[number]
        for number, holders in sorted(hands.items())
        if folders[number].hands != holders
    ]
    moved = {
        folder.number: cards_moved(folder.hands, hands[folder.number])
        for folder in changed
        if folder.hands and not folder.typed
    }
    if moved and not instead:
        raise DomainError(
            "hands_differ",
            _("These cards lie otherwise than the program dealt them."),
            faults=[*_differing(moved)]
            if evening.state == CLOSED
            else [HandFault("differs", number) for number in moved],
        )
    if moved and not reason.strip():
        raise DomainError("reason_needed", _("Say why the cards are not those that were dealt."))
    for folder in changed:
        folder.hands, folder.typed = hands[folder.number], True
        folder.save(update_fields=["hands", "typed"])
    if changed:
        evening_touch(
            evening,
            actor=actor,
            action="folders_typed_in",
            data={"folders": [folder.number for folder in changed], "count": len(changed)},
            texts={"reason": reason.strip()},
        )
        summary_follow(evening)
    return len(changed)


@transaction.atomic
def folders_printed(*, evening_id: int, kind: str, actor: Actor) -> None:
    """Note that somebody printed or downloaded the cards. Raises DomainError `no_folders`."""
    evening = folders_lock(evening_id)
    evening_note(evening, actor=actor, action="folders_printed", data={"kind": kind})


def folders_lock(evening_id: int) -> Evening:
    evening = evening_lock(evening_id)
    if not evening.plays_folders:
        raise DomainError(
            "no_folders", _("This evening is not played in folders: change the evening first.")
        )
    return evening


def decided(evening: Evening, seen: int | None = None) -> DuplicateEvening:
    """What was decided, in the database. Raises DomainError `duplicate_moved_on` if it is not what
    somebody saw as `seen`."""
    duplicate = duplicate_of(evening)
    if seen is not None and seen != version_seen(duplicate):
        raise _moved_on()
    if not duplicate.pk:
        duplicate.save()
    return duplicate


def decide(duplicate: DuplicateEvening, seen: int | None, **columns: object) -> None:
    """Write this if nobody wrote anything since. Raises DomainError `duplicate_moved_on`."""
    if not duplicate.update_if(duplicate.version if seen is None else seen, **columns):
        raise _moved_on()


def _is_of_the_night(duplicate: DuplicateEvening, plan: DuplicatePlan) -> bool:
    decided = duplicate.compare, duplicate.net, duplicate.folders
    return decided == (plan.compare, plan.net, plan.folders)


def _moved_on() -> DomainError:
    return DomainError(
        "duplicate_moved_on", _("This was changed in the meantime. This is how it is now.")
    )


def typed_drop(evening: Evening, folders: QuerySet[Folder], actor: Actor, *, meant: bool) -> None:
    """Note that the cards go which somebody typed in of these folders. Raises DomainError
    `folders_typed` unless that is `meant`."""
    numbers = list(folders.filter(typed=True).order_by("number").values_list("number", flat=True))
    if not numbers:
        return
    if not meant:
        message = ngettext(
            "The cards of folder %(numbers)s were typed in, and would be lost. Is that meant? Then"
            " tick it below.",
            "The cards of folders %(numbers)s were typed in, and would be lost. Is that meant? Then"
            " tick it below.",
            len(numbers),
        )
        raise DomainError("folders_typed", message % {"numbers": listed(numbers)})
    data = {"folders": numbers, "count": len(numbers)}
    evening_note(evening, actor=actor, action="folders_dropped", data=data)


def folders_ensure(evening: Evening, duplicate: DuplicateEvening) -> list[Folder]:
    """As many folders as are to be played, by number; new ones with the cards that the seed gives
    them, without any where there is no seed."""
    pack = Folder.objects.filter(pack=evening.uuid)
    pack.filter(number__gt=duplicate.folders).delete()
    known = set(pack.values_list("number", flat=True))
    Folder.objects.bulk_create(
        Folder(
            club=evening.club,
            pack=evening.uuid,
            number=number,
            hands=dealt(duplicate.seed, number) if duplicate.seed else "",
        )
        for number in range(1, duplicate.folders + 1)
        if number not in known
    )
    return [*pack.order_by("number")]


def _differing(moved: Mapping[int, Sequence[CardMoved]]) -> Iterator[HandFault]:
    for number, cards in moved.items():
        for card in cards:
            params = {"card": card.card, "dealt": card.dealt, "found": card.found}
            yield HandFault("moved", number, params)


def summary_follow(evening: Evening) -> None:
    """What is stored of a closed evening is of its last revision."""
    if evening.state == CLOSED:
        summary_store(evening.pk)


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
