"""A regulation in plain words: how this club plays, for whoever comes to play there.

Each section chooses its sentences from the settings; what they say stands in `spoken_dutch` and
`spoken_english`, under the same keys.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from scoring.rules.cards import NUMBERS, PLAIN_ORDER, TABLES, TRUMP_ORDER
from scoring.rules.messages import Language
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, TRUMP_DEAL_POINTS, Bidding, Regulation
from scoring.rules.spoken_dutch import DUTCH
from scoring.rules.spoken_english import ENGLISH

Keys = Iterator[str]

SENTENCES: Final[Mapping[Language, Mapping[str, str]]] = {"nl": DUTCH, "en": ENGLISH}
_AGAIN: Final[Mapping[Bidding, str]] = {
    "round_from_forehand": "name_again",
    "round_from_dealer": "name_again",
    "turned_card": "turn_again",
    "free": "bid_again",
}
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


def card_values(language: Language) -> tuple[CardRow, ...]:
    """The eight cards of trumps beside those of another suit, from high to low.

    >>> card_values("nl")[0]
    CardRow(trump='boer', trump_points=20, plain='aas', plain_points=11)
    """
    words, points = SENTENCES[language], TABLES["H"].points
    return tuple(
        CardRow(
            trump=words.get(f"trump_{trump}", words[trump]),
            trump_points=points[NUMBERS[f"{trump}H"]],
            plain=words[plain],
            plain_points=points[NUMBERS[f"{plain}S"]],
        )
        for trump, plain in zip(TRUMP_ORDER[::-1], PLAIN_ORDER[::-1], strict=True)
    )


def regulation_in_words(
    regulation: Regulation, language: Language, pit: str = "pit"
) -> tuple[Section, ...]:
    """The rules of play that the settings amount to; `pit` is the word for taking every trick.

    What the regulation does not know of (no-trump, nil, an extra of 0 points that nobody would
    expect) is not spoken of. No section is empty.

    >>> regulation_in_words(Regulation(bidding="dealer_must"), "en")[2].lines
    ('The dealer makes trumps and plays. Nobody can pass.',)
    """
    words = _words(regulation, language, pit)
    texts = SENTENCES[language]

    def said(key: str) -> str:
        return texts[key].format_map(words)

    found = ((title, list(keys(regulation))) for title, keys in _SECTIONS.items())
    return tuple(Section(said(title), tuple(map(said, keys))) for title, keys in found if keys)


def _words(regulation: Regulation, language: Language, pit: str) -> dict[str, str]:
    """What the sentences have in their braces: every number of the regulation, and names."""
    separator, texts = _THOUSANDS[language], SENTENCES[language]
    numbers = {
        name: f"{value:,}".replace(",", separator)
        for name, value in regulation.as_settings().items()
        if type(value) is int
    }
    totals = {"trump_points": TRUMP_DEAL_POINTS, "no_trump_points": NO_TRUMP_DEAL_POINTS}
    both = "_or_no_trump" if regulation.no_trump else ""
    return {
        **numbers,
        "pit": pit,
        "Pit": pit[:1].upper() + pit[1:],
        "all_points": texts[f"all_points{both}"].format_map(totals),
        "enough": texts[f"enough{both}"],
        "if_all_pass": texts[_if_all_pass(regulation)],
    }


def _if_all_pass(regulation: Regulation) -> str:
    if regulation.bidding == "free":
        return "if_nobody_bids"
    return "if_all_pass" if regulation.second_round == "none" else "if_all_pass_again"


def _game(_regulation: Regulation) -> Keys:
    yield from ("game_sides", "game_cards", "game_lead", "game_declarers")


def _values(_regulation: Regulation) -> Keys:
    yield from ("trick_winner", "last_trick")


def _bidding(regulation: Regulation) -> Keys:
    bidding, second = regulation.bidding, regulation.second_round
    if bidding in ("forehand_must", "dealer_must"):
        yield bidding
        return
    by_turn = bidding.startswith("round_from")
    forced = regulation.all_pass in ("dealer_must", "forehand_must")
    named = by_turn and (second != "none" or not forced)
    if named:
        yield "suit_named"
    yield bidding
    if by_turn:
        yield "plays_named_suit" if named else "chooses_trump"
    if bidding != "free" and second != "none":
        no_trump = second == "other_suit_or_no_trump" and regulation.no_trump
        yield "second_round_or_no_trump" if no_trump else "second_round"
    yield f"all_pass_{regulation.all_pass if forced else _AGAIN[bidding]}"


def _playing(regulation: Regulation) -> Keys:
    yield from ("follow_suit", "go_over")
    yield f"must_trump_{regulation.must_trump}"
    if regulation.must_trump == "amsterdam":
        yield "partner_heads"
        yield f"undertrump_{regulation.undertrump}"
    yield "no_trump_left"


def _no_trump(regulation: Regulation) -> Keys:
    if regulation.no_trump:
        yield from ("no_trump_allowed", "no_trump_follow", "no_trump_values")


def _roem(regulation: Regulation) -> Keys:
    yield from ("roem_trick", "roem_runs", "roem_order", "roem_stuk")
    if regulation.four_of_a_kind:
        yield f"four_from_{regulation.four_of_a_kind_from}"
    else:
        yield "four_nothing"
    yield "four_jacks" if regulation.four_jacks else "four_jacks_nothing"


def _nat(regulation: Regulation) -> Keys:
    yield "score_count"
    if not regulation.nat:
        yield "no_nat"
        return
    yield "nat_with_roem" if regulation.nat_counts_roem else "nat_on_points"
    yield f"nat_roem_{regulation.nat_roem}"


def _extras(regulation: Regulation) -> Keys:
    yield "pit_what"
    yield "pit_bonus" if regulation.pit_bonus else "pit_nothing"
    yield "counter_pit" if regulation.counter_pit_bonus else "counter_pit_nothing"
    if regulation.shutout_bonus:
        yield "shutout"
    if regulation.nil_bonus is not None:
        yield from ("nil_made", "nil_failed")


def _reneging(regulation: Regulation) -> Keys:
    yield "reneging_what"
    yield _with_roem(f"reneging_{regulation.reneging}", regulation)
    yield _with_roem(f"unproven_{regulation.unproven_reneging}", regulation)
    yield "misdeal"


def _with_roem(key: str, regulation: Regulation) -> str:
    """The sentence about a lost deal that leaves the roem out when there is none."""
    return f"{key}_bare" if "deal_lost" in key and not regulation.reneging_roem else key


_SECTIONS: Final[Mapping[str, Callable[[Regulation], Keys]]] = {
    "title_game": _game,
    "title_cards": _values,
    "title_bidding": _bidding,
    "title_playing": _playing,
    "title_no_trump": _no_trump,
    "title_roem": _roem,
    "title_nat": _nat,
    "title_extras": _extras,
    "title_reneging": _reneging,
}
