"""Who plays which folders where: the movement of the pairs that are here, and late pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Deal, Scoresheet
from scoring.rules import SEATS, Seat
from tournaments.draw.core.models import RoundDraw, TableDraw
from tournaments.draw.problem import first_table
from tournaments.draw.rewriting import round_rewrite
from tournaments.draw.services import draw_publish
from tournaments.duplicate.core.dealing import dealer_of_folder
from tournaments.duplicate.core.movements import (
    FEWEST_PAIRS,
    MOST_PAIRS,
    Kind,
    MovementRound,
    NoMovementError,
    TableRound,
    faults_of,
    make_movement,
    movement_again,
)
from tournaments.duplicate.queries import (
    LatePlace,
    PlayingPair,
    late_place,
    pairs_in_order,
    pairs_named,
)
from tournaments.duplicate.services import decide, decided, folders_ensure, folders_lock
from tournaments.evenings.services import evening_touch, require_state
from tournaments.models import (
    DuplicateEvening,
    Evening,
    FolderPlay,
    Registration,
    Round,
    Table,
)
from tournaments.registration.pairs import movement_numbers, pair_make
from tournaments.seating.store import rounds_create, rounds_remove
from tournaments.table_links.services import links_follow

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
TEAMS = DuplicateEvening.Kind.TEAMS
LONGEST_ROUND = 40


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
    evening = folders_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    duplicate = decided(evening, seen)
    if evening.rounds.exclude(state=Round.State.DRAFT).exists():
        raise DomainError("draw_final", _("The draw is final. Undo it first to draw again."))
    rounds_remove(evening, evening.rounds.filter(state=Round.State.DRAFT))
    pairs = pairs_in_order(evening, duplicate)
    made = movement_of(duplicate, len(pairs), rounds)
    _length_set(evening, made)
    decide(duplicate, None, pairs=[pair.number for pair in pairs])
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
def movement_resume(*, evening_id: int, actor: Actor) -> list[Round]:
    """Lay out the rounds of the movement again that went because the evening was closed too early,
    for the pairs that play in it by now; final at once.

    Raises DomainError `evening_state`, `no_folders`, or `nothing_to_resume` where all rounds are
    there, or a pair of the movement is not known any more.
    """
    evening = folders_lock(evening_id)
    require_state(evening, RUNNING)
    duplicate = decided(evening)
    first = evening.rounds.count() + 1
    named = pairs_named(evening)
    pairs = [
        PlayingPair(number, (two[0], two[1]))
        for number in duplicate.pairs
        if number in named and len(two := named[number].people) == 2
    ]
    if len(pairs) < max(len(duplicate.pairs), 1) or first > evening.rounds_planned:
        raise DomainError(
            "nothing_to_resume", _("There are no rounds of this movement to lay out again.")
        )
    made = _movement_that_stands(evening, duplicate, len(pairs), evening.rounds_planned)
    _rounds_store(evening, duplicate, made[first - 1 :], pairs, first=first)
    evening.rounds.filter(state=Round.State.DRAFT).update(state=Round.State.DRAWN)
    links_follow(evening=evening)
    data = {"kind": duplicate.kind, "count": len(pairs), "rounds": len(made), "from": first}
    evening_touch(evening, actor=actor, action="movement_started", data=data)
    return list(evening.rounds.filter(number__gte=first))


@transaction.atomic
def late_pair_seat(*, evening_id: int, one: Member, two: Member, actor: Actor) -> int:
    """Let two people who came late play as a pair in the rounds that have not started: in place of
    a pair that left, else where one sits out. Nobody else changes places.

    Returns the number of the pair, which nobody had before: what another pair made stays its own.
    Raises DomainError `evening_state`, `no_folders`, `no_place` where there is no such place or no
    round is left, or like `pair_make`.
    """
    evening = folders_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    duplicate = decided(evening)
    place = late_place(evening, duplicate)
    if place is None:
        raise _no_place()
    number = _late_number(evening, one, two, actor)
    late = PlayingPair(number, (one, two))
    if place.left is None:
        pairs = [*duplicate.pairs, number]
        _seat_at_empty_tables(evening, duplicate, place, late)
    else:
        pairs = [number if each == place.left else each for each in duplicate.pairs]
        _seat_instead(evening, place, place.left, late)
    plays_on = duplicate.kind == TEAMS and place.left is not None
    left = {**duplicate.left, str(place.left): number} if plays_on else duplicate.left
    decide(duplicate, None, pairs=pairs, left=left)
    links_follow(evening=evening)
    evening_touch(
        evening,
        actor=actor,
        action="late_pair_seated",
        data={"pair": number, "from": min(place.rounds), "instead_of": place.left},
    )
    return number


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


def _movement_that_stands(
    evening: Evening, duplicate: DuplicateEvening, pairs: int, rounds: int
) -> list[MovementRound]:
    """The movement that the evening plays. Raises DomainError `no_place` if so many pairs have none
    like it."""
    try:
        return movement_again(
            cast("Kind", duplicate.kind),
            pairs,
            duplicate.folders,
            rounds=rounds,
            size=evening.deals_per_round,
        )
    except NoMovementError as error:
        raise _no_place() from error


def _no_place() -> DomainError:
    return DomainError(
        "no_place",
        _(
            "No pair has left or sits out in a round that has not started, so there is no place for"
            " a pair."
        ),
    )


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
    rounds_create(evening, first, [_drawn(evening, round_, pairs) for round_ in made])
    numbers = {place: pair.number for place, pair in enumerate(pairs, start=1)}
    tables = {
        (number, at.table + evening.first_table - 1): at
        for number, round_ in enumerate(made, start=first)
        for at in round_.tables
    }
    _folders_lay(evening, duplicate, tables, numbers)


def _folders_lay(
    evening: Evening,
    duplicate: DuplicateEvening,
    laid: Mapping[tuple[int, int], TableRound],
    numbers: Mapping[int, int],
) -> None:
    """Lay folders at these tables, by round and number: which pairs of the movement play which;
    `numbers` are those of the pairs by their place in it."""
    folders = {folder.number: folder for folder in folders_ensure(evening, duplicate)}
    stored = Table.objects.filter(round__evening=evening).select_related("round", "sheet")
    sheets = {
        (table.round.number, table.number): table.sheet
        for table in stored
        if (table.round.number, table.number) in laid
    }
    deals: dict[int, list[Deal]] = {}
    written = Deal.objects.filter(sheet__in=[sheet.pk for sheet in sheets.values()])
    for deal in written.order_by("number"):
        deals.setdefault(deal.sheet_id, []).append(deal)
    plays: list[FolderPlay] = []
    for place, at in laid.items():
        sheet = sheets[place]
        sheet.first_dealer = dealer_of_folder(at.boards[0])
        for deal, board in zip(deals[sheet.pk], at.boards, strict=True):
            deal.folder = folders[board]
            plays += [
                FolderPlay(folder=deal.folder, deal=deal, pair=numbers[pair], line=line)
                for pair, line in ((at.ns, "NS"), (at.ew, "EW"))
            ]
    Scoresheet.objects.bulk_update([*sheets.values()], ["first_dealer"], batch_size=500)
    Deal.objects.bulk_update(
        [deal for of_sheet in deals.values() for deal in of_sheet], ["folder"], batch_size=300
    )
    FolderPlay.objects.bulk_create(plays, batch_size=500)


def _late_number(evening: Evening, one: Member, two: Member, actor: Actor) -> int:
    """The number of these two: that which they got at the door, else a new one."""
    rows = Registration.objects.filter(evening=evening, present=True, member__in=(one, two))
    known = [*rows.values_list("pair", flat=True)]
    if one != two and len(known) == 2 and known[0] == known[1]:
        number = known[0]
        if number is not None and number not in movement_numbers(evening):
            return number
    return pair_make(evening_id=evening.pk, one=one, two=two, actor=actor)


def _seat_instead(evening: Evening, place: LatePlace, left: int, late: PlayingPair) -> None:
    """Give the seats and folders of the pair that left to another, from the next round on, and its
    team."""
    leavers = evening.registrations.filter(pair=left).order_by("member__sort_name", "pk")
    if team := leavers.exclude(team=None).values_list("team", flat=True).first():
        evening.registrations.filter(pair=late.number).update(team=team)
    swaps = [*zip(leavers.values_list("member_id", flat=True), late.people, strict=True)]
    for round_ in evening.rounds.filter(number__in=place.rounds):
        before = after = place.rounds[round_.number]
        for leaver, member in swaps:
            after = after.with_place_taken(str(leaver), str(member.pk))
        round_rewrite(evening, round_, before, after)
    plays = FolderPlay.objects.filter(folder__pack=evening.uuid, pair=left)
    plays.filter(deal__sheet__table__round__number__in=place.rounds).update(pair=late.number)


def _seat_at_empty_tables(
    evening: Evening, duplicate: DuplicateEvening, place: LatePlace, late: PlayingPair
) -> None:
    """Let the pair meet who would sit out, at the table that the movement left empty; it sits out
    itself where the movement has no table for it."""
    numbers = [*duplicate.pairs, late.number]
    made = _movement_that_stands(evening, duplicate, len(numbers), evening.rounds.count())
    named = pairs_named(evening)
    people = [named[each].people if each in named else () for each in numbers]
    laid: dict[tuple[int, int], TableRound] = {}
    for round_ in evening.rounds.filter(number__in=place.rounds):
        before = place.rounds[round_.number]
        at = next(
            (at for at in made[round_.number - 1].tables if len(numbers) in (at.ns, at.ew)), None
        )
        seats = None if at is None else _seats(at, people)
        own = {str(member.pk) for member in late.people}
        if at is None or seats is None or not {*seats.values()} <= {*before.drawn.sit_out, *own}:
            out = tuple(sorted({*before.drawn.sit_out, *own}))
            after = replace(before, drawn=replace(before.drawn, sit_out=out))
        else:
            number = at.table + evening.first_table - 1
            out = tuple(each for each in before.drawn.sit_out if each not in seats.values())
            tables = (*before.drawn.tables, TableDraw(number, seats))
            ordered = tuple(sorted(tables, key=lambda table: table.number))
            after = replace(before, drawn=replace(before.drawn, tables=ordered, sit_out=out))
            laid[round_.number, number] = at
        round_rewrite(evening, round_, before, after)
    _folders_lay(evening, duplicate, laid, dict(enumerate(numbers, start=1)))


def _drawn(evening: Evening, round_: MovementRound, pairs: Sequence[PlayingPair]) -> RoundDraw:
    people = [pair.people for pair in pairs]
    return RoundDraw(
        tables=tuple(
            TableDraw(at.table + evening.first_table - 1, _seats(at, people) or {})
            for at in round_.tables
        ),
        sit_out=tuple(str(member.pk) for pair in round_.sit_out for member in people[pair - 1]),
    )


def _seats(at: TableRound, people: Sequence[Sequence[Member]]) -> dict[Seat, str] | None:
    """Who sits where at this table, of the people of each pair of the movement; None if one of its
    pairs is not two."""
    four = [member for pair in (at.ns, at.ew) for member in people[pair - 1]]
    if len(four) != len(SEATS):
        return None
    return {cast("Seat", seat): str(member.pk) for seat, member in zip("NSEW", four, strict=True)}
