"""The sentences of the examples that go with the settings, in Dutch and English."""

from collections.abc import Mapping
from typing import Final

from scoring.rules.messages import Language

SITUATIONS: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {
        "must_trump": "Harten is troef. West komt uit met klaveren aas, uw maat troeft met harten "
        "10 en Oost speelt klaveren 7. U hebt harten 9, harten 7 en ruiten aas.",
        "undertrump": "Harten is troef. West komt uit met klaveren aas, uw maat speelt klaveren 7 "
        "en Oost troeft met harten 10. U hebt harten 7, ruiten aas en schoppen 8.",
        "four_of_a_kind_from": "Wij spelen en halen 97 punten, met vier zevens in de ene slag en "
        "vier negens in een andere.",
        "four_of_a_kind": "Wij spelen, halen 97 punten en melden vier vrouwen.",
        "four_jacks": "Wij spelen, halen 97 punten en melden vier boeren.",
        "nat": "Wij spelen, halen 65 punten en melden 20 roem.",
        "nat_counts_roem": "Wij spelen en halen 85 punten. Zij melden 20 roem.",
        "nat_roem": "Wij spelen, halen 65 punten en melden 20 roem. Zij melden ook 20 roem.",
        "pit_bonus": "Wij spelen en halen alle slagen.",
        "counter_pit_bonus": "Wij spelen en zij halen alle slagen.",
        "shutout_bonus": "Wij spelen. Zij halen één slag, en daar zit niets in.",
        "nil_bonus": "Wij spelen en beloven dat wij geen enkele slag halen.",
        "no_trump": "Wij willen zonder troef spelen, en zouden 80 punten halen.",
        "reneging": "Wij spelen, halen 90 punten en melden 20 roem. Oost, een van hen, heeft "
        "verzaakt.",
        "reneging_fine": "Wij spelen, halen 90 punten en melden 20 roem. Oost, een van hen, heeft "
        "verzaakt.",
        "reneging_roem": "Wij spelen en Oost, een van hen, heeft verzaakt.",
        "unproven_reneging": "Wij spelen en halen 90 punten. Oost roept dat er verzaakt is, maar "
        "dat blijkt niet zo.",
        "bidding": "Noord geeft en links van hem zit Oost.",
        "second_round": "Noord geeft, en alle vier passen.",
        "all_pass": "Noord geeft, en alle vier passen.",
        "all_pass_again": "Noord geeft, en ook in de tweede ronde passen alle vier.",
    },
    "en": {
        "must_trump": "Hearts are trumps. West leads the ace of clubs, your partner trumps with "
        "the 10 of hearts and East plays the 7 of clubs. You hold the 9 and 7 of hearts and the "
        "ace of diamonds.",
        "undertrump": "Hearts are trumps. West leads the ace of clubs, your partner plays the 7 of "
        "clubs and East trumps with the 10 of hearts. You hold the 7 of hearts, the ace of "
        "diamonds and the 8 of spades.",
        "four_of_a_kind_from": "We play and take 97 points, with four sevens in one trick and four "
        "nines in another.",
        "four_of_a_kind": "We play, take 97 points and announce four queens.",
        "four_jacks": "We play, take 97 points and announce four jacks.",
        "nat": "We play, take 65 points and announce 20 roem.",
        "nat_counts_roem": "We play and take 85 points. They announce 20 roem.",
        "nat_roem": "We play, take 65 points and announce 20 roem. They announce 20 roem too.",
        "pit_bonus": "We play and take every trick.",
        "counter_pit_bonus": "We play and they take every trick.",
        "shutout_bonus": "We play. They take one trick, and there is nothing in it.",
        "nil_bonus": "We play and promise to take no trick at all.",
        "no_trump": "We want to play without trumps, and would take 80 points.",
        "reneging": "We play, take 90 points and announce 20 roem. East, one of them, reneged.",
        "reneging_fine": "We play, take 90 points and announce 20 roem. East, one of them, "
        "reneged.",
        "reneging_roem": "We play and East, one of them, reneged.",
        "unproven_reneging": "We play and take 90 points. East says that somebody reneged, but "
        "that turns out not to be so.",
        "bidding": "North deals and East sits left of him.",
        "second_round": "North deals, and all four pass.",
        "all_pass": "North deals, and all four pass.",
        "all_pass_again": "North deals, and in the second round too all four pass.",
    },
}

OUTCOMES: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {
        "may_play": "U mag spelen: {cards}.",
        "counts": "{Cards} tellen.",
        "counts_not": "{Cards} tellen niet.",
        "7": "vier zevens",
        "9": "vier negens",
        "no_nil": "Dat kan niet: ledig wordt niet gespeeld.",
        "no_no_trump": "Dat kan niet: wie speelt, moet een troefkleur noemen.",
        "bidding:forehand_must": "Oost moet spelen en kiest de troefkleur.",
        "bidding:dealer_must": "Noord moet spelen en kiest de troefkleur.",
        "bidding:round_from_forehand": "Oost zegt als eerste of hij speelt of past, dan Zuid, "
        "West en Noord.",
        "bidding:round_from_dealer": "Noord zegt als eerste of hij speelt of past, dan Oost, Zuid "
        "en West.",
        "bidding:turned_card": "De omgedraaide kaart is harten 8. Oost zegt als eerste of hij "
        "harten speelt of past, dan Zuid, West en Noord.",
        "bidding:free": "Ieder zegt hoeveel hij denkt te halen. Wie het meest biedt, speelt en "
        "kiest de troefkleur.",
        "second_round:none": "Er komt geen tweede ronde.",
        "second_round:other_suit": "Ieder mag nog eens zeggen of hij speelt, nu met een andere "
        "kleur als troef.",
        "second_round:other_suit_or_no_trump": "Ieder mag nog eens zeggen of hij speelt, nu met "
        "een andere kleur als troef.",
        "or_no_trump": "Zonder troef mag dan ook.",
        "or_no_trump_not_allowed": "Zonder troef zou dan ook mogen, maar dat staat dit reglement "
        "bij ‘zonder troef’ niet toe.",
        "all_pass:dealer_must": "Noord heeft gegeven en moet spelen.",
        "all_pass:forehand_must": "Oost is de voorhand en moet spelen.",
        "all_pass:turn_again": "Er wordt een nieuwe kaart omgedraaid, tot iemand speelt.",
    },
    "en": {
        "may_play": "You may play: {cards}.",
        "counts": "{Cards} count.",
        "counts_not": "{Cards} do not count.",
        "7": "four sevens",
        "9": "four nines",
        "no_nil": "That cannot be: nil is not played.",
        "no_no_trump": "That cannot be: who plays must name a trump suit.",
        "bidding:forehand_must": "East must play and chooses trump.",
        "bidding:dealer_must": "North must play and chooses trump.",
        "bidding:round_from_forehand": "East is the first to play or pass, then South, West and "
        "North.",
        "bidding:round_from_dealer": "North is the first to play or pass, then East, South and "
        "West.",
        "bidding:turned_card": "The card turned up is the 8 of hearts. East is the first to play "
        "hearts or pass, then South, West and North.",
        "bidding:free": "Everybody says how much he thinks he will take. The highest bidder plays "
        "and chooses trump.",
        "second_round:none": "There is no second round.",
        "second_round:other_suit": "Everybody may say once more whether he plays, now with another "
        "suit as trump.",
        "second_round:other_suit_or_no_trump": "Everybody may say once more whether he plays, now "
        "with another suit as trump.",
        "or_no_trump": "Without trumps is allowed then too.",
        "or_no_trump_not_allowed": "Without trumps would be allowed then too, but these rules do "
        "not allow it under “no-trump”.",
        "all_pass:dealer_must": "North dealt and must play.",
        "all_pass:forehand_must": "East is the forehand and must play.",
        "all_pass:turn_again": "Another card is turned up, until somebody plays.",
    },
}
SIDES_SAID: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {"NS": "wij", "EW": "zij"},
    "en": {"NS": "we", "EW": "they"},
}
CARDS_SAID: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {
        "7H": "harten 7",
        "9H": "harten 9",
        "AD": "ruiten aas",
        "8S": "schoppen 8",
        "or": " of ",
    },
    "en": {
        "7H": "the 7 of hearts",
        "9H": "the 9 of hearts",
        "AD": "the ace of diamonds",
        "8S": "the 8 of spades",
        "or": " or ",
    },
}
