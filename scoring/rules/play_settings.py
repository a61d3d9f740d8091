"""The settings of making trump, playing a card, and roem."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from scoring.rules.settings import Example, Rules, setting
from scoring.rules.texts import english

MustTrump = Literal["amsterdam", "rotterdam", "trump_only"]
Undertrump = Literal["avoid", "obligatory"]
LowestCarre = Literal["7", "9", "10"]
Game = Literal["klaverjas", "other"]
RoemFrom = Literal["trick", "hand", "hand_to_trick"]
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

_FORCED: Final = ("forehand_must", "dealer_must")
_FIRST_TO_BID: Final[Mapping[str, str]] = {
    "forehand_must": english("East must play and chooses trump."),
    "dealer_must": english("North must play and chooses trump."),
    "round_from_forehand": english(
        "East is the first to play or pass, then South, West and North."
    ),
    "round_from_dealer": english("North is the first to play or pass, then East, South and West."),
    "turned_card": english(
        "The card turned up is the 8 of hearts. East is the first to play hearts or "
        "pass, then South, West and North."
    ),
    "free": english(
        "Everybody says how much they think they will take. The highest bidder "
        "plays and chooses trump."
    ),
}


_FORCED_TO_PLAY: Final[Mapping[str, str]] = {
    "dealer_must": english("North dealt and must play."),
    "forehand_must": english("East is the forehand and must play."),
    "turn_again": english("Another card is turned up, until somebody plays."),
}


_BIDDING_RULES: Final[Mapping[str, str]] = {
    "forehand_must": english("The forehand makes trumps and plays. Nobody can pass."),
    "dealer_must": english("The dealer makes trumps and plays. Nobody can pass."),
    "round_from_forehand": english(
        "In turn everybody says whether they play or pass. The forehand begins."
    ),
    "round_from_dealer": english(
        "In turn everybody says whether they play or pass. The dealer begins."
    ),
    "turned_card": english(
        "The dealer turns up a card: its suit may become trumps. In turn, the "
        "forehand first, everybody says whether they play in that suit or pass."
    ),
    "free": english(
        "There is bidding. In turn everybody says how much they expect to make, "
        "or they pass. The highest bidder makes trumps and plays."
    ),
}


_TRUMPING_RULES: Final[Mapping[str, str]] = {
    "amsterdam": english(
        "If you cannot follow suit you must trump. When the other side has trumped "
        "already, you must go over if you can."
    ),
    "rotterdam": english(
        "If you cannot follow suit you must always trump, even when your partner "
        "heads the trick. With a trump in the trick you must go over it if you can; "
        "if you cannot, you still play a lower trump."
    ),
    "trump_only": english(
        "If you cannot follow suit you must always trump, even when your partner "
        "heads the trick. You need not go over a trump that is there already."
    ),
}


def _game_example(rules: Rules) -> Example:
    if rules.game == "other":
        return Example(
            english("A table hands in 310 and 245."),
            (english("That is what is written: nothing is added up or checked."),),
        )
    return Example(english("We play and take 90 points."), deals=({"points": {"NS": 90}},))


def _trumping_rule(rules: Rules) -> Iterator[str]:
    yield _TRUMPING_RULES[rules.must_trump]
    if rules.must_trump == "amsterdam":
        yield english(
            "When your partner heads the trick you need not trump, and may play another suit."
        )


def _undertrump_rule(rules: Rules) -> Iterator[str]:
    if rules.must_trump == "amsterdam" and rules.undertrump == "avoid":
        yield english(
            "If you cannot go over a trump, you play another suit. Undertrumping, "
            "with a lower trump than is there already, is allowed only when you hold "
            "nothing else."
        )
    elif rules.must_trump == "amsterdam":
        yield english(
            "Undertrumping is obligatory: if you cannot go over a trump of the other "
            "side, you play a lower one. Under your partner’s trump you go only when "
            "you hold nothing else."
        )


_ROEM_FROM_RULES: Final[Mapping[RoemFrom, str]] = {
    "trick": english(
        "Roem is in the four cards of one trick and goes to the side that takes the trick."
    ),
    "hand": english(
        "Roem is in the eight cards of one player and goes to that player’s side, whoever takes "
        "the tricks."
    ),
    "hand_to_trick": english(
        "Roem is in the eight cards of one player. It is announced with the card that completes "
        "it, and goes to the side that takes that trick."
    ),
}


def _roem_rule(rules: Rules) -> Iterator[str]:
    yield _ROEM_FROM_RULES[rules.roem_from]
    yield english("Three cards of a suit in a row are 20 roem, four in a row 50.")
    yield english(
        "For this the order is seven, eight, nine, ten, jack, queen, king, ace, in trumps too."
    )
    yield english(
        "King and queen of trumps together are stuk: 20 roem. When they are "
        "in a run of three or four, stuk is added and it is 40 or 70."
    )


def _roem_from_example(rules: Rules) -> Example:
    situation = english(
        "You held seven, eight and nine of clubs, and play the last of them to a trick of theirs. "
        "We play and take 90 points."
    )
    roem: Mapping[RoemFrom, Mapping[str, list[int]]] = {
        "trick": {},
        "hand": {"NS": [20]},
        "hand_to_trick": {"EW": [20]},
    }
    return Example(situation, deals=({"points": {"NS": 90}, "roem": roem[rules.roem_from]},))


def _carres(situation: str, points: int, count: int = 1, *said: str) -> Example:
    """A deal in which we announced so many fours; those that are worth nothing, nobody."""
    roem = [points] * count if points else []
    return Example(situation, said, ({"points": {"NS": 97}, "roem": {"NS": roem}},))


def _lowest_carre_example(rules: Rules) -> Example:
    sevens, nines = rules.four_of_a_kind_from == "7", rules.four_of_a_kind_from != "10"
    return _carres(
        english(
            "We play and take 97 points. We have four sevens, and in the same deal four nines."
        ),
        rules.four_of_a_kind,
        sevens + nines,
        english("Four sevens count.") if sevens else english("Four sevens do not count."),
        english("Four nines count.") if nines else english("Four nines do not count."),
    )


def _four_of_a_kind_rule(rules: Rules) -> Iterator[str]:
    if not rules.four_of_a_kind:
        yield english("Four of a kind give no roem.")
    elif rules.four_of_a_kind_from == "7":
        yield english("Four of a kind, of any card, are {four_of_a_kind} roem.")
    elif rules.four_of_a_kind_from == "9":
        yield english(
            "Four of a kind are {four_of_a_kind} roem from the nine up: four sevens "
            "and four eights do not count."
        )
    else:
        yield english(
            "Four of a kind are {four_of_a_kind} roem from the ten up: four sevens, "
            "eights or nines do not count."
        )


def _bidding_rule(rules: Rules) -> Iterator[str]:
    by_turn = rules.bidding.startswith("round_from")
    forced = rules.all_pass in _FORCED
    named = by_turn and (rules.second_round != "none" or not forced)
    if named:
        yield english("First a suit is named that may become trumps.")
    yield _BIDDING_RULES[rules.bidding]
    if named:
        yield english("The first who wants to play has that suit as trumps.")
    elif by_turn:
        yield english("The first who wants to play chooses trumps.")


def _bid_example(rules: Rules) -> Example:
    deal: dict[str, object] = {"points": {"NS": 100}}
    if rules.asks_bid:
        deal["bid"] = 110
    return Example(english("We bid 110 and make 100."), deals=(deal,))


def _bid_rule(rules: Rules) -> Iterator[str]:
    if rules.asks_bid and rules.nat and rules.nat_counts_roem:
        yield english(
            "The bid is written. The declaring side must make at least its bid, points and roem "
            "together; otherwise it is nat."
        )
    elif rules.asks_bid and rules.nat:
        yield english(
            "The bid is written. The declaring side must make at least its bid in card points; "
            "otherwise it is nat."
        )
    elif rules.asks_bid:
        yield english("The bid is written. The declaring side must make at least its bid.")


def _second_round_example(rules: Rules) -> Example:
    situation = english("North deals, and all four pass.")
    if rules.second_round == "none":
        return Example(situation, (english("There is no second round."),))
    again = english(
        "Everybody may say once more whether they play, now with another suit as trump."
    )
    if rules.second_round == "other_suit":
        return Example(situation, (again,))
    if rules.no_trump:
        return Example(situation, (again, english("Without trumps is allowed then too.")))
    return Example(
        situation,
        (
            again,
            english(
                "Without trumps would be allowed then too, but these rules do not "
                "allow it under “no-trump”."
            ),
        ),
    )


def _second_round_rule(rules: Rules) -> Iterator[str]:
    if rules.bidding in (*_FORCED, "free") or rules.second_round == "none":
        return
    if rules.second_round == "other_suit_or_no_trump" and rules.no_trump:
        yield english(
            "If everybody passes, there is another turn. Whoever then wants to play "
            "chooses another suit or plays without trumps."
        )
    else:
        yield english(
            "If everybody passes, there is another turn. Whoever then wants to play "
            "chooses another suit."
        )


def _all_pass_example(rules: Rules) -> Example:
    twice = rules.second_round != "none"
    situation = (
        english("North deals, and in the second round too all four pass.")
        if twice
        else english("North deals, and all four pass.")
    )
    return Example(situation, (_FORCED_TO_PLAY[rules.all_pass],))


def _all_pass_rule(rules: Rules) -> Iterator[str]:
    if rules.bidding in _FORCED:
        return
    if rules.all_pass == "dealer_must":  # noqa: S105
        yield english("{if_all_pass}, the dealer must play.")
    elif rules.all_pass == "forehand_must":  # noqa: S105
        yield english("{if_all_pass}, the forehand must play.")
    elif rules.bidding == "turned_card":
        yield english("{if_all_pass}, another card is turned up, until there is a new suit.")
    elif rules.bidding == "free":
        yield english("{if_all_pass}, a card is turned up and everybody may bid once more.")
    else:
        yield english("{if_all_pass}, another suit is named.")


@dataclass(frozen=True)
class CardSettings:
    """What may be played, and what is roem."""

    game: Game = setting(
        "klaverjas",
        group="playing",
        noun=english("the game"),
        question=english("Which game is played?"),
        sentence=english(
            "Of another game, such as kruisjassen or jokeren, only the totals of a table are "
            "written."
        ),
        choices={
            "klaverjas": english("klaverjas"),
            "other": english("another game: two totals for each table, without our rules"),
        },
        example=_game_example,
    )

    must_trump: MustTrump = setting(
        "amsterdam",
        group="playing",
        noun=english("trumping"),
        question=english("What must you do when you cannot follow suit?"),
        sentence=english(
            "If you do not hold the suit that was led, you must usually play a trump."
        ),
        choices={
            "amsterdam": english("trump, but not when your partner heads the trick (Amsterdam)"),
            "rotterdam": english("always trump, and higher if you can (Rotterdam)"),
            "trump_only": english("always trump, but higher only when trumps are led"),
        },
        example=Example(
            english(
                "Hearts are trumps. West leads the ace of clubs, your partner trumps "
                "with the 10 of hearts and East plays the 7 of clubs. You hold the 9 "
                "and 7 of hearts and the ace of diamonds."
            ),
            hand=("9H", "7H", "AD"),
            trick=("AC", "TH", "7C"),
        ),
        rule=_trumping_rule,
    )
    undertrump: Undertrump = setting(
        "avoid",
        group="playing",
        noun=english("undertrumping"),
        question=english("Must you undertrump?"),
        sentence=english("An opponent heads the trick with a trump that you cannot beat."),
        choices={
            "avoid": english("no, you discard another card if you hold one"),
            "obligatory": english("yes, you must play a lower trump"),
        },
        matters=lambda rules: rules.must_trump == "amsterdam",
        example=Example(
            english(
                "Hearts are trumps. West leads the ace of clubs, your partner plays "
                "the 7 of clubs and East trumps with the 10 of hearts. You hold the 7"
                " of hearts, the ace of diamonds and the 8 of spades."
            ),
            hand=("7H", "AD", "8S"),
            trick=("AC", "7C", "TH"),
        ),
        rule=_undertrump_rule,
    )
    roem_from: RoemFrom = setting(
        "trick",
        group="roem",
        noun=english("where roem lies"),
        question=english("Where does roem lie?"),
        sentence=english(
            "Nearly everywhere roem is in the cards of a trick; in the old game it was in the "
            "cards of a player."
        ),
        choices={
            "trick": english("in the four cards of a trick, for who takes it"),
            "hand": english("in the eight cards of a player, for that player’s own side"),
            "hand_to_trick": english(
                "in the eight cards of a player, for who takes the trick with the last card of it"
            ),
        },
        example=_roem_from_example,
        rule=_roem_rule,
    )
    four_of_a_kind_from: LowestCarre = setting(
        "7",
        group="roem",
        noun=english("four of a kind counts"),
        question=english("From which card is four of a kind roem?"),
        sentence=english("At some clubs four sevens or four eights do not count."),
        choices={
            "7": english("from the seven, so always"),
            "9": english("from the nine up"),
            "10": english("from the ten up"),
        },
        example=_lowest_carre_example,
        rule=_four_of_a_kind_rule,
    )
    four_of_a_kind: int = setting(
        100,
        group="roem",
        noun=english("four of a kind"),
        question=english("How much roem does four of a kind give?"),
        sentence=english("Four cards of one rank together, jacks not included."),
        example=lambda rules: _carres(
            english("We play, take 97 points and announce four queens."), rules.four_of_a_kind
        ),
    )
    four_jacks: int = setting(
        200,
        group="roem",
        noun=english("four jacks"),
        question=english("How much roem do four jacks give?"),
        sentence=english("One club writes 200 for them, another 100."),
        example=lambda rules: _carres(
            english("We play, take 97 points and announce four jacks."), rules.four_jacks
        ),
        rule=lambda rules: [
            english("Four jacks are {four_jacks} roem.")
            if rules.four_jacks
            else english("Four jacks give no roem.")
        ],
    )


@dataclass(frozen=True)
class BiddingSettings:
    """Who makes trump."""

    bidding: Bidding = setting(
        "round_from_forehand",
        group="bidding",
        noun=english("who makes trump"),
        question=english("Who chooses trump?"),
        sentence=english("The forehand sits left of the dealer and always leads, whoever plays."),
        choices={
            "forehand_must": english("the forehand must play, there is no passing (Utrecht)"),
            "dealer_must": english("the dealer must play, there is no passing"),
            "round_from_forehand": english("everybody may play or pass, the forehand begins"),
            "round_from_dealer": english("everybody may play or pass, the dealer begins"),
            "turned_card": english("a card is turned up, and everybody may play that suit or pass"),
            "free": english("everybody may bid and the highest bidder plays (Leiden)"),
        },
        example=lambda rules: Example(
            english("North deals and East sits on the left."), (_FIRST_TO_BID[rules.bidding],)
        ),
        rule=_bidding_rule,
    )
    bid_needed: bool = setting(
        False,
        group="bidding",
        noun=english("the bid counts"),
        question=english("Is the bid written, and must the declaring side make it?"),
        sentence=english("Without that, the bid only says who plays."),
        choices={True: english("yes"), False: english("no")},
        matters=lambda rules: rules.bidding == "free",
        example=_bid_example,
        rule=_bid_rule,
    )
    second_round: SecondRound = setting(
        "none",
        group="bidding",
        noun=english("second round"),
        question=english("Is there a second round when everybody passes?"),
        sentence=english("Everybody may then say once more whether they play."),
        choices={
            "none": english("no"),
            "other_suit": english("yes, with another suit"),
            "other_suit_or_no_trump": english("yes, with another suit or without trumps"),
        },
        matters=lambda rules: rules.bidding not in _FORCED,
        example=_second_round_example,
        rule=_second_round_rule,
    )
    all_pass: AllPass = setting(
        "forehand_must",
        group="bidding",
        noun=english("everybody passes"),
        question=english("What happens when everybody keeps passing?"),
        sentence=english("Somebody has to make trump."),
        choices={
            "dealer_must": english("the dealer must play"),
            "forehand_must": english("the forehand must play"),
            "turn_again": english("another card is turned up"),
        },
        matters=lambda rules: rules.bidding not in _FORCED,
        example=_all_pass_example,
        rule=_all_pass_rule,
    )
