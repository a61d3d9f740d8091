"""The page that says what changes for somebody who comes or leaves after the draw, and does it."""

import re

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.models import Evening, Placement
from tournaments.registration.check_in import presence_set

pytestmark = pytest.mark.django_db

DRAW = f"{EVENING}draw/"
CHANGE = f"{DRAW}change/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def drawn(club: Club, players: int, *, started: bool = False) -> Evening:
    """1 2 3 4 at N E S W of table 1, then table 2, …: Jan Bakker, Mia van der Meer, …"""
    return evening_with_draw(club=club, players=players, method="typed_in", started=started)


def comes(evening: Evening, name: str) -> Member:
    who = MemberFactory.create(club=evening.club, name=name)
    presence_set(evening_id=evening.pk, member=who, present=True, actor=TESTS)
    return who


def leaves(evening: Evening, number: int) -> Member:
    who = Member.objects.get(number=number)
    presence_set(evening_id=evening.pk, member=who, present=False, actor=TESTS)
    return who


def places(evening: Evening) -> set[tuple[object, ...]]:
    placed = Placement.objects.filter(round__evening=evening)
    return set(placed.values_list("table__number", "seat", "member__number"))


def press(desk: Client, url: str = CHANGE) -> object:
    """Look at the page, then press its button."""
    (seen,) = re.findall(r'name="seen" value="(\w+)"', text(desk.get(url)))
    return desk.post(url, {"seen": seen}, follow=True)


def test_the_preview_says_who_changes_and_writes_nothing(club: Club) -> None:
    evening = drawn(club, 9)
    before = places(evening)
    gone = leaves(evening, 6)
    page = text(desk_of(club).get(CHANGE))
    assert f"<h1>{gone.name} speelt niet meer mee</h1>" in page
    last = Member.objects.get(number=9)
    assert f"<li>Tafel 2: {last.name} in plaats van {gone.name}.</li>" in page
    stay = "De tafels die hier niet staan, blijven zoals ze zijn; hun afgedrukte tellijsten ook."
    assert stay in page
    assert "Was de tellijst van tafel 2 al afgedrukt?" in page
    assert places(evening) == before


@pytest.mark.full
def test_the_preview_says_whose_place_is_taken(club: Club) -> None:
    evening = drawn(club, 9)
    comes(evening, "Zeno Zwart")
    gone = leaves(evening, 6)
    page = text(desk_of(club).get(CHANGE))
    assert f"<h1>Zeno Zwart komt op de plaats van {gone.name}</h1>" in page
    assert f"<li>Tafel 2: Zeno Zwart in plaats van {gone.name}.</li>" in page
    assert "De loting aanpassen</button>" in page


@pytest.mark.full
def test_who_makes_up_a_fourth_is_shown_with_the_new_table(club: Club) -> None:
    evening = drawn(club, 7)
    comes(evening, "Zeno Zwart")
    left_over = ["Kees Mulder", "Annie Smit-de Boer", "Henk Bos"]
    page = text(desk_of(club).get(CHANGE))
    assert "Zeno Zwart komt er nog bij" in page
    (line,) = re.findall(r"<li>Tafel 2 is nieuw: ([^<]*)\.</li>", page)
    assert sorted(re.split(", | en ", line)) == sorted([*left_over, "Zeno Zwart"])


@pytest.mark.full
def test_who_sits_out_for_now_is_told_so(club: Club) -> None:
    comes(drawn(club, 8), "Zeno Zwart")
    page = text(desk_of(club).get(CHANGE))
    assert "<li>Zeno Zwart speelt niet.</li><li>Aan de tafels verandert niets.</li>" in page


@pytest.mark.full
def test_the_button_does_what_was_shown(club: Club) -> None:
    evening = drawn(club, 9)
    leaves(evening, 6)
    response = press(desk_of(club))
    assert messages_in(response) == ["De loting is aangepast. Er zit iemand anders aan tafel 2."]
    assert (2, "E", 9) in places(evening)


@pytest.mark.full
def test_the_tables_of_several_are_listed(club: Club) -> None:
    evening = drawn(club, 10)
    leaves(evening, 1)
    leaves(evening, 6)
    desk = desk_of(club)
    assert "Waren de tellijsten van de tafels 1 en 2 al afgedrukt?" in text(desk.get(CHANGE))
    told_then = messages_in(press(desk))
    assert told_then == ["De loting is aangepast. Er zit iemand anders aan tafel 1 en 2."]


def test_several_at_once_are_told_one_by_one_and_done_in_one_press(club: Club) -> None:
    evening = drawn(club, 8)
    names = ["Anna Zwart", "Bert Zwart", "Carla Zwart", "Dirk Zwart"]
    for name in names:
        comes(evening, name)
    desk = desk_of(club)
    page = text(desk.get(CHANGE))
    assert re.findall(r"<h2>([^<]*) komt er nog bij</h2>", page) == names
    assert "Pas de loting aan voor 4 mensen" in page
    press(desk)
    assert {who for table, _seat, who in places(evening) if table == 3} == {9, 10, 11, 12}


@pytest.mark.full
def test_one_of_several_alone(club: Club) -> None:
    evening = drawn(club, 8)
    comes(evening, "Anna Zwart")
    bert = comes(evening, "Bert Zwart")
    press(desk_of(club), f"{CHANGE}?who={bert.pk}")
    assert {who for table, _seat, who in places(evening) if not table} == {bert.number}


def test_what_has_become_other_since_is_shown_anew_and_nothing_is_done(club: Club) -> None:
    evening = drawn(club, 9)
    leaves(evening, 6)
    desk = desk_of(club)
    (seen,) = re.findall(r'name="seen" value="(\w+)"', text(desk.get(CHANGE)))
    leaves(evening, 7)
    before = places(evening)
    response = desk.post(CHANGE, {"seen": seen}, follow=True)
    assert messages_in(response) == ["Intussen is de loting veranderd, of wie er is. Zo is het nu."]
    assert "Pas de loting aan voor 2 mensen" in text(response)
    assert places(evening) == before


@pytest.mark.full
def test_pressing_twice_is_told_that_it_fits(club: Club) -> None:
    evening = drawn(club, 9)
    leaves(evening, 6)
    desk = desk_of(club)
    press(desk)
    response = desk.post(CHANGE, {"seen": "x"}, follow=True)
    assert response.redirect_chain[-1][0] == DRAW
    assert messages_in(response)[-1] == "De loting klopt met wie er is."


@pytest.mark.full
def test_fixed_pairs_are_drawn_again(club: Club) -> None:
    evening = drawn(club, 8)
    Evening.objects.filter(pk=evening.pk).update(method="pairs")
    comes(evening, "Zeno Zwart")
    page = text(desk_of(club).get(CHANGE))
    assert "Met vaste paren moet er opnieuw geloot worden" in page
    assert f'href="{DRAW}undo/">Opnieuw loten</a>' in page


@pytest.mark.full
def test_who_leaves_a_table_that_is_playing_is_replaced_there(club: Club) -> None:
    evening = evening_with_draw(club=club, players=9)
    seat = Placement.objects.filter(round__number=1, table__number=2).first()
    assert seat is not None
    presence_set(evening_id=evening.pk, member=seat.member, present=False, actor=TESTS)
    page = text(desk_of(club).get(CHANGE))
    assert f"{EVENING}rounds/1/tables/2/substitute/" in page
    assert "Ronde 1 wordt gespeeld en blijft zoals hij is. Dit geldt vanaf ronde 2." in page
    assert "Ronde 2 tot en met 3" in page


@pytest.mark.full
@pytest.mark.parametrize("who", ["0", "x", "9" * 30, "999999"])
def test_nobody_we_know_is_not_found(club: Club, who: str) -> None:
    comes(drawn(club, 8), "Zeno Zwart")
    assert desk_of(club).get(CHANGE, {"who": who}).status_code == 404


@pytest.mark.full
def test_only_who_runs_the_evening(club: Club) -> None:
    evening = drawn(club, 9)
    leaves(evening, 6)
    found = {}
    for user in (organiser_of(club), director_of(club), scorekeeper_of(club)):
        client = Client()
        client.force_login(user)
        found[client.get(CHANGE).status_code] = client.post(CHANGE, {"seen": "x"}).status_code
    assert found == {200: 302, 403: 403}
    assert Client().post(CHANGE).status_code == 302
    assert (2, "E", 6) in places(evening)
