"""How fixed pairs meet, and teams that are kept apart."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.explain import explain_draw, explanation_text
from tournaments.draw.core.json_io import answer
from tournaments.draw.core.models import Couple, Draw, Method, Movement, RoundDraw
from tournaments.draw.core.problem import MOVEMENTS, DrawError

BY_ROUND: list[Movement] = ["lot", "by_standing"]


def club(count: int) -> list[str]:
    return [f"p{number:03}" for number in range(count)]


def pairs_of(count: int) -> list[Couple]:
    """Pairs 1, 2, …, of neighbours."""
    people = club(2 * count)
    return list(zip(people[::2], people[1::2], strict=True))


def drawn_in_pairs(count: int, rounds: int, movement: Movement | None, **given: object) -> Draw:
    draw_of: dict[str, object] = {"players": club(2 * count), "fixed": pairs_of(count)} | given
    return draw(rounds=rounds, method="pairs", movement=movement, **draw_of)  # type: ignore[arg-type]


def met(rounds: Sequence[RoundDraw], count: int) -> list[list[tuple[int, int]]]:
    """Per round the numbers of the pairs that meet, by table, who sits North and South first."""
    number = {player: n for n, pair in enumerate(pairs_of(count), start=1) for player in pair}
    return [
        [(number[table.seats["N"]], number[table.seats["E"]]) for table in drawn.tables]
        for drawn in rounds
    ]


def repeats(rounds: Sequence[RoundDraw], count: int) -> int:
    """How often two pairs meet again."""
    times = Counter(frozenset(two) for tables in met(rounds, count) for two in tables)
    return times.total() - len(times)


@given(count=st.integers(2, 13), rounds=st.integers(1, 8), seed=st.integers(0, 9))
def test_each_movement_keeps_the_rules(count: int, rounds: int, seed: int) -> None:
    fixed = pairs_of(count)
    for movement in MOVEMENTS:
        if movement == "by_standing":
            continue
        drawn = drawn_in_pairs(count, rounds, movement, seed=seed)
        assert check_draw(club(2 * count), drawn, fixed=fixed) == ()
        assert movement in (drawn.movement, "by_program")


@given(count=st.integers(3, 13), rounds=st.integers(1, 9))
def test_the_program_takes_what_repeats_least(count: int, rounds: int) -> None:
    chosen = drawn_in_pairs(count, rounds, "by_program")
    staying = drawn_in_pairs(count, rounds, "even_stay")
    moving = drawn_in_pairs(count, rounds, "howell")
    least = min(repeats(each.rounds, count) for each in (staying, moving))
    assert repeats(chosen.rounds, count) <= least
    if repeats(staying.rounds, count) == 0:
        assert (chosen.movement, chosen.rounds) == ("even_stay", staying.rounds)


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 9, 10, 11, 12])
def test_howell_lets_everybody_meet_everybody(count: int) -> None:
    rounds = count - 1 + count % 2
    drawn = drawn_in_pairs(count, rounds, "howell").rounds
    seen = Counter(frozenset(two) for tables in met(drawn, count) for two in tables)
    if count % 2 == 0:
        first = [set(two) for two in met(drawn[:1], count)[0]]
        assert first == [{one, one + 1} for one in range(1, count, 2)]
    assert seen == Counter(map(frozenset, combinations(range(1, count + 1), 2)))


@pytest.mark.parametrize(
    ("count", "rounds", "movement"),
    [
        (4, 3, "howell"),
        (5, 3, "howell"),
        (6, 3, "even_stay"),
        (6, 4, "howell"),
        (16, 3, "even_stay"),
    ],
)
def test_howell_is_for_few_pairs(count: int, rounds: int, movement: str) -> None:
    drawn = drawn_in_pairs(count, rounds, "by_program")
    assert (drawn.movement, repeats(drawn.rounds, count)) == (movement, 0)
    words = explanation_text(explain_draw(drawn, fixed=pairs_of(count)))
    assert ("Howell: all pairs but one move" in words) == (movement == "howell")


def test_without_a_movement_even_pairs_stay_as_ever() -> None:
    assert drawn_in_pairs(4, 3, None) == drawn_in_pairs(4, 3, "even_stay")
    assert met(drawn_in_pairs(4, 3, None).rounds, 4) == [
        [(2, 1), (4, 3)],
        [(2, 3), (4, 1)],
        [(2, 1), (4, 3)],
    ]


@pytest.mark.parametrize("count", [4, 6, 7, 8, 12, 13, 24])
def test_a_lot_repeats_nothing_that_it_need_not(count: int) -> None:
    """Round by round, as a club draws: each with the rounds before it."""
    most = count - 1 + count % 2 if count < 9 else 5
    played: list[RoundDraw] = []
    for number in range(1, most + 1):
        out = [player for drawn in played for player in drawn.sit_out]
        (now,) = drawn_in_pairs(
            count, 1, "lot", seed=number, first_round=number, played=played, already_out=out
        ).rounds
        played.append(now)
    assert repeats(played, count) == 0


def test_another_seed_is_another_lot() -> None:
    drawings = {str(met(drawn_in_pairs(8, 1, "lot", seed=seed).rounds, 8)) for seed in range(9)}
    assert len(drawings) > 5


def test_by_standing_first_against_second() -> None:
    order = [pairs_of(6)[place - 1] for place in (3, 6, 1, 5, 2, 4)]
    drawn = drawn_in_pairs(6, 1, "by_standing", fixed=order)
    assert met(drawn.rounds, 6) == [[(3, 6), (1, 5), (2, 4)]]


def test_by_standing_the_last_sits_out_unless_it_did() -> None:
    five = pairs_of(5)
    (first,) = drawn_in_pairs(5, 1, "by_standing").rounds
    assert (met([first], 5), first.sit_out) == ([[(1, 2), (3, 4)]], five[4])
    after = {"first_round": 2, "played": [first], "already_out": first.sit_out}
    (second,) = drawn_in_pairs(5, 1, "by_standing", **after).rounds
    assert (met([second], 5), second.sit_out) == ([[(1, 2), (3, 5)]], five[3])


def test_by_standing_who_may_not_meet_the_next_goes_a_table_down() -> None:
    drawn = drawn_in_pairs(4, 1, "by_standing", apart=[("p000", "p003")])
    assert met(drawn.rounds, 4) == [[(1, 3), (2, 4)]]
    with pytest.raises(DrawError, match="no way to seat everybody"):
        drawn_in_pairs(2, 1, "by_standing", apart=[("p000", "p003")])


@pytest.mark.parametrize("movement", BY_ROUND)
def test_a_pair_that_keeps_its_table_does_so_in_any_movement(movement: Movement) -> None:
    (first,) = drawn_in_pairs(6, 1, movement, stays=["p004"]).rounds
    table = next(table.number for table in first.tables if "p004" in table.seats.values())
    after = {"first_round": 2, "played": [first], "seed": 5}
    (second,) = drawn_in_pairs(6, 1, movement, stays=["p004"], **after).rounds
    assert "p004" in second.tables[table - 1].seats.values()


TEAMS_OF_FOUR = [club(64)[first : first + 4] for first in range(0, 64, 4)]


class TestTeams:
    @pytest.mark.parametrize("movement", ["by_program", "lot"])
    def test_the_pairs_of_a_team_never_meet(self, movement: Movement) -> None:
        drawn = drawn_in_pairs(32, 3, movement, teams=TEAMS_OF_FOUR)
        assert (drawn.team_meetings, repeats(drawn.rounds, 32)) == (0, 0)
        words = explanation_text(explain_draw(drawn, fixed=pairs_of(32)))
        assert "no teammates meet" in words

    def test_by_standing_they_go_a_table_down(self) -> None:
        drawn = drawn_in_pairs(4, 1, "by_standing", teams=[club(4)])
        assert (met(drawn.rounds, 4), drawn.team_meetings) == ([[(1, 3), (2, 4)]], 0)

    @pytest.mark.parametrize("method", ["rotation", "balanced", "lottery"])
    @pytest.mark.parametrize("size", [2, 4, 16])
    def test_people_of_a_team_never_share_a_table(self, method: Method, size: int) -> None:
        people = club(64)
        teams = [people[first : first + size] for first in range(0, 64, size)]
        drawn = draw(players=people, rounds=3, method=method, teams=teams, max_steps=200_000)
        assert (check_draw(people, drawn), drawn.team_meetings) == ((), 0)

    def test_a_ranked_round_keeps_them_apart(self) -> None:
        drawn = draw(players=[*"abcdefgh"], rounds=1, method="ranked", teams=["ab", "ef"])
        assert [sorted(table.people()) for table in drawn.rounds[0].tables] == [
            [*"acde"],
            [*"bfgh"],
        ]

    def test_a_team_that_is_too_large_meets_as_little_as_it_can(self) -> None:
        # Three of four pairs are of one team: at one of two tables they meet each other.
        drawn = drawn_in_pairs(4, 3, "lot", teams=[club(6), ["p006", "p007"]])
        assert (drawn.team_meetings, repeats(drawn.rounds, 4)) == (3, 0)
        words = explanation_text(explain_draw(drawn, fixed=pairs_of(4)))
        assert "teammates meet at 3 tables" in words
        all_of_one = draw(players=club(8), rounds=1, method="ranked", teams=[club(8)])
        assert all_of_one.team_meetings == 2

    def test_strangers_in_a_team_are_ignored(self) -> None:
        drawn = draw(players=club(8), rounds=1, method="lottery", teams=[["p000", "x"], ["y"]])
        assert drawn.team_meetings == 0


class TestTheCommand:
    ASKED = {"players": [*"abcdefgh"], "rounds": 3, "method": "pairs"}
    ASKED |= {"fixed": [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]}

    def test_it_takes_a_movement_and_teams(self) -> None:
        solved = json.loads(answer(json.dumps({**self.ASKED, "movement": "by_program"})))
        assert solved["explanation"].startswith(
            "8 players at 2 tables; Howell: all pairs but one move, everybody meets everybody"
        )
        teams = [["a", "b", "c", "d"], ["e", "f", "g", "h"]]
        one = {**self.ASKED, "rounds": 1, "movement": "lot", "teams": teams}
        assert "no teammates meet" in json.loads(answer(json.dumps(one)))["explanation"]

    @pytest.mark.parametrize(
        ("given", "fault"),
        [
            ({"movement": "swiss"}, "there is no movement 'swiss' of pairs; there are even_stay"),
            ({"movement": 3}, "movement: is not a text"),
            ({"movement": "lot", "method": "balanced"}, "a movement is for fixed pairs, not for"),
            ({"movement": "by_standing"}, "a draw by standing is for one round, not 3"),
            ({"teams": "ab"}, "teams: is not a list of teams"),
            ({"teams": [["a", 1]]}, "teams: is not a list of teams"),
            ({"teams": [["a", "b"], ["b", "c"]]}, "in two teams: b"),
            ({"teams": [["a", "a"]]}, "in two teams: a"),
        ],
    )
    def test_bad_input_is_named(self, given: dict[str, object], fault: str) -> None:
        with pytest.raises(DrawError) as raised:
            answer(json.dumps({**self.ASKED, **given}))
        assert str(raised.value).startswith(fault)
