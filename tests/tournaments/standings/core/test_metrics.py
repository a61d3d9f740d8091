"""Each figure that people can be compared by, and standings made by it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from tests.tournaments.standings.core.season import day, places, played
from tournaments.standings.core.metrics import (
    EVENING_TIE_BREAKS,
    METRICS,
    RANK_BY,
    SEASON_TIE_BREAKS,
)
from tournaments.standings.core.places import SidePlace, evening_side, rank_evening, season_side
from tournaments.standings.core.results import (
    CountingRule,
    Encounter,
    EveningEntry,
    EveningResult,
    Points,
    RoundScore,
)
from tournaments.standings.core.season import rank_season

ROUNDS = (
    RoundScore(1, 1700, pits=1, roem=240, nats=2),
    RoundScore(2, 1500, pits=0, roem=100, nats=3),
    RoundScore(3, 1600, played=False),
)
ENTRY = EveningEntry("1", "Aad", ROUNDS)
SEASON = [
    EveningResult("1", "Aad", day(1), 4801, boompjes=3, pits=1, roem=300, nats=4, best_round=1702),
    EveningResult("1", "Aad", day(2), 4500, boompjes=3, pits=2, best_round=1600, last_round=1400),
    EveningResult("1", "Aad", day(3), 5200, boompjes=3, best_round=1900, last_round=1650),
    EveningResult("2", "Bep", day(1), 9999, boompjes=2),
]


@pytest.mark.parametrize(
    ("key", "figure"),
    [
        ("total", 4800),
        ("mean_per_round", Decimal("1600.00")),
        ("pits", 1),
        ("roem", 340),
        ("nats", 5),
        ("fewest_nats", 5),
        ("best_round", 1700),
        ("last_round", None),
        ("counted", None),
        ("evenings", None),
    ],
)
def test_the_figures_of_an_evening(key: str, figure: Points | None) -> None:
    assert METRICS[key].of_entry(ENTRY) == figure


def test_a_tie_of_an_evening_is_broken_by_whole_numbers() -> None:
    """What is published keeps them as JSON. Of two figures there is none in this entry: who met
    whom, and a last round that was not played."""
    measures = [METRICS[key].of_entry(ENTRY) for key in EVENING_TIE_BREAKS if key in METRICS]
    assert {type(figure) for figure in measures} <= {int, type(None)}


@pytest.mark.full
@pytest.mark.parametrize(
    ("key", "figure"),
    [
        ("total", 14501),  # 4801 + 4500 + 5200
        ("counted", 10001),  # the best two: 5200 + 4801
        ("average", Decimal("5000.50")),  # 10001 / 2
        ("mean_per_evening", Decimal("4833.67")),  # 14501 / 3 = 4833.666…
        ("mean_per_round", Decimal("1611.22")),  # 14501 / 9 = 1611.222…
        ("pits", 3),
        ("roem", 300),
        ("nats", 4),
        ("fewest_nats", 4),
        ("best_round", 1900),
        ("last_round", 1650),
        ("best_evening", 5200),
        ("evenings", 3),
        ("gap", 0),
    ],
)
def test_the_figures_of_a_season(key: str, figure: Points) -> None:
    rows = rank_season(SEASON, CountingRule(best_per_period=2)).rows
    assert METRICS[key].of_row(rows[0]) == figure


def test_every_figure_but_the_gap_can_make_a_standing() -> None:
    assert set(RANK_BY) == METRICS.keys() - {"gap"}
    assert set(SEASON_TIE_BREAKS) - {"head_to_head", "lot"} <= set(RANK_BY)
    assert set(EVENING_TIE_BREAKS) <= set(SEASON_TIE_BREAKS)


def test_a_round_given_for_sitting_out_is_nobodys_best() -> None:
    entry = EveningEntry("1", "Aad", [RoundScore(1, 1500), RoundScore(2, 1600, played=False)])
    assert entry.best_round == 1500


class TestRankedByAMetric:
    def test_most_pits(self) -> None:
        results = [
            replace(one, pits=pits)
            for (one,), pits in (
                (played("Aad", 5000), 1),
                (played("Bep", 4000), 3),
                (played("Cor", 9), 3),
            )
        ]
        table = rank_season(results, CountingRule(rank_by="pits"))
        assert places(table) == [(1, "Bep", 3), (1, "Cor", 3), (3, "Aad", 1)]
        assert [row.gap for row in table.rows] == [0, 0, 2]

    def test_fewest_nats_has_the_least_first(self) -> None:
        results = [
            replace(one, nats=nats)
            for (one,), nats in (
                (played("Aad", 1), 7),
                (played("Bep", 1), 2),
                (played("Cor", 1), 4),
            )
        ]
        table = rank_season(results, CountingRule(rank_by="fewest_nats"))
        assert places(table) == [(1, "Bep", 2), (2, "Cor", 4), (3, "Aad", 7)]
        assert [row.gap for row in table.rows] == [0, 2, 5]

    def test_the_plain_sum_beside_the_best_of(self) -> None:
        # Aad 10 + 10 + 10 = 30, best two 20; Bep 14 + 14 + 0 = 28, best two 28.
        results = [*played("Aad", 10, 10, 10), *played("Bep", 14, 14, 0)]
        assert places(rank_season(results, CountingRule(best_per_period=2))) == [
            (1, "Bep", 28),
            (2, "Aad", 20),
        ]
        by_sum = CountingRule(best_per_period=2, rank_by="total")
        assert places(rank_season(results, by_sum)) == [(1, "Aad", 30), (2, "Bep", 28)]

    def test_who_has_no_such_figure_is_last_with_nought(self) -> None:
        results = [
            *played("Aad", 9000),
            *(replace(one, best_round=1500) for one in played("Bep", 1)),
        ]
        assert places(rank_season(results, CountingRule(rank_by="best_round"))) == [
            (1, "Bep", 1500),
            (2, "Aad", 0),
        ]

    @pytest.mark.parametrize("key", RANK_BY)
    def test_every_one_of_them_gives_everybody_a_place(self, key: str) -> None:
        table = rank_season(SEASON, CountingRule(rank_by=key))
        assert {row.rank for row in table.rows} in ({1, 2}, {1})


class TestSideStandings:
    def test_leaders_share_and_the_next_place_is_skipped(self) -> None:
        entries = [
            EveningEntry(name, name, [RoundScore(1, 1500, pits=pits)])
            for name, pits in (("Aad", 1), ("Bep", 2), ("cor", 2), ("Dik", 0))
        ]
        assert evening_side(entries, "pits") == (
            SidePlace(1, "Bep", "Bep", 2),
            SidePlace(1, "cor", "cor", 2),
            SidePlace(3, "Aad", "Aad", 1),
        )

    def test_the_best_last_round_is_of_who_played_it(self) -> None:
        entries = [
            EveningEntry("1", "Aad", [RoundScore(1, 1900)]),
            EveningEntry("2", "Bep", [RoundScore(3, 1400)], last_round=1400),
        ]
        assert evening_side(entries, "last_round") == (SidePlace(1, "2", "Bep", 1400),)

    def test_fewest_nats_counts_nought_too(self) -> None:
        entries = [
            EveningEntry("1", "Aad", [RoundScore(1, 9, nats=2)]),
            EveningEntry("2", "Bep", [RoundScore(1, 9)]),
        ]
        assert [
            (one.rank, one.name, one.figure) for one in evening_side(entries, "fewest_nats")
        ] == [
            (1, "Bep", 0),
            (2, "Aad", 2),
        ]

    def test_of_a_season(self) -> None:
        rows = rank_season(SEASON).rows
        assert season_side(rows, "best_evening") == (
            SidePlace(1, "2", "Bep", 9999),
            SidePlace(2, "1", "Aad", 5200),
        )


class TestTiesOfAnEvening:
    def order(
        self, entries: list[EveningEntry], *tie_breaks: str
    ) -> list[tuple[int, str, dict[str, Points | None]]]:
        rows = rank_evening(entries, tie_breaks=tie_breaks, lot="2026-09-05")
        return [(row.rank, row.name, dict(row.tie_breaks)) for row in rows]

    def test_the_chain_is_tried_in_the_order_given(self) -> None:
        # Aad has more roem, Bep more pits.
        entries = [
            EveningEntry("1", "Aad", [RoundScore(1, 1500, roem=200, pits=1)]),
            EveningEntry("2", "Bep", [RoundScore(1, 1500, roem=100, pits=2)]),
        ]
        assert self.order(entries, "pits", "roem") == [
            (1, "Bep", {"pits": 2}),
            (2, "Aad", {"pits": 1}),
        ]
        assert self.order(entries, "roem", "pits") == [
            (1, "Aad", {"roem": 200}),
            (2, "Bep", {"roem": 100}),
        ]

    def test_head_to_head(self) -> None:
        entries = [
            EveningEntry("1", "Aad", [RoundScore(1, 9)], encounters=[Encounter("2", 700, 900)]),
            EveningEntry("2", "Bep", [RoundScore(1, 9)], encounters=[Encounter("1", 900, 700)]),
        ]
        assert self.order(entries, "head_to_head") == [
            (1, "Bep", {"head_to_head": 200}),
            (2, "Aad", {"head_to_head": -200}),
        ]

    def test_a_lot_is_recorded_with_who_it_was_drawn_for(self) -> None:
        entries = [EveningEntry(str(n), f"Speler {n}", [RoundScore(1, 9)]) for n in range(5)]
        drawn = self.order([*entries, EveningEntry("9", "Cor", [RoundScore(1, 8)])], "lot")
        assert [rank for rank, _, _ in drawn] == [1, 2, 3, 4, 5, 6]
        assert [list(figures) for _, _, figures in drawn] == [["lot"]] * 5 + [[]]
        assert self.order(entries[::-1], "lot") == drawn[:5]
