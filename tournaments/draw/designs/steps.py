"""A few rounds for any number of players, those who sit out included."""

from collections.abc import Iterator, Sequence

from tournaments.draw.designs.models import Round, Schedule, as_table, renamed

_SPEEDS = {
    29: (5, (1, 0, 2, 5)),
    33: (4, (1, 0, 2, 3)),
    34: (5, (2, 4, 0, 5)),
    37: (5, (3, 0, 1, 8)),
    38: (5, (1, 3, 0, 8)),
    41: (5, (1, 0, 2, 3)),
    42: (8, (6, 8, 0, 1)),
    45: (9, (1, 0, 2, 7)),
    46: (6, (1, 2, 0, 5)),
    49: (6, (3, 1, 6, 8)),
    50: (10, (5, 7, 0, 1)),
    53: (11, (1, 0, 2, 8)),
    54: (7, (1, 4, 0, 2)),
}
"""Where better speeds than one to four are known: for how many rounds, and the speeds."""


def steps(players: int) -> Schedule:
    """So many players at m = players // 4 tables, when at most two of them sit out each round.

    (m + 2) // 3 rounds when nobody sits out, else (m + 1) // 3 but at least one; more where
    better speeds are stored. Nobody meets twice and nobody sits out twice.
    """
    tables, left_over = divmod(players, 4)
    any_number = (max(1, (tables + (1 if left_over else 2)) // 3), (1, 2, 3, 4))
    rounds, speeds = _SPEEDS.get(players, any_number)
    return Schedule(rounds, lambda: _steps(players, rounds, speeds))


def _steps(players: int, rounds: int, speeds: Sequence[int]) -> Iterator[Round]:
    """Four groups go around the m tables, each at its own speed in tables a round.

    Where people are left over, the first group or two have one player more: their wheel has
    m + 1 places, the last of which is out. At speeds one to four, two people of two groups whose
    speeds differ by k = 1 … 3 meet in two rounds, d apart, only when kd is at least m − 1 (m, when
    the wheels are alike), or when it is 1 and the larger wheel is the faster; which it never is.
    """
    tables, left_over = divmod(players, 4)
    sizes = [tables + (group < left_over) for group in range(4)]
    starts = [sum(sizes[:group]) for group in range(4)]
    wheels = list(zip(starts, speeds, sizes, strict=True))
    for number in range(rounds):
        yield [
            as_table(start + (table + speed * number) % size for start, speed, size in wheels)
            for table in range(tables)
        ]


_AROUND = {
    17: (3, "6 11 7 13, 16 9 12 1, 10 8 3 4, 15 5 14 2"),
    18: (3, "9 16 4 2, 11 13 10 1, 5 8 7 12, 17 15 6 14"),
    21: (4, "7 2 20 15, 3 1 12 13, 10 16 14 17, 19 4 11 5, 9 8 6 18"),
    22: (4, "13 15 16 1, 21 2 3 10, 11 9 18 12, 6 19 17 20, 7 8 14 5"),
    25: (4, "5 9 10 14, 4 21 7 15, 6 18 13 16, 17 2 22 3, 19 20 12 23, 11 8 1 24"),
    26: (5, "22 1 9 24, 15 4 2 20, 21 7 10 11, 8 13 25 3, 18 12 6 14, 19 16 23 17"),
    30: (5, "13 16 9 26, 15 6 27 19, 22 8 14 2, 28 1 17 3, 25 7 10 29, 20 24 18 23, 11 4 21 12"),
}
"""How many rounds there are, and the tables of the first of them."""


def around(players: int) -> Schedule | None:
    """From the stored first round, in which some number is missing; None when there is none.

    Each round follows from the one before by adding 1 to each number, modulo how many players
    there are. Found by search; nobody meets twice and nobody sits out twice.
    """
    if players not in _AROUND:
        return None
    rounds, _ = _AROUND[players]
    return Schedule(rounds, lambda: _around(players))


def _around(players: int) -> Iterator[Round]:
    rounds, tables = _AROUND[players]
    first = [as_table(map(int, table.split())) for table in tables.split(", ")]
    for by in range(rounds):
        yield renamed(first, [(player + by) % players for player in range(players)])
