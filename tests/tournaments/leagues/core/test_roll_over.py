"""From one season to the next: the worked cases, and what always holds."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.leagues.core.ranking import Division, NextSeason, roll_over

TWO = [Division("1", tuple("ABCD"), 4), Division("2", tuple("EFGH"), 4)]


def teams_of(made: NextSeason) -> list[list[str]]:
    return [sorted(teams) for _name, teams in made.divisions]


def moved(made: NextSeason) -> dict[str, tuple[str | None, str | None]]:
    return {move.team: (move.origin, move.target) for move in made.moves}


def test_the_first_goes_up_and_the_last_down() -> None:
    made = roll_over(TWO, 1)
    assert teams_of(made) == [["A", "B", "C", "E"], ["D", "F", "G", "H"]]
    assert moved(made) == {"E": ("2", "1"), "D": ("1", "2")}


def test_who_withdraws_goes_down_in_anothers_place_and_who_enters_pushes_one_down() -> None:
    made = roll_over(TWO, 1, entering=[("1", "Z")], withdrawn=["D"])
    assert teams_of(made) == [["A", "B", "E", "Z"], ["C", "F", "G", "H"]]
    assert moved(made) == {
        "D": ("1", None),
        "Z": (None, "1"),
        "E": ("2", "1"),
        "C": ("1", "2"),
    }


def test_one_more_goes_down_for_each_that_comes_from_above() -> None:
    """NBB district Twente: 9 and 10 go, and 8 too when one more comes down."""
    ten = tuple(f"n{place}" for place in range(1, 11))
    below = tuple(f"b{place}" for place in range(1, 11))
    usual = roll_over([Division("2", ten, 10), Division("3", below, 10)], 2)
    assert [move.team for move in usual.moves if move.target == "3"] == ["n9", "n10"]
    above = Division("1", ("a1", "a2", "a3", "a4"), 3)
    more = roll_over([above, Division("2", ten, 10), Division("3", below, 10)], 2)
    assert [move.team for move in more.moves if move.target == "3"] == ["n8", "n9", "n10"]


def test_a_free_place_is_filled_from_below() -> None:
    made = roll_over(TWO, 1, withdrawn=["A", "B"])
    assert teams_of(made) == [["C", "D", "E", "F"], ["G", "H"]]


@st.composite
def leagues(draw: st.DrawFn) -> tuple[list[Division], int, list[tuple[str, str]], list[str]]:
    sizes = draw(st.lists(st.integers(2, 8), min_size=1, max_size=5))
    divisions = [
        Division(f"d{number}", tuple(f"t{number}.{place}" for place in range(size)), size)
        for number, size in enumerate(sizes)
    ]
    everybody = [team for division in divisions for team in division.table]
    names = [division.name for division in divisions]
    entering = [
        (name, f"new{number}")
        for number, name in enumerate(draw(st.lists(st.sampled_from(names), max_size=4)))
    ]
    withdrawn = draw(st.lists(st.sampled_from(everybody), unique=True, max_size=4))
    return divisions, draw(st.integers(0, min(sizes))), entering, withdrawn


@given(leagues())
def test_nobody_is_lost_doubled_or_moved_twice(
    league: tuple[list[Division], int, list[tuple[str, str]], list[str]],
) -> None:
    divisions, exchange, entering, withdrawn = league
    made = roll_over(divisions, exchange, entering=entering, withdrawn=withdrawn)
    before = {team for division in divisions for team in division.table}
    after = [team for _name, teams in made.divisions for team in teams]
    assert sorted(after) == sorted((before - set(withdrawn)) | {team for _, team in entering})
    assert len([move.team for move in made.moves]) == len(moved(made))
    names = [division.name for division in divisions]
    for move in made.moves:
        if move.origin is not None and move.target is not None:
            assert abs(names.index(move.origin) - names.index(move.target)) == 1
    stayed = {team for division in divisions for team in division.table} - set(moved(made))
    assert all(
        stayed & set(division.table) <= set(teams)
        for division, (_name, teams) in zip(divisions, made.divisions, strict=True)
    )
    assert made == roll_over(divisions, exchange, entering=entering, withdrawn=withdrawn)


@given(leagues())
def test_full_divisions_keep_their_size(
    league: tuple[list[Division], int, list[tuple[str, str]], list[str]],
) -> None:
    divisions, exchange, _entering, _withdrawn = league
    if 2 * exchange > min(division.size for division in divisions):
        exchange = 0
    made = roll_over(divisions, exchange)
    assert [len(teams) for _name, teams in made.divisions] == [d.size for d in divisions]
    ups = [move for move in made.moves if move.why.startswith("among the first")]
    downs = [move for move in made.moves if move.why.startswith("among the last")]
    assert len(ups) == len(downs) == exchange * (len(divisions) - 1)
