"""Previewing in words how the draw changes for someone who comes or leaves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core import Player, RoundDraw, TableDraw
from tournaments.services import DrawChanges, PersonChange
from tournaments.to_come import RoundToCome

Names = Mapping[Player, str]


@dataclass(frozen=True, slots=True)
class RoundsSaid:
    """Consecutive rounds with the same changes."""

    first: int
    last: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class PersonSaid:
    """The changes for someone who comes, leaves, or takes the place of a `leaver`."""

    member: Member
    comes: bool
    rounds: Sequence[RoundsSaid]
    leaver: Member | None

    @property
    def title(self) -> str:
        """The heading."""
        if self.leaver:
            words = _("%(name)s takes the place of %(leaver)s")
            return words % {"name": self.member.name, "leaver": self.leaver.name}
        words = _("%(name)s joins in") if self.comes else _("%(name)s no longer plays")
        return words % {"name": self.member.name}


def changes_said(changes: DrawChanges) -> list[PersonSaid]:
    """The changes for each of these people, in order."""
    names = _names(changes)
    return [
        PersonSaid(step.member, step.comes, list(_rounds_said(step, names)), step.leaver)
        for step in changes.steps
    ]


def tables_to_print(changes: DrawChanges) -> list[int]:
    """The numbers of the tables where someone else will sit, in any round."""
    touched = {
        (number, table)
        for step in changes.steps
        for number, tables in step.changed_tables().items()
        for table in tables
    }
    after = changes.steps[-1].after
    there = {(number, at.number) for number, round_ in after.items() for at in round_.drawn.tables}
    return sorted({table for _number, table in touched & there})


def _names(changes: DrawChanges) -> Names:
    """The names of everyone in these rounds, by surname."""
    ids = {
        player
        for step in changes.steps
        for rounds in (step.before, step.after)
        for round_ in rounds.values()
        for player in (*round_.people, *round_.extra.values())
    }
    people = Member.objects.filter(pk__in=[int(player) for player in ids]).by_surname()
    return {str(pk): name for pk, name in people.values_list("pk", "name")}


def _rounds_said(step: PersonChange, names: Names) -> Iterator[RoundsSaid]:
    first, last, current = 0, 0, None
    for number, before in step.before.items():
        lines = list(_lines(step, before, step.after[number], names))
        if current is not None and lines != current:
            yield RoundsSaid(first, last, current)
        if lines != current:
            first, current = number, lines
        last = number
    if current is not None:
        yield RoundsSaid(first, last, current)


def _lines(
    step: PersonChange, before: RoundToCome, after: RoundToCome, names: Names
) -> Iterator[str]:
    old, new = (
        {table.number: table for table in round_.with_extra_players().tables}
        for round_ in (before, after)
    )
    changed = [number for number in sorted({*old, *new}) if old.get(number) != new.get(number)]
    replaced: set[Player] = set()
    for number in changed:
        if number in old and number in new and len(old[number].seats) == len(new[number].seats):
            yield from _seats_said(old[number], new[number], after.drawn, names)
            replaced |= old[number].people() - new[number].people()
        else:
            yield _table_said(number, old.get(number), new.get(number), names)
    resting = set(after.drawn.sit_out) - set(before.drawn.sit_out) - replaced
    if resting:
        yield ngettext("%(names)s does not play.", "%(names)s do not play.", len(resting)) % {
            "names": _listed(resting, names)
        }
    if not changed:
        yield _("Nothing changes at the tables.")


def _table_said(number: int, old: TableDraw | None, new: TableDraw | None, names: Names) -> str:
    """A table that is added, removed, or changes size."""
    if new is None:
        return _("Table %(n)s goes; the other tables keep their numbers.") % {"n": number}
    words = _("Table %(n)s becomes: %(names)s.") if old else _("Table %(n)s is new: %(names)s.")
    return words % {"n": number, "names": _listed(new.people(), names)}


def _seats_said(old: TableDraw, new: TableDraw, after: RoundDraw, names: Names) -> Iterator[str]:
    """At a table that keeps its size: who replaces whom, and where they go."""
    for seat, player in new.seats.items():
        before = old.seats[seat]
        if player != before:
            yield _instead(before, old.number, after) % {
                "n": old.number,
                "new": names[player],
                "old": names[before],
                "to": _table_of(before, after),
            }


def _instead(player: Player, number: int, after: RoundDraw) -> str:
    """The sentence about someone whose seat at that table is taken."""
    to = _table_of(player, after)
    if player in after.sit_out:
        return _("Table %(n)s: %(new)s instead of %(old)s, who does not play.")
    if to is None:
        return _("Table %(n)s: %(new)s instead of %(old)s.")
    if to == number:
        return _("Table %(n)s: %(new)s in the seat of %(old)s, who gets another one there.")
    return _("Table %(n)s: %(new)s instead of %(old)s, who plays at table %(to)s.")


def _table_of(player: Player, drawn: RoundDraw) -> int | None:
    return next((table.number for table in drawn.tables if player in table.people()), None)


def _listed(people: Iterable[Player], names: Names) -> str:
    """Their names as a list in a sentence, by surname."""
    wanted = {*people}
    return get_text_list([name for player, name in names.items() if player in wanted], _("and"))
