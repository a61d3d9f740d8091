"""An evening's standings and draw as lists to take away."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from clubs.exports import ListFile
from clubs.words import seat_name
from scoring.rules import SEATS
from scoring.words import pit_word
from tournaments.models import Evening, Round
from tournaments.published import PublicRow
from tournaments.views.public.seating import NameLine, TableView
from tournaments.views.public.standing import round_numbers


def standings_file(evening: Evening, rows: Sequence[PublicRow]) -> ListFile:
    """The standings as the page has them: `rank, player, total, round_1 … round_n, pits`."""
    numbers = round_numbers(rows)
    return ListFile(
        name=f"{evening.club.name} {evening.slug}",
        columns={
            "rank": _("Place"),
            "player": _("Name"),
            "total": _("Total"),
            **{f"round_{number}": _("Round %(n)s") % {"n": number} for number in numbers},
            "pits": pit_word(evening.club).capitalize(),
        },
        rows=[
            [row.rank, row.name, row.total, *(row.rounds.get(n) for n in numbers), row.pits]
            for row in rows
        ],
    )


def names_file(evening: Evening, round_: Round, names: Iterable[NameLine]) -> ListFile:
    """The draw of a round by name: `player, table, partner`; no table for who sits out."""
    return ListFile(
        name=_draw_name(evening, round_),
        columns={"player": _("Name"), "table": _("Table"), "partner": _("Partner")},
        rows=[[line.name, line.table, line.partner] for line in names],
    )


def tables_file(evening: Evening, round_: Round, tables: Iterable[TableView]) -> ListFile:
    """The draw of a round by table: `round, table, n, e, s, w`."""
    return ListFile(
        name=_draw_name(evening, round_),
        columns={
            "round": _("Round"),
            "table": _("Table"),
            **{seat.lower(): seat_name(seat) for seat in SEATS},
        },
        rows=[[round_.number, table.number, *_people(table)] for table in tables],
    )


def _people(table: TableView) -> list[str]:
    names = {seat.seat: seat.name for seat in table.seats}
    return [names.get(seat, "") for seat in SEATS]


def _draw_name(evening: Evening, round_: Round) -> str:
    words = _("Draw of round %(n)s") % {"n": round_.number}
    return f"{evening.club.name} {evening.slug} {words}"
