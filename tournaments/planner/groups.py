"""Groups that play at once in one hall, by strength or by choice.

Each is an evening of its own on that day, with its own draw, standing, prizes, files and paper.
They know each other, and their tables are numbered on: a number is one table in the hall.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count as count_from

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from tournaments.evenings.deleting import evening_delete
from tournaments.evenings.kinds import start_of
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, EveningPair, Registration
from tournaments.planner.services import PlannedEvening, evening_planned
from tournaments.ratings.services import strengths_now

LETTERS = "ABCDEFGH"
FEWEST_GROUPS = 2
AT_A_TABLE = 4
LONGEST_NAME = 80
Rows = list[Registration]


@transaction.atomic
def groups_make(*, evening_id: int, count: int, by_strength: bool, actor: Actor) -> list[Evening]:
    """Split an evening into so many groups, before its draw. Returns them, A first: that is the
    evening itself, which keeps its address.

    By strength the strongest are in A: by the place they bring from an earlier session, or else by
    their rating; who has neither comes last. Each group has whole tables of four, the last also who
    is left over, and fixed pairs stay together. Else everybody is in A until they are chosen.

    Raises DomainError `groups_there`, `evening_drawn`, `evening_state`, `groups_of_teams`, or
    `too_few_for_groups`.
    """
    evening = evening_lock(evening_id)
    if evening.together is not None:
        raise DomainError("groups_there", _("This evening has groups already."))
    _require_undrawn([evening])
    if evening.ranks == Evening.Ranks.TEAM:
        message = _("Teams play together in one group. Rank persons or pairs first.")
        raise DomainError("groups_of_teams", message)
    here = evening.registrations.filter(present=True).count()
    if not FEWEST_GROUPS <= count <= len(LETTERS) or here < AT_A_TABLE * count:
        words = {"n": count, "least": AT_A_TABLE * count, "here": here}
        message = _("%(n)s groups need at least %(least)s people; %(here)s are here.")
        raise DomainError("too_few_for_groups", message % words)
    start, name = start_of(evening), evening.name
    groups = [evening]
    for _letter in LETTERS[1:count]:
        planned = PlannedEvening(
            date=evening.date, starts_at=evening.starts_at, season=evening.season, start=start
        )
        groups.append(evening_planned(evening.club, planned, actor))
    hall = uuid.uuid4()
    for letter, group in zip(LETTERS, groups, strict=False):
        group.together, group.name = hall, group_name(name, letter)
        group.first_ranked = evening.first_ranked
        group.save_changes("together", "name", "first_ranked")
    if by_strength:
        parts = _parts(_by_strength(evening), here, count)
        wanted = {
            row.member_id: group for group, part in zip(groups, parts, strict=True) for row in part
        }
        _move(evening, wanted)
    data = {"count": count, "groups": [group.slug for group in groups]}
    for group in groups:
        evening_touch(group, actor=actor, action="groups_made", data=data)
    return groups


@transaction.atomic
def groups_choose(*, evening_id: int, wanted: Mapping[int, str], actor: Actor) -> int:
    """Put people in the group with this letter, by member id, as long as neither group is drawn.
    Their fixed partner goes along. Returns how many moved.

    Raises DomainError `no_groups`, `no_such_group`, `evening_drawn` or `evening_state`.
    """
    evening = evening_lock(evening_id)
    groups = _groups(evening)
    by_letter = dict(zip(LETTERS, groups, strict=False))
    if not set(wanted.values()) <= by_letter.keys():
        raise DomainError("no_such_group", _("There is no such group."))
    moved: set[int] = set()
    for source in groups:
        rows = source.registrations.filter(member__in=wanted)
        goes = {
            row.member_id: by_letter[wanted[row.member_id]]
            for row in rows
            if by_letter[wanted[row.member_id]] != source and row.member_id not in moved
        }
        if goes:
            _require_undrawn([source, *goes.values()])
            moved |= _move(source, goes)
    if moved:
        for group in groups:
            data = {"count": len(moved)}
            evening_touch(group, actor=actor, action="groups_chosen", data=data)
    return len(moved)


@transaction.atomic
def groups_join(*, evening_id: int, actor: Actor) -> Evening:
    """Make one evening of the groups again, with everybody on its list, as long as nothing is
    drawn. Returns it.

    Raises DomainError `no_groups`, `evening_drawn` or `evening_state`.
    """
    groups = _groups(evening_lock(evening_id))
    _require_undrawn(groups)
    first, *others = groups
    for group in others:
        rows = list(group.registrations.values_list("member_id", flat=True))
        _move(group, dict.fromkeys(rows, first))
        group.together = None
        group.save_changes("together")
        evening_delete(evening_id=group.pk, actor=actor)
    first.together, first.name = None, _without_letter(first.name)
    first.save_changes("together", "name")
    evening_touch(first, actor=actor, action="groups_joined", data={"count": len(groups)})
    return first


def group_name(name: str, letter: str) -> str:
    """The name of a group: that of the evening, if it has one, and the letter."""
    own = _("group %(letter)s") % {"letter": letter}
    if not name:
        return own[:1].upper() + own[1:]
    return f"{name[: LONGEST_NAME - len(own) - 2]}, {own}"


def _without_letter(name: str) -> str:
    own = group_name("", "A")
    if name == own:
        return ""
    return name.removesuffix(f", {own[:1].lower()}{own[1:]}")


def _groups(evening: Evening) -> list[Evening]:
    if not (groups := evening.groups):
        raise DomainError("no_groups", _("This evening has no groups."))
    return groups


def _require_undrawn(groups: Iterable[Evening]) -> None:
    for group in groups:
        require_state(group, Evening.State.PLANNED)
        if group.rounds.exists():
            message = _("%(evening)s has a draw. Undo it first.")
            raise DomainError("evening_drawn", message % {"evening": group})


def _by_strength(evening: Evening) -> list[Rows]:
    """Everybody present, strongest first; the two of a fixed pair together, by their mean."""
    rows = list(evening.registrations.filter(present=True).order_by("member__sort_name", "pk"))
    if any(row.seeded is not None for row in rows):
        strong = {row.member_id: -float(row.seeded) for row in rows if row.seeded is not None}
    else:
        strong = {rated.member_id: float(rated.strength) for rated in strengths_now(evening.club)}
    weakest = min(strong.values(), default=0.0) - 1
    units: dict[object, Rows] = {}
    for row in rows:
        key = ("pair", row.pair) if row.pair is not None else ("alone", row.member_id)
        units.setdefault(key, []).append(row)

    def mean_strength(unit: Rows) -> float:
        return sum(strong.get(row.member_id, weakest) for row in unit) / len(unit)

    return sorted(units.values(), key=mean_strength, reverse=True)


def _parts(units: Sequence[Rows], people: int, count: int) -> list[Rows]:
    """The units over so many groups of whole tables; the last has who is left over."""
    each, more = divmod(people // AT_A_TABLE, count)
    parts: list[Rows] = [[] for _group in range(count)]
    place = 0
    for unit in units:
        size = AT_A_TABLE * (each + (place < more))
        if len(parts[place]) + len(unit) > size and place < count - 1:
            place += 1
        parts[place] += unit
    return parts


def _move(source: Evening, wanted: Mapping[int, Evening]) -> set[int]:
    """Put people of one evening on the list of another, with their pairs. Returns who moved."""
    rows = {row.member_id: row for row in source.registrations.all()}
    goes = {member: group for member, group in wanted.items() if group.pk != source.pk}
    pairs = {row.pair: goes[pk] for pk, row in rows.items() if pk in goes and row.pair is not None}
    goes |= {pk: pairs[row.pair] for pk, row in rows.items() if row.pair in pairs}
    there = {group.pk: group for group in goes.values()}
    numbers = {pk: _free_pair_numbers(group) for pk, group in there.items()}
    for number, group in pairs.items():
        new = next(numbers[group.pk])
        EveningPair.objects.filter(evening=source, number=number).update(evening=group, number=new)
        for row in rows.values():
            if row.pair == number and row.evening_id == source.pk and row.member_id in goes:
                row.pair, row.evening_id = new, group.pk
    moved = [rows[pk] for pk in goes]
    for row in moved:
        row.evening_id = goes[row.member_id].pk
    twice = Registration.objects.filter(evening__in=there, member__in=goes)
    if paid := twice.exclude(paid=None).select_related("member").first():
        words = {"name": paid.member.desk_name}
        message = _("%(name)s is on the list of both groups and has paid there.")
        raise DomainError("in_both_groups", message % words)
    twice.delete()
    Registration.objects.bulk_update(moved, ["evening", "pair"])
    return set(goes)


def _free_pair_numbers(group: Evening) -> Iterator[int]:
    taken = set(group.registrations.exclude(pair=None).values_list("pair", flat=True))
    return (number for number in count_from(1) if number not in taken)
