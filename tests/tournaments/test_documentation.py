"""docs/regulations.md says what an evening can decide about play."""

import re
from pathlib import Path

from scoring.models import RuleNote
from tests.tournaments.evenings.test_evening_words import CHOICES
from tournaments.models import Evening

PAGE = Path(__file__).parents[2] / "docs" / "regulations.md"
EVENING = PAGE.read_text(encoding="utf-8").partition("\n## What an evening decides\n")[2]
ROWS = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$", EVENING, re.MULTILINE))
NO_RULE_OF_PLAY = {
    "id",
    "uuid",
    "club",
    "season",
    "date",
    "starts_at",
    "sequence",
    "together",
    "first_table",
    "name",
    "regulation",
    "kind",
    "series",
    "frozen",
    "state",
    "is_history",
    "seed",
    "revision",
    "corrected",
    "version",
    "stake_member",
    "stake_guest",
    "prizes",
}


def written(value: object) -> str:
    """A default as the page has it."""
    words = {True: "`true`", False: "`false`", None: "`null`"}
    if isinstance(value, bool) or value is None:
        return words[value]
    if isinstance(value, list):
        return ", ".join(f"`{one}`" for one in value)
    return str(value) if isinstance(value, int) else f"`{value}`"


def test_every_setting_of_an_evening_is_described_with_its_values_and_its_default() -> None:
    fields = {field.name: field for field in Evening._meta.concrete_fields}
    assert ROWS.keys() == fields.keys() - NO_RULE_OF_PLAY
    for name, values in ROWS.items():
        assert f"**{written(fields[name].get_default())}**" in values, name
        choices = fields[name].choices
        if choices:
            assert re.findall(r"`(\w+)`", values) == [value for value, _label in choices], name


def test_every_setting_of_an_evening_is_read_on_the_page_with_the_rules() -> None:
    assert ROWS.keys() == CHOICES.keys()


def test_what_a_club_writes_itself_is_described() -> None:
    described = EVENING.partition("What is text and no setting")[2].partition("\n\n")[0]
    assert re.findall(r"`(\w+)`", described) == RuleNote.Topic.values
