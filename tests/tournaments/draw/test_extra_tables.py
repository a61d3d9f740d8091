"""Those who are left over at a table with people who play the round twice."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Member
from clubs.text.errors import DomainError
from scoring.models import Scoresheet, Seat
from tests.concurrency import at_once, outcomes
from tests.factories import (
    TESTS,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.draw.changes import draw_adapt
from tournaments.draw.extra_tables import extra_table_make, extra_table_undo
from tournaments.draw.report import draw_report
from tournaments.draw.rewriting import draw_swap
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import CoupleRule, Evening, Placement
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.competitors import competitor_create, teams_choose
from tournaments.rounds.services import round_start
from tournaments.seating.store import past_evening, started_rounds
from tournaments.standings.queries import evening_standings
from tournaments.table_links.services import tokens_ensure

pytestmark = pytest.mark.django_db

TWICE = f"{EVENING}rounds/1/twice/"
Places = dict[tuple[int | None, str, bool], set[int | None]]


def typed(players: int, **given: Any) -> Evening:
    """1 2 3 4 at N E S W of table 1, then table 2, …; who is over is left over. Not started."""
    given = dict[str, Any](method="typed_in", started=False, deals_per_round=1) | given
    return evening_with_draw(players=players, **given)


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def make(evening: Evening, *numbers: int) -> int:
    return extra_table_make(
        evening_id=evening.pk,
        round_number=1,
        twice=[member(number) for number in numbers],
        actor=TESTS,
    )


def at(evening: Evening, number: int, *, twice: bool | None = None) -> set[int | None]:
    """The numbers of who sits at a table; only those who play `twice`, or only the others."""
    placed = Placement.objects.filter(round__evening=evening, round__number=1)
    if twice is not None:
        placed = placed.filter(substitute=twice)
    return set(placed.filter(table__number=number).values_list("member__number", flat=True))


def out(evening: Evening) -> set[int | None]:
    resting = Placement.objects.filter(round__evening=evening, table=None)
    return set(resting.values_list("member__number", flat=True))


def in_team(evening: Evening, *numbers: int) -> None:
    team = competitor_create(
        club=evening.club, kind="team", name="De Azen", since=evening.date, actor=TESTS
    )
    ours = {member(number).pk: team for number in numbers}
    teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as caught:
        act()
    return caught.value.code


def test_of_two_lowest_rounds_the_first_is_replaced() -> None:
    evening = evening_with_draw(players=8, method="rotation", rounds=2, twice_replaces=True)
    evening.rounds.update(state="closed")
    who, seats = member(1), Seat.objects.filter(sheet__table__round__evening=evening)
    other = seats.exclude(member=who).filter(sheet__table__round__number=2)[0]
    seats.filter(pk=other.pk).update(member=who, extra=True, score=80)
    for number in (2, 1):
        own = seats.get(member=who, extra=False, sheet__table__round__number=number)
        seats.filter(pk=own.pk).update(score=50)
    assert {row.member_id: row.rounds for row in evening_standings(evening)}[who.pk] == {
        1: 80,
        2: 50,
    }


@pytest.mark.parametrize(("players", "twice"), [(11, [2]), (10, [2, 7]), (9, [2, 3, 7]), (7, [1])])
def test_who_is_left_over_plays_with_who_plays_twice(players: int, twice: list[int]) -> None:
    evening = typed(players)
    left_over = out(evening)
    sheets = set(Scoresheet.objects.values_list("pk", flat=True))
    number = make(evening, *twice)
    assert number == players // 4 + 1
    assert (at(evening, number, twice=False), out(evening)) == (left_over, set())
    assert at(evening, number, twice=True) == set(twice)
    seats = Seat.objects.filter(sheet__table__number=number)
    assert set(seats.filter(extra=True).values_list("member__number", flat=True)) == set(twice)
    assert set(seats.values_list("member__number", flat=True)) == left_over | set(twice)
    assert Seat.objects.get(sheet__table__number=number, seat="W").extra
    assert sheets < set(Scoresheet.objects.values_list("pk", flat=True))


def test_what_is_scored_there_counts_for_who_was_left_over_and_not_for_who_plays_twice() -> None:
    evening = typed(7)
    number = make(evening, 1)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    write_deal(table(evening, 1), 1, points={"NS": 100})
    write_deal(table(evening, number), 1, points={"NS": 90})
    extra = Seat.objects.get(extra=True)
    partners = {"N": "S", "S": "N", "E": "W", "W": "E"}
    with_him = Seat.objects.get(sheet=extra.sheet, seat=partners[extra.seat]).member
    totals = {row.member_id: row.total for row in evening_standings(evening)}
    assert totals[member(1).pk] == 100
    assert with_him is not None
    assert totals[with_him.pk] == 72
    assert sorted(totals.values()) == [62, 62, 72, 90, 90, 100, 100]


@pytest.mark.full
def test_afterwards_they_sat_at_a_table_of_four() -> None:
    evening = typed(7)
    make(evening, 1)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    [played] = started_rounds([evening])[evening.pk]
    one, five = str(member(1).pk), str(member(5).pk)
    assert [len(sat.seats) for sat in played.tables] == [4, 4]
    looked_back_on = past_evening([played])
    assert (looked_back_on.three_handed, looked_back_on.sat_out) == ((), ())
    assert (one, five) in looked_back_on.partners + looked_back_on.opponents


def test_it_is_undone() -> None:
    evening = typed(11)
    sheets = set(Scoresheet.objects.values_list("pk", flat=True))
    make(evening, 2)
    extra_table_undo(evening_id=evening.pk, round_number=1, actor=TESTS)
    assert (out(evening), at(evening, 3)) == ({9, 10, 11}, set())
    assert set(Scoresheet.objects.values_list("pk", flat=True)) == sheets
    assert Placement.objects.count() == 11


def test_a_latecomer_takes_the_seat_of_who_would_play_twice() -> None:
    evening = typed(11)
    make(evening, 2)
    late = MemberFactory.create(club=evening.club)
    presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
    draw_adapt(evening_id=evening.pk, actor=TESTS)
    assert (at(evening, 3), at(evening, 3, twice=True)) == ({9, 10, 11, 12}, set())
    assert (at(evening, 1), at(evening, 2)) == ({1, 2, 3, 4}, {5, 6, 7, 8})
    assert not Seat.objects.filter(extra=True).exists()


@pytest.mark.full
def test_for_a_leaver_that_table_gives_somebody_back() -> None:
    evening = typed(11)
    make(evening, 2)
    presence_set(evening_id=evening.pk, member=member(6), present=False, actor=TESTS)
    draw_adapt(evening_id=evening.pk, actor=TESTS)
    (back,) = at(evening, 2) - {5, 7, 8}
    assert (at(evening, 1), at(evening, 3)) == ({1, 2, 3, 4}, set())
    assert out(evening) == {9, 10, 11} - {back}


@pytest.mark.full
def test_who_would_play_twice_and_leaves_is_gone_from_both_tables() -> None:
    evening = typed(11)
    make(evening, 2)
    presence_set(evening_id=evening.pk, member=member(2), present=False, actor=TESTS)
    draw_adapt(evening_id=evening.pk, actor=TESTS)
    assert not Placement.objects.filter(member=member(2)).exists()
    assert not Seat.objects.filter(member=member(2)).exists()


@pytest.mark.full
def test_the_draw_stays_one_that_fits_who_is_here() -> None:
    evening = typed(11)
    evening.rounds.update(state="draft")
    make(evening, 2)
    draw_publish(evening_id=evening.pk, actor=TESTS)


@pytest.mark.full
def test_the_new_table_has_a_link_where_the_others_have_one() -> None:
    evening = typed(11)
    tokens_ensure(evening=evening, tables=2)
    make(evening, 2)
    assert sorted(evening.tokens.values_list("table_number", flat=True)) == [1, 2, 3]


@pytest.mark.full
def test_the_trail_tells() -> None:
    evening = typed(11)
    make(evening, 2)
    extra_table_undo(evening_id=evening.pk, round_number=1, actor=TESTS)
    made, undone = AuditEvent.objects.order_by("-number")[:2][::-1]
    assert (made.action, made.data) == (
        "extra_table_made",
        {"round": 1, "table": 3, "members": [str(member(2).uuid)]},
    )
    assert (undone.action, undone.data) == ("extra_table_undone", {"round": 1})


def test_nobody_is_swapped_into_the_table_where_he_plays_the_second_time() -> None:
    evening = typed(11)
    evening.rounds.update(state="draft")
    make(evening, 2)
    swap = partial(draw_swap, evening_id=evening.pk, round_number=1, one=member(2), actor=TESTS)
    assert refusal(partial(swap, other=member(9))) == "twice_at_a_table"
    swap(other=member(5))
    assert (at(evening, 1), at(evening, 3)) == ({1, 5, 3, 4}, {2, 9, 10, 11})


class TestRefused:
    def test_nobody_is_left_over(self) -> None:
        assert refusal(partial(make, typed(8), 2)) == "nobody_left_over"

    def test_too_few_or_too_many(self) -> None:
        evening = typed(10)
        assert refusal(partial(make, evening, 2)) == "play_twice_count"
        assert refusal(partial(make, evening, 2, 3, 4)) == "play_twice_count"
        assert refusal(partial(make, evening, 2, 2)) == "play_twice_count"

    def test_who_has_no_table_himself(self) -> None:
        evening = typed(11)
        MemberFactory.create(club=evening.club)
        assert refusal(partial(make, evening, 9)) == "cannot_play_twice"
        assert refusal(partial(make, evening, 12)) == "cannot_play_twice"

    def test_two_who_must_not_meet(self) -> None:
        evening = typed(11)
        CoupleRule.objects.create(club=evening.club, one=member(2), two=member(9), kind="apart")
        assert refusal(partial(make, evening, 2)) == "must_not_meet"

    def test_who_would_play_against_their_own_team(self) -> None:
        evening = typed(11)
        in_team(evening, 1, 9, 10)
        assert refusal(partial(make, evening, 1)) == "team_against_itself"
        assert make(evening, 2) == 3
        partners = Seat.objects.filter(sheet__table__number=3, seat__in="NS")
        numbers = set(partners.values_list("member__number", flat=True))
        assert numbers in ({9, 10}, {2, 11})

    @pytest.mark.full
    def test_three_of_a_team_who_are_left_over_play_in_any_case(self) -> None:
        evening = typed(11)
        in_team(evening, 9, 10, 11)
        assert make(evening, 2) == 3

    @pytest.mark.full
    def test_a_round_that_has_started(self) -> None:
        evening = typed(11)
        round_start(round_id=evening.rounds.get().pk, actor=TESTS)
        undo = partial(extra_table_undo, evening_id=evening.pk, round_number=1, actor=TESTS)
        assert refusal(partial(make, evening, 2)) == "round_started"
        assert refusal(undo) == "round_started"

    def test_there_is_no_such_table_to_undo(self) -> None:
        evening = typed(11)
        undo = partial(extra_table_undo, evening_id=evening.pk, round_number=1, actor=TESTS)
        assert refusal(undo) == "no_extra_table"


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_made_by_two_at_once_it_is_made_once() -> None:
    evening = typed(11)
    acts = [partial(make, evening, number) for number in (2, 3)]
    assert outcomes(at_once(acts)) == {"ok": 1, "nobody_left_over": 1}
    assert len(at(evening, 3)) == 4


class TestPages:
    def test_it_is_offered_at_the_draw_and_done(self) -> None:
        evening = typed(11)
        desk = desk_of(evening.club)
        assert f'href="{TWICE}">Laat iemand twee keer spelen</a>' in text(
            desk.get(f"{EVENING}draw/")
        )
        assert f"{member(2).name}, tafel 1</option>" in text(desk.get(TWICE))
        response = desk.post(TWICE, {"twice_1": member(2).pk}, follow=True)
        assert messages_in(response) == ["Ronde 1 heeft er een tafel bij: tafel 3."]
        assert f"<strong>{member(2).name}</strong>" in text(response)
        assert text(response).count("speelt hier ook") == 1
        assert at(evening, 3) == {2, 9, 10, 11}
        desk.post(f"{TWICE}undo/")
        assert at(evening, 3) == set()

    @pytest.mark.full
    def test_one_person_for_two_seats_is_reported(self) -> None:
        evening = typed(10)
        response = desk_of(evening.club).post(
            TWICE, {"twice_1": member(2).pk, "twice_2": member(2).pk}
        )
        assert response.status_code == 422
        assert response.context["form"].errors == {
            "twice_2": ["Kies een ander: deze is al gekozen."]
        }
        assert out(evening) == {9, 10}

    @pytest.mark.full
    def test_who_is_left_over_cannot_be_chosen(self) -> None:
        evening = typed(11)
        response = desk_of(evening.club).post(TWICE, {"twice_1": member(9).pk})
        assert (response.status_code, out(evening)) == (422, {9, 10, 11})

    @pytest.mark.full
    def test_a_round_in_which_nobody_is_left_over_is_not_found(self) -> None:
        assert desk_of(typed(8).club).get(TWICE).status_code == 404

    @pytest.mark.full
    def test_only_who_runs_the_evening(self) -> None:
        evening = typed(11)
        found = {}
        for user in (director_of(evening.club), scorekeeper_of(evening.club)):
            client = Client()
            client.force_login(user)
            found[client.get(TWICE).status_code] = client.post(f"{TWICE}undo/").status_code
        assert found == {200: 302, 403: 403}

    @pytest.mark.full
    def test_where_do_i_sit_names_both_his_tables(self) -> None:
        evening = typed(11)
        make(evening, 2)
        page = text(Client().get(f"/clubs/vrolijke-boer/evenings/2026-11-21/?q={member(2).name}"))
        assert re.findall(r'<td class="num total">(\d)</td>', page) == ["1", "3"]


def test_a_partner_had_while_playing_twice_is_a_partner_had() -> None:
    """Who plays twice in round 1 gets, in round 2, the partner he had at his second table."""
    evening = EveningFactory.create(method="balanced", rounds_planned=2)
    members = [MemberFactory.create(club=evening.club) for _ in range(7)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    placed = Placement.objects.filter(round__number=1)
    twice = placed.filter(table__number=1)[0].member
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[twice], actor=TESTS)
    extra = placed.get(substitute=True)
    partner = placed.get(
        table=extra.table, seat={"N": "S", "S": "N", "E": "W", "W": "E"}[extra.seat]
    )
    for seat, who in (("N", twice), ("S", partner.member)):
        there = Placement.objects.get(round__number=2, seat=seat).member
        if there != who:
            draw_swap(evening_id=evening.pk, round_number=2, one=there, other=who, actor=TESTS)
    report = draw_report(evening)
    both = {f"{one}: 2e keer maat" for one in _either_way(twice.name, partner.member.name)}
    assert len(both.intersection(report.blocks[1].tables[0].repeats)) == 1
    assert not report.sentences[0].startswith("Niemand krijgt vanavond twee keer dezelfde maat")


def _either_way(one: str, other: str) -> tuple[str, str]:
    return f"{one} en {other}", f"{other} en {one}"
