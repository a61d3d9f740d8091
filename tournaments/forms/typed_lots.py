"""A draw done by hand, typed in person by person: which lot everybody drew."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from clubs.models import Member
from tournaments.draw.core import Seat
from tournaments.forms.lot_faults import LotsDrawn, lot_faults
from tournaments.forms.typed_draw import labels
from tournaments.lots import lot_at, read_lot

Seating = Mapping[Seat, Member]


class LotField(forms.CharField):
    """A lot as people write it; comes out as a `Lot`, None when left empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=10, **kwargs)

    def clean(self, value: Any) -> Any:
        written = super().clean(value)
        lot = read_lot(written)
        if written and lot is None:
            raise forms.ValidationError(
                _("“%(typed)s” is no lot. Type a number such as 10, or a table such as 3A."),
                params={"typed": written},
            )
        return lot


class TypedLotsForm(forms.Form):
    """A lot for each of `people`; who has none does not play this round.

    `lettered` says which kind of lot is expected, so that a phone shows the right keys; either
    is taken, as long as everybody has the same. With `threes` there are tables of three, so that
    nobody need be left over.
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
        read = {who: cleaned[_field(who)] for who in self.people if _field(who) in cleaned}
        self.drawn = LotsDrawn.of(read, people=len(self.people), threes=self.threes)
        for who, fault in lot_faults(self.drawn):
            self.add_error(_field(who) if who else None, fault)
        return cleaned

    def rows(self) -> list[tuple[Member, forms.BoundField]]:
        """Everybody with the box for his lot."""
        return [(member, self[_field(member)]) for member in self.people]

    def seatings(self) -> list[Seating]:
        """Who sits where, table by table."""
        return [seats for seats, _missing in self.drawn.tables()]

    def left_over(self) -> list[Member]:
        """Those who are here and have no lot."""
        return list(self.drawn.without)


def lots_initial(seatings: Mapping[tuple[int, Seat], Member], *, lettered: bool) -> dict[str, str]:
    """The form filled with the lots that lead to (table, seat)."""
    return {
        _field(member): str(lot_at(table, seat, lettered=lettered))
        for (table, seat), member in seatings.items()
    }


def _field(member: Member) -> str:
    return f"lot_{member.pk}"
