"""A match at one table that ends equal, played off over four more deals."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from tests.api.caller import Caller
from tests.factories import TESTS, ClubFactory, director_of, table
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.scoresheets.test_desk_sheet import SHEET
from tests.tournaments.table_pages import link, playing, words
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_reopen
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

TABLE = "rounds/1/tables/1/"
PLAY_OFF = f"{TABLE}play-off/"
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


def printed(desk: Client, address: str) -> str:
    """The words of a PDF at the desk."""
    return " ".join(" ".join(page_texts(desk.get(f"{EVENING}print/{address}").content)).split())


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


@pytest.mark.full
def test_everybody_reads_who_won(club: Club, client: Client) -> None:
    evening = equal(club)
    address = f"/clubs/{club.slug}/evenings/{evening.slug}/rounds/1/tables/1/"
    undecided = "Gelijk: vier extra spellen beslissen wie deze partij wint."
    assert undecided in words(client.get(address))
    desk_of(club).post(f"{SHEET}play-off/", FOUR)
    said = words(client.get(address))
    assert undecided not in said
    assert "Gelijk, dus vier spellen extra: 340–308." in said


@pytest.mark.full
def test_after_publishing_the_desk_says_why(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    round_reopen(round_id=evening.rounds.get().pk, actor=TESTS)
    refused = desk.post(f"{SHEET}play-off/", FOUR)
    assert refused.context["form"].errors == {"reason": ["Zeg in een paar woorden waarom."]}
    assert play_off(evening) is None
    desk.post(f"{SHEET}play-off/", FOUR | {"reason": "Op papier blijven liggen"})
    assert play_off(evening) == {"NS": 340, "EW": 308}
    event = AuditEvent.objects.get(action="match_played_off")
    assert event.texts.get(field="reason").text == "Op papier blijven liggen"


@pytest.mark.parametrize(
    ("ns", "ew", "said"),
    [
        ("324", "324", "Weer gelijk. Speel nog eens vier spellen en schrijf alleen die op."),
        (
            "341",
            "308",
            "4 spellen geven 648, en het ene punt dat overblijft kan geen roem en pit zijn.",
        ),
        ("300", "186", "Samen is dat 486: minder punten dan vier spellen geven."),
        ("", "308", "Typ het totaal."),
        ("-1", "649", "Typ 0 of meer."),
        ("324", "100000", "Typ 99999 of minder."),
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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
def test_a_sheet_turned_round_turns_it_too(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    desk.post(f"{SHEET}play-off/", FOUR)
    desk.post(f"{SHEET}swap/", {"reason": "verkeerd om"})
    assert play_off(evening) == {"NS": 308, "EW": 340}


@pytest.mark.full
def test_a_match_that_is_not_equal_after_all_is_not_decided_by_it(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    desk.post(f"{SHEET}play-off/", FOUR)
    desk.post(f"{SHEET}totals/", {"total_ns": "1306", "total_ew": "1286"})
    assert play_off(evening) is None
    assert "play-off" not in desk.get(SHEET).content.decode()


@pytest.mark.full
def test_a_closed_round_keeps_it(club: Club) -> None:
    evening = equal(club)
    Client().post(page(evening), FOUR)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert desk_of(club).post(f"{SHEET}play-off/", FOUR | {"total_ns": "360"}).status_code == 422
    assert play_off(evening) == {"NS": 340, "EW": 308}
    assert DECIDED in words(desk_of(club).get(SHEET))


@pytest.mark.full
def test_paper_has_room_for_four_more_deals(club: Club) -> None:
    equal(club)
    desk = desk_of(club)
    row = "Gelijk? Vier spellen extra, ieder geeft één keer: wij zij"
    for address in ("sheets/1.pdf", "sheets/1.pdf?halved=1", "spare.pdf"):
        assert row in printed(desk, address)
    Evening.objects.update(match_play_off=False)
    assert row not in printed(desk, "sheets/1.pdf")


@pytest.mark.full
def test_a_filled_sheet_says_who_won_the_match(club: Club) -> None:
    evening, desk = equal(club), desk_of(club)
    sheet = "sheets/1.pdf?filled=1"
    assert "vier spellen extra" not in printed(desk, sheet)
    Client().post(page(evening), FOUR)
    assert DECIDED in printed(desk, sheet)


@pytest.mark.full
def test_among_each_other_the_four_deals_count(club: Club) -> None:
    evening = equal(club, tie="tie_breaks", tie_breaks=["head_to_head"])
    assert {row.rank for row in evening_standings(evening)} == {1}
    Client().post(page(evening), FOUR)
    standing = evening_standings(evening)
    # 32 ahead of each of two.
    assert [(row.rank, row.tie_breaks) for row in standing] == [
        (1, {"head_to_head": 64}),
        (1, {"head_to_head": 64}),
        (3, {"head_to_head": -64}),
        (3, {"head_to_head": -64}),
    ]
    assert [row.name for row in standing[:2]] == ["Jan Bakker", "Piet Visser"]


def test_programs_write_and_read_it(club: Club) -> None:
    evening = equal(club)
    api = Caller(director_of(club), f"/api/v1/clubs/{club.slug}/evenings/{evening.slug}/")
    before = api.get(TABLE)["sheet"]
    assert (before["full"], before["play_off"]) == (True, None)
    body = {"version": before["version"], "totals": {"NS": 340, "EW": 308}}
    assert api.put(PLAY_OFF, body)["sheet"] == before | {"play_off": {"NS": 340, "EW": 308}}
    stale = api.put(PLAY_OFF, body | {"version": before["version"] + 1}, status=409)
    assert stale["code"] == "sheet_moved_on"
    again = api.put(PLAY_OFF, body | {"totals": {"NS": 324, "EW": 324}}, status=422)
    assert [(fault["field"], fault["message"]) for fault in again["errors"]] == [
        ("totals", "Equal again. Play four more deals, and write only those.")
    ]
    half = api.put(PLAY_OFF, body | {"totals": {"NS": 340}}, status=422)
    assert [fault["field"] for fault in half["errors"]] == ["totals.EW"]
    cleared = api.ask("DELETE", PLAY_OFF, if_match=f'"{before["version"]}"')
    assert cleared["sheet"]["play_off"] is None


@pytest.mark.full
@pytest.mark.parametrize(
    ("plan", "code"),
    [({"match_play_off": False}, "no_play_off"), ({"ns": 1306, "ew": 1286}, "not_equal")],
)
def test_programs_play_off_only_what_is(club: Club, plan: dict[str, Any], code: str) -> None:
    evening = equal(club, **plan)
    api = Caller(director_of(club), f"/api/v1/clubs/{club.slug}/evenings/{evening.slug}/")
    body = {"version": api.get(TABLE)["sheet"]["version"], "totals": {"NS": 340, "EW": 308}}
    assert api.put(PLAY_OFF, body, status=422)["code"] == code
    assert play_off(evening) is None
