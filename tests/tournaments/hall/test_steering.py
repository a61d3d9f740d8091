"""Steering the screen: scenes, prizes one by one, the clock and its bell, announcements."""

import datetime as dt
import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from clubs.models import AuditEvent
from clubs.text.errors import DomainError, VersionConflict
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import messages_in, text
from tests.tournaments.hall import screen_held
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import evening_path, get, words
from tournaments.evenings.services import evening_freeze
from tournaments.hall.screen import (
    SECONDS,
    bell_ring,
    clock_add,
    clock_now,
    clock_pause,
    clock_start,
    hall_of,
    message_put,
    scene_hold,
    scene_show,
    scene_step,
    turn_now,
)
from tournaments.models import Evening, HallScreen
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.giving import evening_prizes_choose

pytestmark = pytest.mark.django_db

DESK = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/screen/"


@pytest.fixture
def evening() -> Evening:
    evening = evening_with_draw(players=12, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


@pytest.fixture
def director(evening: Evening) -> Client:
    client = Client()
    client.force_login(director_of(evening.club))
    return client


def hall(evening: Evening) -> HallScreen:
    return hall_of(Evening.objects.get(pk=evening.pk))


def press(client: Client, evening: Evening, do: str, **typed: object) -> list[str]:
    """Press a button of the page as it is now, and read what the page says of it."""
    version = hall(evening).version
    response = client.post(f"{DESK}steer/", {"do": do, "version": version, **typed}, follow=True)
    assert response.status_code in (200, 422)
    return messages_in(response)


def on_screen(evening: Evening) -> str:
    return words(get(Client(), evening_path(evening, "screen/")))


def test_a_scene_is_held_turned_and_left_again(evening: Evening) -> None:
    pk = evening.pk
    with time_machine.travel(timezone.now(), tick=False) as clock:
        shown = scene_show(evening_id=pk, seen_version=0, scene="tables")
        assert turn_now(shown) == 0
        clock.shift(SECONDS * 2)
        assert turn_now(shown) == 2
        held = scene_hold(evening_id=pk, seen_version=shown.version, held=True)
        clock.shift(SECONDS * 5)
        assert turn_now(held) == 2
        stepped = scene_step(evening_id=pk, seen_version=held.version, by=1, pictures=5)
        assert (turn_now(stepped), stepped.held) == (3, True)
        back = scene_step(evening_id=pk, seen_version=stepped.version, by=-4, pictures=5)
        assert turn_now(back) == 4
        going = scene_hold(evening_id=pk, seen_version=back.version, held=False)
        clock.shift(SECONDS)
        assert turn_now(going) == 5
        every = scene_show(evening_id=pk, seen_version=going.version, scene="")
        assert (every.scene, turn_now(every)) == ("", 0)


@pytest.mark.both
def test_of_two_who_press_at_once_only_the_first_is_heard(evening: Evening) -> None:
    first = scene_show(evening_id=evening.pk, seen_version=0, scene="prizes")
    with pytest.raises(VersionConflict):
        scene_show(evening_id=evening.pk, seen_version=0, scene="code")
    scene_step(evening_id=evening.pk, seen_version=first.version, by=1, pictures=4)
    with pytest.raises(VersionConflict):
        scene_step(evening_id=evening.pk, seen_version=first.version, by=1, pictures=4)
    assert (hall(evening).scene, hall(evening).turn) == ("prizes", 1)


def test_prizes_are_revealed_one_by_one_from_last_to_first(
    director: Client, evening: Evening
) -> None:
    write_deal(table(evening, 2), 1, points={"NS": 100})
    write_deal(table(evening, 3), 1, points={"NS": 110})
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    # The time of day is on the screen: it stands still, so that only a press changes the page.
    with time_machine.travel(timezone.now(), tick=False):
        press(director, evening, "show-prizes")
        assert "wachten" in on_screen(evening)
        assert "Jan" not in on_screen(evening)
        assert "Hierna: Poedelprijs, " in words(director.get(DESK))
        seen = []
        for _ in range(6):
            press(director, evening, "next")
            seen.append(on_screen(evening))
        assert "Poedelprijs" in seen[0]
        assert "De winnaar" in seen[-1]
        assert hall(evening).turn == len(set(seen))
        assert "De winnaar" not in seen[0]
        assert "Hierna:" not in words(director.get(DESK))
        press(director, evening, "back")
        assert "De winnaar" not in on_screen(evening)


@pytest.mark.full
def test_many_who_share_a_prize_are_all_named_and_of_more_how_many(evening: Evening) -> None:
    screen_held(evening, "prizes", turn=1)
    shown = on_screen(evening)
    assert "Poedelprijs A. Smit-de Boer Bert Đặng Corrie Özdemir" in shown
    assert "en nog" not in shown
    with_more = evening_with_draw(
        players=16, club=ClubFactory.create(), method=Evening.Method.TYPED_IN
    )
    write_deal(table(with_more), 1)
    screen_held(with_more, "prizes", turn=1)
    assert "en nog 3 0 punten" in on_screen(with_more)


@pytest.mark.full
def test_pairs_win_together_up_to_the_podium() -> None:
    evening = played_in_pairs(ClubFactory.create())
    scheme = PrizeScheme(first=2, sides=("last_round",))
    evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=TESTS)
    shown = []
    for turn in range(1, 5):
        screen_held(evening, "prizes", turn=turn)
        shown.append(re.split(r" · 21 nov | Deze computer", on_screen(evening))[1])
    first = "Piet Visser Truus de Vries"
    assert shown == [
        "Poedelprijs Jan Bakker Mia van der Meer 42 punten",
        f"Beste laatste ronde {first} 120 punten",
        "Plaats 2 Henk Bos Riet van den Berg 100 punten Henk Bos R. van den Berg 2 1 3",
        f"De winnaar {first} 120 punten Henk Bos R. van den Berg 2 {first} 1 3",
    ]


def test_standings_on_phones_are_hidden_from_the_page_that_reveals_prizes(
    director: Client, evening: Evening
) -> None:
    button = "Stand verbergen tot de prijzen"
    assert button not in words(director.get(DESK))
    press(director, evening, "show-prizes")
    assert "Op hun telefoon lezen mensen nog wie er bovenaan staat." in words(director.get(DESK))
    press(director, evening, "secret")
    assert Evening.objects.get(pk=evening.pk).frozen
    assert button not in words(director.get(DESK))
    assert "wachten" in on_screen(evening)


@pytest.mark.full
def test_prizes_are_named_as_people_want_to_be_named(director: Client, evening: Evening) -> None:
    evening.club.members.filter(number=1).update(public_name="J. B.")
    write_deal(table(evening), 2)
    screen_held(evening, "prizes", turn=9)
    assert "J. B." in on_screen(evening)
    assert "Jan Bakker" not in on_screen(evening)


# The clock of a round, and the bell.


def test_the_clock_runs_stands_still_and_gets_more_time(evening: Evening) -> None:
    pk = evening.pk
    with time_machine.travel(timezone.now(), tick=False) as clock:
        running = clock_start(evening_id=pk, seen_version=0, minutes=30)
        clock.shift(dt.timedelta(minutes=10))
        assert clock_now(running) == "20:00"
        assert "nog 20:00" in on_screen(evening)
        still = clock_pause(evening_id=pk, seen_version=running.version)
        clock.shift(dt.timedelta(minutes=10))
        assert clock_now(still) == "20:00"
        more = clock_add(evening_id=pk, seen_version=still.version, minutes=5)
        assert clock_now(more) == "25:00"
        again = clock_start(evening_id=pk, seen_version=more.version)
        clock.shift(dt.timedelta(minutes=26))
        assert clock_now(again) == ""
        assert "Tijd!" in on_screen(evening)
        longer = clock_add(evening_id=pk, seen_version=again.version, minutes=5)
        assert clock_now(longer) == "5:00"


@pytest.mark.full
@pytest.mark.parametrize("minutes", [0, -1, 301])
def test_a_round_has_a_length_that_can_be(evening: Evening, minutes: int) -> None:
    with pytest.raises(DomainError) as refused:
        clock_start(evening_id=evening.pk, seen_version=0, minutes=minutes)
    assert refused.value.code == "bad_minutes"
    assert hall(evening).version == 0


@pytest.mark.full
def test_the_next_evening_begins_with_the_minutes_of_the_last(evening: Evening) -> None:
    clock_start(evening_id=evening.pk, seen_version=0, minutes=33)
    other = Evening.objects.create(
        club=evening.club, regulation=evening.regulation, date=dt.date(2026, 11, 28)
    )
    assert hall(other).clock_minutes == 33


@pytest.mark.full
def test_the_bell_is_heard_by_every_screen(evening: Evening) -> None:
    assert bell_ring(evening_id=evening.pk, seen_version=0).rung == 1
    page = get(Client(), evening_path(evening, "screen/")).content.decode()
    assert 'data-rung="1"' in page


# Announcements.


def test_an_announcement_is_shown_for_its_time_and_recorded(evening: Evening) -> None:
    path = evening_path(evening, "screen/?live=1")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        screen_held(evening, "code")
        version = hall(evening).version
        message_put(
            evening_id=evening.pk,
            seen_version=version,
            message="  De koffie  staat klaar ",
            minutes=5,
            actor=TESTS,
        )
        assert "De koffie staat klaar" in on_screen(evening)
        seen = get(Client(), path).headers["ETag"]
        clock.shift(dt.timedelta(minutes=5))
        assert Client().get(path, headers={"If-None-Match": seen}).status_code == 200
        assert "koffie" not in on_screen(evening)
    event = AuditEvent.objects.filter(action="hall_message").get()
    assert event.object_ref == f"evening:{evening.uuid}"


def test_what_cannot_be_shown_is_refused_with_a_reason(director: Client, evening: Evening) -> None:
    response = director.post(f"{DESK}steer/", {"do": "announce", "version": 0, "minutes": "0"})
    assert response.status_code == 422
    assert "Typ wat de zaal moet lezen." in text(response)
    long = {"do": "announce", "version": 0, "minutes": "0", "message": "x" * 81}
    response = director.post(f"{DESK}steer/", long)
    assert "Op het scherm passen hoogstens 80 letters." in text(response)
    response = director.post(f"{DESK}steer/", {"do": "start", "version": 0, "minutes": "veel"})
    assert "Typ hoeveel minuten een ronde duurt." in text(response)
    assert hall(evening).version == 0


# The page at the desk.


def test_the_desk_does_it_all_with_plain_forms(director: Client, evening: Evening) -> None:
    page = director.get(DESK)
    assert page.status_code == 200
    assert f"/tv/{evening.club_id}" in words(page)
    press(director, evening, "show-tables")
    assert "0 van 3 tafels klaar" in on_screen(evening)
    assert "0 van 3 tafels klaar" in words(director.get(DESK))
    press(director, evening, "announce", message="Zo beginnen we", minutes="0")
    assert "Zo beginnen we" in on_screen(evening)
    press(director, evening, "silence")
    assert "Zo beginnen we" not in on_screen(evening)
    press(director, evening, "start", minutes="40")
    assert "nog 40:00" in on_screen(evening)
    press(director, evening, "stop")
    press(director, evening, "light")
    assert 'data-theme="light"' in get(Client(), evening_path(evening, "screen/")).content.decode()
    assert press(director, evening, "nonsense") == []


@pytest.mark.full
def test_who_was_just_too_late_reads_so(director: Client, evening: Evening) -> None:
    screen_held(evening, "tables")
    late = {"do": "next", "version": 0}
    said = messages_in(director.post(f"{DESK}steer/", late, follow=True))
    assert said == ["Iemand anders was u net voor. Dit laat het scherm nu zien."]
    panel = director.post(f"{DESK}steer/", late, headers={"HX-Request": "true"})
    assert "Iemand anders was u net voor." in words(panel)


@pytest.mark.full
def test_the_panel_asks_again_and_is_not_sent_unchanged(director: Client, evening: Evening) -> None:
    screen_held(evening, "tables")
    first = director.get(f"{DESK}live/")
    seen = {"If-None-Match": first.headers["ETag"]}
    assert director.get(f"{DESK}live/", headers=seen).status_code == 304
    screen_held(evening, "code")
    assert director.get(f"{DESK}live/", headers=seen).status_code == 200


@pytest.mark.full
def test_keys_on_the_screen_are_for_who_may_steer(director: Client, evening: Evening) -> None:
    path = evening_path(evening, "screen/")
    assert "data-steer=" in director.get(path).content.decode()
    assert "data-steer=" not in Client().get(path).content.decode()
