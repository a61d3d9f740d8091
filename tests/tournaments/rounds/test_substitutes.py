from typing import Any

import pytest

from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Seat
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tournaments.draw.extra_tables import extra_table_make
from tournaments.draw.services import draft_version, draw_make
from tournaments.models import Evening, Placement
from tournaments.registration.check_in import (
    drawn_without,
    gone_while_playing,
    presence_set,
    substitutes_playing,
)
from tournaments.rounds.services import round_close, round_start, table_substitute
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db


def evening_of_two_deals(players: int = 4, **given: Any) -> Evening:
    """A typed-in evening: Jan at N, Mia at E, Piet at S, Truus at W of table 1."""
    return evening_with_draw(players=players, method="typed_in", deals_per_round=2, **given)


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def substitute(evening: Evening, who: Member, **given: Any) -> Placement:
    given = dict[str, Any](seat="N", from_deal=2, for_himself=False) | given
    return table_substitute(table_id=table(evening).pk, member=who, actor=TESTS, **given)


def totals(evening: Evening) -> dict[str, int]:
    return {row.name: row.total for row in evening_standings(evening)}


def refusal(evening: Evening, who: Member, **given: Any) -> str:
    before = Placement.objects.count(), Seat.objects.count()
    with pytest.raises(DomainError) as caught:
        substitute(evening, who, **given)
    assert (Placement.objects.count(), Seat.objects.count()) == before
    return caught.value.code


@pytest.mark.full
def test_the_points_stay_with_the_one_who_left() -> None:
    evening = evening_of_two_deals()
    substitute(evening, MemberFactory.create(club=evening.club, name="Anna Łuczak"))
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 100})
    assert totals(evening) == {
        "Jan Bakker": 190,
        "Piet Visser": 190,
        "Mia van der Meer": 134,
        "Truus de Vries": 134,
    }


@pytest.mark.full
def test_or_go_to_the_substitute_himself() -> None:
    evening = evening_of_two_deals()
    who = MemberFactory.create(club=evening.club, name="Anna Łuczak")
    substitute(evening, who, for_himself=True)
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 100})
    assert totals(evening)["Jan Bakker"] == 90
    assert totals(evening)["Anna Łuczak"] == 100


@pytest.mark.parametrize(("stays", "numbers"), [(False, {2, 3, 4}), (True, {2, 3, 4, 5})])
def test_who_left_is_no_longer_here_and_the_substitute_is_if_they_stay(
    stays: bool, numbers: set[int]
) -> None:
    evening = evening_of_two_deals()
    who = MemberFactory.create(club=evening.club)
    presence_set(evening_id=evening.pk, member=who, present=False, absence="notice", actor=TESTS)
    substitute(evening, who, stays=stays)
    here = evening.registrations.filter(present=True).values_list("member__number", flat=True)
    assert set(here) == numbers
    assert evening.registrations.get(member=who).absence == ""
    standing_in = [(seat.member, seat.table_number) for seat in substitutes_playing(evening)]
    assert standing_in == ([] if stays else [(who, 1)])
    assert gone_while_playing(evening) == []


@pytest.mark.full
def test_who_was_here_already_stays_here() -> None:
    evening = evening_of_two_deals(players=5, sit_out_score=1600)
    substitute(evening, member(5))
    assert evening.registrations.get(member=member(5)).present is True


@pytest.mark.full
@pytest.mark.parametrize("stays", [False, True])
def test_with_new_tables_each_round_only_who_stays_gets_the_seats_to_come(stays: bool) -> None:
    evening = evening_with_draw(players=8, rounds=2, method="lottery", deals_per_round=2)
    draw_make(evening_id=evening.pk, actor=TESTS)
    leaving = table(evening).placements.get(seat="N").member
    who = MemberFactory.create(club=evening.club)
    substitute(evening, who, stays=stays)
    later = Placement.objects.filter(round__number=2, substitute=True)
    assert [placement.member for placement in later] == ([who] if stays else [])
    assert drawn_without(evening) == ([], [] if stays else [leaving])
    if not stays:
        round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS, unfinished_reason="test")
        assert substitutes_playing(evening) == []


@pytest.mark.full
def test_in_a_rotation_he_takes_no_other_table() -> None:
    """After three rounds there are new tables."""
    evening = evening_with_draw(players=8, rounds=6, deals_per_round=2)
    who = MemberFactory.create(club=evening.club)
    substitute(evening, who)
    taken = Placement.objects.filter(member=who).values_list("round__number", flat=True)
    assert sorted(taken) == [1, 2, 3]


@pytest.mark.full
def test_in_a_rotation_he_takes_the_later_rounds_too() -> None:
    evening = evening_with_draw(players=4, deals_per_round=2)
    leaving = table(evening).placements.get(seat="N").member
    who = MemberFactory.create(club=evening.club)
    substitute(evening, who)
    for round_number in (2, 3):
        later = table(evening, round_number=round_number)
        seat = later.placements.get(member=leaving).seat
        held = Seat.objects.get(sheet=later.sheet, seat=seat)
        assert (held.member, held.counts_for) == (who, leaving)


def test_a_draft_in_which_the_substitute_plays_is_another_draft() -> None:
    evening = evening_with_draw(players=4, rounds=2, method="lottery", deals_per_round=2)
    draw_make(evening_id=evening.pk, actor=TESTS)
    before = draft_version(evening)
    substitute(evening, MemberFactory.create(club=evening.club), stays=True)
    assert before != draft_version(evening) != ""


@pytest.mark.full
def test_a_round_that_runs_already_stays_as_it_is() -> None:
    evening = evening_with_draw(players=4, deals_per_round=2)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    substitute(evening, MemberFactory.create(club=evening.club))
    assert Placement.objects.filter(substitute=True, round__number=2).count() == 0
    assert Placement.objects.filter(substitute=True, round__number=3).count() == 1


@pytest.mark.full
def test_somebody_who_sits_out_may_stand_in() -> None:
    evening = evening_of_two_deals(players=5, sit_out_score=1600)
    substitute(evening, member(5))
    write_deal(table(evening), 2)
    running = evening.rounds.get(state="running")
    round_close(round_id=running.pk, actor=TESTS, unfinished_reason="test")
    assert totals(evening)["Kees Mulder"] == 1600


@pytest.mark.full
def test_a_mistake_is_put_right_at_the_same_deal() -> None:
    evening = evening_of_two_deals()
    wrong, right = MemberFactory.create_batch(2, club=evening.club)
    substitute(evening, wrong, for_himself=True)
    substitute(evening, right, for_himself=True)
    write_deal(table(evening), 2)
    assert totals(evening)[right.name] == 90
    assert wrong.name not in totals(evening)


@pytest.mark.both
def test_the_one_who_left_may_come_back() -> None:
    evening = evening_of_two_deals()
    who = MemberFactory.create(club=evening.club)
    substitute(evening, who, from_deal=1, for_himself=True)
    substitute(evening, member(1), from_deal=2)
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 100})
    assert (totals(evening)[who.name], totals(evening)["Jan Bakker"]) == (90, 100)
    here = evening.registrations.filter(present=True).values_list("member__number", flat=True)
    assert set(here) == {1, 2, 3, 4}


@pytest.mark.full
def test_a_second_substitute_plays_for_whom_the_first_played() -> None:
    evening = evening_with_draw(players=4, method="typed_in", deals_per_round=3)
    first, second = MemberFactory.create_batch(2, club=evening.club)
    substitute(evening, first, from_deal=2)
    substitute(evening, second, from_deal=3)
    for number in (1, 2, 3):
        write_deal(table(evening), number)
    assert totals(evening)["Jan Bakker"] == 270


def test_who_plays_at_another_table_may_stand_in_for_the_one_who_left() -> None:
    evening = evening_of_two_deals(players=8)
    substitute(evening, member(5))
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 100})
    write_deal(table(evening, 2), 1, points={"NS": 120})
    assert totals(evening)["Jan Bakker"] == 190
    assert totals(evening)["Kees Mulder"] == 120
    here = evening.registrations.filter(present=True).values_list("member__number", flat=True)
    assert set(here) == {2, 3, 4, 5, 6, 7, 8}


@pytest.mark.full
def test_but_not_for_himself_and_not_at_his_own_table() -> None:
    evening = evening_of_two_deals(players=8)
    with pytest.raises(DomainError) as caught:
        substitute(evening, member(5), for_himself=True)
    assert caught.value.message == (
        "Kees Mulder speelt deze ronde al aan tafel 2: de punten hier kunnen alleen voor de speler "
        "zijn die stopt."
    )
    assert refusal(evening, member(5), for_himself=True) == "already_seated"
    assert refusal(evening, member(2)) == "already_seated"


@pytest.mark.full
def test_who_stands_in_besides_his_own_seat_stays_when_the_other_comes_back() -> None:
    evening = evening_with_draw(players=8, method="typed_in", deals_per_round=3)
    substitute(evening, member(5), from_deal=2)
    substitute(evening, member(1), from_deal=3)
    here = evening.registrations.filter(present=True).values_list("member__number", flat=True)
    assert set(here) == {1, 2, 3, 4, 5, 6, 7, 8}


@pytest.mark.full
def test_in_a_rotation_who_plays_elsewhere_stands_in_for_that_round_alone() -> None:
    evening = evening_with_draw(players=8, deals_per_round=2)
    elsewhere = table(evening, 2).placements.get(seat="N").member
    substitute(evening, elsewhere)
    assert Placement.objects.filter(substitute=True).count() == 1


@pytest.mark.parametrize(("for_himself", "points"), [(True, 72), (False, None)])
def test_in_an_extra_seat_only_who_plays_for_himself_has_points(
    for_himself: bool, points: int | None
) -> None:
    evening = evening_with_draw(players=7, method="typed_in", deals_per_round=2, started=False)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[member(1)], actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    guest = MemberFactory.create(club=evening.club)
    table_substitute(
        table_id=table(evening, 2).pk,
        seat="W",
        member=guest,
        from_deal=1,
        for_himself=for_himself,
        actor=TESTS,
    )
    write_deal(table(evening, 2), 1)
    assert totals(evening).get(guest.name) == points
    assert evening.registrations.get(member=member(1)).present


@pytest.mark.full
def test_an_extra_seat_of_a_round_that_waits_is_filled_at_the_draw() -> None:
    evening = evening_with_draw(players=7, method="typed_in", started=False)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[member(1)], actor=TESTS)
    with pytest.raises(DomainError) as caught:
        table_substitute(
            table_id=table(evening, 2).pk,
            seat="W",
            member=member(2),
            from_deal=1,
            for_himself=True,
            actor=TESTS,
        )
    assert caught.value.code == "round_waits"


def test_is_refused() -> None:
    evening = evening_of_two_deals()
    who = MemberFactory.create(club=evening.club)
    stranger = MemberFactory.create(club=ClubFactory.create())
    assert refusal(evening, who, from_deal=3) == "deal_unknown"
    assert refusal(evening, who, seat="X") == "seat_empty"
    assert refusal(evening, stranger) == "member_of_another_club"
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="late")
    assert refusal(evening, who) == "sheet_closed"


def test_a_table_that_is_gone() -> None:
    evening = evening_of_two_deals()
    with pytest.raises(DomainError) as caught:
        table_substitute(
            table_id=table(evening).pk + 99,
            seat="N",
            member=member(1),
            from_deal=1,
            for_himself=True,
            actor=TESTS,
        )
    assert caught.value.code == "round_gone"
