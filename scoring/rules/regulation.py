"""How a club plays: every setting that changes what a deal may be or comes to.

What each setting means, and where clubs differ, is in docs/regulations.md.
"""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal

MustTrump = Literal["amsterdam", "rotterdam", "trump_only"]
Undertrump = Literal["avoid", "obligatory"]
LowestCarre = Literal["7", "9", "10"]
Carre = tuple[LowestCarre, int, int]
NatRoem = Literal["opponents", "lost"]
Reneging = Literal["deal_lost", "deal_lost_with_roem", "culprit_fined", "replay", "none"]
UnprovenReneging = Literal["deal_lost", "none"]
Bidding = Literal[
    "forehand_must",
    "dealer_must",
    "round_from_forehand",
    "round_from_dealer",
    "turned_card",
    "free",
]
SecondRound = Literal["none", "other_suit", "other_suit_or_no_trump"]
AllPass = Literal["dealer_must", "forehand_must", "turn_again"]

TRUMP_DEAL_POINTS = 162
NO_TRUMP_DEAL_POINTS = 130


@dataclass(frozen=True)
class Regulation:
    """A complete set of settings; the defaults are the preset `amsterdam`.

    >>> Regulation(four_jacks=100).as_settings()["four_jacks"]
    100
    """

    must_trump: MustTrump = "amsterdam"
    undertrump: Undertrump = "avoid"
    four_of_a_kind_from: LowestCarre = "7"
    four_of_a_kind: int = 100
    four_jacks: int = 200
    nat: bool = True
    nat_counts_roem: bool = True
    nat_roem: NatRoem = "opponents"
    pit_bonus: int = 100
    counter_pit_bonus: int = 100
    shutout_bonus: int = 0
    nil_bonus: int | None = None
    no_trump: bool = False
    reneging: Reneging = "deal_lost"
    reneging_roem: int = 100
    reneging_fine: int = 100
    unproven_reneging: UnprovenReneging = "none"
    bidding: Bidding = "round_from_forehand"
    second_round: SecondRound = "none"
    all_pass: AllPass = "forehand_must"  # noqa: S105

    def as_settings(self) -> dict[str, object]:
        """Every setting by name, as JSON has it; `parse_regulation` turns it back."""
        return asdict(self)

    @cached_property
    def carre(self) -> Carre:
        """All that a regulation says of roem: from which rank fours count, and for how much.

        >>> Regulation().carre
        ('7', 100, 200)
        """
        return self.four_of_a_kind_from, self.four_of_a_kind, self.four_jacks

    @cached_property
    def roem_values(self) -> frozenset[int]:
        """The points one announcement of roem can be worth.

        >>> sorted(Regulation().roem_values)
        [20, 40, 50, 70, 100, 200]
        """
        return frozenset({20, 40, 50, 70, self.four_of_a_kind, self.four_jacks})
