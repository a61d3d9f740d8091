"""Reading a season rule: what is right is kept, and everything wrong is named at once."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.core.metrics import SEASON_TIE_BREAKS
from tournaments.standings.core.results import AGGREGATES, AbsenceRule, CountingRule
from tournaments.standings.core.rule_json import InvalidRule, parse_season_rule

FULL = """{"periods": [["2026-09-01", "2026-10-12"], ["2026-10-13", "2026-11-30"]],
 "best_per_period": 4, "best_periods": 5, "aggregate": "mean_per_round", "minimum_evenings": 5,
 "excluded": ["2026-12-19", "2026-12-19-2"],
 "absence": {"with_notice": "lowest", "without_notice": 0},
 "tie_breaks": ["pits", "best_round", "fewest_nats", "head_to_head", "lot"],
 "rank_by": "best_round", "ranks": "team", "team": {"best": 3}}"""


def faults(obj: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRule) as caught:
        parse_season_rule(obj)
    return [(fault.path, fault.message) for fault in caught.value.faults]


def test_every_key_is_read() -> None:
    assert parse_season_rule(json.loads(FULL)) == CountingRule(
        periods=(
            (date(2026, 9, 1), date(2026, 10, 12)),
            (date(2026, 10, 13), date(2026, 11, 30)),
        ),
        best_per_period=4,
        best_periods=5,
        aggregate="mean_per_round",
        minimum_evenings=5,
        excluded=("2026-12-19", "2026-12-19-2"),
        absence=AbsenceRule(with_notice="lowest", without_notice=0),
        tie_breaks=("pits", "best_round", "fewest_nats", "head_to_head", "lot"),
        rank_by="best_round",
        ranks="team",
        team_best=3,
    )
    assert parse_season_rule(json.loads(FULL)).as_json() == json.loads(FULL)


def test_nothing_given_is_the_plain_sum_of_one_period() -> None:
    assert parse_season_rule({}) == CountingRule()
    assert CountingRule().as_json() == {
        "periods": None,
        "best_per_period": None,
        "best_periods": None,
        "aggregate": "sum",
        "minimum_evenings": 0,
        "excluded": [],
        "absence": {"with_notice": None, "without_notice": 0},
        "tie_breaks": [],
        "rank_by": None,
        "ranks": "player",
        "team": {"best": None},
    }


def test_null_means_not_limited() -> None:
    nothing = {"periods": None, "best_per_period": None, "best_periods": None}
    assert parse_season_rule({**nothing, "minimum_evenings": None}) == CountingRule()


@pytest.mark.parametrize("with_notice", [None, 5000, "lowest"])
def test_what_absence_with_notice_can_be(with_notice: object) -> None:
    rule = parse_season_rule({"absence": {"with_notice": with_notice}})
    assert rule.absence.with_notice == with_notice


def test_all_faults_are_named_at_once_in_order_of_the_keys() -> None:
    found = faults(
        {
            "best": 5,
            "periods": [
                ["2026-09-01", "2026-13-01"],
                ["2026-09-30", "2026-09-01"],
                ["2026-09-01"],
                ["2026-11-01", "2026-11-30"],
                ["2026-11-30", "2026-12-31"],
                [20260901, "20260930"],
                ["1899-12-31", "9999-12-31"],
            ],
            "best_per_period": 0,
            "best_periods": 2.0,
            "aggregate": "median",
            "minimum_evenings": -1,
            "excluded": ["19 december", "2026-02-30", "2026-12-19-1", 5],
            "absence": {"with_notice": "highest", "without_notice": None, "sick": 0},
            "tie_breaks": ["pits", "coin", "pits"],
            "rank_by": "lot",
            "ranks": "club",
            "team": {"best": 0, "worst": 1},
        }
    )
    assert found == [
        (
            "best",
            (
                "there is no such key; there are periods, best_per_period, best_periods, "
                "aggregate, minimum_evenings, excluded, absence, tie_breaks, rank_by, ranks, team"
            ),
        ),
        ("periods.0.1", "'2026-13-01' is not a date like 2026-09-05"),
        ("periods.1", "the period ends before it starts"),
        ("periods.2", "must be a list of two dates"),
        ("periods.4", "the period overlaps the one from 2026-11-01 to 2026-11-30"),
        ("periods.5.0", "must be a date as text"),
        ("periods.5.1", "'20260930' is not a date like 2026-09-05"),
        ("periods.6.0", "'1899-12-31' is not a date like 2026-09-05"),
        ("periods.6.1", "'9999-12-31' is not a date like 2026-09-05"),
        ("best_per_period", "must be at least 1"),
        ("best_periods", "must be a whole number"),
        ("aggregate", "must be one of sum, mean_per_evening, mean_per_round"),
        ("minimum_evenings", "must be at least 0"),
        ("excluded.0", "'19 december' is not an evening like 2026-09-05 or 2026-09-05-2"),
        ("excluded.1", "'2026-02-30' is not an evening like 2026-09-05 or 2026-09-05-2"),
        ("excluded.2", "'2026-12-19-1' is not an evening like 2026-09-05 or 2026-09-05-2"),
        ("excluded.3", "5 is not an evening like 2026-09-05 or 2026-09-05-2"),
        (
            "absence.sick",
            "there is no such key; there are with_notice, without_notice, may_be_dropped",
        ),
        ("absence.with_notice", "must be one of null, a whole number, lowest"),
        ("absence.without_notice", "must be a whole number"),
        (
            "tie_breaks.1",
            (
                "must be one of pits, best_round, fewest_nats, head_to_head, lot, roem, "
                "last_round, best_evening, evenings, total, counted, average, mean_per_evening, "
                "mean_per_round"
            ),
        ),
        ("tie_breaks.2", "'pits' is named more than once"),
        (
            "rank_by",
            (
                "must be one of total, counted, average, mean_per_evening, mean_per_round, pits, "
                "roem, nats, fewest_nats, best_round, last_round, best_evening, evenings"
            ),
        ),
        ("ranks", "must be one of player, pair, team"),
        ("team.worst", "there is no such key; there are best"),
        ("team.best", "must be at least 1"),
    ]


@pytest.mark.parametrize(
    ("obj", "path", "message"),
    [
        ([], "", "must be an object"),
        (None, "", "must be an object"),
        ({"periods": "2026"}, "periods", "must be a list"),
        ({"periods": ["2026"]}, "periods.0", "must be a list of two dates"),
        ({"best_per_period": True}, "best_per_period", "must be a whole number"),
        ({"minimum_evenings": False}, "minimum_evenings", "must be a whole number"),
        ({"excluded": None}, "excluded", "must be a list"),
        ({"absence": 0}, "absence", "must be an object"),
        ({"absence": {"with_notice": True}}, "absence.with_notice", "must be a whole number"),
        ({"tie_breaks": "pits"}, "tie_breaks", "must be a list"),
    ],
)
def test_wrong_types(obj: object, path: str, message: str) -> None:
    assert faults(obj) == [(path, message)]


def test_the_error_reads_as_one_line() -> None:
    with pytest.raises(InvalidRule) as caught:
        parse_season_rule({"best_per_period": 0, "tie_breaks": 3})
    expected = "best_per_period: must be at least 1; tie_breaks: must be a list"
    assert str(caught.value) == expected
    with pytest.raises(InvalidRule, match="rule: must be an object"):
        parse_season_rule(7)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(CountingRule().as_json())), json_values))
def test_whatever_is_given_it_is_a_rule_or_a_list_of_faults(obj: dict[str, object]) -> None:
    try:
        rule = parse_season_rule(obj)
    except InvalidRule as error:
        rule = CountingRule()
        messages = [fault.message for fault in error.faults]
    else:
        messages = ["none"]
    assert messages
    assert all(messages)
    assert parse_season_rule(rule.as_json()) == rule


@given(
    limit=st.none() | st.integers(1, 20),
    aggregate=st.sampled_from(AGGREGATES),
    minimum=st.integers(0, 9),
    with_notice=st.none() | st.just("lowest") | st.integers(),
    chain=st.permutations(SEASON_TIE_BREAKS),
)
def test_a_rule_survives_being_written_and_read(
    limit: int | None, aggregate: str, minimum: int, with_notice: object, chain: list[str]
) -> None:
    written = {
        **CountingRule().as_json(),
        "best_per_period": limit,
        "aggregate": aggregate,
        "minimum_evenings": minimum,
        "absence": {"with_notice": with_notice, "without_notice": 0},
        "tie_breaks": chain[:3],
    }
    assert parse_season_rule(written).as_json() == written
