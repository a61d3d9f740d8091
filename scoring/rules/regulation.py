"""How a club plays: every setting that changes what a deal may be or comes to.

What each setting means, and where clubs differ, is in docs/regulations.md.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Final

from scoring.rules.play_settings import BiddingSettings, CardSettings, LowestCarre, RoemFrom
from scoring.rules.score_settings import ScoreSettings
from scoring.rules.settings import Setting

Carre = tuple[LowestCarre, int, int, RoemFrom]

TRUMP_DEAL_POINTS = 162
NO_TRUMP_DEAL_POINTS = 130


@dataclass(frozen=True)
class RuleSet(BiddingSettings, ScoreSettings, CardSettings):
    """A complete set of settings; the defaults are the preset `amsterdam`.

    >>> RuleSet(four_jacks=100).as_settings()["four_jacks"]
    100
    """

    def as_settings(self) -> dict[str, object]:
        """Every setting by name, as JSON has it; `parse_regulation` turns it back."""
        return asdict(self)

    @cached_property
    def carre(self) -> Carre:
        """All that a regulation says of roem: from which rank fours count, for how much, and where
        roem lies.

        >>> RuleSet().carre
        ('7', 100, 200, 'trick')
        """
        fours = self.four_of_a_kind_from, self.four_of_a_kind, self.four_jacks
        return *fours, self.roem_from

    @cached_property
    def asks_bid(self) -> bool:
        """Whether what was bid is written, and the declarers need it."""
        return self.bidding == "free" and self.bid_needed

    @cached_property
    def roem_values(self) -> frozenset[int]:
        """The points one announcement of roem can be worth.

        >>> sorted(RuleSet().roem_values)
        [20, 40, 50, 70, 100, 200]
        """
        return frozenset({20, 40, 50, 70, self.four_of_a_kind, self.four_jacks})


SETTINGS: Final[Mapping[str, Setting]] = {
    field.name: field.metadata["setting"] for field in fields(RuleSet)
}
"""Every setting by name, in the order in which a form asks them."""
