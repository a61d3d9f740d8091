"""The card about oneself that a phone asks for: one's table, place, last evening and the next."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.merges.services import guest_merge
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.public_pages import close_evening, get, speak_english, words
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

TYPED_IN = Evening.Method.TYPED_IN
NIGHT = dt.datetime(2026, 11, 21, 20, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def tonight() -> object:
    with time_machine.travel(NIGHT, tick=False):
        yield


@pytest.fixture
def club() -> Club:
    """Tonight is the 21st; a week ago Jan was first of four, and in a week there is another."""
    club = ClubFactory.create()
    before = evening_with_draw(
        players=4, club=club, date=dt.date(2026, 11, 14), method=TYPED_IN, rounds=1
    )
    close_evening(before)
    EveningFactory.create(club=club, date=dt.date(2026, 11, 28), starts_at=dt.time(19, 30))
    return club


def now_path(club: Club, number: int = 1) -> str:
    return f"/clubs/{club.slug}/players/{Member.objects.get(number=number).pk}/now/"


def card(client: Client, club: Club, number: int = 1) -> str:
    return words(get(client, now_path(club, number)))


LAST = "Vorige keer: zaterdag 14 november , plaats 1 van 4, 90 punten."
NEXT = "De volgende avond: zaterdag 28 november , 19.30 uur."
BUTTONS = "Mijn seizoen Dit ben ik niet"
TONIGHT = f"Mijn avond {BUTTONS}"


@pytest.mark.full
def test_between_evenings_it_has_the_last_and_the_next(client: Client, club: Club) -> None:
    assert card(client, club) == f"Jan Bakker {LAST} {NEXT} {BUTTONS}"


@pytest.mark.full
def test_before_the_first_round_it_says_where_and_from_when(client: Client, club: Club) -> None:
    evening_with_draw(
        players=8, club=club, method=TYPED_IN, started=False, starts_at=dt.time(20, 15)
    )
    assert card(client, club) == (
        "Jan Bakker Tafel 1 Ronde 1, 20.15 uur: met Piet Visser, tegen Mia van der Meer – Truus de"
        f" Vries. {LAST} {NEXT} {TONIGHT}"
    )


def test_while_people_play_it_has_table_points_and_place(client: Client, club: Club) -> None:
    evening = evening_with_draw(players=8, club=club, method=TYPED_IN, deals_per_round=1, rounds=2)
    write_deal(table(evening), 1)
    seated = "Tafel 1 Ronde 1 wordt gespeeld: met Piet Visser, tegen Mia van der Meer – Truus de"
    assert card(client, club) == (
        f"Jan Bakker {seated} Vries. Lopende ronde: 90 (1 van 1) {LAST} {NEXT} {TONIGHT}"
    )
    write_deal(table(evening, 2), 1, points={"NS": 100})
    assert card(client, club) == (
        f"Jan Bakker {seated} Vries. Plaats 3 van 8: 90 punten; nog 10 voor plaats 1."
        f" {LAST} {NEXT} {TONIGHT}"
    )
    speak_english(client)
    assert "Place 3 of 8: 90 points; 10 to go for place 1." in card(client, club)


@pytest.mark.full
def test_who_sits_out_and_who_is_not_there(client: Client, club: Club) -> None:
    evening_with_draw(players=5, club=club, method=TYPED_IN)
    assert "Kees Mulder Stilzitten Ronde 1 De volgende avond" in card(client, club, 5)
    MemberFactory.create(club=club)
    assert client.get(now_path(club, 6)).status_code == 404


def test_what_is_secret_stays_so(client: Client, club: Club) -> None:
    evening = evening_with_draw(players=8, club=club, method=TYPED_IN)
    write_deal(table(evening), 1, points={"NS": 93})
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    shown = card(client, club)
    assert "Tafel 1" in shown
    assert "De stand blijft nog even geheim." in shown
    assert "93" not in shown


def test_hidden_people_are_told_so_and_nothing_more(client: Client, club: Club) -> None:
    Member.objects.filter(number=1).update(public_as=Member.PublicAs.HIDDEN)
    assert card(client, club) == (
        "Anoniem U staat niet met uw naam op deze pagina's, dus is hier niets over u te lezen. De"
        " organisator van uw club kan dat wijzigen. Dit ben ik niet"
    )


@pytest.mark.full
def test_a_merged_guest_is_the_member_they_became(client: Client, club: Club) -> None:
    guest = Member.objects.get(number=4)
    path = now_path(club, 4)
    Member.objects.filter(pk=guest.pk).update(kind=Member.Kind.GUEST, number=None)
    guest.refresh_from_db()
    member = MemberFactory.create(club=club, name="Truus van Vries", number=40)
    guest_merge(guest=guest, member=member, actor=TESTS)
    page = get(client, path).content.decode()
    assert f'data-person="{member.pk}" data-name="Truus van Vries"' in page


def test_of_erased_people_and_of_nobody_it_is_gone(client: Client, club: Club) -> None:
    path = now_path(club)
    member_erase(member=Member.objects.get(number=1), actor=TESTS)
    other = ClubFactory.create()
    stranger = MemberFactory.create(club=other)
    assert client.get(path).status_code == 410
    assert client.get(f"/clubs/{club.slug}/players/{stranger.pk}/now/").status_code == 410
    assert client.get(f"/clubs/{club.slug}/players/0/now/").status_code == 410


@pytest.mark.full
def test_what_did_not_change_is_not_sent_again(client: Client, club: Club) -> None:
    first = get(client, now_path(club))
    again = client.get(now_path(club), headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in first.headers
    Member.objects.filter(number=1).update(public_name="J.")
    again = client.get(now_path(club), headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200


@pytest.mark.parametrize("players", [8, 16])
def test_it_asks_as_much_of_the_database_however_many_play(
    client: Client, club: Club, players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=players, club=club, method=TYPED_IN)
    write_deal(table(evening), 1)
    path = now_path(club)
    with django_assert_num_queries(12):
        get(client, path)


@pytest.mark.full
def test_the_pages_themselves_know_nobody(client: Client, club: Club) -> None:
    """They are the same for everybody; a script fills them."""
    page = get(client, f"/clubs/{club.slug}/").content.decode()
    assert f'data-url="/clubs/{club.slug}/players/0/now/"' in page
    pk = Member.objects.get(number=1).pk
    own = get(client, f"/clubs/{club.slug}/players/{pk}/").content.decode()
    assert f'data-person="{pk}" data-name="Jan Bakker" hidden' in own
