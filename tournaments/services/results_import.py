"""Importing earlier results: one line per person and evening, or per round."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from clubs.audit import Actor
from clubs.files import Source
from clubs.merges.merge_log import columns_of
from clubs.models import Club, Upload
from clubs.people import Person
from clubs.services import club_lock, require_as_seen, upload_done
from tournaments.models import Evening, PastResult, Season
from tournaments.results_file import Named, ResultLine
from tournaments.services._evening import evening_touch
from tournaments.services._guests import guests_ensure
from tournaments.services._results_plan import FIGURES, ResultsPlan, results_plan
from tournaments.services.releases import release_publish
from tournaments.services.seasons import season_ensure


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
    source: Source,
    actor: Actor,
    seen: str | None = None,
    upload: Upload | None = None,
) -> ResultsImported:
    """Add and change the results in a file to the evenings of a season; unknown players become
    guests. The same file again changes nothing; each evening that changed is published anew.

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
    ids = guests_ensure(club=club, people=[line.player for line in plan.lines], actor=actor)
    undo = _before(plan)
    evenings = _evenings(plan, season)
    undo |= _write(plan, evenings, ids)
    if upload is not None:
        outcome = _outcome(plan, season, evenings, ids) | {"undo": undo}
        upload_done(upload=upload, outcome=outcome)
    for named in sorted(plan.touched):
        evening_touch(evenings[named], actor=actor, action="results_imported")
        release_publish(evening=evenings[named], actor=actor)
    return ResultsImported(
        season,
        added=len(plan.added),
        changed=len(plan.changed),
        unchanged=plan.unchanged,
        guests=len(plan.guests),
    )


def _evenings(plan: ResultsPlan, season: Season) -> dict[Named, Evening]:
    """The evenings of the file, made where there were none, and put in the season."""
    evenings = {}
    for named in dict.fromkeys(line.evening for line in plan.lines):
        evenings[named] = plan.evenings.get(named) or _evening_make(plan.club, named)
        if evenings[named].season_id != season.pk:
            evenings[named].season = season
            evenings[named].save_changes("season")
    return evenings


def _evening_make(club: Club, named: Named) -> Evening:
    date, sequence = named
    return Evening.objects.create(
        club=club,
        date=date,
        sequence=sequence,
        state=Evening.State.CLOSED,
        is_history=True,
    )


def _before(plan: ResultsPlan) -> dict[str, object]:
    """What will be replaced, for undoing the import."""
    return {
        "removed": [columns_of(result) for result in plan.removed],
        "seasons": {str(evening.pk): evening.season_id for evening in plan.evenings.values()},
        "made_season": plan.season is None,
    }


def _write(
    plan: ResultsPlan, evenings: Mapping[Named, Evening], ids: Mapping[Person, int]
) -> dict[str, object]:
    """Carry the plan out. Returns the new rows, and the changed ones before and after."""
    PastResult.objects.filter(pk__in=[result.pk for result in plan.removed]).delete()
    changed = []
    for line, stored in plan.changed:
        before = columns_of(stored)
        for name in FIGURES:
            setattr(stored, name, getattr(line, name))
        changed.append([before, columns_of(stored)])
    PastResult.objects.bulk_update([stored for _line, stored in plan.changed], FIGURES)
    made = PastResult.objects.bulk_create(
        _result(line, evenings[line.evening], ids[line.player]) for line in plan.added
    )
    return {"added": [columns_of(result) for result in made], "changed": changed}


def _result(line: ResultLine, evening: Evening, member_id: int) -> PastResult:
    figures = {name: getattr(line, name) for name in FIGURES}
    return PastResult(evening=evening, member_id=member_id, round=line.round, **figures)


def _outcome(
    plan: ResultsPlan,
    season: Season,
    evenings: Mapping[Named, Evening],
    ids: Mapping[Person, int],
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
