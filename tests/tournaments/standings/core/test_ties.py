"""Shared places and how they are broken."""

from dataclasses import replace

from tests.tournaments.standings.core.season import by_name, day, places, played
from tournaments.standings.core.results import CountingRule, Encounter, EveningResult
from tournaments.standings.core.season import rank_season


def one(
    name: str,
    score: int = 10335,
    *,
    pits: int = 0,
    nats: int = 0,
    best_round: int | None = None,
    met: dict[str, tuple[int, int]] | None = None,
) -> EveningResult:
    encounters = tuple(Encounter(other, *points) for other, points in (met or {}).items())
    return EveningResult(
        name,
        name,
        day(1),
        score,
        pits=pits,
        nats=nats,
        best_round=best_round,
        encounters=encounters,
    )


def order(results: list[EveningResult], *tie_breaks: str) -> list[tuple[int | None, str]]:
    table = rank_season(results, CountingRule(tie_breaks=tie_breaks))
    return [(row.rank, row.name) for row in table.rows]


def test_a_tie_is_shared_by_name_and_the_same_tie_is_broken_by_pits() -> None:
    results = [one("Zus", pits=3), one("aad", pits=1), one("Bep", 10336), one("Cor", 9000)]
    assert order(results) == [(1, "Bep"), (2, "aad"), (2, "Zus"), (4, "Cor")]
    assert order(results, "pits") == [(1, "Bep"), (2, "Zus"), (3, "aad"), (4, "Cor")]


def test_the_figures_that_were_looked_at_are_kept() -> None:
    results = [one("Aad", pits=1, nats=4), one("Bep", pits=1, nats=6), one("Cor", pits=0)]
    table = rank_season([*results, one("Dik", 5)], CountingRule(tie_breaks=("pits", "fewest_nats")))
    kept = {name: dict(row.tie_breaks) for name, row in by_name(table).items()}
    assert kept == {
        "Aad": {"pits": 1, "fewest_nats": 4},
        "Bep": {"pits": 1, "fewest_nats": 6},
        "Cor": {"pits": 0},
        "Dik": {},
    }


def test_the_chain_goes_on_only_among_those_still_tied() -> None:
    results = [
        one("Aad", pits=1, best_round=1700),
        one("Bep", pits=1, best_round=1800),
        one("Cor", pits=2, best_round=1600),
        one("Dik", pits=1, best_round=1700),
    ]
    expected = [(1, "Cor"), (2, "Bep"), (3, "Aad"), (3, "Dik")]
    assert order(results, "pits", "best_round") == expected


def test_the_highest_round_and_not_knowing_it() -> None:
    results = [one("Aad"), one("Bep", best_round=0), one("Cor", best_round=1900)]
    assert order(results, "best_round") == [(1, "Cor"), (2, "Bep"), (3, "Aad")]


def test_fewest_nats() -> None:
    results = [one("Aad", nats=3), one("Bep", nats=2), one("Cor", nats=3)]
    assert order(results, "fewest_nats") == [(1, "Bep"), (2, "Aad"), (2, "Cor")]


def test_head_to_head_looks_only_at_those_who_are_tied() -> None:
    # Against each other Bep has 100 more than Aad. What Aad won from Cor, who is not tied, is
    # left aside.
    results = [
        one("Aad", met={"Bep": (700, 800), "Cor": (1600, 0)}),
        one("Bep", met={"Aad": (800, 700)}),
        one("Cor", 100, met={"Aad": (0, 1600)}),
    ]
    assert order(results, "head_to_head") == [(1, "Bep"), (2, "Aad"), (3, "Cor")]


def test_head_to_head_can_be_looked_at_again_among_fewer() -> None:
    # Over the three of them Aad and Bep are 100 ahead; of the two of them Aad is.
    results = [
        one("Aad", met={"Bep": (800, 700), "Cor": (700, 700)}),
        one("Bep", met={"Aad": (700, 800), "Cor": (900, 700)}),
        one("Cor", met={"Aad": (700, 700), "Bep": (700, 900)}),
    ]
    assert order(results, "head_to_head") == [(1, "Aad"), (1, "Bep"), (3, "Cor")]
    again = order(results, "head_to_head", "head_to_head")
    assert again == [(1, "Aad"), (2, "Bep"), (3, "Cor")]


def test_head_to_head_of_people_who_never_met_stays_shared() -> None:
    assert order([one("Aad"), one("Bep")], "head_to_head") == [(1, "Aad"), (1, "Bep")]


def test_a_lot_always_falls_alike_and_leaves_nobody_tied() -> None:
    results = [one(name) for name in "ABCDEFGH"]
    drawn = order(results, "lot")
    assert [rank for rank, _ in drawn] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert order(results[::-1], "lot") == drawn


def test_a_lot_favours_nobody_for_ever() -> None:
    winners = set()
    for week in range(1, 11):
        results = [replace(one(name), date=day(week), evening="") for name in "AB"]
        winners.add(order(results, "lot")[0][1])
    assert winners == {"A", "B"}


def test_figures_are_over_all_evenings_that_are_not_excluded() -> None:
    # Aad's three pits are on the evening that is dropped, and still count; Bep's four are on the
    # excluded one.
    results = [
        replace(one("Aad", 10, pits=3), date=day(2), evening=""),
        one("Aad", 20),
        one("Bep", 20, pits=1),
        replace(one("Bep", 10, pits=4), date=day(3), evening=""),
    ]
    rule = CountingRule(best_per_period=1, excluded=(day(3).isoformat(),), tie_breaks=("pits",))
    assert places(rank_season(results, rule)) == [(1, "Aad", 20), (2, "Bep", 20)]


def test_those_without_a_place_stand_in_the_same_order() -> None:
    results = [one("Aad", pits=1), one("Bep", pits=2), *played("Cor", 1, 1)]
    rule = CountingRule(minimum_evenings=2, tie_breaks=("pits",))
    table = rank_season(results, rule)
    assert [(row.rank, row.name) for row in table.rows] == [
        (1, "Cor"),
        (None, "Bep"),
        (None, "Aad"),
    ]
