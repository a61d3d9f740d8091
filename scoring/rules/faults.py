"""What is wrong, or merely unlikely, in what somebody wrote, and how that is said."""

import dataclasses
import json
from collections.abc import Container, Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final

from scoring.rules.deal import Seat
from scoring.rules.texts import (
    Language,
    card_name,
    english,
    seat_names,
    translate,
    translate_all,
)

MOST_NAMED: Final = 100
"""So many keys or items of one place are judged one by one; what has more was never a deal."""

_LONGEST_SHOWN: Final = 40


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """A machine-readable code, the path of the field (`roem.NS.1`), and what the message names."""

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def root(self) -> str:
        """The part of the deal it is in: `roem` for `roem.NS.1`."""
        return self.field.partition(".")[0]


class InvalidDeal(ValueError):
    """A deal or a regulation that cannot be.

    `faults` names everything that is wrong with it, each code at most once per field.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        by_place = {(fault.code, fault.field): fault for fault in faults}
        self.faults: tuple[Fault, ...] = tuple(by_place.values())
        super().__init__(", ".join(f"{fault.field}: {fault.code}" for fault in self.faults))


def bad_type(value: object, field: str) -> Fault:
    """The fault of a value whose JSON type is not the field's."""
    return Fault("bad_type", field, {"value": shown(value)})


def bad_value(value: object, field: str) -> Fault:
    """The fault of a value that the field cannot have."""
    return Fault("bad_value", field, {"value": shown(value)})


def unknown_keys(
    value: Mapping[str, object], known: Container[str], prefix: str = "", code: str = "unknown_key"
) -> list[Fault]:
    """The fault of each key that is not known; `prefix` is the path before it, with its dot."""
    unknown = islice((key for key in value if key not in known), MOST_NAMED)
    return [Fault(code, f"{prefix}{printable(str(key))}", {"value": shown(key)}) for key in unknown]


def printable(text: str) -> str:
    """The text with lone surrogates, which JSON can carry and UTF-8 cannot, replaced by `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(value: object) -> str:
    """A value from outside as a message may show it: short, on one line, printable, and in JSON's
    words where Python has others.
    """
    if isinstance(value, str):
        text = " ".join(printable(value[: _LONGEST_SHOWN + 1]).split())
    elif value is None or isinstance(value, bool):
        text = json.dumps(value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**_LONGEST_SHOWN):
        text = str(value)
    else:
        return "…"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


_MESSAGES: Final[Mapping[str, str]] = {
    "bad_json": english("This is not a JSON object."),
    "missing": english("This is missing."),
    "missing:regulation": english("Say which regulation is played."),
    "missing:declarer": english("Say who declares."),
    "missing:trump": english("Say what is trump."),
    "missing:points": english("Fill in the points of one side, or mark the deal as nat or {pit}."),
    "bad_type": english("What is written here ({value}) is of the wrong kind."),
    "bad_type:points": english("Points are whole numbers; this is {value}."),
    "bad_type:roem": english("Roem is written in whole numbers; this is {value}."),
    "bad_value": english("“{value}” is not one of the possible values."),
    "bad_value:seated_twice": english("This seat is named twice: {value}."),
    "bad_value:too_long": english("These are too many for one deal: {count}."),
    "bad_value:one_side": english("Somebody must sit on each side."),
    "bad_value:empty_seat": english("Nobody sits in this seat: {value}."),
    "bad_value:not_of_three": english("Say which of the three plays."),
    "bad_value:dummy_opposite": english(
        "The dummy lies opposite the player; the others cannot sit like this."
    ),
    "unknown_key": english("“{value}” is not part of a deal."),
    "unknown_preset": english("There is no preset called “{value}”."),
    "unknown_setting": english("A regulation has no setting “{value}”."),
    "points_range": english("Points lie between 0 and {total}; this is {points}."),
    "points_unreachable": english(
        "Exactly {points} cannot be: no side ever has 1 or {almost_all} points."
    ),
    "points_sum": english("Together it must be {total}; now it is {sum}."),
    "roem_value": english("There is no roem of {points}. It can be: {values}."),
    "roem_unreachable:no_trump": english("In no-trump there is no stuk, so no roem of {points}."),
    "roem_unreachable:second_stuk": english(
        "A deal has only one stuk: at most one roem of 40 or 70."
    ),
    "roem_unreachable:tricks": english(
        "There are eight tricks, so roem can stand here at most eight times, not {count}."
    ),
    "roem_unreachable:hands": english(
        "This roem does not fit in one deal: the cards of the players cannot hold all of it."
    ),
    "roem_unreachable": english(
        "This roem does not fit in one deal: no eight tricks hold all of it."
    ),
    "roem_needs_points": english(
        "Roem of {roem} takes at least {least} card points; this side has {points}."
    ),
    "roem_without_trick": english(
        "A side without a trick has no roem. Take away the roem or the {pit}."
    ),
    "pit_points": english("With {pit} one side has {total} points and the other 0."),
    "pit_contradicts_nat": english(
        "Declarers who made {pit} are not nat. Take one of the two away."
    ),
    "nat_contradicts_points": english(
        "By the points it is not nat: {declarers} against {defenders}."
    ),
    "nat_not_played": english("This regulation plays without nat."),
    "no_trump_not_allowed": english("This regulation does not allow no-trump."),
    "nil_not_allowed": english("This regulation does not allow nil."),
    "bidding:forehand_must": english("By this regulation the forehand must play: {seat}."),
    "bidding:dealer_must": english("By this regulation the dealer must play: {seat}."),
    "missing:bid": english("Write what was bid."),
    "other_game": english("Another game is played here: only totals are written, no deals."),
    "bid_not_allowed": english("This regulation does not write bids."),
    "bid_range": english("A bid lies between 1 and {highest}; this is {bid}."),
    "missing:leader": english("Say who led to the first trick."),
    "missing:cards": english("Lay the cards in the order in which they were played."),
    "bad_value:counted_from_cards": english(
        "Card by card this follows from the cards; leave it out."
    ),
    "bad_value:announced_count": english(
        "There are eight tricks, but what was announced is given for {count}."
    ),
    "bad_value:announced": english("Trick {trick} holds {roem} roem; {value} is no part of it."),
    "card_unknown": english("“{value}” is not a card."),
    "card_twice": english("{card} has been played already."),
    "card_count": english("A deal has 32 cards; here there are {count}."),
    "hands_cannot": english(
        "The cards of this folder cannot give this. Look again at what is written; if it is right,"
        " ask the director."
    ),
    "hands_points": english(
        "With the cards of this folder this side has at least {least} points; here it has {points}."
    ),
    "hands_points:pit": english(
        "By the cards of this folder the other side holds the highest trump: there is no {pit}."
    ),
    "hands_roem": english("The cards of this folder give no roem of {points}."),
    "hands_roem:together": english(
        "The cards of this folder do not give all of this roem together: {roem}."
    ),
    "leader": english("{seat} dealt, so {forehand} leads to the first trick."),
    "card_not_allowed:follow": english(
        "Trick {trick}: {seat} played {card} but had to follow suit: {legal}."
    ),
    "card_not_allowed:overtrump": english(
        "Trick {trick}: {seat} played {card} but had to overtrump: {legal}."
    ),
    "card_not_allowed:trump": english(
        "Trick {trick}: {seat} played {card} but had to trump: {legal}."
    ),
    "card_not_allowed:no_undertrump": english(
        "Trick {trick}: {seat} played {card} but was not to undertrump; allowed: {legal}."
    ),
    "no_points": english("One side has 0 points but no {pit} is marked. Is that right?"),
    "much_roem": english("There is {points} roem in all. Is that right?"),
    "often_roem": english("Roem is written {count} times. Is that right?"),
    "roem_with_few_points": english(
        "{roem} roem with only {points} card points is very rare. Is that right?"
    ),
    "nil_with_points:made": english(
        "Nil is marked as made, but the declarers have {points} points. Is that right?"
    ),
    "nil_with_points:failed": english(
        "Nil is marked as failed, but the declarers have 0 points. Is that right?"
    ),
    "dummy_seat": english(
        "With three players the dummy sits opposite the declarer. Is that so here?"
    ),
}
"""By `code:why` (the fault's own reason), else `code:field`, else `code`."""


@cache
def messages(language: Language) -> Mapping[str, str]:
    """The text for each fault and warning, by `code:why`, `code:field` or `code`."""
    return translate_all(_MESSAGES, language)


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
    texts = messages(language)
    keys = (f"{fault.code}:{fault.params.get('why')}", f"{fault.code}:{fault.root}", fault.code)
    text = next(texts[key] for key in keys if key in texts)
    params: dict[str, Any] = {"pit": pit, **fault.params}
    names: Mapping[Any, str] = seats or seat_names(language)
    for name in params.keys() & {"seat", "forehand"}:
        params[name] = names[params[name]]
    for name in params.keys() & {"card", "legal"}:
        params[name] = _cards(str(params[name]), language)
    return text.format_map(params)


def _cards(cards: str, language: Language) -> str:
    """One of the cards, which are separated by spaces, as a sentence names them."""
    *others, last = [card_name(card, language) for card in cards.split()]
    either = translate(english("or"), language)
    return f"{', '.join(others)} {either} {last}" if others else last


def fault_json(fault: Fault, language: Language = "en") -> dict[str, str]:
    """The fault as the contract writes it: `code`, `field`, `message`."""
    return {
        "code": fault.code,
        "field": fault.field,
        "message": fault_message(fault, language),
    }
