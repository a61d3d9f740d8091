"""The phones at the tables as the director sees them; one is cut off, and let in again."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from scoring.deals.services import deal_write
from scoring.disputes.submissions import deal_submit
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import link, words
from tournaments.closing.services import evening_close
from tournaments.models import Evening, TableDevice
from tournaments.rounds.services import round_close, round_start
from tournaments.table_links.devices import device_cut_off, device_let_in, device_pair

pytestmark = pytest.mark.django_db

PAGE = f"{EVENING}phones/"


def paired(evening: Evening, key: str, number: int = 1, **given: object) -> TableDevice:
    token = evening.tokens.filter(table_number=number, revoked_at=None).first()
    assert token is not None
    given = {"round_number": 1, "name": "iPhone"} | given
    device = device_pair(token=token, key=key, **given)  # type: ignore[arg-type]
    assert device is not None
    return device


@pytest.mark.full
def test_each_table_shows_its_phones_and_what_they_wrote() -> None:
    evening = evening_with_draw(players=12)
    paired(evening, "a")
    paired(evening, "b", name="Android")
    paired(evening, "c", 2, name="")
    for number, device in ((1, "phone:1"), (2, "phone:1"), (3, "phone:2")):
        deal_write(
            sheet_id=table(evening).sheet_id,
            number=number,
            seen_version=0,
            uuid=uuid.uuid4(),
            written={"declarer": "NS", "trump": "H", "points": {"NS": 90}},
            actor=TESTS,
            device=device,
        )
    shown = words(desk_of(evening.club).get(PAGE))
    assert "Nog geen telefoon in deze ronde: tafel 3" in shown
    first, second = shown.partition("Tafel 1")[2].split("Tafel 2")
    assert "Telefoon 1 · iPhone laatst gezien om" in first
    assert first.count("schreef 2 keer") == 1
    assert first.count("schreef 1 keer") == 1
    assert "Telefoon 2 · Android" in first
    assert "Telefoon 1 laatst gezien om" in second
    assert "schreef nog niets" in second


@pytest.mark.full
def test_a_phone_that_wrote_second_wrote_as_well() -> None:
    evening = evening_with_draw(players=4, writing="both")
    for key, side, points in (("a", "NS", 90), ("b", "EW", 90), ("c", "EW", 100)):
        phone = paired(evening, key)
        deal_submit(
            sheet_id=table(evening).sheet_id,
            number=1,
            seen_version=0,
            uuid=uuid.uuid4(),
            written={"declarer": "NS", "trump": "H", "points": {"NS": points}},
            actor=TESTS,
            side=side,
            device=phone.ref,
        )
    assert words(desk_of(evening.club).get(PAGE)).count("schreef 1 keer") == 3


@pytest.mark.full
def test_a_phone_of_an_earlier_round_stands_apart() -> None:
    evening = evening_with_draw(players=4, rounds=3, deals_per_round=1)
    paired(evening, "a")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    paired(evening, "b", round_number=2)
    shown = words(desk_of(evening.club).get(PAGE))
    here, _, earlier = shown.partition("1 telefoon van eerder")
    assert "Telefoon 2 · iPhone" in here
    assert "Telefoon 1 · iPhone" in earlier
    assert "tot en met ronde 1" in earlier


def test_a_phone_is_cut_off_and_let_in_again() -> None:
    evening = evening_with_draw(players=4)
    paired(evening, "a")
    phone = Client()
    phone.cookies["table_phone"] = "a"
    address = link(evening)
    assert phone.get(address).status_code == 200
    client = desk_of(evening.club)
    response = client.post(f"{PAGE}1/1/cut-off/", follow=True)
    assert messages_in(response) == [
        (
            "Telefoon 1 van tafel 1 kan niet meer schrijven. Spellen die er nog op wachten, gaan"
            " niet verloren: u beslist erover."
        )
    ]
    assert "geblokkeerd" in words(response)
    refused = phone.get(address)
    assert refused.status_code == 403
    assert "Deze telefoon mag aan deze tafel niet meer schrijven." in words(refused)
    assert Client().get(address).status_code == 200
    assert messages_in(client.post(f"{PAGE}1/1/let-in/", follow=True)) == [
        "Telefoon 1 van tafel 1 kan weer schrijven."
    ]
    assert phone.get(address).status_code == 200


@pytest.mark.full
def test_cutting_off_holds_in_the_rounds_to_come_and_at_this_table_only() -> None:
    evening = evening_with_draw(players=8)
    paired(evening, "a")
    paired(evening, "a", 2)
    device_cut_off(evening_id=evening.pk, table_number=1, number=1, actor=TESTS)
    assert paired(evening, "a", round_number=2).cut_off_at is not None
    assert TableDevice.objects.get(table_number=2).cut_off_at is None
    device_let_in(evening_id=evening.pk, table_number=1, number=1, actor=TESTS)
    assert not TableDevice.objects.exclude(cut_off_at=None).exists()


@pytest.mark.full
def test_the_trail_tells_it_once() -> None:
    evening = evening_with_draw(players=4)
    paired(evening, "a")
    for _ in range(2):
        device_cut_off(evening_id=evening.pk, table_number=1, number=1, actor=TESTS)
    device_let_in(evening_id=evening.pk, table_number=1, number=1, actor=TESTS)
    events = AuditEvent.objects.filter(action__startswith="phone_").order_by("number")
    assert list(events.values_list("action", "data")) == [
        ("phone_cut_off", {"table": 1, "phone": 1}),
        ("phone_let_in", {"table": 1, "phone": 1}),
    ]
    trail = words(desk_of(evening.club).get("/clubs/vrolijke-boer/desk/trail/"))
    assert "Telefoon 1 van tafel 1 werd geblokkeerd" in trail


@pytest.mark.full
def test_after_the_evening_nobody_is_cut_off() -> None:
    evening = evening_with_draw(players=4, rounds=1, deals_per_round=1)
    paired(evening, "a")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    client = desk_of(evening.club)
    assert "Blokkeren" not in text(client.get(PAGE))
    response = client.post(f"{PAGE}1/1/cut-off/", follow=True)
    assert messages_in(response) == ["Dat kan nu niet: de avond is afgesloten."]
    assert TableDevice.objects.get().cut_off_at is None


@pytest.mark.full
def test_a_phone_that_is_not_there_is_not_found() -> None:
    evening = evening_with_draw(players=4)
    paired(evening, "a")
    client = desk_of(evening.club)
    for path in ("1/2/cut-off/", "2/1/cut-off/", "9/9/let-in/"):
        assert client.post(PAGE + path).status_code == 404
    assert client.get(f"{PAGE}1/1/cut-off/").status_code == 405


@pytest.mark.full
def test_who_may_see_it() -> None:
    club: Club = ClubFactory.create()
    paired(evening_with_draw(club=club, players=4), "a")
    cast = {organiser_of(club): 200, director_of(club): 200, scorekeeper_of(club): 403}
    for user, status in cast.items():
        client = Client()
        client.force_login(user)
        assert client.get(PAGE).status_code == status
        assert client.post(f"{PAGE}1/1/cut-off/").status_code == {200: 302}.get(status, status)
    assert Client().get(PAGE).headers["Location"] == f"/login/?next={PAGE}"


@pytest.mark.full
def test_the_board_leads_to_it() -> None:
    evening = evening_with_draw(players=4)
    assert f'href="{PAGE}"' in text(desk_of(evening.club).get(f"{EVENING}board/"))
    Evening.objects.update(phones=False)
    assert f'href="{PAGE}"' not in text(desk_of(evening.club).get(f"{EVENING}board/"))


def test_more_phones_take_no_more_queries(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    evening = evening_with_draw(players=12)
    client = desk_of(evening.club)
    paired(evening, "a")
    for keys in ("", "bcdef"):
        for key in keys:
            for number in (1, 2, 3):
                paired(evening, key, number)
        with django_assert_num_queries(12):
            client.get(PAGE)
