"""The standing of one evening."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.places import Competitor, in_order, shared_places
from tournaments.standings.core.results import EveningEntry, Points


class EveningRow(NamedTuple):
    """A line of the standing. `rounds` gives the points by round number.

    `tie_breaks` has the figures that were compared because of a tie, in order, including the lot if
    it was drawn.
    """

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = {}


def rank_evening(
    entries: Iterable[EveningEntry],
    *,
    tie_breaks: Sequence[str] = (),
    play_off: Mapping[str, int] | None = None,
    lot: str = "",
) -> tuple[EveningRow, ...]:
    """The standing, highest total first; players who are tied share a place and stand by name.

    Ties are broken by the `tie_breaks`, in their order; `lot` makes this evening's lots differ from
    those of other evenings. `play_off` has the scores of extra deals played for the first place, by
    player. They count only if everybody who shares the highest total has one.
    """
    everybody = list(entries)
    extra = _play_off_scores(everybody, play_off or {})
    competitors = [_competitor(entry, extra, lot) for entry in everybody]
    return tuple(
        _row(place, competitor)
        for place, group in shared_places(in_order(competitors, tie_breaks))
        for competitor in group
    )


def _play_off_scores(
    entries: Sequence[EveningEntry], play_off: Mapping[str, int]
) -> dict[str, int]:
    """The extra points of those who share the highest total; none if one of them has none."""
    if not play_off:
        return {}
    highest = max((entry.total for entry in entries), default=0)
    leaders = [entry.player_id for entry in entries if entry.total == highest]
    if not play_off.keys() >= set(leaders):
        return {}
    return {player_id: play_off[player_id] for player_id in leaders}


def _competitor(
    entry: EveningEntry, extra: Mapping[str, int], lot: str
) -> Competitor[EveningEntry]:
    def figure(key: str) -> Points | None:
        return METRICS[key].of_entry(entry)

    return Competitor(
        person=entry,
        score=(entry.total, extra.get(entry.player_id, 0)),
        figure=figure,
        encounters=entry.encounters,
        lot=f"{lot} {entry.lot or entry.player_id}",
    )


def _row(place: int, competitor: Competitor[EveningEntry]) -> EveningRow:
    entry = competitor.person
    rounds: dict[int, int] = {}
    for score in entry.rounds:
        rounds[score.round] = rounds.get(score.round, 0) + score.score
    return EveningRow(
        rank=place,
        player_id=entry.player_id,
        name=entry.name,
        total=entry.total,
        rounds=dict(sorted(rounds.items())),
        pits=entry.all_pits,
        tie_breaks=competitor.compared,
    )
