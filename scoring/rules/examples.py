"""What a setting does: a worked example of each, under the regulation as it stands.

Each example is chosen so that every value of its setting leads to another outcome. Wij (we) are
North and South, zij (they) East and West; whoever must decide about a card is you, South.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.rules.example_texts import CARDS_SAID, OUTCOMES, SIDES_SAID, SITUATIONS
from scoring.rules.explain import explain
from scoring.rules.legal import legal_cards
from scoring.rules.lines import evaluate
from scoring.rules.messages import Language
from scoring.rules.regulation import Regulation

_HEARTS: Final[Mapping[str, object]] = {"declarer": "N", "trump": "H"}
_RENEGED: Final = {
    **_HEARTS,
    "points": {"NS": 90},
    "roem": {"NS": [20]},
    "reneged": "E",
}
_DEALS: Final[Mapping[str, Mapping[str, Any]]] = {
    "nat": {**_HEARTS, "points": {"NS": 65}, "roem": {"NS": [20]}},
    "nat_counts_roem": {**_HEARTS, "points": {"NS": 85}, "roem": {"EW": [20]}},
    "nat_roem": {**_HEARTS, "points": {"NS": 65}, "roem": {"NS": [20], "EW": [20]}},
    "pit_bonus": {**_HEARTS, "pit": "NS"},
    "counter_pit_bonus": {**_HEARTS, "pit": "EW"},
    "shutout_bonus": {**_HEARTS, "points": {"NS": 162}},
    "reneging": _RENEGED,
    "reneging_fine": _RENEGED,
    "unproven_reneging": {**_HEARTS, "points": {"NS": 90}, "accused_wrongly_by": "E"},
}
_HANDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "must_trump": (("9H", "7H", "AD"), ("AC", "TH", "7C")),
    "undertrump": (("7H", "AD", "8S"), ("AC", "7C", "TH")),
}
"""Your hand, and what the three before you played; hearts are trumps."""

_RANKS: Final = ("7", "9", "10")
"""The lowest ranks of which four of a kind may count, ascending."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A `situation` at the table and what follows from it, a sentence per line.

    Where it is about a card, `hand` is what you hold and `allowed` what you may play of it.
    """

    situation: str
    lines: tuple[str, ...]
    hand: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def setting_effect(
    name: str, regulation: Regulation, language: Language = "en", pit: str = "pit"
) -> Effect:
    """An example of what the setting `name` of this regulation does.

    `pit` is the club's word for it. Raises KeyError for a name that is no setting.

    >>> setting_effect("four_jacks", Regulation(four_jacks=100), "nl").lines
    ('Wij 97 + 100 roem = 197, zij 65: gehaald',)
    """
    return _Example(name, regulation, language, pit).effect()


@dataclass(frozen=True, slots=True)
class _Example:
    name: str
    regulation: Regulation
    language: Language
    pit: str

    def effect(self) -> Effect:
        if self.name in _HANDS:
            return self.card()
        match self.name:
            case "four_of_a_kind_from":
                lines = self.lowest_carre()
            case "four_of_a_kind" | "four_jacks":
                lines = self.carres(1)
            case "nil_bonus":
                lines = self.nil()
            case "no_trump":
                lines = self.no_trump()
            case "reneging_roem":
                lines = self.deal({**_HEARTS, "points": {"NS": 90}, self.lost_by: "E"})
            case "bidding" | "second_round" | "all_pass":
                lines = self.bidding()
            case _:
                lines = self.deal(_DEALS[self.name])
        return Effect(self.situation, lines)

    @property
    def situation(self) -> str:
        again = self.name == "all_pass" and self.regulation.second_round != "none"
        accused = self.name == "reneging_roem" and self.lost_by == "accused_wrongly_by"
        key = "unproven_reneging" if accused else f"{self.name}_again" if again else self.name
        return SITUATIONS[self.language][key]

    @property
    def lost_by(self) -> str:
        """How a deal comes to be lost in this regulation: by reneging, else by an accusation."""
        proven = self.regulation.reneging in ("deal_lost", "deal_lost_with_roem")
        unproven = self.regulation.unproven_reneging == "deal_lost"
        return "accused_wrongly_by" if unproven and not proven else "reneged"

    def card(self) -> Effect:
        hand, trick = _HANDS[self.name]
        allowed = legal_cards(hand, trick, "H", self.regulation)
        words = CARDS_SAID[self.language]
        cards = words["or"].join(words[card] for card in allowed)
        return Effect(self.situation, (self.say("may_play", cards=cards),), hand, allowed)

    def lowest_carre(self) -> tuple[str, ...]:
        lowest = _RANKS.index(self.regulation.four_of_a_kind_from)
        counted = {rank: _RANKS.index(rank) >= lowest for rank in ("7", "9")}
        said = [
            self.say("counts" if counts else "counts_not", Cards=self.say(rank).capitalize())
            for rank, counts in counted.items()
        ]
        return (*said, *self.carres(sum(counted.values())))

    def carres(self, count: int) -> tuple[str, ...]:
        """A deal in which we announced so many of them; those that are worth nothing, nobody."""
        jacks = self.name == "four_jacks"
        points = self.regulation.four_jacks if jacks else self.regulation.four_of_a_kind
        roem = [points] * count if points else []
        return self.deal({**_HEARTS, "points": {"NS": 97}, "roem": {"NS": roem}})

    def nil(self) -> tuple[str, ...]:
        if self.regulation.nil_bonus is None:
            return (self.say("no_nil"),)
        deals = [{**_HEARTS, "nil": end} for end in ("made", "failed")]
        return tuple(line for deal in deals for line in self.deal(deal))

    def no_trump(self) -> tuple[str, ...]:
        if not self.regulation.no_trump:
            return (self.say("no_no_trump"),)
        return self.deal({"declarer": "N", "trump": "NT", "points": {"NS": 80}})

    def bidding(self) -> tuple[str, ...]:
        value = getattr(self.regulation, self.name)
        line = self.say(f"{self.name}:{value}")
        if value != "other_suit_or_no_trump":
            return (line,)
        allowed = self.regulation.no_trump
        return line, self.say("or_no_trump" if allowed else "or_no_trump_not_allowed")

    def deal(self, written: Mapping[str, Any]) -> tuple[str, ...]:
        """What we and they would say of this deal."""
        sides = SIDES_SAID[self.language]
        result = evaluate(dict(written), self.regulation)
        return explain(result, self.language, {"NS": sides["NS"], "EW": sides["EW"]}, pit=self.pit)

    def say(self, phrase: str, **words: str) -> str:
        return OUTCOMES[self.language][phrase].format_map(words)
