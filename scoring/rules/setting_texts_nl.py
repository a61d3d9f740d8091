"""What each setting of a regulation is called, asks and means, in Dutch."""

from collections.abc import Mapping
from typing import Final

from scoring.rules.setting_text import SettingText

GROUPS_NL: Final[Mapping[str, str]] = {
    "playing": "Een kaart spelen",
    "roem": "Roem",
    "nat": "Nat",
    "pit": "{Pit} en andere extra’s",
    "reneging": "Verzaken",
    "bidding": "Wie maakt troef",
}

SETTINGS_NL: Final[Mapping[str, SettingText]] = {
    "must_trump": SettingText(
        "introeven",
        "Wat moet u doen als u niet kunt bekennen?",
        "Wie de gevraagde kleur niet heeft, moet meestal een troef spelen.",
        {
            "amsterdam": "troeven, maar niet als de slag aan uw maat ligt (Amsterdams)",
            "rotterdam": "altijd troeven, en hoger als dat kan (Rotterdams)",
            "trump_only": "altijd troeven, maar hoger hoeft alleen als troef gevraagd is",
        },
    ),
    "undertrump": SettingText(
        "ondertroeven",
        "Moet u ondertroeven?",
        "Een tegenstander heeft de slag met een troef waar u niet overheen kunt.",
        {
            "avoid": "nee, u gooit een andere kaart weg als u die heeft",
            "obligatory": "ja, u moet een lagere troef spelen",
        },
    ),
    "four_of_a_kind_from": SettingText(
        "vier gelijke tellen",
        "Vanaf welke kaart zijn vier gelijke roem?",
        "Bij sommige clubs tellen vier zevens of vier achten niet.",
        {
            "7": "vanaf de zeven, dus altijd",
            "9": "vanaf de negen",
            "10": "vanaf de tien",
        },
    ),
    "four_of_a_kind": SettingText(
        "vier gelijke",
        "Hoeveel roem zijn vier gelijke?",
        "Vier kaarten van dezelfde hoogte in één slag, boeren niet meegerekend.",
    ),
    "four_jacks": SettingText(
        "vier boeren",
        "Hoeveel roem zijn vier boeren?",
        "De ene club schrijft er 200 voor, de andere 100.",
    ),
    "nat": SettingText(
        "nat",
        "Speelt u met nat?",
        "Wie speelt en niet meer haalt dan de tegenpartij, is nat en schrijft niets.",
        {"true": "ja", "false": "nee, ieder houdt zijn punten"},
    ),
    "nat_counts_roem": SettingText(
        "nat of niet",
        "Telt de roem mee om te zien of het nat is?",
        "De spelende partij moet meer hebben dan de tegenpartij, met of zonder de roem.",
        {"true": "ja, punten en roem samen", "false": "nee, alleen de kaartpunten"},
    ),
    "nat_roem": SettingText(
        "roem van wie nat is",
        "Waar gaat de roem heen van wie nat is?",
        "Wie nat is, kan in dat spel zelf roem gemeld hebben.",
        {"opponents": "naar de tegenpartij", "lost": "vervalt"},
    ),
    "pit_bonus": SettingText(
        "{pit}",
        "Wat is {pit} extra waard?",
        "De spelende partij haalt alle acht slagen.",
    ),
    "counter_pit_bonus": SettingText(
        "tegen{pit}",
        "Wat is tegen{pit} extra waard?",
        "De tegenpartij haalt alle acht slagen; wie speelde is dan ook nat.",
    ),
    "shutout_bonus": SettingText(
        "alle punten zonder {pit}",
        "Wat is het extra waard als de tegenpartij wel een slag haalt, maar geen punten?",
        "Dat gebeurt bij een slag van vier kaarten zonder waarde; de meeste clubs geven niets.",
    ),
    "nil_bonus": SettingText(
        "ledig",
        "Speelt u ledig?",
        "Een speler belooft dan dat zijn partij geen enkele slag haalt.",
        {"null": "nee"},
    ),
    "no_trump": SettingText(
        "zonder troef",
        "Mag er zonder troef gespeeld worden?",
        "Geen kleur is dan troef en er zijn 130 punten te verdelen in plaats van 162.",
        {"true": "ja", "false": "nee"},
    ),
    "reneging": SettingText(
        "verzaken",
        "Wat volgt er als bewezen is dat iemand verzaakte?",
        "Verzaken is een kaart spelen die u niet mocht spelen.",
        {
            "deal_lost": "de tegenpartij krijgt alle punten, en verder telt er niets",
            "deal_lost_with_roem": "de tegenpartij krijgt alle punten en houdt haar eigen roem",
            "culprit_fined": "het spel telt, en alleen wie verzaakte krijgt strafpunten",
            "replay": "het spel wordt overgedaan",
            "none": "niets, het spel telt gewoon",
        },
    ),
    "reneging_roem": SettingText(
        "extra na verzaken",
        "Hoeveel punten komen er bovenop als een spel door verzaken verloren is?",
        "De tegenpartij krijgt alle kaartpunten van het spel, en dit erbij.",
    ),
    "reneging_fine": SettingText(
        "strafpunten",
        "Hoeveel strafpunten krijgt wie verzaakte?",
        "Ze gaan van zijn eigen punten af; zijn maat merkt er niets van.",
    ),
    "unproven_reneging": SettingText(
        "ten onrechte beschuldigd",
        "En als iemand verzaken roept en het niet kan bewijzen?",
        "De slagen worden nagekeken en er blijkt niets mis.",
        {
            "deal_lost": "wie het riep, verliest het spel",
            "none": "niets, het spel telt gewoon",
        },
    ),
    "bidding": SettingText(
        "wie maakt troef",
        "Wie kiest de troefkleur?",
        "De voorhand zit links van de gever en komt altijd uit, wie er ook speelt.",
        {
            "forehand_must": "de voorhand moet spelen, passen kan niet (Utrechts)",
            "dealer_must": "de gever moet spelen, passen kan niet",
            "round_from_forehand": "ieder mag spelen of passen, de voorhand begint",
            "round_from_dealer": "ieder mag spelen of passen, de gever begint",
            "turned_card": "er wordt een kaart omgedraaid, en ieder mag die kleur spelen of passen",
            "free": "ieder mag bieden en de hoogste bieder speelt (Leids, kraken)",
        },
    ),
    "second_round": SettingText(
        "tweede ronde",
        "Komt er een tweede ronde als iedereen past?",
        "Ieder mag dan nog eens zeggen of hij speelt.",
        {
            "none": "nee",
            "other_suit": "ja, met een andere kleur",
            "other_suit_or_no_trump": "ja, met een andere kleur of zonder troef",
        },
    ),
    "all_pass": SettingText(
        "iedereen past",
        "Wat gebeurt er als iedereen blijft passen?",
        "Iemand moet toch troef maken.",
        {
            "dealer_must": "de gever moet spelen",
            "forehand_must": "de voorhand moet spelen",
            "turn_again": "er wordt een nieuwe kaart omgedraaid",
        },
    ),
}
