"""The rules of play in Dutch, sentence by sentence; `spoken` chooses among them."""

from collections.abc import Mapping
from typing import Final

DUTCH: Final[Mapping[str, str]] = {
    "J": "boer",
    "Q": "vrouw",
    "K": "heer",
    "A": "aas",
    "T": "tien",
    "9": "negen",
    "8": "acht",
    "7": "zeven",
    "trump_9": "negen (nel)",
    "all_points": "alle {trump_points} punten",
    "all_points_or_no_trump": "alle punten van het spel ({trump_points}, zonder troef "
    "{no_trump_points})",
    "enough": "82 punten",
    "enough_or_no_trump": "82 punten (zonder troef 66)",
    "title_game": "Het spel",
    "game_sides": "U speelt met z’n vieren, twee tegen twee. Uw maat zit tegenover u.",
    "game_cards": "Er zijn 32 kaarten, van de zeven tot en met de aas. Ieder krijgt er acht, dus "
    "een spel heeft acht slagen.",
    "game_lead": "Het gaat met de klok mee. In de eerste slag komt de voorhand uit: dat is wie "
    "links van de gever zit, wie er ook troef maakt. Daarna komt uit wie de vorige slag haalde.",
    "game_declarers": "Wie troef maakt, is met zijn maat de spelende partij. De andere twee zijn "
    "de tegenpartij.",
    "title_cards": "De kaarten",
    "trick_winner": "De hoogste troef haalt de slag. Ligt er geen troef, dan haalt de hoogste "
    "kaart van de gevraagde kleur hem.",
    "last_trick": "De laatste slag geeft 10 punten extra. Een heel spel is samen 162 punten.",
    "title_bidding": "Wie maakt troef",
    "forehand_must": "De voorhand maakt troef en speelt. Passen kan niet.",
    "dealer_must": "De gever maakt troef en speelt. Passen kan niet.",
    "suit_named": "Eerst wordt een kleur aangewezen die troef kan worden.",
    "round_from_forehand": "Om de beurt zegt ieder of hij speelt of past. De voorhand begint.",
    "round_from_dealer": "Om de beurt zegt ieder of hij speelt of past. De gever begint.",
    "chooses_trump": "Wie het eerst wil spelen, kiest de troef.",
    "plays_named_suit": "Wie het eerst wil spelen, speelt met die kleur als troef.",
    "turned_card": "De gever draait een kaart om: de kleur daarvan kan troef worden. Om de beurt, "
    "de voorhand eerst, zegt ieder of hij op die kleur speelt of past.",
    "free": "Er wordt geboden. Om de beurt zegt ieder hoeveel hij denkt te halen, of past. Wie "
    "het hoogst biedt, maakt troef en speelt.",
    "second_round": "Past iedereen, dan gaat de beurt nog eens rond. Wie dan wil spelen, kiest "
    "een andere kleur.",
    "second_round_or_no_trump": "Past iedereen, dan gaat de beurt nog eens rond. Wie dan wil "
    "spelen, kiest een andere kleur of speelt zonder troef.",
    "if_all_pass": "Past iedereen",
    "if_all_pass_again": "Past iedereen weer",
    "if_nobody_bids": "Biedt niemand",
    "all_pass_dealer_must": "{if_all_pass}, dan moet de gever spelen.",
    "all_pass_forehand_must": "{if_all_pass}, dan moet de voorhand spelen.",
    "all_pass_name_again": "{if_all_pass}, dan wordt er een andere kleur aangewezen.",
    "all_pass_turn_again": "{if_all_pass}, dan wordt er weer een kaart omgedraaid, tot er een "
    "nieuwe kleur ligt.",
    "all_pass_bid_again": "{if_all_pass}, dan wordt er een kaart omgedraaid en mag ieder nog eens "
    "bieden.",
    "title_playing": "Bekennen en troeven",
    "follow_suit": "Bekennen moet: hebt u een kaart van de gevraagde kleur, dan speelt u die "
    "kleur.",
    "go_over": "Wordt er troef gevraagd, dan speelt u hoger dan de hoogste troef die er ligt, als "
    "u dat kunt. Dat moet ook als de slag aan uw maat ligt.",
    "must_trump_amsterdam": "Kunt u niet bekennen, dan moet u troeven. Heeft de tegenpartij al "
    "getroefd, dan moet u eroverheen als u dat kunt.",
    "must_trump_rotterdam": "Kunt u niet bekennen, dan moet u altijd troeven, ook als de slag aan "
    "uw maat ligt. Ligt er al een troef, dan moet u eroverheen als u dat kunt; kunt u dat niet, "
    "dan speelt u toch een lagere troef.",
    "must_trump_trump_only": "Kunt u niet bekennen, dan moet u altijd troeven, ook als de slag "
    "aan uw maat ligt. U hoeft niet hoger te gaan dan een troef die er al ligt.",
    "partner_heads": "Ligt de slag aan uw maat, dan hoeft u niet te troeven en mag u een andere "
    "kleur bijspelen.",
    "undertrump_avoid": "Kunt u niet over een troef heen, dan speelt u een andere kleur bij. "
    "Ondertroeven, met een lagere troef dan er al ligt, mag alleen als u niets anders hebt.",
    "undertrump_obligatory": "Ondertroeven is verplicht: kunt u niet over een troef van de "
    "tegenpartij heen, dan speelt u een lagere. Onder een troef van uw maat gaat u alleen als u "
    "niets anders hebt.",
    "no_trump_left": "Hebt u de gevraagde kleur niet en ook geen troef, dan speelt u wat u wilt.",
    "title_no_trump": "Spelen zonder troef",
    "no_trump_allowed": "Een spel mag ook zonder troef gespeeld worden. Alle kleuren zijn dan "
    "gewone kleuren.",
    "no_trump_follow": "Dan geldt alleen dat u moet bekennen. Kunt u dat niet, dan speelt u wat u "
    "wilt.",
    "no_trump_values": "Zonder troef is een heel spel 130 punten, de laatste slag meegeteld, en "
    "bestaat er geen stuk.",
    "title_roem": "Roem",
    "roem_trick": "Roem zit in de vier kaarten van één slag en is voor de partij die de slag "
    "haalt.",
    "roem_runs": "Drie opeenvolgende kaarten van één kleur zijn 20 roem, vier opeenvolgende 50.",
    "roem_order": "Daarbij gaat de volgorde van zeven, acht, negen, tien, boer, vrouw, heer tot "
    "aas, ook in troef.",
    "roem_stuk": "Heer en vrouw van troef samen zijn stuk: 20 roem. Zitten ze in een driekaart of "
    "vierkaart, dan komt stuk erbij en is het 40 of 70.",
    "four_from_7": "Vier gelijke, van welke kaart ook, zijn {four_of_a_kind} roem.",
    "four_from_9": "Vier gelijke zijn {four_of_a_kind} roem vanaf de negen: vier zevens en vier "
    "achten tellen niet.",
    "four_from_10": "Vier gelijke zijn {four_of_a_kind} roem vanaf de tien: vier zevens, achten "
    "of negens tellen niet.",
    "four_nothing": "Vier gelijke geven geen roem.",
    "four_jacks": "Vier boeren zijn {four_jacks} roem.",
    "four_jacks_nothing": "Vier boeren geven geen roem.",
    "title_nat": "Gehaald of niet",
    "score_count": "Na het spel telt u de punten van de slagen en komt de roem erbij.",
    "no_nat": "Wij spelen zonder nat: ook als de spelende partij het niet haalt, houdt iedere "
    "partij haar eigen punten en roem.",
    "nat_with_roem": "De spelende partij moet meer halen dan de tegenpartij, met de roem "
    "meegeteld. Lukt dat niet, of is het gelijk, dan is zij nat. Is er geen roem, dan zijn "
    "{enough} genoeg.",
    "nat_on_points": "De spelende partij moet meer kaartpunten halen dan de tegenpartij: "
    "{enough}. Roem telt daarbij niet mee. Lukt het niet, dan is zij nat.",
    "nat_roem_opponents": "Wie nat is, krijgt niets. De tegenpartij krijgt {all_points} en de "
    "roem van beide partijen.",
    "nat_roem_lost": "Wie nat is, krijgt niets en verliest ook de roem. De tegenpartij krijgt "
    "{all_points} en alleen haar eigen roem.",
    "title_extras": "{Pit} en andere extra’s",
    "pit_what": "Een partij die alle acht slagen haalt, maakt {pit}.",
    "pit_bonus": "Maakt de spelende partij {pit}, dan krijgt zij {pit_bonus} punten extra.",
    "pit_nothing": "Voor {pit} van de spelende partij zijn er geen extra punten.",
    "counter_pit": "Haalt de tegenpartij alle slagen, dan is dat tegen{pit}: {counter_pit_bonus} "
    "punten extra voor haar.",
    "counter_pit_nothing": "Haalt de tegenpartij alle slagen, dan is dat tegen{pit}. Daar zijn "
    "geen extra punten voor.",
    "shutout": "Heeft de tegenpartij geen punten en geen roem, en is het geen {pit}, dan krijgt "
    "de spelende partij {shutout_bonus} punten extra.",
    "nil_made": "U kunt ook ledig spelen: dan moet uw partij nul slagen halen. Lukt dat, dan "
    "krijgt zij {nil_bonus} punten en de andere partij niets.",
    "nil_failed": "Haalt u bij ledig toch een slag, dan krijgt de andere partij {all_points} en "
    "alle roem.",
    "title_reneging": "Verzaken en verkeerd geven",
    "reneging_what": "Verzaken is een kaart spelen die niet mocht, bijvoorbeeld niet bekennen "
    "terwijl u dat kon.",
    "reneging_deal_lost": "Is het bewezen, dan krijgt de andere partij {all_points} en "
    "{reneging_roem} roem. Meer wordt er van dat spel niet geschreven.",
    "reneging_deal_lost_bare": "Is het bewezen, dan krijgt de andere partij {all_points}. Meer "
    "wordt er van dat spel niet geschreven.",
    "reneging_deal_lost_with_roem": "Is het bewezen, dan krijgt de andere partij {all_points}, "
    "{reneging_roem} roem en de roem die zij in dat spel al had.",
    "reneging_deal_lost_with_roem_bare": "Is het bewezen, dan krijgt de andere partij "
    "{all_points} en de roem die zij in dat spel al had.",
    "reneging_culprit_fined": "Is het bewezen, dan telt het spel gewoon. Wie verzaakte krijgt "
    "{reneging_fine} punten aftrek; zijn maat niet.",
    "reneging_replay": "Is het bewezen, dan telt het spel niet en geeft dezelfde gever opnieuw.",
    "reneging_none": "Er staat geen straf op: het spel telt zoals het gespeeld is.",
    "unproven_deal_lost": "Wie zegt dat een ander verzaakt heeft en het niet kan bewijzen, "
    "verliest het spel: de andere partij krijgt {all_points} en {reneging_roem} roem.",
    "unproven_deal_lost_bare": "Wie zegt dat een ander verzaakt heeft en het niet kan bewijzen, "
    "verliest het spel: de andere partij krijgt {all_points}.",
    "unproven_none": "Wie zegt dat een ander verzaakt heeft en het niet kan bewijzen, krijgt "
    "daarvoor geen straf.",
    "misdeal": "Is er verkeerd gegeven, dan geeft dezelfde gever opnieuw en houdt het spel zijn "
    "nummer.",
}
