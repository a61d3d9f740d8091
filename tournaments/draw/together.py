"""How often people are together in an evening and over a season, and what one change adds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tournaments.draw.models import Couple, PastEvening, Player, RoundDraw, TableDraw
from tournaments.draw.repeats import couples_among, meetings_of, partners_of

Times = Mapping[Couple, int]


class Evening:
    """The rounds of an evening of which one, `rounds[place]`, may change.

    `block` rounds at one table are one meeting, as in `repeats.meetings_of`.
    """

    def __init__(self, rounds: Sequence[RoundDraw], place: int, *, block: int) -> None:
        self._place = place
        self._block = block
        self._groups = [{table.people() for table in drawn.tables} for drawn in rounds]
        self._partners = dict(partners_of(rounds))
        self._meetings = dict(meetings_of(rounds, block=block))

    def more_repeats(
        self, before: Sequence[TableDraw], after: Sequence[TableDraw]
    ) -> tuple[int, int]:
        """How many more repeats of partners, and of meetings, if those tables become these."""
        partners = _change(_partners(before), _partners(after))
        meetings: dict[Couple, int] = {}
        come = {table.people() for table in after}
        for people in come ^ {table.people() for table in before}:
            more = self._more_meetings(people, there=people in come)
            for couple in couples_among(people):
                meetings[couple] = meetings.get(couple, 0) + more
        return _more_repeats(self._partners, partners), _more_repeats(self._meetings, meetings)

    def _more_meetings(self, people: frozenset[Player], *, there: bool) -> int:
        """How many meetings more these people have if they sit together in the round, or not."""
        sits = [people in groups for groups in self._groups]
        was = _meetings(sits, self._block)
        sits[self._place] = there
        return _meetings(sits, self._block) - was


class SeasonTimes:
    """How often each couple were partners, and shared a table, on earlier evenings."""

    def __init__(self, history: Sequence[PastEvening]) -> None:
        partners = [past.partners for past in history]
        opponents = [past.opponents for past in history]
        self._partners = Counter(chain.from_iterable(partners))
        self._meetings = Counter(chain.from_iterable(partners + opponents))

    def more(self, before: Sequence[TableDraw], after: Sequence[TableDraw]) -> tuple[int, int]:
        """How much more often those who are partners, and at one table, were so, summed."""
        partners = _change(_partners(before), _partners(after))
        meetings = _change(_couples(before), _couples(after))
        return _weighed(self._partners, partners), _weighed(self._meetings, meetings)


def _weighed(times: Times, change: Times) -> int:
    """Each change as often as the couple were together, whichever of them was named first."""
    changes = [(couple, more) for couple, more in change.items() if more]
    return sum(
        more * (times.get(couple, 0) + times.get(couple[::-1], 0)) for couple, more in changes
    )


def _meetings(sits: Sequence[bool], block: int) -> int:
    """How many meetings it makes to sit together in these rounds and not in those."""
    meetings = stayed = 0
    for here in sits:
        meetings += here and stayed % block == 0
        stayed = stayed + 1 if here else 0
    return meetings


def _more_repeats(times: Times, change: Times) -> int:
    """How many more times beyond the first, if couples are together so many times more."""
    repeats = 0
    for couple, more in change.items():
        if more:
            was = times.get(couple, 0)
            repeats += max(0, was + more - 1) - max(0, was - 1)
    return repeats


def _change(before: Iterable[Couple], after: Iterable[Couple]) -> dict[Couple, int]:
    change = dict.fromkeys(after, 1)
    for couple in before:
        change[couple] = change.get(couple, 0) - 1
    return change


def _couples(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from couples_among(table.seats.values())


def _partners(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from table.partners()
