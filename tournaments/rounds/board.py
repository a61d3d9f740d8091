"""The director's board: how far each table is, where there is trouble, what to warn of."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import DealClaim, Scoresheet, Seat
from scoring.paper_check.queries import papers_differing
from scoring.rules import SIDES, THREE
from tournaments.evenings.workflow import open_claims, unconfirmed_tables
from tournaments.models import Round, Table
from tournaments.standings.queries import board_tables, open_disputes

Order = Literal["number", "trouble"]


@dataclass(frozen=True, slots=True)
class BoardTable:
    """A table of a round on the board.

    It has `done` of the `whole`, in deals, or in points if a `target` ends the round. `disputes`
    and `claims` count what is open, and `agreed` how many of the `signatories` (two sides or three
    people) agree with the sheet as it is. At a table of three there are no sides but `people`, each
    with a score. `extra` says who plays here besides a table of their own.
    """

    number: int
    ns: str
    ew: str
    done: int
    whole: int
    target: bool
    full: bool
    score_ns: int
    score_ew: int
    last_entry_at: dt.datetime | None
    warnings: int
    disputes: int
    claims: int
    agreed: int
    signatories: int
    totals_only: bool
    paper_differs: bool = False
    people: tuple[tuple[str, int], ...] = ()
    extra: str = ""

    @property
    def trouble(self) -> bool:
        """Whether the director should have a look."""
        return bool(self.disputes or self.claims or self.warnings or self.paper_differs)


def board(
    round_: Round, order: Order = "number", claims: Iterable[DealClaim] = ()
) -> list[BoardTable]:
    """The tables of a round, by number or the most urgent first: disputes, then warnings, then the
    table furthest behind. `claims` are the open ones of the evening."""
    tables = board_tables(round_).prefetch_related("sheet__side_totals", "sheet__control_totals")
    waiting = Counter(claim.deal.sheet_id for claim in claims)
    differing = papers_differing(table.sheet for table in tables)
    rows = [
        _board_table(table, waiting[table.sheet_id], table.sheet_id in differing)
        for table in tables
    ]
    return sorted(rows, key=_by_trouble) if order == "trouble" else rows


def seat_names(holders: Iterable[Seat]) -> dict[str, str]:
    """The name of the current holder of each seat."""
    return {seat: held.member.desk_name for seat, held in _last(holders).items() if held.member}


def extra_words(holders: Iterable[Seat]) -> str:
    """That people who play here besides a table of their own get no points here; empty if nobody
    does."""
    last = sorted(_last(holders).values(), key=lambda seat: seat.seat)
    names = [held.member.desk_name for held in last if held.extra and held.member]
    if not names:
        return ""
    words = ngettext(
        "%(names)s plays this round twice and gets no points at this table.",
        "%(names)s play this round twice and get no points at this table.",
        len(names),
    )
    return words % {"names": get_text_list(names, _("and"))}


def _by_trouble(table: BoardTable) -> tuple[int, int, int, int]:
    unsure = table.warnings + table.paper_differs
    return -table.disputes - table.claims, -unsure, table.done, table.number


def _board_table(table: Table, claims: int, paper_differs: bool) -> BoardTable:
    sheet: Scoresheet = table.sheet
    holders = list(sheet.seats.all())
    names = seat_names(holders)
    return BoardTable(
        number=table.number,
        ns=_couple(names, SIDES[0]),
        ew=_couple(names, SIDES[1]),
        done=sheet.done,
        whole=sheet.whole,
        target=sheet.target is not None,
        full=sheet.is_full,
        score_ns=sheet.score_ns,
        score_ew=sheet.score_ew,
        last_entry_at=sheet.last_entry_at,
        warnings=sheet.warnings,
        disputes=table.disputes,  # type: ignore[attr-defined]
        claims=claims,
        agreed=table.agreed,  # type: ignore[attr-defined]
        signatories=len(sheet.signatories),
        totals_only=bool(sheet.side_totals.all()),
        paper_differs=paper_differs,
        people=_people(names, holders) if sheet.three_handed else (),
        extra=extra_words(holders),
    )


def _people(names: dict[str, str], holders: Iterable[Seat]) -> tuple[tuple[str, int], ...]:
    """Each of three people with the score of their seat, including that of earlier holders."""
    scores = dict.fromkeys(THREE, 0)
    for holder in holders:
        if holder.seat in scores:
            scores[holder.seat] += holder.score
    return tuple((names.get(seat, ""), score) for seat, score in scores.items())


def _last(holders: Iterable[Seat]) -> dict[str, Seat]:
    """The current holder of each seat."""
    # Later holders overwrite earlier ones.
    return {seat.seat: seat for seat in sorted(holders, key=lambda held: held.from_deal)}


def _couple(names: dict[str, str], side: Sequence[str]) -> str:
    return " – ".join(names[seat] for seat in side if seat in names)


# What is not settled in a round: its director sees it, but can close the round anyway.


@dataclass(frozen=True, slots=True)
class RoundWarning:
    """A sentence about what is not settled, and the page about it."""

    words: str
    url: str


def round_warnings(round_: Round) -> list[RoundWarning]:
    """Deals written in two ways, disputed sheets, papers that add up differently, and tables where
    the other side has not confirmed yet."""
    return [*_claims(round_), *_disputes(round_), *_papers(round_), *_unconfirmed(round_)]


def _claims(round_: Round) -> Iterator[RoundWarning]:
    claims = open_claims(round_.evening).filter(deal__sheet__table__round=round_).count()
    if claims:
        words = ngettext(
            "%(n)s deal was written in two ways and is still undecided.",
            "%(n)s deals were written in two ways and are still undecided.",
            claims,
        )
        evening = round_.evening
        url = reverse("evening_claims", args=[evening.club.slug, evening.slug])
        yield RoundWarning(words % {"n": claims}, url)


def _disputes(round_: Round) -> Iterator[RoundWarning]:
    disputes = open_disputes(round_.evening).filter(sheet__table__round=round_)
    for number in sorted({dispute.sheet.table.number for dispute in disputes}):
        words = _("Table %(n)s does not agree with its sheet yet.") % {"n": number}
        yield RoundWarning(words, _at_table("table_sheet", round_, number))


def _papers(round_: Round) -> Iterator[RoundWarning]:
    tables = list(board_tables(round_).prefetch_related("sheet__control_totals"))
    differing = papers_differing(table.sheet for table in tables)
    for table in tables:
        if table.sheet_id in differing:
            words = _("At table %(n)s the paper adds up differently.") % {"n": table.number}
            yield RoundWarning(words, _at_table("table_grid", round_, table.number) + "#control")


def _unconfirmed(round_: Round) -> Iterator[RoundWarning]:
    for number in unconfirmed_tables(round_):
        words = _("At table %(n)s the other side has not confirmed everything.") % {"n": number}
        yield RoundWarning(words, _at_table("table_sheet", round_, number))


def _at_table(page: str, round_: Round, number: int) -> str:
    evening = round_.evening
    return reverse(page, args=[evening.club.slug, evening.slug, round_.number, number])
