"""The standing of one evening, worked out by hand."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.core.places import EveningRow, rank_evening
from tournaments.standings.core.results import EveningEntry, RoundScore


def entry(name: str, *scores: int) -> EveningEntry:
    rounds = tuple(RoundScore(number, score) for number, score in enumerate(scores, start=1))
    return EveningEntry(player_id=name, name=name, rounds=rounds)


def places(*entries: EveningEntry) -> list[tuple[int, str]]:
    return [(row.rank, row.name) for row in rank_evening(entries)]


def test_a_row_has_everything_of_the_evening() -> None:
    rounds = [RoundScore(2, 1400, pits=1), RoundScore(1, 1552, pits=1, roem=200, nats=3)]
    assert rank_evening([EveningEntry("7", "Klaas", rounds)]) == (
        EveningRow(
            rank=1, player_id="7", name="Klaas", total=2952, rounds={1: 1552, 2: 1400}, pits=2
        ),
    )


def test_equal_totals_share_a_place_and_the_next_is_skipped() -> None:
    found = places(entry("D", 1), entry("C", 2, 3), entry("B", 3, 2), entry("A", 9))
    assert found == [(1, "A"), (2, "B"), (2, "C"), (4, "D")]


def test_within_a_place_names_go_by_casefolded_code_points() -> None:
    # Casefolded: "de boer", "de vries", "zwart", "élise" (é, U+00E9, comes after z).
    found = places(*(entry(name, 5) for name in ("Élise", "Zwart", "de Vries", "De Boer")))
    assert [name for _, name in found] == ["De Boer", "de Vries", "Zwart", "Élise"]


def test_an_evening_known_only_as_a_whole() -> None:
    whole = EveningEntry("1", "Bep", whole=5871, pits=2)
    (row,) = rank_evening([whole])
    assert (row.total, row.rounds, row.pits) == (5871, {}, 2)


def test_who_has_no_round_yet_stands_last_with_nought() -> None:
    assert places(entry("A"), entry("B", 100)) == [(1, "B"), (2, "A")]


def test_a_second_seat_in_a_round_adds_up() -> None:
    (row,) = rank_evening([EveningEntry("1", "Bep", [RoundScore(1, 900), RoundScore(1, 700)])])
    assert (row.total, row.rounds) == (1600, {1: 1600})


@given(st.lists(st.integers(-500, 500), max_size=30))
def test_a_place_is_one_more_than_the_number_of_people_above(totals: list[int]) -> None:
    rows = rank_evening([entry(str(at), total) for at, total in enumerate(totals)])
    assert [row.total for row in rows] == sorted(totals, reverse=True)
    for row in rows:
        assert row.rank == 1 + sum(total > row.total for total in totals)


class TestEqualTotals:
    """What decides between equal totals, where an evening does not share the place."""

    PITS = EveningEntry("p", "Pit", [RoundScore(1, 500, pits=2), RoundScore(2, 500)])
    HIGH = EveningEntry("h", "Hoog", [RoundScore(1, 900, pits=1), RoundScore(2, 100, nats=3)])
    DRY = EveningEntry("d", "Droog", [RoundScore(1, 100, pits=1), RoundScore(2, 900, nats=1)])
    ALIKE = EveningEntry("a", "Alike", [RoundScore(1, 900, pits=1), RoundScore(2, 100, nats=3)])
    CHAIN: tuple[str, ...] = ("pits", "best_round", "fewest_nats")

    def test_pits_then_the_best_round_then_the_fewest_nats(self) -> None:
        rows = rank_evening([self.HIGH, self.ALIKE, self.DRY, self.PITS], tie_breaks=self.CHAIN)
        # Pit has two pits; the others one and a round of 900; Droog was nat once, they three times.
        assert [(row.rank, row.name) for row in rows] == [
            (1, "Pit"),
            (2, "Droog"),
            (3, "Alike"),
            (3, "Hoog"),
        ]

    def test_they_say_nothing_of_who_has_more(self) -> None:
        rows = rank_evening([self.PITS, entry("Meer", 1001)], tie_breaks=self.CHAIN)
        assert [(row.rank, row.name) for row in rows] == [(1, "Meer"), (2, "Pit")]

    def test_pits_known_for_the_whole_evening_count(self) -> None:
        whole = EveningEntry("w", "Heel", whole=1000, pits=3)
        rows = rank_evening([self.PITS, whole], tie_breaks=self.CHAIN)
        assert [row.name for row in rows] == ["Heel", "Pit"]

    def test_extra_deals_decide_the_first_place(self) -> None:
        tied = [entry("A", 5), entry("B", 5), entry("C", 5)]
        rows = rank_evening(tied, play_off={"A": 200, "B": 448, "C": 200})
        assert [(row.rank, row.name, row.total) for row in rows] == [
            (1, "B", 5),
            (2, "A", 5),
            (2, "C", 5),
        ]

    def test_but_no_other_place(self) -> None:
        rows = rank_evening(
            [entry("A", 9), entry("B", 5), entry("C", 5)], play_off={"A": 1, "B": 2, "C": 448}
        )
        assert [(row.rank, row.name) for row in rows] == [(1, "A"), (2, "B"), (2, "C")]

    def test_nor_where_somebody_of_the_first_played_none(self) -> None:
        rows = rank_evening([entry("A", 5), entry("B", 5)], play_off={"B": 448})
        assert [(row.rank, row.name) for row in rows] == [(1, "A"), (1, "B")]

    def test_nobody_is_no_fault(self) -> None:
        assert rank_evening([], tie_breaks=self.CHAIN, play_off={"A": 1}) == ()
