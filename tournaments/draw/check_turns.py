"""The verifier's second half: whether those sit out whose turn it is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tournaments.draw.models import Couple, PastEvening, Player, RoundDraw

_TRIES = 1500


class Tables:
    """Whether these people could have sat otherwise."""

    def __init__(
        self, players: Sequence[Player], fixed: Sequence[Couple], apart: Sequence[Couple]
    ) -> None:
        self.players = players
        self._fixed = [{*couple} for couple in fixed]
        self._apart = [{*couple} for couple in apart]
        self._tries = 0

    def could_swap(self, out: Sequence[Player], rests: Player, plays: Player) -> bool:
        """Whether the one who rests could have played, the other resting in his place.

        Always where nobody is kept apart; not when it takes too many tries to find.
        """
        resting = {*out, plays} - {rests}
        people = {*self.players} - resting
        apart = [couple for couple in self._apart if couple <= people]
        fixed = [couple for couple in self._fixed if couple <= people]
        quarrels = Counter(who for couple in apart for who in couple)
        units = [sorted(couple) for couple in fixed]
        units += [[who] for who in sorted(people - {who for couple in fixed for who in couple})]
        units.sort(key=lambda unit: (-sum(quarrels[who] for who in unit), -len(unit)))
        self._tries = _TRIES
        return self._place(units, [set() for _ in range(len(people) // 4)], apart)

    def _place(
        self, units: Sequence[list[Player]], tables: list[set[Player]], apart: list[set[Player]]
    ) -> bool:
        if not any(who in couple for unit in units for couple in apart for who in unit):
            # Those left may sit anywhere, but a couple needs two places at one table.
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


def turn_faults(
    tables: Tables,
    blocks: Sequence[Sequence[RoundDraw]],
    already_out: Sequence[Player],
    history: Sequence[PastEvening],
) -> Iterator[str]:
    """Who sits out though somebody else, who could have taken the turn, is more due."""
    times = Counter(already_out)
    below = _below_share(tables.players, history)
    for block in blocks:
        out = block[0].sit_out
        due = {who: (times[who], -below[who]) for who in tables.players}
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
        named = {who for couple in couples for who in couple}
        came.update(set(evening.attended) or named | {*evening.sat_out, *evening.three_handed})
        rested.update(evening.sat_out)
    all_came = sum(came[who] for who in players)
    all_rested = sum(rested[who] for who in players)
    if not all_came:
        return dict.fromkeys(players, Fraction(0))
    return {who: Fraction(came[who] * all_rested, all_came) - rested[who] for who in players}
