"""The standing while an evening is played: no place is only speed, and it ends as the final one."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.core.metrics import EVENING_TIE_BREAKS
from tournaments.standings.core.places import (
    Gap,
    InterimBy,
    InterimRow,
    next_place,
    rank_evening,
    rank_interim,
)
from tournaments.standings.core.results import EveningEntry, RoundScore, Running, together

DEALS = 16
BY: tuple[InterimBy, ...] = ("rounds", "average")


def entry(name: str, *scores: int) -> EveningEntry:
    rounds = tuple(RoundScore(number, score) for number, score in enumerate(scores, start=1))
    return EveningEntry(player_id=name, name=name, rounds=rounds)


def standing(
    entries: Sequence[EveningEntry],
    running: Mapping[str, Running],
    *,
    over: int,
    by: InterimBy = "rounds",
) -> tuple[InterimRow, ...]:
    return rank_interim(entries, running, over=over, deals=DEALS, by=by)


def lines(rows: Sequence[InterimRow]) -> list[tuple[int | None, str, int]]:
    return [(row.rank, row.name, row.total) for row in rows]


SLOW, FAST = Running(500, 5, DEALS), Running(1500, 15, DEALS)


def test_in_the_first_round_nobody_has_a_place_and_people_stand_by_name() -> None:
    rows = standing([entry("B"), entry("A")], {"B": FAST, "A": SLOW}, over=0)
    assert lines(rows) == [(None, "A", 0), (None, "B", 0)]


def test_what_is_still_being_played_changes_no_place() -> None:
    rows = standing([entry("A", 1600), entry("B", 1500)], {"A": SLOW, "B": FAST}, over=1)
    assert lines(rows) == [(1, "A", 1600), (2, "B", 1500)]
    assert [row.deals for row in rows] == [DEALS, DEALS]


def test_the_average_takes_in_every_deal_and_no_more() -> None:
    running = {"A": Running(520, 5, DEALS), "B": FAST}
    rows = standing([entry("A"), entry("B"), entry("C")], running, over=0, by="average")
    assert lines(rows) == [(1, "A", 520), (2, "B", 1500), (None, "C", 0)]
    assert [str(row.average) for row in rows] == ["104.00", "100.00", "None"]


def test_who_missed_a_round_has_it_in_their_average() -> None:
    """Otherwise they would lead until the end, and then fall."""
    running = {"late": Running(200, 1, DEALS)}
    rows = standing([entry("A", 1600), entry("late")], running, over=1, by="average")
    assert lines(rows) == [(1, "A", 1600), (2, "late", 200)]


def test_a_substitute_in_two_seats_and_a_round_that_points_end() -> None:
    assert together([Running(100, 1, 16, 1), Running(300, 3, 16)]) == Running(400, 4, 32, 1)
    assert together([Running(100, 1, None)]) == Running(100, 1, None)
    assert together([]) is None


class TestTheNextPlace:
    ROWS = standing([entry("A", 300), entry("B", 250), entry("C", 250), entry("D", 90)], {}, over=1)

    def gaps(self, *, ties_share: bool) -> list[Gap | None]:
        return [next_place(row, self.ROWS, ties_share=ties_share) for row in self.ROWS]

    def test_is_as_many_points_away_as_are_between(self) -> None:
        assert self.gaps(ties_share=True) == [
            Gap(50, 2, ahead=True),
            Gap(50, 1),
            Gap(50, 1),
            Gap(160, 2),
        ]

    def test_takes_one_more_where_something_decides_between_equals(self) -> None:
        assert [gap and gap.points for gap in self.gaps(ties_share=False)] == [50, 51, 51, 161]

    def test_by_the_average_over_as_many_deals_as_somebody_has(self) -> None:
        running = {"A": Running(1010, 10, DEALS), "B": Running(300, 4, DEALS)}
        rows = standing([entry("A"), entry("B")], running, over=0, by="average")
        # 101 a deal, over four deals: 404.
        assert next_place(rows[1], rows, ties_share=True) == Gap(104, 1)

    def test_nobody_to_compare_with_or_no_place_yet(self) -> None:
        alone = standing([entry("A", 5)], {}, over=1)
        waiting = standing([entry("A"), entry("B")], {"A": SLOW}, over=0)
        assert next_place(alone[0], alone, ties_share=True) is None
        assert next_place(waiting[0], waiting, ties_share=True) is None


# What holds for any evening.

scores = st.integers(-200, 2600)
NAMES = "ABCDEF"


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[EveningEntry], dict[str, Running], int]:
    """Up to six people after up to three rounds, some of which they may have missed, and what they
    have in a round that is being played."""
    over = draw(st.integers(0, 3))
    people, running = [], {}
    for name in NAMES[: draw(st.integers(1, 6))]:
        played = [
            RoundScore(number, draw(scores), pits=draw(st.integers(0, 2)))
            for number in range(1, over + 1)
            if draw(st.booleans())
        ]
        people.append(EveningEntry(name, name, played))
        if draw(st.booleans()):
            running[name] = Running(draw(scores), draw(st.integers(0, DEALS)), DEALS)
    return people, running, over


def ranks(rows: Sequence[InterimRow]) -> dict[str, int | None]:
    return {row.player_id: row.rank for row in rows}


@given(evenings(), st.integers(1, 3), st.sampled_from(BY), st.sampled_from(NAMES))
def test_a_faster_table_changes_no_place_by_speed_alone(
    found: tuple[list[EveningEntry], dict[str, Running], int], times: int, by: InterimBy, who: str
) -> None:
    """Who plays on as they did, with as many points for each deal, stays where they are."""
    people, running, over = found
    before = standing(people, running, over=over, by=by)
    own = next((row for row in before if row.player_id == who and row.deals), None)
    if own is None:
        return
    now = running.get(who, Running(0, 0, DEALS))
    further = Running(now.points + times * own.total, now.deals + times * own.deals, None)
    after = standing(people, running | {who: further}, over=over, by=by)
    assert ranks(after) == ranks(before)


def replace_rounds(person: EveningEntry, rounds: Sequence[RoundScore]) -> EveningEntry:
    return person._replace(rounds=rounds)


@given(evenings(), evenings())
def test_by_rounds_nothing_that_is_being_played_moves_anybody(
    found: tuple[list[EveningEntry], dict[str, Running], int],
    other: tuple[list[EveningEntry], dict[str, Running], int],
) -> None:
    people, running, over = found
    now, later = (standing(people, run, over=over) for run in (running, other[1]))
    assert lines(now) == lines(later)


@given(evenings(), st.sampled_from(BY), st.permutations(EVENING_TIE_BREAKS), st.booleans())
def test_once_no_round_is_played_it_is_the_final_standing(
    found: tuple[list[EveningEntry], dict[str, Running], int],
    by: InterimBy,
    chain: Sequence[str],
    decides: bool,
) -> None:
    people, _running, over = found
    over = max(over, 1)
    ties = tuple(chain) if decides else ()
    final = rank_evening(people, tie_breaks=ties, lot="2026-11-21")
    interim = rank_interim(
        people, {}, over=over, deals=DEALS, by=by, tie_breaks=ties, lot="2026-11-21"
    )
    assert [
        (row.rank, row.name, row.total, row.rounds, row.pits, row.tie_breaks) for row in interim
    ] == [(row.rank, row.name, row.total, row.rounds, row.pits, row.tie_breaks) for row in final]


@given(evenings(), st.sampled_from(BY))
def test_so_many_points_more_bring_the_next_place_and_one_less_does_not(
    found: tuple[list[EveningEntry], dict[str, Running], int], by: InterimBy
) -> None:
    people, running, over = found
    rows = standing(people, running, over=over, by=by)
    for row in rows:
        gap = next_place(row, rows, ties_share=True)
        if gap is None or gap.ahead:
            continue
        for points, reached in ((gap.points, True), (gap.points - 1, False)):
            more = [
                replace_rounds(person, [*person.rounds, RoundScore(9, points)])
                if person.player_id == row.player_id
                else person
                for person in people
            ]
            rank = ranks(standing(more, running, over=over, by=by))[row.player_id]
            assert rank is not None
            assert (rank <= gap.place) is reached
