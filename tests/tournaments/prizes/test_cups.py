"""Challenge cups: who holds one, who may keep it, and how a win is written down."""

import datetime as dt
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.public_pages import words
from tournaments.closing.services import evening_close
from tournaments.models import Cup, CupWin, Evening, Season
from tournaments.prizes.given import CupRecord, cup_add, cup_records, cup_win_add
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

CUPS = "/clubs/vrolijke-boer/desk/cups/"
CLUB = "/clubs/vrolijke-boer/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def cup(club: Club) -> Cup:
    return cup_add(club=club, name="De Zilveren Klaver", actor=TESTS)


@pytest.fixture
def people(club: Club) -> list[Member]:
    """Jan, Mia and Piet."""
    return [MemberFactory.create(club=club) for _ in range(3)]


@pytest.fixture
def closed(club: Club) -> Evening:
    """Four people; Jan and Piet win with 120."""
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    evening = evening_with_draw(
        club=club, players=4, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    write_deal(table(evening), 1, points={"NS": 120})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def win(cup: Cup, member: Member, year: int) -> CupWin:
    return cup_win_add(cup=cup, member=member, won_on=dt.date(year, 6, 1), actor=TESTS)


def record(club: Club) -> CupRecord:
    (found,) = cup_records(club)
    return found


def held_by(club: Club) -> list[tuple[str, int]]:
    return [(member.name, times) for member, times in record(club).held_by]


def test_who_won_it_last_holds_it(club: Club, cup: Cup, people: list[Member]) -> None:
    jan, mia, _ = people
    assert held_by(club) == []
    for member, year in ((jan, 2021), (mia, 2022), (jan, 2023)):
        win(cup, member, year)
    assert (held_by(club), record(club).final_win) == ([("Jan Bakker", 2)], None)


def test_it_is_kept_after_three_wins_not_in_a_row(
    club: Club, cup: Cup, people: list[Member]
) -> None:
    jan, mia, _ = people
    for member, year in ((jan, 2020), (jan, 2021), (mia, 2022)):
        win(cup, member, year)
    last = win(cup, jan, 2023)
    assert record(club).final_win == last
    with pytest.raises(DomainError) as refused:
        win(cup, mia, 2024)
    assert refused.value.code == "cup_kept"
    assert win(cup, mia, 2019).won_on.year == 2019


def test_two_who_tie_hold_it_together(club: Club, cup: Cup, people: list[Member]) -> None:
    jan, mia, _ = people
    win(cup, jan, 2022)
    win(cup, jan, 2023)
    win(cup, mia, 2023)
    assert held_by(club) == [("Jan Bakker", 2), ("Mia van der Meer", 1)]


@pytest.mark.both
def test_the_same_win_is_written_once(club: Club, cup: Cup, people: list[Member]) -> None:
    assert win(cup, people[0], 2022) == win(cup, people[0], 2022)


def test_somebody_of_another_club_does_not_win_it(cup: Cup) -> None:
    stranger = MemberFactory.create(club=ClubFactory.create())
    with pytest.raises(DomainError) as refused:
        win(cup, stranger, 2022)
    assert refused.value.code == "member_of_another_club"


def test_an_organiser_adds_a_cup(club: Club) -> None:
    answers = {"name": "De  Gouden Boer", "wins_to_keep": "5"}
    page = desk_of(club).post(CUPS, answers, follow=True)
    assert messages_in(page) == ["De beker is toegevoegd."]
    assert list(Cup.objects.values_list("name", "wins_to_keep")) == [("De Gouden Boer", 5)]


@pytest.mark.full
def test_a_name_is_taken_once(club: Club, cup: Cup) -> None:
    page = desk_of(club).post(CUPS, {"name": "de zilveren klaver", "wins_to_keep": "3"})
    assert page.status_code == 422
    assert page.context["form"].non_field_errors() == [
        "Er is al een beker die De Zilveren Klaver heet."
    ]


@pytest.mark.full
def test_a_director_writes_wins_but_makes_no_cups(
    club: Club, cup: Cup, people: list[Member]
) -> None:
    director = Client()
    director.force_login(director_of(club))
    answers = {"member": people[0].pk, "won_on": "2026-06-01"}
    page = director.post(f"{CUPS}{cup.pk}/", answers, follow=True)
    assert messages_in(page) == ["De overwinning is genoteerd."]
    director.post(CUPS, {"name": "Nog een", "wins_to_keep": "3"})
    refused = director.post(f"{CUPS}{cup.pk}/edit/", {"name": "x", "wins_to_keep": "3"})
    assert (Cup.objects.count(), refused.status_code) == (1, 403)


@pytest.mark.full
def test_a_win_is_taken_back(club: Club, cup: Cup, people: list[Member]) -> None:
    won = win(cup, people[0], 2022)
    desk = desk_of(club)
    page = desk.post(f"{CUPS}{cup.pk}/wins/{won.pk}/remove/", follow=True)
    again = desk.post(f"{CUPS}{cup.pk}/wins/{won.pk}/remove/", follow=True)
    assert messages_in(page) == ["De overwinning van Jan Bakker is teruggedraaid."]
    assert (messages_in(again), CupWin.objects.count()) == ([], 0)


def test_a_cup_that_was_won_is_not_taken_away(club: Club, cup: Cup, people: list[Member]) -> None:
    won = win(cup, people[0], 2022)
    desk = desk_of(club)
    page = desk.post(f"{CUPS}{cup.pk}/remove/", follow=True)
    assert messages_in(page) == [
        "Deze beker is al gewonnen. Haal eerst de overwinningen weg en dan de beker."
    ]
    desk.post(f"{CUPS}{cup.pk}/wins/{won.pk}/remove/")
    assert messages_in(desk.post(f"{CUPS}{cup.pk}/remove/", follow=True))[-1] == "De beker is weg."


@pytest.mark.full
def test_a_cup_gets_another_name(club: Club, cup: Cup) -> None:
    answers = {"name": "De Bronzen Klaver", "wins_to_keep": "2"}
    desk_of(club).post(f"{CUPS}{cup.pk}/edit/", answers)
    assert list(Cup.objects.values_list("name", "wins_to_keep")) == [("De Bronzen Klaver", 2)]


@pytest.mark.full
def test_the_result_offers_the_cup_to_who_came_first(club: Club, cup: Cup, closed: Evening) -> None:
    desk = desk_of(club)
    offered = desk.get(f"{EVENING}close/").context["cups"]
    assert [(one.member.name, one.times) for one in offered] == [
        ("Jan Bakker", 1),
        ("Piet Visser", 1),
    ]
    answers = {"cup": cup.pk, "member": offered[0].member.pk}
    page = desk.post(f"{EVENING}cup/", answers, follow=True)
    assert messages_in(page) == ["Genoteerd: Jan Bakker wint De Zilveren Klaver."]
    won = CupWin.objects.get()
    assert (won.evening, won.won_on, won.season) == (closed, closed.date, None)
    assert page.context["cups"] == []


def test_a_correction_that_makes_another_winner_is_shown_with_the_cup(
    club: Club, cup: Cup, closed: Evening
) -> None:
    jan = Member.objects.get(name="Jan Bakker")
    win = cup_win_add(cup=cup, member=jan, won_on=closed.date, evening=closed, actor=TESTS)
    poedel = cup_add(club=club, name="De Rode Lantaarn", actor=TESTS)
    mia = Member.objects.get(name="Mia van der Meer")
    cup_win_add(cup=poedel, member=mia, won_on=closed.date, evening=closed, actor=TESTS)
    desk = desk_of(club)
    warning = "De Zilveren Klaver staat op naam van Jan Bakker, die deze avond niet meer wint"
    assert warning not in words(desk.get(f"{EVENING}close/"))

    deal_write(
        sheet_id=table(closed).sheet_id,
        number=1,
        seen_version=1,
        uuid=uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 20}},
        actor=TESTS,
        reason="verkeerd geteld",
        closed_too=True,
    )
    desk.post(f"{EVENING}publish/", {"reason": "verkeerd geteld"})
    page = desk.get(f"{EVENING}close/")
    assert (page.context["lost_cups"], warning in words(page)) == ([win], True)

    desk.post(f"{CUPS}{cup.pk}/wins/{win.pk}/remove/")
    page = desk.get(f"{EVENING}close/")
    assert page.context["lost_cups"] == []
    assert [one.member.name for one in page.context["cups"]] == [
        "Mia van der Meer",
        "Truus de Vries",
    ]


@pytest.mark.full
def test_a_cup_of_seasons_is_offered_with_the_season(club: Club, cup: Cup, closed: Evening) -> None:
    earlier = season_create(club=club, name="2025-2026", actor=TESTS)
    jan = Member.objects.get(name="Jan Bakker")
    cup_win_add(cup=cup, member=jan, won_on=dt.date(2026, 5, 1), season=earlier, actor=TESTS)
    desk = desk_of(club)
    assert desk.get(f"{EVENING}close/").context["cups"] == []
    season = "/clubs/vrolijke-boer/desk/seasons/2026-2027/"
    to_come = EveningFactory.create(club=club, season=closed.season)
    assert desk.get(f"{season}prizes/").context["cups"] == []
    Evening.objects.filter(pk=to_come.pk).update(state=Evening.State.CANCELLED)
    offered = desk.get(f"{season}prizes/").context["cups"]
    assert [(one.member.name, one.times) for one in offered] == [
        ("Jan Bakker", 2),
        ("Piet Visser", 1),
    ]
    desk.post(f"{season}cup/", {"cup": cup.pk, "member": jan.pk})
    won = CupWin.objects.get(season=Season.objects.get(name="2026-2027"))
    assert (won.member, won.won_on) == (jan, closed.date)


@pytest.mark.full
def test_the_club_page_tells_who_holds_it(club: Club, cup: Cup, people: list[Member]) -> None:
    jan, mia, _ = people
    client = Client()
    assert "De Zilveren Klaver" not in words(client.get(CLUB))
    win(cup, mia, 2020)
    win(cup, jan, 2021)
    assert "De Zilveren Klaver : Jan Bakker (1 van de 3 keer gewonnen)" in words(client.get(CLUB))
    win(cup, jan, 2022)
    win(cup, jan, 2023)
    assert "Jan Bakker mag hem houden na 3 keer winnen" in words(client.get(CLUB))


def test_who_is_hidden_is_not_named_with_the_cup(
    club: Club, cup: Cup, people: list[Member]
) -> None:
    win(cup, people[0], 2022)
    Member.objects.filter(pk=people[0].pk).update(public_as="hidden")
    page = words(Client().get(CLUB))
    assert ("Jan Bakker" in page, "De Zilveren Klaver" in page) == (False, True)


@pytest.mark.full
def test_the_list_says_how_far_everybody_is(club: Club, cup: Cup, people: list[Member]) -> None:
    win(cup, people[0], 2022)
    page = text(desk_of(club).get(CUPS))
    assert "Jan Bakker heeft hem nu: 1 van 3 keer gewonnen." in page


@pytest.mark.full
def test_more_cups_ask_no_more_questions(
    club: Club, people: list[Member], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = desk_of(club)
    for number, member in enumerate(people):
        win(cup_add(club=club, name=f"Beker {number}", actor=TESTS), member, 2020)
        with django_assert_num_queries(6):
            desk.get(CUPS)
