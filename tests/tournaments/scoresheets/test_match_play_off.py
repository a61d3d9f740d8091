"""A match at one table that ends equal, played off over four more deals."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from tests.factories import TESTS, ClubFactory, table
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.scoresheets.test_desk_sheet import SHEET
from tests.tournaments.table_pages import link, playing, words
from tournaments.models import Evening
from tournaments.rounds.services import round_close
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

FOUR = {"total_ns": "340", "total_ew": "308"}
DECIDED = "Gelijk, dus vier spellen extra: 340–308. Jan Bakker – Piet Visser winnen deze partij."


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def equal(club: Club, *, ns: int = 1296, ew: int = 1296, **plan: Any) -> Evening:
    """Sixteen deals at one table, 1,296–1,296, where such a match is played off."""
    evening = playing(club=club, **{"match_play_off": True} | plan)
    Client().post(f"{link(evening)}rounds/1/totals/", {"total_ns": ns, "total_ew": ew})
    assert table(evening).sheet.is_full
    return evening


def page(evening: Evening) -> str:
    return f"{link(evening)}rounds/1/play-off/"


def play_off(evening: Evening) -> dict[str, int] | None:
    return table(evening).sheet.play_off


@pytest.mark.both
def test_four_more_deals_decide_the_match_and_count_for_nothing_else(club: Club) -> None:
    evening, phone = equal(club), Client()
    address = page(evening)
    asked = phone.get(link(evening))
    assert "Gelijk: vier spellen extra" in words(asked)
    assert f'href="{address}"' in asked.content.decode()
    assert phone.get(address).status_code == 200
    answer = phone.post(address, FOUR, follow=True)
    assert play_off(evening) == {"NS": 340, "EW": 308}
    assert DECIDED in words(answer)
    assert DECIDED in words(desk_of(club).get(SHEET))
    assert {row.total for row in evening_standings(Evening.objects.get())} == {1296}
    event = AuditEvent.objects.get(action="match_played_off")
    assert event.data == {"NS": 340, "EW": 308}


def test_everybody_reads_who_won(club: Club, client: Client) -> None:
    evening = equal(club)
    address = f"/clubs/{club.slug}/evenings/{evening.slug}/rounds/1/tables/1/"
    undecided = "Gelijk: vier extra spellen beslissen wie deze partij wint."
    assert undecided in words(client.get(address))
    desk_of(club).post(f"{SHEET}play-off/", FOUR)
    said = words(client.get(address))
    assert undecided not in said
    assert "Gelijk, dus vier spellen extra: 340–308." in said


@pytest.mark.parametrize(
    ("ns", "ew", "said"),
    [
        ("324", "324", "Weer gelijk. Speel nog eens vier spellen en schrijf alleen die op."),
        ("341", "308", "Samen is dit 649."),
        ("300", "186", "Samen is dit 486: minder punten dan vier spellen geven."),
        ("", "308", "Vul het totaal in."),
        ("-1", "649", ""),
    ],
)
def test_what_four_deals_cannot_be_is_refused(club: Club, ns: str, ew: str, said: str) -> None:
    evening, desk = equal(club), desk_of(club)
    typed = {"total_ns": ns, "total_ew": ew}
    for answer in (
        Client().post(page(evening), typed),
        desk.post(f"{SHEET}play-off/", typed),
    ):
        assert answer.status_code == 422
        assert said in words(answer)
        assert f'value="{ew}"' in answer.content.decode()
    assert play_off(evening) is None


@pytest.mark.parametrize(
    "plan", [{"match_play_off": False}, {"ns": 1306, "ew": 1306 - 20}], ids=["off", "unequal"]
)
def test_it_is_not_asked(club: Club, plan: dict[str, Any]) -> None:
    evening, phone, desk = equal(club, **plan), Client(), desk_of(club)
    assert "vier spellen extra" not in words(phone.get(link(evening)))
    assert "play-off" not in desk.get(SHEET).content.decode()
    for answer in (phone.get(page(evening)), phone.post(page(evening), FOUR)):
        assert answer.status_code == 404
    assert desk.post(f"{SHEET}play-off/", FOUR).status_code == 404
    assert "gelijk: vier spellen extra" not in words(desk.get(f"{EVENING}board/"))


def test_the_board_asks_for_it_until_it_is_written(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    closing = f"{EVENING}rounds/1/close/"
    warning = "De partij aan tafel 1 eindigde gelijk; de vier extra spellen staan er nog niet."
    assert "gelijk: vier spellen extra" in words(desk.get(f"{EVENING}board/"))
    assert warning in words(desk.get(closing))
    Client().post(page(evening), FOUR)
    assert "gelijk: vier spellen extra" not in words(desk.get(f"{EVENING}board/"))
    assert warning not in words(desk.get(closing))


def test_the_desk_takes_it_off_with_a_reason(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    desk.post(f"{SHEET}play-off/", FOUR)
    assert desk.post(f"{SHEET}play-off/clear/", {}).status_code == 422
    assert play_off(evening) == {"NS": 340, "EW": 308}
    desk.post(f"{SHEET}play-off/clear/", {"reason": "drie spellen"})
    assert play_off(evening) is None
    assert AuditEvent.objects.filter(action="match_play_off_cleared").count() == 1


def test_a_sheet_turned_round_turns_it_too(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    desk.post(f"{SHEET}play-off/", FOUR)
    desk.post(f"{SHEET}swap/", {"reason": "verkeerd om"})
    assert play_off(evening) == {"NS": 308, "EW": 340}


def test_a_match_that_is_not_equal_after_all_is_not_decided_by_it(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    desk.post(f"{SHEET}play-off/", FOUR)
    desk.post(f"{SHEET}totals/", {"total_ns": "1306", "total_ew": "1286"})
    assert play_off(evening) is None
    assert "play-off" not in desk.get(SHEET).content.decode()


def test_a_closed_round_keeps_it(club: Club) -> None:
    evening = equal(club)
    Client().post(page(evening), FOUR)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert desk_of(club).post(f"{SHEET}play-off/", FOUR | {"total_ns": "360"}).status_code == 422
    assert play_off(evening) == {"NS": 340, "EW": 308}
    assert DECIDED in words(desk_of(club).get(SHEET))
