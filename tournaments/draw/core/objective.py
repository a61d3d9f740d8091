"""The cost of a seating, in order of importance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tournaments.draw.core.bye_fairness import turns_owed
from tournaments.draw.core.constraints import Constraints
from tournaments.draw.core.models import TABLE_SIZE, Couple, PastEvening, Player, RoundDraw, ordered
from tournaments.draw.core.pair_counts import meetings_of, partners_of
from tournaments.draw.core.state import OPPOSITE, Group, SeatedTable, Seats


class SeatingCost(NamedTuple):
    """Costs compared in order: the least of one outweighs all of the next.

    Violated constraints; repeated partners tonight; turns of sitting out and playing three-handed,
    tonight and (in millionths) over the season; repeated meetings tonight; changed tables; earlier
    partnerships and meetings this season.
    """

    faults: int = 0
    partners: int = 0
    turns: int = 0
    season_turns: int = 0
    meetings: int = 0
    changes: int = 0
    season_partners: int = 0
    season_meetings: int = 0

    def plus(self, *others: "SeatingCost") -> "SeatingCost":
        """The sum with others."""
        return SeatingCost(*map(sum, zip(self, *others, strict=True)))

    def less(self, *others: "SeatingCost") -> "SeatingCost":
        """The difference with others."""
        return SeatingCost(*(mine - sum(rest) for mine, *rest in zip(self, *others, strict=True)))


class SeasonHistory:
    """Earlier evenings of these players: who was with whom, and who is due for a turn."""

    def __init__(self, players: Iterable[Player], history: Sequence[PastEvening]) -> None:
        known = frozenset(players)
        partners = [ordered(*couple) for past in history for couple in past.partners]
        opponents = [ordered(*couple) for past in history for couple in past.opponents]
        self.partners: Mapping[Couple, int] = dict(Counter(partners))
        self.meetings: Mapping[Couple, int] = dict(Counter(partners + opponents))
        out, three = [past.sat_out for past in history], [past.three_handed for past in history]
        self.owed_out = _millionths(turns_owed(known, history, out))
        self.owed_three = _millionths(turns_owed(known, history, three))


class Objective:
    """Evaluates one place in the evening.

    `others` are all other rounds of the evening; `elsewhere` excludes those of the same block of a
    rotation, whose meetings are the same one.
    """

    def __init__(
        self,
        season: SeasonHistory,
        constraints: Constraints,
        others: Sequence[RoundDraw],
        elsewhere: Sequence[RoundDraw],
    ) -> None:
        self._season = season
        self._constraints = constraints
        self._partners = frozenset(partners_of(others))
        self._met = frozenset(meetings_of(elsewhere, block=1))
        self._out = Counter(player for drawn in others for player in drawn.sit_out)
        tables = [table.people() for drawn in others for table in drawn.tables]
        threes = [people for people in tables if len(people) < TABLE_SIZE]
        self._three = Counter(player for people in threes for player in people)

    def table(self, number: int, table: SeatedTable, out: Group) -> SeatingCost:
        """The cost of this table while `out` sit out."""
        partners = meetings = were_partners = had_met = 0
        people, season = table.people, self._season
        for first, second, times in _couples(table.seats):
            couple = ordered(people[first], people[second])
            if times:
                partners += times - (couple not in self._partners)
                were_partners += times * season.partners.get(couple, 0)
            meetings += couple in self._met
            had_met += season.meetings.get(couple, 0)
        turns = self.at_three(people if len(people) < TABLE_SIZE else (), len(table.seats))
        return turns._replace(
            faults=sum(self._constraints.count_faults(drawn, out) for drawn in table.drawn(number)),
            partners=partners,
            meetings=meetings,
            season_partners=were_partners,
            season_meetings=had_met,
        )

    def at_three(self, people: Group, rounds: int) -> SeatingCost:
        """The cost of these people playing three-handed for this many rounds."""
        return SeatingCost(
            turns=_turns(people, self._three, rounds),
            season_turns=-sum(self._season.owed_three[player] for player in people),
        )

    def out(self, people: Group, rounds: int) -> SeatingCost:
        """The cost of these people sitting out for this many rounds."""
        return SeatingCost(
            turns=_turns(people, self._out, rounds),
            season_turns=-sum(self._season.owed_out[player] for player in people),
        )


def _turns(people: Iterable[Player], had: Mapping[Player, int], rounds: int) -> int:
    """Quadratic in the turns of tonight, so that turns are spread over people."""
    return sum((had.get(player, 0) + rounds) ** 2 - had.get(player, 0) ** 2 for player in people)


def _millionths(owed: Mapping[Player, Fraction]) -> dict[Player, int]:
    return {player: round(turns * 10**6) for player, turns in owed.items()}


@cache
def _couples(seats: tuple[Seats, ...]) -> tuple[tuple[int, int, int], ...]:
    """Every pair of places at a table, and in how many rounds the two are partners."""
    places = range(len(seats[0]))
    return tuple(
        (
            first,
            second,
            sum(OPPOSITE[at[first]] == at[second] for at in seats if len(at) == TABLE_SIZE),
        )
        for first, second in combinations(places, 2)
    )
