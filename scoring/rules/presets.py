"""The regulations that clubs start from, and reading one from what a file or request says."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoring.rules.faults import Fault, InvalidDeal, bad_type, bad_value, shown, unknown_keys
from scoring.rules.regulation import SETTINGS, RuleSet
from scoring.rules.texts import Language, english, translate

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
