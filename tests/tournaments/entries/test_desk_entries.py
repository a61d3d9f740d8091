"""The list of entries at the desk: settings, adding, ticking, withdrawing, lists."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
)
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.entries import enter, on_list, open_entries
from tests.tournaments.public_pages import rows, words
from tournaments.entries.arrivals import person_arrive
from tournaments.entries.services import entry_withdraw
from tournaments.models import Competitor, Entry, EntryPerson, Evening, EveningPair
from tournaments.registration.check_in import presence_set
from tournaments.registration.competitors import competitor_create

pytestmark = pytest.mark.django_db

QUERIES = 16
ENTRIES = "/clubs/vrolijke-boer/desk/evenings/2026-12-04/entries/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club, date=date(2026, 12, 4))


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def here(evening: Evening) -> set[str]:
    present = evening.registrations.filter(present=True)
    return set(present.values_list("member__name", flat=True))


def settings_form(**given: Any) -> dict[str, Any]:
    return {"kind": "player", "keep_days": "14", "version": "0", **given}


def test_entries_are_opened_and_closed_at_once(desk: Client, evening: Evening) -> None:
    page = words(desk.get(ENTRIES))
    assert "Mensen kunnen zich niet inschrijven op de pagina van deze avond." in page
    desk.post(f"{ENTRIES}settings/", settings_form(is_open="on", maximum="24"))
    known = Evening.objects.get(pk=evening.pk).entry_list
    assert (known.is_open, known.maximum) == (True, 24)
    desk.post(f"{ENTRIES}do/", {"do": "close"})
    known.refresh_from_db()
    assert not known.is_open


def test_settings_that_somebody_else_changed_are_not_written_over(
    desk: Client, evening: Evening
) -> None:
    open_entries(evening, maximum=10)
    open_entries(evening, maximum=12)
    answer = desk.post(f"{ENTRIES}settings/", settings_form(version="1", maximum="30"))
    assert "Iemand anders heeft dit net gewijzigd." in words(answer)
    assert Evening.objects.get(pk=evening.pk).entry_list.maximum == 12


def test_a_maximum_of_none_and_of_more_than_fits_is_refused(desk: Client, evening: Evening) -> None:
    for maximum in ("0", "2001", "veel"):
        answer = desk.post(f"{ENTRIES}settings/", settings_form(maximum=maximum))
        assert answer.status_code == 422
    assert not hasattr(Evening.objects.get(pk=evening.pk), "entry_list")


@pytest.mark.full
def test_a_higher_maximum_lets_the_first_who_wait_in(desk: Client, evening: Evening) -> None:
    open_entries(evening, maximum=2)
    for number in range(1, 6):
        enter(evening, f"Speler {number}")
    assert on_list(evening, "waiting") == ["Speler 3", "Speler 4", "Speler 5"]
    open_entries(evening, maximum=4)
    assert on_list(evening, "entered") == [f"Speler {n}" for n in range(1, 5)]
    open_entries(evening, maximum=1)
    assert on_list(evening, "entered") == [f"Speler {n}" for n in range(1, 5)]
    assert on_list(evening, "waiting") == ["Speler 5"]


def test_who_enters_together_stays_while_there_are_entries(evening: Evening) -> None:
    open_entries(evening)
    entry = enter(evening, "Jan Bakker")
    with pytest.raises(DomainError) as refusal:
        open_entries(evening, kind="pair")
    assert refusal.value.code == "kind_in_use"
    entry_withdraw(entry=entry, actor=TESTS)
    assert open_entries(evening, kind="pair").kind == "pair"


@pytest.mark.full
def test_somebody_enters_by_telephone(desk: Client, evening: Evening) -> None:
    member = MemberFactory.create(club=evening.club, name="Jan Bakker")
    answer = desk.post(f"{ENTRIES}add/", {"one": "jan bakker"}, follow=True)
    assert messages_in(answer) == ["jan bakker staat op de lijst."]
    person = EntryPerson.objects.get()
    assert (person.member, person.arrived_at) == (member, None)
    assert here(evening) == set()
    again = desk.post(f"{ENTRIES}add/", {"one": ""})
    assert again.status_code == 422


def test_a_member_is_in_one_pair_only(desk: Client, evening: Evening) -> None:
    for name in ("Jan Bakker", "Mia Kok"):
        MemberFactory.create(club=evening.club, name=name)
    open_entries(evening, kind="pair")
    desk.post(f"{ENTRIES}add/", {"one": "Jan Bakker", "two": "Mia Kok"})
    desk.post(f"{ENTRIES}add/", {"one": "Jan Bakker", "two": "Piet Smit"})
    second = evening.entries.get(number=2)
    # Somebody else of that name, as far as anybody knows; the desk cannot say that it is this Jan.
    assert second.people.get(place=1).member is None
    jan = Member.objects.get(name="Jan Bakker")
    answer = desk.post(
        f"{ENTRIES}{second.pk}/",
        {"one": "Jan Bakker", "two": "Piet Smit", "member_1": jan.pk, "version": second.version},
    )
    assert "Jan Bakker staat al op de lijst." in words(answer)
    assert second.people.get(place=1).member is None


def test_only_organisers_see_how_people_are_reached(desk: Client, evening: Evening) -> None:
    entry = enter(evening, "Jan Bakker", email="jan@example.org", remark="rolstoel")
    director = Client()
    director.force_login(director_of(evening.club))
    for path in (ENTRIES, f"{ENTRIES}{entry.pk}/"):
        assert "jan@example.org" in desk.get(path).content.decode()
        page = director.get(path).content.decode()
        assert "jan@example.org" not in page
        assert "rolstoel" not in page
    director.post(f"{ENTRIES}{entry.pk}/", {"one": "Jan Bakker sr.", "version": entry.version})
    entry.refresh_from_db()
    assert (entry.email, entry.people.get().name) == ("jan@example.org", "Jan Bakker sr.")


def test_a_change_that_crosses_another_is_refused(desk: Client, evening: Evening) -> None:
    entry = enter(evening, "Jan Bakker")
    typed = {"one": "Jan Bos", "version": entry.version}
    assert desk.post(f"{ENTRIES}{entry.pk}/", typed).status_code == 302
    answer = desk.post(f"{ENTRIES}{entry.pk}/", typed | {"one": "Jan Kok"})
    assert answer.status_code == 409
    assert entry.people.get().name == "Jan Bos"


def test_taking_off_asks_first_and_can_be_undone(desk: Client, evening: Evening) -> None:
    open_entries(evening, maximum=1)
    entry = enter(evening, "Jan Bakker")
    enter(evening, "Mia Kok")
    page = desk.get(f"{ENTRIES}{entry.pk}/withdraw/")
    assert "Komt Jan Bakker niet?" in words(page)
    assert on_list(evening, "entered") == ["Jan Bakker"]
    desk.post(f"{ENTRIES}{entry.pk}/withdraw/")
    assert on_list(evening, "entered") == ["Mia Kok"]
    desk.post(f"{ENTRIES}{entry.pk}/do/", {"do": "restore"})
    assert on_list(evening, "waiting") == ["Jan Bakker"]


@pytest.mark.full
def test_entered_is_not_present_and_a_tick_makes_it_so(desk: Client, evening: Evening) -> None:
    MemberFactory.create(club=evening.club, name="Jan Bakker")
    enter(evening, "Jan Bakker")
    enter(evening, "Nieuwe Gast")
    assert here(evening) == set()
    one, two = EntryPerson.objects.order_by("pk")
    for person in (one, two):
        answer = desk.post(f"{ENTRIES}tick/", {"person": person.pk, "here": person.pk})
        assert answer.status_code == 200
    assert here(evening) == {"Jan Bakker", "Nieuwe Gast"}
    assert Member.objects.get(name="Nieuwe Gast").kind == "guest"
    desk.post(f"{ENTRIES}tick/", {"person": two.pk})
    assert here(evening) == {"Jan Bakker"}
    desk.post(f"{ENTRIES}tick/", {"person": two.pk, "here": two.pk})
    assert Member.objects.filter(name="Nieuwe Gast").count() == 1


@pytest.mark.full
def test_everybody_who_entered_is_taken_over_in_one_go(desk: Client, evening: Evening) -> None:
    open_entries(evening, maximum=3)
    for name in ("Jan Bakker", "Mia Kok", "Piet Smit", "Riet Bos"):
        enter(evening, name)
    assert "Dan worden 3 mensen aangevinkt" in words(desk.get(f"{ENTRIES}arrive/"))
    desk.post(f"{ENTRIES}arrive/")
    desk.post(f"{ENTRIES}arrive/")
    assert here(evening) == {"Jan Bakker", "Mia Kok", "Piet Smit"}
    assert Member.objects.filter(kind="guest").count() == 3


def test_what_was_paid_before_is_the_entry_fee(desk: Client, evening: Evening) -> None:
    Evening.objects.filter(pk=evening.pk).update(stake_member=500, stake_guest=700)
    entry = enter(evening, "Jan Bakker")
    desk.post(f"{ENTRIES}tick/", {"entry": entry.pk, "paid": entry.pk})
    person = entry.people.get()
    desk.post(f"{ENTRIES}tick/", {"person": person.pk, "here": person.pk})
    assert evening.registrations.get().paid == 700
    desk.post(f"{ENTRIES}tick/", {"entry": entry.pk})
    assert evening.registrations.get().paid is None


@pytest.mark.full
def test_a_pair_that_is_complete_is_a_pair_of_the_evening(desk: Client, evening: Evening) -> None:
    Evening.objects.filter(pk=evening.pk).update(method="pairs")
    open_entries(evening, kind="pair")
    enter(evening, "Jan Bakker", "Mia Kok")
    desk.post(f"{ENTRIES}arrive/")
    assert set(evening.registrations.values_list("pair", flat=True)) == {1}


def test_a_pair_that_entered_plays_for_the_pair_of_the_club(evening: Evening) -> None:
    """However they come in: by their own tick, or ticked on the page of who is here."""
    Evening.objects.filter(pk=evening.pk).update(method="pairs")
    open_entries(evening, kind="pair")
    club = evening.club
    people = {name: MemberFactory.create(club=club, name=name) for name in ("Jan", "Mia", "Piet")}
    known = competitor_create(
        club=club,
        kind="pair",
        name="De Buren",
        people=[people["Jan"], people["Mia"]],
        since=date(2026, 9, 1),
        actor=TESTS,
    )
    enter(evening, "Jan", "Mia")
    enter(evening, "Piet", "Riet", name="De Azen")
    for name in ("Jan", "Mia"):
        presence_set(evening_id=evening.pk, member=people[name], present=True, actor=TESTS)
    pairs = EveningPair.objects.filter(evening=evening)
    assert [pair.competitor for pair in pairs] == [known]
    assert not EntryPerson.objects.filter(entry__number=1, arrived_at=None).exists()
    for person in EntryPerson.objects.filter(entry__number=2):
        person_arrive(evening_id=evening.pk, person_id=person.pk, actor=TESTS)
    assert [pair.competitor.name for pair in pairs.all()] == ["De Buren", "De Azen"]
    named = Competitor.objects.get(name="De Azen")
    assert [row.member.name for row in named.people.all()] == ["Piet", "Riet"]


def test_a_team_that_entered_is_a_team_of_the_club(desk: Client, evening: Evening) -> None:
    open_entries(evening, kind="team")
    for name in ("Jan", "Mia"):
        MemberFactory.create(club=evening.club, name=name)
    enter(evening, "Jan", "Gast", name="De Boekhouders")
    enter(evening, name="Nog zonder namen")
    desk.post(f"{ENTRIES}arrive/")
    teams = {team.name: team for team in Competitor.objects.filter(kind="team")}
    assert sorted(teams) == ["De Boekhouders", "Nog zonder namen"]
    team = teams["De Boekhouders"]
    assert sorted(row.member.name for row in team.people.all()) == ["Gast", "Jan"]
    assert {row.team for row in evening.registrations.all()} == {team}
    # A month later somebody else comes for it: a substitute, and none of its people.
    later = EveningFactory.create(club=evening.club, date=date(2027, 1, 8))
    open_entries(later, kind="team")
    enter(later, "Jan", "Mia", name="de boekhouders")
    presence_set(
        evening_id=later.pk, member=Member.objects.get(name="Mia"), present=True, actor=TESTS
    )
    assert later.registrations.get().team == team
    assert sorted(row.member.name for row in team.people.all()) == ["Gast", "Jan"]


def test_who_waits_and_is_ticked_as_here_has_a_place(evening: Evening) -> None:
    open_entries(evening, maximum=1)
    member = MemberFactory.create(club=evening.club, name="Mia Kok")
    enter(evening, "Jan Bakker")
    enter(evening, "Mia Kok")
    presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    assert on_list(evening, "entered") == ["Jan Bakker", "Mia Kok"]


def test_a_name_that_stands_in_a_list_twice_is_said_before_it_is_entered(
    desk: Client, evening: Evening
) -> None:
    open_entries(evening, kind="pair")
    text = "Jan Bakker en Mia Kok\nPiet Smit en Jan Bakker"
    page = desk.post(f"{ENTRIES}list/", {"text": text})
    assert "1 inschrijving in deze lijst" in words(page)
    assert "Jan Bakker staat twee keer in deze lijst." in words(page)
    desk.post(f"{ENTRIES}list/", {"lines": page.context["lines"]})
    assert evening.entries.count() == 1


def test_without_a_script_a_button_saves_the_ticks(desk: Client, evening: Evening) -> None:
    one, two = enter(evening, "Jan Bakker"), enter(evening, "Mia Kok")
    first, second = (entry.people.get().pk for entry in (one, two))
    desk.post(ENTRIES, {"here": [first], "paid": [two.pk]})
    desk.post(ENTRIES, {"here": [second], "here_shown": [first], "paid_shown": []})
    assert here(evening) == {"Mia Kok"}
    two.refresh_from_db()
    assert two.paid


def test_what_nobody_confirmed_is_confirmed_or_thrown_away_together(
    desk: Client, evening: Evening
) -> None:
    open_entries(evening, maximum=2)
    for number in range(1, 4):
        entry = Entry.objects.create(evening=evening, kind="player", number=number)
        EntryPerson.objects.create(
            evening=evening, entry=entry, place=1, name=f"Speler {number}", name_key=f"{number}"
        )
    desk.post(f"{ENTRIES}do/", {"do": "confirm"})
    assert on_list(evening, "entered") == ["Speler 1", "Speler 2"]
    assert on_list(evening, "waiting") == ["Speler 3"]
    Entry.objects.bulk_create(
        Entry(evening=evening, kind="player", number=n) for n in range(10, 210)
    )
    assert "200 inschrijvingen zijn door niemand bevestigd." in words(
        desk.get(f"{ENTRIES}throw-away/")
    )
    desk.post(f"{ENTRIES}throw-away/")
    assert evening.entries.count() == 3


def test_a_pasted_list_is_shown_first_and_then_entered(desk: Client, evening: Evening) -> None:
    enter(evening, "Jan Bakker")
    text = "Naam;E-mail;Woonplaats\nJan Bakker;;\nKOK, Mia;mia@example.org;Edam\nPiet Smit;;"
    page = desk.post(f"{ENTRIES}list/", {"text": text})
    assert "2 inschrijvingen in deze lijst" in words(page)
    assert "Deze naam staat al op de lijst." in words(page)
    assert evening.entries.count() == 1
    lines = page.context["lines"]
    desk.post(f"{ENTRIES}list/", {"lines": lines})
    assert on_list(evening, "entered") == ["Jan Bakker", "Mia Kok", "Piet Smit"]
    assert evening.entries.get(number=2).email == "mia@example.org"
    assert desk.post(f"{ENTRIES}list/", {"lines": "[3]"}).status_code == 400


def test_a_list_of_pairs_and_one_of_teams(desk: Client, evening: Evening) -> None:
    open_entries(evening, kind="pair")
    text = "Jan Bakker en Mia Kok\nPiet Smit - Riet Bos"
    page = desk.post(f"{ENTRIES}list/", {"text": text})
    desk.post(f"{ENTRIES}list/", {"lines": page.context["lines"]})
    people = EntryPerson.objects.order_by("entry__number", "place").values_list("name", flat=True)
    assert list(people) == ["Jan Bakker", "Mia Kok", "Piet Smit", "Riet Bos"]
    Entry.objects.all().delete()
    open_entries(evening, kind="team")
    page = desk.post(f"{ENTRIES}list/", {"text": "De Azen: Jan Bakker, Mia Kok\nDe Boeren"})
    desk.post(f"{ENTRIES}list/", {"lines": page.context["lines"]})
    assert on_list(evening, "entered") == ["De Azen", "De Boeren"]
    assert evening.entries.get(number=1).people.count() == 2


def test_the_list_is_narrowed_and_searched(desk: Client, evening: Evening) -> None:
    open_entries(evening, maximum=2)
    for name in ("Jan Bakker", "Mia van der Meer", "Piet Smit"):
        enter(evening, name)
    found = {
        query: [row[1].split(" is er")[0] for row in rows(desk.get(f"{ENTRIES}?{query}"))]
        for query in ("show=waiting", "q=meer", "q=3", "show=away", "show=onzin&q=niemand")
    }
    assert found == {
        "show=waiting": ["Piet Smit"],
        "q=meer": ["Mia van der Meer"],
        "q=3": ["Piet Smit"],
        "show=away": ["Jan Bakker", "Mia van der Meer"],
        "show=onzin&q=niemand": [],
    }


@pytest.mark.full
def test_two_of_one_name_are_told_apart(desk: Client, evening: Evening) -> None:
    enter(evening, "Jan de Vries", town="Edam")
    enter(evening, "Jan de Vries", town="Hoorn")
    names = [row[1] for row in rows(desk.get(ENTRIES))]
    assert [name.split(")")[0] for name in names] == ["Jan de Vries (Edam", "Jan de Vries (Hoorn"]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_as_many_queries_for_many(
    desk: Client,
    evening: Evening,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        enter(evening, f"Speler {number}")
    desk.get(ENTRIES)
    with django_assert_num_queries(QUERIES):
        desk.get(ENTRIES)


def test_a_closed_list_of_an_evening_that_is_over_is_only_read(
    desk: Client, evening: Evening
) -> None:
    enter(evening, "Jan Bakker")
    Evening.objects.filter(pk=evening.pk).update(state="cancelled")
    page = words(desk.get(ENTRIES))
    assert "Iemand inschrijven" not in page
    answer = desk.post(f"{ENTRIES}add/", {"one": "Mia Kok"})
    assert answer.status_code == 422
    assert evening.entries.count() == 1
