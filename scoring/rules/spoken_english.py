"""The rules of play in English, sentence by sentence; `spoken` chooses among them."""

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "trump_9": "nine (nel)",
    "all_points": "all {trump_points} points",
    "all_points_or_no_trump": "all points of the deal ({trump_points}, in no-trump "
    "{no_trump_points})",
    "enough": "82 points",
    "enough_or_no_trump": "82 points (in no-trump 66)",
    "title_game": "The game",
    "game_sides": "Four people play, two against two. Your partner sits opposite you.",
    "game_cards": "There are 32 cards, from the seven to the ace. Everybody gets eight, so a deal "
    "has eight tricks.",
    "game_lead": "Play goes clockwise. The forehand leads to the first trick: that is who sits "
    "left of the dealer, whoever makes trumps. After that, who took the last trick leads.",
    "game_declarers": "Whoever makes trumps and his partner are the declaring side. The other two "
    "are the defenders.",
    "title_cards": "The cards",
    "trick_winner": "The highest trump takes the trick. With no trump in it, the highest card of "
    "the suit that was led does.",
    "last_trick": "The last trick gives 10 points extra. A whole deal is 162 points together.",
    "title_bidding": "Who makes trumps",
    "forehand_must": "The forehand makes trumps and plays. Nobody can pass.",
    "dealer_must": "The dealer makes trumps and plays. Nobody can pass.",
    "suit_named": "First a suit is named that may become trumps.",
    "round_from_forehand": "In turn everybody says whether he plays or passes. The forehand "
    "begins.",
    "round_from_dealer": "In turn everybody says whether he plays or passes. The dealer begins.",
    "chooses_trump": "The first who wants to play chooses trumps.",
    "plays_named_suit": "The first who wants to play has that suit as trumps.",
    "turned_card": "The dealer turns up a card: its suit may become trumps. In turn, the forehand "
    "first, everybody says whether he plays in that suit or passes.",
    "free": "There is bidding. In turn everybody says how much he expects to make, or passes. The "
    "highest bidder makes trumps and plays.",
    "second_round": "If everybody passes, there is another turn. Whoever then wants to play "
    "chooses another suit.",
    "second_round_or_no_trump": "If everybody passes, there is another turn. Whoever then wants "
    "to play chooses another suit or plays without trumps.",
    "if_all_pass": "If everybody passes",
    "if_all_pass_again": "If everybody passes again",
    "if_nobody_bids": "If nobody bids",
    "all_pass_dealer_must": "{if_all_pass}, the dealer must play.",
    "all_pass_forehand_must": "{if_all_pass}, the forehand must play.",
    "all_pass_name_again": "{if_all_pass}, another suit is named.",
    "all_pass_turn_again": "{if_all_pass}, another card is turned up, until there is a new suit.",
    "all_pass_bid_again": "{if_all_pass}, a card is turned up and everybody may bid once more.",
    "title_playing": "Following suit and trumping",
    "follow_suit": "You must follow suit: if you hold a card of the suit that was led, you play "
    "that suit.",
    "go_over": "When trumps are led you play higher than the highest trump in the trick, if you "
    "can. That also binds when your partner heads the trick.",
    "must_trump_amsterdam": "If you cannot follow suit you must trump. When the other side has "
    "trumped already, you must go over if you can.",
    "must_trump_rotterdam": "If you cannot follow suit you must always trump, even when your "
    "partner heads the trick. With a trump in the trick you must go over it if you can; if you "
    "cannot, you still play a lower trump.",
    "must_trump_trump_only": "If you cannot follow suit you must always trump, even when your "
    "partner heads the trick. You need not go over a trump that is there already.",
    "partner_heads": "When your partner heads the trick you need not trump, and may play another "
    "suit.",
    "undertrump_avoid": "If you cannot go over a trump, you play another suit. Undertrumping, "
    "with a lower trump than is there already, is allowed only when you hold nothing else.",
    "undertrump_obligatory": "Undertrumping is obligatory: if you cannot go over a trump of the "
    "other side, you play a lower one. Under your partner’s trump you go only when you hold "
    "nothing else.",
    "no_trump_left": "If you hold neither the suit led nor a trump, you play what you like.",
    "title_no_trump": "Playing without trumps",
    "no_trump_allowed": "A deal may also be played without trumps. All suits are then plain suits.",
    "no_trump_follow": "Then only following suit binds. If you cannot, you play what you like.",
    "no_trump_values": "Without trumps a whole deal is 130 points, the last trick included, and "
    "there is no stuk.",
    "title_roem": "Roem",
    "roem_trick": "Roem is in the four cards of one trick and goes to the side that takes the "
    "trick.",
    "roem_runs": "Three cards of a suit in a row are 20 roem, four in a row 50.",
    "roem_order": "For this the order is seven, eight, nine, ten, jack, queen, king, ace, in "
    "trumps too.",
    "roem_stuk": "King and queen of trumps together are stuk: 20 roem. When they are in a run of "
    "three or four, stuk is added and it is 40 or 70.",
    "four_from_7": "Four of a kind, of any card, are {four_of_a_kind} roem.",
    "four_from_9": "Four of a kind are {four_of_a_kind} roem from the nine up: four sevens and "
    "four eights do not count.",
    "four_from_10": "Four of a kind are {four_of_a_kind} roem from the ten up: four sevens, "
    "eights or nines do not count.",
    "four_nothing": "Four of a kind give no roem.",
    "four_jacks": "Four jacks are {four_jacks} roem.",
    "four_jacks_nothing": "Four jacks give no roem.",
    "title_nat": "Made or not",
    "score_count": "After the deal you count the points in the tricks, and the roem is added.",
    "no_nat": "We play without nat: even when the declaring side does not make it, each side "
    "keeps its own points and roem.",
    "nat_with_roem": "The declaring side must get more than the defenders, roem included. If it "
    "does not, or if it is equal, it is nat. Without any roem {enough} are enough.",
    "nat_on_points": "The declaring side must get more card points than the defenders: {enough}. "
    "Roem does not count for this. If it does not, it is nat.",
    "nat_roem_opponents": "A side that is nat gets nothing. The defenders get {all_points} and "
    "the roem of both sides.",
    "nat_roem_lost": "A side that is nat gets nothing and loses the roem as well. The defenders "
    "get {all_points} and only their own roem.",
    "title_extras": "{Pit} and other extras",
    "pit_what": "A side that takes all eight tricks makes {pit}.",
    "pit_bonus": "When the declaring side makes {pit}, it gets {pit_bonus} points extra.",
    "pit_nothing": "For {pit} by the declaring side there are no extra points.",
    "counter_pit": "When the defenders take all tricks, that is counter-{pit}: "
    "{counter_pit_bonus} points extra for them.",
    "counter_pit_nothing": "When the defenders take all tricks, that is counter-{pit}. There are "
    "no extra points for it.",
    "shutout": "When the defenders have no points and no roem, and it is no {pit}, the declaring "
    "side gets {shutout_bonus} points extra.",
    "nil_made": "You can also play nil: then your side must take no trick at all. If that works, "
    "it gets {nil_bonus} points and the other side nothing.",
    "nil_failed": "If you take a trick in nil after all, the other side gets {all_points} and all "
    "roem.",
    "title_reneging": "Reneging and misdeals",
    "reneging_what": "Reneging is playing a card that was not allowed, such as not following suit "
    "when you could.",
    "reneging_deal_lost": "Once it is proved, the other side gets {all_points} and "
    "{reneging_roem} roem. Nothing else is written of that deal.",
    "reneging_deal_lost_bare": "Once it is proved, the other side gets {all_points}. Nothing else "
    "is written of that deal.",
    "reneging_deal_lost_with_roem": "Once it is proved, the other side gets {all_points}, "
    "{reneging_roem} roem and the roem it already had in that deal.",
    "reneging_deal_lost_with_roem_bare": "Once it is proved, the other side gets {all_points} and "
    "the roem it already had in that deal.",
    "reneging_culprit_fined": "Once it is proved, the deal counts as usual. Whoever reneged loses "
    "{reneging_fine} points; his partner does not.",
    "reneging_replay": "Once it is proved, the deal does not count and the same dealer deals "
    "again.",
    "reneging_none": "There is no penalty: the deal counts as it was played.",
    "unproven_deal_lost": "Whoever says that somebody reneged and cannot prove it loses the deal: "
    "the other side gets {all_points} and {reneging_roem} roem.",
    "unproven_deal_lost_bare": "Whoever says that somebody reneged and cannot prove it loses the "
    "deal: the other side gets {all_points}.",
    "unproven_none": "Whoever says that somebody reneged and cannot prove it gets no penalty for "
    "that.",
    "misdeal": "After a misdeal the same dealer deals again, and the deal keeps its number.",
}
