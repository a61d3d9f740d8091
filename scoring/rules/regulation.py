"""How a club plays: every setting that changes what a deal may be or comes to; here those of nat,
pit and other extras, and reneging.

What each setting means, and where clubs differ, is in docs/regulations.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Final, Literal

from scoring.rules.play_settings import BiddingSettings, CardSettings, LowestCarre, RoemFrom
from scoring.rules.settings import Example, Rules, Setting, setting
from scoring.rules.texts import english

Carre = tuple[LowestCarre, int, int, RoemFrom]

TRUMP_DEAL_POINTS = 162
NO_TRUMP_DEAL_POINTS = 130
NatRoem = Literal["opponents", "lost"]
Reneging = Literal["deal_lost", "deal_lost_with_roem", "culprit_fined", "replay", "none"]
RenegesReplayed = Literal[0, 1, 2]
UnprovenReneging = Literal["deal_lost", "none"]

_LOST: Final = ("deal_lost", "deal_lost_with_roem")
_YES_NO: Final = {True: english("yes"), False: english("no")}
_UNPROVEN: Final = Example(
    english(
        "We play and take 90 points. East says that somebody reneged, but that turns "
        "out not to be so."
    ),
    deals=({"points": {"NS": 90}, "accused_wrongly_by": "E"},),
)
_RENEGING_RULES: Final[Mapping[tuple[str, bool], str]] = {
    ("deal_lost", True): english(
        "Once it is proved, the other side gets {all_points} and {reneging_roem} "
        "roem. Nothing else is written of that deal."
    ),
    ("deal_lost", False): english(
        "Once it is proved, the other side gets {all_points}. Nothing else is written of that deal."
    ),
    ("deal_lost_with_roem", True): english(
        "Once it is proved, the other side gets {all_points}, {reneging_roem} roem "
        "and the roem it already had in that deal."
    ),
    ("deal_lost_with_roem", False): english(
        "Once it is proved, the other side gets {all_points} and the roem it already "
        "had in that deal."
    ),
    ("culprit_fined", False): english(
        "Once it is proved, the deal counts as usual. Whoever reneged loses "
        "{reneging_fine} points; their partner does not."
    ),
    ("replay", False): english(
        "Once it is proved, the deal does not count and the same dealer deals again."
    ),
    ("none", False): english("There is no penalty: the deal counts as it was played."),
}
"""By what follows, and whether roem is part of it."""


def _nat_rule(rules: Rules) -> Iterator[str]:
    if not rules.nat:
        yield english(
            "We play without nat: even when the declaring side does not make it, each"
            " side keeps its own points and roem."
        )
    elif rules.nat_counts_roem:
        yield english(
            "The declaring side must get more than the defenders, roem included. If "
            "it does not, or if it is equal, it is nat. Without any roem {enough} are"
            " enough."
        )
    else:
        yield english(
            "The declaring side must get more card points than the defenders: "
            "{enough}. Roem does not count for this. If it does not, it is nat."
        )


def _nat_roem_rule(rules: Rules) -> Iterator[str]:
    if rules.nat and rules.nat_roem == "opponents":
        yield english(
            "A side that is nat gets nothing. The defenders get {all_points} and the "
            "roem of both sides."
        )
    elif rules.nat:
        yield english(
            "A side that is nat gets nothing and loses the roem as well. The "
            "defenders get {all_points} and only their own roem."
        )


def _shutout_rule(rules: Rules) -> Iterator[str]:
    if rules.shutout_bonus:
        yield english(
            "When the defenders have no points and no roem, and it is no {pit}, the "
            "declaring side gets {shutout_bonus} points extra."
        )


def _nil_example(rules: Rules) -> Example:
    situation = english("We play and promise to take no trick at all.")
    if rules.nil_bonus is None:
        return Example(situation, (english("That cannot be: nil is not played."),))
    return Example(situation, deals=({"nil": "made"}, {"nil": "failed"}))


def _nil_rule(rules: Rules) -> Iterator[str]:
    if rules.nil_bonus is not None:
        yield english(
            "You can also play nil: then your side must take no trick at all. If that"
            " works, it gets {nil_bonus} points and the other side nothing."
        )
        yield english(
            "If you take a trick in nil after all, the other side gets {all_points} and all roem."
        )


def _no_trump_example(rules: Rules) -> Example:
    situation = english("We want to play without trumps, and would take 80 points.")
    if not rules.no_trump:
        return Example(
            situation, (english("That cannot be: whoever plays must name a trump suit."),)
        )
    return Example(situation, deals=({"trump": "NT", "points": {"NS": 80}},))


def _no_trump_rule(rules: Rules) -> Iterator[str]:
    if rules.no_trump:
        yield english("A deal may also be played without trumps. All suits are then plain suits.")
        yield english("Then only following suit binds. If you cannot, you play what you like.")
        yield english(
            "Without trumps a whole deal is 130 points, the last trick included, and "
            "there is no stuk."
        )


def _reneging_example(rules: Rules) -> Example:
    return _reneged_example(
        english("We play, take 90 points and announce 20 roem. East, one of them, reneged."),
        {"points": {"NS": 90}, "roem": {"NS": [20]}},
        rules,
    )


def _reneged_example(situation: str, deal: Mapping[str, Any], rules: Rules) -> Example:
    """East reneged, as often as it takes to be punished."""
    replays: int = rules.reneges_replayed if rules.reneging != "replay" else 0
    again = english("For that it was dealt again already, so now the penalty counts.")
    says = (again,) if replays else ()
    return Example(situation, says, ({**deal, "reneged": "E", "replays": replays},))


def _replayed_example(rules: Rules) -> Example:
    """East reneges until it is punished."""
    return Example(
        english(
            "We play and take 90 points. East, one of them, reneges, and does so again whenever "
            "the deal is dealt again."
        ),
        deals=tuple(
            {"points": {"NS": 90}, "reneged": "E", "replays": replays}
            for replays in range(rules.reneges_replayed + 1)
        ),
    )


def _replayed_rule(rules: Rules) -> Iterator[str]:
    if rules.reneging != "replay" and rules.reneges_replayed == 1:
        yield english(
            "The first time in a deal there is no penalty yet: the same dealer deals again."
        )
    elif rules.reneging != "replay" and rules.reneges_replayed == 2:
        yield english(
            "The first two times in a deal there is no penalty yet: the same dealer deals again."
        )


def _reneging_rule(rules: Rules) -> Iterator[str]:
    with_roem = rules.reneging in _LOST and rules.reneging_roem > 0
    yield _RENEGING_RULES[rules.reneging, with_roem]


def _lost_deal_example(rules: Rules) -> Example:
    """How a deal comes to be lost under this regulation: by reneging, else by an accusation."""
    if rules.unproven_reneging == "deal_lost" and rules.reneging not in _LOST:
        return _UNPROVEN
    return _reneged_example(
        english("We play and East, one of them, reneged."), {"points": {"NS": 90}}, rules
    )


def _unproven_rule(rules: Rules) -> Iterator[str]:
    if rules.unproven_reneging == "none":
        yield english(
            "Whoever says that somebody reneged and cannot prove it gets no penalty for that."
        )
    elif rules.reneging_roem:
        yield english(
            "Whoever says that somebody reneged and cannot prove it loses the deal: "
            "the other side gets {all_points} and {reneging_roem} roem."
        )
    else:
        yield english(
            "Whoever says that somebody reneged and cannot prove it loses the deal: "
            "the other side gets {all_points}."
        )


@dataclass(frozen=True)
class ScoreSettings:
    """What a deal comes to."""

    nat: bool = setting(
        True,
        group="nat",
        noun=english("nat"),
        question=english("Do you play with nat?"),
        sentence=english(
            "Declarers who take no more than the other side are nat and write nothing."
        ),
        choices={
            True: english("yes"),
            False: english("no, each side keeps its points"),
        },
        example=Example(
            english("We play, take 65 points and announce 20 roem."),
            deals=({"points": {"NS": 65}, "roem": {"NS": [20]}},),
        ),
        rule=_nat_rule,
    )
    nat_counts_roem: bool = setting(
        True,
        group="nat",
        noun=english("nat or not"),
        question=english("Does roem count when you see whether it is nat?"),
        sentence=english(
            "The side that plays must have more than the other side, with or without roem."
        ),
        choices={
            True: english("yes, points and roem together"),
            False: english("no, card points alone"),
        },
        matters=lambda rules: rules.nat,
        example=Example(
            english("We play and take 85 points. They announce 20 roem."),
            deals=({"points": {"NS": 85}, "roem": {"EW": [20]}},),
        ),
    )
    nat_roem: NatRoem = setting(
        "opponents",
        group="nat",
        noun=english("roem of the nat side"),
        question=english("Where does the roem of the nat side go?"),
        sentence=english("The nat side may have announced roem in that deal."),
        choices={
            "opponents": english("to the other side"),
            "lost": english("lost"),
        },
        matters=lambda rules: rules.nat,
        example=Example(
            english("We play, take 65 points and announce 20 roem. They announce 20 roem too."),
            deals=({"points": {"NS": 65}, "roem": {"NS": [20], "EW": [20]}},),
        ),
        rule=_nat_roem_rule,
    )
    pit_bonus: int = setting(
        100,
        group="pit",
        noun=english("{pit}"),
        question=english("What does {pit} earn on top?"),
        sentence=english("The side that plays takes all eight tricks."),
        example=Example(english("We play and take every trick."), deals=({"pit": "NS"},)),
        rule=lambda rules: [
            english("When the declaring side makes {pit}, it gets {pit_bonus} points extra.")
            if rules.pit_bonus
            else english("For {pit} by the declaring side there are no extra points.")
        ],
    )
    counter_pit_bonus: int = setting(
        100,
        group="pit",
        noun=english("counter-{pit}"),
        question=english("What does counter-{pit} earn on top?"),
        sentence=english(
            "The other side takes all eight tricks; the side that played is nat as well."
        ),
        example=Example(english("We play and they take every trick."), deals=({"pit": "EW"},)),
        rule=lambda rules: [
            english(
                "When the defenders take all tricks, that is counter-{pit}: "
                "{counter_pit_bonus} points extra for them."
            )
            if rules.counter_pit_bonus
            else english(
                "When the defenders take all tricks, that is counter-{pit}. There are no extra "
                "points for it."
            )
        ],
    )
    shutout_bonus: int = setting(
        0,
        group="pit",
        noun=english("all points without {pit}"),
        question=english(
            "What does it earn on top when the other side takes a trick, but no points?"
        ),
        sentence=english(
            "That happens with a trick of four worthless cards; most clubs give nothing."
        ),
        example=Example(
            english("We play. They take one trick, and there is nothing in it."),
            deals=({"points": {"NS": 162}},),
        ),
        rule=_shutout_rule,
    )
    nil_bonus: int | None = setting(
        None,
        group="pit",
        noun=english("nil"),
        question=english("Do you play nil?"),
        sentence=english("A player then promises that their side takes no trick at all."),
        choices={
            None: english("no"),
        },
        example=_nil_example,
        rule=_nil_rule,
    )
    no_trump: bool = setting(
        False,
        group="pit",
        noun=english("no-trump"),
        question=english("May a deal be played without trumps?"),
        sentence=english(
            "No suit is trump then, and there are 130 points to share instead of 162."
        ),
        choices=_YES_NO,
        example=_no_trump_example,
        rule=_no_trump_rule,
        section="no_trump",
    )
    reneging: Reneging = setting(
        "deal_lost",
        group="reneging",
        noun=english("reneging"),
        question=english("What follows when it is proved that somebody reneged?"),
        sentence=english("Reneging is playing a card that you were not allowed to play."),
        choices={
            "deal_lost": english("the other side gets all points, and nothing else counts"),
            "deal_lost_with_roem": english("the other side gets all points and keeps its own roem"),
            "culprit_fined": english("the deal stands, and only the player who reneged is fined"),
            "replay": english("the deal is played again"),
            "none": english("nothing, the deal stands"),
        },
        example=_reneging_example,
        rule=_reneging_rule,
    )
    reneges_replayed: RenegesReplayed = setting(
        0,
        group="reneging",
        noun=english("reneging only costs a new deal"),
        question=english("How often in one deal does reneging only cost a new deal?"),
        sentence=english(
            "The same dealer then deals again. After that the penalty counts, and the next deal "
            "begins anew."
        ),
        choices={
            0: english("never, the penalty counts at once"),
            1: english("the first time"),
            2: english("the first two times"),
        },
        matters=lambda rules: rules.reneging != "replay",
        example=_replayed_example,
        rule=_replayed_rule,
    )
    reneging_roem: int = setting(
        100,
        group="reneging",
        noun=english("extra after reneging"),
        question=english("How many points come on top when a deal is lost by reneging?"),
        sentence=english("The other side gets all card points of the deal, and these as well."),
        matters=lambda rules: rules.reneging in _LOST or rules.unproven_reneging == "deal_lost",
        example=_lost_deal_example,
    )
    reneging_fine: int = setting(
        100,
        group="reneging",
        noun=english("fine"),
        question=english("How many points does the player who reneged lose?"),
        sentence=english("They come off that player’s own points; the partner loses nothing."),
        matters=lambda rules: rules.reneging == "culprit_fined",
        example=_reneging_example,
    )
    unproven_reneging: UnprovenReneging = setting(
        "none",
        group="reneging",
        noun=english("accused wrongly"),
        question=english("And when somebody calls reneging and cannot prove it?"),
        sentence=english("The tricks are looked through and nothing turns out to be wrong."),
        choices={
            "deal_lost": english("whoever called it loses the deal"),
            "none": english("nothing, the deal stands"),
        },
        example=_UNPROVEN,
        rule=_unproven_rule,
    )

    def replays_reneging(self, replays: int) -> bool:
        """Whether proved reneging costs a new deal only, in a deal that was dealt again for it
        `replays` times before."""
        return self.reneging == "replay" or replays < self.reneges_replayed


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
