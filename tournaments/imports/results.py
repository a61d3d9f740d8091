"""Importing earlier results: the plan of what a file would change, and carrying it out."""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import transaction

from clubs.audit.services import Actor
from clubs.files.reading import Source
from clubs.members.imports import People, Person, require_as_seen, upload_done
from clubs.merges.services import columns_of
from clubs.models import Club, Upload
from clubs.profile.services import club_lock
from clubs.text.names import tidy_name
from tournaments.evenings.services import evening_touch
from tournaments.imports.results_file import Named, NamedCompetitor, ResultLine, read_results
from tournaments.imports.results_list import ResultsList
from tournaments.models import CompetitorResult, Evening, PastResult, Season
from tournaments.registration.check_in import guests_ensure
from tournaments.registration.competitors import competitors_ensure
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_ensure, season_named
from tournaments.standings.competitors import PLAYER

FIGURES = "score", "pits", "roem", "absence"
Stored = PastResult | CompetitorResult
Whose = tuple[Named, Person | NamedCompetitor]


@dataclass(frozen=True, slots=True)
class ResultsPlan:
    """The lines of a file compared with the stored results: `added`, `changed`, and the stored
    ones that they contradict, `removed`. `season` is None while there is none of that name."""

    club: Club
    season_name: str
    season: Season | None
    lines: Sequence[ResultLine]
    evenings: dict[Named, Evening]
    added: Sequence[ResultLine] = field(default_factory=list)
    changed: Sequence[tuple[ResultLine, Stored]] = field(default_factory=list)
    removed: Sequence[Stored] = field(default_factory=list)

    @property
    def unchanged(self) -> int:
        """How many lines are stored already."""
        return len(self.lines) - len(self.added) - len(self.changed)

    @property
    def guests(self) -> list[str]:
        """The names of people who would become guests, in the order of the file."""
        people = dict.fromkeys(line.player for line in self.lines)
        return [person for person in people if isinstance(person, str)]

    @property
    def touched(self) -> set[Named]:
        """The evenings that would change."""
        lines = [*self.added, *(line for line, _stored in self.changed)]
        named = {(result.evening.date, result.evening.sequence) for result in self.removed}
        return named | {line.evening for line in lines} | self.moved

    @property
    def moved(self) -> set[Named]:
        """The evenings of the file that are not in the season yet, or not there at all."""
        season_id = self.season and self.season.pk
        return {
            line.evening
            for line in self.lines
            if line.evening not in self.evenings
            or season_id is None
            or self.evenings[line.evening].season_id != season_id
        }

    @property
    def fingerprint(self) -> str:
        """The same for two plans that would do the same."""
        lines = [
            (line.evening, line.player, line.round, *(getattr(line, name) for name in FIGURES))
            for line in self.lines
        ]
        before = [
            (_of(result), result.pk, *(getattr(result, name) for name in FIGURES))
            for result in (*(stored for _line, stored in self.changed), *self.removed)
        ]
        season = self.season.pk if self.season else tidy_name(self.season_name)
        content = (season, lines, before, len(self.added), sorted(self.moved))
        return hashlib.sha256(repr(content).encode()).hexdigest()


def results_plan(*, club: Club, season_name: str, source: Source | ResultsList) -> ResultsPlan:
    """What importing a file, or a list as a club has it, would do. Raises FileFaults with
    everything that is wrong in it."""
    known = {(evening.date, evening.sequence): evening for evening in club.evenings.all()}
    played = [named for named, evening in known.items() if not evening.is_history]
    if isinstance(source, ResultsList):
        lines = source.results(club, season_name, played)
    else:
        lines = read_results(source, People(club), played)
    named = {line.evening for line in lines}
    evenings = {name: evening for name, evening in known.items() if name in named}
    compared = _Compared(lines, evenings)
    return ResultsPlan(
        club=club,
        season_name=season_name,
        season=season_named(club, season_name),
        lines=lines,
        evenings=evenings,
        added=compared.added,
        changed=compared.changed,
        removed=compared.removed,
    )


class _Compared:
    """The lines of a file compared with the stored results."""

    def __init__(self, lines: Sequence[ResultLine], evenings: dict[Named, Evening]) -> None:
        self._names = {evening.pk: named for named, evening in evenings.items()}
        results = PastResult.objects.filter(evening__in=self._names).select_related("evening")
        of_competitors = CompetitorResult.objects.filter(evening__in=self._names)
        there: list[Stored] = list(results.order_by("pk"))
        there += of_competitors.select_related("evening", "competitor").order_by("pk")
        stored = {(*self._whose(result), result.round): result for result in there}
        wholes: dict[Whose, set[bool]] = defaultdict(set)
        self.added: list[ResultLine] = []
        self.changed: list[tuple[ResultLine, Stored]] = []
        for line in lines:
            wholes[line.whose].add(line.round is None)
            result = stored.pop((*line.whose, line.round), None)
            if result is None:
                self.added.append(line)
            elif any(getattr(result, name) != getattr(line, name) for name in FIGURES):
                self.changed.append((line, result))
        self.removed = [result for result in stored.values() if self._contradicts(result, wholes)]

    def _contradicts(self, result: Stored, wholes: Mapping[Whose, set[bool]]) -> bool:
        """Whether the file has this evening by round where the result is a whole one, or the
        other way around."""
        whose = self._whose(result)
        return whose in wholes and (result.round is None) not in wholes[whose]

    def _whose(self, result: Stored) -> Whose:
        return self._names[result.evening_id], _of(result)


def _of(result: Stored) -> Person | NamedCompetitor:
    if isinstance(result, PastResult):
        return result.member_id
    competitor = result.competitor
    return NamedCompetitor(competitor.kind, competitor.key, competitor.name)


@dataclass(frozen=True, slots=True)
class ResultsImported:
    """How many results of the file were new, different or the same, in which season, and how many
    guests were made."""

    season: Season
    added: int
    changed: int
    unchanged: int
    guests: int


@transaction.atomic
def results_import(
    *,
    club: Club,
    season_name: str,
    source: Source | ResultsList,
    actor: Actor,
    seen: str | None = None,
    upload: Upload | None = None,
    public_as: str | None = None,
) -> ResultsImported:
    """Add and change the results in a file to the evenings of a season; unknown players become
    guests, public as `public_as` or else as the club chose for new people. The same file again
    changes nothing; each evening that changed is published again.

    Rounds of an evening may come in several files. Results by round replace a result or an absence
    for somebody's whole evening, and the other way round. `seen` is the fingerprint of the plan
    that was confirmed, and `upload` the file it was made from.

    Raises FileFaults with everything that is wrong; then nothing is written. Raises
    VersionConflict when the file would now do something else than was `seen`, and DomainError
    `upload_gone` when the upload was imported already.
    """
    club = club_lock(club.pk)
    plan = results_plan(club=club, season_name=season_name, source=source)
    if seen is not None:
        require_as_seen(plan, seen)
    season = season_ensure(club=club, name=season_name, actor=actor)
    people = [line.player for line in plan.lines if not isinstance(line.player, NamedCompetitor)]
    ids = _competitors(plan, actor)
    ids.update(guests_ensure(club=club, people=people, actor=actor, public_as=public_as).items())
    undo = _before(plan)
    evenings = _evenings(plan, season)
    undo |= _write(plan, evenings, ids)
    if upload is not None:
        outcome = _outcome(plan, season, evenings, ids) | {"undo": undo}
        upload_done(upload=upload, outcome=outcome)
    for named in sorted(plan.touched):
        evening = evenings[named]
        data = {"date": evening.slug}
        evening_touch(evening, actor=actor, action="results_imported", data=data)
        release_publish(evening=evening, actor=actor)
    return ResultsImported(
        season,
        added=len(plan.added),
        changed=len(plan.changed),
        unchanged=plan.unchanged,
        guests=len(plan.guests),
    )


Ids = dict[Person | NamedCompetitor, int]


def _competitors(plan: ResultsPlan, actor: Actor) -> Ids:
    """The ids of the pairs and teams in the file, made where the club does not have them."""
    ids: Ids = {}
    first: dict[str, dict[NamedCompetitor, dt.date]] = defaultdict(dict)
    for line in plan.lines:
        if isinstance(line.player, NamedCompetitor):
            first[line.player.kind].setdefault(line.player, line.evening[0])
    for kind, named in first.items():
        known = competitors_ensure(
            club=plan.club,
            kind=kind,
            named={competitor.name: () for competitor in named},
            since=min(named.values()),
            actor=actor,
        )
        ids |= {competitor: known[competitor.key] for competitor in named}
    return ids


def _evenings(plan: ResultsPlan, season: Season) -> dict[Named, Evening]:
    """The evenings of the file, made where there were none, and put in the season."""
    evenings = {}
    for named in dict.fromkeys(line.evening for line in plan.lines):
        evenings[named] = plan.evenings.get(named) or _evening_make(plan, named)
        if evenings[named].season_id != season.pk:
            evenings[named].season = season
            evenings[named].save_changes("season")
    return evenings


def _evening_make(plan: ResultsPlan, named: Named) -> Evening:
    date, sequence = named
    kinds = {
        line.player.kind if isinstance(line.player, NamedCompetitor) else PLAYER
        for line in plan.lines
        if line.evening == named
    }
    return Evening.objects.create(
        club=plan.club,
        ranks=kinds.pop() if len(kinds) == 1 else PLAYER,
        date=date,
        sequence=sequence,
        state=Evening.State.CLOSED,
        is_history=True,
    )


def _before(plan: ResultsPlan) -> dict[str, object]:
    """What will be replaced, for undoing the import."""
    return {
        "removed": [
            columns_of(result) for result in plan.removed if isinstance(result, PastResult)
        ],
        "seasons": {str(evening.pk): evening.season_id for evening in plan.evenings.values()},
        "made_season": plan.season is None,
    }


def _write(plan: ResultsPlan, evenings: Mapping[Named, Evening], ids: Ids) -> dict[str, object]:
    """Carry the plan out. Returns the new rows of people, and the changed ones before and after."""
    changed = []
    for line, stored in plan.changed:
        before = columns_of(stored)
        for name in FIGURES:
            setattr(stored, name, getattr(line, name))
        if isinstance(stored, PastResult):
            changed.append([before, columns_of(stored)])
    new = [_result(line, evenings[line.evening], ids[line.player]) for line in plan.added]
    same = [result for _line, result in plan.changed]
    made = _store(PastResult, new, same, plan.removed)
    _store(CompetitorResult, new, same, plan.removed)
    return {"added": [columns_of(result) for result in made], "changed": changed}


Result = TypeVar("Result", PastResult, CompetitorResult)


def _store(
    model: type[Result],
    new: Sequence[Stored],
    changed: Sequence[Stored],
    removed: Sequence[Stored],
) -> list[Result]:
    """Write the rows of this model, and return those that are new."""
    gone = [result.pk for result in removed if isinstance(result, model)]
    model._default_manager.filter(pk__in=gone).delete()
    same = [result for result in changed if isinstance(result, model)]
    model._default_manager.bulk_update(same, FIGURES)
    return model._default_manager.bulk_create(
        [result for result in new if isinstance(result, model)]
    )


def _result(line: ResultLine, evening: Evening, pk: int) -> Stored:
    figures = {name: getattr(line, name) for name in FIGURES}
    if isinstance(line.player, NamedCompetitor):
        return CompetitorResult(evening=evening, competitor_id=pk, round=line.round, **figures)
    return PastResult(evening=evening, member_id=pk, round=line.round, **figures)


def _outcome(
    plan: ResultsPlan,
    season: Season,
    evenings: Mapping[Named, Evening],
    ids: Ids,
) -> dict[str, object]:
    """The outcome of an upload: the ids of the evenings it is about and of everything it made."""
    return {
        "season": season.pk,
        "added": len(plan.added),
        "changed": len(plan.changed),
        "unchanged": plan.unchanged,
        "evenings": [evening.pk for evening in evenings.values()],
        "made": [evening.pk for named, evening in evenings.items() if named not in plan.evenings],
        "guests": [ids[name] for name in plan.guests],
    }
