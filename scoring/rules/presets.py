"""The regulations that clubs start from, and reading one from what a file or request says."""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Final, Literal, get_args, get_origin, get_type_hints

from scoring.rules.faults import Fault, InvalidDeal, bad_type, bad_value, shown, unknown_keys
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


DEFAULT_PRESET: Final = "amsterdam"
HIGHEST_BONUS: Final = 10_000
"""No club gives more for anything; above it a value is a slip."""

_HINTS: Final[Mapping[str, object]] = get_type_hints(Regulation)

SETTING_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    name: get_args(hint) for name, hint in _HINTS.items() if get_origin(hint) is Literal
}
"""The values of each setting that is a choice; the others are yes or no, or points."""


def parse_regulation(value: object) -> Regulation:
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
        if name in _HINTS and not _fits(name, setting)
    ]
    faults += unknown_keys(settings, _HINTS, "regulation.", "unknown_setting")
    try:
        base = _preset(value.get("preset", DEFAULT_PRESET), "regulation.preset")
    except InvalidDeal as error:
        raise InvalidDeal([*error.faults, *faults]) from None
    if faults:
        raise InvalidDeal(faults)
    return replace(base, **settings)


def _preset(name: object, field: str) -> Regulation:
    if not isinstance(name, str):
        raise InvalidDeal([bad_type(name, field)])
    if name not in PRESETS:
        raise InvalidDeal([Fault("unknown_preset", field, {"value": shown(name)})])
    return PRESETS[name]


def _fits(name: str, value: object) -> bool:
    if name in SETTING_CHOICES:
        return isinstance(value, str) and value in SETTING_CHOICES[name]
    if _HINTS[name] is bool:
        return isinstance(value, bool)
    if value is None:
        return NoneType in get_args(_HINTS[name])
    return type(value) is int and 0 <= value <= HIGHEST_BONUS
