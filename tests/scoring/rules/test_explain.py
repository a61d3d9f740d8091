"""What a person would say of a deal."""

import pytest

from scoring.rules import explain
from tests.scoring.rules.sheets import worked_out

NS_97 = {"points": {"EW": 65}}


@pytest.mark.parametrize(
    ("regulation", "deal", "dutch", "english"),
    [
        (
            {},
            {**NS_97, "roem": {"NS": [20, 50]}},
            ["NS 97 + 70 roem = 167, EW 65: gehaald"],
            ["NS 97 + 70 roem = 167, EW 65: made"],
        ),
        (
            {},
            {**NS_97, "declarer": "W"},
            ["EW 65, NS 97: nat", "NS 162, EW 0"],
            ["EW 65, NS 97: nat", "NS 162, EW 0"],
        ),
        (
            {},
            {"points": {"EW": 81}, "roem": {"NS": [20], "EW": [20]}},
            [
                "NS 81 + 20 roem = 101, EW 81 + 20 roem = 101: gelijk, dus nat",
                "EW 162 + 40 roem = 202, NS 0",
            ],
            [
                "NS 81 + 20 roem = 101, EW 81 + 20 roem = 101: equal, so nat",
                "EW 162 + 40 roem = 202, NS 0",
            ],
        ),
        (
            {"nat_roem": "lost"},
            {"points": {"EW": 102}, "roem": {"NS": [20], "EW": [50]}},
            [
                "NS 60 + 20 roem = 80, EW 102 + 50 roem = 152: nat",
                "EW 162 + 50 roem = 212, NS 0; de roem van de spelende partij vervalt",
            ],
            [
                "NS 60 + 20 roem = 80, EW 102 + 50 roem = 152: nat",
                "EW 162 + 50 roem = 212, NS 0; the declarers’ roem is lost",
            ],
        ),
        (
            {"nat_counts_roem": False},
            {"points": {"EW": 80}, "roem": {"EW": [50]}},
            ["NS 82, EW 80 + 50 roem = 130: gehaald op kaartpunten"],
            ["NS 82, EW 80 + 50 roem = 130: made on card points"],
        ),
        (
            {"nat_counts_roem": False},
            {"points": {"EW": 82}, "roem": {"NS": [50]}},
            ["NS 80 + 50 roem = 130, EW 82: nat op kaartpunten", "EW 162 + 50 roem = 212, NS 0"],
            ["NS 80 + 50 roem = 130, EW 82: nat on card points", "EW 162 + 50 roem = 212, NS 0"],
        ),
        (
            {"nat_counts_roem": False},
            {"points": {"EW": 81}, "roem": {"NS": [20]}},
            [
                "NS 81 + 20 roem = 101, EW 81: kaartpunten gelijk, dus nat",
                "EW 162 + 20 roem = 182, NS 0",
            ],
            [
                "NS 81 + 20 roem = 101, EW 81: card points equal, so nat",
                "EW 162 + 20 roem = 182, NS 0",
            ],
        ),
        (
            {"nat_counts_roem": False},
            {"points": {"EW": 60}},
            ["NS 102, EW 60: gehaald"],
            ["NS 102, EW 60: made"],
        ),
        (
            {},
            {"nat": True, "roem": {"NS": [40]}},
            ["Nat zonder tellen", "EW 162 + 40 roem = 202, NS 0"],
            ["Nat without counting", "EW 162 + 40 roem = 202, NS 0"],
        ),
        (
            {"nat": False},
            {"points": {"EW": 102}},
            ["NS 60, EW 102: niet gehaald, ieder houdt zijn punten"],
            ["NS 60, EW 102: not made, each side keeps its points"],
        ),
        (
            {"shutout_bonus": 50},
            {"points": {"EW": 0}, "roem": {"NS": [20]}},
            ["NS 162 + 20 roem + 50 extra = 232, EW 0: gehaald"],
            ["NS 162 + 20 roem + 50 extra = 232, EW 0: made"],
        ),
        (
            {},
            {"pit": "NS", "roem": {"NS": [20]}},
            ["Pit: NS 162 + 20 roem + 100 pit = 282, EW 0"],
            ["Pit: NS 162 + 20 roem + 100 pit = 282, EW 0"],
        ),
        (
            {},
            {"pit": "EW"},
            ["Tegenpit: EW 162 + 100 pit = 262, NS 0"],
            ["Counter-pit: EW 162 + 100 pit = 262, NS 0"],
        ),
        (
            {"nil_bonus": 50},
            {"nil": "made"},
            ["Ledig gehaald: NS 50, EW 0"],
            ["Nil made: NS 50, EW 0"],
        ),
        (
            {"nil_bonus": 50},
            {"nil": "failed", "roem": {"NS": [20], "EW": [50]}},
            ["Ledig niet gehaald: EW 162 + 70 roem = 232, NS 0"],
            ["Nil not made: EW 162 + 70 roem = 232, NS 0"],
        ),
        (
            {},
            {"reneged": "S"},
            ["Zuid heeft verzaakt: EW 162 + 100 roem = 262, NS 0"],
            ["South reneged: EW 162 + 100 roem = 262, NS 0"],
        ),
        (
            {"reneging": "deal_lost_with_roem"},
            {"reneged": "E", "roem": {"NS": [20]}},
            ["Oost heeft verzaakt: NS 162 + 100 roem + 20 roem = 282, EW 0"],
            ["East reneged: NS 162 + 100 roem + 20 roem = 282, EW 0"],
        ),
        (
            {"reneging": "culprit_fined"},
            {**NS_97, "reneged": "E"},
            ["NS 97, EW 65: gehaald", "Oost heeft verzaakt: −100 voor Oost alleen"],
            ["NS 97, EW 65: made", "East reneged: −100 for East alone"],
        ),
        (
            {"reneging": "none"},
            {**NS_97, "reneged": "E"},
            ["NS 97, EW 65: gehaald", "Oost heeft verzaakt: geen straf"],
            ["NS 97, EW 65: made", "East reneged: no penalty"],
        ),
        (
            {"unproven_reneging": "deal_lost"},
            {"accused_wrongly_by": "N"},
            ["Noord kon niet bewijzen dat er verzaakt is: EW 162 + 100 roem = 262, NS 0"],
            ["North could not prove that anybody reneged: EW 162 + 100 roem = 262, NS 0"],
        ),
        (
            {},
            {**NS_97, "accused_wrongly_by": "W"},
            ["NS 97, EW 65: gehaald", "West kon niet bewijzen dat er verzaakt is: geen straf"],
            ["NS 97, EW 65: made", "West could not prove that anybody reneged: no penalty"],
        ),
        (
            {},
            {"replayed": True, "accused_wrongly_by": "W"},
            ["Dit spel wordt overgedaan en telt niet"],
            ["This deal is played again and does not count"],
        ),
        (
            {"reneging": "replay"},
            {"reneged": "W"},
            ["West heeft verzaakt: dit spel wordt overgedaan en telt niet"],
            ["West reneged: this deal is played again and does not count"],
        ),
        (
            {},
            {**NS_97, "corrections": [{"seat": "E", "points": -50, "reason": "laat"}]},
            ["NS 97, EW 65: gehaald", "Oost: correctie −50 (laat)"],
            ["NS 97, EW 65: made", "East: correction −50 (laat)"],
        ),
        (
            {},
            {**NS_97, "corrections": [{"side": "EW", "points": 20}]},
            ["NS 97, EW 65: gehaald", "EW: correctie +20", "Op de lijst: NS 97, EW 85"],
            ["NS 97, EW 65: made", "EW: correction +20", "On the sheet: NS 97, EW 85"],
        ),
        (
            {},
            {"replayed": True, "corrections": [{"side": "NS", "points": -10}]},
            [
                "Dit spel wordt overgedaan en telt niet",
                "NS: correctie −10",
                "Op de lijst: NS −10, EW 0",
            ],
            [
                "This deal is played again and does not count",
                "NS: correction −10",
                "On the sheet: NS −10, EW 0",
            ],
        ),
    ],
)
def test_what_is_said_of_each_kind_of_deal(
    regulation: dict[str, object], deal: dict[str, object], dutch: list[str], english: list[str]
) -> None:
    result = worked_out(regulation, **deal)
    assert list(explain(result, "nl")) == dutch
    assert list(explain(result)) == english


def test_the_sides_have_the_names_of_the_page() -> None:
    result = worked_out(points={"NS": 60}, roem={"NS": [20]})
    assert explain(result, "nl", {"NS": "wij", "EW": "zij"}) == (
        "Wij 60 + 20 roem = 80, zij 102: nat",
        "Zij 162 + 20 roem = 182, wij 0",
    )


def test_roem_that_is_lost_is_said_of_any_name_of_a_side() -> None:
    result = worked_out({"nat_roem": "lost"}, nat=True, roem={"NS": [20]})
    assert explain(result, "nl", {"NS": "wij", "EW": "zij"}) == (
        "Nat zonder tellen",
        "Zij 162, wij 0; de roem van de spelende partij vervalt",
    )
    assert explain(result, "en", {"NS": "we", "EW": "they"}) == (
        "Nat without counting",
        "They 162, we 0; the declarers’ roem is lost",
    )


def test_a_reason_is_repeated_as_it_was_written() -> None:
    corrections = [{"seat": "N", "points": 10, "reason": "{seat} − {points}"}]
    assert explain(worked_out(nat=True, corrections=corrections))[-1] == (
        "North: correction +10 ({seat} − {points})"
    )
