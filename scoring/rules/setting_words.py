"""A regulation's settings in words: what each asks and means, and which of them matter.

The groups and their order are those of docs/regulations.md.
"""

from collections.abc import Mapping
from typing import Final

from scoring.rules.messages import Language
from scoring.rules.presets import PRESETS
from scoring.rules.regulation import Regulation
from scoring.rules.setting_text import SettingText
from scoring.rules.setting_texts_en import GROUPS_EN, SETTINGS_EN
from scoring.rules.setting_texts_nl import GROUPS_NL, SETTINGS_NL

SETTING_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "playing": ("must_trump", "undertrump"),
    "roem": ("four_of_a_kind_from", "four_of_a_kind", "four_jacks"),
    "nat": ("nat", "nat_counts_roem", "nat_roem"),
    "pit": ("pit_bonus", "counter_pit_bonus", "shutout_bonus", "nil_bonus", "no_trump"),
    "reneging": ("reneging", "reneging_roem", "reneging_fine", "unproven_reneging"),
    "bidding": ("bidding", "second_round", "all_pass"),
}
"""Every setting, in groups that belong together, in the order in which a form asks them."""

_TEXTS: Final[Mapping[Language, Mapping[str, SettingText]]] = {
    "nl": SETTINGS_NL,
    "en": SETTINGS_EN,
}
_GROUPS: Final[Mapping[Language, Mapping[str, str]]] = {"nl": GROUPS_NL, "en": GROUPS_EN}
_POINTS: Final[Mapping[Language, str]] = {"nl": "{} punten", "en": "{} points"}
_FORCED: Final = ("forehand_must", "dealer_must")
_LOST: Final = ("deal_lost", "deal_lost_with_roem")


def group_name(group: str, language: Language, pit: str = "pit") -> str:
    """The heading of a group of settings.

    >>> group_name("pit", "en", "mars")
    'Mars and other extras'
    """
    return _GROUPS[language][group].format(Pit=pit[:1].upper() + pit[1:])


def setting_words(name: str, language: Language, pit: str = "pit") -> SettingText:
    """What a setting is called, asks and means, with the club's word for pit.

    >>> setting_words("four_jacks", "nl").noun
    'vier boeren'
    """
    return _TEXTS[language][name].with_pit(pit)


def value_in_words(name: str, value: object, language: Language) -> str:
    """A value of a setting in words.

    >>> value_in_words("four_jacks", 100, "nl"), value_in_words("nat", True, "en")
    ('100 punten', 'yes')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return _POINTS[language].format(value)
    key = "null" if value is None else str(value).lower()
    return _TEXTS[language][name].choices[key]


def matters(name: str, regulation: Regulation) -> bool:
    """Whether anything depends on this setting, given the others.

    >>> matters("nat_roem", Regulation(nat=False))
    False
    """
    match name:
        case "undertrump":
            return regulation.must_trump == "amsterdam"
        case "nat_counts_roem" | "nat_roem":
            return regulation.nat
        case "reneging_roem":
            return regulation.reneging in _LOST or regulation.unproven_reneging == "deal_lost"
        case "reneging_fine":
            return regulation.reneging == "culprit_fined"
        case "second_round" | "all_pass":
            return regulation.bidding not in _FORCED
    return True


def nearest_preset(regulation: Regulation) -> str:
    """The preset that differs from this regulation in the fewest settings.

    >>> nearest_preset(Regulation(four_jacks=100))
    'amsterdam'
    """
    return min(PRESETS, key=lambda name: len(changed_settings(PRESETS[name], regulation)))


def changed_settings(before: Regulation, after: Regulation) -> tuple[str, ...]:
    """The names of the settings that have another value, in the order of the groups.

    >>> changed_settings(Regulation(), Regulation(four_jacks=100, nat=False))
    ('four_jacks', 'nat')
    """
    names = (name for group in SETTING_GROUPS.values() for name in group)
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))


def setting_in_words(
    name: str, regulation: Regulation, language: Language, pit: str = "pit"
) -> str:
    """A setting and its value.

    >>> setting_in_words("four_jacks", Regulation(), "nl")
    'vier boeren: 200 punten'
    """
    value = value_in_words(name, getattr(regulation, name), language)
    return f"{setting_words(name, language, pit).noun}: {value}"


def differences(
    regulation: Regulation, base: Regulation, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What matters and is other than in `base`.

    >>> differences(Regulation(four_jacks=100), Regulation(), "en")
    ('four jacks: 100 points',)
    """
    return tuple(
        setting_in_words(name, regulation, language, pit)
        for name in changed_settings(base, regulation)
        if matters(name, regulation)
    )


def changes(
    before: Regulation, after: Regulation, language: Language, pit: str = "pit"
) -> tuple[str, ...]:
    """What is other than before and matters, before or after, each with what it was.

    >>> changes(Regulation(), Regulation(four_jacks=100), "en")
    ('four jacks: 100 points – was 200 points',)
    """
    return tuple(
        f"{setting_in_words(name, after, language, pit)} – was "
        f"{value_in_words(name, getattr(before, name), language)}"
        for name in changed_settings(before, after)
        if matters(name, before) or matters(name, after)
    )
