"""A regulation in plain words: how this club plays, for whoever comes to play there.

Some sentences are always said; what a setting adds stands in its declaration.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.rules.cards import NUMBERS, PLAIN_ORDER, TABLES, TRUMP_ORDER
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
