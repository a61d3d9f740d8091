"""The forms of the draw: the number of a drawing, an extra table, a draw typed in by table."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from clubs.text.names import name_key
from clubs.text.numbers import SIDE_COLOURS
from tournaments.draw.core.models import Seat
from tournaments.draw.extra_tables import ExtraTableRound
from tournaments.draw.lots_form import fewest_tables, most_tables, seats_of_few
from tournaments.draw.services import MOST_DRAWINGS
from tournaments.registration.forms import labels
from tournaments.registration.pairs import MOST_NUMBER, FixedPair

_BAD_PAIR = _("Type the number of a pair.")
_BAD_NUMBER = _("Type a number from 1 to 999.")
SEATS: tuple[Seat, ...] = ("N", "S", "E", "W")
MOST_EMPTY = 2


class DrawingForm(forms.Form):
    """The number of a drawing, as the page of the draw shows it."""

    drawing = forms.IntegerField(
        label=_("Number of the draw"),
        min_value=1,
        max_value=MOST_DRAWINGS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), _BAD_NUMBER
        ),
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_(
            "The same number gives the same tables again, as long as the same people are here."
        ),
    )


class ExtraTableForm(forms.Form):
    """A field for each empty seat at the extra table of the people left over."""

    def __init__(self, *args: Any, extra_round: ExtraTableRound, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        several = extra_round.needed > 1
        for place in range(1, extra_round.needed + 1):
            self.fields[f"twice_{place}"] = _PlayerField(
                extra_round,
                label=gettext("Who plays twice, number %(n)s?") % {"n": place}
                if several
                else gettext("Who plays twice?"),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        members = list(cleaned.values())
        for place, name in enumerate(list(cleaned)):
            if members[place] in members[:place]:
                self.add_error(
                    name, gettext("Choose somebody else: this person is chosen already.")
                )
        return cleaned

    def chosen(self) -> list[Member]:
        """The people who play twice; the form must be valid."""
        return [self.cleaned_data[name] for name in self.fields]


class SeatField(forms.CharField):
    """A person by their name, a part of it that is theirs alone, or number. Cleans to the Member,
    or None if empty."""

    def __init__(self, people: Mapping[str, Member], **kwargs: Any) -> None:
        super().__init__(required=False, max_length=110, **kwargs)
        self.people = people

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        if not typed:
            return None
        member = self.people.get(name_key(typed))
        called = [member] if member else self._called(name_key(typed))
        if not called:
            raise forms.ValidationError(
                gettext("“%(typed)s” is not ticked as present."), params={"typed": typed}
            )
        if len(called) > 1:
            raise forms.ValidationError(
                gettext("There are %(n)s people of that name: type the whole name or the number."),
                params={"n": len(called)},
            )
        return called[0]

    def _called(self, part: str) -> list[Member]:
        """The people with this part in their name, as whole words."""
        people = {member.pk: member for member in self.people.values()}
        return [member for member in people.values() if f" {part} " in f" {name_key(member.name)} "]


class TypedDrawForm(forms.Form):
    """Four seats for each table that the people present can fill; the others sit out.

    With `threes` there may be one table more so that nobody is left over: tables of three, or one
    of two, are then full. In the hall the first table has the number `first`.
    """

    def __init__(
        self,
        *args: Any,
        people: Sequence[Member],
        threes: bool = False,
        first: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.first = first
        self.people = people
        self.threes = threes
        self.tables = range(1, most_tables(len(people), threes=threes) + 1)
        self.labels = labels(people)
        known = _lookup(self.labels)
        for number in self.tables:
            for seat in SEATS:
                self.fields[_field(number, seat)] = SeatField(
                    known,
                    label=gettext("Table %(n)s, %(seat)s")
                    % {"n": number + first - 1, "seat": _seat_words(seat)},
                    widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        unfilled = self._unfilled([name for name in cleaned if cleaned[name] is None])
        times = Counter(member.pk for member in cleaned.values() if member)
        for name, member in list(cleaned.items()):
            if member and times[member.pk] > 1:
                self.add_error(
                    name, gettext("%(name)s is placed twice.") % {"name": member.desk_name}
                )
        for name in unfilled:
            self.add_error(name, gettext("Nobody sits here yet."))
        return cleaned

    def rows(self) -> list[tuple[int, list[tuple[str, forms.BoundField]]]]:
        """Per table its number and four seats in words with their fields, partners beside each
        other."""
        return [
            (
                number + self.first - 1,
                [(_seat_words(seat), self[_field(number, seat)]) for seat in SEATS],
            )
            for number in self.tables
        ]

    def seatings(self) -> list[dict[Seat, Member]]:
        """The seats table by table; three people sit North, East and South, two North and East."""
        tables = (
            {seat: self.cleaned_data[_field(number, seat)] for seat in SEATS}
            for number in self.tables
        )
        filled = ({seat: member for seat, member in seats.items() if member} for seats in tables)
        return [seats_of_few(seats) for seats in filled if seats]

    def left_over(self) -> list[Member]:
        """The people present without a seat."""
        seated = {member.pk for member in self.cleaned_data.values() if member}
        return [member for member in self.people if member.pk not in seated]

    def _unfilled(self, empty: Collection[str]) -> list[str]:
        """The empty seats that somebody must fill."""
        tables = {number: [_field(number, seat) for seat in SEATS] for number in self.tables}
        holes = {n: [name for name in names if name in empty] for n, names in tables.items()}
        last = len(self.tables)
        # The last table is only needed for tables of three, so it may stay empty.
        if last > fewest_tables(len(self.people)) and len(holes[last]) == len(SEATS):
            holes.pop(last)
        elif last > fewest_tables(len(self.people)) and self._all_seated(empty):
            holes = {n: names for n, names in holes.items() if len(names) > MOST_EMPTY}
        return [name for names in holes.values() for name in names]

    def _all_seated(self, empty: Collection[str]) -> bool:
        return len(self.fields) - len(empty) >= len(self.people)


class PairField(forms.IntegerField):
    """The number of a pair. Cleans to the pair, or None if empty."""

    def __init__(self, pairs: Mapping[int, FixedPair], **kwargs: Any) -> None:
        super().__init__(
            required=False,
            min_value=1,
            max_value=MOST_NUMBER,
            error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _BAD_PAIR),
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "short"}),
            **kwargs,
        )
        self.pairs = pairs

    def clean(self, value: Any) -> Any:
        number = super().clean(value)
        if number is None:
            return None
        if number not in self.pairs:
            raise forms.ValidationError(
                gettext("There is no pair %(n)s here."), params={"n": number}
            )
        return self.pairs[number]


class TypedPairsForm(forms.Form):
    """For each table the numbers of its two pairs; with an odd number of pairs one sits out."""

    threes = False

    def __init__(self, *args: Any, pairs: Sequence[FixedPair], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairs = pairs
        self.tables = range(1, len(pairs) // 2 + 1)
        by_number = {pair.number: pair for pair in pairs}
        for number in self.tables:
            for place in (1, 2):
                self.fields[f"table_{number}_{place}"] = PairField(
                    by_number,
                    label=gettext("Table %(n)s, pair %(place)s") % {"n": number, "place": place},
                )

    @property
    def people(self) -> list[Member]:
        """Everybody in these pairs."""
        return [member for pair in self.pairs for member in pair.people]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        times = Counter(pair.number for pair in cleaned.values() if pair)
        for name, pair in list(cleaned.items()):
            if pair is None:
                self.add_error(name, gettext("No pair sits here yet."))
            elif times[pair.number] > 1:
                self.add_error(name, gettext("Pair %(n)s is placed twice.") % {"n": pair.number})
        return cleaned

    def rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """Per table its number and the fields of its two pairs."""
        return [
            (number, [self[f"table_{number}_{place}"] for place in (1, 2)])
            for number in self.tables
        ]

    def seatings(self) -> list[dict[Seat, Member]]:
        """The seats table by table: the first pair sits North and South."""
        seatings: list[dict[Seat, Member]] = []
        for number in self.tables:
            north, south = self.cleaned_data[f"table_{number}_1"].people
            east, west = self.cleaned_data[f"table_{number}_2"].people
            seatings.append({"N": north, "E": east, "S": south, "W": west})
        return seatings

    def left_over(self) -> list[Member]:
        """The people of the pair that sits out."""
        seated = {pair.number for pair in self.cleaned_data.values() if pair}
        return [
            member for pair in self.pairs if pair.number not in seated for member in pair.people
        ]


def typed_pairs_initial(
    seatings: Mapping[tuple[int, Seat], Member], pairs: Sequence[FixedPair]
) -> dict[str, int]:
    """The form, filled with the pairs at each table."""
    number_of = {member.pk: pair.number for pair in pairs for member in pair.people}
    return {
        f"table_{table}_{place}": number_of[seatings[table, seat].pk]
        for table, at in seatings
        for place, seat in enumerate(("N", "E"), start=1)
        if at == seat and seatings[table, seat].pk in number_of
    }


def typed_initial(seatings: Mapping[tuple[int, Seat], Member]) -> dict[str, str]:
    """The form, filled with who sits at (table, seat)."""
    return {_field(number, seat): member.desk_name for (number, seat), member in seatings.items()}


class _PlayerField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A choice of the people who play this round once, each with the number of their table."""

    def __init__(self, extra_round: ExtraTableRound, **kwargs: Any) -> None:
        self._tables = extra_round.tables
        people = Member.objects.filter(pk__in=self._tables).by_surname()
        super().__init__(people, empty_label=gettext("Choose a name"), **kwargs)

    def label_from_instance(self, obj: Any) -> str:
        return gettext("%(name)s, table %(n)s") % {"name": obj.desk_name, "n": self._tables[obj.pk]}


def _lookup(people: Mapping[str, Member]) -> dict[str, Member]:
    known = {name_key(label): member for label, member in people.items()}
    numbered = {str(member.number): member for member in people.values() if member.number}
    # A name wins over a number, in case somebody is called by digits.
    return {**numbered, **known}


def _seat_words(seat: Seat) -> str:
    """The first or second of a side, which has the colour of its cards: nobody at a klaverjas table
    sits North."""
    side, words = ("NS" if seat in "NS" else "EW"), gettext("%(colour)s, first")
    if seat in "SW":
        words = gettext("%(colour)s, second")
    return words % {"colour": SIDE_COLOURS[side]}


def _field(number: int, seat: str) -> str:
    return f"table_{number}_{seat}"
