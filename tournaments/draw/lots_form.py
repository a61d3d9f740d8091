"""A draw typed in person by person: which lot everybody drew, and what is wrong with the lots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core import Seat
from tournaments.draw.lots import (
    PaperLot,
    fewest_tables,
    lot_at,
    most_tables,
    read_lot,
    table_by_lots,
)
from tournaments.registration.forms import labels

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
