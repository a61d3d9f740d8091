"""The prizes of an evening and of a season: chosen, and who wins them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from django.db import transaction

from clubs.audit.services import Actor
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.models import Evening, PrizesAndFees
from tournaments.prizes.core import (
    Award,
    InvalidPrizes,
    PrizeScheme,
    RankedEntry,
    Winner,
    highest,
    parse_prizes,
    prize_giving,
)
from tournaments.prizes.texts import PrizeLine, period_key, prize_lines
from tournaments.registration.entry_fees import NOT_CANCELLED
from tournaments.standings.core import (
    PeriodScore,
    Points,
    SeasonTable,
    SidePlace,
    evening_side,
    mean,
    season_side,
)
from tournaments.standings.queries import StandingRow, evening_entries


def prizes_and_fees_of(evening: Evening) -> PrizesAndFees:
    """The prizes and entry fees of this evening, as the start of a new one."""
    values = {field.name: getattr(evening, field.name) for field in fields(PrizesAndFees)}
    return PrizesAndFees(**values)


@transaction.atomic
def evening_prizes_choose(*, evening_id: int, scheme: PrizeScheme, actor: Actor) -> Evening:
    """Choose which prizes there are on an evening. The same choice again changes nothing.

    Raises DomainError `evening_state` for a cancelled evening.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    wanted = scheme.as_json()
    if evening.prizes == wanted:
        return evening
    evening.prizes = wanted
    evening.save(update_fields=["prizes"])
    evening_note(evening, actor=actor, action="prizes_chosen", data={"prizes": wanted})
    return evening


Winners = dict[str, Sequence[Winner]]


def scheme_of(prizes: object) -> PrizeScheme:
    """The stored scheme; the default one if it cannot be read."""
    try:
        return parse_prizes(prizes)
    except InvalidPrizes:
        return PrizeScheme()


def evening_awards(evening: Evening, rows: Sequence[StandingRow]) -> tuple[Award, ...]:
    """The prizes of an evening with this standing, in the order of handing out; fixed pairs win
    together."""
    scheme = scheme_of(evening.prizes)
    entries = evening_entries(evening) if scheme.sides else []
    sides: Winners = {side: _first(evening_side(entries, side)) for side in scheme.sides}
    return prize_giving(scheme, _ranked(rows), sides=sides)


def evening_prizes(evening: Evening, rows: Sequence[StandingRow]) -> list[PrizeLine]:
    """The awards of an evening in words."""
    return prize_lines(evening.club, evening_awards(evening, rows))


def season_awards(prizes: object, table: SeasonTable) -> tuple[Award, ...]:
    """The prizes of a season with this standing, for those who have a place in it."""
    scheme = scheme_of(prizes)
    placed = [row for row in table.rows if row.rank is not None]
    ranked = [
        RankedEntry((row.player_id,), row.name, row.rank, row.value) for row in placed if row.rank
    ]
    sides: Winners = {side: _first(season_side(placed, side)) for side in scheme.sides}
    return prize_giving(scheme, ranked, sides=sides, periods=_periods(table))


def _ranked(rows: Sequence[StandingRow]) -> list[RankedEntry]:
    pairs: dict[int, list[StandingRow]] = {}
    for row in rows:
        if row.pair is not None:
            pairs.setdefault(row.pair.number, []).append(row)
    if not pairs:
        return [RankedEntry((str(row.member_id),), row.name, row.rank, row.total) for row in rows]
    lines = [_pair(both) for both in pairs.values()]
    return sorted(lines, key=lambda line: (line.rank, line.name.casefold()))


def _pair(both: Sequence[StandingRow]) -> RankedEntry:
    ordered = sorted(both, key=lambda row: row.name.casefold())
    pair = both[0].pair
    rank, total = (pair.rank, pair.total) if pair else (both[0].rank, both[0].total)
    ids = tuple(str(row.member_id) for row in ordered)
    return RankedEntry(ids, " – ".join(row.name for row in ordered), rank, total)


def _first(places: Iterable[SidePlace]) -> list[Winner]:
    return [
        Winner((place.player_id,), place.name, place.figure) for place in places if place.rank == 1
    ]


def _periods(table: SeasonTable) -> Mapping[str, Sequence[Winner]]:
    """The winners of each period, among those who have a place."""
    people: dict[str, list[Winner]] = {period_key(*span): [] for span in table.rule.periods}
    for row in table.rows:
        for period in row.periods:
            if row.rank is not None and period.span and period.weight:
                winner = Winner((row.player_id,), row.name, _points(period, table))
                people[period_key(*period.span)].append(winner)
    return {key: highest(winners) for key, winners in people.items()}


def _points(period: PeriodScore, table: SeasonTable) -> Points:
    if table.rule.aggregate == "sum":
        return period.points
    return mean(period.points, period.weight)
