"""How often people are together in an evening and over a season, and what one change adds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tournaments.draw.models import Couple, PastEvening, Player, RoundDraw, TableDraw, ordered
from tournaments.draw.repeats import couples_among, meetings_of, partners_of

People = frozenset[Player]


class Evening:
    """The rounds of an evening of which one, `rounds[place]`, may change.

    `block` rounds at one table are one meeting, as in `repeats.meetings_of`.
    """

    def __init__(
        self,
        rounds: Sequence[RoundDraw],
        place: int,
        history: Sequence[PastEvening],
        *,
        block: int,
    ) -> None:
        self._place = place
        self._block = block
        self._groups = [{table.people() for table in drawn.tables} for drawn in rounds]
        self._partners = partners_of(rounds)
        self._meetings = meetings_of(rounds, block=block)
        self._season_partners = _times(couple for past in history for couple in past.partners)
        self._season_opponents = _times(couple for past in history for couple in past.opponents)

    def more_repeats(
        self, before: Sequence[TableDraw], after: Sequence[TableDraw]
    ) -> tuple[int, int]:
        """How many more repeats of partners, and of meetings, these tables give than those."""
        partners = _change(_partners(before), _partners(after))
        meetings: Counter[Couple] = Counter()
        gone, come = {table.people() for table in before}, {table.people() for table in after}
        for people in gone ^ come:
            more = self._meetings_more(people, there=people in come)
            for couple in couples_among(people) if more else ():
                meetings[couple] += more
        return _repeats_more(self._partners, partners), _repeats_more(self._meetings, meetings)

    def more_of_the_season(
        self, before: Sequence[TableDraw], after: Sequence[TableDraw]
    ) -> tuple[int, int]:
        """How much more often those who are partners, and at one table, were so this season."""
        partners = _change(_partners(before), _partners(after))
        met = _change(_couples(before), _couples(after))
        were_partners, opponents = self._season_partners, self._season_opponents
        return (
            sum(more * were_partners[couple] for couple, more in partners.items()),
            sum(more * (were_partners[couple] + opponents[couple]) for couple, more in met.items()),
        )

    def _meetings_more(self, people: People, *, there: bool) -> int:
        """How many meetings more these people have if they sit together in the round, or not."""
        sits = [people in groups for groups in self._groups]
        was = _meetings(sits, self._block)
        sits[self._place] = there
        return _meetings(sits, self._block) - was


def _meetings(sits: Sequence[bool], block: int) -> int:
    """How many meetings it makes to sit together in these rounds and not in those."""
    meetings = stayed = 0
    for here in sits:
        meetings += here and stayed % block == 0
        stayed = stayed + 1 if here else 0
    return meetings


def _repeats_more(times: Counter[Couple], more: Counter[Couple]) -> int:
    return sum(
        max(0, times[couple] + change - 1) - max(0, times[couple] - 1)
        for couple, change in more.items()
    )


def _change(before: Iterable[Couple], after: Iterable[Couple]) -> Counter[Couple]:
    change = Counter(after)
    change.subtract(before)
    return change


def _couples(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from couples_among(table.seats.values())


def _partners(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from table.partners()


def _times(couples: Iterable[Couple]) -> Counter[Couple]:
    return Counter(ordered(*couple) for couple in couples)
