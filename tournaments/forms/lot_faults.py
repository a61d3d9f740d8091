"""What is wrong with the lots that were typed, in words, and with whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core import Seat
from tournaments.lots import (
    Lot,
    fewest_tables,
    lot_at,
    most_tables,
    table_by_lots,
)

Fault = tuple[Member | None, str]
FEWEST = 2


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """Who has which lot, who has none, who has a lot of another kind than most, and how many
    people are here; `threes` says whether there may be tables of three."""

    holders: Mapping[Member, Lot]
    without: Sequence[Member]
    others: Sequence[Member]
    people: int
    threes: bool

    @classmethod
    def of(cls, read: Mapping[Member, Lot | None], *, people: int, threes: bool) -> "LotsDrawn":
        """What was read in each box that could be read, of so many people."""
        lettered = {who: lot for who, lot in read.items() if lot and lot.lettered}
        numbered = {who: lot for who, lot in read.items() if lot and not lot.lettered}
        most, fewest = sorted((numbered, lettered), key=len, reverse=True)
        return cls(
            holders=most,
            without=[who for who, lot in read.items() if lot is None],
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
        """How many tables there can be at most."""
        return most_tables(self.people, threes=self.threes)

    @property
    def has_threes(self) -> bool:
        """Whether there are more tables than of four alone, so that some are of three."""
        used = (lot.table for lot in self.holders.values() if lot.table <= self.most)
        return max(used, default=0) > fewest_tables(self.people)

    def tables(self) -> list[tuple[dict[Seat, Member], list[Lot]]]:
        """Of each table who sits where, and which of its lots nobody has."""
        count = self.most if self.has_threes else fewest_tables(self.people)
        numbers = range(1, count + 1)
        return [table_by_lots(self.holders, n, lettered=self.lettered) for n in numbers]


def lot_faults(drawn: LotsDrawn) -> Iterator[Fault]:
    """Every fault with the person at whose box it belongs, None for what belongs to nobody's."""
    if not drawn.holders:
        yield None, _("No lot has been typed yet.")
        return
    yield from _mixed(drawn)
    yield from _shared(drawn)
    yield from _too_high(drawn)
    yield from _left_out(drawn)
    yield from _missing(drawn)


def _mixed(drawn: LotsDrawn) -> Iterator[Fault]:
    words = (
        _("Most have a table with A or B. Use the same kind of lot for everybody.")
        if drawn.lettered
        else _("Most have a number. Use the same kind of lot for everybody.")
    )
    for who in drawn.others:
        yield who, words


def _shared(drawn: LotsDrawn) -> Iterator[Fault]:
    people: dict[Lot, list[Member]] = {}
    for who, lot in drawn.holders.items():
        people.setdefault(lot, []).append(who)
    for lot, having in people.items():
        for who in having if len(having) > lot.holders else ():
            names = get_text_list([other.name for other in having if other != who], _("and"))
            words = (
                _("Lot %(lot)s is for two people; %(names)s have it too.")
                if lot.lettered
                else _("Lot %(lot)s is also typed for %(names)s.")
            )
            yield who, words % {"lot": lot, "names": names}


def _too_high(drawn: LotsDrawn) -> Iterator[Fault]:
    last = lot_at(drawn.most, "W", lettered=drawn.lettered)
    for who, lot in drawn.holders.items():
        if lot.table > drawn.most:
            words = _("There is no lot %(lot)s: with %(people)s people the last one is %(last)s.")
            yield who, words % {"lot": lot, "people": drawn.people, "last": last}


def _left_out(drawn: LotsDrawn) -> Iterator[Fault]:
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
    for who in drawn.without:
        yield who, words


def _missing(drawn: LotsDrawn) -> Iterator[Fault]:
    for number, (seats, missing) in enumerate(drawn.tables(), start=1):
        enough = drawn.has_threes and len(seats) >= FEWEST
        if missing and not enough:
            lots = get_text_list([str(lot) for lot in missing], _("and"))
            words = _("Table %(n)s: nobody has %(lots)s yet.")
            yield None, words % {"n": number, "lots": lots}
