"""The verifier: whether a draw follows the rules. Shares no code with the draw methods."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from tournaments.draw.core.models import (
    Couple,
    Draw,
    Leftover,
    PastEvening,
    Player,
    RoundDraw,
    TableDraw,
)

_FOUR, _THREE = ["E", "N", "S", "W"], ["E", "N", "S"]
_ROUNDS_TOGETHER = 3


def check_draw(
    players: Sequence[Player],
    draw: Draw,
    *,
    already_out: Sequence[Player] = (),
    leftover: Leftover = "sit_out",
    fixed: Sequence[Couple] = (),
    apart: Sequence[Couple] = (),
    history: Sequence[PastEvening] = (),
    played: Sequence[RoundDraw] = (),
    stays: Sequence[Player] = (),
) -> tuple[str, ...]:
    """Every fault of the draw, in English; empty if it follows all rules.

    In each round everyone is at one table or out; tables have four players and are numbered from 1;
    with `three_handed` there are as few tables of three as possible and nobody is out. `fixed`
    couples are partners whenever both play; at a table of three they are together, and only if
    there are too few others. `apart` couples share no table. Nobody sits out while someone else sat
    out fewer rounds this evening (`already_out`: once per earlier round; a round of `played` that
    somebody missed counts as well), or equally many and is
    further below their share of the season (`history`), unless the couples prevent exchanging the
    two. In a rotation four people stay together for three rounds and no two are partners twice,
    except fixed couples. Players in `stays` are always at the table where they first sat in
    `played`, if it exists and is free, or else where they first sit; only fixed couples share one.
    """
    leftover = "sit_out" if draw.method == "pairs" else leftover
    bound = [couple for couple in fixed if draw.method == "pairs" or {*couple} <= {*stays}]
    staying = {*stays}.intersection(players)
    apart = [*apart, *_holders_apart(staying, fixed)]
    faults = [
        f"round {number}: {fault}"
        for number, drawn in enumerate(draw.rounds, start=1)
        for fault in (
            *_table_faults(drawn, leftover),
            *_people_faults(players, drawn, leftover),
            *_couple_faults(players, drawn, fixed, apart),
        )
    ]
    together = _ROUNDS_TOGETHER if draw.method == "rotation" else 1
    blocks = [
        draw.rounds[start : start + together] for start in range(0, len(draw.rounds), together)
    ]
    # A pair rests together, although its two players may not be equally due.
    past = () if draw.method == "pairs" else history
    couples = () if draw.method == "pairs" else fixed
    table = _Alternatives(players, couples, apart)
    faults += _bye_faults(table, blocks, already_out, played, past)
    faults += _stay_faults(draw.rounds, played, staying, bound)
    if draw.method == "rotation":
        faults += [fault for block in blocks for fault in _block_faults(block, fixed)]
    return tuple(faults)


def _table_faults(drawn: RoundDraw, leftover: Leftover) -> Iterator[str]:
    numbers = [table.number for table in drawn.tables]
    if numbers != [index + 1 for index in range(len(numbers))]:
        yield f"tables are numbered {numbers}"
    allowed = [_FOUR] if leftover == "sit_out" else [_FOUR, _THREE]
    for table in drawn.tables:
        if sorted(table.seats) not in allowed:
            yield f"table {table.number} has the seats {sorted(table.seats)}"
    threes = sum(len(table.seats) == 3 for table in drawn.tables)
    if leftover == "three_handed" and threes > 3:
        yield f"{threes} tables of three, of which four would be three of four"
    if leftover == "three_handed_rest" and threes > 1:
        yield f"{threes} tables of three, where only three who are left over make one"


def _people_faults(
    players: Sequence[Player], drawn: RoundDraw, leftover: Leftover
) -> Iterator[str]:
    placed = Counter(drawn.sit_out)
    for table in drawn.tables:
        placed.update(table.seats.values())
    here = frozenset(players)
    for player in sorted({*players, *placed}):
        if placed[player] != (1 if player in here else 0):
            yield f"{player} is placed {placed[player]} times"
    most = {"sit_out": 3, "three_handed": 0, "three_handed_rest": 2}[leftover]
    if leftover == "three_handed_rest" and any(len(table.seats) == 3 for table in drawn.tables):
        most = 0
    if len(drawn.sit_out) > most:
        yield f"{len(drawn.sit_out)} people sit out"


def _couple_faults(
    players: Collection[Player],
    drawn: RoundDraw,
    fixed: Sequence[Couple],
    apart: Sequence[Couple],
) -> Iterator[str]:
    at = {player: table for table in drawn.tables for player in table.seats.values()}
    threes = sum(len(table.seats) == 3 for table in drawn.tables)
    coupled = {player for couple in fixed for player in couple if {*couple} <= {*players}}
    short = bool(apart) or len({*players} - coupled) < 3 * threes
    for player, other in fixed:
        if (
            player in at
            and other in at
            and not _are_partners(player, other, at[player], short=short)
        ):
            yield f"{player} and {other} are not partners"
    for player, other in apart:
        if player in at and other in at and at[player] is at[other]:
            yield f"{player} and {other} share table {at[player].number}"


def _are_partners(player: Player, other: Player, table: TableDraw, *, short: bool) -> bool:
    seats = table.seats
    if len(seats) == 3:
        return short and {player, other} <= {*seats.values()}
    sides = ({seats.get("N"), seats.get("S")}, {seats.get("E"), seats.get("W")})
    return {player, other} in sides


def _block_faults(block: Sequence[RoundDraw], fixed: Sequence[Couple]) -> Iterator[str]:
    if any(set(drawn.sit_out) != set(block[0].sit_out) for drawn in block):
        yield "those who sit out change within a block"
    for same in zip(*(drawn.tables for drawn in block), strict=False):
        if any(set(table.seats.values()) != set(same[0].seats.values()) for table in same):
            yield f"table {same[0].number} changes within a block"
    bound = {player for couple in fixed for player in couple}
    tables = [
        table.seats
        for drawn in block
        for table in drawn.tables
        if len(table.seats) == 4 and bound.isdisjoint(table.seats.values())
    ]
    couples = Counter(
        " and ".join(sorted(couple))
        for seats in tables
        for couple in ((seats["N"], seats["S"]), (seats["E"], seats["W"]))
    )
    for couple, times in couples.items():
        if times > 1:
            yield f"{couple} are partners {times} times within a block"


_MAX_TRIES = 1500


class _Alternatives:
    """Whether other people could have sat out."""

    def __init__(
        self, players: Sequence[Player], fixed: Sequence[Couple], apart: Sequence[Couple]
    ) -> None:
        self.players = players
        self._fixed = [{*couple} for couple in fixed]
        self._apart = [{*couple} for couple in apart]
        self._tries = 0

    def could_swap(self, out: Sequence[Player], rests: Player, plays: Player) -> bool:
        """Whether `rests` could have played with `plays` resting instead.

        Always if nobody is kept apart; no if the search takes too many tries.
        """
        resting = {*out, plays} - {rests}
        people = {*self.players} - resting
        apart = [couple for couple in self._apart if couple <= people]
        fixed = [couple for couple in self._fixed if couple <= people]
        quarrels = Counter(player for couple in apart for player in couple)
        units = [sorted(couple) for couple in fixed]
        units += [
            [player]
            for player in sorted(people - {player for couple in fixed for player in couple})
        ]
        units.sort(key=lambda unit: (-sum(quarrels[player] for player in unit), -len(unit)))
        self._tries = _MAX_TRIES
        return self._place(units, [set() for _ in range(len(people) // 4)], apart)

    def _place(
        self,
        units: Sequence[list[Player]],
        tables: list[set[Player]],
        apart: list[set[Player]],
    ) -> bool:
        if not any(player in couple for unit in units for couple in apart for player in unit):
            # The rest may sit anywhere, but a couple needs two places at one table.
            couples = sum(len(unit) == 2 for unit in units)
            return couples <= sum((4 - len(table)) // 2 for table in tables)
        for table in tables:
            self._tries -= 1
            together = table | {*units[0]}
            fine = len(together) <= 4 and not any(couple <= together for couple in apart)
            if fine and self._tries > 0:
                table |= {*units[0]}
                if self._place(units[1:], tables, apart):
                    return True
                table -= {*units[0]}
            if not table:
                break
        return False


def _bye_faults(
    tables: _Alternatives,
    blocks: Sequence[Sequence[RoundDraw]],
    already_out: Sequence[Player],
    played: Sequence[RoundDraw],
    history: Sequence[PastEvening],
) -> Iterator[str]:
    """Players who sit out although someone more due could have; a missed round is a turn."""
    times = Counter(already_out)
    for drawn in played:
        seated = {player for table in drawn.tables for player in table.seats.values()}
        was_there = {*seated, *drawn.sit_out, *drawn.substitutes}
        times.update(player for player in tables.players if player not in was_there)
    below = _below_share(tables.players, history)
    for block in blocks:
        out = block[0].sit_out
        due = {player: (times[player], -below[player]) for player in tables.players}
        for player in out:
            more_due = [
                other
                for other in tables.players
                if other not in out
                and due[other] < due.get(player, (0, 0))
                and tables.could_swap(out, player, other)
            ]
            if any(times[other] < times[player] for other in more_due):
                yield f"{player} sits out again before others did as often"
            elif more_due:
                yield f"{player} sits out before others who are further below their share"
        for drawn in block:
            times.update(drawn.sit_out)


def _below_share(
    players: Sequence[Player], history: Sequence[PastEvening]
) -> dict[Player, Fraction]:
    came: Counter[Player] = Counter()
    rested: Counter[Player] = Counter()
    for evening in history:
        couples = [*evening.partners, *evening.opponents]
        named = {player for couple in couples for player in couple}
        came.update(set(evening.attended) or named | {*evening.sat_out, *evening.three_handed})
        rested.update(evening.sat_out)
    all_came = sum(came[player] for player in players)
    all_rested = sum(rested[player] for player in players)
    if not all_came:
        return dict.fromkeys(players, Fraction(0))
    return {
        player: Fraction(came[player] * all_rested, all_came) - rested[player] for player in players
    }


def _stay_faults(
    rounds: Sequence[RoundDraw],
    played: Sequence[RoundDraw],
    stays: Collection[Player],
    fixed: Sequence[Couple],
) -> Iterator[str]:
    """Players who leave the table where they first sat; a fixed couple counts as one."""
    first_of = {player: min(couple) for couple in fixed for player in couple}
    names = {player: first_of.get(player, player) for player in stays}
    tables = {table.number for table in rounds[0].tables} if rounds else set()
    sat: dict[str, int] = {}
    for player, number in _seatings(played, names.keys()):
        sat.setdefault(names[player], number)
    table_of: dict[str, int] = {}
    for name in sorted(sat):
        if sat[name] in tables.difference(table_of.values()):
            table_of[name] = sat[name]
    for player, number in _seatings(rounds, names.keys()):
        home = table_of.setdefault(names[player], number)
        if home != number:
            yield f"{player} keeps table {home} and sits at table {number}"


def _holders_apart(stays: Collection[Player], fixed: Sequence[Couple]) -> list[Couple]:
    """Every pair with fixed seats, except fixed couples: they need different tables."""
    couples = {frozenset(couple) for couple in fixed}
    people = sorted(stays)
    return [
        (player, other)
        for place, player in enumerate(people)
        for other in people[place + 1 :]
        if frozenset((player, other)) not in couples
    ]


def _seatings(
    rounds: Sequence[RoundDraw], people: Collection[Player]
) -> Iterator[tuple[Player, int]]:
    for drawn in rounds:
        for table in drawn.tables:
            yield from (
                (player, table.number) for player in table.seats.values() if player in people
            )
