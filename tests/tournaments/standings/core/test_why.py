"""Why somebody stands where he does."""

from dataclasses import replace

import pytest

from tests.tournaments.standings.core.season import day, played, week
from tournaments.standings.core.results import AbsenceRule, CountingRule, PeriodScore
from tournaments.standings.core.season import rank_season
from tournaments.standings.core.why import EveningWhy, TieStep, TieWhy, why_season

ONE, TWO = (day(1), day(3)), (day(5), day(6))


def test_each_evening_says_what_became_of_it() -> None:
    # Best two of each period, and the better of the two periods.
    # Weeks 1-3: 40 and 30 count, 20 is dropped: 70. Week 4 is in no period. Weeks 5-6: 25 and the
    # absence without notice, which takes a place: 25; the period is dropped. Week 7: no worth.
    rule = CountingRule(periods=(ONE, TWO), best_per_period=2, best_periods=1)
    results = played("Aad", 40, 20, 30, 90, 25, "none", "notice")
    why = why_season(rank_season(results, rule), "Aad")
    assert [(one.evening, one.verdict, one.period) for one in why.evenings] == [
        (week(1), "counts", ONE),
        (week(2), "dropped", ONE),
        (week(3), "counts", ONE),
        (week(4), "outside_periods", None),
        (week(5), "period_dropped", TWO),
        (week(6), "period_dropped", TWO),
        (week(7), "worth_nothing", None),
    ]
    assert why.periods == (
        PeriodScore(ONE, (week(1), week(3)), 70, 2, counts=True),
        PeriodScore(TWO, (week(5), week(6)), 25, 2, counts=False),
    )
    assert (why.row.counted, why.short, why.tie) == (70, 0, None)


def test_absences_say_what_they_are_worth() -> None:
    # Bep's 30 is the lowest of week 2. Aad's nought cannot be dropped, so of 50 and 30 one counts.
    rule = CountingRule(best_per_period=2, absence=AbsenceRule(with_notice="lowest"))
    results = [*played("Aad", 50, "notice", "none"), *played("Bep", 60, 30, 70)]
    why = why_season(rank_season(results, rule), "Aad")
    assert why.evenings == (
        EveningWhy(week(1), 50, 50, None, "counts", None),
        EveningWhy(week(2), None, 30, "notice", "dropped", None),
        EveningWhy(week(3), None, 0, "none", "cannot_be_dropped", None),
    )


def test_who_came_too_seldom_is_told_how_many_evenings_he_misses() -> None:
    table = rank_season(
        [*played("Aad", 5, 5), *played("Bep", 1, 1, 1, 1, 1)], CountingRule(minimum_evenings=5)
    )
    assert why_season(table, "Aad").short == 3
    assert why_season(table, "Bep").short == 0


def test_a_tie_in_steps_and_with_whom_the_place_is_shared() -> None:
    # All on 100. Cor has most pits; Aad and Bep have one each and the same best round.
    results = [
        replace(one, pits=pits, best_round=best)
        for (one,), pits, best in (
            (played("Aad", 100), 1, 1700),
            (played("Bep", 100), 1, 1700),
            (played("Cor", 100), 2, 1600),
            (played("Dik", 99), 9, 1900),
        )
    ]
    table = rank_season(results, CountingRule(tie_breaks=("pits", "best_round")))
    pits = TieStep("pits", (("Cor", 2), ("Aad", 1), ("Bep", 1)))
    assert why_season(table, "Cor").tie == TieWhy(("Cor", "Aad", "Bep"), (pits,), ())
    assert why_season(table, "Bep").tie == TieWhy(
        ("Cor", "Aad", "Bep"),
        (pits, TieStep("best_round", (("Aad", 1700), ("Bep", 1700)))),
        ("Aad",),
    )
    assert why_season(table, "Dik").tie is None


def test_equal_with_and_without_a_place_is_no_tie() -> None:
    table = rank_season(
        [*played("Aad", 5, 5), *played("Bep", 10)], CountingRule(minimum_evenings=2)
    )
    assert why_season(table, "Aad").tie is None
    assert why_season(table, "Bep").tie is None


def test_a_stranger_stands_nowhere() -> None:
    with pytest.raises(KeyError):
        why_season(rank_season(played("Aad", 1)), "Bep")
