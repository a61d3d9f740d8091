"""Writing an evening as the lines of a file."""

from clubs.people import People
from tournaments.evening_file.deal import DEAL_COLUMNS, RARE_COLUMNS, deal_cells
from tournaments.evening_file.lines import DealLine, EveningFile
from tournaments.evening_file.reading import PLACE_COLUMNS


def format_evening(evening: EveningFile, people: People) -> list[list[str]]:
    """The headings and then a line for each deal, as `read_evening` reads them back.

    Columns that are rarely needed are left out when no deal needs them.
    """
    lines = [{"evening": evening.slug, **_line_cells(line, people)} for line in evening.lines]
    rare = [column for column in RARE_COLUMNS if any(cells[column] for cells in lines)]
    headings = [*PLACE_COLUMNS, *DEAL_COLUMNS, *rare]
    return [headings, *([cells.get(heading, "") for heading in headings] for cells in lines)]


def _line_cells(line: DealLine, people: People) -> dict[str, str]:
    return {
        "round": str(line.round),
        "table": str(line.table),
        "deal": str(line.deal),
        **{seat.lower(): people.called(player) for seat, player in line.players.items()},
        **deal_cells(line.written),
    }
