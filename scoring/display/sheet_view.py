"""A score sheet as pages and PDFs show it: lines, names and totals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Member
from clubs.text.numbers import number
from scoring import rules
from scoring.display.words import (
    deal_in_words,
    deal_of_three_in_words,
    pit_word,
    short_names,
    side_word,
)
from scoring.models import Deal, DealEntry, Scoresheet, SideTotal, deals_of, holders_of
from scoring.models import Seat as Holder
from scoring.rules import SEATS, SIDES, THREE, Seat, Side

LineUrl = Callable[[int], str]


@dataclass(slots=True)
class SheetCell:
    """One side's part of a line. `points` is None where the sheet has a mark instead; `roem`
    includes bonuses; `running` is the side's score so far."""

    points: int | None = None
    roem: int | None = None
    running: int | None = None
    mark: str = ""
    nat: bool = False


@dataclass(slots=True)
class SheetRow:
    """A line of `components/scoresheet.html`. `ns` is its first column and `ew` its second: of a
    sheet that reads from the chair of East and West these are turned. At a table of three `ns` is
    the declarer, `ew` the other two, and `people` the scores of all three so far, in the order of
    THREE."""

    number: int
    url: str = ""
    now: bool = False
    dealer: str = ""
    declarer: str = ""
    trump: str = ""
    note: str = ""
    ns: SheetCell = field(default_factory=SheetCell)
    ew: SheetCell = field(default_factory=SheetCell)
    people: tuple[int | None, ...] = ()

    def cell(self, side: Side) -> SheetCell:
        return self.ns if side == "NS" else self.ew


@dataclass(frozen=True, slots=True)
class SideTotals:
    """What is under a side's columns. `points` and `roem` are None where a table handed in totals
    without saying what they are made of; `pits` is said only then."""

    points: int | None
    roem: int | None
    total: int
    pits: int | None = None


@dataclass(frozen=True, slots=True)
class SideLine:
    """A side in `components/totals.html`, *we* first, or at a table of three a person by seat."""

    side: Side | Seat
    names: str
    total: int
    leads: bool
    lead: int

    @property
    def is_person(self) -> bool:
        return self.side in SEATS


class SheetView:
    """One sheet as a page shows it. Reading it all takes three queries.

    Give it a sheet with its `regulation` and `club` selected. `url_of` gives the address where
    deal N is written or corrected; without it the lines are no links.
    """

    def __init__(self, sheet: Scoresheet, url_of: LineUrl | None = None) -> None:
        self.sheet = sheet
        self.url_of = url_of

    @cached_property
    def deals(self) -> list[Deal]:
        """Every deal with its current entry, in order."""
        return deals_of(self.sheet)

    @cached_property
    def holders(self) -> list[Holder]:
        return holders_of(self.sheet)

    @cached_property
    def handed_in(self) -> dict[str, SideTotal]:
        """The totals of a table that handed in no deals, per side."""
        return {total.side: total for total in self.sheet.side_totals.all()}

    @property
    def is_other_game(self) -> bool:
        """Whether another game than klaverjas is played, of which there are totals and no deals."""
        return self.sheet.regulation.rules.game != "klaverjas"

    def holder(self, seat: Seat, number: int) -> Holder | None:
        """The holder of the seat in deal `number`."""
        sat = [h for h in self.holders if h.seat == seat and h.from_deal <= number]
        return sat[-1] if sat else None

    def take_overs(self) -> list[str]:
        """Who plays for whom, from which deal on, and whose the points are: a sentence each."""
        return [words for holder in self.holders if (words := self._take_over(holder))]

    def _take_over(self, holder: Holder) -> str:
        name, credited = self._shown(holder), holder.counts_for
        before = self.names(holder.from_deal - 1)[holder.seat] if holder.from_deal > 1 else ""  # type: ignore[index]
        words = {"n": holder.from_deal, "name": name, "before": before}
        if not before:
            sentence = _("%(name)s plays for %(who)s.") if credited else ""
            return sentence % {"name": name, "who": credited and self._named(credited)}
        sentence = _("From deal %(n)s %(name)s plays for %(before)s.") % words
        if credited is None:
            return sentence
        return f"{sentence} " + _("The points are for %(who)s.") % {"who": self._named(credited)}

    def _shown(self, holder: Holder) -> str:
        return self._named(holder.member) if holder.member else _("dummy")

    def _named(self, member: Member) -> str:
        """The name of a member as this page shows it."""
        return member.desk_name

    def names(self, number: int) -> dict[Seat, str]:
        """The full names around the table in deal `number`; empty opposite each of two people."""
        nobody = "" if self.sheet.two_handed else _("dummy")
        return {seat: _name(self.holder(seat, number), nobody) for seat in SEATS}

    def short_names(self, number: int) -> dict[Seat, str]:
        """What people at the table call each other in deal `number`."""
        return short_names(self.names(number))

    def dealer_name(self, number: int) -> str:
        """The dealer of deal `number`, by short name; empty until the first dealer is drawn."""
        dealer = self.sheet.dealer(number)
        return self.short_names(number)[dealer] if dealer else ""

    def forehand_name(self, number: int) -> str:
        """The leader of the first trick of deal `number`, likewise."""
        forehand = self.sheet.forehand(number)
        return self.short_names(number)[forehand] if forehand else ""

    @property
    def next_number(self) -> int | None:
        """The first line still to be written; None when the sheet is full."""
        if self.handed_in or (self.sheet.target and self.sheet.is_full):
            return None
        return next((deal.number for deal in self.deals if not is_written(deal)), None)

    @property
    def last_written(self) -> Deal | None:
        """The last line that is not empty."""
        return next((deal for deal in reversed(self.deals) if has_entry(deal)), None)

    @property
    def can_undo(self) -> bool:
        """Whether the table wrote the last line itself, and not by an undo or a move."""
        last = self.last_written
        entry = last.current if last else None
        if entry is None or entry.kind != DealEntry.Kind.WRITTEN or entry.user_id is not None:
            return False
        return self.sheet.state == Scoresheet.State.OPEN

    def deal(self, number: int) -> Deal | None:
        return next((deal for deal in self.deals if deal.number == number), None)

    @cached_property
    def rows(self) -> list[SheetRow]:
        """A line for every deal; unwritten ones only name the dealer. A sheet that ended at its
        target stops at the last written line."""
        running: dict[Side | Seat, int] = dict.fromkeys((*SIDES, *THREE), 0)
        return [self._row(deal, running) for deal in self.deals[: self._lines]]

    @property
    def _lines(self) -> int:
        """How many of its lines the sheet shows."""
        if self.sheet.target is None or not self.sheet.is_full:
            return self.sheet.deals_planned
        last = self.last_written
        return last.number if last else self.sheet.deals_entered

    @cached_property
    def totals(self) -> dict[str, SideTotals]:
        """The totals under a sheet of four: under its first column `ns`, and `ew`."""
        columns = zip(SIDES, self.sheet.columns, strict=True)
        return {place.lower(): self._total(side, place) for place, side in columns}

    @property
    def people(self) -> list[str]:
        """The headings of the three columns at a table of three; empty for four people."""
        if not self.sheet.three_handed:
            return []
        names = self.short_names(self.next_number or self.sheet.deals_planned)
        return [names[seat] for seat in THREE]

    @cached_property
    def seat_scores(self) -> dict[Seat, int]:
        """What was scored in each seat, whoever held it."""
        return {
            seat: sum(holder.score for holder in self.holders if holder.seat == seat)
            for seat in self.sheet.people
        }

    @property
    def sides(self) -> list[SideLine]:
        """The two sides for `components/totals.html`, wij first; or the three people."""
        if self.sheet.three_handed:
            return self._people_lines()
        names = self.names(self.next_number or self.sheet.deals_planned)
        scores: dict[Side, int] = {"NS": self.sheet.score_ns, "EW": self.sheet.score_ew}
        return [
            SideLine(
                side,
                couple(names, side),
                scores[side],
                scores[side] > scores[rules.other_side(side)],
                abs(scores["NS"] - scores["EW"]),
            )
            for side in self.sheet.columns
        ]

    @property
    def play_off_words(self) -> str:
        """How a match that ended equal was decided; empty where it was not."""
        if (decided := self.sheet.play_off) is None:
            return ""
        ours, theirs = self.sheet.columns
        winner: Side = "NS" if decided["NS"] > decided["EW"] else "EW"
        return _("Equal, so four more deals: %(ours)s–%(theirs)s. %(who)s win this match.") % {
            "ours": number(decided[ours]),
            "theirs": number(decided[theirs]),
            "who": couple(self.names(self.sheet.deals_planned), winner),
        }

    def _people_lines(self) -> list[SideLine]:
        names = self.short_names(self.next_number or self.sheet.deals_planned)
        second, first = sorted(self.seat_scores.values())[1:]
        return [
            SideLine(seat, names[seat], score, score == first > second, first - second)
            for seat, score in self.seat_scores.items()
        ]

    def deal_in_words(self, result: rules.DealResult, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """The result of a deal on this sheet and why, with the people's `names`."""
        explain = deal_of_three_in_words if self.sheet.three_handed else deal_in_words
        return explain(result, sheet=self.sheet, names=names)

    def _row(self, deal: Deal, running: dict[Side | Seat, int]) -> SheetRow:
        names = self.short_names(deal.number)
        row = SheetRow(
            number=deal.number,
            url=self.url_of(deal.number) if self.url_of and has_entry(deal) else "",
            now=deal.number == self.next_number,
            dealer="" if is_written(deal) else self.dealer_name(deal.number),
            people=(None, None, None) if self.sheet.three_handed else (),
        )
        if deal.current is not None and deal.current.written is not None:
            result = rules.evaluate(deal.current.written, self.sheet.regulation.rules)
            _fill(row, result, pit_word(self.sheet.club))
            # A deal that was only dealt again is nobody's.
            if not deal.current.replayed or result.deal.reneged:
                row.declarer = _declarer(deal.current, self.sheet, names)
            if deal.version > 1 and deal.current.reason:
                row.note = row.note or pgettext("mark on the sheet", "changed")
            if self.sheet.three_handed:
                _turn(row, deal.current)
            if not deal.current.replayed:
                add = _add_running_alone if self.sheet.three_handed else _add_running
                add(row, deal.current, running)
            if self.sheet.chair == "EW":
                row.ns, row.ew = row.ew, row.ns
        return row

    def _total(self, side: Side, place: Side) -> SideTotals:
        score = self.sheet.score_ns if side == "NS" else self.sheet.score_ew
        if side in self.handed_in:
            handed_in = self.handed_in[side]
            if handed_in.points is None:
                return SideTotals(None, None, score, handed_in.pits)
            return SideTotals(handed_in.points, score - handed_in.points, score, handed_in.pits)
        cells = [row.cell(place) for row in self.rows]
        return SideTotals(
            sum(cell.points or 0 for cell in cells), sum(cell.roem or 0 for cell in cells), score
        )


def has_entry(deal: Deal) -> bool:
    """Whether the line is not empty; a deal to be dealt again counts too."""
    return deal.current is not None and deal.current.written is not None


def is_written(deal: Deal) -> bool:
    """Whether the line counts: written, and not to be dealt again."""
    return has_entry(deal) and not (deal.current and deal.current.replayed)


def line_in_words(entry: DealEntry, sheet: Scoresheet) -> str:
    """The scores that an entry puts on the sheet, wij first, or at a table of three the declarer:
    `167–65`; a dash for an erased line, and words for a deal to be dealt again."""
    if entry.result is None or entry.written is None:
        return "–"
    if entry.replayed:
        return _("dealt again")
    sides = rules.sides_of(entry.written["declarer"]) if sheet.three_handed else sheet.columns
    return "–".join(str(entry.result["score"][side]) for side in sides)


def _fill(row: SheetRow, result: rules.DealResult, pit: str) -> None:
    row.trump = result.deal.trump or ""
    if result.verdict == "void":
        row.note = _("dealt again")
        return
    for side in SIDES:
        terms = result.terms[side]
        cell = row.cell(side)
        cell.points = sum(term.points for term in terms if term.kind == "points")
        cell.roem = sum(term.points for term in terms if term.kind != "points")
    _mark(row, result, pit)
    if result.deal.corrections:
        row.note = _("corrected")


def _mark(row: SheetRow, result: rules.DealResult, pit: str) -> None:
    declarers = result.deal.declarers
    if result.nat:
        _mark_side(row.cell(declarers), _("nat"), nat=True)
    if result.pit is not None:
        won = row.cell(result.pit)
        won.mark = pit if result.pit == declarers else _("counter-%(pit)s") % {"pit": pit}
    culprit = result.deal.reneged or result.deal.accused_wrongly_by
    if culprit is not None:
        word = _("reneged") if result.deal.reneged else _("wrongly accused")
        row.cell(rules.side_of(culprit)).mark = word
    if result.deal.nil is not None:
        row.cell(declarers).mark = _("nil made") if result.deal.nil == "made" else _("nil failed")


def _mark_side(cell: SheetCell, word: str, *, nat: bool) -> None:
    cell.points, cell.mark, cell.nat = None, word, nat


def _add_running(row: SheetRow, entry: DealEntry, running: dict[Side | Seat, int]) -> None:
    for side in SIDES:
        running[side] += entry.result["score"][side] if entry.result else 0
        row.cell(side).running = running[side]


def _turn(row: SheetRow, entry: DealEntry) -> None:
    """Put the declarer's side first, as on a sheet of three."""
    if rules.sides_of((entry.written or {})["declarer"])[0] == "EW":
        row.ns, row.ew = row.ew, row.ns


def _add_running_alone(row: SheetRow, entry: DealEntry, running: dict[Side | Seat, int]) -> None:
    chairs, players = rules.chairs_of((entry.written or {})["declarer"]), entry.result or {}
    for seat in THREE:
        running[seat] += players["players"][chairs[seat]]
    row.people = tuple(running[seat] for seat in THREE)


def _declarer(entry: DealEntry, sheet: Scoresheet, names: Mapping[Seat, str]) -> str:
    """Who plays, and what they bid where that is written."""
    written = entry.written or {}
    declarer = written["declarer"]
    who = side_word(sheet, declarer) if declarer in SIDES else names[declarer]
    return f"{who} {written['bid']}" if written.get("bid") else str(who)


def couple(names: Mapping[Seat, str], side: Sequence[str]) -> str:
    """The two of a side by name."""
    return " – ".join(names[seat] for seat in side if names[seat])  # type: ignore[index]


def _name(holder: Holder | None, nobody: str) -> str:
    return holder.member.desk_name if holder is not None and holder.member else nobody
