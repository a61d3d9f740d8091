"""Reads a deal from JSON: the shape of the object, and nothing yet about the game; and a
regulation, with the presets that clubs start from.

A reader gives the value, or notes what is wrong with it and gives None, so that one pass finds
every fault. An optional key whose value is null says as little as a key left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, get_args

from scoring.rules.cards import find_deck_faults
from scoring.rules.deal import SEATS, SIDES, Correction, Nil, Seat, Side, Trump, WrittenDeal
from scoring.rules.faults import (
    MOST_NAMED,
    Fault,
    InvalidDeal,
    bad_type,
    bad_value,
    shown,
    unknown_keys,
)
from scoring.rules.regulation import SETTINGS, RuleSet
from scoring.rules.texts import Language, english, translate

CARD_KEYS: Final = ("leader", "cards", "announced")
COUNTED_KEYS: Final = ("points", "roem", "pit")
"""What a sheet says of the cards, and the cards say themselves."""

TRICKS: Final = 8

Announced = bool | int
"""All of a trick's roem, nothing, or so many points of it."""


class Laying(NamedTuple):
    """The cards as they were laid; a part that could not be read is None."""

    leader: Seat | None
    cards: tuple[str, ...] | None
    announced: tuple[Announced, ...] | None


def read_laying(raw: Mapping[str, object]) -> tuple[Laying, list[Fault]]:
    """The part of a deal that only a deal card by card has, and every fault of shape in it."""
    faults = [
        Fault("bad_value", key, {"why": "counted_from_cards"})
        for key in COUNTED_KEYS
        if raw.get(key) is not None
    ]
    laying = Laying(
        leader=_read_leader(raw.get("leader"), faults),
        cards=_read_cards(raw.get("cards"), faults),
        announced=_read_announced(raw.get("announced"), faults),
    )
    return laying, faults


def _read_leader(value: object, faults: list[Fault]) -> Seat | None:
    if value is None:
        faults.append(Fault("missing", "leader"))
    elif not isinstance(value, str):
        faults.append(bad_type(value, "leader"))
    elif value not in SEATS:
        faults.append(bad_value(value, "leader"))
    return next((seat for seat in SEATS if seat == value), None)


def _read_cards(value: object, faults: list[Fault]) -> tuple[str, ...] | None:
    if value is None:
        faults.append(Fault("missing", "cards"))
    elif not isinstance(value, list | tuple):
        faults.append(bad_type(value, "cards"))
    else:
        wrong = find_deck_faults(value)
        faults += wrong
        return None if wrong else tuple(value)
    return None


def _read_announced(value: object, faults: list[Fault]) -> tuple[Announced, ...] | None:
    if value is None:
        return (True,) * TRICKS
    if not isinstance(value, list | tuple):
        faults.append(bad_type(value, "announced"))
        return None
    wrong = [
        bad_type(item, f"announced.{place}")
        for place, item in enumerate(value[:MOST_NAMED])
        if type(item) not in (bool, int)
    ]
    if len(value) != TRICKS:
        params = {"why": "announced_count", "count": len(value)}
        wrong.append(Fault("bad_value", "announced", params))
    faults += wrong
    return None if wrong else tuple(value)


Reader = Callable[[Any, str, list[Fault]], Any]

MOST_REPLAYS: Final = 100
"""No deal is dealt again so often; above it a value is a slip."""

LARGEST_CORRECTION: Final = 10_000
"""No director takes or gives more; above it a value is a slip."""


def parse_deal(raw: Mapping[str, Any]) -> tuple[WrittenDeal, list[Fault]]:
    """The deal, and every fault of shape; a part with a fault is left at its default.

    Faults come in the order in which the contract names the keys, keys it does not name last.
    """
    faults: list[Fault] = []
    declarer: Any = raw.get("declarer")
    trump: Any = raw.get("trump", "")
    if declarer not in _DECLARERS:
        faults.append(_not_one_of(raw, "declarer"))
        declarer = "NS"
    if trump not in _TRUMPS:
        faults.append(_not_one_of(raw, "trump"))
        trump = None
    points = _by_side(raw.get("points"), "points", _read_number, faults)
    roem = _by_side(raw.get("roem"), "roem", _read_roem, faults)
    deal = WrittenDeal(declarer, trump, points, roem)
    if not _ON_EVERY_LINE.issuperset(raw):
        _read_marks(raw, deal, faults)
    if faults:
        faults.sort(key=lambda fault: _ORDER.get(fault.root, len(_ORDER)))
    return deal, faults


def _read_marks(raw: Mapping[str, Any], deal: WrittenDeal, faults: list[Fault]) -> None:
    for key, value in raw.items():
        if key in _READERS:
            parsed = None if value is None else _READERS[key](value, key, faults)
            if parsed is not None:
                setattr(deal, key, parsed)
    faults += unknown_keys(raw, _KEYS)


def _not_one_of(raw: Mapping[str, Any], key: str) -> Fault:
    return _misread(raw[key], key) if key in raw else Fault("missing", key)


def _misread(value: object, field: str) -> Fault:
    return bad_value(value, field) if isinstance(value, str) else bad_type(value, field)


def _by_side(value: Any, field: str, read_item: Reader, faults: list[Fault]) -> dict[Side, Any]:
    by_side: dict[Side, Any] = {}
    if isinstance(value, dict):
        for side, place in _PLACES[field]:
            item = value.get(side)
            parsed = None if item is None else read_item(item, place, faults)
            if parsed is not None:
                by_side[side] = parsed
        if not _SIDES.issuperset(value):
            faults += unknown_keys(value, SIDES, f"{field}.")
    elif value is not None:
        faults.append(bad_type(value, field))
    return by_side


def _read_number(value: Any, field: str, faults: list[Fault]) -> int | None:
    if type(value) is int:
        return value
    faults.append(bad_type(value, field))
    return None


def _read_roem(value: Any, field: str, faults: list[Fault]) -> tuple[int, ...] | None:
    if type(value) not in _LISTS or len(value) > MOST_NAMED:
        faults.append(_no_list(value, field))
        return None
    if not value:
        return None
    before = len(faults)
    for place, item in enumerate(value):
        if type(item) is not int:
            faults.append(bad_type(item, f"{field}.{place}"))
    if len(faults) == before:
        return tuple(value)
    # It is still roem, and what follows keeps its place in the list: the lowest stands in for it.
    return tuple(item if type(item) is int else 20 for item in value)


def _no_list(value: Any, field: str) -> Fault:
    if type(value) not in _LISTS:
        return bad_type(value, field)
    return Fault("bad_value", field, {"why": "too_long", "count": len(value)})


def _one_of(choices: tuple[str, ...]) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> object:
        if value in choices:
            return value
        faults.append(_misread(value, field))
        return None

    return read


def _of_type(kind: type) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> object:
        if type(value) is kind:
            return value
        faults.append(bad_type(value, field))
        return None

    return read


def _list_of(read_item: Reader) -> Reader:
    def read(value: Any, field: str, faults: list[Fault]) -> tuple[Any, ...] | None:
        if type(value) not in _LISTS or len(value) > MOST_NAMED:
            faults.append(_no_list(value, field))
            return None
        return tuple(
            [read_item(item, f"{field}.{place}", faults) for place, item in enumerate(value)]
        )

    return read


def _read_seats(value: object, field: str, faults: list[Fault]) -> tuple[Seat, ...] | None:
    before = len(faults)
    seats: tuple[Seat, ...] = _read_list_of_seats(value, field, faults)
    if len(faults) > before:
        return None
    if len(set(seats)) < len(seats):
        faults += [
            Fault("bad_value", f"{field}.{place}", {"why": "seated_twice", "value": seat})
            for place, seat in enumerate(seats)
            if seat in seats[:place]
        ]
    if _NORTH_SOUTH.isdisjoint(seats) or _EAST_WEST.isdisjoint(seats):
        faults.append(Fault("bad_value", field, {"why": "one_side"}))
    return seats if len(faults) == before else None


def _read_correction(value: object, field: str, faults: list[Fault]) -> Correction:
    if not isinstance(value, Mapping):
        faults.append(bad_type(value, field))
        return Correction(0)
    before = len(faults)
    given = {key: value[key] for key in _CORRECTION if value.get(key) is not None}
    parsed = {key: _CORRECTION[key](item, f"{field}.{key}", faults) for key, item in given.items()}
    if "points" not in given:
        faults.append(Fault("missing", f"{field}.points"))
    if "seat" not in given and "side" not in given:
        faults.append(Fault("missing", f"{field}.seat"))
    if "seat" in given and "side" in given:
        faults.append(bad_value(given["side"], f"{field}.side"))
    faults += unknown_keys(value, _CORRECTION, f"{field}.")
    return Correction(**parsed) if len(faults) == before else Correction(0)


def _read_correction_points(value: object, field: str, faults: list[Fault]) -> int | None:
    if type(value) is not int:
        faults.append(bad_type(value, field))
    elif abs(value) > LARGEST_CORRECTION:
        faults.append(bad_value(value, field))
    else:
        return value
    return None


def _read_replays(value: object, field: str, faults: list[Fault]) -> int | None:
    if type(value) is not int:
        faults.append(bad_type(value, field))
    elif not 0 <= value <= MOST_REPLAYS:
        faults.append(bad_value(value, field))
    else:
        return value
    return None


_SIDES: Final = frozenset(SIDES)
_DECLARERS: Final = SEATS + SIDES
_TRUMPS: Final = (*get_args(Trump), None)
_LISTS: Final = (list, tuple)
_ON_EVERY_LINE: Final = frozenset({"declarer", "trump", "points", "roem"})
_PLACES: Final = {
    field: tuple((side, f"{field}.{side}") for side in SIDES) for field in ("points", "roem")
}
_NORTH_SOUTH: Final = frozenset({"N", "S"})
_EAST_WEST: Final = frozenset({"E", "W"})
_seat: Final = _one_of(SEATS)
_read_list_of_seats: Final = _list_of(_seat)
_side: Final = _one_of(SIDES)
_flag: Final = _of_type(bool)

_CORRECTION: Final[Mapping[str, Reader]] = {
    "seat": _seat,
    "side": _side,
    "points": _read_correction_points,
    "reason": _of_type(str),
}

_READERS: Final[Mapping[str, Reader]] = {
    "pit": _side,
    "nat": _flag,
    "reneged": _seat,
    "accused_wrongly_by": _seat,
    "nil": _one_of(get_args(Nil)),
    "replayed": _flag,
    "replays": _read_replays,
    "corrections": _list_of(_read_correction),
    "dealer": _seat,
    "bid": _read_number,
    "seats": _read_seats,
}
_KEYS: Final = _ON_EVERY_LINE.union(_READERS, CARD_KEYS)
_ORDER: Final = {
    key: place for place, key in enumerate(("declarer", "trump", "points", "roem", *_READERS))
}


# The regulations that clubs start from, and reading one.


_AMSTERDAM: Final = RuleSet()
_ROTTERDAM: Final = replace(_AMSTERDAM, must_trump="rotterdam")

PRESETS: Final[Mapping[str, RuleSet]] = {
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

_NAMES: Final[Mapping[str, str]] = {
    "amsterdam": english("Amsterdam"),
    "rotterdam": english("Rotterdam"),
    "utrecht": english("Utrecht (forehand must play)"),
    "new-zealand": english("New Zealand"),
    "gezelligheid": english("Sociable"),
    "thousand-and-one": english("To a thousand and one"),
}
_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "amsterdam": english(
        "When your partner heads the trick you need not trump; everybody may pass."
    ),
    "rotterdam": english(
        "If you cannot follow suit you must always trump, even when your partner heads the trick."
    ),
    "utrecht": english("As Amsterdam, but the forehand must play: there is no passing."),
    "new-zealand": english(
        "As Rotterdam, but bidding starts at the dealer, who must play when all pass;"
        " four of a kind counts from the ten up, and an accusation that cannot be "
        "proved loses the deal."
    ),
    "gezelligheid": english(
        "As Amsterdam, but without nat: each side keeps its points, and after "
        "reneging the deal is played again."
    ),
    "thousand-and-one": english(
        "The old game to 1001: no-trump is allowed, taking every trick earns nothing "
        "extra, and four of a kind counts from the ten up and always 100."
    ),
}
DEFAULT_PRESET: Final = "amsterdam"


def preset_name(preset: str, language: Language) -> str:
    """What a preset is called.

    >>> preset_name("gezelligheid", "nl")
    'Op de gezelligheid'
    """
    return translate(_NAMES[preset], language)


def preset_description(preset: str, language: Language) -> str:
    """A sentence about a preset."""
    return translate(_DESCRIPTIONS[preset], language)


def parse_regulation(value: object) -> RuleSet:
    """The regulation that a preset's name, or an object of settings, stands for.

    An object starts from its `preset` (default `amsterdam`). Raises `InvalidDeal` with every fault:
    `bad_type`, `unknown_preset`, `unknown_setting`, and `bad_value` for a setting's wrong value.

    >>> parse_regulation({"preset": "rotterdam", "four_jacks": 100}).must_trump
    'rotterdam'
    """
    if isinstance(value, str):
        return _preset(value, "regulation")
    if not isinstance(value, Mapping):
        raise InvalidDeal([bad_type(value, "regulation")])
    settings = {name: setting for name, setting in value.items() if name != "preset"}
    faults = [
        bad_value(setting, f"regulation.{name}")
        for name, setting in settings.items()
        if name in SETTINGS and not SETTINGS[name].allows(setting)
    ]
    faults += unknown_keys(settings, SETTINGS, "regulation.", "unknown_setting")
    try:
        base = _preset(value.get("preset", DEFAULT_PRESET), "regulation.preset")
    except InvalidDeal as error:
        raise InvalidDeal([*error.faults, *faults]) from None
    if faults:
        raise InvalidDeal(faults)
    return replace(base, **settings)


def _preset(name: object, field: str) -> RuleSet:
    if not isinstance(name, str):
        raise InvalidDeal([bad_type(name, field)])
    if name not in PRESETS:
        raise InvalidDeal([Fault("unknown_preset", field, {"value": shown(name)})])
    return PRESETS[name]
