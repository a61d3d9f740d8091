"""Results from before: one line per person and evening, or per round, read from a file."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.files import Fault, FileFaults, Row, Source, read_rows
from clubs.models import Club, Member
from clubs.names import name_key
from clubs.people import People
from clubs.services import club_lock, member_create
from tournaments.models import Evening, PastResult, Registration, Season
from tournaments.services._evening import evening_touch
from tournaments.services.releases import release_publish
from tournaments.slugs import parse_evening_slug

COLUMNS = {
    "evening": ("evening", "date", "avond", "datum"),
    "player": ("player", "name", "speler", "naam"),
    "round": ("round", "ronde"),
    "score": ("score", "points", "punten"),
    "pits": ("pits", "pit"),
    "roem": ("roem",),
    "absence": ("absence", "afwezig"),
}
DEAL_AT_MOST = 162 + 100 + 200
"""What one deal gives at the very most on average: a pit and two fours of a kind."""
ROUND_AT_MOST = 16 * DEAL_AT_MOST
EVENING_AT_MOST = 3 * ROUND_AT_MOST
FINES_AT_MOST = 1_000
ABSENCES = tuple(Registration.Absence.values)


@dataclass(frozen=True, slots=True)
class ResultsImported:
    """How many results of the file were new, different and the same."""

    added: int
    changed: int
    unchanged: int
    guests: int


@dataclass(frozen=True, slots=True)
class _Line:
    row: Row
    evening: str
    player: str
    round: int | None
    score: int | None
    pits: int | None
    roem: int | None
    absence: str

    @property
    def key(self) -> tuple[str, str, int | None]:
        return self.evening, name_key(self.player), self.round


@dataclass
class _Counts:
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    touched: dict[int, Evening] = field(default_factory=dict)


@transaction.atomic
def results_import(*, club: Club, season: Season, source: Source, actor: Actor) -> ResultsImported:
    """Add and change the results in a file to the evenings of `season`; unknown players become
    guests. The same file again changes nothing; each evening that changed is published anew.

    Raises FileFaults with everything that is wrong; then nothing is written.
    """
    club_lock(club.pk)
    people = People(club)
    lines, faults = _read(source)
    evenings = _evenings(club, lines, faults)
    unknown = _unknown(people, lines, faults)
    if faults:
        raise FileFaults(faults)
    for name in unknown:
        people.add(member_create(club=club, name=name, kind=Member.Kind.GUEST, actor=actor))
    counts = _Counts()
    for line in lines:
        evening = evenings.get(line.evening) or _evening_make(club, line.evening)
        evenings[line.evening] = evening
        _place_in(evening, season, counts)
        _write(evening, line, people, counts)
    for evening in counts.touched.values():
        evening_touch(evening, actor=actor, action="results_imported")
        release_publish(evening=evening, actor=actor)
    return ResultsImported(counts.added, counts.changed, counts.unchanged, len(unknown))


def _read(source: Source) -> tuple[list[_Line], list[Fault]]:
    faults: list[Fault] = []
    rows = read_rows(source, columns=COLUMNS, required=["evening", "player", "score"])
    lines = [_line(row, faults) for row in rows]
    first: dict[tuple[str, str, int | None], _Line] = {}
    for line in lines:
        other = first.setdefault(line.key, line)
        if other is not line and line.player:
            message = _("this result stands on line %(n)s too") % {"n": other.row.line}
            faults.append(line.row.fault(None, message))
    return lines, faults


def _line(row: Row, faults: list[Fault]) -> _Line:
    if parse_evening_slug(row["evening"]) is None:
        faults.append(row.fault("evening", _("write the date as 2026-09-05")))
    if not row["player"]:
        faults.append(row.fault("player", _("the player is missing")))
    line = _Line(
        row=row,
        evening=row["evening"],
        player=" ".join(row["player"].split()),
        round=_between(row, "round", 1, 20, faults),
        score=_score(row, faults),
        pits=_between(row, "pits", 0, 99, faults),
        roem=_between(row, "roem", 0, EVENING_AT_MOST, faults),
        absence=row["absence"],
    )
    faults += _absence_faults(row)
    return line


def _between(row: Row, column: str, least: int, most: int, faults: list[Fault]) -> int | None:
    number = row.whole_number(column, faults)
    if number is not None and not least <= number <= most:
        message = _("give a number from %(least)s to %(most)s") % {"least": least, "most": most}
        faults.append(row.fault(column, message))
    return number


def _score(row: Row, faults: list[Fault]) -> int | None:
    number = row.whole_number("score", faults)
    most = ROUND_AT_MOST if row["round"] else EVENING_AT_MOST
    if number is not None and not -FINES_AT_MOST <= number <= most:
        message = _("%(score)s is more than any number of deals could give")
        if number < 0:
            message = _("%(score)s is less than any number of deals could give")
        faults.append(row.fault("score", message % {"score": number}))
    return number


def _absence_faults(row: Row) -> list[Fault]:
    if row["absence"] and row["absence"] not in ABSENCES:
        return [row.fault("absence", _("write notice or none, or nothing"))]
    if row["absence"] and row["score"]:
        return [row.fault("absence", _("somebody who was absent has no score"))]
    if row["absence"] and row["round"]:
        return [row.fault("absence", _("an absence is for the whole evening"))]
    if not row["absence"] and not row["score"]:
        return [row.fault("score", _("the score is missing"))]
    return []


def _evenings(club: Club, lines: Sequence[_Line], faults: list[Fault]) -> dict[str, Evening]:
    """The evenings that are there already; those played here take no results from a file."""
    known = {evening.slug: evening for evening in Evening.objects.of(club)}
    told: set[str] = set()
    for line in lines:
        evening = known.get(line.evening)
        if evening and not evening.is_history and line.evening not in told:
            message = _("this evening is in Klaverclub with its deals, which make its results")
            faults.append(line.row.fault("evening", message))
            told.add(line.evening)
    return known


def _unknown(people: People, lines: Sequence[_Line], faults: list[Fault]) -> list[str]:
    unknown: dict[str, str] = {}
    for line in lines:
        try:
            if line.player and people.find(line.player) is None:
                unknown.setdefault(name_key(line.player), line.player)
        except LookupError as error:
            faults.append(line.row.fault("player", str(error)))
    return list(unknown.values())


def _evening_make(club: Club, slug: str) -> Evening:
    named = parse_evening_slug(slug)
    if named is None:
        raise ValueError(slug)
    return Evening.objects.create(
        club=club,
        date=named[0],
        sequence=named[1],
        state=Evening.State.CLOSED,
        is_history=True,
    )


def _place_in(evening: Evening, season: Season, counts: _Counts) -> None:
    if evening.season_id != season.pk:
        evening.season = season
        evening.save(update_fields=["season"])
        counts.touched[evening.pk] = evening


def _write(evening: Evening, line: _Line, people: People, counts: _Counts) -> None:
    member = people.find(line.player)
    wanted = {
        "score": line.score,
        "pits": line.pits,
        "roem": line.roem,
        "absence": line.absence,
    }
    result, added = PastResult.objects.get_or_create(
        evening=evening, member=member, round=line.round, defaults=wanted
    )
    different = [name for name, value in wanted.items() if getattr(result, name) != value]
    if added:
        counts.added += 1
    elif different:
        PastResult.objects.filter(pk=result.pk).update(**wanted)
        counts.changed += 1
    else:
        counts.unchanged += 1
    if added or different:
        counts.touched[evening.pk] = evening
