"""Deals card by card: what they come to, what cannot be, and the same as a line of the sheet."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import DealResult, Trump, evaluate, parse_regulation, score_line, sheet_line
from tests.scoring.rules.dealing import DECK, House, Played, play, play_legally
from tests.scoring.rules.houses import HOUSES, TRUMPS, regulation_of
from tests.scoring.rules.sheets import faults_of

LAID: dict[str, Any] = {"declarer": "N", "trump": "S", "leader": "N", "cards": DECK}
"""The deck suit by suit from the 7 up, North leading; everybody follows suit in every trick."""

WINNERS = ["W", "S", "E", "N", "W", "S", "N", "N"]
POINTS = [10, 20, 10, 20, 10, 20, 24, 38]
ROEM = [50, 50, 50, 50, 50, 50, 50, 70]

seeds = st.integers(0, 10**9)


def worked_out(regulation: object = "amsterdam", **more: object) -> DealResult:
    """The result of the deal above, with more or other keys."""
    return evaluate({**LAID, **more}, parse_regulation(regulation))


def score(regulation: object = "amsterdam", **more: object) -> tuple[int, int]:
    written = worked_out(regulation, **more).score
    return written["NS"], written["EW"]


def faults(regulation: object = "amsterdam", **more: object) -> list[tuple[str, str]]:
    return faults_of({**LAID, **more}, regulation)


def warnings(regulation: object = "amsterdam", **more: object) -> list[tuple[str, str]]:
    return [(fault.code, fault.field) for fault in worked_out(regulation, **more).warnings]


def changed(**places: str) -> list[str]:
    """The deck with other cards at some places: `at_3` is the fourth."""
    cards = list(DECK)
    for place, card in places.items():
        cards[int(place.removeprefix("at_"))] = card
    return cards


def tricks_of(answer: Mapping[str, object]) -> list[dict[str, Any]]:
    tricks = answer["tricks"]
    assert isinstance(tricks, list)
    return tricks


def test_the_answer_to_a_whole_deal() -> None:
    answer = score_line({"regulation": "amsterdam", **LAID})
    assert answer == {
        "valid": True,
        "nat": False,
        "pit": None,
        "points": {"NS": 132, "EW": 30},
        "roem": {"NS": 270, "EW": 150},
        "score": {"NS": 402, "EW": 180},
        "players": {"N": 402, "E": 180, "S": 402, "W": 180},
        "tricks": [
            {
                "leader": leader,
                "cards": DECK[4 * place : 4 * place + 4],
                "winner": WINNERS[place],
                "points": POINTS[place],
                "roem": ROEM[place],
            }
            for place, leader in enumerate(["N", *WINNERS[:-1]])
        ],
        "reneges": [],
    }
    assert json.loads(json.dumps(answer)) == answer


# East discards the TD in the first trick with clubs in hand, and the 8C in the third with the QD.
RENEGED = changed(at_1="TD", at_11="8C")


def test_cards_that_were_not_allowed_are_reported_and_cost_nothing() -> None:
    answer = score_line({"regulation": "amsterdam", **LAID, "cards": RENEGED})
    assert answer["valid"] is True
    assert answer["reneges"] == [
        {"trick": 1, "seat": "E", "card": "TD", "legal": ["8C", "KC"]},
        {"trick": 3, "seat": "E", "card": "8C", "legal": ["QD"]},
    ]
    assert answer["warnings"] == [
        {
            "code": "card_not_allowed",
            "field": "cards.1",
            "message": "Trick 1: East played ♦10 but had to follow suit: ♣8 or ♣K.",
        },
        {
            "code": "card_not_allowed",
            "field": "cards.11",
            "message": "Trick 3: East played ♣8 but had to follow suit: ♦Q.",
        },
    ]
    punished = score_line({"regulation": "amsterdam", **LAID, "cards": RENEGED, "reneged": "E"})
    assert punished["score"] == {"NS": 262, "EW": 0}
    assert punished["reneges"] == answer["reneges"]


@pytest.mark.parametrize(
    ("announced", "counted"),
    [
        (None, ROEM),
        ([True] * 8, ROEM),
        ([False] * 8, [0] * 8),
        ([20, True, False, 50, 0, 20, True, True], [20, 50, 0, 50, 0, 20, 50, 70]),
        ([False] * 7 + [20], [0] * 7 + [20]),
        ([False] * 7 + [40], [0] * 7 + [40]),
        ([False] * 7 + [50], [0] * 7 + [50]),
        ([False] * 7 + [70], [0] * 7 + [70]),
    ],
)
def test_only_announced_roem_counts(announced: object, counted: list[int]) -> None:
    answer = worked_out(announced=announced).as_json()
    assert [trick["roem"] for trick in tricks_of(answer)] == counted
    mine = sum(roem for roem, winner in zip(counted, WINNERS, strict=True) if winner in "NS")
    assert answer["roem"] == {"NS": mine, "EW": sum(counted) - mine}


# The four cards of a rank in each trick: every suit follows none, so whoever leads wins.
ALIKE = [rank + suit for rank in "789TJQKA" for suit in "SHCD"]


@pytest.mark.parametrize(
    ("settings", "announced", "roem"),
    [
        ({}, None, 900),
        ({"four_of_a_kind_from": "9"}, None, 700),
        ({"four_of_a_kind_from": "10"}, None, 600),
        ({"four_jacks": 100}, None, 800),
        ({"four_of_a_kind": 30, "four_jacks": 35}, None, 245),
        ({"four_of_a_kind": 30, "four_jacks": 35}, [30, 0, *[False] * 2, 35, *[False] * 3], 65),
        # Four jacks are four of a kind too, for who announced no more.
        ({}, [False] * 4 + [100] + [False] * 3, 100),
    ],
)
def test_four_of_a_kind(settings: dict[str, object], announced: object, roem: int) -> None:
    result = worked_out(settings, cards=ALIKE, announced=announced, trump="S")
    assert result.roem == {"NS": roem, "EW": 0}
    assert (result.pit, result.points) == ("NS", {"NS": 162, "EW": 0})


def test_no_trump() -> None:
    answer = worked_out("thousand-and-one", trump="NT").as_json()
    assert [trick["points"] for trick in tricks_of(answer)] == [10, 20] * 4
    assert [trick["winner"] for trick in tricks_of(answer)] == list("WSENWSEN")
    assert answer["points"] == {"NS": 90, "EW": 40}
    assert answer["roem"] == {"NS": 200, "EW": 200}


@pytest.mark.parametrize(
    ("regulation", "more", "expected"),
    [
        ("amsterdam", {}, (402, 180)),
        ("amsterdam", {"declarer": "EW"}, (582, 0)),
        ("amsterdam", {"declarer": "E", "nat": True}, (582, 0)),
        ("amsterdam", {"nat": False}, (402, 180)),
        ({"nat_roem": "lost"}, {"declarer": "E"}, (432, 0)),
        ("amsterdam", {"announced": [False] * 8}, (132, 30)),
        ("amsterdam", {"replayed": True}, (0, 0)),
        ({"reneging": "deal_lost_with_roem"}, {"reneged": "E"}, (532, 0)),
        ({"unproven_reneging": "deal_lost"}, {"accused_wrongly_by": "N"}, (0, 262)),
        ("amsterdam", {"corrections": [{"side": "EW", "points": -20}]}, (402, 160)),
        ("amsterdam", {"cards": ALIKE, "announced": [False] * 8}, (262, 0)),
        ("amsterdam", {"cards": ALIKE, "announced": [False] * 8, "declarer": "E"}, (262, 0)),
        ({"nil_bonus": 50}, {"nil": "failed"}, (0, 582)),
        ({"nil_bonus": 50}, {"nil": "made", "cards": ALIKE, "declarer": "E"}, (0, 50)),
    ],
)
def test_the_deal_is_scored_as_it_fell(
    regulation: object, more: dict[str, object], expected: tuple[int, int]
) -> None:
    assert score(regulation, **more) == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"leader": None}, [("missing", "leader")]),
        ({"leader": 1}, [("bad_type", "leader")]),
        ({"leader": "NS"}, [("bad_value", "leader")]),
        ({"cards": None}, [("missing", "cards")]),
        ({"cards": "7C8C"}, [("bad_type", "cards")]),
        ({"cards": []}, [("card_count", "cards")]),
        ({"cards": DECK[:31]}, [("card_count", "cards")]),
        ({"cards": [*DECK, "7C"]}, [("card_twice", "cards.32"), ("card_count", "cards")]),
        ({"cards": changed(at_3="TC", at_4="TC")}, [("card_twice", "cards.4")]),
        (
            {"cards": changed(at_0="1C", at_1="c8", at_2="", at_3="8C")},
            [("card_unknown", "cards.0"), ("card_unknown", "cards.1"), ("card_unknown", "cards.2")],
        ),
        ({"cards": [8, *DECK[1:31], ["7C"]]}, [("bad_type", "cards.0"), ("bad_type", "cards.31")]),
        ({"announced": True}, [("bad_type", "announced")]),
        ({"announced": [True] * 7}, [("bad_value", "announced")]),
        ({"announced": [True] * 9}, [("bad_value", "announced")]),
        ({"announced": ["all"] + [True] * 7}, [("bad_type", "announced.0")]),
        (
            {"announced": [20.0, None] + [True] * 6},
            [("bad_type", f"announced.{n}") for n in (0, 1)],
        ),
        (
            {"announced": [40, 70, -20, 30, 100, 10, 60, 60]},
            [("bad_value", f"announced.{place}") for place in range(8)],
        ),
        (
            {"announced": [30] + [True] * 7, "leader": None},
            [("missing", "leader"), ("bad_value", "announced.0")],
        ),
        ({"trump": None}, [("missing", "trump")]),
        ({"trump": "X"}, [("bad_value", "trump")]),
        ({"trump": "NT"}, [("no_trump_not_allowed", "trump")]),
        ({"points": {"NS": 132}}, [("bad_value", "points")]),
        ({"roem": {}, "pit": "NS"}, [("bad_value", "roem"), ("bad_value", "pit")]),
        ({"points": None, "roem": None, "pit": None}, []),
        ({"score": 1}, [("unknown_key", "score")]),
        ({"nat": True}, [("nat_contradicts_points", "nat")]),
        (
            {"nat": True, "cards": ALIKE},
            [("pit_contradicts_nat", "pit"), ("nat_contradicts_points", "nat")],
        ),
        ({"nil": "made"}, [("nil_not_allowed", "nil")]),
        (
            {"declarer": None, "leader": "X", "cards": [1], "announced": {}, "nat": "yes"},
            [
                ("bad_type", "declarer"),
                ("bad_type", "nat"),
                ("bad_value", "leader"),
                ("bad_type", "cards.0"),
                ("card_count", "cards"),
                ("bad_type", "announced"),
            ],
        ),
    ],
)
def test_what_cannot_be(more: dict[str, object], expected: list[tuple[str, str]]) -> None:
    assert faults(**more) == expected


@pytest.mark.parametrize("key", ["leader", "cards", "announced"])
def test_one_key_of_a_deal_card_by_card_asks_for_the_others(key: str) -> None:
    given_key = {"leader": "N", "cards": DECK, "announced": [True] * 8}[key]
    missing = [("missing", name) for name in ("leader", "cards") if name != key]
    assert faults_of({"declarer": "N", "trump": "H", key: given_key}) == missing


@pytest.mark.parametrize(
    ("nil", "cards", "declarer", "asked"),
    [
        # North and South take points here.
        ("made", DECK, "N", True),
        ("failed", DECK, "N", False),
        # North takes every trick.
        ("made", ALIKE, "N", True),
        ("made", ALIKE, "E", False),
        ("failed", ALIKE, "E", True),
        ("failed", ALIKE, "EW", True),
    ],
)
def test_nil_is_asked_about_where_the_cards_say_otherwise(
    nil: str, cards: list[str], declarer: str, asked: bool
) -> None:
    found = warnings({"nil_bonus": 50}, nil=nil, cards=cards, declarer=declarer)
    assert found == ([("nil_with_points", "nil")] if asked else [])
    assert warnings({"nil_bonus": 50}, nil=nil, cards=cards, declarer=declarer, reneged="E") == []


@pytest.mark.parametrize(
    ("dealer", "seats", "leaders"),
    [
        ("W", None, "N"),
        ("N", None, "E"),
        # Left of South sits the dummy, or nobody: the dummy leads, or the next person.
        ("S", ["N", "E", "S"], "WN"),
        ("E", ["N", "E", "S"], "S"),
        ("E", ["N", "E"], "SN"),
        ("N", ["N", "E"], "E"),
        ("W", ["E", "S"], "NE"),
    ],
)
def test_the_forehand_leads(dealer: str, seats: object, leaders: str) -> None:
    for leader in "NESW":
        expected = [] if leader in leaders else [("leader", "leader")]
        assert faults(leader=leader, dealer=dealer, seats=seats) == expected
    assert faults(leader="N", dealer="N", seats=["N", "N"]) == [
        ("bad_value", "seats.1"),
        ("bad_value", "seats"),
    ]


def test_whoever_sits_there_leads_where_no_dealer_is_given() -> None:
    assert [faults(leader=leader, seats=["N", "E"]) for leader in "NESW"] == [[]] * 4


@pytest.mark.parametrize(
    ("more", "dutch", "english"),
    [
        (
            {"cards": DECK[:31]},
            "Een spel heeft 32 kaarten; hier liggen er 31.",
            "A deal has 32 cards; here there are 31.",
        ),
        (
            {"cards": changed(at_4="TC")},
            "♣10 is al gespeeld.",
            "♣10 has been played already.",
        ),
        ({"cards": changed(at_4="10C")}, "‘10C’ is geen kaart.", "“10C” is not a card."),
        (
            {"dealer": "N"},
            "Noord gaf, dus Oost komt uit in de eerste slag.",
            "North dealt, so East leads to the first trick.",
        ),
        (
            {"announced": [True] * 3 + [40] + [True] * 4},
            "In slag 4 ligt 50 roem; 40 is daar geen deel van.",
            "Trick 4 holds 50 roem; 40 is no part of it.",
        ),
        (
            {"announced": [True]},
            "Er zijn acht slagen, maar hier staat voor 1 ervan wat er gemeld is.",
            "There are eight tricks, but what was announced is given for 1.",
        ),
        (
            {"points": {"NS": 132}},
            "Kaart voor kaart volgt dit uit de kaarten; laat het hier weg.",
            "Card by card this follows from the cards; leave it out.",
        ),
    ],
)
def test_what_a_fault_says(more: dict[str, object], dutch: str, english: str) -> None:
    deal = {"regulation": "amsterdam", **LAID, **more}
    assert [message_of(score_line(deal, "nl")), message_of(score_line(deal))] == [dutch, english]


def message_of(answer: Mapping[str, Any]) -> object:
    (error,) = answer["errors"]
    return error["message"]


def test_a_faulty_regulation_hides_no_fault_of_the_cards() -> None:
    deal = {**LAID, "regulation": "leiden", "announced": [30] + [True] * 7, "dealer": "N"}
    assert [(error["code"], error["field"]) for error in errors_of(deal)] == [
        ("unknown_preset", "regulation"),
        ("leader", "leader"),
        ("bad_value", "announced.0"),
    ]
    # What four of a kind is worth, only the regulation says.
    deal = {**LAID, "regulation": "leiden", "cards": ALIKE, "announced": [30] + [True] * 7}
    assert [error["code"] for error in errors_of(deal)] == ["unknown_preset"]


def errors_of(deal: dict[str, Any]) -> list[dict[str, str]]:
    errors: Any = score_line(deal)["errors"]
    return list(errors)


houses = st.sampled_from(HOUSES)
trumps = st.sampled_from(TRUMPS)
marks = st.fixed_dictionaries(
    {"declarer": st.sampled_from(["N", "E", "S", "W", "NS", "EW"])},
    optional={
        "reneged": st.sampled_from("NESW"),
        "accused_wrongly_by": st.sampled_from("NESW"),
        "replayed": st.booleans(),
        "seats": st.sampled_from([["N", "E", "S"], ["E", "S"]]),
        "corrections": st.sampled_from(
            [[{"side": "NS", "points": 10}], [{"seat": "E", "points": -5, "reason": "laat"}]]
        ),
    },
)


def as_cards(played: Played) -> dict[str, Any]:
    return {"trump": played.trump, "leader": played.leader, "cards": played.cards}


@given(seeds, trumps, houses, marks, st.booleans())
def test_a_deal_that_was_played_is_never_refused_and_scores_as_its_sheet(
    seed: int, trump: Trump, house: House, deal: dict[str, Any], hoard: bool
) -> None:
    played = play(seed, trump, hoard=hoard, house=house)
    regulation = regulation_of(house)
    pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
    sheet = {"trump": trump, "points": played.points, "roem": played.roem, "pit": pit}
    counted = evaluate({**deal, **sheet}, regulation)
    fell = evaluate({**deal, **as_cards(played)}, regulation)
    for key, value in counted.as_json().items():
        assert key == "warnings" or fell.as_json()[key] == value
    assert (fell.score, fell.players) == (counted.score, counted.players)


PARTS = {20: [20], 40: [20, 40], 50: [20, 50], 70: [20, 40, 50, 70]}


@given(seeds, trumps, houses, marks, st.data())
def test_a_deal_card_by_card_fits_on_a_sheet(
    seed: int, trump: Trump, house: House, deal: dict[str, Any], data: st.DataObject
) -> None:
    """Whatever was announced of it."""
    regulation = regulation_of(house)
    cards = as_cards(play_legally(seed, trump, house))
    whole = evaluate({**deal, **cards}, regulation)
    assert whole.played is not None
    announced = [
        data.draw(st.sampled_from([True, False, 0, *PARTS.get(trick.roem, [])]))
        if len({card[0] for card in trick.cards}) > 1
        else True
        for trick in whole.played.tricks
    ]
    result = evaluate({**deal, **cards, "announced": announced}, regulation)
    line = sheet_line(result)
    assert json.loads(json.dumps(line)) == line
    again = evaluate(line, regulation)
    message = {key: value for key, value in result.as_json().items() if key in again.as_json()}
    assert {**again.as_json(), "warnings": ()} == {**message, "warnings": ()}


def test_a_sheet_line_says_all_that_the_sheet_said() -> None:
    line = {
        "declarer": "EW",
        "trump": None,
        "nat": True,
        "roem": {"NS": [20, 50]},
        "reneged": "E",
        "accused_wrongly_by": "N",
        "dealer": "W",
        "corrections": [
            {"seat": "N", "points": -50, "reason": "laat"},
            {"side": "EW", "points": 20, "reason": ""},
        ],
        "seats": ["N", "E"],
    }
    assert sheet_line(evaluate(line, parse_regulation("amsterdam"))) == line


pieces = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 100) | st.sampled_from([*DECK, "N", "H", "x"]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from("NE"), inner),
    max_leaves=9,
)


@given(
    st.fixed_dictionaries(
        {"cards": st.permutations(DECK) | pieces, "regulation": st.sampled_from(["utrecht", "x"])},
        optional={
            "leader": st.sampled_from("NESW") | pieces,
            "announced": st.lists(st.sampled_from([True, False, 20, 40]), min_size=8, max_size=8)
            | pieces,
            "declarer": st.sampled_from("NESW") | pieces,
            "trump": trumps | pieces,
            "dealer": st.sampled_from("NESW") | pieces,
            "nil": st.sampled_from(["made", "failed"]) | pieces,
            "nat": st.booleans(),
            "points": pieces,
            "seats": pieces,
        },
    )
)
def test_any_object_with_cards_is_answered(deal: dict[str, object]) -> None:
    answer: Any = score_line(deal, "nl")
    json.dumps(answer, allow_nan=False)
    if answer["valid"]:
        assert len(answer["tricks"]) == 8
    else:
        places = [(error["code"], error["field"]) for error in answer["errors"]]
        assert len(set(places)) == len(places) > 0
