"""The check-in at the door: who is found, who comes in, and who does not."""

from datetime import date

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.public_pages import words
from tournaments.entries.arrivals import door_end, door_make
from tournaments.entries.services import entry_withdraw
from tournaments.entries.texts import door_path
from tournaments.models import Entry, EntryPerson, Evening
from tournaments.registration.check_in import presence_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club, date=date(2026, 12, 4))


@pytest.fixture
def door(evening: Evening) -> str:
    return door_path(door_make(evening_id=evening.pk, actor=TESTS))


def found(client: Client, door: str, text: str) -> list[tuple[str, str]]:
    answers = client.get(door, {"q": text}).context["found"].answers
    return [(answer.name, answer.state) for answer in answers]


def here(evening: Evening) -> list[str]:
    present = evening.registrations.filter(present=True)
    return sorted(present.values_list("member__name", flat=True))


def press(client: Client, door: str, **sent: object) -> str:
    return words(client.post(door, {key: str(value) for key, value in sent.items()}))


def test_the_desk_makes_the_address_and_ends_it(client: Client, evening: Evening) -> None:
    desk = desk_of(evening.club)
    page = "/clubs/vrolijke-boer/desk/evenings/2026-12-04/entries/door/"
    assert "Adres voor de deur maken" in words(desk.get(page))
    desk.post(page, {"do": "new"})
    first = door_path(Evening.objects.get(pk=evening.pk).entry_list)
    assert first in desk.get(page).content.decode()
    assert client.get(first).status_code == 200
    desk.post(page, {"do": "new"})
    second = door_path(Evening.objects.get(pk=evening.pk).entry_list)
    assert [client.get(path).status_code for path in (first, second)] == [404, 200]
    desk.post(page, {"do": "end"})
    assert client.get(second).status_code == 404
    assert client.get("/d/onzin/").status_code == 404


def test_three_letters_find_somebody_and_a_press_ticks_them(
    client: Client, evening: Evening, door: str
) -> None:
    enter(evening, "Jan Bakker")
    enter(evening, "Mia Kok")
    assert "Typ drie letters." in words(client.get(door, {"q": "ba"}))
    assert found(client, door, "bak") == [("Jan Bakker", "entered")]
    person = EntryPerson.objects.get(name="Jan Bakker")
    assert "Welkom, Jan Bakker" in press(client, door, person=person.pk)
    assert "Welkom, Jan Bakker" in press(client, door, person=person.pk)
    assert here(evening) == ["Jan Bakker"]
    assert found(client, door, "bak") == [("Jan Bakker", "here")]
    assert Member.objects.count() == 1


@pytest.mark.full
def test_who_owes_the_entry_fee_is_sent_to_the_desk(
    client: Client, evening: Evening, door: str
) -> None:
    Evening.objects.filter(pk=evening.pk).update(stake_guest=500)
    person = enter(evening, "Jan Bakker").people.get()
    assert "Betaal uw inleg bij de wedstrijdleiding." in press(client, door, person=person.pk)


def test_who_hides_on_public_pages_is_found_by_the_whole_name_only(
    client: Client, evening: Evening, door: str
) -> None:
    for name, public_as in (("Jan Bakker", "hidden"), ("Els Bakker", "initials")):
        MemberFactory.create(club=evening.club, name=name, public_as=public_as)
        enter(evening, name)
    MemberFactory.create(club=evening.club, name="Bea Bakker", email="bea@example.org")
    open_entries(evening, walk_ins=True)
    assert found(client, door, "bakker") == [("Bea Bakker", "newcomer")]
    assert found(client, door, "jan bakker") == [("Jan Bakker", "entered")]
    assert "bea@example.org" not in client.get(door, {"q": "bak"}).content.decode()


@pytest.mark.full
def test_at_most_eight_are_shown(client: Client, evening: Evening, door: str) -> None:
    for number in range(12):
        enter(evening, f"Jan Bakker {number}")
    page = client.get(door, {"q": "bakker"})
    assert len(page.context["found"].answers) == 8
    assert "Er zijn er meer. Typ meer van uw naam." in words(page)


def test_who_waits_or_withdrew_or_never_confirmed_does_not_get_in_by_the_door(
    client: Client, evening: Evening, door: str
) -> None:
    open_entries(evening, maximum=1)
    enter(evening, "Jan Bakker")
    waits = enter(evening, "Mia Kok").people.get()
    gone = enter(evening, "Piet Smit")
    entry_withdraw(entry=gone, actor=TESTS)
    asked = Entry.objects.create(evening=evening, kind="player", number=9)
    EntryPerson.objects.create(
        evening=evening, entry=asked, place=1, name="Spam Robot", name_key="spam robot"
    )
    assert "op de wachtlijst: ga naar de wedstrijdleiding" in words(client.get(door, {"q": "kok"}))
    assert "op de wachtlijst" in press(client, door, person=waits.pk)
    assert "Ga naar de wedstrijdleiding." in press(client, door, person=gone.people.get().pk)
    assert found(client, door, "spam") == []
    assert press(client, door, person=999_999).count("Deze inschrijving is weg.") == 1
    assert here(evening) == []


def test_walk_ins_add_themselves_only_where_the_club_lets_them(
    client: Client, evening: Evening, door: str
) -> None:
    member = MemberFactory.create(club=evening.club, name="Els Bakker")
    assert found(client, door, "bakker") == []
    assert "Ga naar de wedstrijdleiding" in press(client, door, name="Nieuwe Gast")
    assert "Ga naar de wedstrijdleiding" in press(client, door, member=member.pk)
    open_entries(evening, walk_ins=True, maximum=2)
    assert "Welkom, Els Bakker" in press(client, door, member=member.pk)
    assert "Welkom, Nieuwe Gast" in press(client, door, name="Nieuwe Gast")
    assert "Het is vol." in press(client, door, name="Nog Een")
    assert here(evening) == ["Els Bakker", "Nieuwe Gast"]


QUERIES = {"find": 4, "arrive": 23, "walk in": 26}


@pytest.mark.parametrize("count", [1, 30])
def test_what_the_door_asks_of_the_database_does_not_grow(
    client: Client,
    evening: Evening,
    door: str,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    open_entries(evening, walk_ins=True)
    for number in range(count):
        MemberFactory.create(club=evening.club)
        presence_set(
            evening_id=evening.pk,
            member=MemberFactory.create(club=evening.club),
            present=True,
            actor=TESTS,
        )
        person = enter(evening, f"Deur Speler {number}").people.get()
    press(client, door, name="Eerste Gast")
    with django_assert_num_queries(QUERIES["find"]):
        client.get(door, {"q": f"speler {number}"})
    with django_assert_num_queries(QUERIES["arrive"]):
        press(client, door, person=person.pk)
    with django_assert_num_queries(QUERIES["walk in"]):
        press(client, door, name="Nieuwe Gast")


def test_two_of_one_name_stay_two_and_nobody_comes_in_twice(
    client: Client, evening: Evening, door: str
) -> None:
    open_entries(evening, walk_ins=True)
    MemberFactory.create(club=evening.club, name="Jan de Vries", number=7)
    person = enter(evening, "Jan de Vries").people.get()
    press(client, door, person=person.pk)
    page = client.post(door, {"name": "jan de vries"})
    assert "Er is hier al iemand bekend die jan de vries heet." in words(page)
    answers = page.context["found"].answers
    assert [(answer.name, answer.state) for answer in answers] == [("Jan de Vries", "here")]
    for _press in range(3):
        assert "Welkom, Jan de Vries (Edam)" in press(
            client, door, name="Jan de Vries", town="Edam"
        )
    assert here(evening) == ["Jan de Vries", "Jan de Vries"]
    people = Member.objects.filter(name="Jan de Vries").order_by("pk")
    assert [member.desk_name for member in people] == ["Jan de Vries (7)", "Jan de Vries (Edam)"]
    assert found(client, door, "vries") == [
        ("Jan de Vries (7)", "here"),
        ("Jan de Vries (Edam)", "here"),
    ]


def test_another_club_or_evening_is_not_reached(
    client: Client, evening: Evening, door: str
) -> None:
    open_entries(evening, walk_ins=True)
    other = EveningFactory.create(date=date(2026, 12, 4))
    person = enter(other, "Jan Bakker").people.get()
    stranger = MemberFactory.create(club=other.club)
    assert "Deze inschrijving is weg." in press(client, door, person=person.pk)
    assert "Zoek uw naam opnieuw." in press(client, door, member=stranger.pk)
    assert not other.registrations.exists()


@pytest.mark.full
def test_the_door_of_an_evening_that_is_over_is_shut(client: Client, evening: Evening) -> None:
    door = door_path(door_make(evening_id=evening.pk, actor=TESTS))
    Evening.objects.filter(pk=evening.pk).update(state="closed")
    assert client.get(door).status_code == 404
    door_end(evening_id=evening.pk, actor=TESTS)
