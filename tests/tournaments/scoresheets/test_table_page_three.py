"""The phone page of a table of three, from the first deal to the standing."""

import uuid

import pytest
from django.test import Client

from scoring.deals.services import deal_write
from scoring.models import Confirmation
from scoring.rules import line_of_three
from tests.factories import TESTS
from tests.tournaments.table_pages import fields_of, link, playing_three, words, write
from tournaments.models import Evening, Table
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> tuple[Evening, Table]:
    return playing_three(deals_per_round=2)


@pytest.fixture
def sheet(played: tuple[Evening, Table]) -> str:
    evening, table = played
    return f"{link(evening, table.number)}rounds/1/"


@pytest.fixture
def names(played: tuple[Evening, Table]) -> dict[str, str]:
    """What the three are called, by seat."""
    seats = played[1].sheet.seats.filter(member__isnull=False).select_related("member")
    return {seat.seat: seat.member.name.split()[0] for seat in seats if seat.member}


def test_the_page_asks_which_of_the_three_plays(
    client: Client, sheet: str, names: dict[str, str]
) -> None:
    shown = words(client.get(sheet))
    assert f"{names['E']} geeft, {names['S']} komt uit" in shown
    assert f"Wie speelt? {names['N']} {names['E']} {names['S']} Troef" in shown
    assert "Roem speler" in shown
    assert "Wij" not in shown
    assert "blinde" not in shown


def test_a_deal_is_said_in_words_and_counts_for_each(
    client: Client, played: tuple[Evening, Table], sheet: str, names: dict[str, str]
) -> None:
    url = f"{sheet}deals/1/"
    typed = {"declarer": "N", "trump": "H", "points_ew": "62", "roem_ns": "20"}
    check = client.post(url, fields_of(client.get(url), url) | typed)
    sentence = f"{names['N']} 100 + 20 roem = 120, {names['E']} en {names['S']} elk 62: gehaald"
    assert sentence in words(check)
    assert client.post(url, fields_of(check, url)).status_code == 303
    shown = words(client.get(sheet))
    assert "Geschreven: spel 1, 120–62" in shown
    assert f"{names['N']} 58 voor 120" in shown
    assert scores(played[0]) == {names["N"]: 120, names["E"]: 62, names["S"]: 62}


@pytest.mark.full
def test_each_of_the_three_says_whether_it_is_right(
    client: Client, played: tuple[Evening, Table], sheet: str, names: dict[str, str]
) -> None:
    fill(played[1])
    shown = words(client.get(sheet))
    for name in names.values():
        assert f"{name} akkoord Klopt niet" in shown
    version = Table.objects.get(pk=played[1].pk).sheet.version
    agreed = client.post(f"{sheet}answer/", {"side": "N", "seen_version": version})
    assert agreed.status_code == 303
    page = client.get(f"{sheet}dispute/S/")
    assert f"{names['S']}: klopt niet" in words(page)
    note = {"seen_version": version, "note": "spel 2 was van mij"}
    assert client.post(f"{sheet}dispute/S/", note).status_code == 303
    said = Confirmation.objects.order_by("side").values_list("side", "agrees")
    assert list(said) == [("N", True), ("S", False)]
    shown = words(client.get(sheet))
    assert f"{names['N']}: akkoord" in shown
    assert f"{names['S']}: klopt niet" in shown


@pytest.mark.full
@pytest.mark.parametrize("side", ["NS", "EW", "W"])
def test_there_are_no_sides_to_answer_for(
    client: Client, played: tuple[Evening, Table], sheet: str, side: str
) -> None:
    fill(played[1])
    asked = client.post(f"{sheet}answer/", {"side": side, "seen_version": 2})
    assert asked.status_code == 404
    assert client.get(f"{sheet}dispute/{side}/").status_code == 404


@pytest.mark.full
def test_the_dummy_does_not_deal(client: Client) -> None:
    evening, table = playing_three(first_dealer=Evening.FirstDealer.DRAWN)
    sheet = f"{link(evening, table.number)}rounds/1/"
    assert client.post(f"{sheet}dealer/", {"seat": "W", "seen_version": 0}).status_code == 404
    assert client.post(f"{sheet}dealer/", {"seat": "S", "seen_version": 0}).status_code == 303


@pytest.mark.full
def test_a_deal_is_corrected_and_another_one_played(
    client: Client, played: tuple[Evening, Table], sheet: str, names: dict[str, str]
) -> None:
    fill(played[1])
    changed = write(client, f"{sheet}deals/1/", declarer="E", why="mistyped")
    assert changed.status_code == 303
    assert scores(played[0]) == {names["N"]: 224, names["E"]: 282, names["S"]: 62}


def scores(evening: Evening) -> dict[str, int]:
    """What everybody who scored has, by first name."""
    rows = evening_standings(evening)
    return {row.name.split()[0]: row.total for row in rows if row.total}


def fill(table: Table) -> None:
    """North makes 100 with 20 roem, so 120, 62, 62; then South is nat, so 162, 162, 0. With East
    in North's place it is 62, 120, 62 and then the same."""
    deals = (
        {"declarer": "N", "trump": "H", "points": {"NS": 100}, "roem": {"NS": [20]}},
        {"declarer": "S", "trump": "C", "points": {"EW": 90}},
    )
    for number, deal in enumerate(deals, start=1):
        deal_write(
            sheet_id=table.sheet_id,
            number=number,
            seen_version=0,
            uuid=uuid.uuid4(),
            written=line_of_three(deal),
            actor=TESTS,
        )
