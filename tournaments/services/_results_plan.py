"""What importing a file of earlier results would change, worked out but not yet done."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clubs.files import Source
from clubs.models import Club
from clubs.names import tidy_name
from clubs.people import People, Person
from tournaments.models import Evening, PastResult, Season
from tournaments.results_file import Named, ResultLine, read_results
from tournaments.services.seasons import season_named

FIGURES = "score", "pits", "roem", "absence"
Whose = tuple[Named, Person]


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
    changed: Sequence[tuple[ResultLine, PastResult]] = field(default_factory=list)
    removed: Sequence[PastResult] = field(default_factory=list)

    @property
    def unchanged(self) -> int:
        """How many lines are stored already."""
        return len(self.lines) - len(self.added) - len(self.changed)

    @property
    def guests(self) -> list[str]:
        """The names of those who would become guests, in the order of the file."""
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
            (result.pk, *(getattr(result, name) for name in FIGURES))
            for result in (*(stored for _line, stored in self.changed), *self.removed)
        ]
        season = self.season.pk if self.season else tidy_name(self.season_name)
        content = (season, lines, before, len(self.added), sorted(self.moved))
        return hashlib.sha256(repr(content).encode()).hexdigest()


def results_plan(*, club: Club, season_name: str, source: Source) -> ResultsPlan:
    """What importing a file would do. Raises FileFaults with everything that is wrong in it."""
    known = {(evening.date, evening.sequence): evening for evening in club.evenings.all()}
    played = [named for named, evening in known.items() if not evening.is_history]
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
        stored = {(*self._whose(result), result.round): result for result in results.order_by("pk")}
        wholes: dict[Whose, set[bool]] = defaultdict(set)
        self.added: list[ResultLine] = []
        self.changed: list[tuple[ResultLine, PastResult]] = []
        for line in lines:
            wholes[line.whose].add(line.round is None)
            result = stored.pop((*line.whose, line.round), None)
            if result is None:
                self.added.append(line)
            elif any(getattr(result, name) != getattr(line, name) for name in FIGURES):
                self.changed.append((line, result))
        self.removed = [result for result in stored.values() if self._contradicts(result, wholes)]

    def _contradicts(self, result: PastResult, wholes: Mapping[Whose, set[bool]]) -> bool:
        """Whether the file has this evening by round where the result is a whole one, or the
        other way around."""
        whose = self._whose(result)
        return whose in wholes and (result.round is None) not in wholes[whose]

    def _whose(self, result: PastResult) -> Whose:
        return self._names[result.evening_id], result.member_id
