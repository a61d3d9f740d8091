"""Groups that play at once in one hall, by strength or by choice.

Each is an evening of its own on that day, with its own draw, standing, prizes, files and paper.
They know each other, and their tables are numbered on: a number is one table in the hall.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from itertools import count as count_from

from django.db import transaction
from django.utils import translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.evenings.kinds import evening_delete, start_of
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Entry, Evening, Registration
from tournaments.planner.services import PlannedEvening, evening_planned
from tournaments.ratings.services import strengths_now

LETTERS = "ABCDEFGH"
FEWEST_GROUPS = 2
AT_A_TABLE = 4
OPPONENTS = 2
"""A team needs another one in its group."""
LONGEST_NAME = 80
Rows = list[Registration]


@transaction.atomic
def groups_make(*, evening_id: int, count: int, by_strength: bool, actor: Actor) -> list[Evening]:
    """Split an evening into so many groups, before its draw. Returns them, A first: that is the
    evening itself, which keeps its address.

    By strength the strongest are in A: by the place they bring from an earlier session, or else by
    their rating; who has neither comes last. Each group has whole tables of four, the last also who
    is left over. Fixed pairs stay together, and so do teams, of which each group has two or more.
    Else everybody is in A until they are chosen.

    Raises DomainError `groups_there`, `evening_drawn`, `evening_state`, `too_few_for_groups` or
    `too_few_teams`.
    """
    evening = evening_lock(evening_id)
    if evening.together is not None:
        raise DomainError("groups_there", _("This evening has groups already."))
    _require_undrawn([evening])
    here = evening.registrations.filter(present=True).count()
    if not FEWEST_GROUPS <= count <= len(LETTERS) or here < AT_A_TABLE * count:
        words = {"n": count, "least": AT_A_TABLE * count, "here": here}
        message = _("%(n)s groups need at least %(least)s people; %(here)s are here.")
        raise DomainError("too_few_for_groups", message % words)
    parts = _parts(_by_strength(evening), here, count) if by_strength else []
    # People enter for the evening that was announced, and all groups play by its rules.
    start = replace(start_of(evening), entries=None, regulation=evening.regulation)
    name = evening.name
    groups = [evening]
    for _letter in LETTERS[1:count]:
        planned = PlannedEvening(
            date=evening.date, starts_at=evening.starts_at, season=evening.season, start=start
        )
        groups.append(evening_planned(evening.club, planned, actor))
    hall = uuid.uuid4()
    with translation.override(evening.club.language):
        names = [group_name(name, letter) for letter in LETTERS[:count]]
    for group, own in zip(groups, names, strict=True):
        group.together, group.name = hall, own
        group.first_ranked = evening.first_ranked
        group.save_changes("together", "name", "first_ranked")
    wanted = {
        row.member_id: group for group, part in zip(groups, parts, strict=False) for row in part
    }
    _move(evening, wanted)
    data = {"count": count, "groups": [group.slug for group in groups]}
    for group in groups:
        evening_touch(group, actor=actor, action="groups_made", data=data)
    return groups


@transaction.atomic
def groups_choose(*, evening_id: int, wanted: Mapping[tuple[int, str], str], actor: Actor) -> int:
    """Put people who are here in the group with this letter, by member id and the letter of the
    group they were seen in, as long as neither group is drawn; who is not there any more stays
    where they are. Their fixed partner and their team go along. Returns how many moved.

    Raises DomainError `no_groups`, `no_such_group`, `in_both_groups`, `team_in_two_groups`,
    `evening_drawn` or `evening_state`.
    """
    evening = evening_lock(evening_id)
    groups = _groups(evening)
    by_letter = {letter: group for group, letter in lettered(groups)}
    if not {to for (_member, seen), to in wanted.items() if to != seen} <= by_letter.keys():
        raise DomainError("no_such_group", _("There is no such group."))
    moved: set[int] = set()
    for seen, source in by_letter.items():
        asked = {
            member: by_letter[to]
            for (member, was), to in wanted.items()
            if was == seen != to and member not in moved
        }
        here = source.registrations.filter(member__in=asked, present=True)
        goes = {member: asked[member] for member in here.values_list("member_id", flat=True)}
        if goes:
            _require_teams_whole(source, goes)
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

    Raises DomainError `no_groups`, `in_both_groups`, `evening_drawn`, `evening_state`, or
    `group_entered` where people entered for another group than A.
    """
    groups = _groups(evening_lock(evening_id))
    _require_undrawn(groups)
    first, *others = groups
    if Entry.objects.filter(evening__in=others).exclude(state=Entry.State.ASKED).exists():
        message = _("People entered for another group than A. Take those entries away first.")
        raise DomainError("group_entered", message)
    for group in others:
        rows = list(group.registrations.values_list("member_id", flat=True))
        _move(group, dict.fromkeys(rows, first))
        group.together = None
        group.save_changes("together")
        evening_delete(evening_id=group.pk, actor=actor)
    with translation.override(first.club.language):
        own = _without_letter(first.name)
    first.together, first.name, first.first_table = None, own, 1
    first.save_changes("together", "name", "first_table")
    evening_touch(first, actor=actor, action="groups_joined", data={"count": len(groups)})
    return first


def group_name(name: str, letter: str) -> str:
    """The name of a group: that of the evening, if it has one, and the letter; in the language of
    the club, since it is kept."""
    own = _("group %(letter)s") % {"letter": letter}
    if not name:
        return own[:1].upper() + own[1:]
    return f"{name[: LONGEST_NAME - len(own) - 2]}, {own}"


def lettered(groups: Sequence[Evening]) -> list[tuple[Evening, str]]:
    """The groups with their letters: those of their names, so that a group keeps its letter when
    one before it is called off; by their order where the names were changed."""
    letters = [group.name[-1:] for group in groups]
    named = [group.name[-2:-1] == " " and group.name[-1] in LETTERS for group in groups]
    if not all(named) or len(set(letters)) < len(letters):
        letters = list(LETTERS)
    return list(zip(groups, letters, strict=False))


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
            named = group.name or capfirst(date_format(group.date, "l j F"))
            raise DomainError("evening_drawn", message % {"evening": named})


def _require_teams_whole(source: Evening, goes: Mapping[int, Evening]) -> None:
    """Raises DomainError `team_in_two_groups` where people of one team are to go to two."""
    asked: dict[int, set[int]] = {}
    listed = source.registrations.filter(member__in=goes, team__isnull=False)
    for row in listed.select_related("team"):
        to = asked.setdefault(row.team_id or 0, set())
        to.add(goes[row.member_id].pk)
        if len(to) > 1 and row.team is not None:
            message = _("%(team)s plays in one group: choose the same one for all its people.")
            raise DomainError("team_in_two_groups", message % {"team": row.team.name})


def _by_strength(evening: Evening) -> list[Rows]:
    """Everybody present, strongest first; a fixed pair and a team together, by their mean."""
    rows = list(evening.registrations.filter(present=True).order_by("member__sort_name", "pk"))
    if any(row.seeded is not None for row in rows):
        strong = {row.member_id: -float(row.seeded) for row in rows if row.seeded is not None}
    else:
        strong = {rated.member_id: float(rated.strength) for rated in strengths_now(evening.club)}
    weakest = min(strong.values(), default=0.0) - 1

    def mean_strength(unit: Rows) -> float:
        return sum(strong.get(row.member_id, weakest) for row in unit) / len(unit)

    return sorted(_units(rows), key=mean_strength, reverse=True)


def _units(rows: Iterable[Registration]) -> list[Rows]:
    """The people who stay together: of a fixed pair, of a team, and else each alone."""
    of: dict[object, Rows] = {}
    for row in rows:
        known = {id(of[key]): of[key] for key in _keys(row) if key in of}
        unit = [each for mates in known.values() for each in mates] + [row]
        of |= {key: unit for each in unit for key in _keys(each)}
    return list({id(unit): unit for unit in of.values()}.values())


def _keys(row: Registration) -> list[object]:
    shared = {"pair": row.pair, "team": row.team_id}
    return [(kind, of) for kind, of in shared.items() if of is not None] or [row.member_id]


def _parts(units: Sequence[Rows], people: int, count: int) -> list[Rows]:
    """The units over so many groups of whole tables; the last has who is left over."""
    if any(row.team_id for unit in units for row in unit):
        return _parts_of_teams(units, people, count)
    each, more = divmod(people // AT_A_TABLE, count)
    left = list(units)
    parts: list[Rows] = []
    for place in range(count - 1):
        parts.append(_filled(left, AT_A_TABLE * (each + (place < more))))
    return [*parts, [row for unit in left for row in unit]]


def _parts_of_teams(units: Sequence[Rows], people: int, count: int) -> list[Rows]:
    """The units in order of strength over so many groups of about as many people each, with as few
    tables that are not full as can be.

    Raises DomainError `too_few_teams` where a team would have nobody to play against.
    """
    ends = [0, *accumulate(len(unit) for unit in units)]

    def cost(start: int, end: int) -> float:
        size = ends[end] - ends[start]
        return (size - people / count) ** 2 + AT_A_TABLE**2 * (size % AT_A_TABLE > 0)

    def fits(start: int, end: int) -> bool:
        return end - start >= OPPONENTS and ends[end] - ends[start] >= AT_A_TABLE

    # By the number of units taken: the least cost of so many groups, and where each begins.
    best: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}
    for _group in range(count):
        best = {
            end: min((best[at][0] + cost(at, end), [*best[at][1], at]) for at in begins)
            for end in range(1, len(units) + 1)
            if (begins := [at for at in best if fits(at, end)])
        }
    if len(units) not in best:
        words = {"n": count, "least": OPPONENTS * count}
        message = _(
            "A team stays together in one group and needs another to play against: %(n)s groups"
            " need at least %(least)s teams, and no team may be too large."
        )
        raise DomainError("too_few_teams", message % words)
    starts = best[len(units)][1]
    return [
        [row for unit in units[start:end] for row in unit]
        for start, end in pairwise([*starts, len(units)])
    ]


def _filled(left: list[Rows], size: int) -> Rows:
    """Take so many people from the units that are left, strongest first. Where one seat is free and
    a pair is next, the nearest who plays alone goes up, or down to make room for the pair."""
    part: list[Rows] = []
    while left and (room := size - sum(map(len, part))) > 0:
        if len(left[0]) <= room:
            part.append(left.pop(0))
            continue
        up = next((at for at, unit in enumerate(left) if len(unit) == 1), None)
        down = next((at for at, unit in enumerate(reversed(part), 1) if len(unit) == 1), None)
        if up is not None and (down is None or up <= down):
            part.append(left.pop(up))
        elif down is not None:
            alone = part.pop(-down)
            part.append(left.pop(0))
            left.insert(0, alone)
        else:
            break
    return [row for unit in part for row in unit]


def _move(source: Evening, wanted: Mapping[int, Evening]) -> set[int]:
    """Put people of one evening on the list of another, with their pairs and teams. Who is on that
    list too is on it once: the row of where they are present stays. Returns who moved."""
    rows = {row.member_id: row for row in source.registrations.select_related("member")}
    leave = {member: group for member, group in wanted.items() if group.pk != source.pk}
    goes: dict[int, Evening] = {}
    for unit in _units(rows.values()) if leave else ():
        if to := [leave[row.member_id] for row in unit if row.member_id in leave]:
            goes |= {row.member_id: to[-1] for row in unit}
    pairs = {row.pair: goes[pk] for pk, row in rows.items() if pk in goes and row.pair is not None}
    numbers = _pairs_move(source, pairs, goes)
    twins = Registration.objects.filter(evening__in=set(goes.values()), member__in=goes)
    there = {(twin.evening_id, twin.member_id): twin for twin in twins}
    stay, gone = [], []
    for member, group in goes.items():
        row = rows[member]
        row.evening_id, row.pair = group.pk, row.pair and numbers[row.pair]
        twin = there.get((group.pk, member))
        if twin is None:
            stay.append(row)
            continue
        kept, left = (twin, row) if twin.present and not row.present else (row, twin)
        _merge(kept, left, row.member)
        stay.append(kept)
        gone.append(left.pk)
    Registration.objects.filter(pk__in=gone).delete()
    changed = "evening", "pair", "team", "paid", "package", "seeded"
    Registration.objects.bulk_update(stay, changed)
    return set(goes)


def _merge(kept: Registration, left: Registration, member: Member) -> None:
    """Let one row of somebody who was on two lists say what was paid, the place they bring, and
    their team."""
    if left.paid is not None:
        if kept.paid is not None:
            message = _("%(name)s is on the list of both groups and has paid there.")
            raise DomainError("in_both_groups", message % {"name": member.desk_name})
        kept.paid, kept.package_id = left.paid, left.package_id
    if kept.seeded is None:
        kept.seeded = left.seeded
    if kept.team_id is None:
        kept.team_id = left.team_id


def _pairs_move(
    source: Evening, pairs: Mapping[int, Evening], goes: Mapping[int, Evening]
) -> dict[int, int]:
    """Let the pairs with these numbers play in other groups; returns their numbers there. A pair
    of the club that was there already keeps its number, unless others sit at it."""
    new: dict[int, int] = {}
    own = {pair.number: pair for pair in source.evening_pairs.all()}
    known = {group.pk: _numbers_of(group) for group in pairs.values()}
    for number, group in pairs.items():
        pair, there = own.get(number), known[group.pk]
        others = group.registrations.exclude(member__in=goes)
        old = there.get(pair.competitor_id) if pair else None
        if old is not None and not others.filter(pair=old).exists():
            new[number] = old
        else:
            new[number] = next(free for free in count_from(1) if free not in there.values())
            there["moved", number] = new[number]
        if pair and old is not None:
            pair.delete()
        elif pair:
            pair.evening, pair.number = group, new[number]
            pair.save()
    return new


def _numbers_of(group: Evening) -> dict[object, int]:
    """The numbers of pairs that are taken in a group, by the pair of the club if it is one."""
    taken: dict[object, int] = {}
    for number in group.registrations.values_list("pair", flat=True):
        if number is not None:
            taken["sitting", number] = number
    taken.update(group.evening_pairs.values_list("competitor_id", "number"))
    return taken
