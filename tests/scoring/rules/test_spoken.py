"""A regulation in plain words: whatever differs in play differs in the words."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import PRESETS, Language, RuleSet, card_values, regulation_in_words
from tests.scoring.rules.settings import ANY_VALUES, REGULATIONS

LANGUAGES: tuple[Language, Language] = ("nl", "en")
WHOLE = re.compile(r"[A-Z].*[a-z0-9)]\.\Z")


def matters(name: str, regulation: RuleSet) -> bool:
    """Whether play under this regulation depends on the setting at all."""
    if regulation.game == "other":
        return name == "game"
    rounds = regulation.bidding not in ("forehand_must", "dealer_must")
    lost = regulation.reneging in ("deal_lost", "deal_lost_with_roem")
    return {
        "undertrump": regulation.must_trump == "amsterdam",
        "four_of_a_kind_from": regulation.four_of_a_kind > 0,
        "nat_counts_roem": regulation.nat,
        "nat_roem": regulation.nat,
        "reneges_replayed": regulation.reneging != "replay",
        "reneging_roem": lost or regulation.unproven_reneging == "deal_lost",
        "reneging_fine": regulation.reneging == "culprit_fined",
        "second_round": rounds and regulation.bidding != "free",
        "all_pass": rounds,
        "bid_needed": regulation.bidding == "free",
    }.get(name, True)


def same_choice(one: RuleSet, other: RuleSet) -> bool:
    """Whether only a second round without trumps tells them apart, where nobody may do that."""
    rounds = {one.second_round, other.second_round}
    return not one.no_trump and rounds == {"other_suit", "other_suit_or_no_trump"}


def sentences(regulation: RuleSet, language: Language, pit: str = "pit") -> list[str]:
    return [line for part in regulation_in_words(regulation, language, pit) for line in part.lines]


@given(st.data(), REGULATIONS, st.sampled_from(sorted(ANY_VALUES)), st.sampled_from(LANGUAGES))
def test_changing_one_setting_changes_the_words_exactly_when_it_matters(
    data: st.DataObject, regulation: RuleSet, name: str, language: Language
) -> None:
    other = replace(regulation, **{name: data.draw(ANY_VALUES[name])})
    differ = regulation != other and matters(name, regulation)
    if name == "second_round" and same_choice(regulation, other):
        differ = False
    assert (sentences(regulation, language) != sentences(other, language)) == differ


@given(REGULATIONS, st.sampled_from(LANGUAGES))
def test_everything_is_a_whole_sentence_and_nothing_is_said_twice(
    regulation: RuleSet, language: Language
) -> None:
    lines = sentences(regulation, language)
    assert [line for line in lines if not WHOLE.match(line)] == []
    assert [line for line in lines if re.search(r"[{}_]|None|True|False", line)] == []
    assert len(set(lines)) == len(lines)


@given(REGULATIONS)
def test_both_languages_say_as_much(regulation: RuleSet) -> None:
    dutch, english = (regulation_in_words(regulation, language) for language in LANGUAGES)
    assert [len(part.lines) for part in dutch] == [len(part.lines) for part in english]
    assert all(part.title and part.lines for part in (*dutch, *english))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_club_says_pit_in_its_own_word(language: Language) -> None:
    parts = regulation_in_words(RuleSet(shutout_bonus=50), language, "mars")
    words = " ".join([*(part.title for part in parts), *(" ".join(p.lines) for p in parts)])
    assert "pit" not in words.lower()
    assert {"nl": "tegenmars", "en": "counter-mars"}[language] in words
    assert {"nl": "Mars en andere extra’s", "en": "Mars and other extras"}[language] in words


BIDDING: dict[tuple[str, str, str, bool], str] = {
    ("forehand_must", "other_suit", "turn_again", True): (
        "De voorhand maakt troef en speelt. Passen kan niet."
    ),
    ("round_from_dealer", "none", "dealer_must", False): (
        "Om de beurt zegt ieder of hij speelt of past. De gever begint. "
        "Wie het eerst wil spelen, kiest de troef. "
        "Past iedereen, dan moet de gever spelen."
    ),
    ("round_from_forehand", "none", "turn_again", False): (
        "Eerst wordt een kleur aangewezen die troef kan worden. "
        "Om de beurt zegt ieder of hij speelt of past. De voorhand begint. "
        "Wie het eerst wil spelen, speelt met die kleur als troef. "
        "Past iedereen, dan wordt er een andere kleur aangewezen."
    ),
    ("turned_card", "other_suit_or_no_trump", "forehand_must", True): (
        "De gever draait een kaart om: de kleur daarvan kan troef worden. Om de beurt, de voorhand "
        "eerst, zegt ieder of hij op die kleur speelt of past. "
        "Past iedereen, dan gaat de beurt nog eens rond. Wie dan wil spelen, kiest een andere "
        "kleur of speelt zonder troef. "
        "Past iedereen weer, dan moet de voorhand spelen."
    ),
    ("free", "other_suit", "dealer_must", False): (
        "Er wordt geboden. Om de beurt zegt ieder hoeveel hij denkt te halen, of past. Wie het "
        "hoogst biedt, maakt troef en speelt. "
        "Biedt niemand, dan moet de gever spelen."
    ),
}


@pytest.mark.parametrize("choice", BIDDING)
def test_who_makes_trump_reads_as_one_story(choice: tuple[Any, ...]) -> None:
    bidding, second, all_pass, no_trump = choice
    regulation = RuleSet(bidding=bidding, second_round=second, all_pass=all_pass, no_trump=no_trump)
    section = regulation_in_words(regulation, "nl")[2]
    assert section.title == "Wie maakt troef"
    assert " ".join(section.lines) == BIDDING[choice]


def test_a_visitor_reads_when_he_is_nat() -> None:
    regulation = RuleSet(no_trump=True, nat_counts_roem=False, nat_roem="lost")
    nat = next(part for part in regulation_in_words(regulation, "nl") if "Gehaald" in part.title)
    assert " ".join(nat.lines[1:]) == (
        "De spelende partij moet meer kaartpunten halen dan de tegenpartij: 82 punten (zonder "
        "troef 66). Roem telt daarbij niet mee. Lukt het niet, dan is zij nat. "
        "Wie nat is, krijgt niets en verliest ook de roem. De tegenpartij krijgt alle punten van "
        "het spel (162, zonder troef 130) en alleen haar eigen roem."
    )


@pytest.mark.parametrize(("language", "said"), [("nl", "1.250 roem"), ("en", "1,250 roem")])
def test_large_numbers_are_written_as_the_language_does(language: Language, said: str) -> None:
    assert any(said in line for line in sentences(RuleSet(four_jacks=1250), language))


def test_the_cards_of_a_deal_are_worth_152_and_the_last_trick_makes_162() -> None:
    rows = card_values("nl")
    trumps, plain = (sum(row[place] for row in rows) for place in (1, 3))  # type: ignore[misc]
    assert trumps + 3 * plain + 10 == 162
    assert rows[0] == ("boer", 20, "aas", 11)
    assert [row.trump for row in card_values("en")[:3]] == ["jack", "nine (nel)", "ace"]
    assert {row.plain for row in rows} == {*"boer vrouw heer aas tien negen acht zeven".split()}


@pytest.mark.parametrize("name", PRESETS)
def test_no_two_presets_are_played_alike(name: str) -> None:
    others = [sentences(rules, "nl") for other, rules in PRESETS.items() if other != name]
    assert sentences(PRESETS[name], "nl") not in others


@pytest.mark.parametrize(
    ("bidding", "sentence"),
    [
        (
            "turned_card",
            "If everybody passes, another card is turned up, until there is a new suit.",
        ),
        ("free", "If nobody bids, a card is turned up and everybody may bid once more."),
        ("round_from_dealer", "If everybody passes, another suit is named."),
    ],
)
def test_what_follows_when_all_pass_and_nobody_must(bidding: Any, sentence: str) -> None:
    regulation = RuleSet(bidding=bidding, second_round="none", all_pass="turn_again")
    lines = sentences(regulation, "en")
    assert [line for line in lines if line.startswith("If ") and line in sentence] == [sentence]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({}, "must make at least its bid, points and roem together; otherwise it is nat."),
        ({"nat_counts_roem": False}, "must make at least its bid in card points; otherwise it is"),
        ({"nat": False}, "The declaring side must make at least its bid."),
    ],
)
def test_a_bid_is_explained_by_what_counts_towards_it(more: dict[str, Any], sentence: str) -> None:
    sections = regulation_in_words(RuleSet(bidding="free", bid_needed=True, **more), "en")
    assert sentence in " ".join(line for section in sections for line in section.lines)
