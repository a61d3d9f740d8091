"""Importing and exporting an evening with its deals.

An evening that was played elsewhere is read from a file, closed and published.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, seal
from clubs.files.reading import Source
from clubs.members.imports import People, Person
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from scoring.deals.entries import sheets_lock
from scoring.deals.services import sheets_fill
from scoring.deals.totals import side_score
from scoring.models import Deal, Scoresheet, Seat
from scoring.regulations.services import regulation_from_preset, regulation_named
from scoring.rules import PRESETS, SIDES, THREE, RuleSet, chairs_of
from scoring.rules import Seat as SeatName
from scoring.sheets.services import sheets_close, sheets_create
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tournaments.evenings.services import evening_touch
from tournaments.imports.deal_cells import TOTALS
from tournaments.imports.evening_file import DealLine, EveningFile, read_evening
from tournaments.models import (
    Evening,
    EveningPair,
    Placement,
    Registration,
    Round,
    Season,
    Table,
)
from tournaments.registration.check_in import guests_ensure
from tournaments.registration.competitors import competitors_ensure
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_ensure
from tournaments.standings.competitors import PAIR, PLAYER, TEAM, CompetitorsOf

Holders = dict[SeatName, list[tuple[int, int]]]
"""By seat the people who held it, as (from deal, member's id)."""
Ids = Mapping[Person, int]
SitOuts = list[tuple[int, int]]
Outcome = Literal["imported", "replaced", "moved", "unchanged"]


def evening_lines(evening: Evening) -> list[DealLine]:
    """Every deal written on an evening, and the totals of tables that handed in no deals, in the
    order of `DealLine.place`, with where people sat in that deal."""
    seats = _holders(evening)
    names = CompetitorsOf(evening).names_of_sides()
    deals = (
        Deal.objects.filter(sheet__table__round__evening=evening, current__written__isnull=False)
        .select_related("current", "sheet__table__round")
        .order_by("sheet__table__number", "sheet__table__round__number", "number")
    )
    handed_in = Scoresheet.objects.filter(
        table__round__evening=evening, side_totals__isnull=False
    ).distinct()
    whole = handed_in.select_related("table__round", "regulation").prefetch_related("side_totals")
    lines = [
        DealLine(
            round=sheet.table.round.number,
            table=sheet.table.number,
            deal=number,
            players=players,
            written=written,
            names={
                f"{kind}_{side.lower()}": name
                for side in SIDES
                for kind, name in names.get((sheet.pk, side), {}).items()
            },
        )
        for sheet, number, players, written in (
            *(
                (deal.sheet, deal.number, _players(deal, seats[deal.sheet_id]), _written(deal))
                for deal in deals
            ),
            *(
                (sheet, sheet.deals_planned, _at_the_end(seats[sheet.pk]), _totals(sheet))
                for sheet in whole
            ),
        )
    ]
    return sorted(lines, key=lambda line: line.place)


def _at_the_end(seats: Holders) -> dict[SeatName, int]:
    return {seat: holders[-1][1] for seat, holders in seats.items()}


def _totals(sheet: Scoresheet) -> dict[str, Any]:
    """What the sides handed in, or each of three people, with the total, which may have been left
    to be worked out."""
    bonus = sheet.regulation.rules.pit_bonus
    totals = {
        row.side: HandedIn(
            points=row.points,
            roem=row.roem,
            pits=row.pits,
            correction=row.correction,
            total=side_score(row, bonus) - row.correction,
        )
        for row in sheet.side_totals.all()
    }
    whose = THREE if sheet.three_handed else SIDES
    return {TOTALS: {side: totals[side] for side in whose}}


def _players(deal: Deal, seats: Holders) -> dict[SeatName, int]:
    sat = {seat: _holder(holders, deal.number) for seat, holders in seats.items()}
    if not deal.sheet.three_handed:
        return sat
    chairs = chairs_of(_written(deal)["declarer"])
    return {chair: sat[seat] for seat, chair in chairs.items()}


def _written(deal: Deal) -> Mapping[str, Any]:
    return (deal.current and deal.current.written) or {}


def _holders(evening: Evening) -> dict[int, Holders]:
    """The holders of the seats, by sheet."""
    holders: dict[int, Holders] = defaultdict(lambda: defaultdict(list))
    seats = Seat.objects.filter(sheet__table__round__evening=evening, member__isnull=False)
    rows = seats.order_by("from_deal").values_list("sheet_id", "seat", "from_deal", "member_id")
    for sheet_id, seat, from_deal, member_id in rows:
        holders[sheet_id][seat].append((from_deal, member_id))  # type: ignore[index]
    return holders


def _holder(holders: list[tuple[int, int]], deal: int) -> int:
    """Who held the seat in this deal."""
    return holders[bisect_right(holders, deal, key=lambda holder: holder[0]) - 1][1]


def rounds_make(evening: Evening, lines: Iterable[DealLine], ids: Ids, actor: Actor) -> None:
    """Make the rounds, tables and sheets of an evening that has none, closed and sealed. `ids` has
    the member of each person in the file."""
    if evening.regulation is None:
        raise ValueError("an evening with deals has a regulation")
    members = Member.objects.in_bulk(set(ids.values()))
    by_round = sorted(lines, key=lambda line: (line.round, line.place))
    for number, in_round in groupby(by_round, key=lambda line: line.round):
        round_ = Round.objects.create(evening=evening, number=number, state=Round.State.CLOSED)
        tables = [list(at_table) for _n, at_table in groupby(in_round, key=lambda line: line.table)]
        sheets = sheets_create(
            club=evening.club,
            regulation=evening.regulation,
            deals=evening.deals_per_round,
            seatings=[
                {seat: members[ids[person]] for seat, person in at_table[0].holders.items()}
                for at_table in tables
            ],
        )
        _round_fill(round_, tables, sheets, ids, actor)


def _round_fill(
    round_: Round,
    tables: Sequence[Sequence[DealLine]],
    sheets: Sequence[Scoresheet],
    ids: Ids,
    actor: Actor,
) -> None:
    made = Table.objects.bulk_create(
        Table(round=round_, number=at_table[0].table, sheet=sheet)
        for at_table, sheet in zip(tables, sheets, strict=True)
    )
    seats: list[Seat] = []
    places: list[Placement] = []
    for table, at_table in zip(made, tables, strict=True):
        _seat_people(table, at_table, ids, seats, places)
    Seat.objects.bulk_create(seats)
    Placement.objects.bulk_create(places)
    filled = [
        (sheet, {line.deal: line.written for line in at_table})
        for at_table, sheet in zip(tables, sheets, strict=True)
        if not at_table[0].totals
    ]
    sheets_fill(filled=filled, actor=actor, device="import")
    for at_table, sheet in zip(tables, sheets, strict=True):
        if totals := at_table[0].totals:
            side_totals_write(sheet_id=sheet.pk, totals=totals, actor=actor)
    of_round = Scoresheet.objects.filter(table__round=round_)
    sheets_close(of_round)
    round_.seal = seal(of_round)
    round_.save(update_fields=["seal"])


def _seat_people(
    table: Table,
    lines: Sequence[DealLine],
    ids: Ids,
    seats: list[Seat],
    places: list[Placement],
) -> None:
    """Add the people at the table to `places`, and those who took over a seat to `seats`."""
    holders: dict[str, int] = {}
    placed: set[int] = set()
    for line in lines:
        for seat, person in line.holders.items():
            member_id = ids[person]
            if holders.get(seat) == member_id:
                continue
            took_over = seat in holders
            if took_over:
                seats.append(
                    Seat(sheet=table.sheet, seat=seat, from_deal=line.deal, member_id=member_id)
                )
            if member_id not in placed:
                places.append(
                    Placement(
                        round=table.round,
                        member_id=member_id,
                        table=table,
                        seat=seat,
                        substitute=took_over,
                    )
                )
            holders[seat] = member_id
            placed.add(member_id)


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
    regulation: str,
    actor: Actor,
    season_name: str = "",
    replace: bool = False,
    public_as: str | None = None,
) -> EveningImported:
    """Import a file of deals as a closed and published evening; unknown players become guests,
    public as `public_as` or else as the club chose for new people. `regulation` is the name of a
    preset, or of one of the club's own regulations.

    The same deals under the same rules change nothing, except that the evening moves to the named
    season. Raises FileFaults with everything that is wrong with the file, and DomainError
    `evening_exists` if the club already has another evening on that date and `replace` is not set,
    `evening_running` if that evening is being played now, `evening_of_folders` if it is played in
    folders, or `regulation_unknown`.
    """
    club = club_lock(club.pk)
    own = None if regulation in PRESETS else regulation_named(club=club, name=regulation)
    rules = own.rules if own else PRESETS[regulation]
    file = read_evening(source, rules, People(club))
    season = season_ensure(club=club, name=season_name, actor=actor) if season_name else None
    evening = club.evenings.filter(date=file.date, sequence=file.sequence).first()
    if evening is not None and _is_same(evening, file, rules):
        return _season_set(evening, season, len(file.lines), actor)
    if evening is not None:
        _require_replaceable(evening, replace)
    evening = evening or Evening(club=club, date=file.date, sequence=file.sequence)
    outcome: Outcome = "replaced" if evening.pk else "imported"
    evening.regulation = own or regulation_from_preset(club=club, preset=regulation, actor=actor)
    evening.season = season or evening.season
    guests = _deals_set(evening, file, actor, public_as)
    data = {"date": evening.slug, "deals": len(file.lines)}
    evening_touch(evening, actor=actor, action=f"evening_{outcome}", data=data)
    release_publish(evening=evening, actor=actor)
    return EveningImported(outcome, evening, len(file.lines), guests)


def _deals_set(evening: Evening, file: EveningFile, actor: Actor, public_as: str | None) -> int:
    """Make the evening, new or not, as in the file. Returns how many guests are new."""
    people = [person for line in file.lines for person in line.players.values()]
    ids = guests_ensure(club=evening.club, people=people, actor=actor, public_as=public_as)
    sat_out = _clear(evening, set(ids.values())) if evening.pk else []
    evening.rounds_planned = max(line.round for line in file.lines)
    evening.deals_per_round = max(line.deal for line in file.lines)
    evening.state, evening.is_history, evening.frozen = Evening.State.CLOSED, False, False
    evening.ranks = _ranks_of(file.lines)
    if evening.ranks == PAIR:
        evening.method = Evening.Method.PAIRS
    evening.version += 1
    evening.save()
    rounds_make(evening, file.lines, ids, actor)
    _place_the_others(evening, sat_out)
    _competitors_set(evening, file.lines, ids, actor)
    return sum(isinstance(person, str) for person in ids)


def _ranks_of(lines: Sequence[DealLine]) -> str:
    """Who competes: the teams that are named, or else the pairs."""
    columns = {column for line in lines for column in line.names}
    if columns & {"team_ns", "team_ew"}:
        return TEAM
    return PAIR if columns else PLAYER


def _competitors_set(evening: Evening, lines: Sequence[DealLine], ids: Ids, actor: Actor) -> None:
    """Let everybody play for the pair and the team that the file names, which are made where the
    club does not have them."""
    listed = {entry.member_id: entry for entry in evening.registrations.all()}
    for kind in (PAIR, TEAM):
        named, people = _people_named(lines, kind)
        known = competitors_ensure(
            club=evening.club,
            kind=kind,
            named={
                named[key]: [ids[person] for person in first]
                for key, (first, _all) in people.items()
            },
            since=evening.date,
            actor=actor,
        )
        for number, (key, (_first, everybody)) in enumerate(people.items(), start=1):
            for person in everybody:
                entry = listed[ids[person]]
                if kind == PAIR:
                    entry.pair = number
                else:
                    entry.team_id = known[key]
        if kind == PAIR:
            EveningPair.objects.bulk_create(
                EveningPair(evening=evening, number=number, competitor_id=known[key])
                for number, key in enumerate(people, start=1)
            )
    Registration.objects.bulk_update(listed.values(), ["pair", "team"])


Named = dict[str, tuple[list[Person], list[Person]]]


def _people_named(lines: Sequence[DealLine], kind: str) -> tuple[dict[str, str], Named]:
    """The names of the pairs or teams in a file by key, in order of table and round; and their
    people: of a pair those who sat there first, and everybody who sat there."""
    names: dict[str, str] = {}
    people: Named = {}
    for line in sorted(lines, key=lambda line: (line.round, line.place)):
        for side in SIDES:
            column = f"{kind}_{side.lower()}"
            if name := line.names.get(column):
                key = name_key(name)
                names.setdefault(key, name)
                sat = [person for _seat, person in line.people_of(column)]
                first, everybody = people.setdefault(key, (list(sat), []))
                new = [person for person in sat if person not in everybody]
                everybody += new
                if kind == TEAM:
                    first += [person for person in new if person not in first]
    return names, people


def _is_same(evening: Evening, file: EveningFile, rules: RuleSet) -> bool:
    if evening.state != Evening.State.CLOSED or evening.regulation is None:
        return False
    if evening.regulation.rules != rules:
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
    if evening.plays_folders:
        message = _(
            "The evening of %(date)s is played in folders. A file does not say which deal is of"
            " which folder, so it cannot replace it."
        )
        raise DomainError("evening_of_folders", message % {"date": evening.slug})
    if not replace:
        message = _("There already is another evening on %(date)s; use --replace to replace it.")
        raise DomainError("evening_exists", message % {"date": evening.slug})


def _clear(evening: Evening, players: Collection[int]) -> SitOuts:
    """Delete what the file replaces. Returns the people who sat out, with the round.

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
    evening.evening_pairs.all().delete()
    evening.registrations.update(pair=None, team=None)
    return sat_out


def _place_the_others(evening: Evening, sat_out: SitOuts) -> None:
    """Put back everybody who sat out and is not in the file, and list all who came."""
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
