"""Portefeuille: the plan, the cards in the folders, who plays which, the director's rulings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Deal, Folder, Scoresheet
from scoring.rules import Seat
from tournaments.draw.core import RoundDraw, TableDraw
from tournaments.draw.problem import first_table
from tournaments.draw.services import draw_publish
from tournaments.duplicate.core.dealing import (
    CardMoved,
    HandFault,
    cards_moved,
    commitment_of,
    dealer_of_folder,
    dealt,
    seed_draw,
)
from tournaments.duplicate.core.movements import (
    FEWEST_PAIRS,
    MOST_PAIRS,
    Kind,
    MovementRound,
    NoMovementError,
    faults_of,
    make_movement,
)
from tournaments.duplicate.queries import PlayingPair, duplicate_of, pairs_in_order, playing_pairs
from tournaments.evenings.locking import (
    evening_lock,
    evening_note,
    evening_touch,
    require_state,
)
from tournaments.models import DuplicateEvening, Evening, FolderPlay, Round, Table
from tournaments.registration.pairs import pair_make
from tournaments.seating.store import WAITING, rounds_create, rounds_remove

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED = Evening.State.CLOSED
TEAMS = DuplicateEvening.Kind.TEAMS
AVERAGE = 50
LONGEST_ROUND = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePlan:
    """What is decided about the folders of an evening before it."""

    kind: str = DuplicateEvening.Kind.MITCHELL
    compare: str = DuplicateEvening.Comparison.MATCHPOINTS
    net: bool = False
    folders: int = 24


@transaction.atomic
def duplicate_plan(*, evening_id: int, plan: DuplicatePlan, actor: Actor) -> DuplicateEvening:
    """Decide how the folders are played and compared; an evening has at most one such decision.

    The number of folders stays once there are cards, and all of it once there is a movement. Raises
    DomainError `evening_state`, `no_folders`, `folders_drawn` or `folders_dealt`.
    """
    evening = _lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    known = duplicate_of(evening)
    if known.pk and evening.rounds.exists():
        raise DomainError("folders_drawn", _("Undo the draw first, then change this."))
    has_cards = Folder.objects.filter(pack=evening.uuid).exclude(hands="").exists()
    if known.pk and has_cards and plan.folders != known.folders:
        raise DomainError(
            "folders_dealt",
            ngettext(
                "There are cards for %(n)s folder already. Deal again for another number.",
                "There are cards for %(n)s folders already. Deal again for another number.",
                known.folders,
            )
            % {"n": known.folders},
        )
    for name in ("kind", "compare", "net", "folders"):
        setattr(known, name, getattr(plan, name))
    known.version += 1 if known.pk else 0
    known.save()
    _folders_ensure(evening, known.folders)
    evening_touch(
        evening,
        actor=actor,
        action="folders_planned",
        data={"count": known.folders, "kind": known.kind, "compare": known.compare},
    )
    return known


@transaction.atomic
def folders_deal(*, evening_id: int, actor: Actor, seed: str | None = None) -> DuplicateEvening:
    """Deal all folders from a new seed, whose commitment can be read from now on; or from this
    `seed`, which somebody else drew.

    Raises DomainError `evening_state` once the evening runs, or `no_folders`.
    """
    evening = _lock(evening_id)
    require_state(evening, PLANNED)
    duplicate = _ensured(evening)
    duplicate.seed = seed or seed_draw()
    duplicate.commitment = commitment_of(duplicate.seed, str(evening.uuid))
    duplicate.save_changes("seed", "commitment")
    for folder in _folders_ensure(evening, duplicate.folders):
        folder.hands, folder.typed = dealt(duplicate.seed, folder.number), False
        folder.save(update_fields=["hands", "typed"])
    evening_touch(
        evening,
        actor=actor,
        action="folders_dealt",
        data={"count": duplicate.folders, "commitment": duplicate.commitment},
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
    what was dealt.
    """
    evening = _lock(evening_id)
    require_state(evening, PLANNED, RUNNING, CLOSED)
    duplicate = _ensured(evening)
    folders = {folder.number: folder for folder in _folders_ensure(evening, duplicate.folders)}
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
            faults=[*_differing(moved)],
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
    return len(changed)


@transaction.atomic
def folders_printed(*, evening_id: int, kind: str, actor: Actor) -> None:
    """Note that somebody printed or downloaded the cards. Raises DomainError `no_folders`."""
    evening_note(_lock(evening_id), actor=actor, action="folders_printed", data={"kind": kind})


@transaction.atomic
def movement_start(
    *, evening_id: int, actor: Actor, rounds: int | None = None, seen: int | None = None
) -> list[Round]:
    """Send the pairs that are here to their tables and folders, for all rounds; final at once. The
    standings are hidden until somebody shows them.

    Raises DomainError `evening_state`, `no_folders`, `pairs_incomplete`, `draw_final` if there is a
    movement already, `duplicate_moved_on` if another version than `seen` was decided since,
    `movement_pairs`, `movement_teams` or `movement_rounds` where it cannot be played.
    """
    evening = _lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    duplicate = _ensured(evening)
    if seen is not None and seen != duplicate.version:
        raise DomainError(
            "duplicate_moved_on", _("This was changed in the meantime. This is how it is now.")
        )
    if evening.rounds.exclude(state=Round.State.DRAFT).exists():
        raise DomainError("draw_final", _("The draw is final. Undo it first to draw again."))
    rounds_remove(evening, evening.rounds.filter(state=Round.State.DRAFT))
    pairs = pairs_in_order(evening, duplicate)
    made = movement_of(duplicate, len(pairs), rounds)
    _length_set(evening, made)
    duplicate.pairs = [pair.number for pair in pairs]
    duplicate.save_changes("pairs")
    evening.first_table = first_table(evening)
    evening.save(update_fields=["first_table"])
    _rounds_store(evening, duplicate, made, pairs)
    evening_touch(
        evening,
        actor=actor,
        action="movement_started",
        data={"kind": duplicate.kind, "count": len(pairs), "rounds": len(made)},
    )
    return draw_publish(evening_id=evening.pk, actor=actor)


@transaction.atomic
def late_pair_seat(*, evening_id: int, one: Member, two: Member, actor: Actor) -> int:
    """Let two people who came late play as a pair where one sits out, in the rounds that have not
    started. Returns the number of the pair.

    Raises DomainError `evening_state`, `no_folders`, `no_place` where nobody sits out or no round
    is left, `pairs_incomplete`, or like `pair_make`.
    """
    evening = _lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    duplicate = _ensured(evening)
    waiting = evening.rounds.filter(state__in=WAITING)
    first = min(waiting.values_list("number", flat=True), default=None)
    rounds = evening.rounds.count()
    if first is None or len(duplicate.pairs) % 2 == 0:
        raise DomainError(
            "no_place",
            _("Nobody sits out in a round that has not started, so there is no place for a pair."),
        )
    number = pair_make(evening_id=evening.pk, one=one, two=two, actor=actor)
    here = {pair.number: pair for pair in playing_pairs(evening)}
    if gone := sorted(set(duplicate.pairs) - here.keys()):
        raise DomainError(
            "pairs_incomplete", _("Pair %(n)s is not complete.") % {"n": gone[0]}, members=[]
        )
    rounds_remove(evening, waiting)
    duplicate.pairs = [*duplicate.pairs, number]
    duplicate.save_changes("pairs")
    made = movement_of(duplicate, len(duplicate.pairs), rounds)
    pairs = [here[each] for each in duplicate.pairs]
    _rounds_store(evening, duplicate, made[first - 1 :], pairs, first=first)
    evening_touch(
        evening,
        actor=actor,
        action="late_pair_seated",
        data={"pair": number, "from": first},
    )
    draw_publish(evening_id=evening.pk, actor=actor)
    return number


@transaction.atomic
def ruling_give(
    *, evening_id: int, play_id: int, percent: int, reason: str, fouled: bool, actor: Actor
) -> FolderPlay:
    """Give a pair so many percent of a folder instead of what it made there, with a reason. Where
    the cards were `fouled` at that table, what is written there is no longer held against them.

    Raises DomainError `evening_state`, `no_folders`, `play_unknown`, `ruling_percent` or
    `reason_needed`.
    """
    evening = _lock(evening_id)
    require_state(evening, RUNNING, CLOSED)
    duplicate, play = _ensured(evening), _play(evening, play_id)
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
    evening = _lock(evening_id)
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


def movement_of(
    duplicate: DuplicateEvening, pairs: int, rounds: int | None = None
) -> list[MovementRound]:
    """The verified movement of so many pairs. Raises DomainError `movement_pairs`, `movement_teams`
    or `movement_rounds`."""
    if not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        message = ngettext(
            "Portefeuille is played by %(fewest)s to %(most)s pairs; here is %(n)s.",
            "Portefeuille is played by %(fewest)s to %(most)s pairs; here are %(n)s.",
            pairs,
        )
        words = {"fewest": FEWEST_PAIRS, "most": MOST_PAIRS, "n": pairs}
        raise DomainError("movement_pairs", message % words)
    if duplicate.kind == TEAMS and pairs % 2:
        raise DomainError(
            "movement_teams", _("%(n)s pairs do not make whole teams of four.") % {"n": pairs}
        )
    kind = cast("Kind", duplicate.kind)
    try:
        made = make_movement(kind, pairs, duplicate.folders, rounds)
    except NoMovementError as error:
        message = ngettext(
            "%(n)s folder is not enough for so many rounds.",
            "%(n)s folders are not enough for so many rounds.",
            duplicate.folders,
        )
        raise DomainError("movement_rounds", message % {"n": duplicate.folders}) from error
    if len(made) > LONGEST_ROUND or faults_of(made, kind, pairs):
        message = _("So many rounds cannot be played with %(n)s pairs. Choose fewer rounds.")
        raise DomainError("movement_rounds", message % {"n": pairs})
    return made


def _lock(evening_id: int) -> Evening:
    evening = evening_lock(evening_id)
    if not evening.plays_folders:
        raise DomainError(
            "no_folders", _("This evening is not played in folders: change the evening first.")
        )
    return evening


def _ensured(evening: Evening) -> DuplicateEvening:
    duplicate = duplicate_of(evening)
    if not duplicate.pk:
        duplicate.save()
    return duplicate


def _folders_ensure(evening: Evening, count: int) -> list[Folder]:
    """As many folders as are to be played, by number; without cards where they are new."""
    Folder.objects.filter(pack=evening.uuid, number__gt=count).delete()
    known = set(Folder.objects.filter(pack=evening.uuid).values_list("number", flat=True))
    Folder.objects.bulk_create(
        Folder(club=evening.club, pack=evening.uuid, number=number)
        for number in range(1, count + 1)
        if number not in known
    )
    return [*Folder.objects.filter(pack=evening.uuid).order_by("number")]


def _differing(moved: Mapping[int, Sequence[CardMoved]]) -> Iterator[HandFault]:
    for number, cards in moved.items():
        for card in cards:
            params = {"card": card.card, "dealt": card.dealt, "found": card.found}
            yield HandFault("moved", number, params)


def _length_set(evening: Evening, made: Sequence[MovementRound]) -> None:
    evening.rounds_planned = len(made)
    evening.deals_per_round = len(made[0].tables[0].boards)
    evening.target = None
    # What one table made of a folder is no business of those who still have to play it.
    evening.frozen = True
    evening.save_changes("rounds_planned", "deals_per_round", "target", "frozen")


def _rounds_store(
    evening: Evening,
    duplicate: DuplicateEvening,
    made: Sequence[MovementRound],
    pairs: Sequence[PlayingPair],
    *,
    first: int = 1,
) -> None:
    """The rounds as drafts, with the folders of each table and who deals the first of them."""
    folders = {folder.number: folder for folder in _folders_ensure(evening, duplicate.folders)}
    rounds_create(evening, first, [_drawn(evening, round_, pairs) for round_ in made])
    tables = {
        (table.round.number, table.number): table
        for table in Table.objects.filter(
            round__evening=evening, round__number__gte=first
        ).select_related("round", "sheet")
    }
    deals: dict[int, list[Deal]] = {}
    sheets = [table.sheet_id for table in tables.values()]
    for deal in Deal.objects.filter(sheet__in=sheets).order_by("number"):
        deals.setdefault(deal.sheet_id, []).append(deal)
    plays: list[FolderPlay] = []
    for number, round_ in enumerate(made, start=first):
        for at in round_.tables:
            sheet = tables[number, at.table + evening.first_table - 1].sheet
            sheet.first_dealer = dealer_of_folder(at.boards[0])
            for deal, board in zip(deals[sheet.pk], at.boards, strict=True):
                deal.folder = folders[board]
                plays += [
                    FolderPlay(
                        folder=deal.folder, deal=deal, pair=pairs[pair - 1].number, line=line
                    )
                    for pair, line in ((at.ns, "NS"), (at.ew, "EW"))
                ]
    Scoresheet.objects.bulk_update(
        [table.sheet for table in tables.values()], ["first_dealer"], batch_size=500
    )
    Deal.objects.bulk_update(
        [deal for of_sheet in deals.values() for deal in of_sheet], ["folder"], batch_size=300
    )
    FolderPlay.objects.bulk_create(plays, batch_size=500)


def _drawn(evening: Evening, round_: MovementRound, pairs: Sequence[PlayingPair]) -> RoundDraw:
    def seated(seats: str, pair: int) -> dict[Seat, str]:
        people = pairs[pair - 1].people
        return {
            cast("Seat", seat): str(member.pk) for seat, member in zip(seats, people, strict=True)
        }

    return RoundDraw(
        tables=tuple(
            TableDraw(
                at.table + evening.first_table - 1,
                {**seated("NS", at.ns), **seated("EW", at.ew)},
            )
            for at in round_.tables
        ),
        sit_out=tuple(
            str(member.pk) for pair in round_.sit_out for member in pairs[pair - 1].people
        ),
    )


def _play(evening: Evening, play_id: int) -> FolderPlay:
    plays = FolderPlay.objects.select_related("folder", "deal")
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
