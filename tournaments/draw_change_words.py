"""What changes in the draw for somebody who comes or leaves, in words, before it is done."""

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
    """What happens in rounds on end in which the same happens."""

    first: int
    last: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class PersonSaid:
    """Somebody who comes, or leaves, or comes in the place of a `leaver`, and what that does."""

    member: Member
    comes: bool
    rounds: Sequence[RoundsSaid]
    leaver: Member | None

    @property
    def title(self) -> str:
        """Who it is about, as a heading."""
        if self.leaver:
            words = _("%(name)s takes the place of %(leaver)s")
            return words % {"name": self.member.name, "leaver": self.leaver.name}
        words = _("%(name)s joins in") if self.comes else _("%(name)s no longer plays")
        return words % {"name": self.member.name}


def changes_said(changes: DrawChanges) -> list[PersonSaid]:
    """What each of these people changes, one after the other."""
    names = _names(changes)
    return [
        PersonSaid(step.member, step.comes, list(_rounds_said(step, names)), step.leaver)
        for step in changes.steps
    ]


def tables_to_print(changes: DrawChanges) -> list[int]:
    """The tables at which somebody else will sit, in any round, in order of number."""
    touched = {
        (number, table)
        for step in changes.steps
        for number, tables in step.changed_tables().items()
        for table in tables
    }
    after = changes.steps[-1].after
    there = {(number, at.number) for number, one in after.items() for at in one.drawn.tables}
    return sorted({table for _number, table in touched & there})


def _names(changes: DrawChanges) -> Names:
    """Everybody in these rounds, by surname."""
    ids = {
        who
        for step in changes.steps
        for rounds in (step.before, step.after)
        for one in rounds.values()
        for who in (*one.people, *one.extra.values())
    }
    people = Member.objects.filter(pk__in=[int(who) for who in ids]).by_surname()
    return {str(pk): name for pk, name in people.values_list("pk", "name")}


def _rounds_said(step: PersonChange, names: Names) -> Iterator[RoundsSaid]:
    first, last, said = 0, 0, None
    for number, before in step.before.items():
        lines = list(_lines(step, before, step.after[number], names))
        if said is not None and lines != said:
            yield RoundsSaid(first, last, said)
        if lines != said:
            first, said = number, lines
        last = number
    if said is not None:
        yield RoundsSaid(first, last, said)


def _lines(
    step: PersonChange, before: RoundToCome, after: RoundToCome, names: Names
) -> Iterator[str]:
    old, new = (
        {table.number: table for table in one.with_extra_players().tables}
        for one in (before, after)
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
    """A table that is new, becomes of another size, or goes."""
    if new is None:
        return _("Table %(n)s goes; the other tables keep their numbers.") % {"n": number}
    words = _("Table %(n)s becomes: %(names)s.") if old else _("Table %(n)s is new: %(names)s.")
    return words % {"n": number, "names": _listed(new.people(), names)}


def _seats_said(old: TableDraw, new: TableDraw, after: RoundDraw, names: Names) -> Iterator[str]:
    """At a table that keeps its size: who sits there instead of whom, and where that one is."""
    for seat, who in new.seats.items():
        before = old.seats[seat]
        if who != before:
            yield _instead(before, old.number, after) % {
                "n": old.number,
                "new": names[who],
                "old": names[before],
                "to": _table_of(before, after),
            }


def _instead(who: Player, number: int, after: RoundDraw) -> str:
    """The sentence for somebody whose seat at that table is taken."""
    to = _table_of(who, after)
    if who in after.sit_out:
        return _("Table %(n)s: %(new)s instead of %(old)s, who does not play.")
    if to is None:
        return _("Table %(n)s: %(new)s instead of %(old)s.")
    if to == number:
        return _("Table %(n)s: %(new)s in the seat of %(old)s, who gets another one there.")
    return _("Table %(n)s: %(new)s instead of %(old)s, who plays at table %(to)s.")


def _table_of(who: Player, drawn: RoundDraw) -> int | None:
    return next((table.number for table in drawn.tables if who in table.people()), None)


def _listed(people: Iterable[Player], names: Names) -> str:
    """Their names, by surname, as in a sentence."""
    wanted = {*people}
    return get_text_list([name for who, name in names.items() if who in wanted], _("and"))
