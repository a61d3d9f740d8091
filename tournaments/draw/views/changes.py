"""The page that adapts the draw to people who come or leave: the changes in words, and doing it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.draw.changes import DrawChanges, PersonChange, adapt_preview, draw_adapt
from tournaments.draw.core import Player, RoundDraw, TableDraw
from tournaments.evenings.desk_pages import evening_url, find_evening, show_evening, to_evening
from tournaments.evenings.permissions import DRAW
from tournaments.evenings.workflow import EveningProgress, evening_progress
from tournaments.models import Evening, Round
from tournaments.registration.check_in import gone_while_playing
from tournaments.seating.store import UpcomingRound

Names = Mapping[Player, str]


@dataclass(frozen=True, slots=True)
class RoundsChanges:
    """Consecutive rounds with the same changes."""

    first: int
    last: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class PersonChanges:
    """The changes for someone who comes, leaves, or takes the place of a `leaver`."""

    member: Member
    comes: bool
    rounds: Sequence[RoundsChanges]
    leaver: Member | None

    @property
    def title(self) -> str:
        """The heading."""
        if self.leaver:
            words = _("%(name)s takes the place of %(leaver)s")
            return words % {"name": self.member.desk_name, "leaver": self.leaver.desk_name}
        words = _("%(name)s joins in") if self.comes else _("%(name)s no longer plays")
        return words % {"name": self.member.desk_name}


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_change(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The changes to the draw if these people, or everybody who came or left, are added or
    removed; a POST makes them."""
    evening = find_evening(club, evening_slug)
    members = _members(request, club)
    try:
        if request.method == "POST":
            return _adapt(request, evening, members)
        return _show(request, evening, adapt_preview(evening, members))
    except DomainError as refusal:
        return _refused(request, evening, refusal)


def person_changes(changes: DrawChanges) -> list[PersonChanges]:
    """The changes for each of these people, in order."""
    names = _names(changes)
    return [
        PersonChanges(step.member, step.comes, list(_rounds_changes(step, names)), step.leaver)
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


def _members(request: HttpRequest, club: Club) -> list[Member]:
    """The people named in the address; none stands for everybody who came or left."""
    wanted = [whole_number(value) for value in request.GET.getlist("who")]
    members = Member.objects.of(club).filter(pk__in=[number for number in wanted if number])
    if len(members) < len(wanted):
        raise Http404
    return list(members)


def _adapt(request: HttpRequest, evening: Evening, members: Sequence[Member]) -> HttpResponse:
    changes = draw_adapt(
        evening_id=evening.pk,
        members=members,
        seen=request.POST.get("seen", ""),
        actor=actor_of(request),
    )
    tables = tables_to_print(changes)
    if tables:
        words = _("The draw is adapted. Somebody else sits at: table %(tables)s.")
        messages.success(request, words % {"tables": _listed(tables)})
    else:
        messages.success(request, _("The draw is adapted. Nothing has changed at the tables."))
    return to_evening("evening_draw", evening)


def _show(request: HttpRequest, evening: Evening, changes: DrawChanges) -> HttpResponse:
    progress = evening_progress(evening)
    tables = tables_to_print(changes)
    return show_evening(
        request,
        "draw/draw_change.html",
        evening,
        progress=progress,
        people=person_changes(changes),
        seen=changes.version,
        tables=len(tables),
        table_numbers=_listed(tables),
        gone=gone_while_playing(evening),
        anew=_anew(evening, progress),
    )


def _listed(tables: Sequence[int]) -> str:
    return get_text_list([str(number) for number in tables], _("and"))


def _refused(request: HttpRequest, evening: Evening, refusal: DomainError) -> HttpResponse:
    if request.method == "POST":
        messages.error(request, refusal.message)
        return redirect(request.get_full_path())
    if refusal.code in ("nothing_to_change", "draw_moved_on"):
        messages.info(request, refusal.message)
        return to_evening("evening_draw", evening)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "draw/draw_change.html",
        evening,
        progress=progress,
        refusal=refusal.message,
        gone=gone_while_playing(evening),
        anew=_anew_url(evening, progress),
    )


def _anew(evening: Evening, progress: EveningProgress) -> str:
    """Where to draw everything again; empty once a rotation has started, because its tables
    would no longer stay together."""
    started = progress.first(Round.State.RUNNING, Round.State.CLOSED)
    if started and evening.method == Evening.Method.ROTATION:
        return ""
    return _anew_url(evening, progress)


def _anew_url(evening: Evening, progress: EveningProgress) -> str:
    if progress.unplayed and progress.unplayed.state == Round.State.DRAWN:
        return evening_url("draw_undo", evening)
    if evening.must_be_typed_in:
        return evening_url("draw_type_in", evening)
    return evening_url("evening_draw", evening)


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
    return {str(pk): name for pk, name in people.desk_names().items()}


def _rounds_changes(step: PersonChange, names: Names) -> Iterator[RoundsChanges]:
    first, last, current = 0, 0, None
    for number, before in step.before.items():
        lines = list(_lines(step, before, step.after[number], names))
        if current is not None and lines != current:
            yield RoundsChanges(first, last, current)
        if lines != current:
            first, current = number, lines
        last = number
    if current is not None:
        yield RoundsChanges(first, last, current)


def _lines(
    step: PersonChange, before: UpcomingRound, after: UpcomingRound, names: Names
) -> Iterator[str]:
    old, new = (
        {table.number: table for table in round_.with_extra_players().tables}
        for round_ in (before, after)
    )
    changed = [number for number in sorted({*old, *new}) if old.get(number) != new.get(number)]
    replaced: set[Player] = set()
    for number in changed:
        if number in old and number in new and len(old[number].seats) == len(new[number].seats):
            yield from _seats_words(old[number], new[number], after.drawn, names)
            replaced |= old[number].people() - new[number].people()
        else:
            yield _table_words(number, old.get(number), new.get(number), names)
    resting = set(after.drawn.sit_out) - set(before.drawn.sit_out) - replaced
    if resting:
        yield ngettext("%(names)s does not play.", "%(names)s do not play.", len(resting)) % {
            "names": _names_listed(resting, names)
        }
    if not changed:
        yield _("Nothing changes at the tables.")


def _table_words(number: int, old: TableDraw | None, new: TableDraw | None, names: Names) -> str:
    """A table that is added, removed, or changes size."""
    if new is None:
        return _("Table %(n)s goes; the other tables keep their numbers.") % {"n": number}
    words = _("Table %(n)s becomes: %(names)s.") if old else _("Table %(n)s is new: %(names)s.")
    return words % {"n": number, "names": _names_listed(new.people(), names)}


def _seats_words(old: TableDraw, new: TableDraw, after: RoundDraw, names: Names) -> Iterator[str]:
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


def _names_listed(people: Iterable[Player], names: Names) -> str:
    """Their names as a list in a sentence, by surname."""
    wanted = {*people}
    return get_text_list([name for player, name in names.items() if player in wanted], _("and"))
