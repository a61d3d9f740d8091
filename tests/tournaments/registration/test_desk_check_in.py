"""Ticking who is here."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from clubs.members.services import member_activate, member_create
from clubs.models import Club, Member
from scoring.models import Seat
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
)
from tests.tournaments.desk import messages_in
from tournaments.closing.services import evening_cancel
from tournaments.models import Evening
from tournaments.registration.check_in import presence_set
from tournaments.rounds.services import table_substitute

pytestmark = pytest.mark.django_db

PRESENT = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/present/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club)


@pytest.fixture
def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(organiser_of(club))
    return client


def members(club: Club, number: int) -> list[Member]:
    return [MemberFactory.create(club=club) for _ in range(number)]


def here(evening: Evening) -> set[str]:
    present = evening.registrations.filter(present=True)
    return set(present.values_list("member__name", flat=True))


def words(response: Any) -> str:
    """The text of a page, with single spaces."""
    return " ".join(response.content.decode().split())


@pytest.fixture
def crowd(evening: Evening) -> Evening:
    """An evening of a club of 1,001: Jan Anders is here, sixty others are called Bakker."""
    names = ["Jan Anders", *(f"Bakker {n}" for n in range(60)), *(f"Lid {n}" for n in range(940))]
    rows = [
        Member(club=evening.club, name=name, name_key=name.casefold(), sort_name=name.casefold())
        for name in names
    ]
    jan, *_others = Member.objects.bulk_create(rows)
    presence_set(evening_id=evening.pk, member=jan, present=True, actor=TESTS)
    return evening


def listed(organiser: Client, query: str = "") -> list[str]:
    """The names on the list of the page."""
    page = organiser.get(PRESENT, {"q": query} if query else {}).content.decode()
    return re.findall(r'hx-sync="closest form:queue all">\s*<span>(.*?)</span>', page)


@pytest.mark.full
def test_a_large_club_is_searched(crowd: Evening, organiser: Client) -> None:
    """With 10,000 names the page was 4.8 MB and took 2.3 seconds."""
    assert listed(organiser) == ["Jan Anders"]
    assert listed(organiser, "lid 93") == sorted(f"Lid {n}" for n in range(940) if "93" in str(n))
    assert listed(organiser, "niemand") == []
    page = words(organiser.get(PRESENT, {"q": "bakker"}))
    assert len(listed(organiser, "bakker")) == 50
    assert "De eerste 50. Typ meer van de naam voor de anderen." in page
    assert len(organiser.get(PRESENT).content) < 20_000


def test_whoever_was_found_is_ticked_and_signed_off(crowd: Evening, organiser: Client) -> None:
    """Without scripts as well: who is not on the page stays as they were."""
    lid = crowd.club.members.get(name="Lid 777")
    page = organiser.get(PRESENT, {"q": "lid 777"}).content.decode()
    assert f'<option value="{lid.pk}">Lid 777</option>' in page
    organiser.post(PRESENT, {"here": [lid.pk]})
    assert here(crowd) == {"Jan Anders", "Lid 777"}
    organiser.post(f"{PRESENT}sign-off/", {"who": lid.pk, "absence": "notice"})
    assert here(crowd) == {"Jan Anders"}
    assert listed(organiser) == ["Jan Anders", "Lid 777"]


def test_the_whole_list_is_saved_at_once(evening: Evening, organiser: Client) -> None:
    jan, mia, piet = members(evening.club, 3)
    presence_set(evening_id=evening.pk, member=piet, present=True, actor=TESTS)
    response = organiser.post(PRESENT, {"here": [jan.pk, mia.pk], "shown": [piet.pk]})
    assert response.headers["Location"] == PRESENT
    assert here(evening) == {"Jan Bakker", "Mia van der Meer"}


@pytest.mark.full
def test_the_button_to_the_draw_saves_first(evening: Evening, organiser: Client) -> None:
    jan, *_ = members(evening.club, 1)
    response = organiser.post(PRESENT, {"here": [jan.pk], "next": "draw"})
    assert response.headers["Location"] == PRESENT.replace("present", "draw")
    assert here(evening) == {"Jan Bakker"}


def test_what_another_laptop_ticked_meanwhile_stays(evening: Evening, organiser: Client) -> None:
    jan, mia, *_ = members(evening.club, 2)
    presence_set(evening_id=evening.pk, member=mia, present=True, actor=TESTS)
    organiser.post(PRESENT, {"here": [jan.pk], "shown": []})
    assert here(evening) == {"Jan Bakker", "Mia van der Meer"}


def test_strangers_and_nonsense_among_the_ticks_are_left_out(
    evening: Evening, organiser: Client
) -> None:
    stranger = MemberFactory.create(club=ClubFactory.create())
    organiser.post(PRESENT, {"here": [stranger.pk, "x", "-1", "9" * 30, "9" * 5000]})
    assert here(evening) == set()


def test_one_tick_is_saved_at_once_and_counted(evening: Evening, organiser: Client) -> None:
    people = members(evening.club, 5)
    counts = []
    for number, member in enumerate(people, start=1):
        ticked = [one.pk for one in people[:number]]
        response = organiser.post(f"{PRESENT}tick/", {"member": member.pk, "here": ticked})
        counts.append(words(response).split('data-live="present">')[1].split("</p>")[0])
    assert len(here(evening)) == 5
    assert "te weinig voor een tafel van vier" in counts[2]
    assert "1 tafel, niemand zit stil" in counts[3]
    assert "1 tafel, 1 zit stil" in counts[4]


@pytest.mark.full
def test_a_tick_is_taken_off(evening: Evening, organiser: Client) -> None:
    jan, mia = members(evening.club, 2)
    for member in (jan, mia):
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    organiser.post(f"{PRESENT}tick/", {"member": jan.pk, "here": [mia.pk]})
    assert here(evening) == {"Mia van der Meer"}


def test_a_tick_that_cannot_be_saved_is_refused(evening: Evening, organiser: Client) -> None:
    jan, *_ = members(evening.club, 1)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    response = organiser.post(f"{PRESENT}tick/", {"member": jan.pk, "here": [jan.pk]})
    assert response.status_code == 409
    assert here(evening) == set()


@pytest.mark.full
@pytest.mark.parametrize("member", ["", "nul", "9" * 30])
def test_a_tick_of_nobody_is_not_found(evening: Evening, organiser: Client, member: str) -> None:
    assert organiser.post(f"{PRESENT}tick/", {"member": member}).status_code == 404


@pytest.mark.full
def test_people_stand_in_the_order_of_the_telephone_book(
    evening: Evening, organiser: Client
) -> None:
    club = evening.club
    for name in ("Piet Visser", "Jan van der Meer", "Anna Łuczak", "Kees Mulder"):
        MemberFactory.create(club=club, name=name)
    page = words(organiser.get(PRESENT))
    names = ["Anna Łuczak", "Jan van der Meer", "Kees Mulder", "Piet Visser"]
    assert sorted(names, key=lambda name: page.index(f"<span>{name}</span>")) == names


@pytest.mark.full
def test_a_guest_is_known_and_present(evening: Evening, organiser: Client) -> None:
    organiser.post(f"{PRESENT}guest/", {"guest": "  Gijs  de Gast "})
    guest = Member.objects.get()
    assert (guest.name, guest.kind, here(evening)) == ("Gijs de Gast", "guest", {"Gijs de Gast"})


def test_the_same_guest_twice_is_one_person(evening: Evening, organiser: Client) -> None:
    for name in ("Gijs de Gast", "gijs de gast"):
        organiser.post(f"{PRESENT}guest/", {"guest": name})
    assert (Member.objects.count(), here(evening)) == (1, {"Gijs de Gast"})


@pytest.mark.full
def test_a_guest_without_a_name_is_asked_for_it(evening: Evening, organiser: Client) -> None:
    response = organiser.post(f"{PRESENT}guest/", {"guest": " "})
    assert (response.status_code, Member.objects.count()) == (422, 0)
    assert "guest" in response.context["form"].errors


@pytest.mark.full
@pytest.mark.parametrize(("absence", "note"), [("notice", "afgemeld"), ("none", "weggebleven")])
def test_somebody_signs_off(evening: Evening, organiser: Client, absence: str, note: str) -> None:
    jan, *_ = members(evening.club, 1)
    presence_set(evening_id=evening.pk, member=jan, present=True, actor=TESTS)
    response = organiser.post(
        f"{PRESENT}sign-off/", {"who": jan.pk, "absence": absence}, follow=True
    )
    registration = evening.registrations.get()
    assert (registration.present, registration.absence) == (False, absence)
    assert f'<span class="tick-note">{note}</span>' in response.content.decode()


@pytest.mark.full
def test_those_of_last_time_are_the_start(club: Club, organiser: Client) -> None:
    evening_with_draw(club=club, players=9)
    tonight = EveningFactory.create(club=club)
    url = PRESENT.replace("2026-11-21", "2026-11-21-2")
    assert "De 9 spelers van de vorige keer aanvinken" in organiser.get(url).content.decode()
    organiser.post(f"{url}as-before/")
    organiser.post(f"{url}as-before/")
    assert tonight.registrations.filter(present=True).count() == 9


@pytest.mark.full
def test_who_left_early_came_and_who_took_over_their_seat_did_not(
    club: Club, organiser: Client
) -> None:
    before = evening_with_draw(club=club, players=8)
    leaving = Member.objects.get(number=3)
    substitute = MemberFactory.create(club=club)
    seat = Seat.objects.get(member=leaving, sheet__table__round__number=1)
    table_substitute(
        table_id=seat.sheet.table.pk,
        seat=seat.seat,
        member=substitute,
        from_deal=7,
        for_himself=True,
        actor=TESTS,
    )
    before.rounds.filter(number__gt=1).delete()
    before.registrations.filter(member=leaving).update(present=False)
    tonight = EveningFactory.create(club=club)
    organiser.post(f"{PRESENT.replace('2026-11-21', '2026-11-21-2')}as-before/")
    here = tonight.registrations.filter(present=True)
    assert set(here.values_list("member__number", flat=True)) == set(range(1, 9))


@pytest.mark.full
def test_last_time_is_an_evening_that_was_played(club: Club, organiser: Client) -> None:
    evening_with_draw(club=club, players=9)
    evening_with_draw(club=club, players=12, started=False)
    evening_cancel(evening_id=evening_with_draw(club=club, started=False).pk, actor=TESTS)
    EveningFactory.create(club=club)
    page = words(organiser.get(PRESENT.replace("2026-11-21", "2026-11-21-4")))
    assert "De 9 spelers van de vorige keer aanvinken" in page


@pytest.mark.full
def test_who_comes_after_the_draw_can_be_put_in_it(club: Club, organiser: Client) -> None:
    evening_with_draw(club=club, players=8, started=False)
    late = MemberFactory.create(club=club)
    response = organiser.post(f"{PRESENT}tick/", {"member": late.pk, "here": [late.pk]})
    assert f"Zet {late.name} in de loting" in words(response)
    organiser.post(f"{PRESENT}guest/", {"guest": "Gijs de Gast"})
    assert "Pas de loting aan voor 2 mensen" in words(organiser.get(PRESENT))


def test_who_leaves_after_the_draw_can_be_taken_out(club: Club, organiser: Client) -> None:
    evening_with_draw(club=club, players=8, started=False)
    gone = Member.objects.get(number=2)
    response = organiser.post(f"{PRESENT}tick/", {"member": gone.pk})
    assert f"Haal {gone.name} uit de loting" in words(response)


def test_who_leaves_a_table_that_is_playing_needs_a_substitute(
    club: Club, organiser: Client
) -> None:
    evening_with_draw(club=club, players=8, method="typed_in")
    gone = Member.objects.get(number=6)
    response = organiser.post(f"{PRESENT}tick/", {"member": gone.pk})
    assert f"In ronde 1 heeft {gone.name} een plaats aan tafel 2." in words(response)
    assert PRESENT.replace("present/", "rounds/1/tables/2/substitute/") in words(response)


@pytest.mark.full
def test_who_keeps_his_table_has_a_sign(club: Club, evening: Evening, organiser: Client) -> None:
    MemberFactory.create(club=club)
    assert "vaste tafel" not in words(organiser.get(PRESENT))
    Member.objects.update(keeps_table=True)
    assert "vaste tafel" in words(organiser.get(PRESENT))


def test_the_page_asks_as_many_questions_for_three_people_as_for_one(
    evening: Evening, organiser: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    (jan,) = members(evening.club, 1)
    presence_set(evening_id=evening.pk, member=jan, present=True, actor=TESTS)
    with django_assert_num_queries(12):
        organiser.get(PRESENT)
    for member in members(evening.club, 2):
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    with django_assert_num_queries(12):
        organiser.get(PRESENT)


@pytest.mark.full
def test_a_guest_of_a_known_name_is_asked_for_more_of_it(
    evening: Evening, organiser: Client
) -> None:
    """Jan Bakker is ticked; another Jan Bakker comes as a guest with something behind the name."""
    _jan, *_ = members(evening.club, 1)
    page = organiser.post(f"{PRESENT}guest/", {"guest": "jan bakker"}, follow=True)
    assert messages_in(page) == [
        (
            "Jan Bakker stond al op de lijst: aangevinkt. Is dit iemand anders?"
            " Typ dan iets achter de naam, zoals “sr.” of een woonplaats."
        )
    ]
    organiser.post(f"{PRESENT}guest/", {"guest": "Jan Bakker sr."})
    assert here(evening) == {"Jan Bakker", "Jan Bakker sr."}


def test_of_two_people_of_one_name_the_list_says_who_it_is(
    evening: Evening, organiser: Client
) -> None:
    members(evening.club, 1)
    member_create(club=evening.club, name="Jan Bakker", number=24, actor=TESTS)
    page = organiser.post(f"{PRESENT}guest/", {"guest": "Jan Bakker"}, follow=True)
    assert messages_in(page) == [
        (
            "Meer dan één persoon heet zo: Jan Bakker (1) en Jan Bakker (24)."
            " Kies in de lijst wie het is."
        )
    ]
    assert here(evening) == set()
    assert listed(organiser) == ["Jan Bakker (1)", "Jan Bakker (24)"]


@pytest.mark.full
def test_a_guest_with_the_name_of_a_former_member_is_told_from_them(
    evening: Evening, organiser: Client
) -> None:
    jan, *_ = members(evening.club, 1)
    member_activate(member=jan, active=False, actor=TESTS)
    page = organiser.post(f"{PRESENT}guest/", {"guest": "Jan Bakker"}, follow=True)
    first, second = messages_in(page)
    assert first == "Jan Bakker (a) speelt mee als gast."
    assert second.startswith("Er is al een Jan Bakker (nr. 1). Op lijsten staan ze nu als ")


@pytest.mark.full
def test_of_namesakes_the_counter_says_who_comes_and_who_left(
    organiser: Client, club: Club
) -> None:
    evening = evening_with_draw(players=8, club=club, started=False)
    late = MemberFactory.create(club=club, name="Jan Bakker", number=90)
    presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
    assert "Zet Jan Bakker (90) in de loting" in words(organiser.get(PRESENT))
