"""The words for each fault and warning, in Dutch and English.

The table is looked up by `code:why` (the fault's own reason), then `code:field`, then `code`.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from scoring.rules.deal import Seat
from scoring.rules.faults import Fault

Language = Literal["nl", "en"]

SEAT_NAMES: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {"N": "Noord", "E": "Oost", "S": "Zuid", "W": "West"},
    "en": {"N": "North", "E": "East", "S": "South", "W": "West"},
}

SUIT_SIGNS: Final[Mapping[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

RANK_NAMES: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {"T": "10", "J": "B", "Q": "V", "K": "H", "A": "A"},
    "en": {"T": "10", "J": "J", "Q": "Q", "K": "K", "A": "A"},
}
"""How the ranks that are no digit are written."""

_OR: Final[Mapping[Language, str]] = {"nl": "of", "en": "or"}

MESSAGES: Final[Mapping[str, Mapping[Language, str]]] = {
    "bad_json": {
        "nl": "Dit is geen leesbaar spel (geen JSON-object).",
        "en": "This is not a JSON object.",
    },
    "missing": {
        "nl": "Dit ontbreekt nog.",
        "en": "This is missing.",
    },
    "missing:regulation": {
        "nl": "Geef aan volgens welk reglement er gespeeld wordt.",
        "en": "Say which regulation is played.",
    },
    "missing:declarer": {
        "nl": "Geef aan wie er speelt.",
        "en": "Say who declares.",
    },
    "missing:trump": {
        "nl": "Geef aan wat troef is.",
        "en": "Say what is trump.",
    },
    "missing:points": {
        "nl": "Vul de punten van één partij in, of geef aan dat het nat of {pit} is.",
        "en": "Fill in the points of one side, or mark the deal as nat or {pit}.",
    },
    "bad_type": {
        "nl": "Wat hier staat ({value}) hoort hier niet.",
        "en": "What is written here ({value}) is of the wrong kind.",
    },
    "bad_type:points": {
        "nl": "Punten zijn hele getallen; hier staat {value}.",
        "en": "Points are whole numbers; this is {value}.",
    },
    "bad_type:roem": {
        "nl": "Roem wordt in hele getallen geschreven; hier staat {value}.",
        "en": "Roem is written in whole numbers; this is {value}.",
    },
    "bad_value": {
        "nl": "‘{value}’ kan hier niet.",
        "en": "“{value}” is not one of the possible values.",
    },
    "bad_value:seated_twice": {
        "nl": "Deze plaats staat er twee keer: {value}.",
        "en": "This seat is named twice: {value}.",
    },
    "bad_value:too_long": {
        "nl": "Dat zijn er te veel voor één spel: {count}.",
        "en": "These are too many for one deal: {count}.",
    },
    "bad_value:one_side": {
        "nl": "Aan elke kant moet iemand zitten.",
        "en": "Somebody must sit on each side.",
    },
    "bad_value:empty_seat": {
        "nl": "Op deze plaats zit niemand: {value}.",
        "en": "Nobody sits in this seat: {value}.",
    },
    "bad_value:not_of_three": {
        "nl": "Zeg wie van de drie speelt.",
        "en": "Say which of the three plays.",
    },
    "bad_value:dummy_opposite": {
        "nl": "De blinde ligt tegenover wie speelt; zo kunnen de anderen niet zitten.",
        "en": "The dummy lies opposite who plays; the others cannot sit like this.",
    },
    "unknown_key": {
        "nl": "‘{value}’ is geen onderdeel van een spel.",
        "en": "“{value}” is not part of a deal.",
    },
    "unknown_preset": {
        "nl": "Er is geen reglement dat ‘{value}’ heet.",
        "en": "There is no preset called “{value}”.",
    },
    "unknown_setting": {
        "nl": "Een reglement heeft geen instelling ‘{value}’.",
        "en": "A regulation has no setting “{value}”.",
    },
    "points_range": {
        "nl": "Punten liggen tussen 0 en {total}; hier staat {points}.",
        "en": "Points lie between 0 and {total}; this is {points}.",
    },
    "points_unreachable": {
        "nl": "Precies {points} kan niet: niemand haalt ooit 1 of {almost_all} punten.",
        "en": "Exactly {points} cannot be: no side ever has 1 or {almost_all} points.",
    },
    "points_sum": {
        "nl": "Samen moet het {total} zijn; nu is het {sum}.",
        "en": "Together it must be {total}; now it is {sum}.",
    },
    "roem_value": {
        "nl": "{points} roem bestaat niet. Het kan zijn: {values}.",
        "en": "There is no roem of {points}. It can be: {values}.",
    },
    "roem_unreachable:no_trump": {
        "nl": "Zonder troef is er geen stuk, dus ook geen roem van {points}.",
        "en": "In no-trump there is no stuk, so no roem of {points}.",
    },
    "roem_unreachable:second_stuk": {
        "nl": "Er is maar één stuk in een spel: 40 en 70 samen hooguit één keer.",
        "en": "A deal has only one stuk: at most one roem of 40 or 70.",
    },
    "roem_unreachable:tricks": {
        "nl": "Er zijn acht slagen, dus hooguit acht keer roem; hier staat het {count} keer.",
        "en": "There are eight tricks, so roem can stand here at most eight times, not {count}.",
    },
    "roem_unreachable": {
        "nl": "Deze roem past niet in één spel: er zijn geen acht slagen waar dit alles in zit.",
        "en": "This roem does not fit in one deal: no eight tricks hold all of it.",
    },
    "roem_needs_points": {
        "nl": "Voor {roem} roem zijn minstens {least} punten nodig; deze partij heeft er {points}.",
        "en": "Roem of {roem} takes at least {least} card points; this side has {points}.",
    },
    "roem_without_trick": {
        "nl": "Wie geen slag haalt, heeft geen roem. Haal de roem of de {pit} weg.",
        "en": "A side without a trick has no roem. Take away the roem or the {pit}.",
    },
    "pit_points": {
        "nl": "Bij {pit} heeft de ene partij {total} punten en de andere 0.",
        "en": "With {pit} one side has {total} points and the other 0.",
    },
    "pit_contradicts_nat": {
        "nl": "Wie {pit} speelt, is niet nat. Haal een van de twee weg.",
        "en": "Declarers who made {pit} are not nat. Take one of the two away.",
    },
    "nat_contradicts_points": {
        "nl": "Volgens de punten is het niet nat: {declarers} tegen {defenders}.",
        "en": "By the points it is not nat: {declarers} against {defenders}.",
    },
    "nat_not_played": {
        "nl": "Volgens dit reglement bestaat nat niet.",
        "en": "This regulation plays without nat.",
    },
    "no_trump_not_allowed": {
        "nl": "Volgens dit reglement moet er een troef zijn.",
        "en": "This regulation does not allow no-trump.",
    },
    "nil_not_allowed": {
        "nl": "Volgens dit reglement kan er niet ledig gespeeld worden.",
        "en": "This regulation does not allow nil.",
    },
    "bidding:forehand_must": {
        "nl": "Volgens dit reglement moet de voorhand spelen: {seat}.",
        "en": "By this regulation the forehand must play: {seat}.",
    },
    "bidding:dealer_must": {
        "nl": "Volgens dit reglement moet de gever spelen: {seat}.",
        "en": "By this regulation the dealer must play: {seat}.",
    },
    "missing:leader": {
        "nl": "Geef aan wie in de eerste slag uitkwam.",
        "en": "Say who led to the first trick.",
    },
    "missing:cards": {
        "nl": "Leg de kaarten in de volgorde waarin ze gespeeld zijn.",
        "en": "Lay the cards in the order in which they were played.",
    },
    "bad_value:counted_from_cards": {
        "nl": "Kaart voor kaart volgt dit uit de kaarten; laat het hier weg.",
        "en": "Card by card this follows from the cards; leave it out.",
    },
    "bad_value:announced_count": {
        "nl": "Er zijn acht slagen, maar hier staat voor {count} ervan wat er gemeld is.",
        "en": "There are eight tricks, but what was announced is given for {count}.",
    },
    "bad_value:announced": {
        "nl": "In slag {trick} ligt {roem} roem; {value} is daar geen deel van.",
        "en": "Trick {trick} holds {roem} roem; {value} is no part of it.",
    },
    "card_unknown": {
        "nl": "‘{value}’ is geen kaart.",
        "en": "“{value}” is not a card.",
    },
    "card_twice": {
        "nl": "{card} is al gespeeld.",
        "en": "{card} has been played already.",
    },
    "card_count": {
        "nl": "Een spel heeft 32 kaarten; hier liggen er {count}.",
        "en": "A deal has 32 cards; here there are {count}.",
    },
    "leader": {
        "nl": "{seat} gaf, dus {forehand} komt uit in de eerste slag.",
        "en": "{seat} dealt, so {forehand} leads to the first trick.",
    },
    "card_not_allowed:follow": {
        "nl": "Slag {trick}: {seat} speelde {card}, maar moest bekennen: {legal}.",
        "en": "Trick {trick}: {seat} played {card} but had to follow suit: {legal}.",
    },
    "card_not_allowed:overtrump": {
        "nl": "Slag {trick}: {seat} speelde {card}, maar moest overtroeven: {legal}.",
        "en": "Trick {trick}: {seat} played {card} but had to overtrump: {legal}.",
    },
    "card_not_allowed:trump": {
        "nl": "Slag {trick}: {seat} speelde {card}, maar moest introeven: {legal}.",
        "en": "Trick {trick}: {seat} played {card} but had to trump: {legal}.",
    },
    "card_not_allowed:no_undertrump": {
        "nl": "Slag {trick}: {seat} speelde {card}, maar mocht niet ondertroeven; wel {legal}.",
        "en": "Trick {trick}: {seat} played {card} but was not to undertrump; allowed: {legal}.",
    },
    "no_points": {
        "nl": "Eén partij heeft 0 punten, maar er staat geen {pit}. Klopt dat?",
        "en": "One side has 0 points but no {pit} is marked. Is that right?",
    },
    "much_roem": {
        "nl": "Er staat samen {points} roem. Klopt dat?",
        "en": "There is {points} roem in all. Is that right?",
    },
    "often_roem": {
        "nl": "Er staat {count} keer roem. Klopt dat?",
        "en": "Roem is written {count} times. Is that right?",
    },
    "roem_with_few_points": {
        "nl": "{roem} roem met maar {points} punten is heel zeldzaam. Klopt dat?",
        "en": "{roem} roem with only {points} card points is very rare. Is that right?",
    },
    "nil_with_points:made": {
        "nl": "Er staat ledig gehaald, maar wie speelde heeft {points} punten. Klopt dat?",
        "en": "Nil is marked as made, but the declarers have {points} points. Is that right?",
    },
    "nil_with_points:failed": {
        "nl": "Er staat ledig niet gehaald, maar wie speelde heeft 0 punten. Klopt dat?",
        "en": "Nil is marked as failed, but the declarers have 0 points. Is that right?",
    },
    "dummy_seat": {
        "nl": "Met drie spelers zit de blinde tegenover de speler. Klopt dat hier?",
        "en": "With three players the dummy sits opposite the declarer. Is that so here?",
    },
}


def fault_message(
    fault: Fault,
    language: Language = "en",
    pit: str = "pit",
    *,
    seats: Mapping[Seat, str] | None = None,
) -> str:
    """What is wrong, in plain words; `pit` is what is said for taking every trick.

    `seats` are the names of the people; left out they are North, East, South and West.

    >>> fault_message(Fault("points_sum", "points", {"total": 162, "sum": 161}), "nl")
    'Samen moet het 162 zijn; nu is het 161.'
    """
    keys = (f"{fault.code}:{fault.params.get('why')}", f"{fault.code}:{fault.root}", fault.code)
    texts = next(MESSAGES[key] for key in keys if key in MESSAGES)
    params: dict[str, Any] = {"pit": pit, **fault.params}
    names: Mapping[Any, str] = seats or SEAT_NAMES[language]
    for name in params.keys() & {"seat", "forehand"}:
        params[name] = names[params[name]]
    for name in params.keys() & {"card", "legal"}:
        params[name] = _cards(str(params[name]), language)
    return texts[language].format_map(params)


def card_name(card: str, language: Language = "en") -> str:
    """A card as people write it.

    >>> card_name("TH"), card_name("QS", "nl")
    ('♥10', '♠V')
    """
    return SUIT_SIGNS[card[1]] + RANK_NAMES[language].get(card[0], card[0])


def _cards(cards: str, language: Language) -> str:
    """One of the cards, which are separated by spaces, as a sentence names them."""
    *others, last = [card_name(card, language) for card in cards.split()]
    return f"{', '.join(others)} {_OR[language]} {last}" if others else last


def fault_json(fault: Fault, language: Language = "en") -> dict[str, str]:
    """The fault as the contract writes it: `code`, `field`, `message`."""
    return {
        "code": fault.code,
        "field": fault.field,
        "message": fault_message(fault, language),
    }
