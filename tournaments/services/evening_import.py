"""An evening played elsewhere: read from a file, closed and published."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.files import Source
from clubs.models import Club
from clubs.people import People
from clubs.services import club_lock
from scoring.models import Scoresheet
from scoring.rules import PRESETS
from scoring.services import regulation_from_preset, sheets_lock
from tournaments.deal_lines import evening_lines
from tournaments.evening_file import EveningFile, read_evening
from tournaments.models import Evening, Placement, Registration, Season
from tournaments.services._evening import evening_touch
from tournaments.services._guests import guests_ensure
from tournaments.services._played import rounds_make
from tournaments.services.releases import release_publish
from tournaments.services.seasons import season_ensure

Outcome = Literal["imported", "replaced", "moved", "unchanged"]
SitOuts = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class EveningImported:
    """What an import did, and the evening it is about."""

    outcome: Outcome
    evening: Evening
    deals: int
    guests: int = 0


@transaction.atomic
def evening_import(
    *,
    club: Club,
    source: Source,
    preset: str,
    actor: Actor,
    season_name: str = "",
    replace: bool = False,
) -> EveningImported:
    """Take over a file of deals as a closed and published evening; unknown players become guests.

    The same deals under the same rules again change nothing, but that the evening moves to the
    season that is named. Raises FileFaults with everything that is wrong with the file, and
    DomainError `evening_exists` when the club already has another evening on that date and
    `replace` is not set, or `evening_running` when that evening is being played now.
    """
    club = club_lock(club.pk)
    file = read_evening(source, PRESETS[preset], People(club))
    season = season_ensure(club=club, name=season_name, actor=actor) if season_name else None
    evening = club.evenings.filter(date=file.date, sequence=file.sequence).first()
    if evening is not None and _is_same(evening, file, preset):
        return _season_set(evening, season, len(file.lines), actor)
    if evening is not None:
        _require_replaceable(evening, replace)
    evening = evening or Evening(club=club, date=file.date, sequence=file.sequence)
    outcome: Outcome = "replaced" if evening.pk else "imported"
    evening.regulation = regulation_from_preset(club=club, preset=preset, actor=actor)
    evening.season = season or evening.season
    guests = _deals_set(evening, file, actor)
    evening_touch(
        evening, actor=actor, action=f"evening_{outcome}", data={"deals": len(file.lines)}
    )
    release_publish(evening=evening, actor=actor)
    return EveningImported(outcome, evening, len(file.lines), guests)


def _deals_set(evening: Evening, file: EveningFile, actor: Actor) -> int:
    """Make the evening, new or not, as in the file. Returns how many guests are new."""
    people = [person for line in file.lines for person in line.players.values()]
    ids = guests_ensure(club=evening.club, people=people, actor=actor)
    sat_out = _clear(evening, set(ids.values())) if evening.pk else []
    evening.rounds_planned = max(line.round for line in file.lines)
    evening.deals_per_round = max(line.deal for line in file.lines)
    evening.state, evening.is_history, evening.frozen = Evening.State.CLOSED, False, False
    evening.version += 1
    evening.save()
    rounds_make(evening, file.lines, ids, actor)
    _place_the_others(evening, sat_out)
    return sum(isinstance(person, str) for person in ids)


def _is_same(evening: Evening, file: EveningFile, preset: str) -> bool:
    if evening.state != Evening.State.CLOSED or evening.regulation is None:
        return False
    if evening.regulation.rules != PRESETS[preset]:
        return False
    lines = evening_lines(evening)
    return len(lines) == len(file.lines) and all(
        stored.says_the_same(line) for stored, line in zip(lines, file.lines, strict=True)
    )


def _season_set(
    evening: Evening, season: Season | None, deals: int, actor: Actor
) -> EveningImported:
    if season is None or evening.season == season:
        return EveningImported("unchanged", evening, deals)
    evening.season = season
    evening.save_changes("season")
    evening_touch(evening, actor=actor, action="evening_moved", data={"season": season.pk})
    return EveningImported("moved", evening, deals)


def _require_replaceable(evening: Evening, replace: bool) -> None:
    if evening.state == Evening.State.RUNNING:
        message = _("The evening of %(date)s is being played now; close it before replacing it.")
        raise DomainError("evening_running", message % {"date": evening.slug})
    if not replace:
        message = _("There already is another evening on %(date)s; use --replace to replace it.")
        raise DomainError("evening_exists", message % {"date": evening.slug})


def _clear(evening: Evening, players: Collection[int]) -> SitOuts:
    """Delete what the file replaces. Returns who sat out, with the round.

    A file of deals does not say who sat out or was absent, so that is kept for everybody who is
    not among its `players`.
    """
    out = Placement.objects.filter(round__evening=evening, table=None, substitute=False)
    sat_out = list(out.values_list("round__number", "member_id"))
    of_evening = Scoresheet.objects.filter(table__round__evening=evening)
    sheets = [sheet.pk for sheet in sheets_lock(*of_evening.values_list("pk", flat=True))]
    evening.rounds.all().delete()
    Scoresheet.objects.filter(pk__in=sheets).delete()
    for rows in (evening.registrations, evening.past_results):
        rows.filter(absence="").delete()
        rows.filter(member__in=players).delete()
    return sat_out


def _place_the_others(evening: Evening, sat_out: SitOuts) -> None:
    """Put back everybody who sat out and does not play by the file, and list who came."""
    rounds = {round_.number: round_.pk for round_ in evening.rounds.all()}
    placed = set(
        Placement.objects.filter(round__evening=evening).values_list("round__number", "member_id")
    )
    Placement.objects.bulk_create(
        Placement(round_id=rounds[number], member_id=member_id)
        for number, member_id in sat_out
        if number in rounds and (number, member_id) not in placed
    )
    came = Placement.objects.filter(round__evening=evening).values_list("member_id", flat=True)
    Registration.objects.bulk_create(
        Registration(evening=evening, member_id=member_id) for member_id in sorted(set(came))
    )
