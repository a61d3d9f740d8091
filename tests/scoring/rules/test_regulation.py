"""The presets of the contract, and regulations read from outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import (
    PRESETS,
    InvalidDeal,
    Language,
    RuleSet,
    parse_regulation,
    preset_description,
    preset_name,
)
from tests.scoring.rules.settings import ANY_VALUES

AMSTERDAM = {
    "game": "klaverjas",
    "must_trump": "amsterdam",
    "undertrump": "avoid",
    "roem_from": "trick",
    "four_of_a_kind_from": "7",
    "four_of_a_kind": 100,
    "four_jacks": 200,
    "nat": True,
    "nat_counts_roem": True,
    "nat_roem": "opponents",
    "pit_bonus": 100,
    "counter_pit_bonus": 100,
    "shutout_bonus": 0,
    "nil_bonus": None,
    "no_trump": False,
    "reneging": "deal_lost",
    "reneges_replayed": 0,
    "reneging_roem": 100,
    "reneging_fine": 100,
    "unproven_reneging": "none",
    "bidding": "round_from_forehand",
    "bid_needed": False,
    "second_round": "none",
    "all_pass": "forehand_must",
}
DIFFERENCES: dict[str, dict[str, object]] = {
    "amsterdam": {},
    "rotterdam": {"must_trump": "rotterdam"},
    "utrecht": {"bidding": "forehand_must"},
    "new-zealand": {
        "must_trump": "rotterdam",
        "bidding": "round_from_dealer",
        "all_pass": "dealer_must",
        "four_of_a_kind_from": "10",
        "unproven_reneging": "deal_lost",
    },
    "gezelligheid": {"nat": False, "reneging": "replay"},
    "thousand-and-one": {
        "must_trump": "trump_only",
        "four_of_a_kind_from": "10",
        "four_jacks": 100,
        "pit_bonus": 0,
        "counter_pit_bonus": 0,
        "no_trump": True,
        "reneging_roem": 0,
        "bidding": "turned_card",
        "second_round": "other_suit_or_no_trump",
    },
}


def faults(value: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidDeal) as caught:
        parse_regulation(value)
    return [(fault.code, fault.field) for fault in caught.value.faults]


def test_the_presets_are_those_of_the_contract() -> None:
    written = {name: preset.as_settings() for name, preset in PRESETS.items()}
    assert written == {name: AMSTERDAM | changes for name, changes in DIFFERENCES.items()}


def test_every_preset_has_a_name_and_one_sentence_in_both_languages() -> None:
    languages: tuple[Language, Language] = "nl", "en"
    for preset in PRESETS:
        assert all(preset_name(preset, language) for language in languages)
        sentences = [preset_description(preset, language) for language in languages]
        assert [sentence.count(".") for sentence in sentences] == [1, 1]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_name_stands_for_the_preset(name: str) -> None:
    assert parse_regulation(name) is PRESETS[name]


def test_an_object_starts_from_its_preset_or_from_amsterdam() -> None:
    assert parse_regulation({}) == RuleSet()
    changed = parse_regulation({"preset": "rotterdam", "four_jacks": 100})
    assert changed.as_settings() == AMSTERDAM | {"must_trump": "rotterdam", "four_jacks": 100}


@given(
    preset=st.sampled_from(sorted(PRESETS)),
    changes=st.fixed_dictionaries({}, optional=ANY_VALUES),
)
def test_settings_written_and_read_again_are_the_same(
    preset: str, changes: dict[str, object]
) -> None:
    regulation = parse_regulation({"preset": preset, **changes})
    assert regulation.as_settings() == PRESETS[preset].as_settings() | changes
    assert parse_regulation(regulation.as_settings()) == regulation


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, [("bad_type", "regulation")]),
        (None, [("bad_type", "regulation")]),
        (["amsterdam"], [("bad_type", "regulation")]),
        ("leiden", [("unknown_preset", "regulation")]),
        ("Amsterdam", [("unknown_preset", "regulation")]),
        ({"preset": "leiden"}, [("unknown_preset", "regulation.preset")]),
        ({"preset": 5}, [("bad_type", "regulation.preset")]),
        ({"preset": []}, [("bad_type", "regulation.preset")]),
        ({"four_queens": 1}, [("unknown_setting", "regulation.four_queens")]),
        ({"must_trump": "leiden"}, [("bad_value", "regulation.must_trump")]),
        ({"must_trump": None}, [("bad_value", "regulation.must_trump")]),
        ({"must_trump": ["amsterdam"]}, [("bad_value", "regulation.must_trump")]),
        ({"four_of_a_kind_from": 7}, [("bad_value", "regulation.four_of_a_kind_from")]),
        ({"nat": 1}, [("bad_value", "regulation.nat")]),
        ({"nat": None}, [("bad_value", "regulation.nat")]),
        ({"four_jacks": True}, [("bad_value", "regulation.four_jacks")]),
        ({"four_jacks": 200.0}, [("bad_value", "regulation.four_jacks")]),
        ({"four_jacks": "200"}, [("bad_value", "regulation.four_jacks")]),
        ({"four_jacks": None}, [("bad_value", "regulation.four_jacks")]),
        ({"pit_bonus": -1}, [("bad_value", "regulation.pit_bonus")]),
        ({"pit_bonus": 10_001}, [("bad_value", "regulation.pit_bonus")]),
        ({"nil_bonus": False}, [("bad_value", "regulation.nil_bonus")]),
    ],
)
def test_what_is_no_regulation(value: object, expected: list[tuple[str, str]]) -> None:
    assert faults(value) == expected


def test_every_fault_of_a_regulation_is_named_at_once() -> None:
    assert faults({"preset": "x", "nat": 0, "pits": 1, "pit_bonus": "1"}) == [
        ("unknown_preset", "regulation.preset"),
        ("bad_value", "regulation.nat"),
        ("bad_value", "regulation.pit_bonus"),
        ("unknown_setting", "regulation.pits"),
    ]


def test_nil_can_be_switched_on_and_off() -> None:
    assert parse_regulation({"nil_bonus": 50}).nil_bonus == 50
    assert parse_regulation({"nil_bonus": None}).nil_bonus is None
