"""Pairs that come late to an evening of folders: where they sit, and what stays of others."""

from itertools import product

import pytest

from clubs.models import Member
from clubs.text.errors import DomainError
from tests.concurrency import outcomes
from tests.factories import TESTS, MemberFactory
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.duplicate.played import play_round, started
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.duplicate.core.movements import (
    FEWEST_PAIRS,
    NoMovementError,
    make_movement,
    movement_again,
)
from tournaments.duplicate.movement import late_pair_seat, movement_resume
from tournaments.duplicate.published import results_shown
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.models import Evening, FolderPlay, Placement, Round
from tournaments.registration.check_in import presence_set
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import table_substitute

pytestmark = pytest.mark.django_db

Play = tuple[int, int, str, int, int]
"""The folder, the pair, its line, the round and the table."""


def arrived(evening: Evening) -> tuple[Member, Member]:
    """Two people who come in now."""
    late = MemberFactory.create(club=evening.club), MemberFactory.create(club=evening.club)
    for member in late:
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    return late


def seat(evening: Evening, *members: Member) -> int:
    one, two = members or arrived(evening)
    return late_pair_seat(evening_id=evening.pk, one=one, two=two, actor=TESTS)


def attempted(evening: Evening) -> int | DomainError:
    try:
        return seat(evening)
    except DomainError as refusal:
        return refusal


def gone(evening: Evening, pair: int) -> list[Member]:
    """The people of this pair, who leave now."""
    rows = evening.registrations.filter(pair=pair).order_by("member__sort_name", "pk")
    members = [row.member for row in rows.select_related("member")]
    for member in members:
        presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)
    return members


def plays() -> set[Play]:
    return set(
        FolderPlay.objects.values_list(
            "folder__number",
            "pair",
            "line",
            "deal__sheet__table__round__number",
            "deal__sheet__table__number",
        )
    )


def of_pair(pair: int) -> set[Play]:
    return {play for play in plays() if play[1] == pair}


def everybody_has_one_place(evening: Evening) -> bool:
    """Whether in each round everybody who is here, and everybody who sits, is there once."""
    for round_ in evening.rounds.exclude(state=Round.State.CLOSED):
        placed = [*round_.placements.values_list("member_id", flat=True)]
        if len(placed) != len(set(placed)):
            return False
    return True


class TestWhereOneSitsOut:
    def test_it_takes_the_place_and_nobody_else_moves(self) -> None:
        evening = started(5, folders=9)
        before = plays()
        assert seat(evening) == 6
        assert before < plays()
        assert {play[1] for play in plays() - before} <= {1, 2, 3, 4, 5, 6}
        assert [round_.tables.count() for round_ in evening.rounds.all()] == [2, 3, 3]
        assert duplicate_of(evening).pairs == [1, 2, 3, 4, 5, 6]
        assert everybody_has_one_place(evening)

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("kind", "pairs", "folders", "rounds"),
        [
            ("mitchell", 7, 24, None),
            ("mitchell", 7, 24, 3),
            ("mitchell", 7, 24, 4),
            ("mitchell", 15, 30, None),
            ("mitchell", 13, 11, 5),
            ("howell", 7, 24, None),
            ("howell", 5, 24, 3),
            ("howell", 9, 20, 9),
        ],
    )
    def test_whatever_the_numbers(
        self, kind: str, pairs: int, folders: int, rounds: int | None
    ) -> None:
        evening = started(pairs, dealt=False, kind=kind, folders=folders, rounds=rounds)
        before = plays()
        number = seat(evening)
        assert number == pairs + 1
        assert before < plays()
        size = evening.deals_per_round
        assert len(plays() - before) == 2 * size * (evening.rounds.count() - 1)
        assert everybody_has_one_place(evening)

    def test_where_nobody_sits_out_there_is_no_place(self) -> None:
        evening = started(4, folders=6)
        with pytest.raises(DomainError) as caught:
            seat(evening)
        assert caught.value.code == "no_place"
        assert not evening.registrations.filter(pair=5).exists()

    @pytest.mark.full
    def test_in_the_last_round_there_is_no_place(self) -> None:
        evening = started(5, folders=9, rounds=1)
        with pytest.raises(DomainError) as caught:
            seat(evening)
        assert caught.value.code == "no_place"

    def test_who_became_a_pair_at_the_door_keeps_its_number(self) -> None:
        evening = started(5, folders=9)
        late = arrived(evening)
        made = pair_make(evening_id=evening.pk, one=late[0], two=late[1], actor=TESTS)
        assert (made, seat(evening, *late)) == (6, 6)

    @pytest.mark.full
    def test_somebody_else_without_a_partner_does_not_stop_it(self) -> None:
        evening = started(5, folders=9)
        alone, _other = arrived(evening)
        assert seat(evening) == 6
        assert not Placement.objects.filter(member=alone).exists()


class TestWhereOneLeft:
    @pytest.mark.full
    def test_it_plays_on_under_a_number_of_its_own(self) -> None:
        evening = started(4, folders=6)
        play_round(evening, 1)
        old, first = of_pair(3), {play for play in of_pair(3) if play[3] == 1}
        leavers = gone(evening, 3)
        late = arrived(evening)
        assert seat(evening, *late) == 5
        assert of_pair(3) == first
        assert of_pair(5) == {
            (folder, 5, line, round_, table) for folder, _pair, line, round_, table in old - first
        }
        seated = Placement.objects.filter(round__number=2).values_list("member_id", flat=True)
        assert {member.pk for member in late} < set(seated)
        assert not {member.pk for member in leavers} & set(seated)
        people = duplicate_results(evening, duplicate_of(evening)).pairs
        assert [people[number].people for number in (3, 5)] == [tuple(leavers), late]

    @pytest.mark.full
    def test_results_of_both_count(self) -> None:
        evening = started(4, folders=6)
        play_round(evening, 1)
        gone(evening, 3)
        seat(evening)
        evening = play_all_from(evening, 2)
        results = duplicate_results(evening, duplicate_of(evening))
        played = {row.key: row.played for ranking in results.ranking for row in ranking.rows}
        assert played == {1: 6, 2: 6, 3: 3, 4: 6, 5: 3}

    @pytest.mark.full
    def test_before_the_place_of_who_sits_out(self) -> None:
        evening = started(5, folders=9)
        gone(evening, 2)
        assert seat(evening) == 6
        assert duplicate_of(evening).pairs == [1, 6, 3, 4, 5]
        assert seat(evening) == 7
        assert duplicate_of(evening).pairs == [1, 6, 3, 4, 5, 7]
        assert everybody_has_one_place(evening)

    def test_half_a_pair_plays_on_with_a_substitute(self) -> None:
        evening = started(4, folders=6)
        rows = evening.registrations.filter(pair=2).select_related("member").order_by("pk")
        stays, leaves = (row.member for row in rows)
        presence_set(evening_id=evening.pk, member=leaves, present=False, actor=TESTS)
        other = MemberFactory.create(club=evening.club)
        presence_set(evening_id=evening.pk, member=other, present=True, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            seat(evening, stays, other)
        assert caught.value.code == "no_place"
        with pytest.raises(DomainError) as caught:
            pair_make(evening_id=evening.pk, one=stays, two=other, actor=TESTS)
        assert (caught.value.code, caught.value.params["members"]) == ("pair_in_folders", [stays])
        assert {row.pair for row in rows} == {2}

    @pytest.mark.full
    def test_seats_that_substitutes_took_over_are_taken(self) -> None:
        evening = started(4, folders=6)
        two = gone(evening, 2)
        late = arrived(evening)
        for leaver, member in zip(two, late, strict=True):
            place = Placement.objects.get(round__number=1, member=leaver)
            assert place.table_id is not None
            table_substitute(
                table_id=place.table_id,
                seat=place.seat,
                member=member,
                from_deal=1,
                for_himself=False,
                stays=True,
                actor=TESTS,
            )
        with pytest.raises(DomainError) as caught:
            seat(evening)
        assert caught.value.code == "no_place"

    @pytest.mark.parametrize("left", [1, 2])
    def test_of_a_team_it_plays_on_for_that_team(self, left: int) -> None:
        evening = started(4, kind="teams_of_four", folders=6, rounds=3)
        play_round(evening, 1)
        gone(evening, left)
        with pytest.raises(DomainError):
            seat(Evening.objects.get(pk=evening.pk), *arrived(evening)[:1] * 2)
        assert seat(evening) == 5
        for number in (2, 3):
            play_round(evening, number)
        evening = Evening.objects.get(pk=evening.pk)
        results = duplicate_results(evening, duplicate_of(evening))
        (line,) = results.ranking
        assert line.line is None
        teams = {frozenset(pair.number for pair in row.pairs): row.played for row in line.rows}
        assert teams == {frozenset({1, 2, 5}): 6, frozenset({3, 4}): 6}
        evening_close(evening_id=evening.pk, actor=TESTS)
        assert [
            {pair.number for pair in row.pairs}
            for line in results_shown(Evening.objects.get(pk=evening.pk)).ranking
            for row in line.rows
        ] == [{pair.number for pair in row.pairs} for row in line.rows]

    def test_a_pair_more_is_no_team(self) -> None:
        evening = started(4, kind="teams_of_four", folders=6, rounds=3)
        with pytest.raises(DomainError) as caught:
            seat(evening)
        assert caught.value.code == "no_place"


class TestResumed:
    def test_rounds_that_went_with_a_closing_too_early_come_back(self) -> None:
        evening = started(5, folders=9)
        number = seat(evening)
        whole = plays()
        play_round(evening, 1)
        evening_close(evening_id=evening.pk, actor=TESTS)
        assert {play[3] for play in plays()} == {1}
        evening_reopen(evening_id=evening.pk, actor=TESTS)
        desk, path = desk_of(evening.club), f"{EVENING}folders/"
        assert "De rondes die niet gespeeld zijn" in words(get(desk, path))
        done = desk.post(path, {"action": "resume"}, follow=True)
        assert messages_in(done) == ["Rondes opnieuw uitgelegd: 2."]
        assert "De rondes die niet gespeeld zijn" not in words(done)
        assert plays() == whole
        assert number in {play[1] for play in plays()}
        assert everybody_has_one_place(evening)
        play_all_from(evening, 2)

    def test_where_all_rounds_are_there_nothing_does(self) -> None:
        evening = started(4, folders=6)
        with pytest.raises(DomainError) as caught:
            movement_resume(evening_id=evening.pk, actor=TESTS)
        assert caught.value.code == "nothing_to_resume"


def test_a_number_that_was_played_under_is_not_given_again() -> None:
    evening = started(5, folders=9)
    evening.registrations.filter(pair=2).delete()
    assert seat(evening) == 6


def play_all_from(evening: Evening, first: int) -> Evening:
    for number in range(first, evening.rounds_planned + 1):
        play_round(evening, number)
    return Evening.objects.get(pk=evening.pk)


def again(kind: str, pairs: int, boards: int, rounds: int | None) -> str:
    """How the movement of one pair more differs from that of so many; empty if it does not."""
    try:
        made = make_movement(kind, pairs, boards, rounds)  # type: ignore[arg-type]
    except NoMovementError:
        return ""
    size = len(made[0].tables[0].boards)
    more = movement_again(kind, pairs + 1, boards, rounds=len(made), size=size)  # type: ignore[arg-type]
    for before, after in zip(made, more, strict=True):
        rest = [table for table in after.tables if pairs + 1 not in (table.ns, table.ew)]
        if list(before.tables) != rest:
            return f"{kind} {pairs} {boards} {rounds}"
    return ""


@pytest.mark.full
@pytest.mark.parametrize("pairs", range(FEWEST_PAIRS + 1, 16, 2))
def test_one_pair_more_is_the_same_movement(pairs: int) -> None:
    asked = product(("mitchell", "howell"), range(1, 37), (None, *range(1, 13)))
    assert [
        fault for kind, boards, rounds in asked if (fault := again(kind, pairs, boards, rounds))
    ] == []


@pytest.mark.full
@pytest.mark.parametrize("pairs", range(FEWEST_PAIRS, 17))
@pytest.mark.parametrize("folders", [1, 2, 7, 16, 24, 25, 36])
def test_no_late_pair_breaks_the_evening(pairs: int, folders: int) -> None:
    evening = started(pairs, dealt=False, folders=folders)
    (answer,) = outcomes([attempted(evening)])
    has_place = pairs % 2 and evening.rounds.count() > 1
    assert answer == ("ok" if has_place else "no_place")
    assert everybody_has_one_place(evening)
