import datetime as dt
from typing import Any

import pytest
from django.db.models import F
from django.db.models.signals import pre_save

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    evening_with_draw,
    regulation_of,
    table,
    write_deal,
)
from tournaments.closing.services import (
    evening_cancel,
    evening_close,
    evening_reopen,
    evening_restore,
)
from tournaments.evenings.services import (
    EveningDetails,
    EveningPlan,
    evening_change,
    evening_create,
    evening_details_change,
    evening_freeze,
)
from tournaments.models import Evening, Release, Season
from tournaments.releases.services import release_is_current, release_publish
from tournaments.rounds.services import round_close, round_reopen
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

SATURDAY = dt.date(2026, 11, 21)


def plan(evening: Evening, **given: Any) -> EveningPlan:
    values = {"date": evening.date, "regulation": evening.regulation} | given
    return EveningPlan(**values)


def state(evening: Evening) -> str:
    return Evening.objects.get(pk=evening.pk).state


def refusal(service: Any, **arguments: Any) -> str:
    with pytest.raises(DomainError) as caught:
        service(actor=TESTS, **arguments)
    return caught.value.code


def played(deals: int = 1) -> Evening:
    """An evening of one round and one table, every deal written and the round closed."""
    evening = evening_with_draw(players=4, rounds=1, method="typed_in", deals_per_round=deals)
    for number in range(1, deals + 1):
        write_deal(table(evening), number)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


class TestCreate:
    @pytest.mark.both
    def test_a_second_evening_on_a_day_has_its_own_address(self) -> None:
        first = EveningFactory.create()
        second = EveningFactory.create(club=first.club)
        elsewhere = EveningFactory.create()
        assert [one.slug for one in (first, second, elsewhere)] == [
            "2026-11-21",
            "2026-11-21-2",
            "2026-11-21",
        ]

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("rounds_planned", 0),
            ("deals_per_round", 100),
            ("method", "dice"),
            ("leftover", "home"),
            ("last_ranked", True),
            ("name", "x" * 81),
        ],
    )
    def test_a_plan_that_cannot_be_says_which_field(self, field: str, value: object) -> None:
        club = ClubFactory.create()
        wrong = EveningPlan(date=SATURDAY, regulation=regulation_of(club), **{field: value})  # type: ignore[arg-type]
        with pytest.raises(DomainError) as caught:
            evening_create(club=club, plan=wrong, actor=TESTS)
        faults = caught.value.params["faults"]
        assert isinstance(faults, dict)
        assert (caught.value.code, list(faults)) == ("bad_evening", [field])
        assert not Evening.objects.exists()

    def test_regulation_and_season_are_the_clubs_own(self) -> None:
        club, other = ClubFactory.create(), ClubFactory.create()
        season = Season.objects.create(club=other, name="x", slug="x")
        for wrong in (
            EveningPlan(date=SATURDAY, regulation=regulation_of(other)),
            EveningPlan(date=SATURDAY, regulation=regulation_of(club), season=season),
        ):
            assert refusal(evening_create, club=club, plan=wrong) == "bad_evening"


class TestChange:
    def test_the_plan_can_be_changed_until_there_is_a_draw(self) -> None:
        evening = EveningFactory.create()
        other_day = plan(evening, date=dt.date(2026, 11, 28), rounds_planned=4)
        changed = evening_change(evening_id=evening.pk, plan=other_day, actor=TESTS)
        changed.refresh_from_db()
        assert (changed.slug, changed.rounds_planned, changed.revision) == ("2026-11-28", 4, 3)

    def test_moved_to_a_day_that_has_one_it_becomes_the_second(self) -> None:
        EveningFactory.create()
        evening = EveningFactory.create(club=Evening.objects.get().club, date=dt.date(2026, 11, 28))
        moved = evening_change(
            evening_id=evening.pk, plan=plan(evening, date=SATURDAY), actor=TESTS
        )
        assert moved.slug == "2026-11-21-2"

    def test_is_refused(self) -> None:
        evening = evening_with_draw(players=4, rounds=1, started=False)
        same = plan(evening)
        assert refusal(evening_change, evening_id=evening.pk, plan=same) == "evening_drawn"
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        assert refusal(evening_change, evening_id=evening.pk, plan=same) == "evening_state"


class TestDetails:
    """What can be changed whatever was drawn or played."""

    def change(self, evening: Evening, **details: Any) -> Evening:
        return evening_details_change(
            evening_id=evening.pk, details=EveningDetails(**details), actor=TESTS
        )

    def test_the_season_that_was_forgotten(self) -> None:
        evening = evening_with_draw(players=5, rounds=1)
        season = Season.objects.create(club=evening.club, name="2026-2027", slug="2026-2027")
        changed = self.change(evening, season=season, name="Kerstdrive", phones=False)
        changed.refresh_from_db()
        assert (changed.season, changed.name, changed.phones) == (season, "Kerstdrive", False)
        assert (changed.rounds_planned, changed.revision) == (1, evening.revision + 1)
        event = AuditEvent.objects.latest("pk")
        assert (event.action, event.data) == (
            "evening_changed",
            {"date": "2026-11-21", "season": [None, season.pk], "phones": [True, False]},
        )

    def test_the_start_and_the_trail_keeps_it_without_seconds(self) -> None:
        evening = EveningFactory.create()
        changed = self.change(evening, starts_at=dt.time(19, 30))
        assert changed.starts_at == dt.time(19, 30)
        assert Evening.objects.get().revision == 3
        data = AuditEvent.objects.latest("pk").data
        assert data == {"date": "2026-11-21", "starts_at": [None, "19:30"]}

    @pytest.mark.full
    def test_where_both_sides_write_from_now_on_each_gets_a_link(self) -> None:
        evening = evening_with_draw(players=8, rounds=1)
        links = evening.tokens.filter(revoked_at=None).order_by("table_number", "-side")
        assert list(links.values_list("table_number", "side")) == [(1, ""), (2, "")]
        self.change(evening, writing="both")
        both = [(1, "NS"), (1, "EW"), (2, "NS"), (2, "EW")]
        assert list(links.values_list("table_number", "side")) == both
        self.change(evening, writing="deal")
        assert list(links.values_list("table_number", "side")) == [(1, ""), (2, "")]
        event = AuditEvent.objects.filter(action="evening_changed").latest("pk")
        assert event.data == {"date": "2026-11-21", "writing": ["both", "deal"]}

    def test_who_writes_changes_no_link_where_there_is_none(self) -> None:
        evening = EveningFactory.create()
        self.change(evening, writing="both")
        assert evening.tokens.count() == 0

    def test_the_same_again_changes_nothing(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)
        events = AuditEvent.objects.count()
        assert self.change(evening).revision == evening.revision
        assert AuditEvent.objects.count() == events

    def test_a_deal_that_comes_in_meanwhile_still_shows(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)

        def deal_comes_in(**_: object) -> None:
            Evening.objects.filter(pk=evening.pk).update(revision=F("revision") + 1)

        pre_save.connect(deal_comes_in, sender=Evening)
        try:
            self.change(evening, name="Kerstdrive")
        finally:
            pre_save.disconnect(deal_comes_in, sender=Evening)
        assert Evening.objects.get().revision == evening.revision + 2

    def test_another_score_moves_the_standings_and_not_what_was_published(self) -> None:
        evening = evening_with_draw(players=5, rounds=1, method="typed_in", deals_per_round=1)
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        release = evening_close(evening_id=evening.pk, actor=TESTS)
        self.change(evening, name="Kerstdrive")
        assert release_is_current(release)
        changed = self.change(evening, sit_out_score=50)
        assert [row.total for row in evening_standings(changed)] == [90, 90, 72, 72, 50]
        release.refresh_from_db()
        assert [row["total"] for row in release.standings] == [1600, 90, 90, 72, 72]
        assert not release_is_current(Release.objects.get())

    def test_is_refused(self) -> None:
        evening = EveningFactory.create()
        other = Season.objects.create(club=ClubFactory.create(), name="x", slug="x")
        for wrong in ({"season": other}, {"name": "x" * 81}, {"sit_out_score": 100_000}):
            details = EveningDetails(**wrong)
            arguments = {"evening_id": evening.pk, "details": details}
            assert refusal(evening_details_change, **arguments) == "bad_evening"
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        arguments = {"evening_id": evening.pk, "details": EveningDetails()}
        assert refusal(evening_details_change, **arguments) == "evening_state"


class TestCancel:
    @pytest.mark.both
    def test_what_was_drawn_goes_and_the_evening_can_be_planned_again(self) -> None:
        evening = evening_with_draw(players=8, rounds=3)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        assert (state(evening), evening.rounds.count()) == ("cancelled", 0)
        assert not Scoresheet.objects.exists()
        evening_restore(evening_id=evening.pk, actor=TESTS)
        assert state(evening) == "planned"
        assert evening.registrations.filter(present=True).count() == 8

    def test_nothing_that_was_written_can_be_lost(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)
        write_deal(table(evening), 1)
        assert refusal(evening_cancel, evening_id=evening.pk) == "deals_written"
        assert (state(evening), Scoresheet.objects.count()) == ("running", 1)

    def test_only_a_cancelled_evening_can_be_restored(self) -> None:
        assert refusal(evening_restore, evening_id=EveningFactory.create().pk) == "evening_state"


class TestClose:
    @pytest.mark.full
    def test_the_standings_are_published_as_release_1(self) -> None:
        evening = played()
        release = evening_close(evening_id=evening.pk, actor=TESTS)
        assert (release.number, release.changes, state(evening)) == (1, [], "closed")
        north, east = (
            {"rounds": {"1": 90}, "total": 90, "rank": 1, "pits": 0},
            {"rounds": {"1": 72}, "total": 72, "rank": 3, "pits": 0},
        )
        rows = [
            {key: row[key] for key in ("name", "rounds", "total", "rank", "pits")}
            for row in release.standings
        ]
        assert rows == [
            {"name": "Jan Bakker"} | north,
            {"name": "Piet Visser"} | north,
            {"name": "Mia van der Meer"} | east,
            {"name": "Truus de Vries"} | east,
        ]

    def test_rounds_that_were_never_started_go(self) -> None:
        evening = evening_with_draw(players=4, rounds=3, deals_per_round=1)
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        assert list(evening.rounds.values_list("number", flat=True)) == [1]
        assert Scoresheet.objects.count() == 1

    def test_what_was_hidden_is_shown(self) -> None:
        evening = played()
        evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
        assert Evening.objects.get().frozen
        evening_close(evening_id=evening.pk, actor=TESTS)
        assert not Evening.objects.get().frozen

    def test_is_refused(self) -> None:
        planned = EveningFactory.create()
        assert refusal(evening_close, evening_id=planned.pk) == "evening_state"
        running = evening_with_draw(players=4, rounds=1, club=planned.club)
        assert refusal(evening_close, evening_id=running.pk) == "round_running"

    def test_an_evening_on_which_nothing_was_played_has_no_standings(self) -> None:
        evening = evening_with_draw(players=4, rounds=1)
        evening.rounds.update(state="drawn")
        assert refusal(evening_close, evening_id=evening.pk) == "nothing_played"
        assert not Release.objects.exists()


class TestReopen:
    @pytest.mark.both
    def test_what_was_published_stays_and_a_new_release_tells_what_moved(self) -> None:
        evening = played()
        first = evening_close(evening_id=evening.pk, actor=TESTS)
        evening_reopen(evening_id=evening.pk, actor=TESTS)
        round_ = evening.rounds.get()
        round_reopen(round_id=round_.pk, actor=TESTS)
        write_deal(table(evening), 1, points={"NS": 100})
        round_close(round_id=round_.pk, actor=TESTS)
        second = evening_close(evening_id=evening.pk, actor=TESTS, reason="misread")
        assert (second.number, second.reason) == (2, "misread")
        assert {
            str(change["name"]): (change["rank"], change["total"]) for change in second.changes
        } == {
            "Jan Bakker": ([1, 1], [90, 100]),
            "Piet Visser": ([1, 1], [90, 100]),
            "Mia van der Meer": ([3, 3], [72, 62]),
            "Truus de Vries": ([3, 3], [72, 62]),
        }
        first.refresh_from_db()
        assert first.standings[0]["total"] == 90
        assert first.seal != second.seal

    def test_only_a_closed_evening(self) -> None:
        assert refusal(evening_reopen, evening_id=EveningFactory.create().pk) == "evening_state"

    def test_an_imported_history_cannot_be_played_on(self) -> None:
        evening = EveningFactory.create()
        Evening.objects.update(state="closed", is_history=True)
        assert refusal(evening_reopen, evening_id=evening.pk) == "evening_imported"


@pytest.mark.full
def test_only_a_closed_evening_is_released() -> None:
    evening = played()
    assert refusal(release_publish, evening=evening) == "evening_state"
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert refusal(release_publish, evening=evening, reason="x" * 201) == "reason_too_long"
    assert release_publish(evening=evening, actor=TESTS).changes == []


def test_a_running_evening_can_be_hidden_and_shown_again() -> None:
    evening = evening_with_draw(players=4, rounds=1)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    assert not Evening.objects.get().frozen
    actions = AuditEvent.objects.order_by("-pk").values_list("action", flat=True)[:2]
    assert list(actions) == ["evening_thawed", "evening_frozen"]
