"""The director's board: how far each table is, where there is trouble, what to warn of."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.numbers import side_name
from scoring.models import DealClaim, Scoresheet, Seat
from scoring.paper_check.services import papers_differing
from scoring.rules import SIDES, THREE
from tournaments.evenings.workflow import open_claims, unconfirmed_tables
from tournaments.models import Evening, Round, Table
from tournaments.standings.queries import board_tables, open_disputes

Order = Literal["number", "trouble"]
ProblemKind = Literal["dispute", "claims", "paper", "unlikely", "equal"]
Place = tuple[int, int]
"""The number of a round, and that of a table in it."""
FEW, SOME = 8, 12
"""So many tiles leave room for large letters, or for usual ones."""


@dataclass(frozen=True, slots=True)
class BoardProblem:
    """Something at a table that the director should look at: in a few words, what the people there
    said of it, and the page where it is put right."""

    kind: ProblemKind
    words: str
    url: str
    note: str = ""

    @property
    def is_urgent(self) -> bool:
        """Whether people wait for an answer."""
        return self.kind in ("dispute", "claims")


@dataclass(frozen=True, slots=True)
class BoardSide:
    """Who sit on one side of a table, or one of three people, and their points so far."""

    code: str
    names: tuple[str, ...]
    score: int
    leads: bool


@dataclass(frozen=True, slots=True)
class BoardTable:
    """A table of a round on the board.

    It has `done` of the `whole`, in deals, or in points if a `target` ends the round. `agreed` says
    how many of the `signatories` (two sides or three people) agree with the sheet as it is. `extra`
    says who plays here besides a table of their own.
    """

    number: int
    sides: tuple[BoardSide, ...]
    done: int
    whole: int
    target: bool
    full: bool
    last_entry_at: dt.datetime | None
    problems: tuple[BoardProblem, ...]
    agreed: int
    signatories: int
    totals_only: bool
    extra: str = ""

    @property
    def three_handed(self) -> bool:
        """Whether three people play, each for himself."""
        return self.signatories == len(THREE)

    @property
    def some_agree(self) -> bool:
        """Whether some agree with the sheet, and not all yet."""
        return 0 < self.agreed < self.signatories


@dataclass(frozen=True, slots=True)
class ProblemElsewhere:
    """A problem at a table of another round than the one that is shown."""

    round_number: int
    table_number: int
    problem: BoardProblem


@dataclass(frozen=True, slots=True)
class Board:
    """The tables of a round, and what is still open at those of other rounds."""

    tables: Sequence[BoardTable] = ()
    elsewhere: Sequence[ProblemElsewhere] = ()

    @property
    def troubled(self) -> list[BoardTable]:
        """The tables of this round that the director should look at."""
        return [table for table in self.tables if table.problems]

    @property
    def places_to_look(self) -> int:
        """The number of tables, of all rounds, that the director should look at."""
        other = {(one.round_number, one.table_number) for one in self.elsewhere}
        return len(self.troubled) + len(other)

    @property
    def size(self) -> Literal["few", "some", "many"]:
        """How many tiles must find room on a screen."""
        count = len(self.tables)
        return "few" if count <= FEW else "some" if count <= SOME else "many"

    @property
    def to_type(self) -> int | None:
        """The first table whose sheet is not full."""
        return min((table.number for table in self.tables if not table.full), default=None)


def board(
    evening: Evening,
    round_number: int,
    order: Order = "number",
    *,
    decides_claims: bool = True,
) -> Board:
    """The tables of a round, by number or the most urgent first: what people wait for, then what is
    unlikely, then the table furthest behind.

    A problem leads to where it is decided, for who `decides_claims`; else to the sheet.
    """
    waiting = _waiting(evening, decides_claims=decides_claims)
    round_ = evening.rounds.filter(number=round_number).first()
    rows = _rows(round_, waiting) if round_ else []
    elsewhere = [
        ProblemElsewhere(*place, problem)
        for place, problems in sorted(waiting.items())
        if place[0] != round_number
        for problem in problems
    ]
    return Board(sorted(rows, key=_by_trouble) if order == "trouble" else rows, elsewhere)


def _rows(round_: Round, waiting: Mapping[Place, list[BoardProblem]]) -> list[BoardTable]:
    tables = board_tables(round_).prefetch_related("sheet__side_totals", "sheet__control_totals")
    differing = papers_differing(table.sheet for table in tables)
    return [
        _board_table(
            table,
            (
                *waiting.get((round_.number, table.number), ()),
                *_unsure(round_, table, paper_differs=table.sheet_id in differing),
            ),
        )
        for table in tables
    ]


def _waiting(evening: Evening, *, decides_claims: bool) -> dict[Place, list[BoardProblem]]:
    """What people wait for, by round and table."""
    found: dict[Place, list[BoardProblem]] = defaultdict(list)
    for dispute in open_disputes(evening):
        table = dispute.sheet.table
        words = _("no agreement")
        url = _at_table("table_sheet", evening, _place(table))
        note = f"{side_name(dispute.side)}: {dispute.note or _('the sheet is not right')}"
        found[_place(table)].append(BoardProblem("dispute", words, url, note))
    claimed: dict[Place, list[DealClaim]] = defaultdict(list)
    for claim in open_claims(evening):
        claimed[_place(claim.deal.sheet.table)].append(claim)
    for place, claims in claimed.items():
        found[place].append(_claimed(evening, claims, decides_claims=decides_claims))
    return found


def _claimed(
    evening: Evening, claims: Sequence[DealClaim], *, decides_claims: bool
) -> BoardProblem:
    first = claims[0]
    if decides_claims:
        page = reverse("evening_claims", args=[evening.club.slug, evening.slug])
        url = f"{page}#claim-{first.pk}"
    else:
        url = _at_table("table_sheet", evening, _place(first.deal.sheet.table))
    numbers = sorted({claim.deal.number for claim in claims})
    note = ngettext("deal %(deals)s", "deals %(deals)s", len(numbers)) % {
        "deals": get_text_list([str(number) for number in numbers], _("and"))
    }
    return BoardProblem("claims", _("written in two ways"), url, note)


def _unsure(round_: Round, table: Table, *, paper_differs: bool) -> Iterator[BoardProblem]:
    """What may be right as it is, but is worth a look."""
    place = (round_.number, table.number)
    if paper_differs:
        url = _at_table("table_grid", round_.evening, place)
        yield BoardProblem("paper", _("paper adds up differently"), f"{url}#control")
    if unlikely := table.sheet.warnings:
        words = ngettext("%(n)s unlikely deal", "%(n)s unlikely deals", unlikely)
        url = _at_table("table_sheet", round_.evening, place)
        yield BoardProblem("unlikely", words % {"n": unlikely}, url)
    if _is_undecided(round_, table):
        url = _at_table("match_play_off", round_.evening, place)
        yield BoardProblem("equal", _("equal: four more deals"), url)


def _is_undecided(round_: Round, table: Table) -> bool:
    """Whether the match at this table ended equal and must still be played off."""
    sheet = table.sheet
    return round_.evening.match_play_off and sheet.ends_equal and sheet.play_off is None


def _place(table: Table) -> Place:
    return table.round.number, table.number


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
    urgent = sum(problem.is_urgent for problem in table.problems)
    return -urgent, urgent - len(table.problems), table.done, table.number


def _board_table(table: Table, problems: tuple[BoardProblem, ...]) -> BoardTable:
    sheet: Scoresheet = table.sheet
    holders = list(sheet.seats.all())
    return BoardTable(
        number=table.number,
        sides=tuple(_people(holders) if sheet.three_handed else _couples(sheet, holders)),
        done=sheet.done,
        whole=sheet.whole,
        target=sheet.target is not None,
        full=sheet.is_full,
        last_entry_at=sheet.last_entry_at,
        problems=problems,
        agreed=table.agreed,  # type: ignore[attr-defined]
        signatories=len(sheet.signatories),
        totals_only=bool(sheet.side_totals.all()),
        extra=extra_words(holders),
    )


def _couples(sheet: Scoresheet, holders: Sequence[Seat]) -> Iterator[BoardSide]:
    names = seat_names(holders)
    scores = (sheet.score_ns, sheet.score_ew)
    for code, seats, score in zip(("NS", "EW"), SIDES, scores, strict=True):
        partners = tuple(names[seat] for seat in seats if seat in names)
        yield BoardSide(code, partners, score, leads=score == max(scores) > min(scores))


def _people(holders: Sequence[Seat]) -> Iterator[BoardSide]:
    """Each of three people with the score of their seat, including that of earlier holders."""
    names = seat_names(holders)
    scores = dict.fromkeys(THREE, 0)
    for holder in holders:
        if holder.seat in scores:
            scores[holder.seat] += holder.score
    best = max(scores.values())
    for seat, score in scores.items():
        leads = score == best > min(scores.values())
        yield BoardSide(seat, (names.get(seat, ""),), score, leads=leads)


def _last(holders: Iterable[Seat]) -> dict[str, Seat]:
    """The current holder of each seat."""
    # Later holders overwrite earlier ones.
    return {seat.seat: seat for seat in sorted(holders, key=lambda held: held.from_deal)}


# What is not settled in a round: its director sees it, but can close the round anyway.


@dataclass(frozen=True, slots=True)
class RoundWarning:
    """A sentence about what is not settled, and the page about it."""

    words: str
    url: str


def round_warnings(round_: Round) -> list[RoundWarning]:
    """Deals written in two ways, disputed sheets, papers that add up differently, tables where
    the other side has not confirmed yet, and matches still to be played off."""
    return [
        *_claims(round_),
        *_disputes(round_),
        *_papers(round_),
        *_unconfirmed(round_),
        *_undecided(round_),
    ]


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
        yield RoundWarning(words, _at_table("table_sheet", round_.evening, (round_.number, number)))


def _papers(round_: Round) -> Iterator[RoundWarning]:
    tables = list(board_tables(round_).prefetch_related("sheet__control_totals"))
    differing = papers_differing(table.sheet for table in tables)
    for table in tables:
        if table.sheet_id in differing:
            words = _("At table %(n)s the paper adds up differently.") % {"n": table.number}
            url = _at_table("table_grid", round_.evening, (round_.number, table.number))
            yield RoundWarning(words, f"{url}#control")


def _unconfirmed(round_: Round) -> Iterator[RoundWarning]:
    for number in unconfirmed_tables(round_):
        words = _("At table %(n)s the other side has not confirmed everything.") % {"n": number}
        yield RoundWarning(words, _at_table("table_sheet", round_.evening, (round_.number, number)))


def _undecided(round_: Round) -> Iterator[RoundWarning]:
    if not round_.evening.match_play_off:
        return
    for table in round_.tables.select_related("sheet__regulation"):
        if _is_undecided(round_, table):
            words = _("The match at table %(n)s ended equal and is not played off yet.")
            url = _at_table("match_play_off", round_.evening, (round_.number, table.number))
            yield RoundWarning(words % {"n": table.number}, url)


def _at_table(page: str, evening: Evening, place: Place) -> str:
    return reverse(page, args=[evening.club.slug, evening.slug, *place])
