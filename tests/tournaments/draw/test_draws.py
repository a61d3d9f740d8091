import datetime as dt
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from django.db import connection

from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    type_in,
    write_deal,
)
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.draw.services import (
    draw_make,
    draw_publish,
    draw_type_in,
    draw_undo,
    drawing_of,
    seed_of,
)
from tournaments.models import Evening, Placement, Round
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.competitors import competitor_create, teams_choose
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db

Couples = Counter[frozenset[int]]


def seatings(round_: Round) -> list[dict[str, int]]:
    """Per table, in order, who sits at which seat."""
    return [
        dict(one.placements.values_list("seat", "member_id"))
        for one in round_.tables.order_by("number")
    ]


def sitting_out(round_: Round) -> set[int]:
    return set(round_.placements.filter(table=None).values_list("member_id", flat=True))


def partners(rounds: Iterable[Round]) -> Couples:
    couples: Couples = Counter()
    for round_ in rounds:
        for seats in seatings(round_):
            couples.update(
                [frozenset((seats["N"], seats["S"])), frozenset((seats["E"], seats["W"]))]
            )
    return couples


def planned(players: int, **plan: object) -> Evening:
    """An evening with people present and no draw."""
    evening = EveningFactory.create(**plan)
    members = list(Member.objects.of(evening.club).order_by("number")[:players])
    members += MemberFactory.create_batch(players - len(members), club=evening.club)
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def draw(evening: Evening, seed: int | None = None) -> list[Round]:
    return draw_make(evening_id=evening.pk, actor=TESTS, seed=seed)


def publish(evening: Evening) -> list[Round]:
    return draw_publish(evening_id=evening.pk, actor=TESTS)


def play(evening: Evening, number: int) -> None:
    """Start and close a round without a deal."""
    round_ = evening.rounds.get(number=number)
    round_start(round_id=round_.pk, actor=TESTS)
    round_close(round_id=round_.pk, actor=TESTS, unfinished_reason="test")


def absent(evening: Evening, member: Member) -> None:
    presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)


def code_of(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


class TestRotation:
    @pytest.mark.full
    def test_each_has_each_other_at_the_table_as_partner_once(self) -> None:
        rounds = draw(planned(12))
        assert [round_.number for round_ in rounds] == [1, 2, 3]
        tables = [{frozenset(seats.values()) for seats in seatings(round_)} for round_ in rounds]
        assert tables[0] == tables[1] == tables[2]
        wanted = {frozenset(pair) for four in tables[0] for pair in combinations(four, 2)}
        assert partners(rounds) == Counter(dict.fromkeys(wanted, 1))

    @pytest.mark.full
    def test_the_sheets_follow_from_the_draw(self) -> None:
        (round_, *_) = draw(planned(4, deals_per_round=12))
        sheet = Scoresheet.objects.get(table__round=round_)
        assert dict(sheet.seats.values_list("seat", "member")) == seatings(round_)[0]
        assert (sheet.deals_planned, sheet.deals.count(), sheet.state) == (12, 12, "planned")

    @pytest.mark.full
    def test_who_is_left_over_sits_out_for_the_block(self) -> None:
        rounds = draw(planned(14))
        assert len(sitting_out(rounds[0])) == 2
        assert sitting_out(rounds[0]) == sitting_out(rounds[1]) == sitting_out(rounds[2])

    @pytest.mark.full
    def test_the_second_block_seats_those_who_sat_out(self) -> None:
        rounds = draw(planned(13, rounds_planned=6))
        assert sitting_out(rounds[0]) != sitting_out(rounds[3])

    @pytest.mark.full
    def test_a_redraw_after_somebody_left_between_rounds(self) -> None:
        evening = planned(12)
        draw(evening)
        publish(evening)
        play(evening, 1)
        leaver = Member.objects.get(number=12)
        absent(evening, leaver)
        assert draw_undo(evening_id=evening.pk, actor=TESTS) == 2
        rounds = draw(evening)
        assert [round_.number for round_ in rounds] == [2, 3]
        placed = set(rounds[0].placements.values_list("member_id", flat=True))
        assert (leaver.pk in placed, len(placed), len(sitting_out(rounds[0]))) == (False, 11, 3)

    @pytest.mark.full
    def test_new_tables_halfway_avoid_who_met_before(self) -> None:
        evening = planned(16, rounds_planned=6)
        rounds = draw(evening)
        publish(evening)
        for number in (1, 2, 3):
            play(evening, number)
        draw_undo(evening_id=evening.pk, actor=TESTS)
        first = {frozenset(seats.values()) for seats in seatings(rounds[0])}
        again = {frozenset(seats.values()) for seats in seatings(draw(evening)[0])}
        assert all(len(one & other) == 1 for one in first for other in again)


class TestLottery:
    @pytest.mark.full
    def test_only_the_next_round_is_drawn(self) -> None:
        evening = planned(9, method="lottery")
        assert [round_.number for round_ in draw(evening)] == [1]
        publish(evening)
        play(evening, 1)
        assert [round_.number for round_ in draw(evening)] == [2]

    def test_nobody_sits_out_twice_before_everybody_did_once(self) -> None:
        evening = planned(9, method="lottery", rounds_planned=9)
        out: list[int] = []
        for number in range(1, 10):
            (round_,) = draw(evening)
            publish(evening)
            play(evening, number)
            out += sitting_out(round_)
        assert len(set(out)) == 9


class TestTurnsOverTheSeason:
    @pytest.mark.full
    def test_who_sat_out_last_time_sits_in(self) -> None:
        club, out = ClubFactory.create(), list[int]()
        for week in range(5):
            date = dt.date(2026, 9, 5) + dt.timedelta(weeks=week)
            evening = planned(5, club=club, date=date, rounds_planned=1, method="lottery")
            (round_,) = draw(evening)
            publish(evening)
            play(evening, 1)
            evening_close(evening_id=evening.pk, actor=TESTS)
            out += sitting_out(round_)
        assert len(set(out)) == 5

    @pytest.mark.full
    def test_the_same_people_are_drawn_differently_next_week(self) -> None:
        club, drawn = ClubFactory.create(), []
        for day in (5, 12):
            evening = planned(16, club=club, date=dt.date(2026, 9, day), method="lottery")
            drawn.append(seatings(draw(evening)[0]))
        assert drawn[0] != drawn[1]


class TestMethods:
    def test_balanced_draws_every_round_and_nobody_meets_twice_with_four_tables(self) -> None:
        rounds = draw(planned(16, method="balanced"))
        met = Counter(
            frozenset(pair)
            for round_ in rounds
            for seats in seatings(round_)
            for pair in combinations(seats.values(), 2)
        )
        assert [round_.number for round_ in rounds] == [1, 2, 3]
        assert (len(met), set(met.values())) == (3 * 4 * 6, {1})

    @pytest.mark.full
    def test_a_table_of_three_has_a_sheet_on_which_the_dummy_sits_west(self) -> None:
        (round_, *_) = draw(planned(7, method="balanced", leftover="three_handed"))
        three = next(seats for seats in seatings(round_) if len(seats) == 3)
        sheet = Scoresheet.objects.get(table__round=round_, table__number=2)
        assert dict(sheet.seats.values_list("seat", "member")) == {**three, "W": None}
        assert sitting_out(round_) == set()

    @pytest.mark.full
    def test_fixed_pairs_stay_partners(self) -> None:
        evening = planned(8, method="pairs", rounds_planned=2)
        people = list(Member.objects.order_by("number"))
        for place, member in enumerate(people):
            evening.registrations.filter(member=member).update(pair=place // 2 + 1)
        expected = {
            frozenset((one.pk, other.pk))
            for one, other in zip(people[::2], people[1::2], strict=True)
        }
        assert partners(draw(evening)) == Counter(dict.fromkeys(expected, 2))

    @pytest.mark.full
    def test_the_last_round_goes_by_standing(self) -> None:
        evening = planned(8, method="lottery", rounds_planned=2, last_ranked=True)
        draw(evening)
        publish(evening)
        round_start(round_id=evening.rounds.get().pk, actor=TESTS)
        best = table(evening)
        winners = set(best.placements.filter(seat__in="NS").values_list("member", flat=True))
        side_totals_write(
            sheet_id=best.sheet_id, totals={"NS": HandedIn(2000), "EW": HandedIn(592)}, actor=TESTS
        )
        round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="test")
        (round_,) = draw(evening)
        assert winners < set(seatings(round_)[0].values())


@pytest.mark.both
class TestWhileItSearches:
    def test_who_is_ticked_meanwhile_is_in_the_draw(self) -> None:
        evening = planned(8)
        late = MemberFactory.create(club=evening.club)
        ticked: list[str] = []

        def tick(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            """Just before the club is locked to keep what was found."""
            if 'FROM "clubs_club"' in sql and not ticked:
                ticked.append(sql)
                presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(tick):
            rounds = draw(evening)
        assert len(ticked) == 1
        assert rounds[0].placements.filter(member=late).exists()

    def test_two_presses_make_one_draw(self) -> None:
        evening = planned(8)
        first = draw_make(evening_id=evening.pk, seen="", actor=TESTS)
        with pytest.raises(DomainError) as caught:
            draw_make(evening_id=evening.pk, seen="", actor=TESTS)
        assert code_of(caught) == "draw_moved_on"
        assert list(evening.rounds.all()) == first

    def test_the_rounds_keep_how_long_it_took(self) -> None:
        """Seven people for whom no schedule is known must be searched."""
        draw(planned(7, method="balanced", leftover="three_handed", rounds_planned=6))
        (times,) = set(Round.objects.values_list("search_ms", flat=True))
        assert 0 < times < 60_000


class TestDraft:
    @pytest.mark.full
    def test_drawings_are_numbered_and_come_back_by_number(self) -> None:
        evening = planned(16, method="balanced")
        drawn = []
        for number in (1, 2, 3):
            drawn.append([seatings(round_) for round_ in draw(evening)])
            evening.refresh_from_db()
            assert drawing_of(evening) == number
        assert drawn[0] != drawn[1] != drawn[2]
        again = draw(evening, seed=seed_of(evening, 2))
        assert [seatings(round_) for round_ in again] == drawn[1]
        evening.refresh_from_db()
        assert drawing_of(evening) == 2

    def test_the_same_seed_gives_the_same_draw_and_none_another(self) -> None:
        evening = planned(16, method="lottery")
        one = seatings(draw(evening, seed=7)[0])
        other = seatings(draw(evening)[0])
        again = seatings(draw(evening, seed=7)[0])
        assert one == again != other
        assert Evening.objects.get().seed == 7

    @pytest.mark.both
    def test_a_new_draft_takes_the_place_of_the_last(self) -> None:
        evening = planned(8)
        draw(evening)
        draw(evening)
        assert (evening.rounds.count(), Scoresheet.objects.count()) == (3, 6)

    def test_a_final_draw_is_undone_before_a_new_one(self) -> None:
        evening = planned(8)
        draw(evening)
        assert {round_.state for round_ in publish(evening)} == {"drawn"}
        with pytest.raises(DomainError) as caught:
            draw(evening)
        assert code_of(caught) == "draw_final"
        draw_undo(evening_id=evening.pk, actor=TESTS)
        assert not Scoresheet.objects.exists()
        assert [round_.number for round_ in draw(evening)] == [1, 2, 3]

    def test_is_not_made_final_when_somebody_came_or_left_since(self) -> None:
        evening = planned(8)
        draw(evening)
        late = MemberFactory.create(club=evening.club, name="Anna Łuczak")
        presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            publish(evening)
        assert code_of(caught) == "draw_outdated"
        assert caught.value.params["members"] == [late]
        assert "Anna Łuczak" in caught.value.message
        draw(evening)
        assert len(publish(evening)) == 3

    @pytest.mark.full
    def test_there_must_be_one(self) -> None:
        evening = planned(8)
        for service in (draw_publish, draw_undo):
            with pytest.raises(DomainError) as caught:
                service(evening_id=evening.pk, actor=TESTS)
            assert code_of(caught) == "no_draft"


class TestRefused:
    @pytest.mark.full
    @pytest.mark.parametrize("players", [0, 3])
    def test_too_few_people(self, players: int) -> None:
        evening = planned(players)
        with pytest.raises(DomainError) as caught:
            draw(evening)
        assert code_of(caught) == "too_few_players"
        evening.refresh_from_db()
        assert (evening.seed, evening.rounds.count()) == (0, 0)

    @pytest.mark.full
    def test_five_people_at_tables_of_four_and_three(self) -> None:
        with pytest.raises(DomainError) as caught:
            draw(planned(5, method="balanced", leftover="three_handed"))
        assert (code_of(caught), caught.value.message) == (
            "five_three_handed",
            (
                "Vijf mensen kunnen niet zitten aan tafels van vier en drie. Laat wie overblijft "
                "stilzitten, of loot met de hand: drie aan de ene tafel en twee aan de andere."
            ),
        )

    @pytest.mark.full
    def test_more_people_who_keep_a_table_than_there_are_tables(self) -> None:
        evening = planned(8, method="balanced")
        Member.objects.filter(number__in=[1, 2, 3]).update(keeps_table=True)
        with pytest.raises(DomainError) as caught:
            draw(evening)
        assert (code_of(caught), caught.value.message) == (
            "too_many_stay",
            "Er zijn 3 mensen die elk hun tafel houden, en 2 tafels.",
        )
        assert not evening.rounds.exists()

    @pytest.mark.full
    def test_when_all_rounds_are_drawn(self) -> None:
        evening = planned(4, rounds_planned=1)
        draw(evening)
        publish(evening)
        play(evening, 1)
        with pytest.raises(DomainError) as caught:
            draw(evening)
        assert code_of(caught) == "all_drawn"

    @pytest.mark.full
    def test_when_it_is_done_by_hand(self) -> None:
        with pytest.raises(DomainError) as caught:
            draw(planned(4, method="typed_in"))
        assert code_of(caught) == "draw_typed_in"

    @pytest.mark.full
    def test_on_a_cancelled_evening(self) -> None:
        evening = planned(4)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        for service in (draw_make, draw_publish, draw_undo):
            with pytest.raises(DomainError) as caught:
                service(evening_id=evening.pk, actor=TESTS)
            assert code_of(caught) == "evening_state"

    def test_undoing_what_has_started(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)
        with pytest.raises(DomainError) as caught:
            draw_undo(evening_id=evening.pk, actor=TESTS)
        assert code_of(caught) == "no_draft"

    def test_undoing_what_was_written(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)
        write_deal(table(evening), 1)
        evening.rounds.update(state="drawn")
        with pytest.raises(DomainError) as caught:
            draw_undo(evening_id=evening.pk, actor=TESTS)
        assert code_of(caught) == "deals_written"
        assert Scoresheet.objects.count() == 1


class TestTypedIn:
    @pytest.mark.full
    def test_people_sit_as_they_were_typed(self) -> None:
        evening = planned(9, method="typed_in")
        members = list(Member.objects.order_by("number"))
        round_ = type_in(evening, members)
        assert (round_.number, round_.state) == (1, "draft")
        expected = [
            dict(zip("NESW", (m.pk for m in members[at : at + 4]), strict=True)) for at in (0, 4)
        ]
        assert seatings(round_) == expected
        assert sitting_out(round_) == {members[8].pk}

    def test_every_fault_is_reported_at_once(self) -> None:
        evening = planned(5, method="typed_in")
        jan, mia, piet, truus, kees = Member.objects.order_by("number")
        stranger = MemberFactory.create(club=ClubFactory.create(), name="Anna Łuczak")
        with pytest.raises(DomainError) as caught:
            draw_type_in(
                evening_id=evening.pk,
                tables=[{"N": jan, "E": mia, "S": jan}, {"N": piet, "E": truus, "S": stranger}],
                sit_out=[],
                actor=TESTS,
            )
        assert code_of(caught) == "draw_faults"
        faults = caught.value.params["faults"]
        assert isinstance(faults, list)
        assert len(faults) == 5
        assert [
            name for name in (jan.name, kees.name, stranger.name) if name in "".join(faults)
        ] == [
            jan.name,
            kees.name,
            stranger.name,
        ]
        assert not Placement.objects.exists()

    @pytest.mark.full
    def test_a_team_does_not_play_against_itself_unless_the_evening_allows_it(self) -> None:
        evening = planned(8, method="typed_in")
        members = list(Member.objects.order_by("number"))
        team = competitor_create(
            club=evening.club, kind="team", name="De Azen", since=evening.date, actor=TESTS
        )
        # The first and the third sit opposite each other; the fifth and the sixth do not.
        ours = {members[at].pk: team for at in (0, 2, 4, 5)}
        teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            type_in(evening, members)
        assert code_of(caught) == "draw_faults"
        fault = (
            "Tafel 2: De Azen speelt tegen zichzelf. Speelt u zo? Vink dan “Mensen van één team"
            " mogen aan één tafel zitten” aan waar u de avond wijzigt."
        )
        assert caught.value.params["faults"] == [fault]
        assert not Round.objects.exists()
        # Of a group in one hall it is the table of that number there.
        Evening.objects.filter(pk=evening.pk).update(first_table=6)
        with pytest.raises(DomainError) as caught:
            type_in(evening, members)
        assert caught.value.params["faults"] == [fault.replace("Tafel 2", "Tafel 7")]
        Evening.objects.filter(pk=evening.pk).update(teammates_may_meet=True)
        assert type_in(evening, members).tables.count() == 2

    def test_a_draw_without_a_table_is_a_fault(self) -> None:
        with pytest.raises(DomainError) as caught:
            draw_type_in(
                evening_id=planned(0, method="typed_in").pk, tables=[], sit_out=[], actor=TESTS
            )
        assert code_of(caught) == "draw_faults"


@pytest.mark.full
def test_the_trail_tells_of_draw_and_seed() -> None:
    evening = planned(4, date=dt.date(2026, 9, 5))
    draw(evening)
    publish(evening)
    draw_undo(evening_id=evening.pk, actor=TESTS)
    events = AuditEvent.objects.filter(chain=Club.objects.get().chain_name).order_by("-number")
    actions = [(event.action, event.data) for event in reversed(events[:3])]
    assert actions == [
        ("drawn", {"seed": 202609051, "from": 1}),
        ("draw_final", {"from": 1}),
        ("draw_undone", {"rounds": 3}),
    ]
