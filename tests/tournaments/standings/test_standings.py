import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from clubs.models import Member
from tests.factories import (
    TESTS,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    type_in,
    write_deal,
)
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_publish
from tournaments.models import Evening, PastResult, Registration, Season
from tournaments.registration.check_in import presence_set
from tournaments.rounds.services import round_close, round_start
from tournaments.scoresheets.views.access import table_of
from tournaments.seasons.standings import season_standings
from tournaments.standings.core.rule_json import parse_season_rule
from tournaments.standings.queries import StandingRow, board_tables, evening_standings

pytestmark = pytest.mark.django_db


def typed_in(players: int = 4, **given: Any) -> Evening:
    """People sit in order of number: 1 2 3 4 at N E S W of table 1. One deal a round."""
    return evening_with_draw(players=players, method="typed_in", deals_per_round=1, **given)


def lines(evening: Evening) -> list[tuple[int, int | None, int, Mapping[int, int]]]:
    """Rank, number of the member, total and rounds."""
    numbers = dict(Member.objects.values_list("pk", "number"))
    return [
        (row.rank, numbers[row.member_id], row.total, row.rounds)
        for row in evening_standings(evening)
    ]


def close_round(evening: Evening) -> None:
    round_close(
        round_id=evening.rounds.get(state="running").pk, actor=TESTS, unfinished_reason="test"
    )


def next_round(evening: Evening, *numbers: int) -> None:
    """Close the round that runs and start one with people in this order."""
    close_round(evening)
    round_ = type_in(evening, [Member.objects.get(number=number) for number in numbers])
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=round_.pk, actor=TESTS)


class TestEvening:
    @pytest.mark.full
    def test_partners_share_a_place_and_the_next_one_is_skipped(self) -> None:
        evening = typed_in(8)
        write_deal(table(evening, 1), 1, points={"NS": 90})
        write_deal(table(evening, 2), 1, points={"NS": 100})
        assert lines(evening) == [
            (1, 7, 100, {1: 100}),
            (1, 5, 100, {1: 100}),
            (3, 1, 90, {1: 90}),
            (3, 3, 90, {1: 90}),
            (5, 2, 72, {1: 72}),
            (5, 4, 72, {1: 72}),
            (7, 6, 62, {1: 62}),
            (7, 8, 62, {1: 62}),
        ]

    def test_a_seat_besides_his_own_counts_for_nobody(self) -> None:
        """Number 5 sits at North of table 1 too, where 90 are taken; his own are 100."""
        evening = typed_in(8)
        write_deal(table(evening, 1), 1, points={"NS": 90})
        write_deal(table(evening, 2), 1, points={"NS": 100})
        north = table(evening, 1).sheet.seats.filter(seat="N")
        north.update(member=Member.objects.get(number=5), extra=True)
        assert lines(evening)[:3] == [
            (1, 7, 100, {1: 100}),
            (1, 5, 100, {1: 100}),
            (3, 3, 90, {1: 90}),
        ]

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("elsewhere", "rounds"),
        [(80, {1: 100, 2: 90}), (90, {1: 100, 2: 90}), (95, {1: 100, 2: 95})],
    )
    def test_unless_it_is_higher_than_the_lowest_of_his_own_and_the_evening_says_so(
        self, elsewhere: int, rounds: dict[int, int]
    ) -> None:
        """Five has 100 and 90 at his own tables, and plays round 1 once more at table 1."""
        evening = typed_in(8, twice_replaces=True)
        write_deal(table(evening, 1), 1, points={"NS": elsewhere})
        write_deal(table(evening, 2), 1, points={"NS": 100})
        five = Member.objects.get(number=5)
        table(evening, 1).sheet.seats.filter(seat="N").update(member=five, extra=True)
        assert self.rounds_of(5, evening) == {1: 100}
        next_round(evening, 5, 2, 3, 4, 1, 6, 7, 8)
        write_deal(table(evening, 1, round_number=2), 1, points={"NS": 90})
        assert self.rounds_of(5, evening) == rounds

    def rounds_of(self, number: int, evening: Evening) -> Mapping[int, int]:
        return next(row[3] for row in lines(evening) if row[1] == number)

    @pytest.mark.both
    def test_head_to_head(self) -> None:
        """Round 1: 1 and 3 win 100-62 from 2 and 4. Round 2: 1 and 3 have 62, 2 and 4 have 100,
        each against others. All 162; against each other 1 and 3 are 76 ahead."""
        evening = typed_in(8, tie="tie_breaks", tie_breaks=["pits", "head_to_head"])
        write_deal(table(evening, 1), 1, points={"NS": 100})
        write_deal(table(evening, 2), 1, points={"NS": 90})
        next_round(evening, 5, 1, 7, 3, 2, 6, 4, 8)
        write_deal(table(evening, 1, round_number=2), 1, points={"NS": 100})
        write_deal(table(evening, 2, round_number=2), 1, points={"NS": 100})
        tied = [row for row in evening_standings(evening) if row.total == 162]
        by_number = {one.pk: one.number for one in Member.objects.all()}
        assert sorted((row.rank, by_number[row.member_id], row.tie_breaks) for row in tied) == [
            (3, 1, {"pits": 0, "head_to_head": 76}),
            (3, 3, {"pits": 0, "head_to_head": 76}),
            (5, 2, {"pits": 0, "head_to_head": -76}),
            (5, 4, {"pits": 0, "head_to_head": -76}),
        ]

    @pytest.mark.full
    def test_rounds_add_up(self) -> None:
        evening = typed_in()
        write_deal(table(evening), 1)
        next_round(evening, 1, 2, 4, 3)
        write_deal(table(evening, round_number=2), 1, points={"NS": 100})
        assert lines(evening) == [
            (1, 1, 190, {1: 90, 2: 100}),
            (2, 4, 172, {1: 72, 2: 100}),
            (3, 3, 152, {1: 90, 2: 62}),
            (4, 2, 134, {1: 72, 2: 62}),
        ]

    @pytest.mark.full
    def test_pits_count_for_both_partners(self) -> None:
        evening = typed_in()
        write_deal(table(evening), 1, points={}, pit="EW")
        rows: list[StandingRow] = evening_standings(evening)
        assert [(row.total, row.pits) for row in rows] == [(262, 1), (262, 1), (0, 0), (0, 0)]

    @pytest.mark.full
    def test_who_sits_out_has_the_evenings_score_once_the_round_is_closed(self) -> None:
        evening = typed_in(5, started=False, sit_out_score=1500)
        assert lines(evening) == []
        round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        write_deal(table(evening), 1, points={"NS": 90})
        assert lines(evening)[-1] == (5, 5, 0, {})
        close_round(evening)
        assert lines(evening)[0] == (1, 5, 1500, {1: 1500})

    @pytest.mark.full
    def test_a_latecomer_has_the_score_for_a_missed_round(self) -> None:
        evening = typed_in(8, missed_score=1450)
        late = Member.objects.get(number=8)
        for number in (4, 5, 6, 7):
            member = Member.objects.get(number=number)
            presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)
        evening.rounds.get().placements.filter(member=late).delete()
        table(evening, 2).sheet.seats.filter(member=late).update(member=None)
        next_round(evening, 1, 2, 3, 8)
        close_round(evening)
        rounds = {row[1]: row[3] for row in lines(evening)}
        assert (rounds[8], rounds[4], rounds[1]) == ({1: 1450, 2: 0}, {1: 0, 2: 1450}, {1: 0, 2: 0})

    @pytest.mark.full
    def test_without_a_score_for_missing_a_round_stays_empty(self) -> None:
        evening = typed_in(8)
        for number in (5, 6, 7, 8):
            member = Member.objects.get(number=number)
            presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)
        next_round(evening, 1, 2, 3, 4)
        rounds = {row[1]: row[3] for row in lines(evening)}
        assert (rounds[5], rounds[1]) == ({1: 0}, {1: 0, 2: 0})

    def test_a_drawn_round_does_not_count_yet(self) -> None:
        evening = evening_with_draw(players=4, deals_per_round=1)
        assert {tuple(row[3]) for row in lines(evening)} == {(1,)}

    def test_the_public_name_is_there(self) -> None:
        evening = typed_in()
        Member.objects.filter(number=1).update(public_name="Jan B.")
        shown = {row.name: row.shown_name for row in evening_standings(evening)}
        assert (shown["Jan Bakker"], shown["Piet Visser"]) == ("Jan B.", "Piet Visser")

    @pytest.mark.full
    def test_results_from_before_whole_evenings_and_rounds(self) -> None:
        evening = EveningFactory.create()
        whole, by_round, absent = MemberFactory.create_batch(3, club=evening.club)
        Evening.objects.filter(pk=evening.pk).update(is_history=True, state="closed")
        PastResult.objects.create(evening=evening, member=whole, score=4800, pits=3)
        for number, score in ((1, 1500), (2, 1700)):
            PastResult.objects.create(evening=evening, member=by_round, round=number, score=score)
        PastResult.objects.create(evening=evening, member=absent, absence="notice")
        evening.refresh_from_db()
        assert lines(evening) == [(1, 1, 4800, {}), (2, 2, 3200, {1: 1500, 2: 1700})]
        assert evening_standings(evening)[0].pits == 3

    @pytest.mark.parametrize("players", [4, 32])
    def test_the_number_of_queries_does_not_grow(
        self, players: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        evening = typed_in(players, missed_score=1450)
        with django_assert_num_queries(5):
            evening_standings(evening)


class TestBoard:
    @pytest.mark.parametrize("players", [4, 12])
    def test_the_number_of_queries_does_not_grow(
        self, players: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        round_ = typed_in(players).rounds.get()
        with django_assert_num_queries(3):
            found = [
                (
                    one.number,
                    [str(seat) for seat in one.sheet.seats.all()],
                    str(one.sheet.regulation),
                )
                for one in board_tables(round_)
            ]
        assert [number for number, _seats, _regulation in found] == list(range(1, players // 4 + 1))

    @pytest.mark.full
    def test_the_table_of_now_is_the_first_running_sheet_that_is_not_full(self) -> None:
        evening = evening_with_draw(players=8, deals_per_round=1)
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        write_deal(table(evening, 1), 1)
        found = [table_of(evening, number) for number in (1, 2, 3)]
        assert found == [table(evening, 1, 2), table(evening, 2, 1), None]

    @pytest.mark.full
    def test_before_and_after_the_rounds(self) -> None:
        evening = evening_with_draw(players=4, rounds=1, deals_per_round=1, started=False)
        assert table_of(evening, 1) == table(evening)
        round_start(round_id=evening.rounds.get().pk, actor=TESTS)
        write_deal(table(evening), 1)
        assert table_of(evening, 1) == table(evening)
        evening.rounds.update(state="draft")
        assert table_of(evening, 1) is None


class TestSeason:
    def season(self) -> Season:
        """Two closed evenings of 1 2 3 4 (90 against 72, then 100 against 62) and a running one."""
        evening = typed_in(date=dt.date(2026, 9, 5), rounds=1)
        season = Season.objects.create(club=evening.club, name="2026", slug="2026")
        later = typed_in(date=dt.date(2026, 9, 12), rounds=1, club=evening.club, season=season)
        Evening.objects.filter(pk=evening.pk).update(season=season)
        for one, points in ((evening, 90), (later, 100)):
            write_deal(table(one), 1, points={"NS": points})
            round_close(round_id=one.rounds.get().pk, actor=TESTS)
            evening_close(evening_id=one.pk, actor=TESTS)
        running = typed_in(date=dt.date(2026, 9, 19), club=evening.club, season=season)
        write_deal(table(running), 1, points={"NS": 50})
        return season

    @pytest.mark.both
    def test_closed_evenings_add_up(self) -> None:
        found = season_standings(self.season())
        numbers = {str(pk): number for pk, number in Member.objects.values_list("pk", "number")}
        rows = [(row.rank, numbers[row.player_id], row.total, row.evenings) for row in found.rows]
        assert rows == [(1, 1, 190, 2), (1, 3, 190, 2), (3, 2, 134, 2), (3, 4, 134, 2)]

    @pytest.mark.full
    def test_the_best_evening_alone(self) -> None:
        rule = parse_season_rule({"best_per_period": 1})
        rows = season_standings(self.season(), rule).rows
        assert [(row.counted, row.total) for row in rows] == [
            (100, 190),
            (100, 190),
            (72, 134),
            (72, 134),
        ]

    @pytest.mark.full
    def test_who_signed_off_is_known(self) -> None:
        season = self.season()
        evening = season.evenings.get(date=dt.date(2026, 9, 12))
        away = Member.objects.create(club=season.club, name="Anna Łuczak")
        Registration.objects.create(evening=evening, member=away, present=False, absence="notice")
        Evening.objects.filter(pk=evening.pk).update(revision=F("revision") + 1)
        rule = parse_season_rule({"absence": {"with_notice": "lowest", "without_notice": 0}})
        row = next(r for r in season_standings(season, rule).rows if r.name == "Anna Łuczak")
        assert (row.total, row.counted, row.evenings) == (0, 62, 0)

    def test_the_number_of_queries_does_not_grow_with_evenings(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        season = self.season()
        with django_assert_num_queries(4):
            season_standings(season)
        Evening.objects.filter(state="running").update(state="closed")
        with django_assert_num_queries(11):
            season_standings(season)
