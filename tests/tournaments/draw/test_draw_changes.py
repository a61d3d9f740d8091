"""Somebody who comes or leaves after the draw: what changes, and above all what does not."""

from functools import partial

import pytest

from clubs.models import AuditEvent, Member
from scoring.models import Scoresheet, Seat
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, MemberFactory, evening_with_draw, table
from tests.tournaments.draw.changes import (
    ONE,
    THREE,
    TWO,
    adapt,
    comes,
    hall,
    leaves,
    lying,
    member,
    out,
    refusal,
    typed,
)
from tournaments.closing.services import evening_cancel
from tournaments.draw.changes import adapt_preview, draw_adapt
from tournaments.draw.services import draw_publish, draw_undo
from tournaments.models import CoupleRule, Evening, Placement
from tournaments.registration.check_in import presence_set
from tournaments.registration.competitors import competitor_create, teams_choose
from tournaments.rounds.services import round_start, table_substitute
from tournaments.table_links.services import tokens_ensure

pytestmark = pytest.mark.django_db


def test_a_latecomer_where_all_tables_are_full_sits_out_and_nothing_else_changes() -> None:
    evening = typed(12)
    before = lying(evening)
    comes(evening)
    adapt(evening)
    assert (hall(evening), out(evening)) == ({1: ONE, 2: TWO, 3: THREE}, [13])
    assert lying(evening) == before


@pytest.mark.full
def test_a_fourth_who_is_left_over_makes_a_table() -> None:
    evening = typed(11)
    before = lying(evening)
    comes(evening)
    adapt(evening)
    now = hall(evening)
    assert ({1: now[1], 2: now[2]}, out(evening)) == ({1: ONE, 2: TWO}, [])
    assert set(now[3].values()) == {9, 10, 11, 12}
    assert {place: lying(evening)[place] for place in before} == before


@pytest.mark.full
def test_who_sits_out_takes_the_seat_of_who_leaves() -> None:
    evening = typed(9)
    before = lying(evening)
    leaves(evening, 6)
    adapt(evening)
    assert (hall(evening), out(evening)) == ({1: ONE, 2: TWO | {"E": 9}}, [])
    assert lying(evening) == before


def test_where_nobody_sits_out_the_table_of_who_leaves_goes_and_the_others_keep_their_number() -> (
    None
):
    evening = typed(12)
    before = lying(evening)
    leaves(evening, 6)
    adapt(evening)
    assert (hall(evening), out(evening)) == ({1: ONE, 3: THREE}, [5, 7, 8])
    assert lying(evening) == {place: pk for place, pk in before.items() if place != (1, 2)}
    assert Scoresheet.objects.count() == 2


@pytest.mark.full
def test_one_comes_and_one_leaves_and_one_seat_changes() -> None:
    evening = typed(12)
    comes(evening)
    leaves(evening, 6)
    adapt(evening)
    assert (hall(evening), out(evening)) == ({1: ONE, 2: TWO | {"E": 13}, 3: THREE}, [])


@pytest.mark.once
@pytest.mark.parametrize("method", ["rotation", "balanced", "lottery"])
@pytest.mark.parametrize("players", [12, 13, 15])
@pytest.mark.parametrize("leaver", [1, 12])
def test_who_comes_takes_the_place_of_who_leaves_and_everybody_else_stays(
    players: int, method: str, leaver: int
) -> None:
    evening = evening_with_draw(players=players, method=method, started=False)
    rounds = range(1, evening.rounds.count() + 1)
    before = [(hall(evening, number), out(evening, number)) for number in rounds]
    late = comes(evening)
    leaves(evening, leaver)
    adapt(evening)

    def now(who: int | None) -> int | None:
        return late.number if who == leaver else who

    assert [(hall(evening, number), out(evening, number)) for number in rounds] == [
        (
            {at: {seat: now(who) for seat, who in four.items()} for at, four in sat.items()},
            sorted(map(now, resting), key=lambda who: who or 0),
        )
        for sat, resting in before
    ]


@pytest.mark.full
@pytest.mark.once
def test_who_missed_a_round_takes_a_place_but_not_the_turn_to_sit_out() -> None:
    evening = evening_with_draw(players=9, method="balanced")
    (first,), (second,), (third,) = (out(evening, number) for number in (1, 2, 3))
    assert len({first, second, third}) == 3
    assert third is not None
    late = comes(evening)
    leaves(evening, third)
    before = hall(evening, 2)
    adapt(evening)
    assert [late.number in out(evening, number) for number in (2, 3)] == [False, False]
    assert {first, second, third, late.number}.isdisjoint(out(evening, 3))
    assert hall(evening, 2) == {
        at: {seat: late.number if who == third else who for seat, who in four.items()}
        for at, four in before.items()
    }


@pytest.mark.full
def test_who_takes_a_place_and_whose_it_was_are_both_in_the_trail() -> None:
    evening = typed(13)
    late = comes(evening)
    leaves(evening, 6)
    adapt(evening)
    events = AuditEvent.objects.filter(action__in=["draw_latecomer", "draw_leaver"])
    assert [(event.action, event.data) for event in events.order_by("number")] == [
        (action, {"member": str(who.uuid), "round": 1, "tables": [[1, [2]]]})
        for action, who in (("draw_latecomer", late), ("draw_leaver", member(6)))
    ]


@pytest.mark.full
def test_who_must_not_meet_somebody_there_does_not_take_the_place() -> None:
    evening = typed(13)
    late = comes(evening)
    one, two = sorted((late, member(7)), key=lambda who: who.pk)
    CoupleRule.objects.create(club=evening.club, one=one, two=two, kind="apart")
    leaves(evening, 6)
    adapt(evening)
    assert not any({7, 14} <= {*four.values()} for four in hall(evening).values())


@pytest.mark.full
def test_who_comes_back_does_not_take_the_place_beside_a_partner_of_tonight() -> None:
    evening = evening_with_draw(players=13)
    first = hall(evening, 1)[1]
    leaves(evening, first["N"] or 0)
    adapt(evening)
    back = member(first["N"] or 0)
    leaves(evening, first["E"] or 0)
    presence_set(evening_id=evening.pk, member=back, present=True, actor=TESTS)
    adapt(evening)
    across = {"N": "S", "S": "N", "E": "W", "W": "E"}
    partners = [
        four[across[seat]]
        for number in (1, 2, 3)
        for four in hall(evening, number).values()
        for seat, who in four.items()
        if who == back.number
    ]
    assert len(partners) == len(set(partners))


def test_several_at_once_come_in_one_after_the_other() -> None:
    evening = typed(12)
    for _ in range(4):
        comes(evening)
    adapt(evening)
    now = hall(evening)
    assert {at: now[at] for at in (1, 2, 3)} == {1: ONE, 2: TWO, 3: THREE}
    assert set(now[4].values()) == {13, 14, 15, 16}


@pytest.mark.full
def test_only_those_who_are_named_are_taken_in() -> None:
    evening = typed(12)
    first, _second = comes(evening), comes(evening)
    adapt(evening, first)
    assert out(evening) == [13]


def test_a_table_of_three_becomes_one_of_four_with_a_new_sheet() -> None:
    evening = evening_with_draw(
        players=11, method="lottery", leftover="three_handed", started=False
    )
    before, sat = lying(evening), hall(evening)
    (three,) = [at for at, four in sat.items() if len(four) == 3]
    comes(evening)
    adapt(evening)
    assert hall(evening) == sat | {three: {**sat[three], "W": 12}}
    changed = {place for place, pk in lying(evening).items() if before[place] != pk}
    assert (changed, Scoresheet.objects.filter(three_handed=True).count()) == ({(1, three)}, 0)


@pytest.mark.full
@pytest.mark.once
@pytest.mark.parametrize("leftover", ["sit_out", "three_handed"])
@pytest.mark.parametrize("method", ["rotation", "balanced", "lottery"])
@pytest.mark.parametrize("players", [7, 8, 17, 18, 19])
def test_everybody_is_placed_and_at_most_two_tables_change(
    players: int, method: str, leftover: str
) -> None:
    evening = evening_with_draw(players=players, method=method, leftover=leftover, started=False)
    for change in (partial(comes, evening), partial(leaves, evening, 3)):
        rounds = range(1, evening.rounds.count() + 1)
        before = {number: hall(evening, number) for number in rounds}
        sheets = lying(evening)
        change()
        adapt(evening)
        for number in rounds:
            now = hall(evening, number)
            changed = {
                at for at in {*now, *before[number]} if now.get(at) != before[number].get(at)
            }
            assert len(changed) <= (3 if leftover == "three_handed" else 2)
            kept = {
                place: pk
                for place, pk in sheets.items()
                if place[0] == number and place[1] not in changed
            }
            assert kept.items() <= lying(evening).items()
            here = evening.registrations.filter(present=True).values_list(
                "member__number", flat=True
            )
            placed = [who for four in now.values() for who in four.values()] + out(evening, number)
            assert sorted(placed, key=str) == sorted(here, key=str)


@pytest.mark.full
def test_a_draft_that_was_adapted_can_be_made_final() -> None:
    evening = evening_with_draw(players=9, started=False)
    evening.rounds.update(state="draft")
    comes(evening)
    assert refusal(partial(draw_publish, evening_id=evening.pk, actor=TESTS)) == "draw_outdated"
    adapt(evening)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    assert {one.state for one in evening.rounds.all()} == {"drawn"}


@pytest.mark.full
def test_a_round_that_is_being_played_stays_as_it_is() -> None:
    evening = evening_with_draw(players=11)
    before = hall(evening, 1)
    who = comes(evening)
    adapt(evening)
    assert hall(evening, 1) == before
    assert not Placement.objects.filter(round__number=1, member=who).exists()
    for number in (2, 3):
        assert who.number in hall(evening, number)[3].values()


@pytest.mark.full
def test_the_four_of_a_rotation_stay_together() -> None:
    evening = evening_with_draw(players=11, started=False)
    comes(evening)
    adapt(evening)
    new = [hall(evening, number)[3] for number in (1, 2, 3)]
    assert {frozenset(four.values()) for four in new} == {frozenset(new[0].values())}
    partners = {frozenset((four[one], four[other])) for four in new for one, other in ("NS", "EW")}
    assert len(partners) == 6


@pytest.mark.full
def test_two_who_must_not_meet_do_not_get_one_table() -> None:
    evening = typed(11)
    late = comes(evening)
    one, two = sorted((late, member(9)), key=lambda who: who.pk)
    CoupleRule.objects.create(club=evening.club, one=one, two=two, kind="apart")
    adapt(evening)
    assert not any({9, 12} <= {*four.values()} for four in hall(evening).values())


def test_for_whom_a_substitute_plays_stays_when_another_seat_of_his_table_changes() -> None:
    evening = typed(9)
    substitute = MemberFactory.create(club=evening.club)
    table_substitute(
        table_id=table(evening, 2).pk,
        seat="N",
        member=substitute,
        from_deal=1,
        for_himself=False,
        actor=TESTS,
    )
    leaves(evening, 6)
    adapt(evening)
    held = Seat.objects.filter(sheet__table__number=2).order_by("pk")
    assert [(one.seat, one.member, one.counts_for) for one in held if one.counts_for] == [
        ("N", substitute, member(5))
    ]
    assert held.get(seat="E").member == member(9)


@pytest.mark.full
def test_who_sat_out_and_took_over_for_the_evening_is_in_the_later_rounds_once() -> None:
    evening = evening_with_draw(players=9)
    (resting,) = [Member.objects.get(number=number) for number in out(evening, 2)]
    table_substitute(
        table_id=table(evening, 1).pk,
        seat="N",
        member=resting,
        from_deal=1,
        for_himself=True,
        actor=TESTS,
    )
    late = comes(evening)
    adapt(evening)
    for number in (2, 3):
        assert out(evening, number).count(late.number) == 1
        seats = Seat.objects.filter(sheet__table__round__number=number, member=resting)
        assert seats.count() == 1


@pytest.mark.full
def test_a_new_table_has_a_link_where_the_others_have_one() -> None:
    evening = typed(11)
    tokens_ensure(evening=evening, tables=2)
    comes(evening)
    adapt(evening)
    assert sorted(evening.tokens.values_list("table_number", flat=True)) == [1, 2, 3]


@pytest.mark.full
def test_the_last_table_has_a_link_though_one_before_it_went() -> None:
    evening = typed(12)
    leaves(evening, 6)
    adapt(evening)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    assert evening.tokens.filter(table_number=3).count() == 1


@pytest.mark.full
def test_the_trail_tells_who_and_which_tables() -> None:
    evening = typed(11)
    late = comes(evening)
    adapt(evening)
    event = AuditEvent.objects.order_by("number").last()
    assert event is not None
    assert (event.action, event.data) == (
        "draw_latecomer",
        {"member": str(late.uuid), "round": 1, "tables": [[1, [3]]]},
    )


class TestTeams:
    """1 2 3 4 sit at table 1, 5 6 7 8 at table 2; who comes is number 9, and of a team."""

    def one_comes_for_one(self, *company: int, leaver: int) -> Evening:
        evening = typed(8)
        late = comes(evening)
        team = competitor_create(
            club=evening.club, kind="team", name="De Azen", since=evening.date, actor=TESTS
        )
        ours = {who.pk: team for who in (late, *map(member, company))}
        teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)
        leaves(evening, leaver)
        return evening

    def apart(self, evening: Evening, *couples: tuple[int, int], kind: str = "apart") -> None:
        for one, two in couples:
            CoupleRule.objects.create(
                club=evening.club, one=member(one), two=member(two), kind=kind
            )

    def table_of(self, evening: Evening, number: int) -> set[int | None]:
        (four,) = (four for four in hall(evening).values() if number in four.values())
        return {*four.values()}

    def test_nobody_takes_a_place_at_the_table_of_their_team(self) -> None:
        evening = self.one_comes_for_one(1, leaver=2)
        adapt(evening)
        assert 1 not in self.table_of(evening, 9)
        assert {*self.table_of(evening, 1), *self.table_of(evening, 9)} == {1, *range(3, 10)}

    def test_where_the_evening_allows_it_they_do(self) -> None:
        evening = self.one_comes_for_one(1, leaver=2)
        Evening.objects.filter(pk=evening.pk).update(teammates_may_meet=True)
        adapt(evening)
        assert hall(evening) == {1: ONE | {"E": 9}, 2: TWO}

    @pytest.mark.full
    def test_if_they_must_share_a_table_they_are_partners(self) -> None:
        evening = self.one_comes_for_one(1, leaver=2)
        self.apart(evening, (5, 9), (6, 9), (7, 9), (8, 9))
        adapt(evening)
        four = hall(evening)[1]
        assert 9 in four.values()
        assert {four[seat] for seat in "NS"} in ({1, 9}, {3, 4})

    @pytest.mark.full
    def test_a_team_larger_than_the_hall_meets_itself(self) -> None:
        evening = self.one_comes_for_one(1, 5, leaver=2)
        adapt(evening)
        assert self.table_of(evening, 9) & {1, 5}

    def test_a_team_is_not_set_against_itself_where_a_new_draw_may_do_better(self) -> None:
        evening = self.one_comes_for_one(1, leaver=2)
        self.apart(evening, (5, 9), (6, 9), (7, 9), (8, 9))
        self.apart(evening, (1, 3), kind="fixed")
        before = hall(evening)
        assert refusal(partial(adapt, evening)) == "draw_again"
        assert hall(evening) == before


class TestRefused:
    def test_a_draw_that_fits_who_is_here(self) -> None:
        assert refusal(partial(adapt, typed(8))) == "nothing_to_change"

    def test_where_nothing_is_drawn(self) -> None:
        evening = typed(8)
        draw_undo(evening_id=evening.pk, actor=TESTS)
        assert refusal(partial(adapt, evening)) == "nothing_to_change"

    def test_somebody_who_neither_came_nor_left(self) -> None:
        evening = typed(8)
        comes(evening)
        assert refusal(partial(adapt, evening, member(1))) == "draw_moved_on"

    @pytest.mark.full
    def test_what_has_become_other_since_it_was_seen(self) -> None:
        evening = typed(8)
        late = comes(evening)
        seen = adapt_preview(evening, [late]).version
        leaves(evening, 2)
        adapt(evening, member(2))
        assert refusal(partial(adapt, evening, late, seen=seen)) == "draw_moved_on"
        assert hall(evening) == {2: TWO}

    def test_too_few_for_a_table(self) -> None:
        evening = typed(4)
        leaves(evening, 1)
        assert refusal(partial(adapt, evening)) == "too_few_players"

    def test_fixed_pairs(self) -> None:
        evening = typed(8)
        Evening.objects.filter(pk=evening.pk).update(method="pairs")
        evening.refresh_from_db()
        comes(evening)
        assert refusal(partial(adapt, evening)) == "pairs_need_a_new_draw"

    @pytest.mark.full
    def test_an_evening_that_was_called_off(self) -> None:
        evening = typed(8)
        comes(evening)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        assert refusal(partial(adapt, evening)) == "evening_state"


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_one_latecomer_taken_in_by_two_is_taken_in_once(self) -> None:
        evening = typed(11)
        comes(evening)
        act = partial(draw_adapt, evening_id=evening.pk, actor=TESTS)
        assert outcomes(at_once([act, act])) == {"ok": 1, "nothing_to_change": 1}
        assert set(hall(evening)[3].values()) == {9, 10, 11, 12}

    def test_four_latecomers_taken_in_by_four_make_one_table(self) -> None:
        evening = typed(12)
        late = [comes(evening) for _ in range(4)]
        acts = [
            partial(draw_adapt, evening_id=evening.pk, members=[who], actor=TESTS) for who in late
        ]
        assert outcomes(at_once(acts)) == {"ok": 4}
        assert (set(hall(evening)[4].values()), out(evening)) == ({13, 14, 15, 16}, [])

    def test_a_round_that_starts_meanwhile_is_whole_with_him_or_without(self) -> None:
        evening = typed(11)
        comes(evening)
        start = partial(round_start, round_id=evening.rounds.get().pk, actor=TESTS)
        change = partial(draw_adapt, evening_id=evening.pk, actor=TESTS)
        answers = outcomes(at_once([start, change]))
        assert answers in ({"ok": 2}, {"ok": 1, "nothing_to_change": 1})
        assert len(hall(evening)) == (3 if answers["ok"] == 2 else 2)
        states = set(Scoresheet.objects.values_list("state", flat=True))
        assert states == {"open"}
