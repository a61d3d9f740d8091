"""The words of the settings, and the example that goes with each."""

from dataclasses import fields, replace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import PRESETS, SETTINGS, Language, RuleSet
from scoring.rules.spoken import (
    SETTING_GROUPS,
    changes,
    differences,
    group_name,
    matters,
    nearest_preset,
    setting_effect,
    setting_words,
    value_in_words,
)
from tests.scoring.rules.settings import REGULATIONS, values

NAMES = list(SETTINGS)
LANGUAGES: tuple[Language, ...] = get_args(Language)


def with_value(regulation: RuleSet, name: str, value: Any) -> RuleSet:
    return replace(regulation, **{name: value})


def test_every_setting_stands_in_one_group() -> None:
    assert [name for group in SETTING_GROUPS.values() for name in group] == NAMES
    assert [field.name for field in fields(RuleSet)] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_has_words_for_every_value_of_its_type(name: str) -> None:
    hint = get_type_hints(RuleSet)[name]
    values_of = {bool: (True, False), int: (), int | None: (None,)}
    assert tuple(SETTINGS[name].choices) == values_of.get(hint, get_args(hint))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_setting_has_words_of_its_own(name: str, language: Language) -> None:
    words = setting_words(name, language, "mars")
    assert words.question.endswith("?")
    assert words.sentence.endswith(".")
    assert "{" not in words.noun + words.question + words.sentence
    assert "pit" not in words.noun + words.question + words.sentence
    said = [value_in_words(name, value, language) for value in values(name)]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(regulation=REGULATIONS)
def test_every_value_changes_the_example(
    name: str, language: Language, regulation: RuleSet
) -> None:
    if matters(name, regulation):
        shown = {
            setting_effect(name, with_value(regulation, name, value), language).lines
            for value in values(name)
        }
        assert len(shown) == len(values(name))


@given(regulation=REGULATIONS, name=st.sampled_from(NAMES))
def test_every_regulation_has_an_example(regulation: RuleSet, name: str) -> None:
    effect = setting_effect(name, regulation, "nl", "mars")
    assert effect.situation.endswith(".")
    assert all(effect.lines)
    assert set(effect.allowed) <= set(effect.hand)
    assert "pit" not in " ".join(effect.lines)


class TestExamples:
    """What a few of them come to, worked out by hand."""

    @pytest.mark.parametrize(
        ("must_trump", "allowed"),
        [
            ("amsterdam", ("9H", "AD")),
            ("rotterdam", ("9H",)),
            ("trump_only", ("9H", "7H")),
        ],
    )
    def test_the_partner_heads_the_trick(self, must_trump: str, allowed: tuple[str, ...]) -> None:
        effect = setting_effect("must_trump", RuleSet(must_trump=must_trump))  # type: ignore[arg-type]
        assert (effect.hand, effect.allowed) == (("9H", "7H", "AD"), allowed)

    def test_undertrumping(self) -> None:
        avoid = setting_effect("undertrump", RuleSet())
        obligatory = setting_effect("undertrump", RuleSet(undertrump="obligatory"))
        assert (avoid.allowed, obligatory.allowed) == (("AD", "8S"), ("7H",))

    def test_nat_in_dutch(self) -> None:
        assert setting_effect("nat_roem", RuleSet(nat_roem="lost"), "nl").lines == (
            "Wij 65 + 20 roem = 85, zij 97 + 20 roem = 117: nat",
            "Zij 162 + 20 roem = 182, wij 0; de roem van de spelende partij vervalt",
        )

    def test_what_an_accusation_costs_where_reneging_costs_nothing(self) -> None:
        regulation = RuleSet(reneging="none", unproven_reneging="deal_lost", reneging_roem=50)
        assert setting_effect("reneging_roem", regulation).lines == (
            "East could not prove that anybody reneged: we 162 + 50 roem = 212, they 0",
        )

    def test_four_sevens_and_four_nines(self) -> None:
        regulation = RuleSet(four_of_a_kind_from="9", four_of_a_kind=40)
        assert setting_effect("four_of_a_kind_from", regulation, "nl").lines == (
            "Vier zevens tellen niet.",
            "Vier negens tellen.",
            "Wij 97 + 40 roem = 137, zij 65: gehaald",
        )

    def test_only_the_example_of_the_bid_has_one(self) -> None:
        regulation = RuleSet(bidding="free", bid_needed=True)
        assert setting_effect("bid_needed", regulation, "nl").lines == (
            "Wij 100, zij 62: geboden 110, dus nat",
            "Zij 162, wij 0",
        )
        assert setting_effect("game", regulation, "nl").lines == ("Wij 90, zij 72: gehaald",)

    def test_everybody_passes_twice(self) -> None:
        regulation = RuleSet(second_round="other_suit_or_no_trump", no_trump=True)
        assert "tweede ronde" in setting_effect("all_pass", regulation, "nl").situation
        assert setting_effect("second_round", regulation).lines[1] == (
            "Without trumps is allowed then too."
        )


@pytest.mark.parametrize(
    ("name", "changes", "asked"),
    [
        ("undertrump", {}, True),
        ("undertrump", {"must_trump": "rotterdam"}, False),
        ("nat_roem", {"nat": False}, False),
        ("nat_counts_roem", {}, True),
        ("reneging_roem", {}, True),
        ("reneging_roem", {"reneging": "replay"}, False),
        ("reneging_roem", {"reneging": "replay", "unproven_reneging": "deal_lost"}, True),
        ("reneging_fine", {}, False),
        ("reneging_fine", {"reneging": "culprit_fined"}, True),
        ("second_round", {"bidding": "dealer_must"}, False),
        ("all_pass", {"bidding": "forehand_must"}, False),
        ("all_pass", {"bidding": "turned_card"}, True),
        ("pit_bonus", {"nat": False, "bidding": "free"}, True),
        ("bid_needed", {"bidding": "free"}, True),
        ("bid_needed", {}, False),
        ("game", {"game": "other"}, True),
        ("pit_bonus", {"game": "other"}, False),
    ],
)
def test_only_what_matters_is_asked(name: str, changes: dict[str, Any], asked: bool) -> None:
    assert matters(name, RuleSet(**changes)) is asked


@given(first=REGULATIONS, second=REGULATIONS, name=st.sampled_from(NAMES))
def test_what_does_not_matter_changes_no_example(
    first: RuleSet, second: RuleSet, name: str
) -> None:
    """Another value of a setting that is not asked leaves what the others lead to as it was."""
    changed = with_value(first, name, getattr(second, name))
    if not matters(name, first) and not matters(name, changed):
        for other in NAMES:
            if other != name and matters(other, first):
                assert setting_effect(other, first) == setting_effect(other, changed)


class TestDifferences:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_preset_is_nearest_to_itself(self, preset: str) -> None:
        assert nearest_preset(PRESETS[preset]) == preset
        assert differences(PRESETS[preset], PRESETS[preset], "nl") == ()

    def test_are_shown_in_the_order_of_the_page(self) -> None:
        house = replace(PRESETS["rotterdam"], bidding="dealer_must", four_jacks=100, nil_bonus=50)
        assert nearest_preset(house) == "rotterdam"
        assert differences(house, PRESETS["rotterdam"], "nl") == (
            "vier boeren: 100 punten",
            "ledig: 50 punten",
            "wie maakt troef: de gever moet spelen, passen kan niet",
        )

    def test_leave_out_what_does_not_matter(self) -> None:
        house = RuleSet(nat=False, nat_roem="lost", no_trump=True)
        assert differences(house, RuleSet(), "en") == (
            "nat: no, each side keeps its points",
            "no-trump: yes",
        )

    def test_use_the_clubs_word(self) -> None:
        house = RuleSet(counter_pit_bonus=0)
        assert differences(house, RuleSet(), "nl", "mars") == ("tegenmars: 0 punten",)


class TestChanges:
    def test_say_what_it_was(self) -> None:
        before = RuleSet(nil_bonus=50)
        after = RuleSet(four_jacks=100)
        assert changes(before, after, "nl") == (
            "vier boeren: 100 punten – was 200 punten",
            "ledig: nee – was 50 punten",
        )

    def test_tell_what_mattered_before(self) -> None:
        before = RuleSet(nat_roem="lost", reneging_fine=50)
        assert changes(before, RuleSet(nat=False), "en") == (
            "nat: no, each side keeps its points – was yes",
            "roem of the nat side: to the other side – was lost",
        )


def test_groups_have_a_heading() -> None:
    assert [group_name(group, "nl", "mars") for group in SETTING_GROUPS] == [
        "Een kaart spelen",
        "Roem",
        "Nat",
        "Mars en andere extra’s",
        "Verzaken",
        "Wie maakt troef",
    ]
