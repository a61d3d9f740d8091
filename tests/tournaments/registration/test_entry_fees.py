"""The entry fee: what is asked, who has paid, and the pot."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEvent, Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.files import csv_lines_of
from tournaments.closing.services import evening_cancel
from tournaments.models import EntryFees, Evening
from tournaments.registration.check_in import presence_replace, presence_set, presence_update
from tournaments.registration.entry_fees import entry_fee_list, entry_fees_set

pytestmark = pytest.mark.django_db

STAKE = f"{EVENING}stake/"
TICK = f"{STAKE}tick/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    """Three members and a guest are here; members put in € 2,50 and guests € 3,50."""
    members = [MemberFactory.create(club=club) for _ in range(3)]
    guest = MemberFactory.create(club=club, name="Aylin Demir", kind=Member.Kind.GUEST)
    evening = EveningFactory.create(club=club)
    presence_replace(evening_id=evening.pk, members=[*members, guest], actor=TESTS)
    fees = EntryFees(stake_member=250, stake_guest=350)
    return entry_fees_set(evening_id=evening.pk, fees=fees, actor=TESTS)


def named(name: str) -> Member:
    return Member.objects.get(name=name)


def tick(desk: Client, name: str, *, paid: bool = True) -> int:
    member = named(name)
    data = {"member": member.pk} | ({"paid": member.pk} if paid else {})
    return desk.post(TICK, data).status_code


def paid(evening: Evening) -> dict[str, int | None]:
    return {row.member.name: row.paid for row in entry_fee_list(evening).rows}


@pytest.mark.full
def test_a_tick_puts_in_what_is_asked(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    assert [tick(desk, "Jan Bakker"), tick(desk, "Aylin Demir")] == [200, 200]
    assert paid(evening) == {
        "Jan Bakker": 250,
        "Aylin Demir": 350,
        "Mia van der Meer": None,
        "Piet Visser": None,
    }
    fees = entry_fee_list(evening)
    assert (fees.pot, fees.paid, fees.unpaid) == (600, 2, 500)


@pytest.mark.full
def test_the_pot_is_shown_at_once(club: Club, evening: Evening) -> None:
    member = named("Jan Bakker")
    answer = desk_of(club).post(TICK, {"member": member.pk, "paid": member.pk})
    page = text(answer)
    assert "€\N{NO-BREAK SPACE}2,50</strong>" in answer.content.decode()
    assert "1 van 4 hebben betaald, nog € 8,50 te ontvangen" in page


@pytest.mark.full
def test_one_who_owes_has_paid_or_not(club: Club, evening: Evening) -> None:
    Evening.objects.filter(pk=evening.pk).update(stake_member=None)
    guest = named("Aylin Demir")
    page = text(desk_of(club).post(TICK, {"member": guest.pk, "paid": guest.pk}))
    assert "1 van 1 heeft betaald" in page


@pytest.mark.full
def test_a_tick_is_taken_back(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    tick(desk, "Jan Bakker")
    tick(desk, "Jan Bakker", paid=False)
    assert entry_fee_list(evening).pot == 0
    events = AuditEvent.objects.filter(action__startswith="stake_").order_by("pk")
    assert [(event.action, event.data["cents"]) for event in events] == [
        ("stake_paid", [None, 250]),
        ("stake_taken_back", [250, None]),
    ]


def test_ticking_twice_pays_once(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    tick(desk, "Jan Bakker")
    entry_fees_set(evening_id=evening.pk, fees=EntryFees(stake_member=300), actor=TESTS)
    tick(desk, "Jan Bakker")
    assert entry_fee_list(evening).pot == 250


@pytest.mark.full
def test_without_a_script_the_ticks_are_saved_together(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    tick(desk, "Jan Bakker")
    tick(desk, "Aylin Demir")
    jan, aylin, mia = (named(name).pk for name in ("Jan Bakker", "Aylin Demir", "Mia van der Meer"))
    tick(desk, "Piet Visser")
    # The page showed Jan and Aylin as paid; Piet was ticked by somebody else since.
    desk.post(STAKE, {"paid_shown": [jan, aylin], "paid": [aylin, mia]})
    assert paid(evening) == {
        "Jan Bakker": None,
        "Aylin Demir": 350,
        "Mia van der Meer": 250,
        "Piet Visser": 250,
    }


@pytest.mark.full
def test_who_is_here_and_who_paid_are_saved_from_one_page(club: Club, evening: Evening) -> None:
    jan, mia = named("Jan Bakker").pk, named("Mia van der Meer").pk
    page = f"{EVENING}present/"
    shown = [one.member_id for one in evening.registrations.all()]
    desk_of(club).post(page, {"shown": shown, "here": [jan, mia], "paid": [mia]})
    assert paid(evening) == {"Jan Bakker": None, "Mia van der Meer": 250}


@pytest.mark.both
def test_of_several_ticks_all_are_saved_or_none(club: Club, evening: Evening) -> None:
    stranger = MemberFactory.create(club=club, name="Wim Dekker")
    ticks = [named("Jan Bakker").pk, stranger.pk]
    page = desk_of(club).post(STAKE, {"paid": ticks}, follow=True)
    assert messages_in(page) == ["Wim Dekker staat niet op de lijst van deze avond."]
    assert entry_fee_list(evening).pot == 0


def test_somebody_may_put_in_another_sum(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    jan, mia = named("Jan Bakker"), named("Mia van der Meer")
    page = desk.post(f"{STAKE}other/", {"who": jan.pk, "paid": "5"}, follow=True)
    desk.post(f"{STAKE}other/", {"who": mia.pk, "paid": "0"})
    assert messages_in(page) == ["Genoteerd: Jan Bakker betaalt €\N{NO-BREAK SPACE}5,00."]
    fees = entry_fee_list(evening)
    assert (fees.pot, fees.paid) == (500, 2)


@pytest.mark.full
def test_a_wrong_sum_is_refused_with_what_was_typed(club: Club, evening: Evening) -> None:
    page = desk_of(club).post(f"{STAKE}amounts/", {"stake_member": "twee", "stake_guest": "3"})
    assert page.status_code == 422
    assert 'value="twee"' in text(page)
    assert Evening.objects.get().stake_member == 250


@pytest.mark.full
def test_the_stake_is_changed_and_what_was_paid_stays(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    tick(desk, "Jan Bakker")
    page = desk.post(f"{STAKE}amounts/", {"stake_member": "3,00"}, follow=True)
    assert messages_in(page) == ["De inleg is bewaard."]
    fees = entry_fee_list(Evening.objects.get())
    assert (fees.pot, fees.unpaid) == (250, 600)
    assert [row.is_other for row in fees.rows] == [True, False, False, False]


@pytest.mark.full
def test_who_paid_and_went_home_stays_in_the_pot(club: Club, evening: Evening) -> None:
    tick(desk_of(club), "Jan Bakker")
    presence_set(evening_id=evening.pk, member=named("Jan Bakker"), present=False, actor=TESTS)
    fees = entry_fee_list(evening)
    assert (fees.pot, fees.paid, len(fees.rows)) == (250, 0, 4)
    assert "niet aanwezig" in text(desk_of(club).get(STAKE))


def test_who_is_not_on_the_list_cannot_pay(club: Club, evening: Evening) -> None:
    MemberFactory.create(club=club, name="Nieuw Lid", number=9)
    member = named("Nieuw Lid")
    answer = desk_of(club).post(TICK, {"member": member.pk, "paid": member.pk})
    assert (answer.status_code, answer.content.decode()) == (
        409,
        "Nieuw Lid staat niet op de lijst van deze avond.",
    )


@pytest.mark.full
def test_no_stake_is_taken_for_an_evening_that_is_called_off(club: Club, evening: Evening) -> None:
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert tick(desk_of(club), "Jan Bakker") == 409
    assert entry_fee_list(evening).pot == 0


@pytest.mark.full
def test_where_nothing_is_asked_the_page_says_so(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    assert "Voor deze avond wordt niets gevraagd." in text(desk.get(STAKE))
    assert "tick-paid" not in text(desk.get(f"{EVENING}present/"))


@pytest.mark.full
def test_the_next_evening_starts_from_the_last_stake(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    made = {"date": "2026-11-28", "regulation": str(evening.regulation_id)}
    usual = {"rounds_planned": 3, "deals_per_round": 16, "method": "rotation", "writing": "one"}
    usual |= {"leftover": "sit_out", "sit_out_score": 1600, "missed_score": 0}
    assert desk.post("/clubs/vrolijke-boer/desk/evenings/new/", made | usual).status_code == 302
    following = Evening.objects.get(date="2026-11-28")
    assert (following.stake_member, following.stake_guest) == (250, 350)


@pytest.mark.full
def test_the_list_is_taken_along(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    tick(desk, "Aylin Demir")
    file = desk.get(f"{STAKE}?format=csv")
    assert csv_lines_of(file.content) == [
        "player,kind,due,paid,package",
        "Jan Bakker,lid,2.50,,",
        "Aylin Demir,gast,3.50,3.50,",
        "Mia van der Meer,lid,2.50,,",
        "Piet Visser,lid,2.50,,",
    ]


def test_the_page_takes_as_many_queries_for_four_as_for_sixteen(
    club: Club, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = desk_of(club)
    for _ in range(2):
        with django_assert_num_queries(11):
            desk.get(STAKE)
        people = [MemberFactory.create(club=club, number=None) for _ in range(12)]
        presence_update(evening_id=evening.pk, arrived=people, left=(), actor=TESTS)
