"""Ratings as they are kept: made of the sheets, by one command or as evenings are published."""

import datetime as dt
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoCaptureOnCommitCallbacks

from clubs.models import Club
from scoring.models import Scoresheet
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.concurrency import at_once
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    correct_deal,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.files import DATA, Files
from tests.tournaments.public_pages import close_evening, play_round
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.models import Evening, Rating
from tournaments.ratings.services import Game, rate, ratings_make
from tournaments.registration.check_in import presence_replace
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close, round_start, table_substitute

pytestmark = pytest.mark.django_db
Commit = DjangoCaptureOnCommitCallbacks

SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    """Members 1 Jan, 2 Mia, 3 Piet, 4 Truus, 5 Kees, …; typed in they sit N E S W in that order."""
    return ClubFactory.create()


def drawn(club: Club, week: int = 0, players: int = 4, **plan: Any) -> Evening:
    return evening_with_draw(
        club=club,
        players=players,
        method="typed_in",
        date=SATURDAY + dt.timedelta(weeks=week),
        **plan,
    )


def kept(evening: Evening) -> dict[int, tuple[float, float]]:
    """What is kept after an evening, by the member's number."""
    rows = evening.ratings.values_list("member__number", "mu", "sigma")
    return {number or 0: (round(mu, 2), round(sigma, 2)) for number, mu, sigma in rows}


def worked_out(*games: Game) -> dict[int, tuple[float, float]]:
    rated = rate({}, games)
    return {who: (round(one.mu, 2), round(one.sigma, 2)) for who, one in rated.items()}


def correct(evening: Evening, *, ns: int) -> None:
    """The director finds that NS took so many of deal 1."""
    correct_deal(table(evening), 1, ns=ns, reason="verteld")


def say(club: Club) -> str:
    out = io.StringIO()
    call_command("ratings", club=club.slug, stdout=out)
    return out.getvalue()


NS_WIN_ONE_DEAL = Game([[1, 3], [2, 4]], [90, 72], 1)
EW_WIN_ONE_DEAL = Game([[1, 3], [2, 4]], [0, 162], 1)


def test_one_command_makes_them_of_the_deals(club: Club) -> None:
    evenings = [drawn(club, week) for week in range(2)]
    close_evening(evenings[0], ns=90)
    close_evening(evenings[1], ns=80)  # NS play and are nat
    assert say(club) == "vrolijke-boer: evenings 2, players rated 4\n"
    assert kept(evenings[0]) == worked_out(NS_WIN_ONE_DEAL)
    assert kept(evenings[1]) == worked_out(NS_WIN_ONE_DEAL, EW_WIN_ONE_DEAL)


@pytest.mark.full
def test_the_same_again_every_time(club: Club) -> None:
    for week in range(3):
        close_evening(drawn(club, week, players=12), ns=[90, 70, 85][week])
    ratings_make(club_id=club.pk)
    first = list(Rating.objects.order_by("evening", "member").values_list("mu", "sigma"))
    ratings_make(club_id=club.pk)
    assert list(Rating.objects.order_by("evening", "member").values_list("mu", "sigma")) == first
    assert len(first) == 12


@pytest.mark.full
def test_totals_where_there_are_no_deals(club: Club) -> None:
    evening = drawn(club)
    totals = {"NS": HandedIn(points=1200), "EW": HandedIn(points=1392)}
    side_totals_write(sheet_id=table(evening).sheet_id, totals=totals, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    ratings_make(club_id=club.pk)
    assert kept(evening) == worked_out(Game([[1, 3], [2, 4]], [1200, 1392], 16))


def test_an_evening_that_is_not_closed_says_nothing(club: Club) -> None:
    evening = drawn(club)
    play_round(evening)
    assert say(club) == "vrolijke-boer: evenings 0, players rated 0\n"
    assert kept(evening) == {}


def test_a_table_where_nothing_was_played_and_who_sat_out_are_not_rated(club: Club) -> None:
    evening = drawn(club, players=9)
    close_evening(evening)
    ratings_make(club_id=club.pk)
    assert set(kept(evening)) == {1, 2, 3, 4}


def test_at_a_table_of_three_each_plays_for_himself(club: Club) -> None:
    evening = evening_with_draw(
        club=club, players=7, rounds=1, method="balanced", leftover="three_handed"
    )
    sheet = Scoresheet.objects.get(table__round__evening=evening, three_handed=True)
    totals = {"N": HandedIn(1700), "E": HandedIn(1400), "S": HandedIn(1300)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    evening_close(evening_id=evening.pk, actor=TESTS)
    ratings_make(club_id=club.pk)
    number = dict(sheet.seats.exclude(member=None).values_list("seat", "member__number"))
    people = [[number[seat] or 0] for seat in "NES"]
    assert kept(evening) == worked_out(Game(people, [1700, 1400, 1300], 16))


@pytest.mark.full
def test_two_at_a_table_are_a_side_each(club: Club) -> None:
    evening = EveningFactory.create(
        club=club, rounds_planned=1, method="typed_in", leftover="three_handed", deals_per_round=1
    )
    people = MemberFactory.create_batch(5, club=club)
    presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    tables = [dict(zip("NES", people[:3], strict=True)), dict(zip("NE", people[3:], strict=True))]
    draw_type_in(evening_id=evening.pk, tables=tables, sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    write_deal(table(evening, 2), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    evening_close(evening_id=evening.pk, actor=TESTS)
    ratings_make(club_id=club.pk)
    assert kept(evening) == worked_out(Game([[4], [5]], [90, 72], 1))


@pytest.mark.full
def test_it_is_who_sat_there_and_most_of_the_time_that_is_rated(club: Club) -> None:
    evening = drawn(club, deals_per_round=3)
    substitute = MemberFactory.create(club=club)
    table_substitute(
        table_id=table(evening).pk,
        member=substitute,
        seat="N",
        from_deal=2,
        for_himself=False,
        actor=TESTS,
    )
    for number in (1, 2, 3):
        write_deal(table(evening), number)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    ratings_make(club_id=club.pk)
    assert kept(evening) == worked_out(Game([[5, 3], [2, 4]], [270, 216], 3))


@pytest.mark.full
def test_closing_an_evening_rates_it(
    club: Club, django_capture_on_commit_callbacks: Commit
) -> None:
    evening = drawn(club)
    with django_capture_on_commit_callbacks(execute=True):
        close_evening(evening)
    assert kept(evening) == worked_out(NS_WIN_ONE_DEAL)


@pytest.mark.both
def test_publishing_anew_rates_from_that_evening_on(
    club: Club, django_capture_on_commit_callbacks: Commit
) -> None:
    evenings = [drawn(club, week) for week in range(3)]
    with django_capture_on_commit_callbacks(execute=True):
        for evening in evenings:
            close_evening(evening)
    Rating.objects.filter(evening=evenings[0]).update(sigma=7)  # to see that it is left alone
    correct(evenings[1], ns=80)
    with django_capture_on_commit_callbacks(execute=True):
        release_publish(evening=evenings[1], actor=TESTS, reason="verteld")
    assert {sigma for _mu, sigma in kept(evenings[0]).values()} == {7}
    ratings_make(club_id=club.pk)
    assert kept(evenings[2]) == worked_out(NS_WIN_ONE_DEAL, EW_WIN_ONE_DEAL, NS_WIN_ONE_DEAL)


@pytest.mark.full
def test_an_evening_opened_again_is_left_out_until_it_is_closed(club: Club) -> None:
    evenings = [drawn(club, week) for week in range(2)]
    for evening in evenings:
        close_evening(evening)
    evening_reopen(evening_id=evenings[0].pk, actor=TESTS)
    ratings_make(club_id=club.pk)
    assert (kept(evenings[0]), kept(evenings[1])) == ({}, worked_out(NS_WIN_ONE_DEAL))


def test_a_rating_that_cannot_be_made_does_not_keep_an_evening_open(
    club: Club, django_capture_on_commit_callbacks: Commit, caplog: pytest.LogCaptureFixture
) -> None:
    evening = drawn(club)
    with django_capture_on_commit_callbacks(execute=True):
        close_evening(evening)
        Scoresheet.objects.update(deals_entered=0)  # no model can take that: it divides by it
    evening.refresh_from_db()
    assert (evening.state, kept(evening)) == ("closed", {})
    assert "ratings_made_again" in caplog.text


@pytest.mark.full
def test_an_evening_from_a_file_is_rated_and_results_without_tables_are_not(
    club: Club, tmp_path: Path, django_capture_on_commit_callbacks: Commit
) -> None:
    files = Files(club, tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        files.results("evening,player,round,score\n2025-01-06,Ann,1,4500\n")
        files.evening(DATA / "evening-12-players.csv", regulation="rotterdam")
    assert Evening.objects.filter(ratings=None).get().date == dt.date(2025, 1, 6)
    assert Rating.objects.count() == 12


@pytest.mark.full
def test_each_club_has_its_own(club: Club) -> None:
    other = ClubFactory.create(name="Elders", slug="elders")
    close_evening(drawn(club))
    close_evening(drawn(other, week=1))
    out = io.StringIO()
    call_command("ratings", stdout=out)
    assert out.getvalue() == (
        "elders: evenings 1, players rated 4\nvrolijke-boer: evenings 1, players rated 4\n"
    )
    assert Rating.objects.filter(member__club=other).count() == 4


def test_a_club_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="There is no club 'nergens'"):
        call_command("ratings", club="nergens")


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_two_who_publish_at_once_rate_one_after_the_other() -> None:
    club = ClubFactory.create()
    evenings = [drawn(club, week) for week in range(2)]
    for evening in evenings:
        close_evening(evening)
    at_once(
        [
            lambda: release_publish(evening=evenings[0], actor=TESTS),
            lambda: release_publish(evening=evenings[1], actor=TESTS),
        ]
    )
    found = [kept(evening) for evening in evenings]
    ratings_make(club_id=club.pk)
    assert [kept(evening) for evening in evenings] == found
    assert found[1] == worked_out(NS_WIN_ONE_DEAL, NS_WIN_ONE_DEAL)
