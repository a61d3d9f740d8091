"""Results from before: one line per person and evening, or per round, read from a file."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from clubs.audit import Actor
from clubs.files import Source
from clubs.models import Club
from clubs.people import People
from clubs.services import club_lock
from tournaments.models import Evening, PastResult, Season
from tournaments.results_file import Named, ResultLine, read_results
from tournaments.services._evening import evening_touch
from tournaments.services._guests import guests_ensure
from tournaments.services.releases import release_publish
from tournaments.services.seasons import season_ensure

FIGURES = "score", "pits", "roem", "absence"


@dataclass(frozen=True, slots=True)
class ResultsImported:
    """How many results of the file were new, different and the same, and in which season."""

    season: Season
    added: int
    changed: int
    unchanged: int
    guests: int


@transaction.atomic
def results_import(
    *, club: Club, season_name: str, source: Source, actor: Actor
) -> ResultsImported:
    """Add and change the results in a file to the evenings of a season; unknown players become
    guests. The same file again changes nothing; each evening that changed is published anew.

    Rounds of an evening may come in several files. But rounds take the place of a result or an
    absence that stood for somebody's whole evening, and the other way round. Raises FileFaults
    with everything that is wrong; then nothing is written.
    """
    club = club_lock(club.pk)
    season = season_ensure(club=club, name=season_name, actor=actor)
    known = {(evening.date, evening.sequence): evening for evening in club.evenings.all()}
    played = [named for named, evening in known.items() if not evening.is_history]
    lines = read_results(source, People(club), played)
    ids = guests_ensure(club=club, people=[line.player for line in lines], actor=actor)
    names = dict.fromkeys(line.evening for line in lines)
    evenings = {named: known.get(named) or _evening_make(club, named) for named in names}
    changes = _Changes()
    changes.put([_result(line, evenings[line.evening], ids[line.player]) for line in lines])
    moved = _moved(evenings.values(), season)
    for evening in evenings.values():
        if evening.pk in changes.evenings | moved:
            evening_touch(evening, actor=actor, action="results_imported")
            release_publish(evening=evening, actor=actor)
    return ResultsImported(
        season,
        added=len(changes.added),
        changed=len(changes.changed),
        unchanged=len(lines) - len(changes.added) - len(changes.changed),
        guests=sum(isinstance(person, str) for person in ids),
    )


def _evening_make(club: Club, named: Named) -> Evening:
    date, sequence = named
    return Evening.objects.create(
        club=club,
        date=date,
        sequence=sequence,
        state=Evening.State.CLOSED,
        is_history=True,
    )


def _moved(evenings: Iterable[Evening], season: Season) -> set[int]:
    """Put these evenings in the season; gives back which of them were not in it."""
    moved = [evening for evening in evenings if evening.season_id != season.pk]
    for evening in moved:
        evening.season = season
        evening.save(update_fields=["season"])
    return {evening.pk for evening in moved}


def _result(line: ResultLine, evening: Evening, member_id: int) -> PastResult:
    figures = {name: getattr(line, name) for name in FIGURES}
    return PastResult(evening=evening, member_id=member_id, round=line.round, **figures)


@dataclass
class _Changes:
    """What had to be written to make the stored results as a file has them."""

    added: list[PastResult] = field(default_factory=list)
    changed: list[PastResult] = field(default_factory=list)
    removed: list[PastResult] = field(default_factory=list)

    @property
    def evenings(self) -> set[int]:
        """The evenings that are no longer as they were."""
        return {one.evening_id for one in (*self.added, *self.changed, *self.removed)}

    def put(self, results: Sequence[PastResult]) -> None:
        """Write these results, and remove the stored ones that they contradict."""
        found = PastResult.objects.filter(evening__in={one.evening_id for one in results})
        stored = {_key(one): one for one in found}
        wholes: dict[tuple[int, int], set[bool]] = defaultdict(set)
        for result in results:
            wholes[_whose(result)].add(result.round is None)
            self._take(result, stored.pop(_key(result), None))
        self.removed = [
            one
            for one in stored.values()
            if _whose(one) in wholes and (one.round is None) not in wholes[_whose(one)]
        ]
        PastResult.objects.filter(pk__in=[one.pk for one in self.removed]).delete()
        PastResult.objects.bulk_update(self.changed, FIGURES)
        PastResult.objects.bulk_create(self.added)

    def _take(self, result: PastResult, stored: PastResult | None) -> None:
        if stored is None:
            self.added.append(result)
        elif any(getattr(stored, name) != getattr(result, name) for name in FIGURES):
            result.pk = stored.pk
            self.changed.append(result)


def _whose(result: PastResult) -> tuple[int, int]:
    return result.evening_id, result.member_id


def _key(result: PastResult) -> tuple[int, int, int | None]:
    return *_whose(result), result.round
