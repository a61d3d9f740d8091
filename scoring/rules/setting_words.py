"""A regulation’s settings in words: what each asks and means, and an example of what it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.rules.example_texts import CARDS_SAID, OUTCOMES, SIDES_SAID, SITUATIONS
from scoring.rules.explain import explain
from scoring.rules.legal import legal_cards
from scoring.rules.lines import evaluate
from scoring.rules.messages import Language
from scoring.rules.presets import PRESETS
from scoring.rules.regulation import Regulation
from scoring.rules.setting_text import SettingText
from scoring.rules.setting_texts_en import GROUPS_EN, SETTINGS_EN
from scoring.rules.setting_texts_nl import GROUPS_NL, SETTINGS_NL

SETTING_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "playing": ("must_trump", "undertrump"),
    "roem": ("four_of_a_kind_from", "four_of_a_kind", "four_jacks"),
    "nat": ("nat", "nat_counts_roem", "nat_roem"),
    "pit": ("pit_bonus", "counter_pit_bonus", "shutout_bonus", "nil_bonus", "no_trump"),
    "reneging": ("reneging", "reneging_roem", "reneging_fine", "unproven_reneging"),
    "bidding": ("bidding", "second_round", "all_pass"),
}
"""Every setting, in groups that belong together, in the order in which a form asks them."""

_TEXTS: Final[Mapping[Language, Mapping[str, SettingText]]] = {
    "nl": SETTINGS_NL,
    "en": SETTINGS_EN,
}
_GROUPS: Final[Mapping[Language, Mapping[str, str]]] = {"nl": GROUPS_NL, "en": GROUPS_EN}
_POINTS: Final[Mapping[Language, str]] = {"nl": "{} punten", "en": "{} points"}
_FORCED: Final = ("forehand_must", "dealer_must")
_LOST: Final = ("deal_lost", "deal_lost_with_roem")


def group_name(group: str, language: Language, pit: str = "pit") -> str:
    """The heading of a group of settings.

    >>> group_name("pit", "en", "mars")
    'Mars and other extras'
    """
    return _GROUPS[language][group].format(Pit=pit[:1].upper() + pit[1:])


def setting_words(name: str, language: Language, pit: str = "pit") -> SettingText:
    """What a setting is called, asks and means, with the club's word for pit.

    >>> setting_words("four_jacks", "nl").noun
    'vier boeren'
    """
    return _TEXTS[language][name].with_pit(pit)


def value_in_words(name: str, value: object, language: Language) -> str:
    """A value of a setting in words.

    >>> value_in_words("four_jacks", 100, "nl"), value_in_words("nat", True, "en")
    ('100 punten', 'yes')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return _POINTS[language].format(value)
    key = "null" if value is None else str(value).lower()
    return _TEXTS[language][name].choices[key]


def matters(name: str, regulation: Regulation) -> bool:
    """Whether anything depends on this setting, given the others.

    >>> matters("nat_roem", Regulation(nat=False))
    False
    """
    match name:
        case "undertrump":
            return regulation.must_trump == "amsterdam"
        case "nat_counts_roem" | "nat_roem":
            return regulation.nat
        case "reneging_roem":
            return regulation.reneging in _LOST or regulation.unproven_reneging == "deal_lost"
        case "reneging_fine":
            return regulation.reneging == "culprit_fined"
        case "second_round" | "all_pass":
            return regulation.bidding not in _FORCED
    return True


def nearest_preset(regulation: Regulation) -> str:
    """The preset that differs from this regulation in the fewest settings.

    >>> nearest_preset(Regulation(four_jacks=100))
    'amsterdam'
    """
    return min(PRESETS, key=lambda name: len(changed_settings(PRESETS[name], regulation)))


def changed_settings(before: Regulation, after: Regulation) -> tuple[str, ...]:
    """The names of the settings that have another value, in the order of the groups.

    >>> changed_settings(Regulation(), Regulation(four_jacks=100, nat=False))
    ('four_jacks', 'nat')
    """
    names = (name for group in SETTING_GROUPS.values() for name in group)
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))


def setting_in_words(
    name: str, regulation: Regulation, language: Language, pit: str = "pit"
) -> str:
    """A setting and its value.

    >>> setting_in_words("four_jacks", Regulation(), "nl")
    'vier boeren: 200 punten'
    """
    value = value_in_words(name, getattr(regulation, name), language)
    return f"{setting_words(name, language, pit).noun}: {value}"


def differences(
    regulation: Regulation, base: Regulation, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What matters and is other than in `base`.

    >>> differences(Regulation(four_jacks=100), Regulation(), "en")
    ('four jacks: 100 points',)
    """
    return tuple(
        setting_in_words(name, regulation, language, pit)
        for name in changed_settings(base, regulation)
        if matters(name, regulation)
    )


def changes(
    before: Regulation, after: Regulation, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What is other than before and matters, before or after, each with what it was.

    >>> changes(Regulation(), Regulation(four_jacks=100), "en")
    ('four jacks: 100 points – was 200 points',)
    """
    return tuple(
        f"{setting_in_words(name, after, language, pit)} – was "
        f"{value_in_words(name, getattr(before, name), language)}"
        for name in changed_settings(before, after)
        if matters(name, before) or matters(name, after)
    )


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

_LOWEST_RANKS: Final = ("7", "9", "10")
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
        lowest = _LOWEST_RANKS.index(self.regulation.four_of_a_kind_from)
        counted = {rank: _LOWEST_RANKS.index(rank) >= lowest for rank in ("7", "9")}
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
