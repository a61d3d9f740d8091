"""The standing of one evening."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tournaments.standings.core.entries import EveningEntry
from tournaments.standings.core.figures import MetricKey, Points, TieBreak
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.order import shared_places
from tournaments.standings.core.ties import Contender, in_order


class EveningRow(NamedTuple):
    """A line of the standing. `rounds` gives the points by round number.

    `tie_breaks` holds the figures that were looked at because of a tie, in order, the lot too where
    it was drawn.
    """

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[TieBreak, Points | None] = {}


def rank_evening(
    entries: Iterable[EveningEntry],
    *,
    tie_breaks: Sequence[TieBreak] = (),
    play_off: Mapping[str, int] | None = None,
    lot: str = "",
) -> tuple[EveningRow, ...]:
    """The standing, highest total first; equal totals share a place and stand by name.

    Of equal totals the `tie_breaks` decide, in their order; `lot` is what tells this evening's
    lots from those of another. `play_off` has what people scored in extra deals for the first
    place, by player; it decides only when everybody who shares the highest total is in it.
    """
    everybody = list(entries)
    extra = _first_place(everybody, play_off or {})
    contenders = [_contender(entry, extra, lot) for entry in everybody]
    return tuple(
        _row(place, contender)
        for place, group in shared_places(in_order(contenders, tie_breaks))
        for contender in group
    )


def _first_place(entries: Sequence[EveningEntry], play_off: Mapping[str, int]) -> dict[str, int]:
    """The extra points of those who share the highest total; nobody's when one has none."""
    if not play_off:
        return {}
    highest = max((entry.total for entry in entries), default=0)
    first = [entry.player_id for entry in entries if entry.total == highest]
    return {who: play_off[who] for who in first} if play_off.keys() >= set(first) else {}


def _contender(entry: EveningEntry, extra: Mapping[str, int], lot: str) -> Contender[EveningEntry]:
    def figure(key: MetricKey) -> Points | None:
        return METRICS[key].of_entry(entry)

    return Contender(
        line=entry,
        standing=(entry.total, extra.get(entry.player_id, 0)),
        figure=figure,
        encounters=entry.encounters,
        lot=f"{lot} {entry.lot or entry.player_id}",
    )


def _row(place: int, contender: Contender[EveningEntry]) -> EveningRow:
    entry = contender.line
    rounds: dict[int, int] = {}
    for played in entry.rounds:
        rounds[played.round] = rounds.get(played.round, 0) + played.score
    return EveningRow(
        rank=place,
        player_id=entry.player_id,
        name=entry.name,
        total=entry.total,
        rounds=dict(sorted(rounds.items())),
        pits=entry.all_pits,
        tie_breaks=contender.measured,
    )
