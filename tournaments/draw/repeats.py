"""How often people meet again in one evening, and which of them at which table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.draw.models import Couple, Player, RoundDraw, TableDraw


@dataclass(frozen=True)
class Again:
    """Two people who are together for the second time or more: `times` is 2, 3 …

    `as_partners` says what is counted: having been partners, or having shared a table.
    """

    one: Player
    other: Player
    times: int
    as_partners: bool


def partner_repeats(rounds: Sequence[RoundDraw]) -> int:
    """How often two people are partners beyond the first time, summed over couples."""
    return _beyond_first(partners_of(rounds))


def meeting_repeats(rounds: Sequence[RoundDraw], *, block: int) -> int:
    """How often two people share a table beyond the first time, summed over couples.

    Four people who stay together meet once for every `block` rounds begun: 3 in a rotation, 1
    where each round is drawn by itself.
    """
    return _beyond_first(meetings_of(rounds, block=block))


def repeats_by_table(
    rounds: Sequence[RoundDraw],
    number: int,
    *,
    played: Sequence[RoundDraw] = (),
    block: int = 1,
) -> dict[int, tuple[Again, ...]]:
    """By table number of that round, who is together there for the second time or more tonight.

    Counted over `played` and `rounds` up to and including `rounds[number]`; a couple is named
    once: as partners where they are partners again, else as table-mates. In a rotation `block` is
    3: its rounds are one meeting. Tables without a repeat are left out.
    """
    so_far = (*played, *rounds[: number + 1])
    partners, met = partners_of(so_far), meetings_of(so_far, block=block)
    found = {table.number: tuple(_again(table, partners, met)) for table in rounds[number].tables}
    return {table: again for table, again in found.items() if again}


def partners_of(rounds: Iterable[RoundDraw]) -> Counter[Couple]:
    """How often each couple are partners in these rounds."""
    return Counter(
        couple for played in rounds for table in played.tables for couple in table.partners()
    )


def meetings_of(rounds: Iterable[RoundDraw], *, block: int) -> Counter[Couple]:
    """How often each couple meet in these rounds, so many rounds at one table being one meeting."""
    meetings: Counter[Couple] = Counter()
    stayed: dict[frozenset[Player], int] = {}
    for played in rounds:
        foursomes = [table.people() for table in played.tables]
        stayed = {people: stayed.get(people, 0) + 1 for people in foursomes}
        for people in foursomes:
            if (stayed[people] - 1) % block == 0:
                meetings.update(couples_among(people))
    return meetings


def couples_among(people: Iterable[Player]) -> list[Couple]:
    """Every two of these people."""
    return list(combinations(sorted(people), 2))


def _again(
    table: TableDraw, partners: Mapping[Couple, int], met: Mapping[Couple, int]
) -> Iterator[Again]:
    for couple in couples_among(table.people()):
        if couple in table.partners() and partners[couple] > 1:
            yield Again(*couple, partners[couple], as_partners=True)
        elif met[couple] > 1:
            yield Again(*couple, met[couple], as_partners=False)


def _beyond_first(times: Counter[Couple]) -> int:
    return times.total() - len(times)
