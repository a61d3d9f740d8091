"""The regulations that clubs start from, with their names and a sentence about each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoring.rules.messages import Language
from scoring.rules.regulation import Regulation

_AMSTERDAM: Final = Regulation()
_ROTTERDAM: Final = replace(_AMSTERDAM, must_trump="rotterdam")

PRESETS: Final[Mapping[str, Regulation]] = {
    "amsterdam": _AMSTERDAM,
    "rotterdam": _ROTTERDAM,
    "utrecht": replace(_AMSTERDAM, bidding="forehand_must"),
    "new-zealand": replace(
        _ROTTERDAM,
        bidding="round_from_dealer",
        all_pass="dealer_must",  # noqa: S106
        four_of_a_kind_from="10",
        unproven_reneging="deal_lost",
    ),
    "gezelligheid": replace(_AMSTERDAM, nat=False, reneging="replay"),
    "thousand-and-one": replace(
        _AMSTERDAM,
        must_trump="trump_only",
        four_of_a_kind_from="10",
        four_jacks=100,
        pit_bonus=0,
        counter_pit_bonus=0,
        no_trump=True,
        reneging_roem=0,
        bidding="turned_card",
        second_round="other_suit_or_no_trump",
    ),
}

PRESET_NAMES: Final[Mapping[str, Mapping[Language, str]]] = {
    "amsterdam": {"nl": "Amsterdams", "en": "Amsterdam"},
    "rotterdam": {"nl": "Rotterdams", "en": "Rotterdam"},
    "utrecht": {"nl": "Utrechts (verplicht)", "en": "Utrecht (forehand must play)"},
    "new-zealand": {"nl": "Nieuw-Zeeland", "en": "New Zealand"},
    "gezelligheid": {"nl": "Op de gezelligheid", "en": "Sociable"},
    "thousand-and-one": {"nl": "Duizend-en-een", "en": "To a thousand and one"},
}

PRESET_DESCRIPTIONS: Final[Mapping[str, Mapping[Language, str]]] = {
    "amsterdam": {
        "nl": "Ligt de slag aan uw maat, dan hoeft u niet te troeven; iedereen mag passen.",
        "en": "When your partner heads the trick you need not trump; everybody may pass.",
    },
    "rotterdam": {
        "nl": "Wie niet kan bekennen moet altijd troeven, ook als de slag aan de maat ligt.",
        "en": "Who cannot follow suit must always trump, even when the partner heads the trick.",
    },
    "utrecht": {
        "nl": "Als Amsterdams, maar de voorhand moet spelen: passen kan niet.",
        "en": "As Amsterdam, but the forehand must play: there is no passing.",
    },
    "new-zealand": {
        "nl": "Als Rotterdams, maar de gever begint met bieden en moet spelen als ieder past; "
        "vier gelijke telt vanaf de tien, en wie ten onrechte verzaken roept verliest het spel.",
        "en": "As Rotterdam, but bidding starts at the dealer, who must play when all pass; four "
        "of a kind counts from the ten up, and an accusation that cannot be proved loses the deal.",
    },
    "gezelligheid": {
        "nl": "Als Amsterdams, maar zonder nat: ieder houdt zijn punten, en na verzaken wordt het "
        "spel overgedaan.",
        "en": "As Amsterdam, but without nat: each side keeps its points, and after reneging the "
        "deal is played again.",
    },
    "thousand-and-one": {
        "nl": "Het oude spel tot 1001: zonder troef spelen mag, alle slagen halen geeft niets "
        "extra, en vier gelijke telt vanaf de tien en altijd 100.",
        "en": "The old game to 1001: no-trump is allowed, taking every trick earns nothing extra, "
        "and four of a kind counts from the ten up and always 100.",
    },
}
