"""Membership fees of seasons and years with who has paid, packages of evenings, and the pot over a
season."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, director_of
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.files import csv_lines_of
from tournaments.models import (
    EntryFees,
    Evening,
    FeePayment,
    FeeYear,
    Package,
    PotEntry,
    PrizeGiven,
    Season,
)
from tournaments.money.services import fee_year_open, package_add, package_remove
from tournaments.registration.check_in import presence_update
from tournaments.registration.entry_fees import entry_fees_set, entry_fees_tick
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

DESK = "/clubs/vrolijke-boer/desk/"
SEASON = f"{DESK}seasons/2026-2027/"
FEES, POT, PACKAGES = f"{SEASON}fees/", f"{SEASON}pot/", f"{DESK}packages/"
TODAY = dt.date(2026, 11, 21)
EUROS = "€\N{NO-BREAK SPACE}"


@pytest.fixture(autouse=True)
def today() -> object:
    with time_machine.travel(dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC), tick=False) as moment:
        yield moment


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def jan(club: Club) -> Member:
    return MemberFactory.create(club=club, name="Jan Bakker", number=1)


@pytest.fixture
def mia(club: Club) -> Member:
    return MemberFactory.create(club=club, name="Mia Visser", number=2)


@pytest.fixture
def guest(club: Club) -> Member:
    return MemberFactory.create(club=club, name="Aylin Demir", number=None, kind=Member.Kind.GUEST)


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


@pytest.fixture
def evening(club: Club, season: Season, jan: Member, mia: Member) -> Evening:
    """Jan and Mia are here; a member pays € 2,50."""
    made = EveningFactory.create(club=club, season=season, date=TODAY)
    presence_update(evening_id=made.pk, arrived=[jan, mia], left=(), actor=TESTS)
    entry_fees_set(evening_id=made.pk, fees=EntryFees(stake_member=250), actor=TESTS)
    return Evening.objects.get(pk=made.pk)


@pytest.fixture
def asked(club: Club, season: Season, jan: Member, mia: Member, guest: Member) -> Client:
    """Members pay € 45,00, some € 20,00, guests nothing."""
    desk = desk_of(club)
    page = desk.post(f"{FEES}amounts/", {"fee": "45", "reduced": "20", "guest": ""}, follow=True)
    assert messages_in(page) == ["De contributie is bewaard."]
    return desk


def rows(desk: Client, address: str = FEES) -> list[tuple[str, int | None, int | None, int]]:
    return [
        (row.member.name, row.due, row.payment.paid, row.owes)
        for row in desk.get(address).context["rows"]
    ]


@pytest.mark.full
def test_a_tick_says_who_has_paid_and_when(asked: Client, jan: Member) -> None:
    answer = asked.post(f"{FEES}tick/", {"member": jan.pk, "paid": [str(jan.pk)]})
    assert "€ 45,00</strong> <span>is binnen" in text(answer)
    assert "nog € 45,00 te betalen, door 1 persoon" in text(answer)
    assert rows(asked) == [("Jan Bakker", 4500, 4500, 0), ("Mia Visser", 4500, None, 4500)]
    assert FeePayment.objects.get().paid_on == TODAY
    assert rows(asked, f"{FEES}?unpaid") == [("Mia Visser", 4500, None, 4500)]
    asked.post(f"{FEES}tick/", {"member": jan.pk})
    assert rows(asked)[0] == ("Jan Bakker", 4500, None, 4500)
    actions = AuditEvent.objects.filter(action__startswith="fee_").values_list("action", flat=True)
    assert sorted(actions) == ["fee_paid", "fee_taken_back"]


def test_ticks_of_others_stay_without_a_program_in_the_page(
    asked: Client, jan: Member, mia: Member
) -> None:
    asked.post(FEES, {"paid": [jan.pk]})
    asked.post(FEES, {"paid": [mia.pk]})
    assert [row[2] for row in rows(asked)] == [4500, 4500]
    asked.post(FEES, {"paid": [mia.pk], "paid_shown": [jan.pk, mia.pk]})
    assert [row[2] for row in rows(asked)] == [None, 4500]


def test_somebody_pays_less_in_parts_or_nothing(asked: Client, jan: Member, mia: Member) -> None:
    part = {"rate": "reduced", "paid": "5", "paid_on": "2026-10-01", "remark": " contant  half "}
    page = asked.post(f"{FEES}{jan.pk}/", part, follow=True)
    assert messages_in(page) == ["Genoteerd wat Jan Bakker betaalt."]
    asked.post(f"{FEES}{mia.pk}/", {"rate": "free", "paid": "", "paid_on": "2026-10-01"})
    assert rows(asked) == [("Jan Bakker", 2000, 500, 1500), ("Mia Visser", None, None, 0)]
    assert csv_lines_of(asked.get(f"{FEES}?format=csv").content) == [
        "number,player,rate,due,paid,paid_on,to_come,remark",
        "1,Jan Bakker,verlaagd,20.00,5.00,2026-10-01,15.00,contant half",
        "2,Mia Visser,betaalt niets,,,,0.00,",
    ]


def test_a_sum_without_a_day_is_refused(asked: Client, jan: Member) -> None:
    page = asked.post(f"{FEES}{jan.pk}/", {"rate": "usual", "paid": "45", "paid_on": ""})
    assert page.status_code == 422
    assert page.context["form"].errors == {"__all__": ["Vul in op welke dag er betaald is."]}
    assert not FeePayment.objects.exists()


@pytest.mark.full
def test_guests_are_on_the_list_once_they_pay(asked: Client) -> None:
    asked.post(f"{FEES}amounts/", {"fee": "45", "guest": "10"})
    assert ("Aylin Demir", 1000, None, 1000) in rows(asked)


def test_a_fee_for_a_calendar_year_is_asked_and_paid_beside_that_of_a_season(
    asked: Client, jan: Member, mia: Member
) -> None:
    page = asked.post(f"{DESK}fees/", {"year": "2027"})
    year = f"{DESK}fees/2027/"
    assert (page.status_code, page["Location"]) == (302, year)
    asked.post(f"{DESK}fees/", {"year": "2027"})
    asked.post(f"{year}amounts/", {"fee": "50"})
    asked.post(f"{year}tick/", {"member": jan.pk, "paid": [str(jan.pk)]})
    note = {"rate": "usual", "paid": "20", "paid_on": "2026-11-02", "remark": ""}
    assert asked.post(f"{year}{mia.pk}/", note)["Location"] == year
    assert rows(asked, year) == [("Jan Bakker", 5000, 5000, 0), ("Mia Visser", 5000, 2000, 3000)]
    assert rows(asked) == [("Jan Bakker", 4500, None, 4500), ("Mia Visser", 4500, None, 4500)]
    assert asked.get(year).context["section"] == "members"
    season_create(
        club=jan.club, name="2025-2026", starts=dt.date(2025, 9, 1), fee=4000, actor=TESTS
    )
    shown = asked.get(f"{DESK}fees/").context["rows"]
    assert [(row.period.name, row.is_year, row.people, row.paid) for row in shown] == [
        ("2027", True, 2, 7000),
        ("2025-2026", False, 0, 0),
        ("2026-2027", False, 0, 0),
    ]
    assert asked.get(f"{year}print.pdf")["Content-Type"] == "application/pdf"
    assert AuditEvent.objects.filter(action="fee_year_opened").count() == 1


def test_a_year_that_nobody_will_see_is_refused(asked: Client) -> None:
    page = asked.post(f"{DESK}fees/", {"year": "27"})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["year"]
    assert not FeeYear.objects.exists()


def test_who_still_has_to_pay_for_a_year_is_mailed(asked: Client, jan: Member, mia: Member) -> None:
    Member.objects.filter(pk=jan.pk).update(email="jan@example.org")
    fee_year_open(club=jan.club, year=2027, actor=TESTS)
    asked.post(f"{DESK}fees/2027/amounts/", {"fee": "50"})
    asked.post(f"{DESK}fees/2027/tick/", {"member": mia.pk, "paid": [str(mia.pk)]})
    address = f"{DESK}mail/?to=unpaid&year=2027"
    form = asked.get(address).context["form"]
    assert (
        dict(form.fields["to"].choices)["unpaid"] == "wie de contributie van 2027 nog moet betalen"
    )


def test_a_program_reads_money(
    asked: Client, season: Season, evening: Evening, jan: Member, mia: Member
) -> None:
    fee_year_open(club=jan.club, year=2027, actor=TESTS)
    asked.post(f"{FEES}tick/", {"member": jan.pk, "paid": [str(jan.pk)]})
    package_add(club=jan.club, member=mia, evenings=4, price=900, bought_on=TODAY, actor=TESTS)
    pay(evening, jan, mia)

    def read(path: str) -> Any:
        return asked.get(f"/api/v1/clubs/vrolijke-boer/{path}").json()["results"]

    no_fee = {"fee": None, "fee_reduced": None, "fee_guest": None, "people_paid": 0, "paid": 0}
    fee = {"fee": 4500, "fee_reduced": 2000, "fee_guest": None, "people_paid": 1, "paid": 4500}
    assert read("fees/") == [
        {"year": 2027, "season": None, **no_fee},
        {"year": None, "season": "2026-2027", **fee},
    ]
    assert [row["paid"] for row in read("fees/2027/")] == [None, None]
    paid = {"rate": "usual", "due": 4500, "paid": 4500, "paid_on": "2026-11-21", "owes": 0}
    assert read("seasons/2026-2027/fees/")[0] == {
        "member": jan.pk,
        "name": "Jan Bakker",
        "number": 1,
        **paid,
    }
    about = {"bought_on": "2026-11-21", "price": 900, "evenings": 4, "used": 1, "left": 3}
    assert read("packages/") == [{"member": mia.pk, "name": "Mia Visser", **about}]
    sums = {"paid_in": 475, "paid_out": 0, "total": 475}
    assert read("seasons/2026-2027/pot/") == [
        {"day": "2026-11-21", "evening": "2026-11-21", "what": None, **sums}
    ]


def test_a_director_does_not_see_money(club: Club, season: Season) -> None:
    desk = Client()
    desk.force_login(director_of(club))
    assert [desk.get(page).status_code for page in (FEES, POT, PACKAGES)] == [403, 403, 403]


def test_the_list_takes_as_many_queries_for_two_as_for_twenty(
    asked: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(2):
        with django_assert_num_queries(7):
            asked.get(FEES)
        MemberFactory.create_batch(18, club=club, number=None)


def pay(evening: Evening, *people: Member) -> None:
    entry_fees_tick(evening_id=evening.pk, paid=people, taken_back=(), actor=TESTS)


def test_an_evening_of_a_package_is_used_by_a_tick(
    club: Club, evening: Evening, jan: Member, mia: Member
) -> None:
    desk = desk_of(club)
    answers = {"member": jan.pk, "evenings": "3", "price": "10", "bought_on": "2026-11-01"}
    page = desk.post(PACKAGES, answers, follow=True)
    assert messages_in(page) == [f"Genoteerd: Jan Bakker heeft 3 avonden voor {EUROS}10,00."]
    pay(evening, jan, mia)
    fees = desk.get(f"{EVENING}stake/").context["fees"]
    assert [(row.member.name, row.paid, row.by_package, row.left) for row in fees.rows] == [
        ("Jan Bakker", 333, True, 2),
        ("Mia Visser", 250, False, None),
    ]
    assert (fees.pot, fees.by_package) == (583, 333)
    (row,) = desk.get(PACKAGES).context["rows"]
    assert (row.used, row.left) == (1, 2)
    entry_fees_tick(evening_id=evening.pk, paid=(), taken_back=[jan], actor=TESTS)
    (row,) = desk.get(PACKAGES).context["rows"]
    assert (row.used, row.left) == (0, 3)


@pytest.mark.full
def test_a_package_that_is_used_up_is_followed_by_the_next_and_then_by_cash(
    club: Club, season: Season, jan: Member
) -> None:
    for price in (333, 700):
        package_add(club=club, member=jan, evenings=1, price=price, bought_on=TODAY, actor=TESTS)
    paid = []
    for days in range(3):
        made = EveningFactory.create(club=club, season=season, date=TODAY + dt.timedelta(days))
        presence_update(evening_id=made.pk, arrived=[jan], left=(), actor=TESTS)
        entry_fees_set(evening_id=made.pk, fees=EntryFees(stake_member=250), actor=TESTS)
        pay(made, jan)
        paid.append(made.registrations.get().paid)
    assert paid == [333, 700, 250]


def test_the_evenings_of_a_package_come_to_its_price() -> None:
    package = Package(evenings=7, price=4000)
    assert sum(package.turn_price(turn) for turn in range(1, 8)) == 4000


def test_only_a_package_that_was_not_used_is_removed(evening: Evening, jan: Member) -> None:
    package = package_add(
        club=evening.club, member=jan, evenings=10, price=4000, bought_on=TODAY, actor=TESTS
    )
    pay(evening, jan)
    with pytest.raises(DomainError) as refused:
        package_remove(package=package, actor=TESTS)
    assert refused.value.code == "package_used"
    entry_fees_tick(evening_id=evening.pk, paid=(), taken_back=[jan], actor=TESTS)
    package_remove(package=package, actor=TESTS)
    assert not Package.objects.exists()


def test_the_pot_is_carried_over_the_season(
    club: Club, season: Season, evening: Evening, jan: Member, mia: Member
) -> None:
    desk = desk_of(club)
    pay(evening, jan, mia)
    PrizeGiven.objects.create(club=club, evening=evening, member=jan, key="place-1", cents=800)
    PrizeGiven.objects.create(club=club, season=season, member=mia, key="place-1", cents=100)
    for way, what, sum_, day in [
        ("in", "Over van vorig jaar", "12,50", "2026-09-01"),
        ("out", "Bloemen", "4", "2026-12-01"),
    ]:
        page = desk.post(
            POT, {"way": way, "what": what, "sum": sum_, "booked_on": day}, follow=True
        )
        assert messages_in(page) == ["Genoteerd."]
    assert csv_lines_of(desk.get(f"{POT}?format=csv").content) == [
        "date,what,in,out,left,total",
        "2026-09-01,Over van vorig jaar,12.50,0.00,12.50,12.50",
        "2026-11-21,avond van 21 november 2026,5.00,8.00,-3.00,9.50",
        "2026-12-01,Bloemen,0.00,4.00,-4.00,5.50",
        ",Prijzen van het seizoen,0.00,1.00,-1.00,4.50",
    ]
    entry = PotEntry.objects.get(what="Bloemen")
    desk.post(f"{POT}{entry.pk}/remove/")
    assert desk.get(POT).context["pot"].total == 850


def test_nothing_in_the_pot_is_nothing(club: Club, season: Season) -> None:
    page = desk_of(club).post(POT, {"way": "in", "what": "", "sum": "0", "booked_on": "2026-09-01"})
    assert page.status_code == 422
    assert page.context["form"].errors == {"what": ["Vul dit in."]}
