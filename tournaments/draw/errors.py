"""What can be wrong with the question put to the draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MESSAGES: Mapping[str, str] = {
    "bad_question": "{what}",
    "too_few_players": "a table needs four players and there are {count}",
    "too_many_players": "at most {most} players can be drawn, and there are {count}",
    "duplicate_player": "named more than once: {players}",
    "too_few_rounds": "at least one round must be drawn, not {count}",
    "too_many_rounds": "at most {most} rounds can be drawn, not {count}",
    "unknown_method": "there is no draw method {method!r}; there are {methods}",
    "unknown_leftover": "there is no way {leftover!r} for those left over; there are {leftovers}",
    "five_three_handed": "five players cannot sit at tables of four and three",
    "ranked_one_round": "a draw by standing is for one round, not {count}",
    "couple_of_one": "a couple needs two people: {players}",
    "couples_contradict": "these couples contradict each other: {couples}",
    "pairs_incomplete": "not in a pair: {players}",
    "too_many_stay": "{count} keep a table each, and the tables are {tables}",
    "not_in_round": "not in this round: {players}",
    "pairs_need_a_new_draw": "fixed pairs need a new draw when somebody comes or goes",
    "cannot_seat": "the couples leave no way to seat everybody",
}
CODES: tuple[str, ...] = tuple(MESSAGES)


@dataclass(frozen=True)
class DrawFault:
    """One fault: a code of `CODES` and the figures and names that belong in its message."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return MESSAGES[self.code].format_map(self.params)


class DrawError(ValueError):
    """The draw cannot be made. `faults` are all of them; `code` and `params` are the first's."""

    def __init__(self, faults: Sequence[DrawFault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = tuple(faults)
        self.code = self.faults[0].code
        self.params = self.faults[0].params
