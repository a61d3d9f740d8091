"""The places that teams can still reach on the last day."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.leagues.core.table import Match, TableRule, WinPoints, league_table
from tournaments.leagues.core.what_if import Left, Outlook, outlooks

Points = dict[str, Decimal]


def points(**gained: int) -> Points:
    return {team: Decimal(own) for team, own in gained.items()}


def ranges(found: Sequence[Outlook]) -> dict[str, tuple[int, int]]:
    return {outlook.team: (outlook.best, outlook.worst) for outlook in found}


def test_who_wins_is_champion_and_who_loses_may_be_third() -> None:
    now = points(A=8, B=7, C=6, D=1)
    found = outlooks(now, [Left(("A", "D")), Left(("B", "C"))], TableRule())
    leader = next(outlook for outlook in found if outlook.team == "A")
    assert leader == Outlook("A", 1, 1, 1, 1, 2)
    assert ranges(found) == {"A": (1, 2), "B": (1, 3), "C": (1, 3), "D": (4, 4)}


def test_without_anything_that_decides_equal_teams_share_the_place() -> None:
    now = points(A=4, B=2)
    left = [Left(("A", "B"))]
    assert ranges(outlooks(now, left, TableRule())) == {"A": (1, 2), "B": (1, 2)}
    shared = outlooks(now, left, TableRule(ties=()))
    assert ranges(shared) == {"A": (1, 1), "B": (1, 2)}


def test_four_teams_that_meet_in_three_rounds_by_their_rank() -> None:
    rounds = [(("A", "B"), ("C", "D")), (("A", "C"), ("B", "D")), (("A", "D"), ("B", "C"))]
    left = [Left(match, (5, 1, number)) for number, both in enumerate(rounds, 1) for match in both]
    rule = TableRule(match="rank_of_group")
    found = outlooks(points(A=10, B=2, C=1, D=0), left, rule)
    # Two teams share at most 15 in three rounds: only one of them comes past A.
    assert ranges(found) == {"A": (1, 2), "B": (1, 4), "C": (1, 4), "D": (2, 4)}


def test_by_their_rank_all_teams_of_a_round_decide_together() -> None:
    """B can gain three points in one round, so A is not champion yet."""
    left = [Left(("A", "D"), (5, 1, 1)), Left(("B", "C"), (5, 1, 1))]
    found = outlooks(points(A=5, B=3, C=0, D=0), left, TableRule(match="rank_of_group", ties=()))
    assert ranges(found) == {"A": (1, 2), "B": (1, 2), "C": (2, 4), "D": (2, 4)}


def test_nothing_is_said_when_there_are_too_many_ways_to_end() -> None:
    names = [f"{side}{number}" for side in "AB" for number in range(6)]
    now = points(**dict.fromkeys(names, 0))
    round_ = [Left((f"A{number}", f"B{number}"), (1, 1, 1)) for number in range(6)]
    assert outlooks(now, round_, TableRule(match="rank_of_group")) == []
    often = [Left(("A0", "B0"), tables=8)] * 6
    assert outlooks(now, often, TableRule(match="tables_and_total")) == []


def test_nothing_is_said_when_nothing_or_too_much_is_left() -> None:
    now = points(**dict.fromkeys("ABCDE", 0))
    everybody = [Left((one, two)) for one, two in combinations("ABCDE", 2)]
    assert outlooks(now, [], TableRule()) == []
    assert outlooks(now, everybody, TableRule()) == []


@pytest.mark.parametrize("win", [2, 3])
@given(data=st.data())
def test_the_places_are_those_of_trying_every_outcome(win: int, data: st.DataObject) -> None:
    names = "ABCDEF"
    now = {team: Decimal(data.draw(st.integers(0, 8))) for team in names}
    pairs = data.draw(
        st.lists(st.sampled_from(list(combinations(names, 2))), min_size=1, max_size=4, unique=True)
    )
    ties = data.draw(st.sampled_from([("lot",), ()]))
    rule = TableRule(points=WinPoints(Decimal(win), Decimal(1), Decimal(0)), ties=ties)
    found = ranges(outlooks(now, [Left(pair) for pair in pairs], rule))
    reached: dict[str, list[int]] = {team: [] for team in names}
    for totals in endings(now, pairs, win):
        for team, own in totals.items():
            above = [other for name, other in totals.items() if name != team]
            reached[team].append(1 + sum(other > own for other in above))
            if ties:
                reached[team].append(1 + sum(other >= own for other in above))
    assert found == {team: (min(places), max(places)) for team, places in reached.items()}


def endings(now: Points, pairs: Sequence[tuple[str, str]], win: int) -> Iterator[Points]:
    for outcomes in product([(win, 0), (1, 1), (0, win)], repeat=len(pairs)):
        totals = dict(now)
        for (one, two), (first, second) in zip(pairs, outcomes, strict=True):
            totals[one] += first
            totals[two] += second
        yield totals


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=12, max_size=12),
    st.sampled_from(["win_draw", "tables_and_total", "rank_of_group"]),
)
def test_the_final_place_is_among_those_that_were_possible(
    scores: list[tuple[int, int]], system: str
) -> None:
    """Two days of four teams: the second one ends within what was possible after the first."""
    rounds = [(("A", "B"), ("C", "D")), (("A", "C"), ("B", "D")), (("A", "D"), ("B", "C"))]
    order = [
        (day, number, teams)
        for day in (1, 2)
        for number, both in enumerate(rounds, 1)
        for teams in both
    ]
    matches = [
        Match(teams, (score, (score[1], score[0] + 7)), day, 1, number)
        for (day, number, teams), score in zip(order, scores, strict=True)
    ]
    rule = TableRule(match=system)  # type: ignore[arg-type]
    before = league_table("ABCD", matches[:6], rule)
    left = [Left(match.teams, (2, 1, match.round or 0)) for match in matches[6:]]
    found = ranges(outlooks({row.team: row.points for row in before}, left, rule))
    for row in league_table("ABCD", matches, rule):
        best, worst = found[row.team]
        assert best <= row.place <= worst
