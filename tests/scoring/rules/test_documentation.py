"""docs/regulations.md says what the code does."""

import doctest
import re
from pathlib import Path

from scoring.rules import PRESETS, SETTINGS, RuleSet, preset_name

PAGE = Path(__file__).parents[3] / "docs" / "regulations.md"
TEXT = PAGE.read_text(encoding="utf-8")
REGULATION = TEXT.partition("\n## What an evening decides\n")[0]
ROWS = {
    match[1]: match[2]
    for match in re.finditer(r"^\| `([\w-]+)` \| ([^|]+) \|", REGULATION, re.MULTILINE)
}


def written(value: object) -> str:
    """A default as the page has it."""
    words = {True: "`true`", False: "`false`", None: "`null`"}
    if isinstance(value, bool) or value is None:
        return words[value]
    return str(value) if isinstance(value, int) else f"`{value}`"


def test_the_examples_run() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False) == (
        0,
        TEXT.count("\n>>> "),
    )


def test_every_setting_says_where_it_comes_from() -> None:
    sources = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|$", REGULATION, re.MULTILINE)
    assert [name for name, _source in sources] == list(RuleSet().as_settings())


def test_every_preset_is_described_under_its_name() -> None:
    described = {name: dutch for name, dutch in ROWS.items() if name in PRESETS}
    assert described == {name: preset_name(name, "nl") for name in PRESETS}


def test_every_setting_is_described_with_its_values_and_its_default() -> None:
    described = {name: values for name, values in ROWS.items() if name not in PRESETS}
    defaults = RuleSet().as_settings()
    assert described.keys() == defaults.keys()
    for name, values in described.items():
        plain = values.replace('"', "")
        assert f"**{written(defaults[name])}**" in plain
        listed = re.findall(r"`([\w]+)`", plain)
        choices = SETTINGS[name].choices
        if all(isinstance(value, str) for value in choices) and choices:
            assert sorted(listed) == sorted(choices)
