"""The strengths that the model finds, against figures worked out by hand and people made up."""

import math
from random import Random

import pytest

from tournaments.ratings.services import LUCK, NEWCOMER, SPREAD, Game, Strength, rate

PAIRS = [[1, 2], [3, 4]]


def figures(strengths: dict[int, Strength]) -> dict[int, tuple[float, float]]:
    return {who: (round(one.mu, 2), round(one.sigma, 2)) for who, one in strengths.items()}


def test_two_pairs_of_newcomers() -> None:
    """By hand, after Weng and Lin (2011): each variance is 1600 + 1 for drift, a side's 3202;
    chance is 57,600 · 1.5 / π² = 8754.1 a side; c² = 2 · 3202 + 2 · 8754.1 = 23,912.3 and
    c = 154.64. Even chances, so a side gains or loses 0.5 · 3202 / 154.64 = 10.35 and each of its
    two people half; a variance shrinks by half of 0.25 · 3202 / 23,912.3, to 1574.2."""
    assert figures(rate({}, [Game(PAIRS, [1700, 1500], 16)])) == {
        1: (5.18, 39.68),
        2: (5.18, 39.68),
        3: (-5.18, 39.68),
        4: (-5.18, 39.68),
    }


def test_by_how_much_somebody_wins_does_not_matter() -> None:
    close, far = ([Game(PAIRS, [1601 + more, 1600], 16)] for more in (0, 900))
    assert rate({}, close) == rate({}, far)


def test_a_draw_among_equals_moves_nobody_and_tells_something_all_the_same() -> None:
    rated = rate({}, [Game(PAIRS, [1600, 1600], 16)])
    assert figures(rated) == dict.fromkeys((1, 2, 3, 4), (0.0, 39.68))


def test_four_deals_tell_less_than_sixteen() -> None:
    """With a quarter of the deals chance is twice as large: c² = 6404 + 4 · 17,508.2 = 76,436.8
    and c = 276.47. Each of the winners gains a quarter of 3202 / 276.47, and his variance becomes
    1601 · (1 - 0.5 · 0.25 · 3202 / 76,436.8) = 1592.6."""
    assert figures(rate({}, [Game(PAIRS, [500, 400], 4)]))[1] == (2.9, 39.91)


def test_at_a_table_of_three_everybody_is_a_side() -> None:
    rated = rate({}, [Game([[1], [2], [3]], [900, 800, 700], 16)])
    assert rated[1].mu > rated[2].mu > rated[3].mu
    assert math.isclose(sum(one.mu for one in rated.values()), 0, abs_tol=1e-9)


def test_who_is_surer_moves_less_and_only_who_played_is_rated() -> None:
    known = {1: Strength(30, 10), 2: NEWCOMER, 9: Strength(5, 5)}
    rated = rate(known, [Game(PAIRS, [1500, 1700], 16)])
    assert set(rated) == {1, 2, 3, 4}
    assert 0 < 30 - rated[1].mu < 0 - rated[2].mu
    assert known[1] == Strength(30, 10)


def test_a_weaker_pair_gains_more_by_winning() -> None:
    strong = {3: Strength(60, 20), 4: Strength(60, 20)}
    against_strong = rate(strong, [Game(PAIRS, [1700, 1500], 16)])
    against_weak = rate({}, [Game(PAIRS, [1700, 1500], 16)])
    assert against_strong[1].mu > against_weak[1].mu


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_the_uncertainty_is_right_about_how_often_it_is_wrong(seed: int) -> None:
    """32 people whose strength is known play 30 evenings of three boompjes. Of 20 true strengths
    about 19 should be within two standard deviations of what was found."""
    chance = Random(seed)
    truth = [chance.gauss(0, SPREAD) for _ in range(32)]
    rated = rate({}, _played(truth, evenings=30, chance=chance))
    mean = sum(truth) / len(truth)
    within = [abs(rated[who].mu - (truth[who] - mean)) <= 2 * rated[who].sigma for who in rated]
    assert 28 <= sum(within) <= 32
    assert all(20 < one.sigma < 30 for one in rated.values())


def _played(truth: list[float], *, evenings: int, chance: Random) -> list[Game]:
    games = []
    for _round in range(3 * evenings):
        people = chance.sample(range(len(truth)), len(truth))
        for at in range(0, len(people), 4):
            n, s, e, w = people[at : at + 4]
            ahead = truth[n] + truth[s] - truth[e] - truth[w] + chance.gauss(0, LUCK)
            games.append(Game([[n, s], [e, w]], [round(1530 + ahead), round(1530 - ahead)], 16))
    return games
