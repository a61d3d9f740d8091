"""A regulation in plain words: how this club plays, for whoever comes to play there; and each of
its settings: what it asks, its values, and an example of what it does.

Some sentences are always said; what a setting adds stands in its declaration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from scoring.rules.cards import NUMBERS, PLAIN_ORDER, TABLES, TRUMP_ORDER, legal_cards
from scoring.rules.deal import Side
from scoring.rules.explain import explain
from scoring.rules.lines import evaluate
from scoring.rules.parse import PRESETS
from scoring.rules.regulation import (
    NO_TRUMP_DEAL_POINTS,
    SETTINGS,
    TRUMP_DEAL_POINTS,
    RuleSet,
)
from scoring.rules.texts import Language, capitalized, english, translate

_RANKS: Final[Mapping[str, str]] = {
    "A": english("ace"),
    "K": english("king"),
    "Q": english("queen"),
    "J": english("jack"),
    "T": english("ten"),
    "9": english("nine"),
    "8": english("eight"),
    "7": english("seven"),
}
_NEL: Final = english("nine (nel)")
_THOUSANDS: Final[Mapping[Language, str]] = {"nl": ".", "en": ","}


class Section(NamedTuple):
    """A part of the rules: a heading, and whole sentences in the order to read them."""

    title: str
    lines: tuple[str, ...]


class CardRow(NamedTuple):
    """The trump and the other card that stand equally high in their suits, with their points."""

    trump: str
    trump_points: int
    plain: str
    plain_points: int


class _Plan(NamedTuple):
    """A section in English: what is said before and after the rules of its settings."""

    title: str
    before: tuple[str, ...] = ()
    settings: str = ""
    after: tuple[str, ...] = ()


_SECTIONS: Final = (
    _Plan(
        english("The game"),
        (
            english("Four people play, two against two. Your partner sits opposite you."),
            english(
                "There are 32 cards, from the seven to the ace. Everybody gets eight,"
                " so a deal has eight tricks."
            ),
            english(
                "Play goes clockwise. The forehand leads to the first trick: that is "
                "who sits left of the dealer, whoever makes trumps. After that, who "
                "took the last trick leads."
            ),
            english(
                "The player who makes trumps and their partner are the declaring side. "
                "The other two are the defenders."
            ),
        ),
    ),
    _Plan(
        english("The cards"),
        (
            english(
                "The highest trump takes the trick. With no trump in it, the highest "
                "card of the suit that was led does."
            ),
            english("The last trick gives 10 points extra. A whole deal is 162 points together."),
        ),
    ),
    _Plan(english("Who makes trumps"), settings="bidding"),
    _Plan(
        english("Following suit and trumping"),
        (
            english(
                "You must follow suit: if you hold a card of the suit that was led, "
                "you play that suit."
            ),
            english(
                "When trumps are led you play higher than the highest trump in the "
                "trick, if you can. That also binds when your partner heads the "
                "trick."
            ),
        ),
        "playing",
        (english("If you hold neither the suit led nor a trump, you play what you like."),),
    ),
    _Plan(english("Playing without trumps"), settings="no_trump"),
    _Plan(
        english("Roem"),
        settings="roem",
    ),
    _Plan(
        english("Made or not"),
        (english("After the deal you count the points in the tricks, and the roem is added."),),
        "nat",
    ),
    _Plan(
        english("{Pit} and other extras"),
        (english("A side that takes all eight tricks makes {pit}."),),
        "pit",
    ),
    _Plan(
        english("Reneging and misdeals"),
        (
            english(
                "Reneging is playing a card that was not allowed, such as not "
                "following suit when you could."
            ),
        ),
        "reneging",
        (english("After a misdeal the same dealer deals again, and the deal keeps its number."),),
    ),
)


_OTHER_GAME: Final = _Plan(
    english("The game"),
    (
        english("A game other than klaverjas is played."),
        english(
            "Of each round only the totals of the two sides are written. What they are made of is "
            "not checked."
        ),
    ),
    settings="none",
)


def card_values(language: Language) -> tuple[CardRow, ...]:
    """The eight cards of trumps beside those of another suit, from high to low.

    >>> card_values("nl")[0]
    CardRow(trump='boer', trump_points=20, plain='aas', plain_points=11)
    """
    points = TABLES["H"].points
    return tuple(
        CardRow(
            trump=translate(_NEL if trump == "9" else _RANKS[trump], language),
            trump_points=points[NUMBERS[f"{trump}H"]],
            plain=translate(_RANKS[plain], language),
            plain_points=points[NUMBERS[f"{plain}S"]],
        )
        for trump, plain in zip(TRUMP_ORDER[::-1], PLAIN_ORDER[::-1], strict=True)
    )


def regulation_in_words(
    regulation: RuleSet, language: Language, pit: str = "pit"
) -> tuple[Section, ...]:
    """The rules of play that the settings amount to; `pit` is the word for taking every trick.

    What the regulation does not know of (no-trump, nil, an extra of 0 points that nobody would
    expect) is not spoken of. No section is empty.

    >>> regulation_in_words(RuleSet(bidding="dealer_must"), "en")[2].lines
    ('The dealer makes trumps and plays. Nobody can pass.',)
    """
    words = _words(regulation, language, pit)

    def say(text: str) -> str:
        return translate(text, language).format_map(words)

    plans = (_OTHER_GAME,) if regulation.game == "other" else _SECTIONS
    sections = ((plan.title, _texts(plan, regulation)) for plan in plans)
    return tuple(
        Section(say(title), tuple(say(text) for text in texts))
        for title, texts in sections
        if texts
    )


def _texts(plan: _Plan, regulation: RuleSet) -> list[str]:
    rules = [
        text
        for setting in SETTINGS.values()
        if setting.section == plan.settings
        for text in setting.rule(regulation)
    ]
    return [*plan.before, *rules, *plan.after]


def _words(regulation: RuleSet, language: Language, pit: str) -> dict[str, str]:
    """What the sentences have in their braces: every number of the regulation, and names."""
    numbers = {
        name: f"{value:,}".replace(",", _THOUSANDS[language])
        for name, value in regulation.as_settings().items()
        if type(value) is int
    }
    totals = {"trump_points": TRUMP_DEAL_POINTS, "no_trump_points": NO_TRUMP_DEAL_POINTS}
    all_points, enough = _amounts(regulation)
    return {
        **numbers,
        "pit": pit,
        "Pit": capitalized(pit),
        "all_points": translate(all_points, language).format_map(totals),
        "enough": translate(enough, language),
        "if_all_pass": translate(_if_all_pass(regulation), language),
    }


def _amounts(regulation: RuleSet) -> tuple[str, str]:
    """All points of a deal, and what is enough of them without roem."""
    if regulation.no_trump:
        return (
            english("all points of the deal ({trump_points}, in no-trump {no_trump_points})"),
            english("82 points (in no-trump 66)"),
        )
    return english("all {trump_points} points"), english("82 points")


def _if_all_pass(regulation: RuleSet) -> str:
    if regulation.bidding == "free":
        return english("If nobody bids")
    if regulation.second_round == "none":
        return english("If everybody passes")
    return english("If everybody passes again")


# The settings, each by itself.


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
