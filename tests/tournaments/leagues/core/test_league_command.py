"""`manage.py league` as other programs use it."""

import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tournaments.draw.core.json_io import ProblemError
from tournaments.leagues.core.json_io import answer

ROOT = Path(__file__).parents[4]
MATCHES = [
    {"day": 1, "group": 1, "round": 1, "teams": ["A", "B"], "tables": [[1386, 1326], [1230, 1502]]}
]


def ask(problem: Any) -> Any:
    return json.loads(answer(json.dumps(problem)))


def faults(problem: Any) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        ask(problem)
    return caught.value.faults


def test_one_object_in_and_one_out() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "league"],
        cwd=ROOT,
        input=json.dumps({"do": "table", "teams": ["A", "B"], "matches": MATCHES}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "table": [
            {
                "place": 1,
                "team": "B",
                "played": 1,
                "won": 1,
                "drawn": 0,
                "lost": 0,
                "points": "2",
                "for": 2828,
                "against": 2616,
                "difference": 212,
            },
            {
                "place": 2,
                "team": "A",
                "played": 1,
                "won": 0,
                "drawn": 0,
                "lost": 1,
                "points": "0",
                "for": 2616,
                "against": 2828,
                "difference": -212,
            },
        ],
        "explanation": [
            "1. B: 2 match points from 1 match.",
            "2. A: 0 match points from 1 match.",
        ],
    }


def test_bad_input_is_one_line_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = b'{"do": "table", "teams": ["A"],\n "matches": [{"teams": ["A", "C"]}]}'
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(problem)))
    with pytest.raises(SystemExit) as stopped:
        call_command("league")
    assert stopped.value.code == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors == "matches.0.teams: C is not one of the teams; matches.0.tables: is needed\n"


def test_fixtures() -> None:
    made = ask({"do": "fixtures", "teams": list("ABCD"), "meeting": "four", "cycles": 1, "seed": 0})
    (day,) = made["days"]
    (group,) = day["groups"]
    assert (day["day"], day["byes"], group["host"]) == (1, [], group["teams"][0])
    assert [len(round_) for round_ in group["rounds"]] == [2, 2, 2]
    assert made["meetings"] == {"never": 0, "once": 6, "more": 0}


def test_two_meet_with_the_home_team_first() -> None:
    made = ask({"do": "fixtures", "teams": ["A", "B"], "meeting": "two", "cycles": 2})
    groups = [day["groups"] for day in made["days"]]
    assert [[group["host"] for group in day] for day in groups] in ([["A"], ["B"]], [["B"], ["A"]])
    assert all(
        group["rounds"] == [[group["teams"]]] and group["teams"][0] == group["host"]
        for day in groups
        for group in day
    )


def test_roll_over() -> None:
    made = ask(
        {
            "do": "roll_over",
            "divisions": [
                {"name": "1", "table": ["A", "B", "C", "D"], "size": 4},
                {"name": "2", "table": ["E", "F", "G", "H"], "size": 4},
            ],
            "exchange": 1,
            "entering": [{"division": "1", "team": "Z"}],
            "withdrawn": ["D"],
        }
    )
    assert made["divisions"] == [
        {"name": "1", "teams": ["A", "B", "Z", "E"]},
        {"name": "2", "teams": ["C", "F", "G", "H"]},
    ]
    assert [(move["team"], move["from"], move["to"]) for move in made["moves"]] == [
        ("D", "1", None),
        ("Z", None, "1"),
        ("E", "2", "1"),
        ("C", "1", "2"),
    ]


def test_rankings() -> None:
    results = [
        {"event": f"x{number}", "date": "2026-01-04", "players": 40, "rounds": 3}
        | {"player": "p1", "total": 4650}
        for number in range(12)
    ]
    mean = {"do": "ranking", "system": "mean", "on": "2026-11-22", "results": results}
    assert ask(mean) == {
        "ranking": [{"place": 1, "player": "p1", "value": "1550.00", "rounds": 36, "events": 12}],
        "unranked": [],
    }
    one = {"season": "2025", "player": "p1", "points": "12.5"}
    best = {"do": "ranking", "system": "best_of", "full": 5, "half": 5}
    assert ask({**best, "seasons": ["100", "75"], "results": [one]}) == {
        "ranking": [{"place": 1, "player": "p1", "value": "12.50"}]
    }


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        ([], ["not a JSON object"]),
        ({}, ["do: is needed"]),
        ({"do": "play"}, ["do: is none of fixtures, table, roll_over, ranking"]),
        (
            {"do": "fixtures", "teams": ["A", "B", "A"], "meeting": "four", "days": 3},
            ["teams: has A more than once", "days: is not a key here"],
        ),
        (
            {"do": "fixtures", "teams": ["A", "B"], "meeting": "four"},
            ["teams: there are 2, and 4 to 64 can meet"],
        ),
        (
            {"do": "fixtures", "teams": list("ABCD"), "meeting": "four"}
            | {"apart": [["A", "A"], ["A", "Z"], ["A"]], "cycles": 0},
            [
                "cycles: is not a whole number from 1 to 10",
                "apart.2: is not a list of two names",
                "apart.0: A against itself",
                "apart.1: Z is not one of the teams",
            ],
        ),
        (
            {"do": "table", "teams": ["A", "B"], "match": "rank_of_group", "ties": ["age"]}
            | {"matches": [{"teams": ["A", "B"], "tables": [[1, 2.5], "x"]}]},
            [
                (
                    "ties: age is none of difference, for, wins, quotient, head_to_head, "
                    "head_to_head_balance, lot"
                ),
                "matches.0.tables.0: is not a list of two whole numbers",
                "matches.0.tables.1: is not a list of two whole numbers",
                "matches.0.group: is needed",
                "matches.0.round: is needed",
            ],
        ),
        (
            {"do": "table", "teams": ["A", "B"], "matches": [*MATCHES, *MATCHES]},
            [
                "matches: A plays 2 matches in round 1 of day 1",
                "matches: B plays 2 matches in round 1 of day 1",
            ],
        ),
        (
            {
                "do": "table",
                "teams": ["A"],
                "matches": [],
                "penalties": [{"team": "B", "points": 1.5}],
            },
            [
                "penalties.0.team: B is not one of the teams",
                "penalties.0.points: is not a decimal number in a text",
            ],
        ),
        (
            {"do": "roll_over", "divisions": [{"name": "1", "table": ["A"], "size": 1}]}
            | {"exchange": 2, "entering": [{"division": "9", "team": "A"}], "withdrawn": ["B"]},
            [
                "divisions: A is there more than once",
                "entering: 9 is not one of the divisions",
                "withdrawn: B is in no division",
                "exchange: division 1 has 1 teams",
            ],
        ),
        (
            {"do": "ranking", "system": "mean", "on": "2026-02-30", "results": [7]},
            ["on: is not a date such as 2026-01-04", "results.0: is not an object"],
        ),
    ],
)
def test_all_faults_are_named_at_once(problem: Any, expected: list[str]) -> None:
    assert faults(problem) == expected


@pytest.mark.parametrize(
    "text", ["", "{", '{"do": NaN}', "\udcff", '{"do": "table"' + "[" * 99_999]
)
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(ProblemError, match="not JSON in UTF-8"):
        answer(text.encode(errors="surrogateescape"))
