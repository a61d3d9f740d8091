"""The verifier: says whether a draw keeps the rules, and shares no code with what drew it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tournaments.draw.models import Draw, Player, RoundDraw

_SEATS = ["E", "N", "S", "W"]
_ROUNDS_TOGETHER = 3


def check_draw(
    players: Sequence[Player], draw: Draw, *, already_out: Sequence[Player] = ()
) -> tuple[str, ...]:
    """Every fault of the draw in English, empty when it keeps all the rules.

    In each round everybody is exactly once at a table or out, tables have four players and are
    numbered from 1; nobody sits out while somebody else sat out fewer rounds of the evening
    (`already_out`: once for each round before these); in a rotation the four of a table stay
    together for three rounds and no two of them are partners twice in these.
    """
    faults = [
        f"round {number}: {fault}"
        for number, drawn in enumerate(draw.rounds, start=1)
        for fault in (*_table_faults(drawn), *_people_faults(players, drawn))
    ]
    together = _ROUNDS_TOGETHER if draw.method == "rotation" else 1
    blocks = [
        draw.rounds[start : start + together] for start in range(0, len(draw.rounds), together)
    ]
    faults += _turn_faults(players, blocks, already_out)
    if draw.method == "rotation":
        faults += [fault for block in blocks for fault in _block_faults(block)]
    return tuple(faults)


def _table_faults(drawn: RoundDraw) -> Iterator[str]:
    numbers = [table.number for table in drawn.tables]
    if numbers != [index + 1 for index in range(len(numbers))]:
        yield f"tables are numbered {numbers}"
    for table in drawn.tables:
        if sorted(table.seats) != _SEATS:
            yield f"table {table.number} has the seats {sorted(table.seats)}"


def _people_faults(players: Sequence[Player], drawn: RoundDraw) -> Iterator[str]:
    placed = Counter(drawn.sit_out)
    for table in drawn.tables:
        placed.update(table.seats.values())
    for player in sorted({*players, *placed}):
        if placed[player] != (1 if player in players else 0):
            yield f"{player} is placed {placed[player]} times"
    if len(drawn.sit_out) >= 4:
        yield f"{len(drawn.sit_out)} people sit out"


def _turn_faults(
    players: Sequence[Player], blocks: Sequence[Sequence[RoundDraw]], already_out: Sequence[Player]
) -> Iterator[str]:
    times = Counter(already_out)
    for block in blocks:
        out = block[0].sit_out
        fewest = min((times[player] for player in players if player not in out), default=0)
        for player in out:
            if times[player] > fewest:
                yield f"{player} sits out again before others did as often"
        for drawn in block:
            times.update(drawn.sit_out)


def _block_faults(block: Sequence[RoundDraw]) -> Iterator[str]:
    if any(set(drawn.sit_out) != set(block[0].sit_out) for drawn in block):
        yield "those who sit out change within a block"
    for same in zip(*(drawn.tables for drawn in block), strict=False):
        if any(set(table.seats.values()) != set(same[0].seats.values()) for table in same):
            yield f"table {same[0].number} changes within a block"
    tables = [table.seats for drawn in block for table in drawn.tables if len(table.seats) == 4]
    couples = Counter(
        " and ".join(sorted(couple))
        for seats in tables
        for couple in ((seats["N"], seats["S"]), (seats["E"], seats["W"]))
    )
    for couple, times in couples.items():
        if times > 1:
            yield f"{couple} are partners {times} times within a block"
