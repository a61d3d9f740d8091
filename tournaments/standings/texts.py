"""The texts of the metrics, with the club's own word for a pit, and of the standing while an
evening is played; and standings as rows of a file."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from clubs.text.numbers import number
from tournaments.models import Evening
from tournaments.standings.competitors import PLAYER, evening_by
from tournaments.standings.core.metrics import MEASURES, METRICS
from tournaments.standings.core.places import Gap, InterimBy
from tournaments.standings.core.results import Running, SeasonCell, SeasonRow, SeasonTable
from tournaments.standings.queries import evening_standings


def unsplit_words(places: Sequence[tuple[int, int]], pit: str) -> str:
    """That of these tables, by round, roem and pits are not known; empty for none."""
    if not places:
        return ""
    tables = [_("table %(n)s of round %(round)s") % {"round": r, "n": n} for r, n in places]
    return _(
        "For %(tables)s only the totals are known. Their roem and %(pit)s are unknown and not "
        "counted."
    ) % {"tables": get_text_list(tables, _("and")), "pit": pit}


def interim_heading(playing: Sequence[int]) -> str:
    """The heading of what is written in these rounds, which are being played."""
    if len(playing) > 1:
        return _("Rounds %(rounds)s now") % {"rounds": _listed(playing)}
    return _("Round %(n)s now") % {"n": playing[0]}


def interim_words(playing: Sequence[int], over: Sequence[int], by: InterimBy) -> str:
    """What places go by while these rounds are `playing` and those are `over`."""
    if by == "average":
        rule = _("Places go by the average per deal, so that playing fast puts nobody ahead.")
    elif not over:
        rule = _("There are no places yet: they come when every table has finished the round.")
    else:
        rule = _(
            "Places are those after round %(n)s; the round being played counts once every table "
            "has finished it."
        ) % {"n": max(over)}
    return f"{playing_words(playing)} {rule}"


def playing_words(playing: Sequence[int]) -> str:
    """Which rounds are being played."""
    return ngettext(
        "Round %(rounds)s is being played.", "Rounds %(rounds)s are being played.", len(playing)
    ) % {"rounds": _listed(playing)}


def _listed(rounds: Sequence[int]) -> str:
    return get_text_list(list(map(str, rounds)), _("and"))


def gap_words(gap: Gap) -> str:
    """How far it is to the next place, or how far ahead the first is."""
    words = {"points": number(gap.points), "place": gap.place}
    if gap.ahead:
        return _("%(points)s ahead of place %(place)s") % words
    return _("%(points)s to go for place %(place)s") % words


def deals_words(running: Running) -> str:
    """How many deals these points are from; empty before the first."""
    if running.of is None:
        deals = ngettext("%(n)s deal", "%(n)s deals", running.deals)
        return deals % {"n": running.deals}
    return _("%(done)s of %(all)s") % {"done": running.deals, "all": running.of}


def metric_words(key: str, pit: str) -> str:
    """What this measure looks at, to go inside a sentence."""
    return gettext(MEASURES[key].words) % {"pit": pit}


def metric_heading(key: str, pit: str) -> str:
    """The heading of the metric's column."""
    return gettext(METRICS[key].heading) % {"pit": pit}


def metric_prize(key: str, pit: str) -> str:
    """The title of the metric's side prize."""
    return gettext(METRICS[key].prize) % {"pit": pit}


Cell = str | int | None
Rows = list[list[Cell]]

SEASON_COLUMNS = ["rank", "player", "total", "counted", "evenings", "average", "pits"]


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as comma-separated CSV with the line ends of RFC 4180."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def evening_rows(evening: Evening, by: str = PLAYER, best: int | None = None) -> Rows:
    """Headings and lines: rank, player, total, round_1 … round_n, pits. By pair or team it says
    that in place of player; of a team the best so many members count, if given."""
    rows = evening_standings(evening) if by == PLAYER else evening_by(evening, by, best)
    rounds = sorted({number for row in rows for number in row.rounds})
    headings: list[Cell] = ["rank", by, "total", *(f"round_{n}" for n in rounds), "pits"]
    return [
        headings,
        *(
            [row.rank, row.name, row.total, *(row.rounds.get(n) for n in rounds), row.pits]
            for row in rows
        ),
    ]


def season_rows(table: SeasonTable) -> Rows:
    """Headings and rows; dropped evenings are in brackets, evenings not attended empty."""
    headings: list[Cell] = [*season_columns(table), *table.evenings]
    return [headings, *([*_figures(row), *_evenings(row, table.evenings)] for row in table.rows)]


def season_json(table: SeasonTable) -> list[dict[str, object]]:
    """One object per line: the columns of `season_rows`, and `by_date` per evening attended."""
    return [
        {
            **dict(zip(season_columns(table), _figures(row), strict=True)),
            "average": float(row.average),
            "by_date": {
                evening: {"score": cell.score, "dropped": cell.dropped}
                for evening in table.evenings
                if (cell := row.by_evening.get(evening)) and cell.score is not None
            },
        }
        for row in table.rows
    ]


def season_columns(table: SeasonTable) -> list[str]:
    """The headings before those of the evenings."""
    return [table.rule.ranks if name == "player" else name for name in SEASON_COLUMNS]


def _figures(row: SeasonRow) -> list[Cell]:
    return [
        row.rank,
        row.name,
        row.total,
        row.counted,
        row.evenings,
        str(row.average),
        row.pits,
    ]


def _evenings(row: SeasonRow, evenings: Sequence[str]) -> list[Cell]:
    return [_cell(row.by_evening.get(evening)) for evening in evenings]


def _cell(cell: SeasonCell | None) -> Cell:
    if cell is None or cell.score is None:
        return None
    return f"({cell.score})" if cell.dropped else cell.score
