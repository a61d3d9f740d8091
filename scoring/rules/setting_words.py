"""A regulation's settings in words: what each asks, its values, and an example of what it does."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.rules.cards import legal_cards
from scoring.rules.deal import Side
from scoring.rules.explain import explain
from scoring.rules.lines import evaluate
from scoring.rules.presets import PRESETS
from scoring.rules.regulation import SETTINGS, RuleSet
from scoring.rules.texts import Language, capitalized, english, translate

_GROUPS: Final[Mapping[str, str]] = {
    "playing": english("Playing a card"),
    "roem": english("Roem"),
    "nat": english("Nat"),
    "pit": english("{Pit} and other extras"),
    "reneging": english("Reneging"),
    "bidding": english("Who makes trump"),
}

SETTING_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    group: tuple(name for name, setting in SETTINGS.items() if setting.group == group)
    for group in _GROUPS
}
"""Every setting, in groups that belong together, in the order in which a form asks them."""

_WE: Final = english("we")
_THEY: Final = english("they")
_CARDS: Final[Mapping[str, str]] = {
    "7H": english("the 7 of hearts"),
    "9H": english("the 9 of hearts"),
    "AD": english("the ace of diamonds"),
    "8S": english("the 8 of spades"),
}
"""The cards that an example may have you play."""


@dataclass(frozen=True, slots=True)
class SettingText:
    """A setting's `noun`, the `question` a form asks, one `sentence` about it, and `choices`.

    `choices` are keyed as JSON writes the value: a choice by its own word, `true`, `false`, `null`.
    """

    noun: str
    question: str
    sentence: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Effect:
    """A `situation` at the table and what follows from it, a sentence per line.

    Where it is about a card, `hand` is what you hold and `allowed` what you may play of it.
    """

    situation: str
    lines: tuple[str, ...]
    hand: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def json_key(value: object) -> str:
    """A value of a choice as the text of a form or a key has it.

    >>> json_key(None), json_key(True), json_key("lost")
    ('null', 'true', 'lost')
    """
    return "null" if value is None else str(value).lower()


def group_name(group: str, language: Language, pit: str = "pit") -> str:
    """The heading of a group of settings.

    >>> group_name("pit", "en", "mars")
    'Mars and other extras'
    """
    return translate(_GROUPS[group], language).format(Pit=capitalized(pit))


def setting_words(name: str, language: Language, pit: str = "pit") -> SettingText:
    """What a setting is called, asks and means, with the club's word for pit.

    >>> setting_words("four_jacks", "nl").noun
    'vier boeren'
    """
    setting = SETTINGS[name]

    def say(text: str) -> str:
        return translate(text, language).format(pit=pit, Pit=capitalized(pit))

    choices = {
        json_key(value): translate(text, language) for value, text in setting.choices.items()
    }
    return SettingText(say(setting.noun), say(setting.question), say(setting.sentence), choices)


def value_in_words(name: str, value: object, language: Language) -> str:
    """A value of a setting in words.

    >>> value_in_words("four_jacks", 100, "nl"), value_in_words("nat", True, "en")
    ('100 punten', 'yes')
    """
    choices = SETTINGS[name].choices
    if value in choices:
        return translate(choices[value], language)
    return translate(english("{points} points"), language).format(points=value)


def matters(name: str, regulation: RuleSet) -> bool:
    """Whether anything depends on this setting, given the others.

    >>> matters("nat_roem", RuleSet(nat=False))
    False
    """
    if regulation.game == "other":
        return name == "game"
    return SETTINGS[name].matters(regulation)


def nearest_preset(regulation: RuleSet) -> str:
    """The preset that differs from this regulation in the fewest settings.

    >>> nearest_preset(RuleSet(four_jacks=100))
    'amsterdam'
    """
    return min(PRESETS, key=lambda name: len(changed_settings(PRESETS[name], regulation)))


def changed_settings(before: RuleSet, after: RuleSet) -> tuple[str, ...]:
    """The names of the settings that have another value, in the order of the groups.

    >>> changed_settings(RuleSet(), RuleSet(four_jacks=100, nat=False))
    ('four_jacks', 'nat')
    """
    return tuple(name for name in SETTINGS if getattr(before, name) != getattr(after, name))


def setting_in_words(name: str, regulation: RuleSet, language: Language, pit: str = "pit") -> str:
    """A setting and its value.

    >>> setting_in_words("four_jacks", RuleSet(), "nl")
    'vier boeren: 200 punten'
    """
    value = value_in_words(name, getattr(regulation, name), language)
    return f"{setting_words(name, language, pit).noun}: {value}"


def differences(
    regulation: RuleSet, base: RuleSet, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What matters and is other than in `base`.

    >>> differences(RuleSet(four_jacks=100), RuleSet(), "en")
    ('four jacks: 100 points',)
    """
    return tuple(
        setting_in_words(name, regulation, language, pit)
        for name in changed_settings(base, regulation)
        if matters(name, regulation)
    )


def changes(
    before: RuleSet, after: RuleSet, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What is other than before and matters, before or after, each with what it was.

    >>> changes(RuleSet(), RuleSet(four_jacks=100), "en")
    ('four jacks: 100 points – was 200 points',)
    """
    return tuple(
        f"{setting_in_words(name, after, language, pit)} – was "
        f"{value_in_words(name, getattr(before, name), language)}"
        for name in changed_settings(before, after)
        if matters(name, before) or matters(name, after)
    )


def setting_effect(
    name: str, regulation: RuleSet, language: Language = "en", pit: str = "pit"
) -> Effect:
    """A worked example of what the setting `name` of this regulation does.

    Each is chosen so that every value leads to another outcome. We are North and South, they East
    and West; the player who must decide about a card is you, South. `pit` is the club's word for
    it. Raises KeyError for a name that is no setting.

    >>> setting_effect("four_jacks", RuleSet(four_jacks=100), "nl").lines
    ('Wij 97 + 100 roem = 197, zij 65: gehaald',)
    """
    example = SETTINGS[name].example(regulation)
    situation = translate(example.situation, language)
    if example.hand:
        allowed = legal_cards(example.hand, example.trick, "H", regulation)
        return Effect(situation, (_may_play(allowed, language),), example.hand, allowed)
    lines = [translate(text, language) for text in example.says]
    sides: dict[Side, str] = {
        "NS": translate(_WE, language),
        "EW": translate(_THEY, language),
    }
    # The deals are of klaverjas, and name a bid only where the example is about that.
    asks_bid = regulation.bid_needed and name == "bid_needed"
    rules = replace(regulation, game="klaverjas", bid_needed=asks_bid)
    for deal in example.deals:
        result = evaluate({"declarer": "N", "trump": "H", **deal}, rules)
        lines += explain(result, language, sides, pit=pit)
    return Effect(situation, tuple(lines))


def _may_play(cards: tuple[str, ...], language: Language) -> str:
    either = translate(english("or"), language)
    names = f" {either} ".join(translate(_CARDS[card], language) for card in cards)
    return translate(english("You may play: {cards}."), language).format(cards=names)
