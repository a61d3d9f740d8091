"""What an evening decides about play reads as whole sentences, and every choice reads otherwise."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from django.utils import translation

from clubs.models import Club
from scoring.models import Regulation
from tournaments.evenings.texts import evening_rule_lines
from tournaments.models import Evening

LANGUAGES = ["nl", "en"]
CHOICES: dict[str, Sequence[Any]] = {
    "rounds_planned": [1, 2, 3],
    "deals_per_round": [12, 16],
    "target": [None, 1001, 1500],
    "method": Evening.Method.values,
    "leftover": Evening.Leftover.values,
    "last_ranked": [False, True],
    "first_ranked": [False, True],
    "pair_movement": Evening.PairMovement.values,
    "teammates_may_meet": [False, True],
    "first_dealer": Evening.FirstDealer.values,
    "first_trump_clubs": [False, True],
    "maker_holds_trump": [False, True],
    "roem_by": Evening.RoemBy.values,
    "reneging_until": Evening.RenegingUntil.values,
    "reneging_escalates": [False, True],
    "sit_out_score": [0, 1600],
    "missed_score": [0, 1450],
    "sit_out_as": Evening.SitOutAs.values,
    "sit_out_pits": [0, 1, 2],
    "leaving": Evening.Leaving.values,
    "absence_found": [False, True],
    "tie": Evening.Tie.values,
    "tie_breaks": [["pits"], ["pits", "lot"], ["lot", "pits"]],
    "match_play_off": [False, True],
    "twice_replaces": [False, True],
    "interim": Evening.Interim.values,
    "ranks": Evening.Ranks.values,
    "team_best": [None, 3, 4],
    "phones": [True, False],
    "writing": Evening.Writing.values,
}


def chosen(name: str, value: object) -> dict[str, Any]:
    """This choice, where it is asked: what decides only matters where something does."""
    needed = {"tie_breaks": {"tie": "tie_breaks"}, "pair_movement": {"method": "pairs"}}
    needed |= {"first_ranked": {"method": "lottery"}, "team_best": {"ranks": "team"}}
    return {name: value} | needed.get(name, {})


def lines(language: str = "nl", *, rules: dict[str, object] | None = None, **fields: Any) -> str:
    evening = Evening(club=Club(), regulation=Regulation(settings=rules or {}), **fields)
    with translation.override(language):
        return " ".join(evening_rule_lines(evening))


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_reads_otherwise(name: str, language: str) -> None:
    for one, other in combinations(CHOICES[name], 2):
        assert lines(language, **chosen(name, one)) != lines(language, **chosen(name, other))


@pytest.mark.full
@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_is_a_whole_sentence(name: str, language: str) -> None:
    for value in CHOICES[name]:
        given = chosen(name, value)
        evening = Evening(club=Club(), regulation=Regulation(settings={}), **given)
        with translation.override(language):
            found = evening_rule_lines(evening)
        assert [line for line in found if not re.fullmatch(r"[A-Z][^%{}_]*\.", line)] == []
        assert "None" not in " ".join(found)


def test_an_evening_as_most_clubs_play_it() -> None:
    assert lines() == (
        "Wij spelen 3 rondes van 16 spellen. "
        "Vier mensen blijven drie rondes bij elkaar aan tafel; u hebt ieder van de anderen één "
        "keer als maat. "
        "Wie bij tafels van vier overblijft, speelt niet mee, om de beurt. "
        "In iedere ronde geeft de speler links van de schrijver als eerste; daarna ieder om de "
        "beurt. "
        "De partij die de slag haalt, meldt de roem. Roem die niet gemeld is, telt niet. "
        "Verzaken meldt u voordat de punten worden geteld, niet later. "
        "Punten voor een ronde stilzitten: 1.600. "
        "Punten voor een ronde die u mist: 0. "
        "Tijdens de avond gaan de plaatsen naar de rondes die klaar zijn. "
        "Wie evenveel punten hebben, delen de plaats. "
        "De spellen schrijft u op een telefoon aan tafel of op papier."
    )


def test_a_match_evening() -> None:
    assert lines(
        "en",
        rounds_planned=2,
        target=1001,
        deals_per_round=24,
        method=Evening.Method.LOTTERY,
        first_dealer=Evening.FirstDealer.DRAWN,
        first_trump_clubs=True,
        maker_holds_trump=True,
        tie=Evening.Tie.PLAY_OFF,
    ).startswith(
        "We play 2 rounds. A round ends after the deal in which a side comes to 1,001 points. "
        "Each round there is a new draw of who plays with whom. "
        "With tables of four, the people left over sit out in turn. "
        "In each round whoever draws the highest card deals first; after that everybody in turn. "
        "In the first deal of the evening clubs are trumps. "
        "Whoever makes trumps must hold a card of that suit. "
    )


def test_a_first_offence_is_no_news_where_every_offence_is_only_replayed() -> None:
    mild: dict[str, object] = {"reneging": "replay"}
    assert lines(rules=mild, reneging_escalates=True) == lines(rules=mild)
