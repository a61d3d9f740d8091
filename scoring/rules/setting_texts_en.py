"""What each setting of a regulation is called, asks and means, in English."""

from collections.abc import Mapping
from typing import Final

from scoring.rules.setting_text import SettingText

GROUPS_EN: Final[Mapping[str, str]] = {
    "playing": "Playing a card",
    "roem": "Roem",
    "nat": "Nat",
    "pit": "{Pit} and other extras",
    "reneging": "Reneging",
    "bidding": "Who makes trump",
}

SETTINGS_EN: Final[Mapping[str, SettingText]] = {
    "must_trump": SettingText(
        "trumping",
        "What must you do when you cannot follow suit?",
        "Who does not hold the suit that was led must usually play a trump.",
        {
            "amsterdam": "trump, but not when your partner heads the trick (Amsterdam)",
            "rotterdam": "always trump, and higher if you can (Rotterdam)",
            "trump_only": "always trump, but higher only when trumps are led",
        },
    ),
    "undertrump": SettingText(
        "undertrumping",
        "Must you undertrump?",
        "An opponent heads the trick with a trump that you cannot beat.",
        {
            "avoid": "no, you discard another card if you hold one",
            "obligatory": "yes, you must play a lower trump",
        },
    ),
    "four_of_a_kind_from": SettingText(
        "four of a kind counts",
        "From which card is four of a kind roem?",
        "At some clubs four sevens or four eights do not count.",
        {
            "7": "from the seven, so always",
            "9": "from the nine up",
            "10": "from the ten up",
        },
    ),
    "four_of_a_kind": SettingText(
        "four of a kind",
        "How much roem is four of a kind?",
        "Four cards of one rank in one trick, jacks not included.",
    ),
    "four_jacks": SettingText(
        "four jacks",
        "How much roem are four jacks?",
        "One club writes 200 for them, another 100.",
    ),
    "nat": SettingText(
        "nat",
        "Do you play with nat?",
        "Who plays and takes no more than the other side is nat and writes nothing.",
        {"true": "yes", "false": "no, each side keeps its points"},
    ),
    "nat_counts_roem": SettingText(
        "nat or not",
        "Does roem count when you see whether it is nat?",
        "The side that plays must have more than the other side, with or without roem.",
        {"true": "yes, points and roem together", "false": "no, card points alone"},
    ),
    "nat_roem": SettingText(
        "roem of the nat side",
        "Where does the roem of the nat side go?",
        "Who is nat may have announced roem in that deal.",
        {"opponents": "to the other side", "lost": "lost"},
    ),
    "pit_bonus": SettingText(
        "{pit}",
        "What does {pit} earn on top?",
        "The side that plays takes all eight tricks.",
    ),
    "counter_pit_bonus": SettingText(
        "counter-{pit}",
        "What does counter-{pit} earn on top?",
        "The other side takes all eight tricks; who played is nat as well.",
    ),
    "shutout_bonus": SettingText(
        "all points without {pit}",
        "What does it earn on top when the other side takes a trick, but no points?",
        "That happens with a trick of four worthless cards; most clubs give nothing.",
    ),
    "nil_bonus": SettingText(
        "nil",
        "Do you play nil?",
        "A player then promises that his side takes no trick at all.",
        {"null": "no"},
    ),
    "no_trump": SettingText(
        "no-trump",
        "May a deal be played without trumps?",
        "No suit is trump then, and there are 130 points to share instead of 162.",
        {"true": "yes", "false": "no"},
    ),
    "reneging": SettingText(
        "reneging",
        "What follows when it is proved that somebody reneged?",
        "Reneging is playing a card that you were not allowed to play.",
        {
            "deal_lost": "the other side gets all points, and nothing else counts",
            "deal_lost_with_roem": "the other side gets all points and keeps its own roem",
            "culprit_fined": "the deal stands, and only who reneged is fined",
            "replay": "the deal is played again",
            "none": "nothing, the deal stands",
        },
    ),
    "reneging_roem": SettingText(
        "extra after reneging",
        "How many points come on top when a deal is lost by reneging?",
        "The other side gets all card points of the deal, and these as well.",
    ),
    "reneging_fine": SettingText(
        "fine",
        "How many points does who reneged lose?",
        "They come off his own points; his partner keeps his.",
    ),
    "unproven_reneging": SettingText(
        "accused wrongly",
        "And when somebody calls reneging and cannot prove it?",
        "The tricks are looked through and nothing turns out to be wrong.",
        {
            "deal_lost": "who called it loses the deal",
            "none": "nothing, the deal stands",
        },
    ),
    "bidding": SettingText(
        "who makes trump",
        "Who chooses trump?",
        "The forehand sits left of the dealer and always leads, whoever plays.",
        {
            "forehand_must": "the forehand must play, there is no passing (Utrecht)",
            "dealer_must": "the dealer must play, there is no passing",
            "round_from_forehand": "everybody may play or pass, the forehand begins",
            "round_from_dealer": "everybody may play or pass, the dealer begins",
            "turned_card": "a card is turned up, and everybody may play that suit or pass",
            "free": "everybody may bid and the highest bidder plays (Leiden)",
        },
    ),
    "second_round": SettingText(
        "second round",
        "Is there a second round when everybody passes?",
        "Everybody may then say once more whether he plays.",
        {
            "none": "no",
            "other_suit": "yes, with another suit",
            "other_suit_or_no_trump": "yes, with another suit or without trumps",
        },
    ),
    "all_pass": SettingText(
        "everybody passes",
        "What happens when everybody keeps passing?",
        "Somebody has to make trump.",
        {
            "dealer_must": "the dealer must play",
            "forehand_must": "the forehand must play",
            "turn_again": "another card is turned up",
        },
    ),
}
