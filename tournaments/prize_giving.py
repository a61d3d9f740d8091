"""Who wins what on an evening and in a season."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from tournaments.models import Evening
from tournaments.prize_words import PrizeLine, period_key, prize_lines
from tournaments.prizes import (
    Award,
    Contender,
    InvalidPrizes,
    PrizeScheme,
    parse_prizes,
    prize_giving,
)
from tournaments.queries import StandingRow
from tournaments.ranking import PeriodScore, SeasonTable
from tournaments.scores import WHOLE_EVENING, Scores, rounds_played

Figures = dict[str, dict[str, int | Decimal]]


def scheme_of(prizes: object) -> PrizeScheme:
    """The scheme as it was kept; the usual one where that cannot be read."""
    try:
        return parse_prizes(prizes)
    except InvalidPrizes:
        return PrizeScheme()


def evening_awards(evening: Evening, rows: Sequence[StandingRow]) -> tuple[Award, ...]:
    """The prizes of an evening whose standing this is, in the order of handing out."""
    scheme = scheme_of(evening.prizes)
    contenders = [Contender(str(row.member_id), row.name, row.rank, row.total) for row in rows]
    sides = side_figures(rounds_played(evening)) if scheme.sides else {}
    return prize_giving(scheme, contenders, sides=sides)


def evening_prizes(evening: Evening, rows: Sequence[StandingRow]) -> list[PrizeLine]:
    """The same in words."""
    return prize_lines(evening.club, evening_awards(evening, rows))


def season_awards(prizes: object, table: SeasonTable) -> tuple[Award, ...]:
    """The prizes of a season whose standing this is; who has no place yet wins nothing."""
    placed = [row for row in table.rows if row.rank is not None]
    contenders = [
        Contender(row.player_id, row.name, row.rank, row.value) for row in placed if row.rank
    ]
    sides: Figures = {
        "pits": {row.player_id: row.pits for row in placed},
        "roem": {row.player_id: row.roem for row in placed},
        "best_round": {row.player_id: row.best_round or 0 for row in placed},
    }
    periods = _period_figures(table)
    return prize_giving(scheme_of(prizes), contenders, sides=sides, periods=periods)


def side_figures(scores: Scores) -> Figures:
    """What side prizes go by, per prize and person: only rounds that he played himself."""
    rounds = {number for by_round in scores.values() for number in by_round} - {WHOLE_EVENING}
    last = max(rounds, default=WHOLE_EVENING)
    figures: Figures = {"pits": {}, "roem": {}, "last_round": {}, "best_round": {}}
    for member_id, by_round in scores.items():
        who = str(member_id)
        figures["pits"][who] = sum(one.pits for one in by_round.values())
        figures["roem"][who] = sum(one.roem for one in by_round.values())
        known = {n: one.score for n, one in by_round.items() if n != WHOLE_EVENING}
        if known:
            figures["best_round"][who] = max(known.values())
        if last in known:
            figures["last_round"][who] = known[last]
    return figures


def _period_figures(table: SeasonTable) -> Mapping[str, Mapping[str, int | Decimal]]:
    figures: Figures = {period_key(*span): {} for span in table.rule.periods}
    for row in table.rows:
        for period in row.periods:
            if row.rank is not None and period.span and period.weight:
                figures[period_key(*period.span)][row.player_id] = _points(period, table)
    return figures


def _points(period: PeriodScore, table: SeasonTable) -> int | Decimal:
    if table.rule.aggregate == "sum":
        return period.points
    mean = Decimal(period.points) / period.weight
    return mean.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
