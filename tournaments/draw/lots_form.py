"""The lots of a draw by hand, the seats they stand for, and the form in which everybody's is typed.

A numbered lot gives a place: 1 to 4 are table 1, where 1 and 3 play against 2 and 4, then 5 to 8
are table 2. A lettered lot gives a table and a side: the two with 3A play against the two with
3B. A table of three misses any one of its lots, a table of two any two.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core.models import TABLE_SIZE, Seat
from tournaments.registration.forms import labels

Holder = TypeVar("Holder")

SEATS_IN_TURN: tuple[Seat, ...] = ("N", "E", "S", "W")
LETTERS = ("A", "B")
TWO = 2
_WRITTEN = re.compile(r"([0-9]{1,4}) *([AB]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class PaperLot:
    """A lot: its table, from 1, and the place 1 to 4 or side A or B there."""

    table: int
    mark: int | str

    @property
    def lettered(self) -> bool:
        """Whether it gives a side instead of a place."""
        return self.mark in LETTERS

    @property
    def holders(self) -> int:
        """How many people can hold this lot."""
        return 2 if self.lettered else 1

    def __str__(self) -> str:
        """What is written on it."""
        if isinstance(self.mark, str):
            return f"{self.table}{self.mark}"
        return str((self.table - 1) * TABLE_SIZE + self.mark)


def read_lot(written: str) -> PaperLot | None:
    """The lot with this written on it, or None if no lot has it.

    >>> str(read_lot("10")), read_lot("10")
    ('10', PaperLot(table=3, mark=2))
    >>> str(read_lot("3 a")), read_lot("0")
    ('3A', None)
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None or int(match[1]) == 0:
        return None
    number, letter = int(match[1]), match[2].upper()
    if letter:
        return PaperLot(number, letter)
    table, place = divmod(number - 1, TABLE_SIZE)
    return PaperLot(table + 1, place + 1)


def lot_at(table: int, seat: Seat, *, lettered: bool) -> PaperLot:
    """The lot for this seat."""
    turn = SEATS_IN_TURN.index(seat)
    return PaperLot(table, LETTERS[turn % 2] if lettered else turn + 1)


def table_by_lots(
    holders: Mapping[Holder, PaperLot], table: int, *, lettered: bool
) -> tuple[dict[Seat, Holder], list[PaperLot]]:
    """The seats at a table, and its lots that nobody holds.

    Of two people with the same letter the first gets North or East. Three people sit North, East
    and South, two North and East.
    """
    lots = {seat: lot_at(table, seat, lettered=lettered) for seat in SEATS_IN_TURN}
    seats: dict[Seat, Holder] = {}
    for holder, lot in holders.items():
        seat = next((seat for seat in SEATS_IN_TURN if lots.get(seat) == lot), None)
        if seat:
            seats[seat] = holder
            del lots[seat]
    return seats_of_few(seats), sorted(lots.values())


def seats_of_few(seats: Mapping[Seat, Holder]) -> dict[Seat, Holder]:
    """The same seats, but three people sit North, East and South, and two North and East."""
    filled = dict(seats)
    if len(filled) == TWO:
        return dict(zip(SEATS_IN_TURN, filled.values(), strict=False))
    if len(filled) == TABLE_SIZE - 1 and "W" in filled:
        free = next(seat for seat in SEATS_IN_TURN if seat not in filled)
        filled[free] = filled.pop("W")
    return filled


def fewest_tables(people: int) -> int:
    """The number of tables of four for this many people; the others do not play."""
    return people // TABLE_SIZE


def most_tables(people: int, *, threes: bool) -> int:
    """The number of tables for this many people if, with `threes`, nobody is left over.

    Five people play at a table of three and one of two.

    >>> [most_tables(people, threes=True) for people in (5, 6, 8, 9, 14)]
    [2, 2, 2, 3, 4]
    """
    if threes:
        return -(-people // TABLE_SIZE)
    return fewest_tables(people)


LotFault = tuple[Member | None, str]
Seating = Mapping[Seat, Member]
FEWEST = 2


class LotField(forms.CharField):
    """A lot as people write it. Cleans to a `PaperLot`, or None if empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=10, **kwargs)

    def clean(self, value: Any) -> Any:
        written = super().clean(value)
        lot = read_lot(written)
        if written and lot is None:
            raise forms.ValidationError(
                _(
                    "“%(typed)s” is not a lot. Type a number such as 10, or a table with a letter "
                    "such as 3A."
                ),
                params={"typed": written},
            )
        return lot


class TypedLotsForm(forms.Form):
    """A lot for each of `people`; those without one do not play this round.

    `lettered` is the kind of lot expected, so that a phone shows the right keys; either kind is
    accepted as long as all are the same. With `threes` there may be tables of three, so that
    nobody has to be left over.
    """

    def __init__(
        self, *args: Any, people: Sequence[Member], lettered: bool, threes: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        self.threes = threes
        keys = {"autocapitalize": "characters"} if lettered else {"inputmode": "numeric"}
        for label, member in labels(people).items():
            self.fields[_field(member)] = LotField(
                label=label, widget=forms.TextInput(attrs={"autocomplete": "off", **keys})
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        read = {
            member: cleaned[_field(member)] for member in self.people if _field(member) in cleaned
        }
        self.drawn = LotsDrawn.of(read, people=len(self.people), threes=self.threes)
        for member, fault in lot_faults(self.drawn):
            self.add_error(_field(member) if member else None, fault)
        return cleaned

    def rows(self) -> list[tuple[Member, forms.BoundField]]:
        """Everybody with the box for their lot."""
        return [(member, self[_field(member)]) for member in self.people]

    def seatings(self) -> list[Seating]:
        """The seats, table by table."""
        return [seats for seats, _missing in self.drawn.tables()]

    def left_over(self) -> list[Member]:
        """The people present without a lot."""
        return list(self.drawn.without)


def lots_initial(seatings: Mapping[tuple[int, Seat], Member], *, lettered: bool) -> dict[str, str]:
    """The form filled with the lots that lead to (table, seat)."""
    return {
        _field(member): str(lot_at(table, seat, lettered=lettered))
        for (table, seat), member in seatings.items()
    }


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """The lots that were typed: `holders` have the kind that most have, `others` the other kind,
    and `without` none. `threes` allows tables of three."""

    holders: Mapping[Member, PaperLot]
    without: Sequence[Member]
    others: Sequence[Member]
    people: int
    threes: bool

    @classmethod
    def of(
        cls, read: Mapping[Member, PaperLot | None], *, people: int, threes: bool
    ) -> "LotsDrawn":
        """From the boxes that could be read, for this number of people present."""
        lettered = {member: lot for member, lot in read.items() if lot and lot.lettered}
        numbered = {member: lot for member, lot in read.items() if lot and not lot.lettered}
        # The kind that most people have is taken to be meant; the others get a fault.
        most, fewest = sorted((numbered, lettered), key=len, reverse=True)
        return cls(
            holders=most,
            without=[member for member, lot in read.items() if lot is None],
            others=list(fewest),
            people=people,
            threes=threes,
        )

    @property
    def lettered(self) -> bool:
        """Whether the lots are tables with a letter."""
        return any(lot.lettered for lot in self.holders.values())

    @property
    def most(self) -> int:
        """The most tables there can be."""
        return most_tables(self.people, threes=self.threes)

    @property
    def has_threes(self) -> bool:
        """Whether there are more tables than tables of four, so that some are of three."""
        used = (lot.table for lot in self.holders.values() if lot.table <= self.most)
        return max(used, default=0) > fewest_tables(self.people)

    def tables(self) -> list[tuple[dict[Seat, Member], list[PaperLot]]]:
        """For each table its seats, and the lots that nobody has."""
        count = self.most if self.has_threes else fewest_tables(self.people)
        numbers = range(1, count + 1)
        return [table_by_lots(self.holders, n, lettered=self.lettered) for n in numbers]


def lot_faults(drawn: LotsDrawn) -> Iterator[LotFault]:
    """Every fault with the person whose box it belongs to; None if it is nobody's."""
    if not drawn.holders:
        yield None, _("No lot has been typed yet.")
        return
    yield from _mixed(drawn)
    yield from _shared(drawn)
    yield from _too_high(drawn)
    yield from _left_out(drawn)
    yield from _missing(drawn)


def _mixed(drawn: LotsDrawn) -> Iterator[LotFault]:
    words = (
        _("Most have a table with A or B. Use the same kind of lot for everybody.")
        if drawn.lettered
        else _("Most have a number. Use the same kind of lot for everybody.")
    )
    for member in drawn.others:
        yield member, words


def _shared(drawn: LotsDrawn) -> Iterator[LotFault]:
    people: dict[PaperLot, list[Member]] = {}
    for member, lot in drawn.holders.items():
        people.setdefault(lot, []).append(member)
    for lot, having in people.items():
        for member in having if len(having) > lot.holders else ():
            names = get_text_list(
                [other.desk_name for other in having if other != member], _("and")
            )
            words = (
                _("Lot %(lot)s is for two people; %(names)s have it too.")
                if lot.lettered
                else _("Lot %(lot)s is also typed for %(names)s.")
            )
            yield member, words % {"lot": lot, "names": names}


def _too_high(drawn: LotsDrawn) -> Iterator[LotFault]:
    last = lot_at(drawn.most, "W", lettered=drawn.lettered)
    for member, lot in drawn.holders.items():
        if lot.table > drawn.most:
            words = _("There is no lot %(lot)s: with %(people)s people the last one is %(last)s.")
            yield member, words % {"lot": lot, "people": drawn.people, "last": last}


def _left_out(drawn: LotsDrawn) -> Iterator[LotFault]:
    out = 0 if drawn.has_threes else drawn.people - 4 * fewest_tables(drawn.people)
    if len(drawn.without) <= out:
        return
    words = (
        ngettext(
            "No lot yet. Only %(n)s person does not play.",
            "No lot yet. Only %(n)s people do not play.",
            out,
        )
        % {"n": out}
        if out
        else _("No lot yet.")
    )
    for member in drawn.without:
        yield member, words


def _missing(drawn: LotsDrawn) -> Iterator[LotFault]:
    for number, (seats, missing) in enumerate(drawn.tables(), start=1):
        enough = drawn.has_threes and len(seats) >= FEWEST
        if missing and not enough:
            lots = get_text_list([str(lot) for lot in missing], _("and"))
            words = _("Table %(n)s: nobody has %(lots)s yet.")
            yield None, words % {"n": number, "lots": lots}


def _field(member: Member) -> str:
    return f"lot_{member.pk}"
