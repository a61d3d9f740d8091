"""The words of faults and warnings."""

import pytest

from scoring.rules import Fault, InvalidDeal, Language, fault_message, parse_regulation
from tests.scoring.rules.sheets import worked_out


def first_fault(regulation: object = "amsterdam", **deal: object) -> Fault:
    with pytest.raises(InvalidDeal) as caught:
        worked_out(regulation, **deal)
    return caught.value.faults[0]


@pytest.mark.parametrize(
    ("regulation", "deal", "dutch", "english"),
    [
        (
            "amsterdam",
            {"points": {"NS": 100, "EW": 61}},
            "Samen moet het 162 zijn; nu is het 161.",
            "Together it must be 162; now it is 161.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 170}},
            "Punten liggen tussen 0 en 162; hier staat 170.",
            "Points lie between 0 and 162; this is 170.",
        ),
        (
            "thousand-and-one",
            {"trump": "NT", "points": {"NS": 129}},
            "Precies 129 kan niet: niemand haalt ooit 1 of 129 punten.",
            "Exactly 129 cannot be: no side ever has 1 or 129 points.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 10**60}},
            "Punten liggen tussen 0 en 162; hier staat ….",
            "Points lie between 0 and 162; this is ….",
        ),
        (
            "amsterdam",
            {},
            "Vul de punten van één partij in, of geef aan dat het nat of pit is.",
            "Fill in the points of one side, or mark the deal as nat or pit.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 90.0}},
            "Punten zijn hele getallen; hier staat 90.0.",
            "Points are whole numbers; this is 90.0.",
        ),
        (
            "amsterdam",
            {"points": {"NS": True}},
            "Punten zijn hele getallen; hier staat true.",
            "Points are whole numbers; this is true.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "roem": {"NS": [None]}},
            "Roem wordt in hele getallen geschreven; hier staat null.",
            "Roem is written in whole numbers; this is null.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "roem": {"NS": [30]}},
            "30 roem bestaat niet. Het kan zijn: 20, 40, 50, 70, 100, 200.",
            "There is no roem of 30. It can be: 20, 40, 50, 70, 100, 200.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "roem": {"NS": [40, 70]}},
            "Er is maar één stuk in een spel: 40 en 70 samen hooguit één keer.",
            "A deal has only one stuk: at most one roem of 40 or 70.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "roem": {"NS": [20] * 9}},
            "Er zijn acht slagen, dus hooguit acht keer roem; hier staat het 9 keer.",
            "There are eight tricks, so roem can stand here at most eight times, not 9.",
        ),
        (
            "thousand-and-one",
            {"trump": "NT", "points": {"NS": 100}, "roem": {"NS": [70]}},
            "Zonder troef is er geen stuk, dus ook geen roem van 70.",
            "In no-trump there is no stuk, so no roem of 70.",
        ),
        (
            "amsterdam",
            {"nat": True, "points": {"NS": 100}, "roem": {"NS": [20], "EW": [50]}},
            "Volgens de punten is het niet nat: 120 tegen 112.",
            "By the points it is not nat: 120 against 112.",
        ),
        (
            "utrecht",
            {"points": {"NS": 100}, "dealer": "N"},
            "Volgens dit reglement moet de voorhand spelen: Oost.",
            "By this regulation the forehand must play: East.",
        ),
        (
            {"bidding": "dealer_must"},
            {"points": {"NS": 100}, "dealer": "W"},
            "Volgens dit reglement moet de gever spelen: West.",
            "By this regulation the dealer must play: West.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "scorer": "Bep"},
            "‘scorer’ is geen onderdeel van een spel.",
            "“scorer” is not part of a deal.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "seats": ["N", "N"]},
            "Deze plaats staat er twee keer: N.",
            "This seat is named twice: N.",
        ),
        (
            "amsterdam",
            {"points": {"NS": 100}, "declarer": "x" * 50},
            "‘" + "x" * 40 + "…’ kan hier niet.",
            "“" + "x" * 40 + "…” is not one of the possible values.",
        ),
    ],
)
def test_what_a_fault_says(
    regulation: object, deal: dict[str, object], dutch: str, english: str
) -> None:
    fault = first_fault(regulation, **deal)
    assert fault_message(fault, "nl") == dutch
    assert fault_message(fault, "en") == fault_message(fault) == english


@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_regulation_has_messages_too(language: Language) -> None:
    with pytest.raises(InvalidDeal) as caught:
        parse_regulation({"preset": "leiden", "pits": 1, "nat": "no"})
    messages = [fault_message(fault, language) for fault in caught.value.faults]
    assert (
        messages
        == {
            "nl": [
                "Er is geen reglement dat ‘leiden’ heet.",
                "‘no’ kan hier niet.",
                "Een reglement heeft geen instelling ‘pits’.",
            ],
            "en": [
                "There is no preset called “leiden”.",
                "“no” is not one of the possible values.",
                "A regulation has no setting “pits”.",
            ],
        }[language]
    )


def test_text_that_utf8_cannot_carry_is_shown_as_far_as_it_can() -> None:
    fault = first_fault(points={"NS": 100}, **{"\ud800x": 1})
    assert fault.field == "?x"
    assert fault_message(fault) == "“?x” is not part of a deal."


def test_a_club_reads_its_own_word_for_taking_every_trick() -> None:
    fault = Fault("pit_contradicts_nat", "pit")
    assert [fault_message(fault, "nl", pit) for pit in ("pit", "mars")] == [
        "Wie pit speelt, is niet nat. Haal een van de twee weg.",
        "Wie mars speelt, is niet nat. Haal een van de twee weg.",
    ]
