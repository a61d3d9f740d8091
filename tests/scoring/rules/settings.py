"""Every setting with every value, for properties that hold of any regulation."""

from typing import Any, Final

from hypothesis import strategies as st

from scoring.rules import SETTINGS, RuleSet

POINTS: Final = st.integers(0, 10_000)


def values(name: str) -> tuple[Any, ...]:
    """Every value of a choice; of points three, and None too where they may be left out."""
    setting = SETTINGS[name]
    return (*setting.choices, 0, 50, 100) if setting.takes_points else tuple(setting.choices)


def any_value(name: str) -> st.SearchStrategy[Any]:
    """Any value that the setting may have."""
    setting = SETTINGS[name]
    choices = st.sampled_from(list(setting.choices)) if setting.choices else st.nothing()
    return choices | POINTS if setting.takes_points else choices


ANY_VALUES: Final = {name: any_value(name) for name in SETTINGS}
REGULATIONS: Final = st.builds(RuleSet, **ANY_VALUES)
