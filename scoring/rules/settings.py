"""Reads a regulation from what a file, a form or a request says."""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType
from typing import Final, Literal, get_args, get_origin, get_type_hints

from scoring.rules.faults import Fault, InvalidDeal, bad_type, bad_value, shown, unknown_keys
from scoring.rules.presets import PRESETS
from scoring.rules.regulation import Regulation

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
