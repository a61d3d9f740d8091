"""An evening played elsewhere: read from a file, closed and published."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, seal
from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.people import People
from clubs.services import club_lock, member_create
from scoring.models import Regulation, Scoresheet, Seat
from scoring.services import sheets_close, sheets_create, sheets_fill
from tournaments.deal_lines import evening_lines
from tournaments.evening_file import DealLine, EveningFile, line_cells
from tournaments.models import Evening, Placement, Registration, Round, Season, Table
from tournaments.services._evening import evening_lock, evening_touch
from tournaments.services.releases import release_publish

Outcome = Literal["imported", "replaced", "unchanged"]


@dataclass(frozen=True, slots=True)
class EveningImported:
    """What an import did, and the evening it is about."""

    outcome: Outcome
    evening: Evening
    deals: int
    guests: int


@transaction.atomic
def evening_import(
    *,
    club: Club,
    file: EveningFile,
    regulation: Regulation,
    season: Season | None,
    actor: Actor,
    replace: bool = False,
) -> EveningImported:
    """Take over a checked file as a closed and published evening; unknown players become guests.

    The same deals again change nothing. Raises DomainError `evening_exists` when the club already
    has other deals for that evening and `replace` is not set, and `player_unknown` with every name
    that could be several people (params: faults).
    """
    club = club_lock(club.pk)
    people = People(club)
    unknown = _unknown(people, file)
    evening = Evening.objects.filter(club=club, date=file.date, sequence=file.sequence).first()
    if evening and not unknown and _is_same(evening, file, people, regulation, season):
        return EveningImported("unchanged", evening, len(file.lines), 0)
    if evening and not replace:
        raise DomainError(
            "evening_exists",
            _("There already is another evening on %(date)s; use --replace to replace it.")
            % {"date": evening.slug},
        )
    for name in unknown:
        people.add(member_create(club=club, name=name, kind=Member.Kind.GUEST, actor=actor))
    outcome: Outcome = "replaced" if evening else "imported"
    evening = evening_lock(evening.pk) if evening else Evening(club=club)
    _evening_set(evening, file, regulation, season)
    _rounds_make(evening, file, people, actor)
    evening_touch(evening, actor=actor, action=f"evening_{outcome}", data=_digest(file))
    release_publish(evening=evening, actor=actor)
    return EveningImported(outcome, evening, len(file.lines), len(unknown))


def _unknown(people: People, file: EveningFile) -> list[str]:
    names = {name: None for line in file.lines for name in line.players.values()}
    unknown: dict[str, str] = {}
    faults: list[str] = []
    for name in names:
        try:
            if people.find(name) is None:
                unknown.setdefault(" ".join(name.split()).casefold(), name)
        except LookupError as error:
            faults.append(str(error))
    if faults:
        raise DomainError("player_unknown", "\n".join(faults), faults=faults)
    return list(unknown.values())


def _is_same(
    evening: Evening,
    file: EveningFile,
    people: People,
    regulation: Regulation,
    season: Season | None,
) -> bool:
    if evening.state != Evening.State.CLOSED or evening.regulation_id != regulation.pk:
        return False
    if season is not None and evening.season_id != season.pk:
        return False
    return _canonical(evening_lines(evening), people) == _canonical(file.lines, people)


def _canonical(lines: Iterable[DealLine], people: People) -> list[tuple[tuple[str, str], ...]]:
    """The lines in one order and one spelling, with people by id."""
    return sorted(
        tuple(sorted({**line_cells(line), **_ids(line, people)}.items())) for line in lines
    )


def _ids(line: DealLine, people: People) -> dict[str, str]:
    return {seat.lower(): str(_member(people, name).pk) for seat, name in line.players.items()}


def _member(people: People, name: str) -> Member:
    member = people.find(name)
    if member is None:
        raise LookupError(name)
    return member


def _evening_set(
    evening: Evening, file: EveningFile, regulation: Regulation, season: Season | None
) -> None:
    evening.date, evening.sequence = file.date, file.sequence
    evening.regulation = regulation
    evening.season = season or evening.season
    evening.rounds_planned = max(line.round for line in file.lines)
    evening.deals_per_round = file.deals_per_round
    evening.state, evening.is_history, evening.frozen = Evening.State.CLOSED, False, False
    evening.save()
    old_sheets = list(
        Scoresheet.objects.filter(table__round__evening=evening).values_list("pk", flat=True)
    )
    evening.rounds.all().delete()
    Scoresheet.objects.filter(pk__in=old_sheets).delete()
    evening.past_results.all().delete()
    evening.registrations.all().delete()


def _rounds_make(evening: Evening, file: EveningFile, people: People, actor: Actor) -> None:
    tables: dict[int, dict[int, list[DealLine]]] = defaultdict(lambda: defaultdict(list))
    for line in sorted(file.lines, key=lambda line: (line.round, line.table, line.deal)):
        tables[line.round][line.table].append(line)
    for number, by_table in tables.items():
        round_ = Round.objects.create(evening=evening, number=number, state=Round.State.CLOSED)
        _round_fill(round_, by_table, people, actor)
    members = Placement.objects.filter(round__evening=evening).values_list("member_id", flat=True)
    Registration.objects.bulk_create(
        Registration(evening=evening, member_id=pk) for pk in sorted(set(members))
    )


def _round_fill(
    round_: Round, by_table: Mapping[int, list[DealLine]], people: People, actor: Actor
) -> None:
    evening = round_.evening
    if evening.regulation is None:
        raise AssertionError("an imported evening has a regulation")
    seatings = [
        {seat: _member(people, name) for seat, name in lines[0].players.items()}
        for lines in by_table.values()
    ]
    sheets = sheets_create(
        club=evening.club,
        regulation=evening.regulation,
        deals=evening.deals_per_round,
        seatings=seatings,
    )
    made = Table.objects.bulk_create(
        Table(round=round_, number=number, sheet=sheet)
        for number, sheet in zip(by_table, sheets, strict=True)
    )
    for table, lines in zip(made, by_table.values(), strict=True):
        _places_make(table, lines, people)
    filled = [
        (sheet, {line.deal: line.written for line in lines})
        for sheet, lines in zip(sheets, by_table.values(), strict=True)
    ]
    sheets_fill(filled=filled, actor=actor, device="import")
    closed = Scoresheet.objects.filter(table__round=round_)
    sheets_close(closed)
    round_.seal = seal(closed)
    round_.save(update_fields=["seal"])


def _places_make(table: Table, lines: list[DealLine], people: People) -> None:
    """Who sat where, and who took over a seat halfway."""
    placed: set[int] = set()
    holders: dict[str, Member] = {}
    for line in lines:
        for seat, name in line.players.items():
            member = _member(people, name)
            if holders.get(seat) == member:
                continue
            if seat in holders:
                Seat.objects.create(
                    sheet=table.sheet, seat=seat, from_deal=line.deal, member=member
                )
            if member.pk not in placed:
                Placement.objects.create(
                    round=table.round,
                    member=member,
                    table=table,
                    seat=seat,
                    substitute=seat in holders,
                )
            holders[seat] = member
            placed.add(member.pk)


def _digest(file: EveningFile) -> dict[str, object]:
    cells = sorted(sorted(line_cells(line).items()) for line in file.lines)
    text = json.dumps(cells, ensure_ascii=True)
    return {"deals": len(file.lines), "sha256": hashlib.sha256(text.encode()).hexdigest()}
